import { ArcEager } from "./arc-eager.js";
import { ArcHybrid } from "./arc-hybrid.js";
import { ArcStandard } from "./arc-standard.js";
import { Attardi } from "./attardi.js";
import { LrSpines } from "./lr-spines.js";
import { Swap } from "./swap.js";
import type { SystemOptions, TransitionSystem } from "./system.js";

const REGISTRY = {
  "arc-standard": ArcStandard,
  "arc-eager": ArcEager,
  "arc-hybrid": ArcHybrid,
  attardi: Attardi,
  swap: Swap,
  "lr-spines": LrSpines,
} satisfies Record<string, new (options?: SystemOptions) => TransitionSystem>;

export type SystemName = keyof typeof REGISTRY;

/** The names of all transition systems. */
export const SYSTEM_NAMES = Object.keys(REGISTRY) as SystemName[];

/** Make a transition system by name. */
export function createSystem(name: string, options: SystemOptions = {}): TransitionSystem {
  if (!Object.hasOwn(REGISTRY, name)) {
    throw new RangeError(`unknown transition system: ${name} (expected one of ${SYSTEM_NAMES.join(", ")})`);
  }
  return new REGISTRY[name as SystemName](options);
}
