// Arguments are checked once, where they come in; the code inside may then rely on them.

/** The values that an option may have: a test, and the words for it in a message. */
export interface Expectation {
  readonly expected: string;
  accepts(value: unknown): boolean;
}

export function oneOf(...values: readonly string[]): Expectation {
  return { expected: `one of ${values.join(", ")}`, accepts: (value) => values.includes(value as string) };
}

/** A whole number within bounds. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Expectation {
  const expected =
    most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`;
  return {
    expected,
    accepts: (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  };
}

/** A number within bounds. */
export function number(least: number, most = Number.POSITIVE_INFINITY): Expectation {
  const expected = most === Number.POSITIVE_INFINITY ? `a number from ${least}` : `a number from ${least} to ${most}`;
  return { expected, accepts: (value) => typeof value === "number" && value >= least && value <= most };
}

/** A number above 0, up to another. */
export function aboveZero(most = Number.POSITIVE_INFINITY): Expectation {
  const expected = most === Number.POSITIVE_INFINITY ? "a number above 0" : `a number above 0, at most ${most}`;
  return { expected, accepts: (value) => typeof value === "number" && value > 0 && value <= most };
}

export const TRUE_OR_FALSE: Expectation = { expected: "true or false", accepts: (value) => typeof value === "boolean" };

export const STRING: Expectation = { expected: "a string", accepts: (value) => typeof value === "string" };

/** Of any type of numbers, too. */
export const ARRAY: Expectation = {
  expected: "an array",
  accepts: (value) => Array.isArray(value) || ArrayBuffer.isView(value),
};

export const SENTENCES: Expectation = {
  expected: "sentences in an array or another iterable",
  accepts: (value) => typeof value === "object" && value !== null && Symbol.iterator in value,
};

export const WHOLE_NUMBER: Expectation = { expected: "a whole number", accepts: Number.isSafeInteger };

export const NUMBER: Expectation = {
  expected: "a number",
  accepts: (value) => typeof value === "number" && !Number.isNaN(value),
};

export const BYTES: Expectation = { expected: "a Uint8Array", accepts: (value) => value instanceof Uint8Array };

export const FUNCTION: Expectation = { expected: "a function", accepts: (value) => typeof value === "function" };

export const SIGNAL: Expectation = {
  expected: "an AbortSignal",
  accepts: (value) =>
    typeof value === "object" && value !== null && typeof (value as { aborted?: unknown }).aborted === "boolean",
};

/**
 * Throws if options are not an object, if there are others than those that are expected, or if one is not what is
 * expected of it; undefined stands for an option that is not given.
 */
export function checkOptions(what: string, options: unknown, expected: Readonly<Record<string, Expectation>>): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`invalid options of ${what}: ${shown(options)} (expected an object)`);
  }
  for (const [name, value] of Object.entries(options)) {
    const expectation = Object.hasOwn(expected, name) ? expected[name] : undefined;
    if (!expectation) {
      const names = Object.keys(expected).join(", ");
      throw new TypeError(`unknown option of ${what}: ${name} (expected ${names === "" ? "none" : `one of ${names}`})`);
    }
    if (value !== undefined) check(`${name} of ${what}`, value, expectation);
  }
}

/** The same for options that must be there, at least those that are named. */
export function checkRequired(
  what: string,
  options: unknown,
  expected: Readonly<Record<string, Expectation>>,
  required: readonly string[],
): void {
  checkOptions(what, options ?? null, expected);
  for (const name of required) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined) check(`${name} of ${what}`, value, expected[name]!);
  }
}

/** Throws if one of these is not a string. */
export function checkTexts(texts: Readonly<Record<string, unknown>>): void {
  for (const name in texts) if (typeof texts[name] !== "string") check(name, texts[name], STRING);
}

/** Throws if a value is not what is expected. */
export function check(what: string, value: unknown, { accepts, expected }: Expectation): void {
  if (accepts(value)) return;
  // Out of range is what a number can be only where one is expected; elsewhere it is of a wrong type like all else.
  const wrong = typeof value === "number" && /\bnumber\b/.test(expected) ? RangeError : TypeError;
  throw new wrong(`invalid ${what}: ${shown(value)} (expected ${expected})`);
}

const MOST_SHOWN = 60;

/** A value as a message shows it: short, whatever it is. */
export function shown(value: unknown): string {
  if (typeof value === "string")
    return value.length > MOST_SHOWN ? `${JSON.stringify(value.slice(0, MOST_SHOWN))}…` : JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return nameOf(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return nameOf(value);
}

/** The name of an object's class. */
export function nameOf(value: object): string {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  return tag === "Object" ? (value.constructor?.name ?? "an object without a class") : tag;
}
