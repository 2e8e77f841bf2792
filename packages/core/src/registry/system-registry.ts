import { checkOptions, type Expectation, oneOf, shown, TRUE_OR_FALSE } from "../checks/options.js";
import { arcEager } from "../systems/arc-eager.js";
import { arcHybrid } from "../systems/arc-hybrid.js";
import { ROOT_POSITIONS } from "../systems/configuration.js";
import { type SystemOptions, settingExpectation } from "../systems/settings.js";
import type { SystemDescription, TransitionSystem } from "../systems/system.js";

// The systems that are known now. Those that most models have are always there; the others come with `systems.ts`,
// which brings all that ship, or one by one for a model that needs it, so that a page that parses loads no more.
const REGISTRY = new Map<string, SystemDescription>(
  [arcEager, arcHybrid].map((description) => [description.name, description]),
);

/** Those that come for a model that needs them. */
const ON_DEMAND: Readonly<Record<string, () => Promise<SystemDescription>>> = {
  "arc-standard": async () => (await import("../systems/arc-standard.js")).arcStandard,
  attardi: async () => (await import("../systems/attardi.js")).attardi,
  "attardi-auxiliary": async () => (await import("../systems/attardi-auxiliary/attardi-auxiliary.js")).attardiAuxiliary,
  swap: async () => (await import("../systems/swap/swap.js")).swap,
  "arc-hybrid-swap": async () => (await import("../systems/arc-hybrid-swap/arc-hybrid-swap.js")).arcHybridSwap,
  "arc-swift": async () => (await import("../systems/arc-swift.js")).arcSwift,
  "lr-spines": async () => (await import("../systems/lr-spines.js")).lrSpines,
  covington: async () => (await import("../systems/covington/covington.js")).covington,
  "two-planar": async () => (await import("../systems/two-planar/two-planar.js")).twoPlanar,
  disfluencies: async () => (await import("../disfluencies/disfluencies.js")).disfluencies,
};

/** Makes a system known that ships. */
export function addSystem(description: SystemDescription): void {
  REGISTRY.set(description.name, description);
}

/** Makes a system known by its name, if it ships: for a model that needs it. */
export async function loadSystem(name: unknown): Promise<void> {
  if (typeof name !== "string" || REGISTRY.has(name) || !Object.hasOwn(ON_DEMAND, name)) return;
  addSystem(await ON_DEMAND[name]!());
}

/** The names of all transition systems, also of those that were defined since. */
export function systemNames(): string[] {
  return [...REGISTRY.keys()];
}

/** The description of a system by its name. */
export function describeSystem(name: string): SystemDescription {
  const description = REGISTRY.get(name);
  if (description) return description;
  if (Object.hasOwn(ON_DEMAND, name)) {
    throw new RangeError(`the transition system ${name} is not loaded: use load(), or import "@stemma/core/systems"`);
  }
  throw new RangeError(
    `unknown transition system: ${typeof name === "string" ? name : shown(name)} (expected one of ${systemNames().join(", ")})`,
  );
}

/** The options that all systems have. */
export const COMMON_OPTIONS: Readonly<Record<string, Expectation>> = {
  root: oneOf(...ROOT_POSITIONS),
  singleRoot: TRUE_OR_FALSE,
};

/**
 * Make a transition system by name.
 * @param name one of `systemNames()`
 * @param options the settings of the system
 */
export function createSystem(name: string, options: SystemOptions = {}): TransitionSystem {
  const description = describeSystem(name);
  const own = description.settings.map((setting) => [setting.name, settingExpectation(setting)]);
  checkOptions(name, options, { ...COMMON_OPTIONS, ...Object.fromEntries(own) });
  return description.create(options);
}
