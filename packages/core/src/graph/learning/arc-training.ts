// The common part of training linear parsers that score arcs: weights of arcs, moved by steps of the structured
// perceptron (Collins 2002) or of MIRA (Crammer & Singer 2003; McDonald, Crammer & Pereira 2005), and labels, which are
// learned by a perceptron on the arcs of right trees.
import { check, type Expectation, FUNCTION, oneOf, shown } from "../../checks/options.js";
import { OBJECT } from "../../checks/shapes.js";
import { manyRoots, type TrainingData } from "../../learning/examples.js";
import { type SavedWeights, Weights } from "../../learning/linear/weights.js";
import { LINEAR_OPTIONS } from "../../learning/option-checks.js";
import { epochOrder, Random } from "../../math/random.js";
import { LinearModel } from "../../scoring/linear/linear-model.js";
import { type ForEachWeight, scaleOf } from "../../scoring/linear/quantized-weights.js";
import { MOST_FEATURES } from "../graph-features.js";
import { describeArcs, LinearArcs } from "../scoring/linear-graph-scorer.js";
import type { GraphExample, ReadTrees } from "./graph-examples.js";
import { GRAPH_DEFAULTS, GRAPH_LEARNERS, type GraphLearner } from "./settings.js";

/** Options of all linear parsers that score arcs. */
export interface ArcTrainOptions {
  learner: GraphLearner;
  epochs: number;
  seed: number;
  /** Whether every tree has exactly one root; by default if all trees of the training data have one. */
  singleRoot?: boolean | undefined;
  /** The bonus of a wrong arc in learning. */
  margin?: number | undefined;
  /** How far the right label must be above all others. */
  labelMargin?: number | undefined;
  /** Features count only once they have been in this many updates. */
  minUpdates?: number | undefined;
  /** Weights (averages) smaller than this are left out of the model: in units of a step of the perceptron. */
  prune?: number | undefined;
}

const { epochs, seed, singleRoot, margin, minUpdates, prune } = LINEAR_OPTIONS;
/** The checks of them. */
export const ARC_OPTIONS: Readonly<Record<keyof ArcTrainOptions, Expectation>> = {
  learner: oneOf(...GRAPH_LEARNERS),
  ...{ epochs, seed, singleRoot, margin, labelMargin: margin, minUpdates, prune },
};

/** The state to be kept between two epochs. */
export interface ArcState {
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

/** How much more often features occur in what is right than in what is not. */
export class Difference {
  readonly times = new Map<number, number>();

  count(features: Int32Array, sign: 1 | -1): void {
    const { times } = this;
    for (const feature of features) times.set(feature, (times.get(feature) ?? 0) + sign);
  }
}

/** Training of a linear parser that scores arcs, epoch by epoch. */
export abstract class ArcTraining<Options extends ArcTrainOptions = ArcTrainOptions> {
  readonly data: TrainingData;
  readonly labels: readonly string[];
  /** Number of finished epochs. */
  epoch = 0;
  updates = 0;
  private readonly examples: readonly GraphExample[];
  private readonly arcs: Weights;
  private readonly relations: Weights;
  protected readonly parts: LinearArcs;
  protected readonly singleRoot: { singleRoot?: false };
  private readonly random = new Random(0);
  private readonly score = new Int32Array(1);
  private readonly labelScores: Int32Array;
  protected time = 1;
  private labelTime = 1;

  constructor(
    readonly options: Options,
    { examples, labels, data }: ReadTrees,
  ) {
    const { minUpdates = GRAPH_DEFAULTS.minUpdates } = options;
    this.examples = examples;
    this.labels = labels;
    this.data = data;
    this.singleRoot = manyRoots(options.singleRoot, data);
    this.arcs = new Weights(minUpdates);
    this.relations = new Weights(minUpdates, this.labels.length + 1);
    this.labelScores = new Int32Array(this.labels.length + 1);
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
    this.parts.features.bind(words);
    this.learnHeads(heads);
    this.learnLabels(heads, labels);
  }

  /** Learn from a right tree. */
  protected abstract learnHeads(heads: Int32Array): void;

  private get unit(): number {
    return this.options.learner === "mira" ? UNIT : 1;
  }

  /** The bonus of a wrong arc, in the unit of weights. */
  protected get margin(): number {
    return (this.options.margin ?? GRAPH_DEFAULTS.margin) * this.unit;
  }

  /** Learn how what is right differs from something with so many wrong arcs, which has a higher score. */
  protected update({ times: difference }: Difference, wrong: number): void {
    const { arcs, unit } = this;
    this.updates++;
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
  save(): ArcState {
    const { epoch, updates, time, labelTime, arcs, relations } = this;
    return {
      ...{ epoch, updates },
      arcs: { time, weights: arcs.save() },
      labels: { time: labelTime, weights: relations.save() },
    };
  }

  /** Take up what `save` gave, from a training with the same data and options. */
  restore(state: ArcState): void {
    const { epoch, updates, arcs, labels } = state ?? {};
    const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
    const fits = (part: ArcState["arcs"]) => isCount(part?.time) && OBJECT.accepts(part.weights);
    if (!isCount(epoch) || !isCount(updates) || !fits(arcs) || !fits(labels))
      throw new RangeError(`invalid state: ${shown(state)} (expected one that save gave, with these options)`);
    this.arcs.restore(arcs.weights);
    this.relations.restore(labels.weights);
    this.time = arcs.time;
    this.labelTime = labels.time;
    this.updates = updates;
    this.epoch = epoch;
  }

  /** The averaged weights of now. */
  protected weights(): LinearModel {
    const { prune = 0 } = this.options;
    const arcs = averages(this.arcs, this.time, prune * this.unit);
    const labels = averages(this.relations, this.labelTime, prune);
    // Labels are compared with each other and never with arcs: both can make use of all bits.
    const scales = [scaleOf(arcs, MOST_FEATURES), scaleOf(labels, MOST_FEATURES)] as const;
    return LinearModel.from(
      (visit) => {
        arcs((feature, cls, weight) => visit(feature, cls, weight * scales[0]));
        labels((feature, cls, weight) => visit(feature, cls, weight * scales[1]));
      },
      0,
      MOST_FEATURES,
    );
  }
}

/** The averages that are not below a threshold. */
function averages(weights: Weights, time: number, threshold: number): ForEachWeight {
  return (visit) =>
    weights.forEachAverage(time, (feature, cls, weight) => {
      if (Math.abs(weight) >= threshold) visit(feature, cls, weight);
    });
}
