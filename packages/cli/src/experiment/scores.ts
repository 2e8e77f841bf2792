/**
 * Shares of right heads, of right heads with right labels, and of sentences with all heads right; of words that are no
 * punctuation, too.
 */
export interface Scores {
  uas: number;
  las: number;
  uem: number;
  wordUas: number;
  wordLas: number;
}

export const METRICS = ["las", "uas", "uem", "wordLas", "wordUas"] as const;
export type Metric = (typeof METRICS)[number];

/** The words of each sentence, and how many of them are right. */
export interface SentenceRights {
  gold: number[];
  uas: number[];
  las: number[];
  /** Without punctuation. */
  goldWords: number[];
  wordUas: number[];
  wordLas: number[];
}

/** Scores from counts. */
export function scoresOf({ gold, uas, las, goldWords, wordUas, wordLas }: Readonly<SentenceRights>): Scores {
  const words = sum(gold);
  const exact = uas.filter((right, i) => right === gold[i]).length;
  // Texts without any other words.
  const others = Math.max(1, sum(goldWords));
  return {
    uas: sum(uas) / words,
    las: sum(las) / words,
    uem: exact / gold.length,
    wordUas: sum(wordUas) / others,
    wordLas: sum(wordLas) / others,
  };
}

export function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** The standard deviation of a sample (divided by n - 1), undefined for a single value. */
export function deviation(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  const middle = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1));
}
