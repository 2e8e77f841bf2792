import {
  Configuration,
  canBuild,
  createSystem,
  describeSystem,
  goldTreeOf,
  staticOracle,
  systemNames,
} from "@stemma/core/systems";
import type { TreeBuilder } from "@stemma/core/treebank";

/**
 * The transition systems as judges of trees, each with all settings with which it builds other trees than with its
 * defaults.
 */
export function treeBuilders(): TreeBuilder[] {
  const variants = systemNames().flatMap((name) => {
    const others = describeSystem(name)
      .settings.filter(({ changes }) => changes === "trees")
      .flatMap((setting) => setting.values.slice(1).map((value) => ({ setting: setting.name, value })));
    return [
      { name, system: createSystem(name) },
      ...others.map(({ setting, value }) => ({
        name: `${name}, ${setting} ${value}`,
        system: createSystem(name, { [setting]: value }),
      })),
    ];
  });
  const configuration = new Configuration();
  return variants.map(({ name, system }) => {
    const oracle = staticOracle(system);
    return {
      name,
      canBuild(heads, labels) {
        const deprel = (i: number) => labels[i]!;
        const gold = goldTreeOf(system, { heads, length: heads.length - 1, deprel });
        return canBuild(system, gold, configuration, oracle);
      },
    };
  });
}
