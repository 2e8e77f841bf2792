import { NONE, type RootPosition } from "../configuration.js";
import { overParts, type Part, type PartValues } from "../losses/attardi/parts.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import { headsByPlace } from "./places.js";

/**
 * The number of derivations in Attardi's system of degree d, as sums and products over their parts. Only gold arcs are
 * built, so that few combinations occur: O(n) beginnings on projective trees, polynomial in n for any tree. Undefined
 * if there are more than `combinations` of them.
 */
export function countByParts(
  degree: number,
  gold: GoldTree,
  root: RootPosition,
  combinations: number,
): bigint | undefined {
  const heads = headsByPlace(gold, root);
  const size = heads.length;
  const lastDependent = new Int32Array(size).fill(NONE);
  for (let d = 0; d < size; d++) if (heads[d]! >= 0) lastDependent[heads[d]!] = d;

  // An arc is in vain if a dependent of its dependent is still to come, or among the nodes at hand.
  const inVain = (d: number, lowest: number, above: Part<bigint>) =>
    lastDependent[d]! >= above.next || heads[lowest] === d || above.nodes.some((node) => heads[node] === d);

  const counts: PartValues<bigint> = {
    one: 1n,
    either: (count, other) => count + other,
    join: (below, above, head, dependent) =>
      heads[dependent] !== head || inVain(dependent, below.nodes[0]!, above) ? undefined : below.value * above.value,
  };
  const left = overParts(degree, size, counts, combinations);
  if (!left) return undefined;
  let sum = 0n;
  for (const count of left.values()) sum += count;
  return sum;
}
