import type { Words } from "../../features/columns.js";

/** The scorer of the tags of words and then of the labels of their tree: a linear model or a network. */
export interface TagScorer {
  bind(words: Words): void;
  /** The scores of all tags of word i, which stay until the next; what is after them has no meaning. */
  scoreTags(i: number): ArrayLike<number>;
  /** Visits the words of a tree with the scores of their labels, which stay until the next. */
  scoreLabels(heads: ArrayLike<number>, visit: (dependent: number, scores: ArrayLike<number>) => void): void;
  /** The output of the layers of a network for so many words, from the first on. */
  vectors?(count: number): Float32Array;
}
