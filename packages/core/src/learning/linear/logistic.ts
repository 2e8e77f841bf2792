import type { Extractor } from "../../features/extractor.js";
import { softmax, toGradients } from "../../math/softmax.js";
import type { Decider } from "../../search/decider.js";
import type { Configuration } from "../../systems/configuration.js";
import type { Correctness } from "../correctness.js";
import type { Learner } from "./learner.js";
import type { Weights } from "./weights.js";

/** Weights and scores are integers, as many times larger: sums of them are exact, whatever their order. */
export const SCALE = 1 << 20;
/**
 * Gradients nearer to 0 than this change nothing: so a feature has weights only for classes that it was once mistaken
 * for.
 */
export const LEAST_GRADIENT = 0.05;
/** Moves whose best score is so far below the best of all are left out: e^-12 is nothing beside the least gradient. */
const FAR = 12 * SCALE;
/** Scores farther below the best than this count as so far: what is correct must not lose all its probability. */
export const FARTHEST = 100 * SCALE;

/**
 * Multinomial logistic regression: the probability of a class of a permitted move is its share of the sum of e^score,
 * and the loss −log of the probability that the correct classes have together. One step of AdaGrad for each
 * configuration.
 */
export class Logistic implements Learner {
  readonly unit = 1 / SCALE;
  // The classes of the moves that are near, one move after the other.
  private values = new Float64Array(64);
  private isCorrect = new Uint8Array(64);
  /** Where those of each move begin; -1 if it is far. */
  private readonly begins: number[] = [];
  private readonly classes: Int32Array;
  private readonly gradients: Float32Array;

  /**
   * `features`: those of the configuration that was extracted last. `rate`: the largest change of a weight, for a
   * gradient of 1.
   */
  constructor(
    private readonly weights: Weights,
    private readonly decider: Decider,
    private readonly extractor: Extractor,
    private readonly correctness: Correctness,
    private readonly features: Int32Array,
    private readonly rate: number,
  ) {
    this.classes = new Int32Array(decider.classes.size);
    this.gradients = new Float32Array(decider.classes.size);
  }

  learn(c: Configuration, predicted: number, correct: number, correctClass: number, time: number): boolean {
    const { decider, extractor, begins } = this;
    const { bestClass, classes, moves, count } = decider;
    const values = this.probabilities(c, predicted, correct);
    if (correct === predicted && correctClass === bestClass[predicted]) {
      const at = begins[predicted]! + correctClass - classes.from[classes.groupOf(moves[predicted]!)]!;
      // Whatever else is correct, hardly anything is left to learn: saves asking the oracle.
      if (values[at]! > 1 - LEAST_GRADIENT) return false;
    }
    const isCorrect = this.mark(c, correct, values);
    const right = toGradients(values, isCorrect);
    if (right > 1 - LEAST_GRADIENT) return false;
    let size = 0;
    for (let i = 0; i < count; i++) {
      if (begins[i]! < 0) continue;
      const group = classes.groupOf(moves[i]!);
      let at = begins[i]!;
      for (let k = classes.from[group]!; k < classes.from[group + 1]!; k++, at++) {
        if (Math.abs(values[at]!) < LEAST_GRADIENT) continue;
        this.classes[size] = k;
        this.gradients[size++] = values[at]!;
      }
      if (!classes.perMove || size === 0) continue;
      extractor.extract(c, moves[i]!);
      extractor.hash();
      this.descend(size, time);
      size = 0;
    }
    if (size > 0) this.descend(size, time);
    return right < 0.5;
  }

  private descend(size: number, time: number): void {
    const { weights, features, classes, gradients, rate } = this;
    weights.descend(features, classes, gradients, size, rate * SCALE, time);
  }

  /** The probabilities of the classes of all moves that are near. */
  private probabilities(c: Configuration, predicted: number, correct: number): Float64Array {
    const { decider, begins } = this;
    const { classes, moves, count } = decider;
    const top = decider.scoreOf(predicted);
    let size = 0;
    for (let i = 0; i < count; i++) {
      begins[i] = -1;
      if (i !== correct && decider.scoreOf(i) < top - FAR) continue;
      begins[i] = size;
      const group = classes.groupOf(moves[i]!);
      const from = classes.from[group]!;
      const classCount = classes.from[group + 1]! - from;
      while (size + classCount > this.values.length) this.grow();
      const { values } = this;
      const scores = classes.perMove ? decider.rescore(c, i) : decider.scores;
      for (let k = 0; k < classCount; k++) values[size++] = Math.max(scores[from + k]! - top, -FARTHEST) / SCALE;
    }
    const values = this.values.subarray(0, size);
    softmax(values);
    return values;
  }

  /** Which of them are correct. The oracle is not asked about moves that are too improbable to matter. */
  private mark(c: Configuration, correct: number, values: Float64Array): Uint8Array {
    const { decider, begins, correctness, isCorrect } = this;
    const { classes, moves, count } = decider;
    for (let i = 0; i < count; i++) {
      const begin = begins[i]!;
      if (begin < 0) continue;
      const group = classes.groupOf(moves[i]!);
      const end = begin + classes.from[group + 1]! - classes.from[group]!;
      let all = 0;
      for (let at = begin; at < end; at++) all += values[at]!;
      if (i !== correct && (all < LEAST_GRADIENT || !correctness.isCorrect(c, i))) {
        isCorrect.fill(0, begin, end);
        continue;
      }
      const label = correctness.label(c, i);
      isCorrect.fill(label < 0 ? 1 : 0, begin, end);
      if (label >= 0) isCorrect[begin + classes.classOf(group, label) - classes.from[group]!] = 1;
    }
    return isCorrect;
  }

  private grow(): void {
    const { values } = this;
    this.values = new Float64Array(2 * values.length);
    this.values.set(values);
    this.isCorrect = new Uint8Array(2 * values.length);
  }
}
