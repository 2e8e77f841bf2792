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
}

/** Repeats of an aggressive update at one configuration, so that features that cannot be told apart do not hang it. */
const MOST_REPEATS = 50;

/** Online training of a greedy parser (thesis algorithms 4.3, 4.4, 5.3 and 5.4) with an averaged perceptron. */
export class OnlineTrainer {
  readonly weights = new Weights();
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
  private readonly scores: Int32Array;

  constructor(
    private readonly system: TransitionSystem,
    private readonly classes: Classes,
    templates: TemplateSet,
    private readonly options: OnlineOptions,
    private readonly random: Random,
  ) {
    this.decider = new Decider(system, classes, templates, this.weights);
    this.scores = this.decider.scores;
    this.fixed = system.staticOracle();
    this.several = options.regime === "non-deterministic" ? system.nonDeterministicOracle() : undefined;
    this.dynamic = options.regime === "dynamic" ? system.dynamicOracle() : undefined;
    if (options.regime === "non-deterministic" && !this.several)
      throw new RangeError(`${system.name} has no non-deterministic oracle`);
    if (options.regime === "dynamic" && !this.dynamic)
      throw new RangeError(`${system.name} has no dynamic oracle (use static)`);
  }

  /** Learn from one sentence. */
  learn(example: Example, epoch: number): void {
    const { c, gold, system, decider, classes, options } = this;
    gold.bind(example.heads, example.labels);
    const oracle = this.dynamic ?? this.several ?? this.fixed;
    oracle.bind(gold);
    decider.bind(example.words);
    system.initialize(c, gold.length);
    let repeats = 0;
    while (!system.isTerminal(c)) {
      const predicted = decider.decide(c);
      const predictedClass = decider.bestClass[predicted]!;
      const goldIndex = this.bestCorrect(c, predicted);
      const goldClass = this.correctClass(c, goldIndex);
      const right = goldIndex === predicted && goldClass === predictedClass;
      this.time++;
      if (!right) {
        this.updates++;
        this.update(c, decider.moves[goldIndex]!, goldClass, 1);
        this.update(c, decider.moves[predicted]!, predictedClass, -1);
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
    const features = this.classes.perMove ? extractor.extract(c, move) : extractor.features;
    this.weights.update(features, cls, change, this.time);
  }
}
