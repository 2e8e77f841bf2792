import type { Configuration } from "../../systems/configuration.js";

/** The learner from single configurations. */
export interface Learner {
  /** The unit of weights: weights are kept as integers. */
  readonly unit: number;
  /**
   * Learn from a configuration that the decider has scored: the index of the predicted move, that of the best-scoring
   * correct one and its class, and the number of configurations so far. Returns whether that was a mistake, after which
   * training may leave the sentence or ask again.
   */
  learn(c: Configuration, predicted: number, correct: number, correctClass: number, time: number): boolean;
}
