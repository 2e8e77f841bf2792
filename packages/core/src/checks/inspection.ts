// How objects look in a console: by default Node prints what is inside, pages of it.

/** Node, Deno and Bun ask objects for a method of this name. */
export const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

/** The options of `inspect`, and `inspect` itself, as they are passed on. */
export type Inspecting = [options?: unknown, inspect?: (value: unknown, options: unknown) => string];

/** The name of a class and some values, as `inspect` of the console shows them. */
export function inspected(
  name: string,
  values: Readonly<Record<string, unknown>>,
  ...[options, inspect]: Inspecting
): string {
  return `${name} ${inspect ? inspect(values, options) : JSON.stringify(values)}`;
}
