import type { Words } from "../features/columns.js";
import type { Configuration } from "../systems/configuration.js";
import type { Move } from "../systems/transition.js";

/** Whatever gives scores to classes for a configuration. */
export interface ConfigurationScorer {
  /** The scores of the classes, after `score`. */
  readonly scores: Int32Array;
  /**
   * Given if scores are logarithms, which become those of probabilities when that of their sum is taken away: what a
   * logarithm of 1 is as a score. Sums of such scores can be compared only then; those of a perceptron that was trained
   * with a beam as they are.
   */
  readonly logUnit?: number | undefined;
  /** Given with `logUnit` if sums of scores can be compared as they are all the same. */
  readonly isGlobal?: boolean | undefined;
  /** The output of the layers of a network for so many words, from the first on. */
  vectors?(count: number): Float32Array;
  /** Take in the words of the next sentence. */
  bind(words: Words): void;
  /** Score a configuration; for LR-spines a move in it. */
  score(c: Configuration, move: Move): void;
}
