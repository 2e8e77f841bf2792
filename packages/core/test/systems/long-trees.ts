// Trees of any length, in the shapes that are hardest on oracles and counts.

import { Random } from "../../src/math/random.js";

/** Heads of words 1 … n, with NONE in place 0. */
export type Heads = number[];

/** A projective tree, made by dividing the sentence at random. */
export function randomTree(n: number, seed: number): Heads {
  const random = new Random(seed);
  const heads = new Array<number>(n + 1).fill(-1);
  const agenda: [from: number, to: number, head: number][] = [[1, n, 0]];
  for (let part = agenda.pop(); part; part = agenda.pop()) {
    const [from, to, head] = part;
    if (from > to) continue;
    const root = from + Math.floor(random.next() * (to - from + 1));
    heads[root] = head;
    agenda.push([from, root - 1, root], [root + 1, to, root]);
  }
  return heads;
}

/**
 * Projective trees of 20 words in a row, each hanging on the root of the one before it: a long sentence as it occurs.
 */
export function sentencesInARow(n: number, seed: number): Heads {
  const heads = [-1];
  let root = 0;
  while (heads.length <= n) {
    const tree = randomTree(Math.min(20, n + 1 - heads.length), seed + heads.length);
    const before = heads.length - 1;
    const above = root;
    for (let d = 1; d < tree.length; d++) {
      if (tree[d] === 0) root = before + d;
      heads.push(tree[d] === 0 ? above : before + tree[d]!);
    }
  }
  return heads;
}

/** The same with an arc that crosses others in most of the trees. */
export function crossingInARow(n: number, seed: number): Heads {
  const heads = sentencesInARow(n, seed);
  for (let d = 3; d + 3 <= n; d += 20) {
    let above = d + 3;
    while (above > 0 && above !== d) above = heads[above]!;
    if (above === 0) heads[d] = d + 3;
  }
  return heads;
}

/** Every word hangs on the one before it. */
export function rightBranching(n: number): Heads {
  return Array.from({ length: n + 1 }, (_, d) => d - 1);
}

/** Every word hangs on the one behind it. */
export function leftBranching(n: number): Heads {
  return Array.from({ length: n + 1 }, (_, d) => (d === 0 ? -1 : d === n ? 0 : d + 1));
}

/** Every third word hangs on the last but one, over its neighbour. */
export function overItsNeighbour(n: number): Heads {
  return Array.from({ length: n + 1 }, (_, d) => (d < 2 ? d - 1 : d % 3 === 1 ? d - 2 : d - 1));
}
