import { NONE } from "../configuration.js";

/** The weight of an arc that cannot be. */
export const NO_WAY = Number.NEGATIVE_INFINITY;

/**
 * The greatest weight that a tree over the nodes 0 … n with 0 at the top can have (Chu & Liu 1965, Edmonds 1967);
 * `weights[h][d]` is that of the arc h → d. O(n³). There must be some tree.
 */
export function heaviestTree(weights: readonly Float64Array[]): number {
  const size = weights.length;
  const best = new Int32Array(size).fill(NONE);
  let sum = 0;
  for (let d = 1; d < size; d++) {
    for (let h = 0; h < size; h++) {
      if (h !== d && (best[d] === NONE || weights[h]![d]! > weights[best[d]!]![d]!)) best[d] = h;
    }
    sum += weights[best[d]!]![d]!;
  }
  const cycle = someCycle(best);
  if (cycle.length === 0) return sum;
  // Contract the cycle into one node: an arc into it takes the place of the arc of the cycle into the same word.
  const inside = new Uint8Array(size);
  for (const d of cycle) inside[d] = 1;
  const outside = Array.from(best.keys()).filter((node) => !inside[node]);
  const merged = outside.length;
  const contracted = Array.from({ length: merged + 1 }, () => new Float64Array(merged + 1).fill(NO_WAY));
  outside.forEach((h, a) => {
    outside.forEach((d, b) => {
      contracted[a]![b] = weights[h]![d]!;
    });
    for (const x of cycle) {
      contracted[a]![merged] = Math.max(contracted[a]![merged]!, weights[h]![x]! - weights[best[x]!]![x]!);
      contracted[merged]![a] = Math.max(contracted[merged]![a]!, weights[x]![h]!);
    }
  });
  return heaviestTree(contracted) + cycle.reduce((total, x) => total + weights[best[x]!]![x]!, 0);
}

/** The nodes of some cycle among heads, none if there is no cycle. */
function someCycle(heads: Int32Array): number[] {
  const seenFrom = new Int32Array(heads.length).fill(NONE);
  for (let start = 1; start < heads.length; start++) {
    let node = start;
    while (node > 0 && seenFrom[node] === NONE) {
      seenFrom[node] = start;
      node = heads[node]!;
    }
    if (node <= 0 || seenFrom[node] !== start) continue;
    const cycle = [node];
    for (let x = heads[node]!; x !== node; x = heads[x]!) cycle.push(x);
    return cycle;
  }
  return [];
}
