import { check, number } from "../checks/options.js";
import { SYSTEM } from "../checks/shapes.js";
import {
  byConfigurations,
  DERIVATION_LIMIT,
  type DerivationCount,
  exactly,
  rootsOf,
} from "../systems/analysis/derivations.js";
import { checkGold, type GoldTree } from "../systems/oracles/gold-tree.js";
import type { TransitionSystem } from "../systems/system.js";
import { systemTraining } from "./training.js";

/**
 * The number of derivations of a tree. Swap is counted by its configurations, `limit` of them at most; Attardi's system
 * by combinations of parts of derivations, 100 times as many at most; a system without a method of its own as swap is;
 * the other systems without a limit.
 * @param system the transition system
 * @param gold the gold tree
 * @param limit the most configurations to look at
 */
export function countDerivations(system: TransitionSystem, gold: GoldTree, limit = DERIVATION_LIMIT): DerivationCount {
  check("system", system, SYSTEM);
  checkGold(gold);
  check("limit", limit, number(0));
  // The constraint forbids no derivation of a tree with one root.
  if (system.singleRoot && rootsOf(gold) !== 1) return exactly(0n);
  return (systemTraining(system.name).countDerivations ?? byConfigurations)(system, gold, limit);
}
