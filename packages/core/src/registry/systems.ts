import { disfluencies } from "../disfluencies/disfluencies.js";
import { arcHybridSwap } from "../systems/arc-hybrid-swap/arc-hybrid-swap.js";
import { arcSwift } from "../systems/arc-swift.js";
import { attardi } from "../systems/attardi.js";
import { attardiAuxiliary } from "../systems/attardi-auxiliary/attardi-auxiliary.js";
import { covington } from "../systems/covington/covington.js";
import { lrSpines } from "../systems/lr-spines.js";
import { swap } from "../systems/swap/swap.js";
import { twoPlanar } from "../systems/two-planar/two-planar.js";
import { addSystem, systemNames } from "./system-registry.js";

// Besides those that are always there; what only training needs is registered in training.ts.
for (const description of [
  attardi,
  attardiAuxiliary,
  swap,
  arcHybridSwap,
  arcSwift,
  lrSpines,
  covington,
  twoPlanar,
  disfluencies,
]) {
  addSystem(description);
}

/** The names of the transition systems that ship. */
export const SYSTEM_NAMES: readonly string[] = systemNames();

export * from "./system-registry.js";
