// What the page and its worker say to each other: plain data, so that it can be copied between threads.

import type { EvaluationSummary } from "@stemma/core/evaluation";
import type { RootPosition, SystemName } from "@stemma/core/systems";
import type { StatisticsSummary } from "@stemma/core/treebank";
import type { InputFormat } from "./input/conllu.js";

/** Heads and labels by word; index 0 is unused. */
export interface Tree {
  heads: number[];
  labels: string[];
}

/** The words of a sentence, each list by word from 1; index 0 is unused. */
export interface WordColumns {
  forms: string[];
  lemmas: string[];
  upos: string[];
  xpos: string[];
  feats: string[];
}

/** A sentence with the trees that are known for it. */
export interface SentenceData extends WordColumns {
  text: string;
  id: string | undefined;
  /** The tree that came with CoNLL-U input. */
  gold: Tree | undefined;
  predicted: Tree | undefined;
  /** The script of most of its letters, if the model never saw any of it: its tree is then a mere guess. */
  unseenScript: string | undefined;
  /** How sure the model is of each head and label, 0 to 1. */
  sureness: number[] | undefined;
  /** Tokens of the text that stand for several words. */
  multiWordTokens: { from: number; to: number; form: string }[];
  /** The sentence in CoNLL-U, with comments, multiword tokens and everything else that was there. */
  conllu: string;
}

export interface ModelInfo {
  name: string;
  bytes: number;
  system: SystemName;
  root: RootPosition;
  degree: number | undefined;
  lazy: boolean | undefined;
  parts: string[];
  labels: string[];
  /** Can it read running text? */
  readsText: boolean;
}

/** The tree that a system's oracle reaches, and in how many steps; or why it is not known. */
export type Reached = { tree: Tree; steps: number } | { reason: string };

export interface ParseResult {
  format: InputFormat;
  sentences: SentenceData[];
  /** Sentences that could not be read, with place and reason. */
  errors: string[];
  /** There was more than is shown. */
  truncated: boolean;
}

/** A transition system with all its settings. */
export interface SystemChoice {
  name: SystemName;
  root: RootPosition;
  singleRoot: boolean;
  degree: 2 | 3;
  lazy: boolean;
}

/** Who decides: the model, an oracle, or nobody (the derivation stops where the choice is the user's). */
export type Policy = "model" | "dynamic" | "static" | "hand";

/** A transition with its label, as it is written in a link: SHIFT, LEFT-ARC, … */
export interface Taken {
  move: string;
  label: string | undefined;
}

/** A permitted transition in a configuration. */
export interface Choice {
  move: string;
  /** For arcs: the label that it would get. */
  label: string | undefined;
  head: number;
  dependent: number;
  score: number | undefined;
  /** Of the score, among all that is permitted with all labels. */
  probability: number | undefined;
  /** Against the target tree; undefined where it was not found in time. */
  cost: number | undefined;
}

/** A configuration of a derivation. */
export interface Configured {
  stack: number[];
  buffer: number[];
  spines: { left: number[]; right: number[] }[] | undefined;
  choices: Choice[];
  /** Index in `choices` of the transition that was taken, -1 in the last configuration. */
  taken: number;
  loss: number | undefined;
}

export interface Derivation {
  system: SystemChoice;
  configurations: Configured[];
  /** The tree at the end; -1 for words that have no head because the derivation is not complete. */
  tree: Tree;
  /** The configuration from which on the arc into a word is there. */
  since: number[];
  complete: boolean;
  /** Words that were attached to 0 at the end because they had no head. */
  headless: number[];
  /** The first step whose transition cost something. */
  firstMistake: number | undefined;
  /** Things to know about this derivation, in plain words. */
  notes: string[];
}

export interface DeriveRequest {
  words: WordColumns;
  system: SystemChoice;
  /** The tree that costs are counted against and that oracles aim at. */
  target: Tree | undefined;
  policy: Policy;
  /** Transitions taken first, whatever the policy. */
  prefix: Taken[];
}

/** What is shown of a sentence of a treebank in a list. */
export interface TreebankRow {
  index: number;
  id: string | undefined;
  text: string;
  words: number;
  nonProjective: boolean;
  /** Words with a wrong head or label in the model's tree; undefined until that is known. */
  wrong: number | undefined;
}

export interface TreebankQuery {
  form: string;
  label: string;
  nonProjective: boolean;
  wrong: boolean;
}

export interface TreebankSummary {
  /** What the content is, whatever the file is called. */
  key: string;
  name: string;
  bytes: number;
  sentences: number;
  errors: string[];
  errorCount: number;
  statistics: StatisticsSummary;
}

export interface EvaluationResult {
  summary: EvaluationSummary;
  /** SVG by title. */
  plots: [name: string, svg: string][];
  seconds: number;
}

/** Requests by name: what is asked, and what is answered. */
export interface Requests {
  loadModel: { ask: { name: string; bytes: ArrayBuffer }; answer: ModelInfo };
  parse: { ask: { text: string }; answer: ParseResult };
  derive: { ask: DeriveRequest; answer: Derivation };
  /** Only the trees that the systems reach with their oracles, for comparisons. */
  reach: {
    ask: { words: WordColumns; systems: SystemChoice[]; target: Tree };
    answer: Reached[];
  };
  openTreebank: { ask: { file: File }; answer: TreebankSummary };
  searchTreebank: { ask: TreebankQuery; answer: { matches: Uint32Array } };
  rows: { ask: { indices: number[] }; answer: TreebankRow[] };
  sentence: { ask: { index: number }; answer: string };
  evaluate: { ask: { retag: boolean }; answer: EvaluationResult };
  /** Ends what was asked for under a name; its answer is then undefined. */
  cancel: { ask: { name: RequestName }; answer: true };
}

export type RequestName = keyof Requests;

export type ToWorker = { [N in RequestName]: { id: number; name: N; ask: Requests[N]["ask"] } }[RequestName];

export type FromWorker =
  | { id: number; kind: "answer"; answer: unknown }
  | { id: number; kind: "error"; message: string }
  /** A newer request of the same name took its place. */
  | { id: number; kind: "superseded" }
  /** From 0 to 1. */
  | { id: number; kind: "progress"; done: number };
