import { checkAbility, type Limits } from "../checks/abilities.js";
import { check, checkOptions, FUNCTION, shown, wholeNumber } from "../checks/options.js";
import { having, NUMBERS } from "../checks/shapes.js";
import type { Words } from "../features/columns.js";
import { templateProgram } from "../features/program.js";
import { parseTemplates, type TemplateSet } from "../features/templates.js";
import { describeSystem } from "../registry/system-registry.js";
import type { Classes } from "../scoring/classes.js";
import { FeatureScorer } from "../scoring/feature-scorer.js";
import { LinearModel } from "../scoring/linear/linear-model.js";
import type { NeuralModel } from "../scoring/network/neural-model.js";
import { networkView } from "../scoring/network/shape.js";
import { BeamParser } from "../search/beam/beam-parser.js";
import { doubledArguments } from "../search/beam/doubled-arguments.js";
import { StateMerger } from "../search/beam/state-merger.js";
import { ArcDoubts } from "../search/confidence/arc-doubts.js";
import { arcProbability, type Confidence } from "../search/confidence/confidence.js";
import { PARTIAL_TREE, type PartialTree, TreeConstraints } from "../search/constraints/tree-constraints.js";
import { Decider } from "../search/decider.js";
import { GreedyParser } from "../search/greedy-parser.js";
import type { Codec, Opened, Parts } from "../storage/part.js";
import type { Configuration } from "../systems/configuration.js";
import type { TransitionSystem } from "../systems/system.js";
import type { Move } from "../systems/transition.js";
import { deprojectivize } from "../treebank/pseudo-projective.js";
import type { ParsedTree } from "../treebank/sentence/parsed-tree.js";
import { checkParserHeader } from "./check-header.js";
import { confidenceOf } from "./default-confidence.js";
import { classesOf, type ModelHeader, systemOf, type TrainedParser } from "./model-header.js";
import { contentOf, openWeights, type ParserWeights } from "./parser-weights.js";
import {
  checkTask,
  type DoubtingParser,
  PARSER_OPTIONS,
  type ParserOptions,
  type ScoredTree,
  type TreeOptions,
  type TreeParser,
  type TreeParserModel,
} from "./tree-parser.js";

/** A trained transition-based parser. @opaque */
export class ParserModel implements TrainedParser, TreeParserModel {
  readonly system: TransitionSystem;
  readonly classes: Classes;

  constructor(
    readonly header: ModelHeader,
    readonly weights: LinearModel | NeuralModel,
  ) {
    this.system = systemOf(header);
    this.classes = this.createClasses();
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

  get limits(): Limits {
    const { knownHeads, limits } = this.system.description;
    return {
      ...(knownHeads ? {} : { heads: "its transition system keeps none (use a model of another system)" }),
      ...limits,
    };
  }

  /** How it is stored in a file. */
  get codec(): Codec {
    return parserCodec;
  }

  get classCount(): number {
    return this.classes.size;
  }

  get confidence(): Confidence {
    return confidenceOf(this);
  }

  get description(): Readonly<Record<string, unknown>> {
    const { system, root, projectivized, labels, beam = 1 } = this.header;
    return {
      ...{ system, root, ...this.header.systemSettings },
      ...(projectivized === undefined ? {} : { projectivized }),
      ...{ labels: labels.length, beam },
    };
  }

  /** A parser with its own working memory; several can share one model. */
  createParser(options: ParserOptions = {}): Parser {
    return new Parser(this, options);
  }

  /** The classes that the weights distinguish; called by the constructor. */
  protected createClasses(): Classes {
    return classesOf(this.header, this.system);
  }

  /** How a parser searches, as told. */
  createSearch({ beam = this.header.beam ?? 1, merge = true }: ParserOptions): Search {
    const { header, system, network } = this;
    const templates = parseTemplates(header.templates, "model", system.description.context);
    const scorer = network ? network.scorer(templates) : linearScorer(this.linear, templates, header.logUnit);
    const decider = new Decider(system, this.classes, scorer);
    const { columns } = scorer.extractor;
    const searchWith = (run: Search["run"]) => ({ decider, beam, run });
    if (typeof merge === "object") return searchWith(merge.createSearch(this, decider, beam, templates, columns));
    if (beam === 1) return searchWith(new GreedyParser(decider));
    const merger = merge ? new StateMerger(system, templates, columns, beam) : undefined;
    return searchWith(new BeamParser(decider, beam, merger, undefined, doubledArguments(header.labels)));
  }
}

export const parserCodec: Codec = {
  part: "parser",
  take: ({ header, weights, classCount }: ParserModel) => ({ header, content: contentOf(weights, classCount) }),
  open(value, before) {
    const header = checkParserHeader(value);
    return openParser(header, classesOf(header), before, (weights) => new ParserModel(header, weights));
  },
};

/** The content that belongs to the header of a transition-based parser, of which `make` makes a model. */
export function openParser(
  { templates, system, labels, network }: ModelHeader,
  { size }: Classes,
  before: Parts,
  make: (weights: ParserWeights) => ParserModel,
): Opened {
  const parsed = parseTemplates(templates, "templates", describeSystem(system).context);
  return openWeights(network, () => networkView(parsed, labels.length), size, before, make);
}

/** The scorer of the configurations of a linear parser. */
export function linearScorer(linear: LinearModel, templates: TemplateSet, logUnit: number | undefined): FeatureScorer {
  const { scores, score, values } = linear.scorer(templateProgram(templates));
  return new FeatureScorer(templates, scores, score, values, logUnit);
}

/**
 * Of the derivations of a sentence, which may build the same trees, so many are looked at for each tree that is wanted.
 */
const DERIVATIONS_EACH = 100;

/** Decides on transitions, and searches for the best derivation with that. */
export interface Search {
  readonly decider: Decider;
  /** Beam width, 1 for greedy search. */
  readonly beam: number;
  readonly run: Pick<GreedyParser, "parse" | "parseAll">;
  /** The observer of its derivations, to say how open to doubt their arcs are; if not given, `ArcDoubts`. */
  createDoubts?(temperatures: readonly number[]): ArcDoubts;
}

/** Parses sentences one by one with a transition-based model. */
export class Parser implements TreeParser {
  readonly decider: Decider;
  /** Beam width, 1 for greedy search. */
  readonly beam: number;
  readonly mostWords = Number.POSITIVE_INFINITY;
  private readonly search: Search["run"];
  private readonly createDoubts: NonNullable<Search["createDoubts"]>;
  private readonly mostTrees: number;
  private readonly rootLabel: number;
  private constraints: TreeConstraints | undefined;
  private confidence: Confidence | undefined;
  private doubts: ArcDoubts | undefined;

  /** `search`: given by kinds of parsers that have one of their own. */
  constructor(
    readonly model: ParserModel,
    options: ParserOptions = {},
    search?: Search,
  ) {
    check("model", model, having("a ParserModel", "createParser"));
    checkOptions("the parser", options, PARSER_OPTIONS);
    const { decider, beam, run, createDoubts } = search ?? model.createSearch(options);
    this.decider = decider;
    this.beam = beam;
    this.search = run;
    this.createDoubts = createDoubts ?? ((temperatures) => new ArcDoubts(decider, temperatures));
    this.mostTrees = run instanceof BeamParser ? run.mostTrees : 1;
    this.rootLabel = Math.max(0, model.header.labels.indexOf("root"));
  }

  /** The tree of a sentence: always a tree, with one root unless the model was trained on trees with several. */
  parse(words: Words, options: TreeOptions = {}): ParsedTree {
    checkTask(words, options);
    const { scores, doubts, constraints } = options;
    const bound = constraints && this.bind(constraints, words.length);
    this.decider.constraints = bound;
    if (scores) checkAbility(this.model.limits, "scores");
    if (!scores) return this.treeOf(this.search.parse(words, this.rootLabel, doubts), bound);
    this.confidence ??= this.model.confidence;
    this.doubts ??= this.createDoubts([this.confidence.temperature]);
    const tree = this.treeOf(this.search.parse(words, this.rootLabel, this.doubts), bound);
    for (let d = 1; d <= words.length; d++) {
      const isGiven = constraints && constraints.heads[d]! >= 0 && constraints.labels?.[d] !== undefined;
      scores[d] = isGiven ? 1 : arcProbability(this.doubts.of(d), this.confidence);
    }
    return tree;
  }

  vectors(count: number): Float32Array | undefined {
    check("number of words", count, wholeNumber(0));
    return this.decider.scorer.vectors?.(count);
  }

  /**
   * The transitions, with their labels, by which a parser with a beam reaches the tree of a sentence. Undefined for a
   * greedy parser, which takes the best one in every configuration.
   */
  derivation(words: Words): { move: Move; label: string | undefined }[] | undefined {
    checkTask(words, {});
    if (!(this.search instanceof BeamParser)) return undefined;
    this.parse(words);
    const { classes, header } = this.model;
    return this.search.steps().map(({ move, cls }) => ({ move, label: header.labels[classes.labels[cls]!] }));
  }

  /**
   * The best trees of a sentence that the beam has found, best first, at most `count`; the beam must be at least as
   * wide. `visit` is given each of them before the next is looked for. All are made before the first is returned: the
   * search belongs to the parser, and would be lost to the next sentence.
   */
  parseBest(words: Words, count: number, options: TreeOptions = {}, visit?: (tree: ScoredTree) => void): ScoredTree[] {
    checkTask(words, options);
    if (visit !== undefined) check("visitor", visit, FUNCTION);
    const { constraints } = options;
    this.checkCount(count);
    const bound = constraints && this.bind(constraints, words.length);
    this.decider.constraints = bound;
    const seen = new Set<string>();
    const trees: ScoredTree[] = [];
    let left = DERIVATIONS_EACH * count;
    const unit = this.decider.scorer.logUnit ?? 1;
    for (const { c, score } of this.search.parseAll(words, this.rootLabel)) {
      const tree = this.treeOf(c, bound);
      const key = `${tree.heads.join()} ${tree.labels.join()}`;
      if (!seen.has(key)) {
        trees.push({ ...tree, score: unit === 1 ? score : Number((score / unit).toFixed(4)) });
        visit?.(trees[trees.length - 1]!);
      }
      if (seen.add(key).size === count || --left === 0) break;
    }
    return trees;
  }

  /** Throws a RangeError if this number of trees is not possible. */
  checkCount(count: number): void {
    if (!(Number.isInteger(count) && count >= 1 && count <= this.mostTrees))
      throw new RangeError(
        `invalid number of trees: ${shown(count)} (expected ${this.mostTrees < this.beam ? "1: so merged, a beam has the best tree only" : `1 to ${this.beam}, the width of the beam`})`,
      );
  }

  doubting(temperatures: readonly number[]): DoubtingParser {
    check("temperatures", temperatures, NUMBERS);
    const doubts = this.createDoubts(temperatures);
    return {
      parse: (words) => this.parse(words, { doubts }),
      of: (word, temperature) => doubts.of(word, temperature),
    };
  }

  private treeOf(c: Configuration, bound: TreeConstraints | undefined): ParsedTree {
    const { labels: names, projectivized } = this.model.header;
    const heads = c.heads.slice(0, c.length + 1);
    const labels = new Array<string>(c.length + 1).fill("");
    for (let d = 1; d <= c.length; d++) labels[d] = names[c.labels[d]!] ?? names[0]!;
    const more = this.model.system.description.completeTree?.(c, heads, labels, names);
    bound?.holdInPlace(labels);
    const tree = projectivized ? deprojectivize(heads, labels, projectivized) : { heads, labels };
    bound?.complete(tree.heads, tree.labels);
    return { ...tree, ...more };
  }

  /** Throws ImpossibleConstraints if no tree over n words can have the heads. */
  check(constraints: PartialTree, n: number): void {
    check("constraints", constraints, PARTIAL_TREE);
    check("number of words", n, wholeNumber(0));
    this.bind(constraints, n);
  }

  private bind(constraints: PartialTree, n: number): TreeConstraints {
    const { header, system } = this.model;
    this.constraints ??= new TreeConstraints(system, header.labels, header.projectivized !== undefined);
    return this.constraints.bind(constraints, n);
  }
}
