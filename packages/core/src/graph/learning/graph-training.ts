// Training of a graph-based parser: the structured perceptron (Collins 2002) or MIRA with one best tree (Crammer &
// Singer 2003; McDonald, Crammer & Pereira 2005). Wrong arcs get something for being wrong while the best tree is
// looked for, so that the right tree must win by as much. Labels are learned by a perceptron on the arcs of right
// trees.
import { check, checkRequired, type Expectation, FUNCTION, oneOf, shown } from "../../checks/options.js";
import { checkedList, OBJECT } from "../../checks/shapes.js";
import { manyRoots, type TrainingData, type TreebankSentence } from "../../learning/examples.js";
import { type SavedWeights, Weights } from "../../learning/linear/weights.js";
import { LINEAR_OPTIONS, TREEBANK_SENTENCE } from "../../learning/option-checks.js";
import type { ArcScores } from "../../math/edmonds.js";
import { epochOrder, Random } from "../../math/random.js";
import { LinearModel } from "../../scoring/linear/linear-model.js";
import { type ForEachWeight, scaleOf } from "../../scoring/linear/quantized-weights.js";
import type { Scheme } from "../../treebank/pseudo-projective.js";
import { MOST_FEATURES } from "../graph-features.js";
import { GRAPH, type GraphHeader } from "../graph-header.js";
import { GraphModel } from "../graph-model.js";
import { describeArcs, LinearArcs } from "../scoring/linear-graph-scorer.js";
import { type DecoderName, GraphDecoder, MOST_WITH_SIBLINGS } from "../search/graph-decoder.js";
import { type GraphExample, readTrees } from "./graph-examples.js";
import { GRAPH_DEFAULTS, GRAPH_LEARNERS, GRAPH_SETTINGS, type GraphLearner } from "./settings.js";

/** Options of `GraphTraining`. */
export interface GraphTrainOptions {
  decoder: DecoderName;
  /** 1 for scores of arcs alone, 2 for scores of neighbouring siblings besides (eisner only). */
  order: 1 | 2;
  learner: GraphLearner;
  epochs: number;
  seed: number;
  /** Whether every tree has exactly one root; by default if all trees of the training data have one. */
  singleRoot?: boolean | undefined;
  /** Make non-projective training trees projective, and undo it after parsing. */
  projectivize?: Scheme | undefined;
  /** The bonus of a wrong arc in learning. */
  margin?: number | undefined;
  /** How far the right label must be above all others. */
  labelMargin?: number | undefined;
  /** Features count only once they have been in this many updates. */
  minUpdates?: number | undefined;
  /** Weights (averages) smaller than this are left out of the model: in units of a step of the perceptron. */
  prune?: number | undefined;
}

const { epochs, seed, singleRoot, projectivize, margin, minUpdates, prune } = LINEAR_OPTIONS;
const EXPECTED: Readonly<Record<keyof GraphTrainOptions, Expectation>> = {
  ...GRAPH_SETTINGS,
  learner: oneOf(...GRAPH_LEARNERS),
  ...{ epochs, seed, singleRoot, projectivize, margin, labelMargin: margin, minUpdates, prune },
};

/** The state to be kept between two epochs. */
export interface GraphState {
  epoch: number;
  updates: number;
  arcs: { time: number; weights: SavedWeights };
  labels: { time: number; weights: SavedWeights };
}

/** Chosen on the development part of Greek. */
const LABEL_MARGIN = 20;

/** Weights of MIRA are fractions, counted in these units. */
const UNIT = 1000;
/** The largest step of MIRA. */
const LARGEST_STEP = 0.1;

/** Training of a linear graph-based parser, epoch by epoch. */
export class GraphTraining {
  readonly data: TrainingData;
  readonly labels: readonly string[];
  /** Number of finished epochs. */
  epoch = 0;
  updates = 0;
  private readonly examples: readonly GraphExample[];
  private readonly arcs: Weights;
  private readonly relations: Weights;
  private readonly parts: LinearArcs;
  private readonly decoder: GraphDecoder;
  private readonly singleRoot: { singleRoot?: false };
  private readonly random = new Random(0);
  private readonly score = new Int32Array(1);
  private readonly labelScores: Int32Array;
  private scores: ArcScores = new Float64Array(0);
  private time = 1;
  private labelTime = 1;

  constructor(
    sentences: Iterable<TreebankSentence>,
    readonly options: GraphTrainOptions,
  ) {
    checkRequired("GraphTraining", options, EXPECTED, ["decoder", "order", "learner", "epochs", "seed"]);
    const { minUpdates = GRAPH_DEFAULTS.minUpdates, decoder, order, projectivize } = options;
    if (order === 2 && decoder !== "eisner")
      throw new RangeError(`invalid order of GraphTraining: 2 (expected 1 with ${decoder}, or decoder eisner)`);
    const given = checkedList("sentences", sentences, ...TREEBANK_SENTENCE);
    const { examples, labels, data } = readTrees(given, decoder, projectivize);
    this.examples = examples;
    this.labels = labels;
    this.data = data;
    this.singleRoot = manyRoots(options.singleRoot, data);
    this.arcs = new Weights(minUpdates);
    this.relations = new Weights(minUpdates, this.labels.length + 1);
    this.labelScores = new Int32Array(this.labels.length + 1);
    this.decoder = new GraphDecoder(decoder, this.singleRoot.singleRoot ?? true);
    this.parts = new LinearArcs((features) => {
      this.score[0] = 0;
      this.arcs.score(features, this.score);
      return this.score[0]!;
    });
  }

  /** Go through the training data once. `onSentence` is called with the number of words done. */
  runEpoch(onSentence?: (words: number) => void): void {
    if (onSentence !== undefined) check("onSentence", onSentence, FUNCTION);
    for (const words of this.epochSteps()) onSentence?.(words);
  }

  /** Go through the training data once, a sentence at a step, each of which gives how many words are done. */
  *epochSteps(): Generator<number, void, void> {
    const { random, examples, options } = this;
    this.epoch++;
    let words = 0;
    for (const i of epochOrder(random, options.seed, this.epoch, examples.length)) {
      this.learn(examples[i]!);
      words += examples[i]!.heads.length - 1;
      yield words;
    }
  }

  private learn({ words, heads, labels }: GraphExample): void {
    const { decoder, options, parts } = this;
    const unit = options.learner === "mira" ? UNIT : 1;
    const margin = (options.margin ?? GRAPH_DEFAULTS.margin) * unit;
    const n = words.length;
    if (this.scores.length < (n + 1) * (n + 1)) this.scores = new Float64Array((n + 1) * (n + 1));
    parts.features.bind(words);
    parts.score(this.scores, (h, d) => (heads[d] === h ? 0 : margin));
    const predicted = decoder.decode(n, this.scores, options.order === 2 ? parts.sibling : undefined);
    this.time++;
    this.learnTree(heads, predicted, unit);
    this.learnLabels(heads, labels);
  }

  private learnTree(gold: Int32Array, predicted: Int32Array, unit: number): void {
    const { arcs } = this;
    const { features } = this.parts;
    let wrong = 0;
    for (let d = 1; d < gold.length; d++) if (gold[d] !== predicted[d]) wrong++;
    if (wrong === 0) return;
    this.updates++;
    // The features of both trees that the other does not have.
    const difference = new Map<number, number>();
    const count = (list: Int32Array, sign: number) => {
      for (const feature of list) difference.set(feature, (difference.get(feature) ?? 0) + sign);
    };
    for (let d = 1; d < gold.length; d++) {
      if (gold[d] === predicted[d]) continue;
      count(features.arc(gold[d]!, d), 1);
      count(features.arc(predicted[d]!, d), -1);
    }
    if (this.options.order === 2 && gold.length - 1 <= MOST_WITH_SIBLINGS) {
      const [right, found] = [siblingsOf(gold), siblingsOf(predicted)];
      for (const [key, [h, s, d]] of right) if (!found.has(key)) count(features.siblings(h, s, d), 1);
      for (const [key, [h, s, d]] of found) if (!right.has(key)) count(features.siblings(h, s, d), -1);
    }
    let step = 1;
    if (this.options.learner === "mira") {
      let norm = 0;
      let distance = 0;
      const one = new Int32Array(1);
      for (const [feature, times] of difference) {
        norm += times * times;
        this.score[0] = 0;
        one[0] = feature;
        arcs.score(one, this.score);
        distance += times * this.score[0]!;
      }
      const loss = wrong * (this.options.margin ?? GRAPH_DEFAULTS.margin) - distance / unit;
      if (norm === 0 || loss <= 0) return;
      step = Math.max(1, Math.round(unit * Math.min(LARGEST_STEP, loss / norm)));
    }
    const byChange = new Map<number, number[]>();
    for (const [feature, times] of difference) {
      if (times === 0) continue;
      const list = byChange.get(times);
      if (list) list.push(feature);
      else byChange.set(times, [feature]);
    }
    for (const [times, list] of byChange) {
      for (let at = 0; at < list.length; at += 4096) {
        arcs.update(Int32Array.from(list.slice(at, at + 4096)), 0, times * step, this.time);
      }
    }
  }

  private learnLabels(heads: Int32Array, labels: Int32Array): void {
    const { relations, labelScores: scores } = this;
    const margin = this.options.labelMargin ?? LABEL_MARGIN;
    describeArcs(this.parts.features, heads, (d, features) => {
      this.labelTime++;
      const right = labels[d]! + 1;
      scores.fill(0);
      relations.score(features, scores);
      let rival = right === 1 ? 2 : 1;
      for (let k = 1; k < scores.length; k++) if (k !== right && scores[k]! > scores[rival]!) rival = k;
      if (rival >= scores.length || scores[right]! - scores[rival]! > margin) return;
      relations.update(features, right, 1, this.labelTime);
      relations.update(features, rival, -1, this.labelTime);
    });
  }

  /** The state after the last finished epoch: arrays share memory with the training. */
  save(): GraphState {
    const { epoch, updates, time, labelTime, arcs, relations } = this;
    return {
      ...{ epoch, updates },
      arcs: { time, weights: arcs.save() },
      labels: { time: labelTime, weights: relations.save() },
    };
  }

  /** Take up what `save` gave, from a training with the same data and options. */
  restore(state: GraphState): void {
    const { epoch, updates, arcs, labels } = state ?? {};
    const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
    const fits = (part: GraphState["arcs"]) => isCount(part?.time) && OBJECT.accepts(part.weights);
    if (!isCount(epoch) || !isCount(updates) || !fits(arcs) || !fits(labels))
      throw new RangeError(`invalid state: ${shown(state)} (expected one that save gave, with these options)`);
    this.arcs.restore(arcs.weights);
    this.relations.restore(labels.weights);
    this.time = arcs.time;
    this.labelTime = labels.time;
    this.updates = updates;
    this.epoch = epoch;
  }

  /** The model with the averaged weights of now. */
  model(origin: Record<string, unknown> = {}): GraphModel {
    check("origin", origin, OBJECT);
    const { decoder, order, learner, projectivize, prune = 0 } = this.options;
    const header: GraphHeader = {
      ...{ system: GRAPH, decoder, order, ...this.singleRoot },
      labels: [...this.labels],
      ...(projectivize === undefined ? {} : { projectivized: projectivize }),
      origin,
    };
    const arcs = averages(this.arcs, this.time, prune * (learner === "mira" ? UNIT : 1));
    const labels = averages(this.relations, this.labelTime, prune);
    // Labels are compared with each other and never with arcs: both can make use of all bits.
    const scales = [scaleOf(arcs, MOST_FEATURES), scaleOf(labels, MOST_FEATURES)] as const;
    const linear = LinearModel.from(
      (visit) => {
        arcs((feature, cls, weight) => visit(feature, cls, weight * scales[0]));
        labels((feature, cls, weight) => visit(feature, cls, weight * scales[1]));
      },
      0,
      MOST_FEATURES,
    );
    return new GraphModel(header, linear);
  }
}

/** The averages that are not below a threshold. */
function averages(weights: Weights, time: number, threshold: number): ForEachWeight {
  return (visit) =>
    weights.forEachAverage(time, (feature, cls, weight) => {
      if (Math.abs(weight) >= threshold) visit(feature, cls, weight);
    });
}

/** The neighbouring siblings of a tree: head, the one nearer to it (or the head itself), and the next. */
function siblingsOf(heads: Int32Array): Map<number, readonly [h: number, s: number, d: number]> {
  const n = heads.length;
  const parts = new Map<number, readonly [number, number, number]>();
  const last = new Int32Array(n);
  const visit = (d: number) => {
    const h = heads[d]!;
    if (h === d) return;
    const s = last[h]! === 0 ? h : last[h]!;
    parts.set((h * n + s) * n + d, [h, s, d]);
    last[h] = d;
  };
  for (let d = 1; d < n; d++) if (heads[d]! < d) visit(d);
  last.fill(0);
  for (let d = n - 1; d >= 1; d--) if (heads[d]! > d) visit(d);
  return parts;
}
