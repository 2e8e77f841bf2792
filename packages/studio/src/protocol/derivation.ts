// Derivations: configurations, transitions with scores and costs, and what is asked about them.

import type { SentenceJSON } from "@stemma/core";
import type { RootPosition, SystemName, SystemSettings } from "@stemma/core/systems";
import type { Tree } from "./sentence.js";

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
export type Policy = "model" | "dynamic" | "non-deterministic" | "static" | "hand";

/** A transition with its label, as it is written in a link: SHIFT, LEFT-ARC, … */
export interface Taken {
  move: string;
  label: string | undefined;
}

/** A branch tried out: transitions up to the last one that was taken by hand, and who goes on from there. */
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

/**
 * The tree that a system's oracle reaches, in how many steps, and how many words of the target it has otherwise; as
 * what each word is removed, 0 for those that stay. Or why it is not known.
 */
export type Reached = { tree: Tree; steps: number; lost: number; removed: number[] } | { reason: string };

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
  sentence: SentenceJSON;
  system: SystemChoice;
  /** The transitions up to the configuration in question. */
  before: Taken[];
  taken: Taken;
  /** Compared with it; the best other one if not given. */
  rival: Taken | undefined;
}

/** A feature, or a word, and what it does to the scores of two transitions. */
export interface WhyReason {
  /** The template of the feature, or the number of the word. */
  name: string;
  /** The values that the feature saw, or the form. */
  value: string;
  /** Its share of either score; of a word, the scores without it. */
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
  /** By weight, largest first. */
  reasons: WhyReason[];
  /** Reasons that are not listed. */
  others: number;
}

export interface CauseRequest {
  sentence: SentenceJSON;
  /** The right tree, and the word that got another arc. */
  target: Tree;
  word: number;
}

/** The step that cost a word its right arc. */
export interface Cause {
  step: number;
  taken: Choice;
  /** The best other transition after which the arc can still be built; undefined if none is permitted. */
  alternative: Choice | undefined;
  /** `head`: the head went out of reach; `label`: the arc got another label; `built`: another arc was built. */
  kind: "head" | "label" | "built";
  /** The first step of the derivation that cost anything. */
  firstMistake: number | undefined;
  /** The transition that was taken against the alternative. */
  why: Why | undefined;
  notes: string[];
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

/** In the place of a model, a sentence that can be read in two ways; see two-readings.ts. */
export interface TwoReadings {
  system: SystemChoice;
  /** The wrong reading, which looks better until so many words are left. */
  rival: Tree;
  until: number;
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
  /** Does the non-deterministic oracle permit it? Only where it decides. */
  correct?: boolean | undefined;
  /** Against the target tree; undefined where it was not found in time. */
  cost: number | undefined;
}

/** A configuration of a derivation. */
export interface Configured {
  stack: number[];
  buffer: number[];
  spines: { left: number[]; right: number[] }[] | undefined;
  /** Further lists of some systems, by name. */
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

/** Which gold arcs do transitions lose, each after those before it? */
export interface LostRequest {
  system: SystemChoice;
  target: Tree;
  questions: { before: Taken[]; taken: Taken }[];
}

export interface DeriveRequest {
  sentence: SentenceJSON;
  system: SystemChoice;
  /** The tree that costs are counted against and that oracles aim at. */
  target: Tree | undefined;
  policy: Policy;
  /** Transitions taken first, whatever the policy. */
  prefix: Taken[];
  /** Lessons are the same with any model, and with none. */
  withoutModel?: boolean | undefined;
}
