// One meaning of "built": the static oracle, and with it traces and coverage, the count of derivations and the loss at
// the start agree on which trees a system can build.

import { expect, test } from "vitest";
import { countDerivations } from "../../src/registry/count-derivations.js";
import { canBuild, dynamicOracle, exhaustiveOracle } from "../../src/registry/oracles.js";
import { createSystem } from "../../src/registry/systems.js";
import { traceDerivation } from "../../src/registry/trace.js";
import { Configuration, type RootPosition } from "../../src/systems/configuration.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import * as brute from "./brute-force.js";
import { EXHAUSTIVE } from "./exhaustive.js";

const SETTINGS = [...brute.SYSTEMS_AND_SETTINGS.map(({ system, ...settings }) => [system, settings] as const)];
const VARIANTS = [...SETTINGS, ["disfluencies", {}] as const].flatMap(([name, settings]) =>
  brute.ROOTS.flatMap((root) => [false, true].map((singleRoot) => [name, { ...settings, root, singleRoot }] as const)),
);

/** Trees of four words for systems that are searched take long; three have to do, unless the tests are exhaustive. */
const wordsOf = (name: string) =>
  EXHAUSTIVE || !["swap", "arc-hybrid-swap", "two-planar", "attardi-auxiliary"].includes(name) ? 4 : 3;

test.each(VARIANTS)("%s %o: static oracle, trace, derivations and loss agree", (name, options) => {
  const system = createSystem(name, options);
  const oracle = dynamicOracle(system) ?? exhaustiveOracle(system);
  const c = new Configuration();
  for (let n = 1; n <= wordsOf(name); n++) {
    for (const heads of brute.allTrees(n)) {
      const gold = new GoldTree(heads);
      const built = canBuild(system, gold, c);
      const { count } = countDerivations(system, gold);
      const place = `${heads.slice(1)}`;
      if ((traceDerivation(system, gold) !== undefined) !== built) expect.fail(`${place}: trace ${!built}`);
      if (count !== undefined && count > 0n !== built) expect.fail(`${place}: built ${built}, ${count} derivations`);
      oracle.bind(gold);
      system.initialize(c, n);
      const loss = oracle.loss(c);
      if (built && loss !== 0) expect.fail(`${place}: built, but the loss is ${loss}`);
      // Without 0 its arcs do not count, so that of trees with several roots the loss says nothing.
      const isTold = options.root !== "none" || heads.filter((h) => h === 0).length === 1;
      if (!built && loss === 0 && isTold) expect.fail(`${place}: not built, but nothing is lost`);
    }
  }
});

// The same tree, once mirrored: three of its arcs need both planes wherever 0 attaches its dependent.
test.each<[RootPosition, number[]]>([
  ["first", [3, 0, 4, 2, 1, 3]],
  ["last", [4, 6, 5, 3, 0, 4]],
])("2-planar, root %s: what only hangs on 0 at the end was not built", (root, heads) => {
  const gold = new GoldTree([-1, ...heads]);
  const system = createSystem("two-planar", { root });
  const oracle = exhaustiveOracle(system);
  oracle.bind(gold);
  const c = new Configuration();
  expect(canBuild(system, gold, c)).toBe(false);
  expect(canBuild(createSystem("two-planar", { root: "none" }), gold, c)).toBe(true);
  system.initialize(c, heads.length);
  expect(oracle.loss(c)).toBe(1);
});

test("2-planar: a tree that cannot be built has no derivations, although there are too many configurations to look at", () => {
  const gold = new GoldTree([-1, 3, 0, 4, 2, 1, 3]);
  const counts = brute.ROOTS.map((root) => countDerivations(createSystem("two-planar", { root }), gold).count);
  expect(counts).toEqual([0n, 0n, undefined]);
});
