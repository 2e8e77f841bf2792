import type { Extractor } from "../../features/extractor.js";
import type { Decider } from "../../search/decider.js";
import type { Configuration } from "../../systems/configuration.js";
import type { Correctness } from "../correctness.js";
import type { Learner } from "./learner.js";
import type { Weights } from "./weights.js";

/**
 * The perceptron with a margin: when the prediction is wrong, or a wrong class comes too close to it, the correct class
 * gains 1 for every feature and the wrong one loses 1.
 */
export class Perceptron implements Learner {
  readonly unit = 1;
  private rivalClass = -1;

  /**
   * `features`: those of the configuration that was extracted last. `margin`: how far below the prediction, if it is
   * right, the scores of wrong classes must be.
   */
  constructor(
    private readonly weights: Weights,
    private readonly decider: Decider,
    private readonly extractor: Extractor,
    private readonly correctness: Correctness,
    private readonly features: Int32Array,
    private readonly margin: number,
  ) {}

  learn(c: Configuration, predicted: number, correct: number, correctClass: number, time: number): boolean {
    const predictedClass = this.decider.bestClass[predicted]!;
    const right = correct === predicted && correctClass === predictedClass;
    const wrong = right ? this.closeRival(c, predicted, predictedClass) : predicted;
    if (wrong < 0) return false;
    this.update(c, correct, correctClass, 1, time);
    this.update(c, wrong, right ? this.rivalClass : predictedClass, -1, time);
    return true;
  }

  /**
   * The move of the best wrong class (left in `rivalClass`) if it comes within the margin of the prediction, which is
   * right; else -1.
   */
  private closeRival(c: Configuration, predicted: number, predictedClass: number): number {
    if (this.margin === 0) return -1;
    const { decider, correctness } = this;
    const { moves, count, classes } = decider;
    let least = decider.scoreOf(predicted) - this.margin;
    let rival = -1;
    if (correctness.label(c, predicted) >= 0) {
      const scores = classes.perMove ? decider.rescore(c, predicted) : decider.scores;
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
      if (i === predicted || decider.scoreOf(i) <= least) continue;
      if (correctness.isCorrect(c, i) && correctness.labelFits(c, i)) continue;
      least = decider.scoreOf(i);
      rival = i;
      this.rivalClass = decider.bestClass[i]!;
    }
    return rival;
  }

  private update(c: Configuration, index: number, cls: number, change: number, time: number): void {
    const { extractor } = this;
    const { classes, moves } = this.decider;
    if (classes.perMove) {
      extractor.extract(c, moves[index]!);
      extractor.hash();
    }
    this.weights.update(this.features, cls, change, time);
  }
}
