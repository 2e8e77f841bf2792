import { hashString } from "../math/hash.js";

/** The source of the columns: a sentence of a treebank, or anything with the same methods. */
export interface Words {
  /** How many words it has. */
  readonly length: number;
  /**
   * The form of a word.
   * @param i the number of the word, from 1
   */
  form(i: number): string;
  /**
   * The lemma of a word.
   * @param i the number of the word, from 1
   */
  lemma(i: number): string;
  /**
   * The universal tag of a word.
   * @param i the number of the word, from 1
   */
  upos(i: number): string;
  /**
   * The tag of a word in the language's own scheme.
   * @param i the number of the word, from 1
   */
  xpos(i: number): string;
  /**
   * The features of a word as text, as in CoNLL-U.
   * @param i the number of the word, from 1
   */
  feats(i: number): string;
  /**
   * The number that an attribute of word i has, of words that give their own; undefined for what the columns say.
   * @param i the number of a word, from 1
   * @param attribute the name of a column or of a feature
   */
  value?(attribute: WordAttribute, i: number): number | undefined;
}

/** Attributes that a word has before parsing; each is a column of numbers, one for each node. */
export const WORD_ATTRIBUTES = [
  "form",
  "lower",
  "lemma",
  "upos",
  "xpos",
  "tag",
  "feats",
  "case",
  "prefix2",
  "suffix2",
  "suffix3",
  "shape",
  "rivals",
  "analysis",
  "vector",
] as const;
/** One of `WORD_ATTRIBUTES`. */
export type WordAttribute = (typeof WORD_ATTRIBUTES)[number];

/** Values for what is not a word: no node at all, and node 0. */
export const ABSENT = 0x3ade68b1;
export const ROOT_VALUE = 0x5bf03635;
/** In place of ABSENT where templates are to say that something is not there (`use NONE`). */
export const NONE_VALUE = 0x3c6ef372;
/** Value of a word that is hidden in training, so that it looks like one that was never seen. */
export const HIDDEN = 0x6a09e667;

/** Attributes that tell which word it is. */
export const LEXICAL: readonly WordAttribute[] = ["form", "lower", "lemma"];

/** The words of one sentence as numbers. Attributes that no template asks for are not computed. */
export class Columns {
  length = 0;
  readonly columns: Int32Array[];

  constructor(readonly attributes: readonly WordAttribute[]) {
    this.columns = attributes.map(() => new Int32Array(64));
  }

  read(words: Words): void {
    const n = words.length;
    this.length = n;
    for (let a = 0; a < this.attributes.length; a++) {
      if (this.columns[a]!.length < n + 1) this.columns[a] = new Int32Array(2 * (n + 1));
      const column = this.columns[a]!;
      const value = READERS[this.attributes[a]!];
      column[0] = ROOT_VALUE;
      for (let i = 1; i <= n; i++) column[i] = value(words, i);
    }
  }
}

const READERS: Record<WordAttribute, (words: Words, i: number) => number> = {
  form: (w, i) => hashString(w.form(i)),
  lower: (w, i) => hashString(w.form(i).toLowerCase()),
  lemma: (w, i) => hashString(w.lemma(i)),
  upos: (w, i) => hashString(w.upos(i)),
  xpos: (w, i) => hashString(w.xpos(i)),
  tag: (w, i) => hashString(tag(w, i)),
  feats: (w, i) => hashString(w.feats(i)),
  case: (w, i) => hashString(feature(w.feats(i), CASE)),
  prefix2: (w, i) => hashString(w.form(i).slice(0, 2).toLowerCase()),
  suffix2: (w, i) => hashString(w.form(i).slice(-2).toLowerCase()),
  suffix3: (w, i) => hashString(w.form(i).slice(-3).toLowerCase()),
  shape: (w, i) => shape(w.form(i)),
  rivals: (w, i) => w.value?.("rivals", i) ?? ABSENT,
  analysis: (w, i) => w.value?.("analysis", i) ?? analysisHash(w, i),
  // Which vector of a network: that of the word itself.
  vector: (_, i) => i,
};

/** The number that an attribute of word i has. */
export function wordValue(attribute: WordAttribute, words: Words, i: number): number {
  return READERS[attribute](words, i);
}

/** A number for UPOS, XPOS and FEATS of a word together. */
export function analysisHash(words: Words, i: number): number {
  return hashString(`${words.upos(i)}\t${words.xpos(i)}\t${words.feats(i)}`);
}

const CASE = /(?:^|\|)Case=([^|]*)/;
const VERB_FORM = /(?:^|\|)VerbForm=([^|]*)/;

function feature(feats: string, pattern: RegExp): string {
  return pattern.exec(feats)?.[1] ?? "";
}

// XPOS; in treebanks without it the nearest thing that all languages have: UPOS with case and form of the verb.
function tag(words: Words, i: number): string {
  const xpos = words.xpos(i);
  if (xpos !== "_" && xpos !== "") return xpos;
  const feats = words.feats(i);
  return `${words.upos(i)} ${feature(feats, CASE)} ${feature(feats, VERB_FORM)}`;
}

// Capital, digit, punctuation or other at the beginning; whether capitals, digits or hyphens follow.
function shape(form: string): number {
  const first = kind(form.charCodeAt(0));
  let rest = 0;
  for (let i = 1; i < form.length; i++) rest |= 1 << kind(form.charCodeAt(i));
  return 16 * first + rest;
}

function kind(code: number): number {
  if (code >= 65 && code <= 90) return 1;
  if (code >= 48 && code <= 57) return 2;
  if (code < 128 && !(code >= 97 && code <= 122)) return 3;
  return 0;
}
