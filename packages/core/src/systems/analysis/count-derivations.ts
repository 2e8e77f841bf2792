import type { GoldTree } from "../oracles/gold-tree.js";
import type { TransitionSystem } from "../system.js";
import { teachingOf } from "../teaching/teaching.js";
import { byConfigurations, DERIVATION_LIMIT, rootsOf } from "./derivations.js";

/**
 * The number of derivations of a tree, 0 if the system cannot build it; undefined if it was not counted, because that takes
 * more than `limit` configurations in swap, or 100 times as many combinations of parts in Attardi's system.
 */
export function countDerivations(
  system: TransitionSystem,
  gold: GoldTree,
  limit = DERIVATION_LIMIT,
): bigint | undefined {
  // The constraint forbids no derivation of a tree with one root.
  if (system.singleRoot && rootsOf(gold) !== 1) return 0n;
  return (teachingOf(system.name).countDerivations ?? byConfigurations)(system, gold, limit);
}
