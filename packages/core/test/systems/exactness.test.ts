// Every result that a limit can cut short says so: an upper bound is never given out as exact.

import { describe, expect, test } from "vitest";
import { Random } from "../../src/math/random.js";
import { countDerivations } from "../../src/registry/count-derivations.js";
import { dynamicOracle, exhaustiveOracle } from "../../src/registry/oracles.js";
import { createSystem } from "../../src/registry/systems.js";
import { traceDerivation } from "../../src/registry/trace.js";
import { byConfigurations } from "../../src/systems/analysis/derivations.js";
import type { Attardi } from "../../src/systems/attardi.js";
import { Configuration } from "../../src/systems/configuration.js";
import { AttardiSearch, SEARCH_LIMIT } from "../../src/systems/losses/attardi/attardi-search.js";
import { leastByParts } from "../../src/systems/losses/attardi/attardi-table.js";
import { BottomUpLoss } from "../../src/systems/losses/bottom-up.js";
import { BottomUpOracle } from "../../src/systems/oracles/bottom-up-oracle.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import type { DynamicOracle } from "../../src/systems/oracles/oracle.js";
import { type Move, SHIFT } from "../../src/systems/transition.js";
import * as brute from "./brute-force.js";
import { crossingInARow, overItsNeighbour, randomTree } from "./long-trees.js";
import { type Pair, reachablePairs, systemOf } from "./walk.js";

/**
 * Compares an oracle with the brute force for every tree of four words and every configuration. Returns how many losses
 * and costs were said to be exact, were said not to be, and were wrong.
 */
function compare(options: brute.Options, oracle: DynamicOracle) {
  const system = systemOf(options);
  const truth = new brute.BruteForce(options, 4);
  const pairs: Pair[] = [...reachablePairs(options, 4)];
  const seen = { exact: 0, inexact: 0, wrong: 0, unadmitted: 0, tooLow: 0 };
  const note = (value: number, right: number) => {
    if (oracle.exact) seen.exact++;
    else seen.inexact++;
    if (value !== right) seen.wrong++;
    if (value !== right && oracle.exact) seen.unadmitted++;
  };
  for (const tree of brute.allTrees(4)) {
    oracle.bind(new GoldTree(tree));
    for (const { state, c } of pairs) {
      const loss = oracle.loss(c);
      if (loss < truth.loss(state, tree)) seen.tooLow++;
      note(loss, truth.loss(state, tree));
      for (const [name, cost] of Object.entries(truth.costs(state, tree))) {
        note(oracle.cost(c, system.moveOf(name)), cost);
        const optimal = oracle.isOptimal(c, system.moveOf(name));
        if (oracle.exact && optimal !== (cost === 0)) seen.unadmitted++;
      }
      if (system.isTerminal(c)) continue;
      const cost = truth.costs(state, tree)[system.nameOf(oracle.optimal(c))];
      if (oracle.exact && cost !== 0) seen.unadmitted++;
    }
  }
  return seen;
}

describe("arcs given up beforehand", () => {
  const variants: brute.Options[] = [
    { system: "arc-standard", root: "last" },
    { system: "attardi", root: "first" },
    { system: "lr-spines", root: "none" },
    { system: "lr-spines", root: "last", singleRoot: true },
  ];
  test.each(variants)("$system, root $root", (options) => {
    const seen = compare(options, dynamicOracle(systemOf(options), 0)!);
    expect(seen).toMatchObject({ unadmitted: 0, tooLow: 0 });
    expect(Math.min(seen.exact, seen.inexact, seen.wrong)).toBeGreaterThan(0);
  });

  test.each(["arc-eager", "arc-hybrid"] as const)("%s needs none", (system) => {
    const options = { system, root: "last" as const };
    expect(compare(options, dynamicOracle(systemOf(options), 0)!)).toMatchObject({ inexact: 0, wrong: 0 });
  });
});

describe("the limit of Attardi's search", () => {
  /** An oracle that searches within other limits. */
  const withLimits = (options: brute.Options, limit: number, combinations?: number) => {
    const system = systemOf(options) as Attardi;
    return new BottomUpOracle(system, new AttardiSearch(system.degree, limit, combinations), () => [], 12);
  };

  test("reached early, without a table", () => {
    const options: brute.Options = { system: "attardi", root: "last" };
    const seen = compare(options, withLimits(options, 9, 0));
    expect(seen).toMatchObject({ unadmitted: 0, tooLow: 0 });
    expect(Math.min(seen.exact, seen.inexact, seen.wrong)).toBeGreaterThan(0);
    expect(SEARCH_LIMIT).toBe(400_000);
  });

  const variants = brute.ROOTS.flatMap((root) =>
    [2, 3].flatMap((degree) =>
      [true, false].map((singleRoot): brute.Options => ({ system: "attardi", root, degree, singleRoot })),
    ),
  );
  test.each(variants)(
    "a table from the beginning is exact: degree $degree, root $root, one root $singleRoot",
    (options) => {
      expect(compare(options, withLimits(options, 0))).toMatchObject({ inexact: 0, wrong: 0 });
    },
  );

  test("table and search agree on longer sentences, also where the tree cannot be built or has free words", () => {
    const random = new Random(20263);
    const below = (n: number) => Math.floor(random.next() * n);
    const seen = { built: 0, others: 0 };
    for (let round = 0; round < 1500; round++) {
      const options = { ...variants[round % variants.length]!, degree: 2 + below(3) };
      const system = systemOf(options) as Attardi;
      const n = 5 + below(5);
      let gold = new GoldTree(withCrossings(randomTree(n, round), below));
      if (below(3) === 0) gold = gold.without([1 + below(n)]);
      const c = new Configuration(n);
      system.initialize(c, n);
      for (let i = below(2 * n); i > 0 && !system.isTerminal(c); i--) {
        const moves: Move[] = [];
        const move = system.permits(c, SHIFT) && below(2) === 0 ? SHIFT : moves[below(system.permitted(c, moves))]!;
        system.apply(c, move);
      }
      const gamma = new BottomUpLoss(system.degree, system.root, system.singleRoot);
      gamma.bind(gold);
      if (gamma.reaches(c, -1, false)) continue;
      const truth = new AttardiSearch(system.degree, Number.POSITIVE_INFINITY).least(gamma);
      const buildable = gamma.isBuildable();
      seen[buildable ? "built" : "others"]++;
      const place = `${brute.nameOf(options)}, gold ${gold.heads}, round ${round}`;
      for (const most of [truth, truth + 2]) {
        expect(leastByParts(gamma, system.degree, most, buildable), place).toEqual({ least: truth, complete: true });
      }
      expect(leastByParts(gamma, system.degree, truth - 1, buildable).least, place).toBeUndefined();
    }
    expect(seen.built).toBeGreaterThan(100);
    expect(seen.others).toBeGreaterThan(100);
  });

  /** A tree in which some words are moved to other heads. */
  function withCrossings(heads: number[], below: (n: number) => number): number[] {
    const moved = heads.slice();
    for (let times = below(4); times > 0; times--) {
      const d = 1 + below(heads.length - 1);
      const head = below(heads.length);
      let above = head;
      while (above > 0 && above !== d) above = moved[above]!;
      if (above === 0 && head !== d) moved[d] = head;
    }
    return moved;
  }

  test("not reached by a stack of many words without arcs in degree 2, where a table does it", () => {
    const system = createSystem("attardi");
    const oracle = dynamicOracle(system)!;
    oracle.bind(new GoldTree(randomTree(100, 1)));
    const c = new Configuration(100);
    system.initialize(c, 100);
    for (let i = 0; i < 75; i++) system.apply(c, SHIFT);
    expect(oracle.loss(c)).toBe(31);
    expect(oracle.exact).toBe(true);
  });

  test("reached by a stack of many words without arcs, and remembered along with the loss", () => {
    const system = createSystem("attardi", { degree: 3 }) as Attardi;
    const oracle = new BottomUpOracle(system, new AttardiSearch(3, 40_000, 1000), () => [], 12);
    oracle.bind(new GoldTree(randomTree(300, 1)));
    const c = new Configuration(300);
    system.initialize(c, 300);
    oracle.loss(c);
    expect(oracle.exact).toBe(true);
    for (let i = 0; i < 150; i++) system.apply(c, SHIFT);
    oracle.loss(c);
    expect(oracle.exact).toBe(false);
    oracle.loss(c);
    expect(oracle.exact).toBe(false);
    oracle.bind(new GoldTree(randomTree(300, 2)));
    system.initialize(c, 300);
    oracle.loss(c);
    expect(oracle.exact).toBe(true);
  });
});

test("a search of all continuations knows what it did not find", () => {
  const system = createSystem("two-planar");
  const gold = new GoldTree([-1, 3, 4, 0, 3, 1]);
  const c = new Configuration();
  system.initialize(c, 5);
  const patient = exhaustiveOracle(system);
  patient.bind(gold);
  expect([patient.loss(c), patient.exact]).toEqual([0, true]);
  expect([patient.cost(c, SHIFT), patient.exact]).toEqual([0, true]);
  const impatient = exhaustiveOracle(system, 18);
  impatient.bind(gold);
  expect([impatient.loss(c), impatient.exact]).toEqual([undefined, false]);
  expect([impatient.cost(c, SHIFT), impatient.exact]).toEqual([undefined, false]);
});

describe("a count of derivations names the limit that it reached", () => {
  const tree = new GoldTree([-1, 2, 3, 0, 3, 4]);
  test("swap, by its number of words and by its configurations", () => {
    const system = createSystem("swap");
    expect(countDerivations(system, tree, 100)).toEqual({ count: undefined, limit: "100 configurations" });
    expect(countDerivations(system, tree, 500)).toEqual({ count: undefined, limit: "500 configurations" });
    expect(countDerivations(system, tree)).toEqual({ count: expect.any(BigInt), limit: undefined });
  });

  test("Attardi", () => {
    const system = createSystem("attardi");
    const heads = new GoldTree(overItsNeighbour(30));
    expect(countDerivations(system, heads, 1)).toEqual({ count: undefined, limit: "100 combinations of parts" });
    expect(countDerivations(system, heads)).toEqual({ count: expect.any(BigInt), limit: undefined });
  });

  test("a system without a method of its own", () => {
    const system = createSystem("arc-standard");
    expect(byConfigurations(system, tree, 1000)).toEqual(countDerivations(system, tree));
    expect(byConfigurations(system, tree, 3)).toEqual({ count: undefined, limit: "3 configurations" });
  });
});

test("a trace marks the steps whose costs are not exact", () => {
  const system = createSystem("arc-standard");
  const whole = traceDerivation(system, new GoldTree([-1, 3, 4, 0, 3]), "dynamic")!;
  expect(whole.steps.some((step) => "exact" in step)).toBe(false);
  const rough = traceDerivation(system, new GoldTree(crossingInARow(30, 4)), "dynamic")!;
  expect(rough.steps.every(({ exact }) => exact === false)).toBe(true);
});
