import type { Words } from "../features/columns.js";
import type { TemplateSet } from "../features/templates.js";
import type { Classes } from "../models/classes.js";
import { Weights } from "../models/weights.js";
import { Decider } from "../search/greedy.js";
import { Configuration } from "../systems/configuration.js";
import { GoldTree } from "../systems/gold.js";
import type { DynamicOracle, NonDeterministicOracle, StaticOracle } from "../systems/oracle.js";
import type { TransitionSystem } from "../systems/system.js";
import { isArc, type Move } from "../systems/transition.js";
import type { Random } from "./random.js";
import { WordDropout } from "./word-dropout.js";

/** A training sentence: its words, and its tree with labels as numbers. */
export interface Example {
  readonly words: Words;
  readonly heads: Int32Array;
  readonly labels: Int32Array;
}

export const REGIMES = ["static", "non-deterministic", "dynamic"] as const;
export type Regime = (typeof REGIMES)[number];

export const AFTER_UPDATE = ["go-on", "early", "aggressive"] as const;
export type AfterUpdate = (typeof AFTER_UPDATE)[number];

export interface OnlineOptions {
  regime: Regime;
  /** Dynamic: from this epoch on (counted from 1) predictions are followed, right or wrong, … */
  exploreFrom: number;
  /** … with this probability, … */
  exploreProbability: number;
  /** … unless the loss has reached this number. */
  lossBound: number;
  /** What to do after an update: go on with the sentence, leave it (early), or ask again until it is right (aggressive). */
  afterUpdate: AfterUpdate;
  /** Update as well if the best wrong class comes closer to the best right one than this, for each template. */
  margin?: number | undefined;
  /** Features in fewer updates than this do not count. */
  minUpdates?: number | undefined;
  /** Hide a word that occurs f times with probability a / (a + f), so that unseen words come up in training; this is a. */
  wordDropout?: number | undefined;
  /** Leave out each feature of a step with this probability. */
  featureDropout?: number | undefined;
}

/** The defaults: chosen from a few short runs on English development data, not from a full search. */
export const REGULARIZATION = { margin: 0.7, minUpdates: 4, wordDropout: 0.5, featureDropout: 0.1 } as const;

/** Repeats of an aggressive update at one configuration, so that features that cannot be told apart do not hang it. */
const MOST_REPEATS = 50;

/** Online training of a greedy parser (thesis algorithms 4.3, 4.4, 5.3 and 5.4) with an averaged perceptron. */
export class OnlineTrainer {
  readonly weights: Weights;
  /** Number of configurations seen. */
  time = 1;
  updates = 0;
  private readonly decider: Decider;
  private readonly c = new Configuration();
  private readonly gold = new GoldTree();
  private readonly fixed: StaticOracle;
  private readonly several: NonDeterministicOracle | undefined;
  private readonly dynamic: DynamicOracle | undefined;
  private readonly correct: Move[] = [];
  private correctCount = 0;
  private readonly scores: Int32Array;
  private readonly margin: number;
  private readonly featureDropout: number;
  private readonly words: WordDropout | undefined;
  private rivalClass = -1;

  constructor(
    private readonly system: TransitionSystem,
    private readonly classes: Classes,
    templates: TemplateSet,
    private readonly options: OnlineOptions,
    private readonly random: Random,
  ) {
    const { margin, minUpdates, wordDropout, featureDropout } = { ...REGULARIZATION, ...given(options) };
    this.weights = new Weights(minUpdates, classes.size);
    this.margin = Math.round(margin * templates.templates.length);
    this.featureDropout = featureDropout;
    this.words = wordDropout > 0 ? new WordDropout(wordDropout) : undefined;
    const { weights } = this;
    const scores = new Int32Array(classes.size);
    this.decider = new Decider(system, classes, templates, {
      scores,
      score(extractor) {
        scores.fill(0);
        weights.score(extractor.hash(), scores);
      },
    });
    this.scores = scores;
    if (featureDropout > 0 || this.words) this.decider.extractor.dropped = new Uint8Array(templates.templates.length);
    this.fixed = system.staticOracle();
    this.several = options.regime === "non-deterministic" ? system.nonDeterministicOracle() : undefined;
    this.dynamic = options.regime === "dynamic" ? system.dynamicOracle() : undefined;
    if (options.regime === "non-deterministic" && !this.several)
      throw new RangeError(`${system.name} has no non-deterministic oracle`);
    if (options.regime === "dynamic" && !this.dynamic)
      throw new RangeError(`${system.name} has no dynamic oracle (use static)`);
  }

  /** Count the words of a training sentence; word dropout needs all of them before the first is learnt from. */
  count(words: Words): void {
    if (!this.words) return;
    this.decider.bind(words);
    this.words.count(this.decider.extractor.columns);
  }

  /** Learn from one sentence. */
  learn(example: Example, epoch: number): void {
    const { c, gold, system, decider, classes, options } = this;
    gold.bind(example.heads, example.labels);
    const oracle = this.dynamic ?? this.several ?? this.fixed;
    oracle.bind(gold);
    decider.bind(example.words);
    this.words?.hide(decider.extractor.columns, this.random);
    system.initialize(c, gold.length);
    let repeats = 0;
    while (!system.isTerminal(c)) {
      if (this.featureDropout > 0) this.dropFeatures();
      const predicted = decider.decide(c);
      const predictedClass = decider.bestClass[predicted]!;
      const goldIndex = this.bestCorrect(c, predicted);
      const goldClass = this.correctClass(c, goldIndex);
      const right = goldIndex === predicted && goldClass === predictedClass;
      this.time++;
      const wrong = right ? this.closeRival(c, predicted, predictedClass) : predicted;
      if (wrong >= 0) {
        const wrongClass = right ? this.rivalClass : predictedClass;
        this.updates++;
        this.update(c, decider.moves[goldIndex]!, goldClass, 1);
        this.update(c, decider.moves[wrong]!, wrongClass, -1);
        if (options.afterUpdate === "early") return;
        if (options.afterUpdate === "aggressive" && ++repeats < MOST_REPEATS) continue;
      }
      repeats = 0;
      const explore =
        this.dynamic !== undefined &&
        epoch >= options.exploreFrom &&
        this.random.next() < options.exploreProbability &&
        (options.lossBound === Number.POSITIVE_INFINITY || this.dynamic.loss(c) < options.lossBound);
      const index = explore ? predicted : goldIndex;
      const cls = explore ? predictedClass : goldClass;
      system.apply(c, decider.moves[index]!, classes.labels[cls]!);
    }
  }

  /** The index of the best-scoring correct move; the prediction itself if it is one. */
  private bestCorrect(c: Configuration, predicted: number): number {
    const { decider } = this;
    const { moves, count } = decider;
    if (this.dynamic) {
      // The predicted move first: in most configurations that settles it.
      const sure = this.dynamic.isOptimal(c, moves[predicted]!);
      if (sure && this.labelFits(c, predicted)) return predicted;
      let best = -1;
      let score = 0;
      for (let i = 0; i < count; i++) {
        if (i === predicted ? !sure : !this.dynamic.isOptimal(c, moves[i]!)) continue;
        const s = this.correctScore(c, i);
        if (best < 0 || s > score) {
          best = i;
          score = s;
        }
      }
      return best >= 0 ? best : moves.indexOf(this.dynamic.optimal(c));
    }
    if (this.several) {
      const correctCount = this.several.correct(c, this.correct);
      this.correctCount = correctCount;
      let best = -1;
      let score = 0;
      for (let j = 0; j < correctCount; j++) {
        const i = moves.indexOf(this.correct[j]!);
        const s = this.correctScore(c, i);
        if (best < 0 || s > score) {
          best = i;
          score = s;
        }
      }
      return best;
    }
    return moves.indexOf(this.fixed.next(c));
  }

  /**
   * The move of the best wrong class (left in `rivalClass`) if it comes within the margin of the prediction, which is right;
   * else -1.
   */
  private closeRival(c: Configuration, predicted: number, predictedClass: number): number {
    if (this.margin === 0) return -1;
    const { decider, classes } = this;
    const { moves, count } = decider;
    let least = decider.scoreOf(predicted) - this.margin;
    let rival = -1;
    if (this.goldLabel(c, predicted) >= 0) {
      const scores = classes.perMove ? decider.rescore(c, predicted) : this.scores;
      const group = classes.groupOf(moves[predicted]!);
      const last = classes.from[group + 1]!;
      for (let k = classes.from[group]!; k < last; k++) {
        if (k === predictedClass || scores[k]! <= least) continue;
        least = scores[k]!;
        rival = predicted;
        this.rivalClass = k;
      }
    }
    for (let i = 0; i < count; i++) {
      if (i === predicted || decider.scoreOf(i) <= least || (this.isCorrect(c, i) && this.labelFits(c, i))) continue;
      least = decider.scoreOf(i);
      rival = i;
      this.rivalClass = decider.bestClass[i]!;
    }
    return rival;
  }

  /** Whether a move other than the prediction is right, too. */
  private isCorrect(c: Configuration, index: number): boolean {
    const move = this.decider.moves[index]!;
    if (this.dynamic) return this.dynamic.isOptimal(c, move);
    if (!this.several) return false;
    for (let j = 0; j < this.correctCount; j++) if (this.correct[j] === move) return true;
    return false;
  }

  private dropFeatures(): void {
    const dropped = this.decider.extractor.dropped!;
    for (let t = 0; t < dropped.length; t++) dropped[t] = this.random.next() < this.featureDropout ? 1 : 0;
  }

  /** If the arc of the move is gold, only its gold label is right; else (or without an arc) any. */
  private goldLabel(c: Configuration, index: number): number {
    const move = this.decider.moves[index]!;
    if (!isArc(move)) return -1;
    const dependent = this.system.dependent(c, move);
    return this.gold.has(this.system.head(c, move), dependent) ? this.gold.labels![dependent]! : -1;
  }

  private labelFits(c: Configuration, index: number): boolean {
    const label = this.goldLabel(c, index);
    return label < 0 || this.classes.labels[this.decider.bestClass[index]!] === label;
  }

  private correctClass(c: Configuration, index: number): number {
    const label = this.goldLabel(c, index);
    if (label < 0) return this.decider.bestClass[index]!;
    return this.classes.classOf(this.classes.groupOf(this.decider.moves[index]!), label);
  }

  private correctScore(c: Configuration, index: number): number {
    const label = this.goldLabel(c, index);
    if (label < 0 || this.labelFits(c, index)) return this.decider.scoreOf(index);
    if (this.classes.perMove) return this.decider.rescore(c, index)[this.correctClass(c, index)]!;
    return this.scores[this.correctClass(c, index)]!;
  }

  private update(c: Configuration, move: Move, cls: number, change: number): void {
    const { extractor } = this.decider;
    if (this.classes.perMove) {
      extractor.extract(c, move);
      extractor.hash();
    }
    this.weights.update(extractor.features, cls, change, this.time);
  }
}

/** The options that have a value. */
function given<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
