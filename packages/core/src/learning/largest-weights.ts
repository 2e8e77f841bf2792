import type { ForEachWeight } from "../scoring/linear/quantized-weights.js";

/**
 * How large a weight must be for at most `most` weights to be kept, and none below `least`. Of equal weights all are
 * kept or none.
 */
export function thresholdOf(forEach: ForEachWeight, least: number, most: number | undefined): number {
  if (most === undefined) return least;
  let count = 0;
  forEach((_feature, _cls, weight) => {
    if (Math.abs(weight) >= least) count++;
  });
  if (count <= most) return least;
  const sizes = new Float64Array(count);
  let at = 0;
  forEach((_feature, _cls, weight) => {
    if (Math.abs(weight) >= least) sizes[at++] = Math.abs(weight);
  });
  sizes.sort();
  // The largest that is left out; what is kept is larger.
  const left = sizes[count - most - 1]!;
  const kept = sizes.subarray(count - most).find((size) => size > left);
  return kept ?? Number.POSITIVE_INFINITY;
}
