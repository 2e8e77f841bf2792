import { check, shown } from "../checks/options.js";
import { OBJECT } from "../checks/shapes.js";
import { disfluencies } from "../disfluencies/disfluencies.js";
import { arcEager } from "../systems/arc-eager.js";
import { arcHybrid } from "../systems/arc-hybrid.js";
import { arcHybridSwap } from "../systems/arc-hybrid-swap/arc-hybrid-swap.js";
import { arcStandard } from "../systems/arc-standard.js";
import { arcSwift } from "../systems/arc-swift.js";
import { attardi } from "../systems/attardi.js";
import { attardiAuxiliary } from "../systems/attardi-auxiliary/attardi-auxiliary.js";
import { covington } from "../systems/covington/covington.js";
import { lrSpines } from "../systems/lr-spines.js";
import {
  type SystemOptions,
  type SystemSetting,
  type SystemSettings,
  settingExpectation,
} from "../systems/settings.js";
import { swap } from "../systems/swap/swap.js";
import type { SystemDescription, TransitionSystem } from "../systems/system.js";
import { twoPlanar } from "../systems/two-planar/two-planar.js";
import * as registry from "./system-registry.js";

// All systems that ship, for those who choose among them: the functions of this file add them to what is known when
// they are asked.

const SHIPPED: readonly SystemDescription[] = [
  arcStandard,
  arcEager,
  arcHybrid,
  attardi,
  attardiAuxiliary,
  swap,
  arcHybridSwap,
  arcSwift,
  lrSpines,
  covington,
  twoPlanar,
  disfluencies,
];

/** Makes the systems known that ship. */
export function addShippedSystems(): void {
  for (const description of SHIPPED) registry.addSystem(description);
}

function complete(): typeof registry {
  addShippedSystems();
  return registry;
}

/** The name of a transition system, as on the command line and in model files. */
export type SystemName = string;

/** The names of the transition systems that ship. */
export const SYSTEM_NAMES: readonly string[] = SHIPPED.map(({ name }) => name);

/** The names of all transition systems, also of those that were defined since. */
export function systemNames(): string[] {
  return [...new Set([...SYSTEM_NAMES, ...complete().systemNames()])];
}

/** The description of a system by its name. */
export function describeSystem(name: string): SystemDescription {
  return complete().describeSystem(name);
}

/**
 * Make a transition system by name. Besides `root` and `singleRoot` it takes the settings in the system's description,
 * and no others.
 *
 * @param name one of `systemNames()`
 * @param options the settings of the system
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
  return complete().createSystem(name, options);
}

/** Add a system to those that are known by name. */
export function registerSystem(description: SystemDescription): void {
  const { name, settings } = description;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new RangeError(
      `invalid name of a system: ${name} (expected lower-case letters and digits, with hyphens between words)`,
    );
  }
  if (systemNames().includes(name)) throw new RangeError(`invalid name of a system: ${name} (the name is taken)`);
  for (const setting of settings) checkSetting(name, setting);
  registry.addSystem(description);
}

function checkSetting(system: string, setting: SystemSetting): void {
  const { name, title, help, values } = setting;
  const isComplete =
    typeof title === "string" && typeof help === "string" && Array.isArray(values) && values.length > 0;
  if (!/^[a-z][A-Za-z0-9]*$/.test(name) || name in registry.COMMON_OPTIONS || !isComplete) {
    throw new TypeError(
      `invalid setting of ${system}: ${shown(name)} (expected a name such as atOnce, title, help and values)`,
    );
  }
  // The command line has one option for all systems that have the setting.
  const other = systemSettings().find((known) => known.name === name);
  if (other && typeof other.values[0] !== typeof values[0]) {
    throw new TypeError(
      `invalid setting of ${system}: ${name} (expected it to be ${other.expected}, as of ${other.systems[0]})`,
    );
  }
}

/** A setting by its name, and the systems that have it. */
export interface SharedSetting {
  /** Its name. */
  readonly name: string;
  /** The systems that have it. */
  readonly systems: readonly string[];
  /** As the first of the systems has them; the default comes first. */
  readonly values: readonly (number | boolean)[];
  /** For each of the systems, or several of them: "attardi, attardi-auxiliary: how far arcs reach (default: 2)". */
  readonly help: string;
  /** Whether it matters to the static oracle alone. */
  readonly isOfOracle: boolean;
  /** The values that some of the systems takes, in words. */
  readonly expected: string;
  /**
   * Whether one of the systems takes a value.
   * @param value as it was given
   */
  accepts(value: unknown): boolean;
}

/** The settings of all systems, each name once, in the order of the systems. */
export function systemSettings(): SharedSetting[] {
  const byName = new Map<string, { system: string; setting: SystemSetting }[]>();
  for (const { name: system, settings } of systemNames().map(describeSystem)) {
    for (const setting of settings) {
      byName.set(setting.name, [...(byName.get(setting.name) ?? []), { system, setting }]);
    }
  }
  return [...byName].map(([name, having]) => {
    const expectations = having.map(({ setting }) => settingExpectation(setting));
    const byHelp = new Map<string, string[]>();
    for (const { system, setting } of having) {
      const { help, values } = setting;
      const text = typeof values[0] === "number" ? `${help} (default: ${values[0]})` : help;
      byHelp.set(text, [...(byHelp.get(text) ?? []), system]);
    }
    return {
      name,
      systems: having.map(({ system }) => system),
      values: having[0]!.setting.values,
      help: [...byHelp].map(([text, systems]) => `${systems.join(", ")}: ${text}`).join("; "),
      isOfOracle: having.every(({ setting }) => setting.changes === "oracle"),
      expected: [...new Set(expectations.map(({ expected }) => expected))].join(", or "),
      accepts: (value) => expectations.some((one) => one.accepts(value)),
    };
  });
}

/** Those of some options that are settings of a system, as far as they differ from its defaults. */
export function ownSettings(name: string, options: Readonly<Record<string, unknown>>): SystemSettings {
  check("options", options, OBJECT);
  const given = options as SystemSettings;
  const changed = describeSystem(name).settings.filter(
    (setting) => given[setting.name] !== undefined && given[setting.name] !== setting.values[0],
  );
  return Object.fromEntries(changed.map((setting) => [setting.name, given[setting.name]]));
}

/** Do two lists of settings make the same system? */
export function haveSameSettings(name: string, one: SystemSettings, other: SystemSettings): boolean {
  return JSON.stringify(ownSettings(name, one)) === JSON.stringify(ownSettings(name, other));
}
