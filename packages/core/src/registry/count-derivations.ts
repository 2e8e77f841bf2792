import { check, number } from "../checks/options.js";
import { SYSTEM } from "../checks/shapes.js";
import {
  byConfigurations,
  DERIVATION_LIMIT,
  type DerivationCount,
  exactly,
  rootsOf,
} from "../systems/analysis/derivations.js";
import { Configuration } from "../systems/configuration.js";
import { checkGold, type GoldTree } from "../systems/oracles/gold-tree.js";
import { SearchedOracle } from "../systems/oracles/searched-oracle.js";
import type { TransitionSystem } from "../systems/system.js";
import { canBuild, staticOracle } from "./oracles.js";
import { systemTraining } from "./training.js";

/**
 * The number of derivations of a tree. Swap is counted by its configurations, `limit` of them at most; Attardi's system
 * by combinations of parts of derivations, 100 times as many at most; a system without a method of its own as swap is;
 * the other systems without a limit. A tree that the system cannot build has 0 derivations, however long it is.
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
  const counted = (systemTraining(system.name).countDerivations ?? byConfigurations)(system, gold, limit);
  return counted.count === undefined && isHopeless(system, gold) ? exactly(0n) : counted;
}

/** Does the static oracle find no derivation? One that searches would take as long as counting. */
function isHopeless(system: TransitionSystem, gold: GoldTree): boolean {
  const oracle = staticOracle(system);
  return !(oracle instanceof SearchedOracle) && !canBuild(system, gold, new Configuration(gold.length), oracle);
}
