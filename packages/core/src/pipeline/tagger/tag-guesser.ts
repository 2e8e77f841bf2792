import type { ContextualVectors } from "../../scoring/network/network-data.js";
import type { Part } from "../../storage/part.js";

/**
 * A guess for each word of a sentence, in one number: its best class, the second, and how much better the best is than
 * the second.
 */
export type TagGuesses = (forms: readonly string[]) => Int32Array;

/** Bits for the number of a class in a guess. */
export const CLASS_BITS = 12;
/** The bits of a guess that have its best class. */
export const BEST_GUESS = (1 << CLASS_BITS) - 1;

/** Guesses the tags of words, for a tagger that has learned with its guesses. */
export interface TagGuesser extends Part {
  /** The source of the guesses. */
  readonly contextual: ContextualVectors;
  guesses(): TagGuesses;
}
