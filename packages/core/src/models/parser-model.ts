import type { Words } from "../features/columns.js";
import { templateProgram } from "../features/program.js";
import { parseTemplates, type TemplateSet } from "../features/templates.js";
import type { NeuralModel } from "../neural/neural-model.js";
import type { NetworkHeader } from "../neural/shape.js";
import { BeamParser } from "../search/beam.js";
import { type PartialTree, TreeConstraints } from "../search/constraints.js";
import { Decider } from "../search/decider.js";
import { Doubts } from "../search/doubts.js";
import { FeatureScorer } from "../search/feature-scorer.js";
import { GreedyParser } from "../search/greedy.js";
import { LOG_UNIT } from "../search/log-sum.js";
import { StateMerger } from "../search/signature.js";
import type { Configuration, RootPosition } from "../systems/configuration.js";
import { createSystem } from "../systems/index.js";
import type { TransitionSystem } from "../systems/system.js";
import type { Move } from "../systems/transition.js";
import { deprojectivize, type Scheme } from "../treebank/pseudo-projective.js";
import { Classes, TRUST_FEATURE } from "./classes.js";
import { type Confidence, confidenceOf, type OlderConfidence, sureness } from "./confidence.js";
import { LinearModel } from "./linear.js";

/** A parser that chooses the tag of a word when the word leaves the buffer. */
export interface JointTagging {
  /** How many tags the tagger has; the parser has a class for each. */
  tags: number;
  /** Tags to choose from, at most, for each word. */
  perWord: number;
  /** How far below the best score of the tagger that of a candidate may be; 1 is a score of typical size. */
  margin: number;
}

/** Everything about a parser but its weights: plain data, written as JSON into the model file. */
export interface ModelHeader {
  system: string;
  root: RootPosition;
  degree?: number;
  lazy?: boolean;
  /** The text of the feature templates. */
  templates: string;
  /** All labels; elsewhere labels are indices into this list. */
  labels: string[];
  /** Labels of arcs to the left and to the right in the training data. */
  leftLabels: number[];
  rightLabels: number[];
  /** How non-projective trees were made projective for training, and are made non-projective again after parsing. */
  projectivized?: Scheme;
  /** Joint tagging, if the parser does it. */
  joint?: JointTagging;
  /** The size of the network, if the weights are those of one. */
  network?: NetworkHeader;
  /** The width of the beam that the parser was trained for and uses unless told otherwise; none for a greedy parser. */
  beam?: number;
  /** From doubts to how sure the parser is, fitted by fitConfidence. */
  confidence?: Confidence | OlderConfidence;
  /** Where the model comes from: training data with its hash, options, scores, licence. */
  origin: Record<string, unknown>;
}

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

/** The transition system of a parser, which builds trees with one root only. */
export function systemOf({ system, root, degree, lazy }: ModelHeader): TransitionSystem {
  return createSystem(system, {
    root,
    singleRoot: true,
    ...(degree === undefined ? {} : { degree }),
    ...(lazy === undefined ? {} : { lazy }),
  });
}

/** The classes of a parser. */
export function classesOf(header: ModelHeader, system = systemOf(header)): Classes {
  const { labels, leftLabels, rightLabels, joint } = header;
  return new Classes(system, labels.length, leftLabels, rightLabels, joint?.tags);
}

/** A trained parser. */
export class ParserModel {
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
    const templates = parseTemplates(header.templates, "model", system.name === "lr-spines");
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
