import type { Column, Layout } from "../formats/layout.js";
import type { PredicateData } from "./semantics/predicate-data.js";
import type { Token } from "./token.js";

/** The columns after ID, as they are written ("_" for none). */
export interface Fields extends Readonly<Record<Column, string>> {
  readonly head: string;
}

/** A surface token, such as "don't", that stands for the words `from` to `to`. */
export interface MultiWordToken extends Fields {
  /** The number of its first word. */
  readonly from: number;
  /** The number of its last word. */
  readonly to: number;
}

/** A node of the enhanced graph that is not a word; `id` is "3.1" for the first one after word 3. */
export interface EmptyNode extends Fields {
  /** Such as 8.1: after word 8, the first. */
  readonly id: string;
}

/** The place of a part in a sentence that was too long to be parsed as a whole. */
export interface SentencePart {
  /** From 1. */
  readonly number: number;
  /** How many there are. */
  readonly of: number;
}

/** The place of a tree among the best trees of a sentence. */
export interface TreeRank {
  /** From 1. */
  readonly rank: number;
  /** How many there are. */
  readonly of: number;
  /** The sum of the scores of the transitions that built it, for comparing trees of the same sentence. */
  readonly score: number;
}

/** Facts about a parsed sentence beyond its columns. */
export interface ParsedText {
  /** Its text, with line ends, unlike the comment, which is a single line. */
  readonly text: string;
  readonly tokens?: readonly Token[] | undefined;
  /** The probability that each head and label is right, by word from 1, if requested. */
  readonly scores?: ArrayLike<number> | undefined;
}

/**
 * The data of a sentence: the text of a treebank (TextColumns) or lists (ListColumns). Callers check the numbers of
 * words and what is set.
 */
export interface SentenceColumns {
  readonly layout: Layout;
  /** Columns of each line. */
  readonly columns: number;
  /** Number of syntactic words. */
  readonly length: number;
  /** Line of the first line that is not blank in the file, from 1. */
  readonly line: number;
  /** Facts that only a parser knows. */
  readonly parsed?: ParsedText | undefined;
  head(i: number): number;
  setHead(i: number, head: number): void;
  column(i: number, index: number): string;
  setColumn(i: number, index: number, value: string): void;
  /** The predicates, if they are in columns of their own and not in MISC. */
  predicates?(): PredicateData[];
  setPredicates?(predicates: readonly PredicateData[]): void;
  /** The comment lines, with their "#". */
  comments(): string[];
  setComments(comments: readonly string[]): void;
  /** In the order of the words. */
  multiWordTokens(): MultiWordToken[];
  setMultiWordTokens(tokens: readonly MultiWordToken[]): void;
  emptyNodes(): EmptyNode[];
  /** Takes nodes in the order of their IDs; columns without it have their own list, which pages that parse share. */
  setEmptyNodes?(nodes: readonly EmptyNode[]): void;
  readonly empty?: EmptyNode[];
  /** The line of word i in the file. */
  lineOf(i: number): number;
  /** The sentence in its own format. */
  toString(): string;
  /** The same data, of which neither changes with the other. */
  copy(): SentenceColumns;
}

/** The fields of a line that has no more than these; what is left out is "_". */
export function fieldsOf(given: Partial<Fields>): Fields {
  const { form, lemma, upos, xpos, feats, head, deprel, deps, misc } = given;
  return {
    form: form || "_",
    lemma: lemma || "_",
    upos: upos || "_",
    xpos: xpos || "_",
    feats: feats || "_",
    head: head || "_",
    deprel: deprel || "_",
    deps: deps || "_",
    misc: misc || "_",
  };
}

/** A line of CoNLL-U. */
export function fieldsLine(id: string, f: Fields, end = "\n"): string {
  return `${id}\t${f.form}\t${f.lemma}\t${f.upos}\t${f.xpos}\t${f.feats}\t${f.head}\t${f.deprel}\t${f.deps}\t${f.misc}${end}`;
}
