// Objects and lists from callers: known by what they have, not by their class, so that what comes from another copy
// of the package, or from somebody's own hands, is as good.
import { check, type Expectation, SENTENCES, shown } from "./options.js";

/** An object with these methods. */
export function having(expected: string, ...methods: readonly string[]): Expectation {
  const accepts = (value: unknown) =>
    typeof value === "object" &&
    value !== null &&
    methods.every((name) => typeof (value as Record<string, unknown>)[name] === "function");
  return { expected, accepts };
}

/** An object with these fields. */
export function holding(expected: string, ...fields: readonly string[]): Expectation {
  const accepts = (value: unknown) =>
    typeof value === "object" && value !== null && fields.every((name) => name in value);
  return { expected, accepts };
}

/** An array of what is expected. */
export function arrayOf(expected: string, element: Expectation): Expectation {
  return { expected, accepts: (value) => Array.isArray(value) && value.every((one) => element.accepts(one)) };
}

export const SENTENCE = having("a sentence", "form", "upos");

export const SYSTEM = having("a transition system: createSystem makes one", "permits", "apply");

export const MAP = having("a Map", "get", "entries");

/** An object with anything in it. */
export const OBJECT: Expectation = {
  expected: "an object",
  accepts: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

export const STRINGS = arrayOf("an array of strings", { expected: "", accepts: (one) => typeof one === "string" });

export const NUMBERS = arrayOf("an array of numbers", { expected: "", accepts: Number.isFinite });

/** Sentences in a list, each of which has a length and these methods. */
export function checkedList<S>(what: string, sentences: Iterable<S>, ...methods: readonly string[]): S[] {
  check(what, sentences, SENTENCES);
  const list = Array.isArray(sentences) ? sentences : [...sentences];
  const { accepts } = having("", ...methods);
  for (const [i, sentence] of list.entries()) {
    if (accepts(sentence) && Number.isSafeInteger((sentence as { length?: unknown }).length)) continue;
    throw new TypeError(`invalid ${what}: number ${i + 1} is ${shown(sentence)} (expected each to be a sentence)`);
  }
  return list;
}

/** Throws if heads are not whole numbers in an array; the one at 0, which no word has, may be anything. */
export function checkHeads(heads: ArrayLike<number>, what = "heads"): void {
  check(what, heads, HEADS);
  if (heads instanceof Int32Array) return;
  for (let i = 1; i < heads.length; i++) {
    if (!Number.isSafeInteger(heads[i])) {
      throw new TypeError(`invalid ${what}: ${shown(heads[i])} for word ${i} (expected a whole number)`);
    }
  }
}

const HEADS: Expectation = {
  expected: "an array of the heads of words 1, 2, …, with anything at 0",
  accepts: (value) => Array.isArray(value) || ArrayBuffer.isView(value),
};
