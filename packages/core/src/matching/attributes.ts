// The names of the attributes of words and sentences, and how values are compared with those of a pattern.

import type { Column } from "../treebank/formats/layout.js";
import type { Comparison, Operator, Value } from "./language/pattern.js";
import { PatternError } from "./language/pattern-error.js";
import { LinearRegex } from "./language/regex.js";

export const COLUMNS: readonly Column[] = ["form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"];
/** The tests on a word that take no value. */
export const FLAGS = ["first", "last", "root"] as const;

/** An attribute of a word: (an item of) a column, or something that follows from its place. */
export type Attribute =
  | { readonly kind: "column"; readonly name: string; readonly column: Column; readonly key?: string | undefined }
  | { readonly kind: "id"; readonly name: string }
  | { readonly kind: (typeof FLAGS)[number]; readonly name: string };

/** The attribute of that name; undefined if there is none. */
export function attributeOf(name: string): Attribute | undefined {
  if (COLUMNS.includes(name as Column)) return { kind: "column", name, column: name as Column };
  if (name === "id") return { kind: "id", name };
  const flag = FLAGS.find((known) => known === name);
  if (flag !== undefined) return { kind: flag, name };
  const [, column, key] = /^(feats|misc)\.(.+)$/.exec(name) ?? [];
  if (key !== undefined) return { kind: "column", name, column: column as Column, key };
  return /^\p{Lu}/u.test(name) && !name.includes(".")
    ? { kind: "column", name, column: "feats", key: name }
    : undefined;
}

/** The attribute of that name, for one that a user has written. */
export function knownAttribute(name: string, source?: string, at?: number): Attribute {
  const attribute = attributeOf(name);
  if (attribute !== undefined) return attribute;
  const names = [...COLUMNS, "id", ...FLAGS].join(", ");
  const expected = `${names}, a feature such as Number or feats.number, or misc.NAME`;
  throw new PatternError(`unknown attribute ${name}: expected ${expected}`, source, at);
}

/** The value of an item of FEATS or MISC; undefined if it is not there, "" if it has no =. */
function itemValue(items: string, key: string): string | undefined {
  for (let at = 0; at <= items.length; ) {
    const bar = items.indexOf("|", at);
    const end = bar < 0 ? items.length : bar;
    if (items.startsWith(key, at) && at + key.length <= end) {
      if (at + key.length === end) return "";
      if (items[at + key.length] === "=") return items.slice(at + key.length + 1, end);
    }
    at = end + 1;
  }
  return undefined;
}

/** The value of an attribute in its column as written; _ means no value, except as a form. */
export function valueIn(written: string, { column, key }: Attribute & { kind: "column" }): string | undefined {
  if (written === "_" && column !== "form") return undefined;
  return key === undefined ? written : itemValue(written, key);
}

/** Whether a value passes; undefined is no value. */
export type ValueTest = (value: string | undefined) => boolean;

/** A comparison, ready to be asked. `loose` says what `:` accepts beyond equality. */
export function valueTest(
  { operator, values }: Partial<Comparison>,
  negated: boolean | undefined,
  loose: "subtypes" | "list" | "none",
): ValueTest {
  if (operator === undefined || values === undefined) return (value) => (value !== undefined) !== (negated === true);
  const exact = operator.endsWith("=") || loose === "none";
  const single = values.map((value) => singleTest(operator, value, exact ? "none" : loose));
  const opposite = operator.startsWith("!");
  return (value) => {
    const passes = value !== undefined && single.some((test) => test(value)) !== opposite;
    return passes !== (negated === true);
  };
}

/** The values that `:` accepts for an attribute. */
export function looseness(attribute: Attribute): "subtypes" | "list" | "none" {
  if (attribute.kind !== "column") return "none";
  if (attribute.column === "deprel") return "subtypes";
  return attribute.column === "feats" && attribute.key !== undefined ? "list" : "none";
}

function singleTest(operator: Operator, value: Value, loose: "subtypes" | "list" | "none"): (value: string) => boolean {
  if (typeof value === "object" && "regex" in value) {
    const regex = new LinearRegex(value.regex, value.ignoreCase);
    if (loose === "list") return (found) => found.split(",").some((part) => regex.test(part));
    return (found) => regex.test(found);
  }
  if (operator.includes("<") || operator.includes(">")) {
    const limit = Number(typeof value === "string" ? value : value.text);
    return (found) => inOrder(operator, numberOf(found), limit);
  }
  const ignoreCase = typeof value === "object" && value.ignoreCase;
  const text = typeof value === "string" ? value : value.text;
  const wanted = ignoreCase ? text.toLowerCase() : text;
  const plain = (found: string) => {
    if (found === wanted) return true;
    if (loose === "subtypes") return found.startsWith(`${wanted}:`);
    return loose === "list" && found.includes(",") && found.split(",").includes(wanted);
  };
  return ignoreCase ? (found) => plain(found.toLowerCase()) : plain;
}

function numberOf(text: string): number {
  return /\d/.test(text) ? Number(text) : Number.NaN;
}

function inOrder(operator: Operator, a: number, b: number): boolean {
  if (operator === "<") return a < b;
  if (operator === "<=") return a <= b;
  return operator === ">" ? a > b : a >= b;
}

/** Whether two values stand in that order to each other; never if one is missing. */
export function comparesTo(
  a: string | undefined,
  operator: Operator,
  b: string | undefined,
  loose: "subtypes" | "list" | "none",
): boolean {
  if (a === undefined || b === undefined) return false;
  if (operator.includes("<") || operator === ">" || operator === ">=")
    return inOrder(operator, numberOf(a), numberOf(b));
  let same = a === b;
  if (!same && operator.endsWith(":")) {
    if (loose === "subtypes") same = a.split(":", 1)[0] === b.split(":", 1)[0];
    else if (loose === "list") {
      const parts = b.split(",");
      same = a.split(",").some((part) => parts.includes(part));
    }
  }
  return same !== operator.startsWith("!");
}
