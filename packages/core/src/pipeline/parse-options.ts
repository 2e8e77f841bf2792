import {
  ARRAY,
  check,
  checkOptions,
  type Expectation,
  oneOf,
  SIGNAL,
  STRING,
  TRUE_OR_FALSE,
  WHOLE_NUMBER,
  wholeNumber,
} from "../checks/options.js";
import type { GivenToken, GivenWord } from "./given-word.js";

/** The kind of a text: running text, one sentence per line, or one sentence per line with spaces between its tokens. */
export type TextKind = "text" | "lines" | "tokens";

/** The part of an AbortSignal that is needed. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Options of `Pipeline.parse`. */
export interface ParseOptions {
  /**
   * The kind of text: running text (the default), one sentence per line, or one sentence per line with spaces between
   * its tokens.
   */
  input?: TextKind | undefined;
  /** The offset of the text in a longer one, which is added to the offsets of tokens. */
  offset?: number | undefined;
  /**
   * Whether to parse: with false, sentences have tags and lemmas only, and no tree, which takes a fraction of the time.
   */
  parse?: boolean | undefined;
  /** Give each word a score: the probability that its head and label are right. */
  scores?: boolean | undefined;
  /**
   * Maximum number of trees for each sentence, best first; a beam must be at least as wide. `scores` are then left
   * out.
   */
  trees?: number | undefined;
  /**
   * Maximum number of words in a sentence of a text, by default MAX_WORDS; Infinity for no limit. The sentence given to
   * `parseTokens` is never split and has no limit unless this is set.
   */
  maxWords?: number | undefined;
  /**
   * The treatment of a longer sentence: split it (the default), which sets `sentence.part`, or throw SentenceTooLong.
   */
  tooLong?: "split" | "throw" | undefined;
  /** When it is aborted, its reason is thrown before the next sentence. */
  signal?: AbortSignalLike | undefined;
}

/** Options of `Pipeline.annotate`. */
export interface AnnotateOptions {
  /**
   * Keep the heads and labels that the sentence has, or those of the words with these numbers, and find the rest around
   * them. Of what is annotated besides the tree, such as roles, what the sentence has stays.
   */
  keep?: boolean | readonly number[] | undefined;
  /** Tag all words again; otherwise words that have tags keep them. */
  retag?: boolean | undefined;
  /** Maximum number of trees, best first, each in a sentence of its own; a beam must be at least as wide. */
  trees?: number | undefined;
  /** Give each word a score: the probability that its head and label are right. Left out where `trees` is given. */
  scores?: boolean | undefined;
  /** Whether to parse; with false the words get tags and lemmas, and their heads stay. */
  parse?: boolean | undefined;
  /** The name of the file, for errors. */
  source?: string | undefined;
}

/**
 * The default maximum number of words in a sentence of a text. Sentences that people write have fewer: the longest of
 * the English and Basque treebanks have about 200. The time that a greedy parser takes grows with the square of the
 * length, so that 20 parts of 1,000 words are parsed many times faster than 20,000 words.
 */
export const MAX_WORDS = 1000;

/** Thrown when a sentence has more words than allowed. */
export class SentenceTooLong extends Error {
  /**
   * @param words how many it has
   * @param maxWords how many it may have
   */
  constructor(
    /** How many words it has. */
    readonly words: number,
    /** How many it may have. */
    readonly maxWords: number,
  ) {
    super(`the sentence has ${words} words (expected at most ${maxWords})`);
    this.name = "SentenceTooLong";
  }
}

const LIMIT: Expectation = {
  expected: "a whole number from 1, or Infinity",
  accepts: (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && (value as number) >= 1),
};

const EXPECTED: Readonly<Record<keyof ParseOptions, Expectation>> = {
  input: oneOf("text", "lines", "tokens"),
  offset: wholeNumber(0),
  parse: TRUE_OR_FALSE,
  scores: TRUE_OR_FALSE,
  trees: wholeNumber(1),
  maxWords: LIMIT,
  tooLong: oneOf("split", "throw"),
  signal: SIGNAL,
};

export function checkParseOptions(what: string, options: unknown): void {
  checkOptions(what, options, EXPECTED);
}

const ANNOTATING: Readonly<Record<keyof AnnotateOptions, Expectation>> = {
  keep: {
    expected: "true, false or an array of numbers of words",
    accepts: (value) => typeof value === "boolean" || (Array.isArray(value) && value.every(Number.isSafeInteger)),
  },
  retag: TRUE_OR_FALSE,
  trees: wholeNumber(1),
  scores: TRUE_OR_FALSE,
  parse: TRUE_OR_FALSE,
  source: STRING,
};

export function checkAnnotateOptions(options: unknown): void {
  checkOptions("annotate", options, ANNOTATING);
}

/** Throws the reason of a signal that was aborted. */
export function throwIfAborted(signal: AbortSignalLike | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

const FORM: Expectation = {
  expected: "a non-empty string",
  accepts: (value) => typeof value === "string" && value !== "",
};
const WORD: Readonly<Record<keyof GivenToken, Expectation>> = {
  form: FORM,
  lemma: STRING,
  upos: STRING,
  xpos: STRING,
  // Checked when it is read.
  feats: { expected: "", accepts: () => true },
  head: WHOLE_NUMBER,
  deprel: STRING,
  spaceAfter: TRUE_OR_FALSE,
  start: wholeNumber(0),
};

/** Throws unless it is a list of forms and of words of which something is known. */
export function checkWords(words: unknown): void {
  check("words", words, ARRAY);
  (words as unknown[]).forEach((word, i) => {
    const isObject = typeof word === "object" && word !== null;
    if (isObject) checkOptions(`word ${i + 1}`, word, WORD);
    check("token", isObject ? (word as GivenWord).form : word, FORM);
  });
}
