import type { Sentence } from "./sentence.js";

/** The head and the label of each word, as a parser gives them; index 0 is unused. */
export interface ParsedTree {
  /** The head of each word, 0 for the root; index 0 is unused. */
  heads: Int32Array;
  /** The label of each word; index 0 is unused. */
  labels: string[];
  /** Where words may be left out: why each of them was, from 1, 0 if it was not. They have heads all the same. */
  leftOut?: Uint8Array | undefined;
  /** Annotations found along with the tree. */
  annotations?: readonly Annotation[] | undefined;
}

/** Something that is said of a sentence besides its tree, such as semantic roles; it has a place in CoNLL-U. */
export interface Annotation {
  /** Writes it into its sentence, instead of what that has of the kind, if the format has room for it. */
  writeTo(sentence: Sentence): void;
  /** Does a sentence have something of the kind? */
  isIn(sentence: Sentence): boolean;
}
