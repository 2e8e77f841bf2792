// An open treebank: its sentences in lists, searches, evaluations, comparisons.

import type { AgreementSummary, EvaluationSummary, Significance } from "@stemma/core/evaluation";
import type { SummaryWithDisfluencies } from "@stemma/core/treebank";
import type { ErrorFilter, Which } from "./error-filter.js";
import type { Tree } from "./sentence.js";

/** A sentence of a treebank in a list. */
export interface TreebankRow {
  index: number;
  id: string | undefined;
  text: string;
  /** Where words of a match stand in the text, from and to. */
  marked: [number, number][];
  words: number;
  nonProjective: boolean;
  /** Why it cannot be read. */
  unreadable: string | undefined;
  /** Words with a wrong head or label in the model's tree; undefined until that is known. */
  wrong: number | undefined;
  /** How sure the model is of the arcs, on average; undefined until that is known. */
  confidence: number | undefined;
  /** Words where the model is sure and the treebank has something else. */
  doubtful: number | undefined;
}

/** From here on the model counts as sure of an arc: where the treebank has another, one of them is probably wrong. */
export const CONFIDENT = 0.9;

/** "unsure": what the model is least sure of first; "doubtful": where it is sure of something else. */
export type TreebankOrder = "file" | "unsure" | "doubtful";

export interface TreebankQuery {
  form: string;
  label: string;
  nonProjective: boolean;
  wrong: boolean;
  /** Errors of the last evaluation that the sentences must have. */
  errors?: ErrorFilter | undefined;
  /** In the language of `stemma search`. */
  pattern: string;
  /** Matches are counted by this, such as verb.lemma; and the value that is wanted. */
  by: string;
  value: string | undefined;
  order: TreebankOrder;
}

export interface TreebankFound {
  /** The sentences, in the order that was asked for. */
  sentences: Float64Array;
  /** Of a pattern: how many matches, and how many of each value. */
  matches: number | undefined;
  counts: [value: string, count: number][] | undefined;
  /** Values that are not among the counts. */
  moreValues: number;
}

/** Note and done mark that a person gave a sentence. */
export interface Marks {
  index: number;
  note: string | undefined;
  done: boolean | undefined;
}

export interface TreebankSummary {
  /** The fingerprint of the content, whatever the name of the file. */
  key: string;
  name: string;
  bytes: number;
  /** Including those that cannot be read. */
  sentences: number;
  /** Sentences that cannot be read, and what is wrong with the first of them. */
  unreadable: number[];
  errors: string[];
  statistics: SummaryWithDisfluencies;
  /** Semantic roles. */
  predicates: number;
  arguments: number;
  /** If it came in CoNLL-2009: what could not be taken over. */
  converted?: string;
  /** Sentences with the comment `# done = yes`. */
  done: number[];
}

export interface EvaluationResult {
  summary: EvaluationSummary;
  /** SVG by title. */
  plots: [name: string, svg: string][];
  /** The lengths of sentences that the points of their plot stand for: "1-10", … */
  sentenceLengths: string[];
  seconds: number;
  /** How many workers parsed. */
  workers: number;
  /** The name of the model. */
  model: string;
  /** The same for a second model, and how they differ. */
  second?: SecondEvaluation;
}

/** A second model on the same sentences. */
export interface SecondEvaluation {
  model: string;
  summary: EvaluationSummary;
  /** Second less first, with the test of `stemma evaluate`. */
  uas: Significance;
  las: Significance;
  /** Words that only one of them has right, and that they have otherwise. */
  words: Record<Which, number>;
}

/** Where a tree comes from: the file, the model, or the other side of a comparison. */
export type TreeSource = "gold" | "model" | "other-model" | "other-file";

/** `text`: the sentence as CoNLL-U, if it is from a file. */
export type OtherTree = ({ tree: Tree } | { reason: string }) & { text?: string };

/** Sentences for which two sources have different trees. */
export interface Differing {
  matches: number[];
  /** How many words differ in each. */
  words: number[];
  compared: number;
  /** Sentences that one of them has no tree for. */
  missing: number;
  /** With full labels. */
  agreement: AgreementSummary;
}

/** A rewriting of the treebank with the patterns of `stemma edit`, before it is made. */
export interface Rewritten {
  matches: number;
  sentences: number;
  changed: { index: number; before: string; after: string }[];
  /** Sentences that stay as they are, and why. */
  refused: { index: number; reason: string }[];
}

/** Columns for which the values of the treebank are offered. */
export type CompletedColumn = "lemma" | "upos" | "xpos" | "feats" | "deprel";
