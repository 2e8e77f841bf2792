import { check, checkOptions, type Expectation, oneOf, shown, TRUE_OR_FALSE } from "../checks/options.js";
import { OBJECT } from "../checks/shapes.js";
import { arcEager } from "../systems/arc-eager.js";
import { arcHybrid } from "../systems/arc-hybrid.js";
import { arcStandard } from "../systems/arc-standard.js";
import { ROOT_POSITIONS } from "../systems/configuration.js";
import {
  type SystemOptions,
  type SystemSetting,
  type SystemSettings,
  settingExpectation,
} from "../systems/settings.js";
import type { SystemDescription, TransitionSystem } from "../systems/system.js";

// The systems that are known now. Those that most models have are always there; the others come with `systems.ts`,
// which brings all that ship, or one by one for a model that needs it, so that a page that parses loads no more.
const REGISTRY = new Map<string, SystemDescription>(
  [arcStandard, arcEager, arcHybrid].map((description) => [description.name, description]),
);

/** Those that come for a model that needs them. */
const ON_DEMAND: Readonly<Record<string, () => Promise<SystemDescription>>> = {
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

/** The name of a transition system, as on the command line and in model files. */
export type SystemName = string;

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
const COMMON_OPTIONS: Readonly<Record<string, Expectation>> = {
  root: oneOf(...ROOT_POSITIONS),
  singleRoot: TRUE_OR_FALSE,
};

/**
 * Make a transition system by name. Besides `root` and `singleRoot` it takes the settings in the system's description,
 * and no others.
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
  const description = describeSystem(name);
  const own = description.settings.map((setting) => [setting.name, settingExpectation(setting)]);
  checkOptions(name, options, { ...COMMON_OPTIONS, ...Object.fromEntries(own) });
  return description.create(options);
}

/** Add a system to those that are known by name. */
export function registerSystem(description: SystemDescription): void {
  const { name, settings } = description;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new RangeError(
      `invalid name of a system: ${name} (expected lower-case letters and digits, with hyphens between words)`,
    );
  }
  if (REGISTRY.has(name)) throw new RangeError(`invalid name of a system: ${name} (the name is taken)`);
  for (const setting of settings) checkSetting(name, setting);
  REGISTRY.set(name, description);
}

function checkSetting(system: string, setting: SystemSetting): void {
  const { name, title, help, values } = setting;
  const isComplete =
    typeof title === "string" && typeof help === "string" && Array.isArray(values) && values.length > 0;
  if (!/^[a-z][A-Za-z0-9]*$/.test(name) || name in COMMON_OPTIONS || !isComplete) {
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
  readonly name: string;
  readonly systems: readonly string[];
  /** As the first of the systems has them; the default comes first. */
  readonly values: readonly (number | boolean)[];
  /** For each of the systems, or several of them: "attardi, attardi-auxiliary: how far arcs reach (default: 2)". */
  readonly help: string;
  /** Whether it matters to the static oracle alone. */
  readonly isOfOracle: boolean;
  /** The values that some of the systems takes, in words. */
  readonly expected: string;
  accepts(value: unknown): boolean;
}

/** The settings of all systems, each name once, in the order of the systems. */
export function systemSettings(): SharedSetting[] {
  const byName = new Map<string, { system: string; setting: SystemSetting }[]>();
  for (const { name: system, settings } of REGISTRY.values()) {
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
