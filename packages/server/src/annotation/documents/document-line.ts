// A document as a line of JSON.
import { TreebankError } from "@stemma/core/treebank";
import type { Line } from "./lines.js";
import { memberOf, rawValue, withoutMembers } from "./object-members.js";

/** The name under which sentences are added to a document. */
export const SENTENCES = "sentences";

/** Bytes of a line of JSON to be parsed; a longer one is an error, so that memory stays bounded. */
export const LONGEST_LINE = 1 << 24;

/** Where the text and the name of a document are. */
export interface DocumentFields {
  text: string;
  id: string;
  /** A document without a name is wrong; otherwise it is called after its place. */
  needsId: boolean;
  /** The options that name them, for messages. */
  options?: { text: string; id: string } | undefined;
}

const FLAGS = { text: "--text-field", id: "--id-field" };

export const DEFAULT_FIELDS: DocumentFields = { text: "text", id: "id", needsId: false };

/** A document that was read. */
export interface DocumentLine {
  /** The object as it was written, without sentences. */
  json: string;
  /** Its sentences, if it has some. */
  sentences?: unknown[];
  text: string | undefined;
  id: string | undefined;
  line: number;
}

/**
 * The document of a line; what is wrong with it is thrown as a TreebankError. `needs`: what has to be there; `longest`:
 * how many bytes a line may have.
 */
export function readDocument(
  { text, line, isTooLong }: Line,
  fields: DocumentFields,
  source: string,
  needs: "text" | "either",
  longest = LONGEST_LINE,
): DocumentLine {
  const fail = (what: string, value: string, expected: string): never => {
    throw new TreebankError(source, { what, value, expected, line });
  };
  const { options = FLAGS } = fields;
  if (isTooLong) return fail("line", "too long", `at most ${longest >> 20} MB: split the document`);
  if (text === undefined) return fail("line", "not UTF-8", "text in UTF-8: convert the file");
  const trimmed = text.replace(/^\ufeff/, "").trim();
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch (error) {
    return fail("JSON", trimmed, `a JSON object: ${(error as Error).message}`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return fail("document", trimmed, `an object such as {"${fields.text}": "…"}`);
  }
  const object = value as Record<string, unknown>;
  const sentences = object[SENTENCES];
  if (needs === "either" && sentences !== undefined && !Array.isArray(sentences)) {
    return fail(SENTENCES, shown(sentences), "an array of sentences");
  }
  const content = valueAt(object, fields.text);
  if (typeof content !== "string" && (needs === "text" || sentences === undefined)) {
    const there = Object.keys(object).slice(0, 8).join(", ") || "none";
    return content === undefined
      ? fail(`field "${fields.text}"`, "missing", `the text; ${options.text} names another field of: ${there}`)
      : fail(`field "${fields.text}"`, shown(content), "the text, a string");
  }
  return {
    json: sentences === undefined ? trimmed : (withoutMembers(trimmed, [SENTENCES]) ?? "{}"),
    ...(Array.isArray(sentences) ? { sentences } : {}),
    text: content as string | undefined,
    id: idOf(object, trimmed, fields, fail),
    line,
  };
}

function idOf(
  object: Record<string, unknown>,
  json: string,
  fields: DocumentFields,
  fail: (what: string, value: string, expected: string) => never,
): string | undefined {
  const id = valueAt(object, fields.id);
  if (typeof id === "string" && id.trim() !== "") return id;
  // As it is written: large numbers lose digits otherwise.
  if (typeof id === "number") return rawValue(json, pathOf(object, fields.id));
  if (!fields.needsId && (id === undefined || id === null || id === "")) return undefined;
  return id === undefined
    ? fail(`field "${fields.id}"`, "missing", `the name of the document, or no ${(fields.options ?? FLAGS).id}`)
    : fail(`field "${fields.id}"`, shown(id), "the name of the document, a string or a number");
}

/** A field by its name; "a.b" is the field b of the object a, unless there is one of that whole name. */
function pathOf(object: Record<string, unknown>, name: string): string[] {
  return Object.hasOwn(object, name) ? [name] : name.split(".");
}

function valueAt(object: Record<string, unknown>, name: string): unknown {
  let value: unknown = object;
  for (const step of pathOf(object, name)) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** The fields of a document but for its text, its name and its sentences, as JSON; undefined if there are none. */
export function furtherFields(json: string, fields: DocumentFields): string | undefined {
  let rest: string | undefined = json;
  for (const name of [fields.text, fields.id]) {
    if (rest !== undefined) rest = without(rest, pathOf(JSON.parse(rest) as Record<string, unknown>, name));
  }
  return rest === "{}" ? undefined : rest;
}

function without(json: string, [name, ...further]: readonly string[]): string | undefined {
  if (further.length === 0) return withoutMembers(json, [name!]);
  const member = memberOf(json, name!);
  if (!member || json[member.value] !== "{") return json;
  const inner = without(json.slice(member.value, member.end), further);
  if (inner === undefined) return withoutMembers(json, [name!]);
  return json.slice(0, member.value) + inner + json.slice(member.end);
}
