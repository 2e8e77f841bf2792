import type { Words } from "../../features/columns.js";
import type { ArcScores } from "../../math/edmonds.js";

/** The scorer of the arcs of a sentence and then of the labels of its tree: a linear model or a network. */
export interface GraphScorer {
  /** How many labels there are. */
  readonly labelCount: number;
  /** How much further apart the scores of labels are than those of arcs, for the same difference in probability. */
  readonly labelRatio: number;
  bind(words: Words): void;
  /** The output of the layers of a network for so many words, from the first on. */
  vectors?(count: number): Float32Array;
  /** Writes the score of each arc to where `ArcScores` has it. */
  scoreArcs(scores: ArcScores): void;
  /** The score added where two words are neighbouring dependents of a head: see `SiblingScore`; undefined for none. */
  readonly siblings: ((head: number, sibling: number, dependent: number) => number) | undefined;
  /** Visits the words of a tree with the scores of their labels, which stay until the next. */
  scoreLabels(heads: ArrayLike<number>, visit: (dependent: number, scores: ArrayLike<number>) => void): void;
}
