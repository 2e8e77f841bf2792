import { OBJECT } from "../../checks/shapes.js";
import { TreebankError } from "../errors.js";
import type { Failure } from "../sentence/attributes.js";
import type { TreeRank } from "../sentence/columns.js";
import { listColumns, type SentenceInput, type SentenceOptions } from "../sentence/list-columns.js";
import type { PredicateData } from "../sentence/semantics/predicate-data.js";
import { Sentence } from "../sentence/sentence.js";
import { isOffset, isScore } from "../sentence/token-misc.js";
import { JSON_VERSION } from "./to-json.js";

/** The sentence as one line of JSON (docs/formats.md); everything but line ends and extra blank lines is kept. */
export function toJson(sentence: Sentence): string {
  return `${JSON.stringify(sentence)}\n`;
}

/**
 * The sentences of a line of JSON: one, or those that the answer of a server or a document has as `sentences`. What is
 * wrong with one comes as its error.
 */
export function sentencesFromJson(json: string, options: SentenceOptions = {}): (Sentence | TreebankError)[] {
  const { source = "input", line = 1 } = options;
  // Blank lines before the object belong to its block.
  const at = line + (/^\s*/.exec(json)![0].match(/\n/g)?.length ?? 0);
  const fail: Failure = (what, value, expected) => {
    throw new TreebankError(source, { what, value, expected, line: at });
  };
  const each = (make: () => Sentence): Sentence | TreebankError => {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof TreebankError)) throw error;
      // Its line counts CoNLL-U lines that the file does not have.
      const { what, value, expected } = error;
      return new TreebankError(source, { what, value, expected, line: at });
    }
  };
  let value: unknown;
  try {
    value = JSON.parse(json.replace(/^\ufeff/, ""));
  } catch (error) {
    return [each(() => fail("JSON", json.trim(), `a JSON object: ${(error as Error).message}`))];
  }
  const build = (object: unknown) =>
    each(() => new Sentence(listColumns(checked(object, fail), { ...options, source, line: at })));
  if (isObject(value) && Array.isArray(value.sentences) && value.words === undefined) return value.sentences.map(build);
  return [build(value)];
}

/** An object of the shape of a sentence; whether it is one is for listColumns to say. */
function checked(input: unknown, fail: Failure): SentenceInput {
  const bad = (what: string, value: unknown, expected: string): never => {
    const shown = Array.isArray(value) ? "an array" : isObject(value) ? "an object" : String(value);
    return fail(what, shown, expected);
  };
  if (input === null || typeof input !== "object") return bad("sentence", input, "an object with words");
  const object = input as Record<string, unknown>;
  const { version = JSON_VERSION, words, comments = [], multiWordTokens = [], emptyNodes = [] } = object;
  if (version !== JSON_VERSION) bad("version", version, `${JSON_VERSION}, the only version that this program knows`);
  const list = (what: string, value: unknown, isItem: (item: unknown) => boolean, expected: string): unknown[] => {
    if (!Array.isArray(value)) return bad(what, value, "an array");
    for (const item of value) if (!isItem(item)) bad(what, item, expected);
    return value;
  };
  list("comments", comments, (item) => typeof item === "string", "strings");
  for (const [what, value] of Object.entries({ words, multiWordTokens, emptyNodes })) {
    list(what, value, isObject, "objects");
  }
  for (const { id } of emptyNodes as { id: unknown }[]) {
    if (typeof id !== "string") bad("emptyNodes", id, 'an id such as "3.1"');
  }
  (words as Record<string, unknown>[]).forEach(({ id, form, head }, index) => {
    if (id !== undefined && id !== index + 1) bad("word id", id, `${index + 1}`);
    if (typeof form !== "string") bad(`form of word ${index + 1}`, form, "a string");
    if (head !== null && head !== undefined && !(Number.isInteger(head) && (head as number) >= 0)) {
      bad(`head of word ${index + 1}`, head, "a whole number, or null for none");
    }
  });
  const all = [...(words as object[]), ...(multiWordTokens as object[]), object];
  for (const item of all as Record<string, unknown>[]) {
    const { start, end, score } = item;
    if (!isNone(start) && !isOffset(start)) bad("start", start, "a whole number, 0 or more");
    if (!isNone(end) && !isOffset(end)) bad("end", end, "a whole number, 0 or more");
    if (!isNone(score) && !isScore(score)) bad("score", score, "a number from 0 to 1");
  }
  for (const { head } of [...(multiWordTokens as object[]), ...(emptyNodes as object[])] as Record<string, unknown>[]) {
    if (!isNone(head) && typeof head !== "string") bad("head", head, "a string, since this is not a word");
  }
  const { id, text, tree, predicates } = object;
  if (!isNone(predicates)) list("predicates", predicates, isObject, "objects");
  if (!isNone(id) && typeof id !== "string") bad("id", id, "a string");
  if (!isNone(text) && typeof text !== "string") bad("text", text, "a string");
  if (!isNone(tree) && !isRank(tree)) {
    bad(
      "tree",
      JSON.stringify(tree),
      'its rank, the number of trees, and its score, such as {"rank": 1, "of": 3, "score": 4.5}',
    );
  }
  return {
    ...(object as unknown as SentenceInput),
    id: (id as string | null) ?? undefined,
    text: (text as string | null) ?? undefined,
    tree: (tree as TreeRank | null) ?? undefined,
    predicates: (predicates as PredicateData[] | null) ?? undefined,
  };
}

/** Null says as much as a field that is not there. */
function isNone(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isRank(value: unknown): value is TreeRank {
  if (!isObject(value)) return false;
  const { rank, of, score } = value;
  return [rank, of].every((number) => Number.isInteger(number) && (number as number) > 0) && Number.isFinite(score);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return OBJECT.accepts(value);
}
