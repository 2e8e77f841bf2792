import type { Extractor } from "../../features/extractor.js";
import { NO_FEATURE } from "../../math/hash.js";
import type { Decider } from "../../search/decider.js";
import type { Configuration } from "../../systems/configuration.js";
import type { Correctness } from "../correctness.js";
import type { Learner } from "./learner.js";
import type { Weights } from "./weights.js";

/** Weights and scores are integers, as many times larger. */
export const SCALE = 1 << 18;

/**
 * The treatment of a wrong class: with its cost, in the class that was predicted, or in the one for which score and
 * cost together are worst (Crammer et al. 2006, section 6).
 */
export const COST_SENSITIVE = ["prediction-based", "max-loss"] as const;
/** One of `COST_SENSITIVE`. */
export type CostSensitive = (typeof COST_SENSITIVE)[number];

/**
 * The passive-aggressive algorithm (Crammer et al. 2006, PA-I): a wrong class must stay below the right one by a
 * margin, and where it does not, the weights change by the least that makes it so, but by no more than
 * `aggressiveness`.
 *
 * The margin is 1, for the best wrong class. With costs it is the square root of what the class costs, by the oracle
 * and 1 for a wrong label: of the class that was predicted, which changes nothing where the prediction is right, or of
 * the class that is farthest beyond its margin.
 */
export class PassiveAggressive implements Learner {
  readonly unit = 1 / SCALE;
  /** The features of the right move while those of the wrong one are looked at, where each has its own. */
  private readonly rightFeatures: Int32Array;
  private wrongClass = -1;
  /** The distance of the wrong class from its margin. */
  private lack = 0;

  /** `features`: those of the configuration that was extracted last. */
  constructor(
    private readonly weights: Weights,
    private readonly decider: Decider,
    private readonly extractor: Extractor,
    private readonly correctness: Correctness,
    private readonly features: Int32Array,
    private readonly aggressiveness: number,
    private readonly costSensitive: CostSensitive | undefined,
  ) {
    this.rightFeatures = new Int32Array(features.length);
  }

  learn(c: Configuration, predicted: number, correct: number, correctClass: number, time: number): boolean {
    const { decider, features, rightFeatures } = this;
    const isWrong = correct !== predicted || correctClass !== decider.bestClass[predicted];
    // The scores of the right class: it may not be the best of its move.
    const scores = decider.classes.perMove ? decider.rescore(c, correct) : decider.scores;
    const right = scores[correctClass]!;
    const wrong = this.worst(c, predicted, right, isWrong);
    if (wrong < 0) return false;
    this.extract(c, correct);
    rightFeatures.set(features);
    this.extract(c, wrong);
    const size = distance(rightFeatures, features, correctClass === this.wrongClass);
    const step = Math.round(Math.min(this.aggressiveness * SCALE, this.lack / Math.max(1, size)));
    if (step > 0) {
      this.weights.update(features, this.wrongClass, -step, time);
      this.weights.update(rightFeatures, correctClass, step, time);
    }
    return isWrong;
  }

  /**
   * The move of the wrong class that lacks most to its margin, which is left in `wrongClass` and `lack`; -1 if none
   * lacks anything.
   */
  private worst(c: Configuration, predicted: number, right: number, isWrong: boolean): number {
    const { decider, correctness, costSensitive } = this;
    const { classes, moves, count, bestClass } = decider;
    this.lack = 0;
    if (costSensitive === "prediction-based") {
      if (!isWrong) return -1;
      this.wrongClass = bestClass[predicted]!;
      this.lack = decider.scoreOf(predicted) - right + this.margin(c, predicted, this.wrongClass);
      return predicted;
    }
    let wrong = -1;
    for (let i = 0; i < count; i++) {
      const isCorrect = correctness.isCorrect(c, i);
      const label = isCorrect ? correctness.label(c, i) : -1;
      // A correct move without a label of its own is right whatever its label.
      if (isCorrect && label < 0) continue;
      const group = classes.groupOf(moves[i]!);
      const first = classes.from[group]!;
      const last = classes.from[group + 1]!;
      const rightClass = isCorrect ? classes.classOf(group, label) : -1;
      // All wrong labels of a move cost the same: the best of them lacks most.
      let top = bestClass[i]!;
      let score = decider.scoreOf(i);
      if (top === rightClass) {
        const scores = classes.perMove ? decider.rescore(c, i) : decider.scores;
        top = -1;
        for (let k = first; k < last; k++) {
          if (k === rightClass || (top >= 0 && scores[k]! <= score)) continue;
          top = k;
          score = scores[k]!;
        }
        if (top < 0) continue;
      }
      const lack = score - right + this.margin(c, i, top);
      if (lack <= this.lack) continue;
      this.lack = lack;
      this.wrongClass = top;
      wrong = i;
    }
    return wrong;
  }

  /** How far below the right class a wrong one must be. */
  private margin(c: Configuration, index: number, cls: number): number {
    return this.costSensitive === undefined ? SCALE : SCALE * Math.sqrt(this.correctness.cost(c, index, cls));
  }

  private extract(c: Configuration, index: number): void {
    if (!this.decider.classes.perMove) return;
    this.extractor.extract(c, this.decider.moves[index]!);
    this.extractor.hash();
  }
}

/** The square of the distance between two vectors of features, of the same class or of two. */
function distance(one: Int32Array, other: Int32Array, sameClass: boolean): number {
  let size = 0;
  for (let t = 0; t < one.length; t++) {
    // A feature of a template is hardly ever one of another template, too.
    if (sameClass && one[t] === other[t]) continue;
    if (one[t] !== NO_FEATURE) size++;
    if (other[t] !== NO_FEATURE) size++;
  }
  return size;
}
