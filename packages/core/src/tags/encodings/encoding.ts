/** A way to write a tree as a sequence of tags, one for each word. */
export interface Encoding {
  /**
   * The tags of a tree, from place 1 on; undefined if no tags stand for it. The tree is given by the heads of its words
   * from 1 on, each of which has one.
   */
  encode(heads: ArrayLike<number>): string[] | undefined;
  /** Reads trees off the scores of these tags. */
  createDecoder(tags: readonly string[]): TagDecoder;
  /** Tags that are there whatever the training data. */
  readonly tags: readonly string[];
}

/** Chooses the tags of a sentence. */
export interface TagDecoder {
  /**
   * The heads of a tree over n words, always with exactly one root. Tag k of word i has the score at
   * `(i - 1) * tags + k`, and those that are chosen are written into `chosen`, from place 1 on.
   */
  decode(n: number, scores: ArrayLike<number>, chosen: Int32Array): Int32Array;
}
