/** Shares of right heads, of right heads with right labels, and of sentences with all heads right. */
export interface Scores {
  uas: number;
  las: number;
  uem: number;
}

export const METRICS = ["las", "uas", "uem"] as const;
export type Metric = (typeof METRICS)[number];

/** Scores from counts; `gold` has the words of each sentence. */
export function scoresOf(
  { uas, las }: { readonly uas: readonly number[]; readonly las: readonly number[] },
  gold: readonly number[],
): Scores {
  const words = sum(gold);
  const exact = uas.filter((right, i) => right === gold[i]).length;
  return { uas: sum(uas) / words, las: sum(las) / words, uem: exact / gold.length };
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
