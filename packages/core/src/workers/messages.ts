// Messages from a thread to those that parse for it, and back; plain data.
import type { NamedSearch } from "../model-file/load.js";
import type { GivenToken } from "../pipeline/given-word.js";
import { type ParseOptions, SentenceTooLong } from "../pipeline/parse-options.js";
import type { RawSentence } from "../pipeline/segmenter/segmenter.js";
import { ImpossibleConstraints } from "../search/constraints/impossible-constraints.js";
import type { MultiWordToken } from "../treebank/sentence/columns.js";
import { ListColumns, type WordLists } from "../treebank/sentence/list-columns.js";
import { Sentence } from "../treebank/sentence/sentence.js";
import type { Token } from "../treebank/sentence/token.js";
import type { SharedModel } from "./shared-model.js";

/** The first message to a worker: its model, in memory that all share or as the bytes of a model file. */
export interface Start {
  model: SharedModel | Uint8Array;
  /** Its number, from 0. */
  thread: number;
  search: NamedSearch;
}

/** A text, sentences that have been cut, or words to be parsed. */
export type Task = { options: ParseOptions } & (
  | { text: string }
  | { cut: readonly RawSentence[] }
  | { words: readonly (string | GivenToken)[]; trees: number | undefined }
);

/** Tells a worker that nobody waits for its task any more. */
export interface Abort {
  abort: true;
}

/** The result of a task. */
export type Answer = { sentences: SentenceData[] } | { error: ErrorData };

/** A sentence that was parsed. */
export interface SentenceData {
  lists: WordLists;
  heads: Int32Array;
  comments: string[];
  multiWordTokens: MultiWordToken[];
  text: string;
  tokens: readonly Token[];
  scores: Float64Array | undefined;
}

const COLUMNS = ["form", "lemma", "upos", "xpos", "feats", "deprel", "misc"] as const;

export function dataOf(sentence: Sentence): SentenceData {
  const { heads, length, comments, multiWordTokens, text, tokens } = sentence;
  const lists = Object.fromEntries(
    COLUMNS.map((name) => [name, ["", ...Array.from({ length }, (_, k) => sentence[name](k + 1))]]),
  );
  const hasScores = length > 0 && sentence.score(1) !== undefined;
  return {
    lists,
    heads: Int32Array.from(heads),
    comments: [...comments],
    multiWordTokens: [...multiWordTokens],
    text,
    tokens,
    scores: hasScores ? Float64Array.from({ length: length + 1 }, (_, i) => sentence.score(i || 1)!) : undefined,
  };
}

export function sentenceOf(data: SentenceData): Sentence {
  const { lists, heads, comments, multiWordTokens, text, tokens, scores } = data;
  return new Sentence(new ListColumns(lists, heads, { comments, multiWordTokens, parsed: { text, tokens, scores } }));
}

/** An error without its class, which would be lost on the way. */
interface ErrorData {
  name: string;
  message: string;
  stack: string | undefined;
  fields: object;
}

const CLASSES: Readonly<Record<string, { prototype: Error }>> = {
  TypeError,
  RangeError,
  SentenceTooLong,
  ImpossibleConstraints,
};

export function errorData(error: unknown): ErrorData {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), stack: undefined, fields: {} };
  const { name, message, stack } = error;
  return { name, message, stack, fields: { ...error } };
}

export function errorOf({ name, message, stack, fields }: ErrorData): Error {
  const error = Object.create((CLASSES[name] ?? Error).prototype) as Error;
  for (const [key, value] of Object.entries({ name, message, stack, ...fields })) {
    Object.defineProperty(error, key, { value, configurable: true, writable: true, enumerable: key in fields });
  }
  return error;
}
