/** The labels that removed words have in a tree, by the way in which they were removed. */
const LABELS = ["", "discourse:filler", "discourse", "reparandum"];

/** The arcs that removed words had among each other when they were removed; NONE where there are none. */
interface InnerArcs {
  readonly heads: ArrayLike<number>;
  readonly labels: readonly string[];
}

/**
 * Attaches the removed words of a tree, which have no heads, so that it is one again: a word that had a head among the
 * words removed with it keeps that head; the others get their label by how they were removed and hang on the phrase
 * that begins with the next word that stays, or where there is none, ends with the last. Changes heads and labels in
 * place.
 */
export function attachRemoved(
  heads: Int32Array,
  labels: string[],
  removed: ArrayLike<number>,
  inner?: InnerArcs,
): void {
  const n = heads.length - 1;
  const outermost = new Int32Array(n + 1).fill(-1);
  const stays = (word: number) => removed[word] === 0;
  let last = 0;
  for (let d = n; d > 0; d--) {
    if (!stays(d)) continue;
    if (last === 0) last = d;
    // The leftmost dependent of each word that stays.
    if (heads[d]! > d) outermost[heads[d]!] = d;
  }
  let next = 0;
  if (last > 0) {
    // The mark that ends the sentence hangs on the word at the top of its last part.
    next = last;
    while (heads[next]! > 0) next = heads[next]!;
  }
  for (let d = n; d > 0; d--) {
    if (stays(d)) {
      next = d;
      while (heads[next]! > next && outermost[heads[next]!] === next) next = heads[next]!;
      continue;
    }
    const head = inner?.heads[d] ?? -1;
    heads[d] = head > 0 ? head : next;
    labels[d] = head > 0 ? inner!.labels[d]! : LABELS[removed[d]!]!;
  }
  if (last > 0 || n === 0) return;
  // Nothing stays: the first word that has no head is the root.
  let root = 0;
  for (let d = 1; d <= n; d++) {
    if (heads[d] !== 0) continue;
    if (root === 0) {
      root = d;
      labels[d] = "root";
    } else heads[d] = root;
  }
}
