import { NONE } from "../../systems/configuration.js";

/**
 * Gives word d of a tree its head in `wanted`, and changes besides only the head of a word that is free there, so that
 * a tree remains, with one root if it had one and is to. `wanted` must be without cycles and, with one root, have at
 * most one word on 0. O(n).
 */
export function imposeHead(heads: Int32Array, d: number, wanted: ArrayLike<number>, oneRoot = true): void {
  const head = wanted[d]!;
  const before = heads[d]!;
  if (before === head) return;
  if (head === 0) {
    // The old root hangs on the new one.
    if (oneRoot) heads[heads.indexOf(0)] = d;
    heads[d] = 0;
    return;
  }
  // If the new head is below d, the free word nearest to it on the way up to d takes the place of d: there is one, for
  // the wanted heads have no cycle.
  let free = NONE;
  let node = head;
  for (; node > 0 && node !== d; node = heads[node]!) {
    if (free === NONE && (wanted[node]! === NONE || wanted[node] !== heads[node])) free = node;
  }
  if (node === d) heads[free] = before;
  heads[d] = head;
}
