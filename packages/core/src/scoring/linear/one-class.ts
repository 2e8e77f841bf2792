import type { LinearModel } from "./linear-model.js";

/**
 * Adds up the weights of at most `most` features for the class 0 of a model. A single class needs but a small
 * table, which stays in the cache better than one that serves many: a slot holds the high half of a feature and its
 * weight, 0 for none.
 */
export function sumOfOneClass(linear: LinearModel, most: number): (features: Int32Array) => number {
  let slots = 1 << 10;
  while (2 * slots < 3 * linear.size) slots *= 2;
  const mask = slots - 1;
  const table = new Int32Array(slots);
  linear.forEach((feature, cls, weight) => {
    if (cls !== 0) return;
    let slot = feature & mask;
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = (feature & ~0xffff) | (weight & 0xffff);
  });
  const entries = new Int32Array(most);
  return (features) => {
    const count = features.length;
    // First only fetch, so that cache misses overlap.
    for (let i = 0; i < count; i++) entries[i] = table[features[i]! & mask]!;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      let entry = entries[i]!;
      const feature = features[i]!;
      for (let slot = feature & mask; entry !== 0; entry = table[(slot = (slot + 1) & mask)]!) {
        if ((entry ^ feature) >>> 16 !== 0) continue;
        sum += (entry << 16) >> 16;
        break;
      }
    }
    return sum;
  };
}
