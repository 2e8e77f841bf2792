import { type Configuration, NONE } from "../configuration.js";
import type { TransitionSystem } from "../system.js";
import type { GoldTree } from "./gold-tree.js";

/**
 * Does a terminal configuration, as it is before words without a head are attached to 0, stand for the gold tree? The
 * one definition of what is built, for losses, derivations, static oracles and coverage: an arc from 0 is built by a
 * transition, like any other. Only with root none, where 0 is not there to build it, a word without a head stands for
 * one that hangs on 0.
 */
export function standsFor(system: TransitionSystem, c: Configuration, gold: GoldTree): boolean {
  const leftOut = system.description.leftOut?.(c);
  for (let d = 1; d <= c.length; d++) {
    const byConvention = system.root === "none" && c.heads[d] === NONE && gold.heads[d] === 0;
    if (!gold.agrees(d, byConvention ? 0 : c.heads[d]!, leftOut?.[d] ?? NONE)) return false;
  }
  return true;
}
