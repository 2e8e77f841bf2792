import { check, number, oneOf, TRUE_OR_FALSE, wholeNumber } from "../../checks/options.js";
import type { Sentence } from "../../treebank/sentence/sentence.js";
import { ratio } from "../scores.js";

/** Words whose scores are close to each other. */
export interface CalibrationBin {
  /** The bounds of equal-width bins; the lowest and the highest score of others, to 1 / 30,000. */
  from: number;
  /** The upper bound of its scores. */
  to: number;
  /** The number of words. */
  words: number;
  /** The mean of the scores. */
  meanScore: number;
  /** Share of the words with the right head and label. */
  accuracy: number;
}

/** The plain form of a calibration. */
export interface CalibrationSummary {
  /** Words that have a score. */
  words: number;
  /** The mean of the scores. */
  meanScore: number;
  /** The share of words that are right. */
  accuracy: number;
  /** Expected calibration error, see `Calibration.expectedError`. */
  expectedError: { width10: number; width15: number; mass10: number; mass15: number };
  /** The mean squared difference of score and truth (Brier 1950). */
  brier: number;
  /** How probable it is that a right word has the higher score than a wrong one. */
  auc: number;
  /** Ten of equal width. */
  bins: CalibrationBin[];
}

/**
 * `width`: each covers the same part of 0 … 1, without its upper bound except for the last. `mass`: each has about the
 * same number of words; equal scores stay together.
 */
export type Binning = "width" | "mass";

/** Scores are kept in so many cells, a multiple of 10 and of 15, so that memory does not grow with the words. */
const CELLS = 30_000;

/** Measures whether words with a score p have the right head and label with probability p. */
export class Calibration {
  /** The number of words. */
  words = 0;
  private squares = 0;
  private readonly counts = new Float64Array(CELLS + 1);
  private readonly rights = new Float64Array(CELLS + 1);
  private readonly sums = new Float64Array(CELLS + 1);

  /**
   * Add a word: its score, from 0 to 1, and whether its head and label are right.
   * @param score from 0 to 1
   * @param right whether head and label are right
   */
  add(score: number, right: boolean): void {
    check("score", score, number(0, 1));
    check("right", right, TRUE_OR_FALSE);
    // 0.7 × 30,000 must not fall below 21,000.
    const cell = Math.floor(score * CELLS + 1e-6);
    this.words++;
    this.squares += (score - (right ? 1 : 0)) ** 2;
    this.counts[cell]!++;
    this.sums[cell]! += score;
    if (right) this.rights[cell]!++;
  }

  /** The mean of the scores. */
  get meanScore(): number {
    return ratio(sum(this.sums), this.words);
  }

  /** The share of words that are right. */
  get accuracy(): number {
    return ratio(sum(this.rights), this.words);
  }

  /**
   * The mean of (score − 1)² over words that are right and score² over those that are not (Brier 1950): 0 is perfect,
   * and always saying the accuracy a gives a (1 − a).
   */
  get brier(): number {
    return ratio(this.squares, this.words);
  }

  /**
   * The area under the ROC curve: the probability that a word that is right has a higher score than one that is wrong;
   * 0.5 is chance.
   */
  get auc(): number {
    let below = 0;
    let pairs = 0;
    let right = 0;
    for (let cell = 0; cell <= CELLS; cell++) {
      const wrong = this.counts[cell]! - this.rights[cell]!;
      pairs += this.rights[cell]! * (below + wrong / 2);
      below += wrong;
      right += this.rights[cell]!;
    }
    return right === 0 || below === 0 ? 0.5 : pairs / (right * below);
  }

  /**
   * The bins that have words, by score.
   * @param count how many bins
   * @param binning of equal width, or with about as many words each
   */
  bins(count: number, binning: Binning): CalibrationBin[] {
    check("number of bins", count, wholeNumber(1));
    check("binning", binning, oneOf("width", "mass"));
    const bins: (CalibrationBin & { right: number; sum: number })[] = [];
    let before = 0;
    let last = -1;
    for (let cell = 0; cell <= CELLS; cell++) {
      const words = this.counts[cell]!;
      if (words === 0) continue;
      const place = binning === "width" ? cell / CELLS : (before + words / 2) / this.words;
      const index = Math.min(count - 1, Math.floor(place * count + 1e-9));
      before += words;
      if (index !== last) {
        const from = binning === "width" ? index / count : cell / CELLS;
        bins.push({ from, to: (index + 1) / count, words: 0, meanScore: 0, accuracy: 0, right: 0, sum: 0 });
        last = index;
      }
      const bin = bins.at(-1)!;
      bin.words += words;
      bin.right += this.rights[cell]!;
      bin.sum += this.sums[cell]!;
      if (binning === "mass") bin.to = cell / CELLS;
    }
    return bins.map(({ from, to, words, right, sum }) => ({
      ...{ from, to, words },
      ...{ meanScore: sum / words, accuracy: right / words },
    }));
  }

  /**
   * Expected calibration error (Naeini, Cooper & Hauskrecht 2015): how far the accuracy of a bin is from its mean
   * score, on average over words.
   * @param count how many bins
   * @param binning of equal width, or with about as many words each
   */
  expectedError(count: number, binning: Binning): number {
    let error = 0;
    for (const { words, meanScore, accuracy } of this.bins(count, binning))
      error += words * Math.abs(meanScore - accuracy);
    return ratio(error, this.words);
  }

  /** As plain data. */
  toJSON(): CalibrationSummary {
    const { words, meanScore, accuracy, brier, auc } = this;
    const expectedError = {
      width10: this.expectedError(10, "width"),
      width15: this.expectedError(15, "width"),
      mass10: this.expectedError(10, "mass"),
      mass15: this.expectedError(15, "mass"),
    };
    return { words, meanScore, accuracy, expectedError, brier, auc, bins: this.bins(10, "width") };
  }
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

const SCORE = /(?:^|\|)Score=([^|]*)/;

/**
 * The probability that a word has in MISC (`Score=0.973`), or undefined if it has none, or one that is not a number
 * from 0 to 1.
 */
export function scoreOf(sentence: Sentence, word: number): number | undefined {
  const written = SCORE.exec(sentence.misc(word))?.[1];
  if (written === undefined || written.trim() === "") return undefined;
  const score = Number(written);
  return score >= 0 && score <= 1 ? score : undefined;
}
