import type { Words } from "../features/columns.js";
import type { Configuration } from "../systems/configuration.js";
import type { Move } from "../systems/transition.js";

/** Whatever gives scores to classes for a configuration. */
export interface ConfigurationScorer {
  /** The scores of the classes, after `score`. */
  readonly scores: Int32Array;
  /** Whether scores are logarithms, in LOG_UNITs, that become those of probabilities when that of their sum is taken away. */
  readonly isLogarithmic?: boolean;
  /** Take in the words of the next sentence. */
  bind(words: Words): void;
  /** Word i has another tag than when the words were bound. */
  retag(words: Words, i: number): void;
  /** Score a configuration; for LR-spines a move in it. */
  score(c: Configuration, move: Move): void;
}
