// The common part of systems in which a word that has its head stays where arcs are built (Covington's, 2-planar):
// there it is not enough that the dependent has no head yet, an arc must not close a cycle either.

import { type Configuration, GONE, NONE } from "./configuration.js";

/** May the arc be built? Its dependent is not 0, has no head, and there is no path from it to its head. O(depth). */
export function mayAttach(c: Configuration, head: number, dependent: number): boolean {
  return dependent > 0 && head !== NONE && c.heads[dependent] === NONE && topOf(c, head) !== dependent;
}

/** The word at the top of the tree that a word is in: it has no head, or 0. */
export function topOf({ heads }: Configuration, word: number): number {
  let top = word;
  while (heads[top]! > 0) top = heads[top]!;
  return top;
}

/**
 * Can all words still come under one root, if the arc head → dependent (NONE for none) is built? The last word, which
 * everything before it passes, collects the trees that it still meets: those with a top below `limit` that is neither
 * gone nor `leaving`. One tree may be out of its reach; then it has to find a place in that tree itself. O(n · depth).
 */
export function canUnite(
  c: Configuration,
  head: number,
  dependent: number,
  limit: number,
  leaving: number = NONE,
): boolean {
  const { heads, where, length: last } = c;
  if (dependent > 0) heads[dependent] = head;
  const meets = (word: number) => word < limit && word !== leaving && where[word] !== GONE;
  const united = () => {
    let beyond = NONE;
    for (let word = 1; word < last; word++) {
      if (heads[word]! > 0 || (heads[word] === NONE && meets(word))) continue;
      if (beyond !== NONE) return false;
      beyond = word;
    }
    if (beyond === NONE || topOf(c, last) === beyond) return true;
    if (heads[last] !== NONE) return false;
    for (let word = 1; word < last; word++) if (meets(word) && topOf(c, word) === beyond) return true;
    return false;
  };
  const answer = united();
  if (dependent > 0) heads[dependent] = NONE;
  return answer;
}
