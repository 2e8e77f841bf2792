import type { Words } from "../../features/columns.js";
import type { Extractor } from "../../features/extractor.js";
import type { TemplateSet } from "../../features/templates.js";
import { NO_FEATURE, scramble } from "../../math/hash.js";
import type { Random } from "../../math/random.js";
import { type Classes, TRUST_FEATURE } from "../../scoring/classes.js";
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
 * What training may do after a wrong move: go on from it, end the sentence, or repeat the update until the move is
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
   * What to do after an update: go on with the sentence, leave it (early), or ask again until it is right (aggressive).
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

/** Goes along with derivations and learns from them as well: the semantic half, if roles are decided with the tree. */
export interface Companion {
  /** How many features of its own transitions depend on, besides those of templates. */
  readonly size: number;
  begin(example: Example, epoch: number): void;
  /** Its features for the next transition. */
  featuresOf(c: Configuration): Int32Array;
  /** Has its turn after every transition. */
  follow(c: Configuration): void;
}

/** Online training of a greedy parser (thesis algorithms 4.3, 4.4, 5.3 and 5.4). */
export class OnlineTrainer {
  readonly weights: Weights;
  readonly learner: Learner;
  /** Number of configurations seen. */
  time = 1;
  updates = 0;
  private readonly decider: Decider;
  private readonly extractor: Extractor;
  private readonly c = new Configuration();
  private readonly correctness: Correctness;
  private readonly featureDropout: number;
  /**
   * The features of the templates of joint tagging, the last ones. Tags learn from these alone and moves from the
   * others: few words have several tags, and a tag should not cost a tree.
   */
  private readonly tagFeatures: Int32Array;
  private readonly moveTemplates: number;
  private readonly words: WordDropout | undefined;

  /** The features of templates and those of the companion. */
  private readonly joined: Int32Array | undefined;

  /** `shared`: the weights of another trainer, to learn in turns with it. */
  constructor(
    private readonly system: TransitionSystem,
    private readonly classes: Classes,
    templates: TemplateSet,
    private readonly options: OnlineOptions,
    private readonly random: Random,
    shared?: Weights,
    private readonly companion?: Companion | undefined,
  ) {
    const name = options.learner ?? "perceptron";
    const { minUpdates, wordDropout, featureDropout } = { ...REGULARIZATION[name], ...given(options) };
    const weights = shared ?? new Weights(minUpdates, classes.size, name === "logistic", options.averaging);
    const scores = new Int32Array(classes.size);
    const scorer = new FeatureScorer(templates, scores, (extractor) => {
      scores.fill(0);
      weights.score(this.join(extractor.hash()), scores);
    });
    const { extractor } = scorer;
    const decider = new Decider(system, classes, scorer);
    const correctness = new Correctness(system, classes, decider, options.oracle);
    const margin = options.margin ?? REGULARIZATION.perceptron.margin;
    const moves = firstTagTemplate(templates);
    this.moveTemplates = moves;
    if (companion) this.joined = new Int32Array(moves + companion.size);
    const size = this.joined?.length ?? moves;
    const parts = [weights, decider, extractor, correctness] as const;
    const { rate = REGULARIZATION.logistic.rate, costSensitive } = options;
    const { aggressiveness = REGULARIZATION["passive-aggressive"].aggressiveness } = options;
    this.learner =
      name === "perceptron"
        ? new Perceptron(...parts, Math.round(margin * size), moves, this.joined)
        : name === "logistic"
          ? new Logistic(...parts, rate, moves)
          : new PassiveAggressive(...parts, aggressiveness, costSensitive, moves);
    this.tagFeatures = extractor.features.subarray(moves);
    decider.trust = this.learner.trust;
    this.weights = weights;
    this.decider = decider;
    this.extractor = extractor;
    this.correctness = correctness;
    this.featureDropout = featureDropout;
    this.words = wordDropout > 0 ? new WordDropout(wordDropout) : undefined;
    if (featureDropout > 0 || this.words) extractor.dropped = new Uint8Array(templates.templates.length);
  }

  /** The features of templates with those of the companion, if there is one. */
  private join(features: Int32Array): Int32Array {
    const { joined, companion } = this;
    if (!joined || !companion) return features;
    joined.set(features);
    joined.set(companion.featuresOf(this.c), features.length);
    for (let k = features.length; k < joined.length && this.featureDropout > 0; k++) {
      if (this.random.next() < this.featureDropout) joined[k] = NO_FEATURE;
    }
    return joined;
  }

  /** The averaged weights of now. */
  readonly averages: ForEachWeight = (visit) => {
    const { unit, trust } = this.learner;
    const { size, firstTag, trust: trustClass } = this.classes;
    if (size > firstTag) visit(TRUST_FEATURE, trustClass, trust * unit);
    this.weights.forEachAverage(this.time, (feature, cls, average) => visit(feature, cls, average * unit));
  };

  /** Count the words of a training sentence; word dropout needs the counts of all sentences before training begins. */
  count(words: Words): void {
    if (!this.words) return;
    this.decider.bind(words);
    this.words.count(this.extractor.columns);
  }

  /** Learn from one sentence. */
  learn(example: Example, epoch: number): void {
    const { c, system, decider, classes, options, correctness, learner } = this;
    correctness.bind(example.heads, example.labels, example.leftOut);
    decider.bind(example.words);
    this.words?.hide(this.extractor.columns, this.random);
    system.initialize(c, example.heads.length - 1);
    this.companion?.begin(example, epoch);
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
      if (decider.choices) this.learnTag(decider.untagged(c, index), example.rightChoices);
      system.take(c, decider.moves[index]!, classes.labels[cls]!);
      this.companion?.follow(c);
    }
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

  /**
   * Joint tagging: learn the tag of a word; a right one that is no candidate teaches nothing. The word keeps the tag
   * that the tagger gave it without having seen the sentence: predictions on sentences that are learnt from become
   * better than they will ever be again. So moves are learnt as without joint tagging, but for features whose hashes
   * are the same.
   */
  private learnTag(word: number, right: Int32Array | undefined): void {
    if (word < 0) return;
    if (right && right[word]! >= 0) this.learner.learnTag(word, right[word]!, this.tagFeatures, this.time);
    this.decider.giveTag(word, this.decider.choices!.from[word]!);
  }

  private dropFeatures(): void {
    const dropped = this.extractor.dropped!;
    for (let t = 0; t < this.moveTemplates; t++) dropped[t] = this.random.next() < this.featureDropout ? 1 : 0;
    // Not from the generator, so that moves are learnt from the same draws with and without joint tagging.
    for (let t = this.moveTemplates; t < dropped.length; t++) {
      dropped[t] = (scramble(this.time * dropped.length + t) >>> 0) / 2 ** 32 < this.featureDropout ? 1 : 0;
    }
  }
}

/** Where the templates of joint tagging begin: all from there on look at what competes for a word. */
export function firstTagTemplate({ templates, atoms }: TemplateSet): number {
  let first = templates.length;
  while (first > 0 && templates[first - 1]!.some((atom) => isRivals(atoms[atom]!))) first--;
  return first;
}

function isRivals(atom: TemplateSet["atoms"][number]): boolean {
  return atom.kind === "word" && atom.attribute === "rivals";
}

/** The options that have a value. */
function given<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
