import {
  Configuration,
  canBuild,
  createSystem,
  GoldTree,
  SYSTEM_NAMES,
  staticOracle,
  type TreeBuilder,
} from "@stemma/core";

/** The transition systems, each with its default options and Attardi's also with degree 3, as judges of trees. */
export function treeBuilders(): TreeBuilder[] {
  const variants = SYSTEM_NAMES.map((name) => ({ name: name as string, system: createSystem(name) }));
  const attardi = variants.findIndex(({ name }) => name === "attardi");
  variants.splice(attardi + 1, 0, { name: "attardi, degree 3", system: createSystem("attardi", { degree: 3 }) });
  const configuration = new Configuration();
  const gold = new GoldTree();
  return variants.map(({ name, system }) => {
    const oracle = staticOracle(system);
    return {
      name,
      canBuild(heads) {
        gold.bind(heads);
        return canBuild(system, gold, configuration, oracle);
      },
    };
  });
}
