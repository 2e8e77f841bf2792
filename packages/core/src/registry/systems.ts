import { checkOptions, type Expectation, oneOf, shown, TRUE_OR_FALSE, wholeNumber } from "../checks/options.js";
import { disfluencies } from "../disfluencies/disfluencies.js";
import { arcEager } from "../systems/arc-eager.js";
import { arcHybrid } from "../systems/arc-hybrid.js";
import { arcStandard } from "../systems/arc-standard.js";
import { attardi } from "../systems/attardi.js";
import { attardiAuxiliary } from "../systems/attardi-auxiliary/attardi-auxiliary.js";
import { ROOT_POSITIONS } from "../systems/configuration.js";
import { covington } from "../systems/covington/covington.js";
import { lrSpines } from "../systems/lr-spines.js";
import { swap } from "../systems/swap/swap.js";
import {
  SETTING_NAMES,
  type SystemDescription,
  type SystemOptions,
  type SystemSettings,
  type TransitionSystem,
} from "../systems/system.js";
import { twoPlanar } from "../systems/two-planar/two-planar.js";

// The systems that ship; what only training needs is registered in teaching.ts, so that a page that parses does not
// load it.
const REGISTRY = new Map<string, SystemDescription>(
  [arcStandard, arcEager, arcHybrid, attardi, attardiAuxiliary, swap, lrSpines, covington, twoPlanar, disfluencies].map(
    (description) => [description.name, description],
  ),
);

/** The name of a transition system, as on the command line and in model files. */
export type SystemName = string;

/** The names of the transition systems that ship. */
export const SYSTEM_NAMES: readonly string[] = [...REGISTRY.keys()];

/** The names of all transition systems, also of those that were defined since. */
export function systemNames(): string[] {
  return [...REGISTRY.keys()];
}

/** The description of a system by its name. */
export function describeSystem(name: string): SystemDescription {
  const description = REGISTRY.get(name);
  if (description) return description;
  throw new RangeError(
    `unknown transition system: ${typeof name === "string" ? name : shown(name)} (expected one of ${systemNames().join(", ")})`,
  );
}

const SYSTEM_OPTIONS: Readonly<Record<keyof SystemOptions, Expectation>> = {
  root: oneOf(...ROOT_POSITIONS),
  singleRoot: TRUE_OR_FALSE,
  degree: wholeNumber(1),
  lazy: TRUE_OR_FALSE,
  monotonic: TRUE_OR_FALSE,
  treeConstraint: TRUE_OR_FALSE,
  longest: wholeNumber(1),
  atOnce: TRUE_OR_FALSE,
};

/**
 * Make a transition system by name. Settings that it does not have are ignored.
 *
 * @example
 * ```ts
 * import { Configuration, createSystem } from "@stemma/core/systems";
 *
 * const system = createSystem("arc-hybrid");
 * const c = new Configuration();
 * system.initialize(c, 3);
 * system.apply(c, system.moveOf("SHIFT"));
 * console.log(system.isTerminal(c));
 * ```
 */
export function createSystem(name: string, options: SystemOptions = {}): TransitionSystem {
  checkOptions("createSystem", options, SYSTEM_OPTIONS);
  return describeSystem(name).create(options);
}

/** Add a system to those that are known by name. */
export function registerSystem(description: SystemDescription): void {
  const { name } = description;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new RangeError(
      `invalid name of a system: ${name} (expected lower-case letters and digits, with hyphens between words)`,
    );
  }
  if (REGISTRY.has(name)) throw new RangeError(`invalid name of a system: ${name} (the name is taken)`);
  REGISTRY.set(name, description);
}

/** Do two lists of options make the same system, as far as its own settings go? */
export function haveSameSettings(name: string, one: SystemSettings, other: SystemSettings): boolean {
  for (const options of [one, other]) checkSettings(options);
  return describeSystem(name).settings.every(
    (setting) => (one[setting.name] ?? setting.values[0]) === (other[setting.name] ?? setting.values[0]),
  );
}

/** Those of the settings of a system that are given, for headers that hold no others. */
export function givenSettings(options: SystemSettings): SystemSettings {
  checkSettings(options);
  return Object.fromEntries(
    SETTING_NAMES.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
}

function checkSettings(options: SystemSettings): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError(`invalid settings: ${shown(options)} (expected an object)`);
}
