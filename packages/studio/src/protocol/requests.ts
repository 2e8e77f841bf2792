// What the page and its worker say to each other: plain data, so that it can be copied between threads.

import type { DrawablePredicate } from "@stemma/core";
import type { EvaluationSummary } from "@stemma/core/evaluation";
import type { RootPosition, SystemName, SystemSettings } from "@stemma/core/systems";
import type { SummaryWithDisfluencies } from "@stemma/core/treebank";
import type { ErrorFilter } from "./error-filter.js";
import type { InputFormat } from "./input-format.js";

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
  /** The arcs that it came with if they are no tree: words lack a head, or the heads form a cycle. */
  draft: Tree | undefined;
  predicted: Tree | undefined;
  /** The script of most of its letters, if the model never saw any of it: its tree is then a mere guess. */
  unseenScript: string | undefined;
  /** How sure the model is of each head and label, 0 to 1. */
  sureness: number[] | undefined;
  /** The predicates that the model finds, with the roles of their arguments; undefined if it looks for none. */
  predicates: readonly DrawablePredicate[] | undefined;
  /** As what the model removes each word, a number of `REMOVALS`; undefined if it removes none. */
  removed: readonly number[] | undefined;
  /** Tokens of the text that stand for several words. */
  multiWordTokens: { from: number; to: number; form: string }[];
  /** The sentence in CoNLL-U, with comments, multiword tokens and everything else that was there. */
  conllu: string;
}

export interface ModelInfo {
  name: string;
  bytes: number;
  /** The kind of parser in a few words: "arc-hybrid, root last", "graph-based, eisner". */
  kind: string;
  /** The transition system of the model, its root and its other settings; a graph-based parser has none. */
  transitions: { system: SystemName; root: RootPosition; settings: SystemSettings } | undefined;
  parts: string[];
  labels: string[];
  /** Can it read running text? */
  readsText: boolean;
}

/**
 * The tree that a system's oracle reaches, in how many steps, and how many words of the target it has otherwise; as
 * what each word is removed, 0 for those that stay. Or why it is not known.
 */
export type Reached = { tree: Tree; steps: number; lost: number; removed: number[] } | { reason: string };

export interface ParseResult {
  format: InputFormat;
  sentences: SentenceData[];
  /** Sentences that could not be read, with place and reason. */
  errors: string[];
  /** There was more than is shown. */
  truncated: boolean;
}

/** A transition system, and settings, of which it takes those that it has. */
export interface SystemChoice {
  name: SystemName;
  root: RootPosition;
  singleRoot: boolean;
  settings: SystemSettings;
}

/** The settings that a person chose; the others are the model's. */
export interface SystemWish {
  name?: SystemName | undefined;
  root?: RootPosition | undefined;
  singleRoot?: boolean | undefined;
  settings?: SystemSettings | undefined;
}

/** Who decides: the model, an oracle, or nobody (the derivation stops where the choice is the user's). */
export type Policy = "model" | "dynamic" | "static" | "hand";

/** A transition with its label, as it is written in a link: SHIFT, LEFT-ARC, … */
export interface Taken {
  move: string;
  label: string | undefined;
}

/** What if: transitions up to the last one that was taken by hand, and who goes on from there. */
export interface Branch {
  prefix: Taken[];
  after: Policy;
}

/** Where a derivation leads. */
export interface Outcome {
  /** All transitions that it takes. */
  taken: Taken[];
  /** The loss after each of them, beginning with that of the initial configuration. */
  losses: (number | undefined)[];
  tree: Tree;
  /** The configuration from which on the arc into a word is there. */
  since: number[];
  complete: boolean;
}

/** A configuration from which the target tree can still be reached. */
export interface GraphNode {
  stack: number[];
  buffer: number[];
  /** How many transitions lead to it. */
  depth: number;
  /** How many derivations go through it; as text, since there may be very many. */
  derivations: string;
}

/** All derivations of a tree: configurations, and the transitions between them. */
export interface DerivationGraph {
  nodes: GraphNode[];
  edges: { from: number; to: number; move: string; label: string | undefined }[];
  /** How many derivations there are, as text; undefined if they are too many to be counted. */
  count: string | undefined;
  /** Are there more configurations than can be drawn? Then none is listed. */
  tooMany: boolean;
}

/** A step of a derivation with a second stack, for semantic roles; the first one has no transition. */
export interface RoleStep {
  transition: string;
  stack: number[];
  semanticStack: number[];
  buffer: number[];
  /** Head and dependent, or predicate and argument. */
  arc: [number, number] | undefined;
}

export type RoleDerivation = { steps: RoleStep[]; lost: number } | { reason: string };

export interface WhyRequest {
  words: WordColumns;
  system: SystemChoice;
  /** The transitions up to the configuration in question. */
  before: Taken[];
  taken: Taken;
  /** What it is compared with; the best other one if not given. */
  rival: Taken | undefined;
}

/** A feature, or a word, and what it does to the scores of two transitions. */
export interface WhyReason {
  /** The template of the feature, or the number of the word. */
  name: string;
  /** What the feature saw, or the form. */
  value: string;
  /** What it adds to either score; of a word, what the scores are without it. */
  first: number;
  second: number;
  /** How much it speaks for the first; below 0 for the second. */
  amount: number;
}

export interface Why {
  kind: "features" | "words";
  first: Taken;
  second: Taken;
  /** By how much the first scores higher. */
  margin: number;
  /** What counts most comes first. */
  reasons: WhyReason[];
  /** Reasons that are not listed. */
  others: number;
}

/** A derivation so far, among those that the beam weighs at a step. */
export interface Hypothesis {
  /** Its place among all candidates of the step, from 0. */
  rank: number;
  /** Where it comes from: its place among the hypotheses that were kept in the step before. */
  parent: number;
  taken: Taken | undefined;
  /** Sum of the scores of its transitions; of networks the logarithm of the probability. */
  score: number;
  stack: number[];
  buffer: number[];
  /** Is the gold tree, or the nearest one to it that the system can build, still within reach? */
  gold: boolean;
  kept: boolean;
}

/** A run of beam search: the hypotheses of each step, those that were kept first. */
export interface BeamTrace {
  width: number;
  steps: Hypothesis[][];
  /** The step in which the last hypothesis that leads to the gold tree was given up. */
  goldLostAt: number | undefined;
  tree: Tree;
  /** Words with a wrong head or label in the tree; undefined without a gold tree. */
  wrong: number | undefined;
  /** Are scores logarithms of probabilities? */
  logarithmic: boolean;
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
  /** What some systems have besides, by name. */
  lists: Record<string, number[]>;
  choices: Choice[];
  /** Permitted transitions that are not among them: there may be very many that remove words. */
  leftOut: number;
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
  /** Words that leave the sentence, as what (a number of `REMOVALS`), and from which configuration on. */
  removals: { word: number; kind: number; since: number }[];
  /** Arcs that went again, in systems that may change their mind: from one configuration to another. */
  replaced: { head: number; dependent: number; label: string; since: number; until: number }[];
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
  /** Where words of a match stand in the text, from and to. */
  marked: [number, number][];
  words: number;
  nonProjective: boolean;
  /** Why it cannot be read. */
  unreadable: string | undefined;
  /** Words with a wrong head or label in the model's tree; undefined until that is known. */
  wrong: number | undefined;
  /** How sure the model is of the arcs, on average; undefined until that is known. */
  sureness: number | undefined;
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
  /** What matches are counted by, such as verb.lemma, and the value that is wanted. */
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

/** What a person wrote to a sentence. */
export interface Marks {
  index: number;
  note: string | undefined;
  done: boolean | undefined;
}

export interface TreebankSummary {
  /** What the content is, whatever the file is called. */
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
}

/** Where a tree comes from: the file, the model, or the other side of a comparison. */
export type TreeSource = "gold" | "model" | "other-model" | "other-file";

export type OtherTree = { tree: Tree } | { reason: string };

/** Sentences for which two sources have different trees. */
export interface Differing {
  matches: number[];
  /** How many words differ in each. */
  words: number[];
  compared: number;
  /** Sentences that one of them has no tree for. */
  missing: number;
}
/** Columns for which the values of the treebank are offered. */
export type CompletedColumn = "lemma" | "upos" | "xpos" | "feats" | "deprel";

/** Requests by name: what is asked, and what is answered. */
export interface Requests {
  loadModel: { ask: { name: string; bytes: ArrayBuffer }; answer: ModelInfo };
  parse: { ask: { text: string }; answer: ParseResult };
  derive: { ask: DeriveRequest; answer: Derivation };
  /** Another text than that of the page, such as the sentence of a lesson. */
  prepare: { ask: { text: string }; answer: ParseResult };
  /** The same sentence derived in several ways. */
  outcomes: { ask: DeriveRequest[]; answer: Outcome[] };
  /** The same for a lesson, which is open beside branches: neither takes the other's place. */
  lessonOutcomes: { ask: DeriveRequest[]; answer: Outcome[] };
  /** The static oracles of a system and of the semantic half, with two stacks. */
  roles: {
    ask: { system: SystemChoice; target: Tree; predicates: readonly DrawablePredicate[] };
    answer: RoleDerivation;
  };
  why: { ask: WhyRequest; answer: Why };
  beam: { ask: { words: WordColumns; target: Tree | undefined; width: number }; answer: BeamTrace };
  graph: { ask: { words: WordColumns; system: SystemChoice; target: Tree }; answer: DerivationGraph };
  /** Only the trees that the systems reach with their oracles, for comparisons. */
  reach: {
    ask: { words: WordColumns; systems: SystemChoice[]; target: Tree };
    answer: Reached[];
  };
  openTreebank: { ask: { file: File }; answer: TreebankSummary };
  searchTreebank: { ask: TreebankQuery; answer: TreebankFound };
  rows: { ask: { indices: number[]; pattern: string }; answer: TreebankRow[] };
  /** As the file has it, whatever was made of it. */
  sentence: { ask: { index: number }; answer: string };
  loadOtherModel: { ask: { name: string; bytes: ArrayBuffer }; answer: ModelInfo };
  openOtherFile: { ask: { file: File }; answer: { key: string; name: string } };
  otherTrees: {
    /** `retag`: the tags are a model's, so that the other one finds its own. */
    ask: { conllu: string; retag: boolean; sources: ("other-model" | "other-file")[] };
    answer: OtherTree[];
  };
  differences: { ask: { pair: [TreeSource, TreeSource] }; answer: Differing };
  /** Texts of sentences in the place of those of the file, undefined for what the file has. Never dropped. */
  edit: { ask: { key: string; edits: [index: number, text: string | undefined][] }; answer: true };
  /** Parses all sentences, in the background, to know how sure the model is of each. */
  rank: { ask: Record<string, never>; answer: true };
  /** The words of each sentence of a CoNLL-U text that a pattern fits. */
  highlight: { ask: { text: string; pattern: string }; answer: number[][] };
  /** Values of a column in the treebank, those first that go with the word. */
  completions: { ask: { column: CompletedColumn; form: string; upos: string }; answer: string[] };
  /** The model's tree of a sentence in CoNLL-U in which some words keep the arcs that they have. */
  reparse: { ask: { conllu: string; fixed: number[] }; answer: Tree };
  /** The whole file with what was changed, and the key of its content. */
  write: { ask: { marks: Marks[] }; answer: { file: Blob; key: string } };
  /** Has further workers started, which an evaluation will want. */
  startHelpers: { ask: Record<string, never>; answer: true };
  /** Sentences in CoNLL-U, with the trees of the model afterwards. Never dropped. */
  parseBatch: { ask: { conllu: string; retag: boolean }; answer: string };
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
