import { OBJECT } from "./shapes.js";

/** An object, or a RangeError that names the field. */
export function record(value: unknown, field: string): Record<string, unknown> {
  if (OBJECT.accepts(value)) return value as Record<string, unknown>;
  throw new RangeError(`invalid ${field}: ${shownField(value)} (expected an object)`);
}

/** An array, or a RangeError that names the field. */
export function list(value: unknown, field: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new RangeError(`invalid ${field}: ${shownField(value)} (expected a list)`);
}

/** An array of what a column of a treebank may have, or a RangeError that names the field. */
export function strings(value: unknown, field: string): string[] {
  return list(value, field).map((item, k) => {
    if (typeof item === "string" && /^[^\t\n\r]+$/.test(item)) return item;
    const expected = "a string without tabs and line ends that is not empty";
    throw new RangeError(`invalid ${field}[${k}]: ${shownField(item)} (expected ${expected})`);
  });
}

/** An integer from 0 to below `end`, or a RangeError that names the field. */
export function index(value: unknown, end: number, field: string): number {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < end) return value as number;
  throw new RangeError(`invalid ${field}: ${shownField(value)} (expected an integer from 0 to ${end - 1})`);
}

/** A value of a header, for errors. */
export function shownField(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
