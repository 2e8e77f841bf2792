import type { ContextualVectors } from "../../scoring/network/network-data.js";
import type { Part } from "../../storage/part.js";

/** For each token of a text a step of how much it looks like the last one of a sentence, from 1 up. */
export type SentenceEndGuesses = (forms: readonly string[]) => Uint8Array;

/** Guesses where sentences end, for a segmenter that has learned with its guesses. */
export interface EndGuesser extends Part {
  /** The source of the guesses. */
  readonly contextual: ContextualVectors;
  guesses(): SentenceEndGuesses;
}
