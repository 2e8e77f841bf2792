import type { Words } from "../../features/columns.js";
import type { Extractor } from "../../features/extractor.js";
import type { TemplateSet } from "../../features/templates.js";
import type { Random } from "../../math/random.js";
import type { Classes } from "../../scoring/classes.js";
import { FeatureScorer } from "../../scoring/feature-scorer.js";
import type { ForEachWeight } from "../../scoring/linear/quantized-weights.js";
import { Decider } from "../../search/decider.js";
import { Configuration } from "../../systems/configuration.js";
import type { OracleName } from "../../systems/oracles/oracle.js";
import type { TransitionSystem } from "../../systems/system.js";
import { Correctness } from "../correctness.js";
import type { Example } from "../examples.js";
import type { Learner } from "./learner.js";
import { Logistic } from "./logistic.js";
import { type CostSensitive, PassiveAggressive } from "./passive-aggressive.js";
import { Perceptron } from "./perceptron.js";
import { type Averaging, Weights } from "./weights.js";
import { WordDropout } from "./word-dropout.js";

/**
 * The choices of training after a wrong move: go on from it, end the sentence, or repeat the update until the move is
 * right.
 */
export const AFTER_UPDATE = ["go-on", "early", "aggressive"] as const;
/** One of `AFTER_UPDATE`. */
export type AfterUpdate = (typeof AFTER_UPDATE)[number];

/** Which correct move training follows where the prediction is wrong and not followed. */
export const AFTER_ERROR = ["best", "random"] as const;
/** One of `AFTER_ERROR`. */
export type AfterError = (typeof AFTER_ERROR)[number];

/** A number of lost arcs, or a share of the words of a sentence: 5, "20%". */
export type LossBound = number | `${number}%`;

/** How many arcs of a sentence of this length a bound means: at least one. */
export function lossBoundOf(bound: LossBound, length: number): number {
  return typeof bound === "number" ? bound : Math.max(1, (Number.parseFloat(bound) / 100) * length);
}

/** Options of online training, one move at a time. */
export interface OnlineOptions {
  oracle: OracleName;
  /** The learning algorithm; by default the averaged perceptron. */
  learner?: LearnerName | undefined;
  /** Dynamic: from this epoch on (counted from 1) predictions are followed, right or wrong, … */
  exploreFrom: number;
  /** … with this probability, … */
  exploreProbability: number;
  /** … unless the loss has reached this number, or this share of the words. */
  lossBound: LossBound;
  /**
   * Which of several correct moves is followed where the prediction is wrong and not followed: the best-scoring one, or
   * one at random (Goldberg & Nivre 2012, CHOOSE_NEXT_AMB). The best if not given.
   */
  afterError?: AfterError | undefined;
  /**
   * The choice after an update: go on with the sentence, leave it (early), or ask again until it is right (aggressive).
   */
  afterUpdate: AfterUpdate;
  /**
   * Perceptron: update as well if the best wrong class comes closer to the best right one than this, for each template.
   */
  margin?: number | undefined;
  /** Passive-aggressive: the largest change of a weight in a step. */
  aggressiveness?: number | undefined;
  /** Passive-aggressive: let the margin grow with what a wrong class costs. */
  costSensitive?: CostSensitive | undefined;
  /** How the weights are averaged over time; later ones count for more if not given. */
  averaging?: Averaging | undefined;
  /** Logistic: the largest change of a weight in a step. */
  rate?: number | undefined;
  /** Features in fewer updates than this do not count. */
  minUpdates?: number | undefined;
  /**
   * Hide a word that occurs f times with probability a / (a + f), so that unseen words come up in training; this is a.
   */
  wordDropout?: number | undefined;
  /** Leave out each feature of a step with this probability. */
  featureDropout?: number | undefined;
}

/** The defaults for each learner: chosen from a few short runs on English development data, not from a full search. */
export const REGULARIZATION = {
  perceptron: { margin: 0.7, minUpdates: 4, wordDropout: 0.5, featureDropout: 0.1, prune: 3 },
  "passive-aggressive": { aggressiveness: 0.05, minUpdates: 4, wordDropout: 0.5, featureDropout: 0.1, prune: 0.005 },
  logistic: { rate: 0.1, minUpdates: 10, wordDropout: 0.5, featureDropout: 0.1, prune: 0.03 },
} as const;

/** How a linear model is trained. */
export type LearnerName = keyof typeof REGULARIZATION;

/** Repeats of an aggressive update at one configuration, so that features that cannot be told apart do not hang it. */
const MOST_REPEATS = 50;

/** Online training of a greedy parser (thesis algorithms 4.3, 4.4, 5.3 and 5.4). */
export class OnlineTrainer {
  readonly weights: Weights;
  readonly learner: Learner;
  /** Number of configurations seen. */
  time = 1;
  updates = 0;
  protected readonly decider: Decider;
  protected readonly extractor: Extractor;
  protected readonly c = new Configuration();
  private readonly correctness: Correctness;
  protected readonly featureDropout: number;
  private readonly words: WordDropout | undefined;
  /** The examples that moves learn from. */
  protected readonly features: Int32Array;

  /** `shared`: the weights of another trainer, to learn in turns with it. */
  constructor(
    protected readonly system: TransitionSystem,
    protected readonly classes: Classes,
    templates: TemplateSet,
    protected readonly options: OnlineOptions,
    protected readonly random: Random,
    shared?: Weights,
  ) {
    const name = options.learner ?? "perceptron";
    const { minUpdates, wordDropout, featureDropout } = { ...REGULARIZATION[name], ...given(options) };
    const weights = shared ?? new Weights(minUpdates, classes.size, name === "logistic", options.averaging);
    const scores = new Int32Array(classes.size);
    const scorer = new FeatureScorer(templates, scores, () => {
      scores.fill(0);
      weights.score(this.extracted(), scores);
    });
    const { extractor } = scorer;
    this.extractor = extractor;
    const decider = this.createDecider(scorer);
    const correctness = new Correctness(system, classes, decider, options.oracle);
    const margin = options.margin ?? REGULARIZATION.perceptron.margin;
    const features = this.featuresOf(templates);
    const parts = [weights, decider, extractor, correctness, features] as const;
    const { rate = REGULARIZATION.logistic.rate, costSensitive } = options;
    const { aggressiveness = REGULARIZATION["passive-aggressive"].aggressiveness } = options;
    this.learner =
      name === "perceptron"
        ? new Perceptron(...parts, Math.round(margin * features.length))
        : name === "logistic"
          ? new Logistic(...parts, rate)
          : new PassiveAggressive(...parts, aggressiveness, costSensitive);
    this.features = features;
    this.weights = weights;
    this.decider = decider;
    this.correctness = correctness;
    this.featureDropout = featureDropout;
    this.words = wordDropout > 0 ? new WordDropout(wordDropout) : undefined;
    if (featureDropout > 0 || this.words) extractor.dropped = new Uint8Array(templates.templates.length);
  }

  /** The scorer of the moves; called by the constructor. */
  protected createDecider(scorer: FeatureScorer): Decider {
    return new Decider(this.system, this.classes, scorer);
  }

  /** Where the features are that moves learn from, after `extracted`; called by the constructor. */
  protected featuresOf(_templates: TemplateSet): Int32Array {
    return this.extractor.features;
  }

  /** All features of what was extracted. */
  protected extracted(): Int32Array {
    return this.extractor.hash();
  }

  /** So many features a configuration has at most. */
  get featureCount(): number {
    return this.extractor.features.length;
  }

  /** The averaged weights of now. */
  get averages(): ForEachWeight {
    const { unit } = this.learner;
    return (visit) =>
      this.weights.forEachAverage(this.time, (feature, cls, average) => visit(feature, cls, average * unit));
  }

  /** Count the words of a training sentence; word dropout needs the counts of all sentences before training begins. */
  count(words: Words): void {
    if (!this.words) return;
    this.decider.bind(words);
    this.words.count(this.extractor.columns);
  }

  /** Learn from one sentence. */
  learn(example: Example, epoch: number): void {
    const { c, system, decider, options, correctness, learner } = this;
    correctness.bind(example.heads, example.labels, example.leftOut);
    decider.bind(example.words);
    this.words?.hide(this.extractor.columns, this.random);
    system.initialize(c, example.heads.length - 1);
    const lossBound = lossBoundOf(options.lossBound, example.heads.length - 1);
    let repeats = 0;
    while (!system.isTerminal(c)) {
      if (this.featureDropout > 0) this.dropFeatures();
      const predicted = decider.decide(c);
      const predictedClass = decider.bestClass[predicted]!;
      const correct = correctness.best(c, predicted);
      const correctClass = correctness.classOf(c, correct);
      this.time++;
      if (learner.learn(c, predicted, correct, correctClass, this.time)) {
        this.updates++;
        if (options.afterUpdate === "early") return;
        if (options.afterUpdate === "aggressive" && ++repeats < MOST_REPEATS) continue;
      }
      repeats = 0;
      const explore =
        options.oracle === "dynamic" &&
        epoch >= options.exploreFrom &&
        this.random.next() < options.exploreProbability &&
        (lossBound === Number.POSITIVE_INFINITY || correctness.loss(c) < lossBound);
      const isWrong = correct !== predicted || correctClass !== predictedClass;
      const followed = options.afterError === "random" && isWrong ? this.anyCorrect(c, correct) : correct;
      const index = explore ? predicted : followed;
      const cls = explore ? predictedClass : followed === correct ? correctClass : correctness.classOf(c, followed);
      this.take(index, cls, example);
    }
  }

  /** Take one of the permitted moves. */
  protected take(index: number, cls: number, _example: Example): void {
    this.system.take(this.c, this.decider.moves[index]!, this.classes.labels[cls]!);
  }

  /** One of the correct moves at random; `best` is one of them. */
  private anyCorrect(c: Configuration, best: number): number {
    let chosen = best;
    let count = 0;
    for (let i = 0; i < this.decider.count; i++) {
      if (i !== best && !this.correctness.isCorrect(c, i)) continue;
      if (this.random.next() * ++count < 1) chosen = i;
    }
    return chosen;
  }

  /** Leave out some of the features of the first templates, so many. */
  protected dropFeatures(templates = this.extractor.dropped!.length): void {
    const dropped = this.extractor.dropped!;
    for (let t = 0; t < templates; t++) dropped[t] = this.random.next() < this.featureDropout ? 1 : 0;
  }
}

/** The options that have a value. */
function given<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
