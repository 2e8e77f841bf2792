import type { Words } from "../features/columns.js";
import { templateProgram } from "../features/program.js";
import { parseTemplates, type TemplateSet } from "../features/templates.js";
import { type Classes, TRUST_FEATURE } from "../scoring/classes.js";
import { FeatureScorer } from "../scoring/feature-scorer.js";
import { LinearModel } from "../scoring/linear/linear-model.js";
import { LOG_UNIT } from "../scoring/log-scores.js";
import type { NeuralModel } from "../scoring/network/neural-model.js";
import { BeamParser } from "../search/beam/beam-parser.js";
import { StateMerger } from "../search/beam/state-merger.js";
import { Doubts } from "../search/confidence/arc-doubts.js";
import { type Confidence, sureness } from "../search/confidence/confidence.js";
import { type PartialTree, TreeConstraints } from "../search/constraints/tree-constraints.js";
import { Decider } from "../search/decider.js";
import { GreedyParser } from "../search/greedy-parser.js";
import type { Configuration } from "../systems/configuration.js";
import type { TransitionSystem } from "../systems/system.js";
import type { Move } from "../systems/transition.js";
import { deprojectivize } from "../treebank/pseudo-projective.js";
import { confidenceOf } from "./default-confidence.js";
import { classesOf, type ModelHeader, systemOf, type TrainedParser } from "./model-header.js";

/** The head and the label of each word; index 0 is not used. */
export interface ParsedTree {
  heads: Int32Array;
  labels: string[];
}

/** One of the best trees of a sentence. */
export interface ScoredTree extends ParsedTree {
  /** The sum of the scores of the transitions that built it; of a network the logarithm of the probability of the derivation. */
  score: number;
}

/** What is wanted with a tree. */
export interface TreeOptions {
  /** Has a place for each word and gets the probability that its head and label are right. */
  scores?: Float64Array | undefined;
  /** Gets to know how open to doubt each arc is, unless `scores`, which are made of it, are wanted. */
  doubts?: Doubts | undefined;
  /** Heads and labels that the tree must have; ImpossibleConstraints is thrown if it cannot. */
  constraints?: PartialTree | undefined;
}

/** How a parser searches. */
export interface ParserOptions {
  /** Width of the beam, 1 for greedy search; by default what the model was trained for. */
  beam?: number | undefined;
  /** Merge hypotheses that no feature can tell apart, as is the default. */
  merge?: boolean | undefined;
}

/** A trained parser. */
export class ParserModel implements TrainedParser {
  readonly system: TransitionSystem;
  readonly classes: Classes;

  constructor(
    readonly header: ModelHeader,
    readonly weights: LinearModel | NeuralModel,
  ) {
    this.system = systemOf(header);
    this.classes = classesOf(header, this.system);
  }

  /** The weights of a linear model; throws a TypeError if the parser has a network. */
  get linear(): LinearModel {
    if (this.weights instanceof LinearModel) return this.weights;
    throw new TypeError("invalid weights: a network (expected a linear model)");
  }

  /** The network, if the parser has one. */
  get network(): NeuralModel | undefined {
    return this.weights instanceof LinearModel ? undefined : this.weights;
  }

  /** A parser with its own working memory; several can share one model. */
  createParser(options: ParserOptions = {}): Parser {
    return new Parser(this, options);
  }
}

/** Joint tagging: what a score of typical size of the tagger counts for. */
function trustOf(model: ParserModel): number {
  const { header, classes } = model;
  if (!header.joint) return 0;
  const scores = new Int32Array(classes.size);
  model.linear.score(Int32Array.of(TRUST_FEATURE), scores);
  return scores[classes.trust]!;
}

function linearScorer(linear: LinearModel, templates: TemplateSet): FeatureScorer {
  const { scores, score, values } = linear.scorer(templateProgram(templates));
  return new FeatureScorer(templates, scores, score, values);
}

/** Of the derivations of a sentence, which may build the same trees, so many are looked at for each tree that is wanted. */
const DERIVATIONS_EACH = 100;

/** Parses sentences one by one with a model. */
export class Parser {
  readonly decider: Decider;
  /** Width of the beam, 1 for greedy search. */
  readonly beam: number;
  private readonly search: GreedyParser | BeamParser;
  private readonly rootLabel: number;
  private constraints: TreeConstraints | undefined;
  private confidence: Confidence | undefined;
  private doubts: Doubts | undefined;

  constructor(
    readonly model: ParserModel,
    { beam = model.header.beam ?? 1, merge = true }: ParserOptions = {},
  ) {
    const { header, system, classes, network } = model;
    const templates = parseTemplates(header.templates, "model", system.description.context);
    const scorer = network ? network.scorer(templates) : linearScorer(model.linear, templates);
    this.decider = new Decider(system, classes, scorer);
    this.decider.trust = trustOf(model);
    this.beam = beam;
    if (beam === 1) this.search = new GreedyParser(this.decider);
    else {
      const merger = merge ? new StateMerger(system, templates, scorer.extractor.columns, beam) : undefined;
      this.search = new BeamParser(this.decider, beam, merger);
    }
    this.rootLabel = Math.max(0, header.labels.indexOf("root"));
  }

  /** The tree of a sentence: always a tree with one root. */
  parse(words: Words, { scores, doubts, constraints }: TreeOptions = {}): ParsedTree {
    const bound = constraints && this.bind(constraints, words.length);
    this.decider.constraints = bound;
    if (!scores) return this.treeOf(this.search.parse(words, this.rootLabel, doubts), bound);
    this.confidence ??= confidenceOf(this.model);
    this.doubts ??= new Doubts(this.decider, [this.confidence.temperature]);
    const tree = this.treeOf(this.search.parse(words, this.rootLabel, this.doubts), bound);
    for (let d = 1; d <= words.length; d++) {
      const isGiven = constraints && constraints.heads[d]! >= 0 && constraints.labels?.[d] !== undefined;
      scores[d] = isGiven ? 1 : sureness(this.doubts.of(d), this.confidence);
    }
    return tree;
  }

  /**
   * The transitions, with their labels, by which a parser with a beam gets to the tree of a sentence. Undefined for a greedy parser, which takes the best one in every
   * configuration.
   */
  derivation(words: Words): { move: Move; label: string | undefined }[] | undefined {
    if (!(this.search instanceof BeamParser)) return undefined;
    this.parse(words);
    const { classes, header } = this.model;
    return this.search.steps().map(({ move, cls }) => ({ move, label: header.labels[classes.labels[cls]!] }));
  }

  /**
   * The best trees of a sentence that the beam has found, best first, at most `count`, which the beam must be as wide as. With joint tagging `words` has the
   * tags of the tree that was given last.
   */
  *parseBest(words: Words, count: number, { constraints }: TreeOptions = {}): Generator<ScoredTree> {
    if (count > this.beam)
      throw new RangeError(`invalid number of trees: ${count} (expected at most ${this.beam}, the width of the beam)`);
    const search = this.search instanceof BeamParser ? this.search : new BeamParser(this.decider, 1);
    const bound = constraints && this.bind(constraints, words.length);
    this.decider.constraints = bound;
    const seen = new Set<string>();
    let left = DERIVATIONS_EACH * count;
    const unit = this.decider.scorer.isLogarithmic ? LOG_UNIT : 1;
    for (const { c, score } of search.parseAll(words, this.rootLabel)) {
      const tree = this.treeOf(c, bound);
      const key = `${tree.heads.join()} ${tree.labels.join()}`;
      if (!seen.has(key)) yield { ...tree, score: unit === 1 ? score : Number((score / unit).toFixed(4)) };
      if (seen.add(key).size === count || --left === 0) return;
    }
  }

  private treeOf(c: Configuration, bound: TreeConstraints | undefined): ParsedTree {
    const { labels: names, projectivized } = this.model.header;
    const heads = c.heads.slice(0, c.length + 1);
    const labels = new Array<string>(c.length + 1).fill("");
    for (let d = 1; d <= c.length; d++) labels[d] = names[c.labels[d]!] ?? names[0]!;
    bound?.holdInPlace(labels);
    const tree = projectivized ? deprojectivize(heads, labels, projectivized) : { heads, labels };
    bound?.complete(tree.heads, tree.labels);
    return tree;
  }

  /** Throws ImpossibleConstraints if no tree over n words can have the heads. */
  check(constraints: PartialTree, n: number): void {
    this.bind(constraints, n);
  }

  private bind(constraints: PartialTree, n: number): TreeConstraints {
    const { header, system } = this.model;
    this.constraints ??= new TreeConstraints(system, header.labels, header.projectivized !== undefined);
    return this.constraints.bind(constraints, n);
  }
}
