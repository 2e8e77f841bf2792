import type { ForEachWeight } from "../../scoring/linear/quantized-weights.js";

/** The seed of a member of a committee: 1000 apart, so that those of neighbouring seeds share none. */
export function memberSeed(seed: number, member: number): number {
  return seed + 1000 * member;
}

/**
 * The mean of the weights of several models with the same features and classes (parameter mixing: McDonald, Hall & Mann
 * 2010). Models that were trained on the same data in different order make different mistakes; their mean makes fewer,
 * and is as fast as one of them.
 */
export function meanOf(models: readonly ForEachWeight[]): ForEachWeight {
  if (models.length === 1) return models[0]!;
  // For each feature a list of entries, linked from the last to the first.
  const last = new Map<number, number>();
  let classes = new Uint16Array(1 << 16);
  let sums = new Float64Array(1 << 16);
  let previous = new Int32Array(1 << 16);
  let end = 0;
  for (const forEach of models) {
    forEach((feature, cls, weight) => {
      const first = last.get(feature) ?? -1;
      let entry = first;
      while (entry >= 0 && classes[entry] !== cls) entry = previous[entry]!;
      if (entry < 0) {
        if (end === classes.length) {
          classes = grown(classes, new Uint16Array(2 * end));
          sums = grown(sums, new Float64Array(2 * end));
          previous = grown(previous, new Int32Array(2 * end));
        }
        entry = end++;
        classes[entry] = cls;
        previous[entry] = first;
        last.set(feature, entry);
      }
      sums[entry]! += weight;
    });
  }
  return (visit) => {
    for (const [feature, first] of last) {
      for (let entry = first; entry >= 0; entry = previous[entry]!) {
        visit(feature, classes[entry]!, sums[entry]! / models.length);
      }
    }
  };
}

function grown<T extends Uint16Array | Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from as never);
  return to;
}
