import { arcEagerOracles } from "./arc-eager.js";
import { arcHybridOracles } from "./arc-hybrid.js";
import { arcStandardOracles } from "./arc-standard.js";
import { attardiOracles } from "./attardi.js";
import type { Configuration } from "./configuration.js";
import type { GoldTree } from "./gold.js";
import type { SystemName } from "./index.js";
import { lrSpinesOracles } from "./lr-spines.js";
import type { DynamicOracle, NonDeterministicOracle, OracleMakers, StaticOracle } from "./oracle.js";
import { swapOracles } from "./swap.js";
import type { TransitionSystem } from "./system.js";

const MAKERS: Record<SystemName, OracleMakers<never>> = {
  "arc-standard": arcStandardOracles,
  "arc-eager": arcEagerOracles,
  "arc-hybrid": arcHybridOracles,
  attardi: attardiOracles,
  swap: swapOracles,
  "lr-spines": lrSpinesOracles,
};

function makersOf(system: TransitionSystem): OracleMakers<TransitionSystem> {
  return MAKERS[system.name as SystemName] as OracleMakers<TransitionSystem>;
}

/** The canonical derivation: arcs first, nearest first, SHIFT last. */
export function staticOracle(system: TransitionSystem): StaticOracle {
  return makersOf(system).static(system);
}

/** All transitions that keep the gold tree reachable; undefined where none is known. */
export function nonDeterministicOracle(system: TransitionSystem): NonDeterministicOracle | undefined {
  return makersOf(system).nonDeterministic(system);
}

/**
 * Loss and costs in any configuration; undefined where none is known. Trees that the system cannot build are dealt with
 * exactly up to `exactWords` words (in arc-eager and arc-hybrid always); beyond, and where a search reaches its limit,
 * the oracle's `exact` is false.
 */
export function dynamicOracle(system: TransitionSystem, exactWords?: number): DynamicOracle | undefined {
  return makersOf(system).dynamic(system, exactWords);
}

/** Can the system build this tree? The static oracle builds every tree that can be built, so it is asked to. */
export function canBuild(
  system: TransitionSystem,
  gold: GoldTree,
  c: Configuration,
  oracle = staticOracle(system),
): boolean {
  oracle.bind(gold);
  system.initialize(c, gold.length);
  while (!system.isTerminal(c)) {
    const move = oracle.next(c);
    if (move < 0) return false;
    system.apply(c, move);
  }
  system.finish(c);
  for (let d = 1; d <= gold.length; d++) if (c.heads[d] !== gold.heads[d]) return false;
  return true;
}
