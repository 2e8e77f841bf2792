import type { Words } from "../features/columns.js";
import { templateProgram } from "../features/program.js";
import { parseTemplates } from "../features/templates.js";
import { Decider } from "../search/decider.js";
import { FeatureScorer } from "../search/feature-scorer.js";
import { GreedyParser } from "../search/greedy.js";
import type { RootPosition } from "../systems/configuration.js";
import { createSystem } from "../systems/index.js";
import type { TransitionSystem } from "../systems/system.js";
import { deprojectivize, type Scheme } from "../treebank/pseudo-projective.js";
import { Classes, TRUST_FEATURE } from "./classes.js";
import type { Confidence } from "./confidence.js";
import type { LinearModel } from "./linear.js";

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
  /** From margins to how sure the parser is, fitted by fitConfidence. */
  confidence?: Confidence;
  /** Where the model comes from: training data with its hash, options, scores, licence. */
  origin: Record<string, unknown>;
}

/** The head and the label of each word; index 0 is not used. */
export interface ParsedTree {
  heads: Int32Array;
  labels: string[];
}

/** What is wanted with a tree. */
export interface TreeOptions {
  /** Has a place for each word and gets the margin of the transition that attached it. */
  margins?: Int32Array | undefined;
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
    readonly linear: LinearModel,
  ) {
    this.system = systemOf(header);
    this.classes = classesOf(header, this.system);
  }

  /** A parser with its own working memory; several can share one model. */
  createParser(): Parser {
    return new Parser(this);
  }
}

/** Joint tagging: what a score of typical size of the tagger counts for. */
function trustOf({ header, linear, classes }: ParserModel): number {
  if (!header.joint) return 0;
  const scores = new Int32Array(classes.size);
  linear.score(Int32Array.of(TRUST_FEATURE), scores);
  return scores[classes.trust]!;
}

/** Parses sentences one by one with a model. */
export class Parser {
  readonly decider: Decider;
  private readonly greedy: GreedyParser;
  private readonly rootLabel: number;

  constructor(readonly model: ParserModel) {
    const { header, system, classes, linear } = model;
    const templates = parseTemplates(header.templates, "model", system.name === "lr-spines");
    const { scores, score, values } = linear.scorer(templateProgram(templates));
    this.decider = new Decider(system, classes, new FeatureScorer(templates, scores, score, values));
    this.decider.trust = trustOf(model);
    this.greedy = new GreedyParser(this.decider);
    this.rootLabel = Math.max(0, header.labels.indexOf("root"));
  }

  /** The tree of a sentence: always a tree with one root. */
  parse(words: Words, { margins }: TreeOptions = {}): ParsedTree {
    const { labels: names, projectivized } = this.model.header;
    const c = this.greedy.parse(words, this.rootLabel, margins);
    const heads = c.heads.slice(0, words.length + 1);
    const labels = new Array<string>(words.length + 1).fill("");
    for (let d = 1; d <= words.length; d++) labels[d] = names[c.labels[d]!] ?? names[0]!;
    return projectivized ? deprojectivize(heads, labels, projectivized) : { heads, labels };
  }
}
