// Gold heads that form a cycle are no part of a tree: they are refused before any oracle can run in circles.

import { describe, expect, test } from "vitest";
import { countDerivations } from "../../src/registry/count-derivations.js";
import { dynamicOracle, exhaustiveOracle, nonDeterministicOracle, staticOracle } from "../../src/registry/oracles.js";
import { createSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { Configuration, NONE, ROOT_POSITIONS } from "../../src/systems/configuration.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";

/** Heads, and the words that form the cycle. */
const CYCLES: [heads: number[], words: number[]][] = [
  [
    [NONE, 2, 1],
    [1, 2],
  ],
  [
    [NONE, 0, 3, 2],
    [2, 3],
  ],
  [
    [NONE, 2, 3, 1, 0],
    [1, 2, 3],
  ],
  [
    [NONE, 3, 0, 4, 5, 3],
    [3, 4, 5],
  ],
  [
    [NONE, NONE, 4, 2, 3],
    [2, 4, 3],
  ],
];

test("the error names the words of the cycle", () => {
  for (const [heads, words] of CYCLES) {
    let message = "";
    try {
      new GoldTree(heads);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
      message = (error as RangeError).message;
    }
    expect(message).toMatch(/^invalid gold heads: the words [\d, ]+ form a cycle \(expected a tree, or part of one\)$/);
    expect(message.match(/\d+/g)!.map(Number).sort()).toEqual([...words].sort());
  }
});

describe.each(SYSTEM_NAMES.flatMap((name) => [false, true].map((singleRoot) => ({ name, singleRoot }))))(
  "$name, single root $singleRoot",
  ({ name, singleRoot }) => {
    test.each(ROOT_POSITIONS)("no oracle sees a cycle, root %s", (root) => {
      const system = createSystem(name, { root, singleRoot });
      const oracles = [
        staticOracle(system),
        nonDeterministicOracle(system),
        dynamicOracle(system),
        dynamicOracle(system, 0),
        exhaustiveOracle(system),
      ].filter((oracle) => oracle !== undefined);
      expect(oracles.length).toBeGreaterThan(1);
      for (const oracle of oracles) {
        for (const [heads] of CYCLES) expect(() => oracle.bind(new GoldTree(heads))).toThrow(/form a cycle/);
      }
      for (const [heads] of CYCLES) expect(() => countDerivations(system, new GoldTree(heads))).toThrow(/form a cycle/);
    });

    test("a cycle without one of its arcs is a part of a tree", () => {
      const system = createSystem(name, { singleRoot });
      const oracle = dynamicOracle(system) ?? exhaustiveOracle(system);
      for (const [heads, words] of CYCLES) {
        for (const missing of words) {
          const gold = new GoldTree(heads.map((h, d) => (d === missing ? NONE : h)));
          oracle.bind(gold);
          const c = new Configuration(gold.length);
          system.initialize(c, gold.length);
          expect(oracle.loss(c)).toBeGreaterThanOrEqual(0);
        }
      }
    });
  },
);
