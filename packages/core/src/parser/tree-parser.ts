// All kinds of parsers have this in common; everything else knows a parser as one of these.
import type { Limits } from "../checks/abilities.js";
import { check, checkOptions, type Expectation, wholeNumber } from "../checks/options.js";
import { having, SENTENCE } from "../checks/shapes.js";
import type { Words } from "../features/columns.js";
import type { LinearModel } from "../scoring/linear/linear-model.js";
import type { ContextualVectors } from "../scoring/network/network-data.js";
import type { NeuralModel } from "../scoring/network/neural-model.js";
import type { ArcDoubts } from "../search/confidence/arc-doubts.js";
import type { Confidence } from "../search/confidence/confidence.js";
import { PARTIAL_TREE, type PartialTree } from "../search/constraints/tree-constraints.js";
import type { Part } from "../storage/part.js";
import type { Annotation, ParsedTree } from "../treebank/sentence/parsed-tree.js";
import type { Merging } from "./merging.js";
import type { CommonHeader } from "./model-header.js";

/** One of the best trees of a sentence. */
export interface ScoredTree extends ParsedTree {
  /**
   * The sum of the scores of the transitions that built it; with a network, the logarithm of the probability of the
   * derivation.
   */
  score: number;
}

/** Options for a tree. */
export interface TreeOptions {
  /** An array with a place for each word, which is filled with the probability that its head and label are right. */
  scores?: Float64Array | undefined;
  /** Is filled with the doubt about each arc, unless `scores`, which are computed from it, are requested. */
  doubts?: ArcDoubts | undefined;
  /** Heads and labels that the tree must have; throws ImpossibleConstraints if there is no such tree. */
  constraints?: PartialTree | undefined;
}

/** How a parser searches. */
export interface ParserOptions {
  /** Beam width, 1 for greedy search; by default that of training. */
  beam?: number | undefined;
  /**
   * Whether a beam merges hypotheses that no feature can distinguish, which is the default, or a search that merges in
   * another way.
   */
  merge?: boolean | Merging | undefined;
}

/** Parses sentences, and says how open to doubt each arc of the last tree is, at each of some temperatures. */
export interface DoubtingParser {
  parse(words: Words): ParsedTree;
  /** −ln of the probability of the arc of a word, as the parser sees it, at the temperature with this number. */
  of(word: number, temperature: number): number;
}

/** Parses sentences one by one. */
export interface TreeParser {
  /** Beam width, 1 for greedy search and for parsers that look at all trees. */
  readonly beam: number;
  /** Sentences with more words are rejected. */
  readonly mostWords: number;
  /** Whether it finds annotations along with the tree. */
  readonly annotates?: boolean | undefined;
  /** The tree of a sentence: always a tree, with one root unless the model was trained on trees with several. */
  parse(words: Words, options?: Omit<TreeOptions, "doubts">): ParsedTree;
  /** The best trees of a sentence, best first, at most `count`. `visit` is given each of them. */
  parseBest(words: Words, count: number, options?: TreeOptions, visit?: (tree: ScoredTree) => void): ScoredTree[];
  /** The output of the network's recurrent layers, if it has any, for the last sentence, which had so many words. */
  vectors(count: number): Float32Array | undefined;
  /** Throws a RangeError if this number of trees is not possible. */
  checkCount(count: number): void;
  /** Throws ImpossibleConstraints if no tree over n words can have the heads. */
  check(constraints: PartialTree, n: number): void;
  /** The same parser, with its doubts, which `fitConfidence` turns into probabilities. */
  doubting(temperatures: readonly number[]): DoubtingParser;
}

/** Comes after the parser: completes the tree of a sentence, or finds something else in a sentence with its tree. */
export interface TreeStep {
  /** Changes the heads and labels that the parser does not decide. All steps do so before any annotates. */
  complete?(words: Words, tree: ParsedTree): void;
  annotate?(words: Words, tree: ParsedTree): Annotation;
}

/** A part of a model that comes after the parser. @opaque */
export interface LaterPart extends Part {
  /** Contextual vectors that it uses besides the trees. */
  readonly contextual: ContextualVectors | undefined;
  /** The step that comes after this parser. */
  createStep(parser: TreeParser): TreeStep;
}

/** A trained parser of any kind, such as `ParserModel`. */
export interface TreeParserModel extends Part {
  /** How it was trained, as plain data. */
  readonly header: CommonHeader;
  /** The weights of a linear model; throws a TypeError if the parser has a network. @internal */
  readonly linear: LinearModel;
  /** The network, if the parser has one. @internal */
  readonly network: NeuralModel | undefined;
  /** How many classes the weights distinguish. */
  readonly classCount: number;
  /** Its limits. @internal */
  readonly limits: Limits;
  /** The map from doubts to probabilities. */
  readonly confidence: Confidence;
  /** The kind of parser, in words for people: names of settings and their values. */
  readonly description: Readonly<Record<string, unknown>>;
  /** A parser with its own working memory; several can share one model. @internal */
  createParser(options?: ParserOptions): TreeParser;
}

const MERGING = having("a search that merges hypotheses", "createSearch");

/** The options of a parser. */
export const PARSER_OPTIONS = {
  beam: wholeNumber(1, 100_000),
  merge: {
    expected: "true, false or a search that merges hypotheses",
    accepts: (value: unknown) => typeof value === "boolean" || MERGING.accepts(value),
  },
};

const TREE_OPTIONS: Readonly<Record<keyof TreeOptions, Expectation>> = {
  scores: { expected: "a Float64Array", accepts: (value) => value instanceof Float64Array },
  doubts: having("ArcDoubts", "weigh"),
  constraints: PARTIAL_TREE,
};

export function checkTask(words: Words, options: TreeOptions): void {
  check("words", words, SENTENCE);
  checkOptions("parse", options, TREE_OPTIONS);
}
