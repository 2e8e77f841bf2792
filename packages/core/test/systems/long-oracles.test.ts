// Sentences far longer than those of treebanks: nothing recurses as deep as they are long, nothing takes cubic memory,
// and what takes exponential time elsewhere is cut short. A test that runs into its time limit (vitest.config.ts) has
// failed.

import { describe, expect, test, vi } from "vitest";
import { Random } from "../../src/math/random.js";
import { countDerivations } from "../../src/registry/count-derivations.js";
import { dynamicOracle, nonDeterministicOracle, staticOracle } from "../../src/registry/oracles.js";
import { createSystem, describeSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { byConfigurations } from "../../src/systems/analysis/derivations.js";
import { Configuration, NONE } from "../../src/systems/configuration.js";
import { ArcStandardTable } from "../../src/systems/losses/arc-standard-loss.js";
import { BottomUpLoss } from "../../src/systems/losses/bottom-up.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import { SHIFT } from "../../src/systems/transition.js";
import { EXHAUSTIVE } from "./exhaustive.js";
import * as trees from "./long-trees.js";

const WORDS = 1000;
/**
 * Covington's system takes as many steps as there are pairs of words; where any words that have been read can leave the
 * sentence, there are as many moves.
 */
const wordsFor = (system: string) => (system === "covington" || describeSystem(system).leftOut ? 200 : WORDS);
/** Attardi's oracle may search up to its limit after a wrong step; 2-planar's divides all arcs at every step. */
const walkedFor = (system: string) =>
  ["attardi", "two-planar"].includes(system) && !EXHAUSTIVE ? 200 : wordsFor(system);
/** The tables of bottom-up systems take cubic time. */
const CUBIC = ["arc-standard", "lr-spines"];
const stackedFor = (system: string) => (CUBIC.includes(system) && !EXHAUSTIVE ? 300 : wordsFor(system));
const SHAPES: Record<string, (words: number) => trees.Heads> = {
  random: (words) => trees.randomTree(words, 5),
  "sentences in a row": (words) => trees.sentencesInARow(words, 6),
  "crossing arcs": (words) => trees.crossingInARow(words, 7),
  "right-branching": trees.rightBranching,
  "left-branching": trees.leftBranching,
  "over the neighbour": trees.overItsNeighbour,
};
const CASES = SYSTEM_NAMES.flatMap((name) =>
  Object.keys(SHAPES).map((shape) => ({ name, words: wordsFor(name), shape })),
);
/** Those that build the crossing arcs, which fit in two planes. */
const BUILD_CROSSING = ["swap", "arc-hybrid-swap", "covington", "two-planar", "attardi-auxiliary"];
const WITHOUT_DYNAMIC_ORACLE = ["swap", "arc-hybrid-swap"];
/** Derivations are counted configuration by configuration, up to a limit. */
const COUNTED_ONE_BY_ONE = ["swap", "arc-hybrid-swap", "two-planar"];
/** Derivations without end. */
const NOT_COUNTED = ["attardi-auxiliary"];

describe.each(CASES)("$name, $words words, $shape", ({ name, words, shape }) => {
  const system = createSystem(name);
  const gold = new GoldTree(SHAPES[shape]!(words));
  const c = new Configuration(words);
  const moves: number[] = [];

  test("the static oracle ends, and builds what it can", () => {
    const oracle = staticOracle(system);
    oracle.bind(gold);
    system.initialize(c, words);
    for (let move = oracle.next(c); move >= 0 && !system.isTerminal(c); move = oracle.next(c)) system.apply(c, move);
    const complete = gold.projective || BUILD_CROSSING.includes(name);
    if (complete || name !== "attardi") expect(system.isTerminal(c)).toBe(complete);
    if (!complete) return;
    system.finish(c);
    expect(c.heads.subarray(1, words + 1)).toEqual(Int32Array.from(gold.heads.slice(1)));
  });

  test("loss, costs and walks of the dynamic oracle", () => {
    const oracle = dynamicOracle(system);
    expect(oracle === undefined).toBe(WITHOUT_DYNAMIC_ORACLE.includes(name));
    if (!oracle) return;
    const random = new Random(8);
    const words = walkedFor(name);
    const gold = new GoldTree(SHAPES[shape]!(words));
    oracle.bind(gold);
    system.initialize(c, words);
    const unavoidable = oracle.loss(c);
    if (gold.projective) expect(unavoidable).toBe(0);
    let steps = 0;
    for (; !system.isTerminal(c); steps++) {
      let move = oracle.optimal(c);
      if (steps % 100 === 0) {
        const count = system.permitted(c, moves);
        move = moves[Math.floor(random.next() * count)]!;
        expect(oracle.isOptimal(c, move)).toBe(oracle.cost(c, move) === 0);
      }
      system.apply(c, move);
    }
    system.finish(c);
    expect(steps).toBeGreaterThan(words);
    // The loss in the end is the oracle's for a terminal configuration, up to arcs given up beforehand.
    let lost = 0;
    const removed = system.description.leftOut?.(c);
    for (let d = 1; d <= words; d++)
      lost += (c.heads[d] !== gold.heads[d] ? 1 : 0) + (removed && removed[d]! > 0 ? 1 : 0);
    expect(oracle.loss(c)).toBeGreaterThanOrEqual(lost);
    if (oracle.exact) expect(oracle.loss(c)).toBe(lost);
  });

  test("as far from any good path as a parser gets: half of the words stacked", () => {
    const oracle = dynamicOracle(system);
    if (!oracle) return;
    const words = stackedFor(name);
    oracle.bind(new GoldTree(SHAPES[shape]!(words)));
    system.initialize(c, words);
    for (let i = 0; i < words / 2; i++) system.apply(c, SHIFT);
    const loss = oracle.loss(c);
    const count = system.permitted(c, moves);
    const costs = moves.slice(0, count).map((move) => oracle.cost(c, move));
    // A word that is removed wrongly counts, and so does its arc.
    const most = system.description.leftOut ? 2 * words : words;
    expect(loss).toBeLessThanOrEqual(most);
    expect(costs.every((cost) => cost >= 0 && cost <= most)).toBe(true);
    const least = oracle.cost(c, oracle.optimal(c));
    if (oracle.exact) expect([least, Math.min(...costs)]).toEqual([0, 0]);
  });

  test("the non-deterministic oracle follows the canonical derivation", () => {
    const several = nonDeterministicOracle(system);
    if (!several || !gold.projective) return;
    const one = staticOracle(system);
    one.bind(gold);
    several.bind(gold);
    system.initialize(c, words);
    while (!system.isTerminal(c)) {
      const move = one.next(c);
      const count = several.correct(c, moves);
      if (moves.indexOf(move) < 0 || moves.indexOf(move) >= count) expect.fail(`${system.nameOf(move)} is missing`);
      system.apply(c, move);
    }
  });
});

describe("derivations of 3,000 words", () => {
  const long = 3000;
  /** Numbers of a length that grows with the sentence are multiplied for each pair of words on a spine. */
  const countedFor = (system: string) => (system === "lr-spines" && !EXHAUSTIVE ? long / 2 : long);
  const shapes: Record<string, (words: number) => trees.Heads> = {
    random: (words) => trees.randomTree(words, 5),
    "sentences in a row": (words) => trees.sentencesInARow(words, 6),
    "right-branching": trees.rightBranching,
    "left-branching": trees.leftBranching,
  };
  const counted = SYSTEM_NAMES.filter((name) => ![...COUNTED_ONE_BY_ONE, ...NOT_COUNTED].includes(name));
  test.each(counted.flatMap((name) => Object.keys(shapes).map((shape) => ({ name, shape }))))(
    "$name, $shape",
    ({ name, shape }) => {
      const { count, limit } = countDerivations(createSystem(name), new GoldTree(shapes[shape]!(countedFor(name))));
      expect(limit).toBeUndefined();
      expect(count).toBeGreaterThan(0n);
    },
  );

  test.each(COUNTED_ONE_BY_ONE)("those of %s are too many, and counted up to a limit", (name) => {
    const { limit } = countDerivations(createSystem(name), new GoldTree(shapes.random!(long)), 500);
    expect(limit).toBe("500 configurations");
  });

  test("a chain has one derivation bottom-up, and Catalan many in LR-spines", () => {
    for (const degree of [2, 3]) {
      expect(countDerivations(createSystem("attardi", { degree }), new GoldTree(trees.leftBranching(long))).count).toBe(
        1n,
      );
    }
    let catalan = 1n;
    const words = countedFor("lr-spines");
    for (let i = 0n; i < words; i++) catalan = (catalan * 2n * (2n * i + 1n)) / (i + 2n);
    expect(countDerivations(createSystem("lr-spines"), new GoldTree(trees.leftBranching(words))).count).toBe(catalan);
  });

  test("configurations are counted without recursion", () => {
    const heads = new GoldTree(trees.rightBranching(long));
    const { limit } = byConfigurations(createSystem("arc-standard"), heads, 4000);
    expect(limit).toBe("4000 configurations");
  });
});

describe("half of all words stacked", () => {
  /** Cubic memory would be a hundred times as much as is allowed, whichever of the two. */
  const LONG = EXHAUSTIVE ? WORDS : WORDS / 2;
  /** Counts the bytes of all typed arrays that are made while `run` does its work. */
  function allocated(run: () => void): number {
    let bytes = 0;
    const counting = (name: "Int16Array" | "Int32Array") => {
      const original = globalThis[name];
      vi.stubGlobal(
        name,
        new Proxy(original, {
          construct(target, args, newTarget) {
            const array = Reflect.construct(target, args, newTarget) as Int32Array;
            if (typeof args[0] === "number") bytes += array.byteLength;
            return array;
          },
        }),
      );
    };
    counting("Int16Array");
    counting("Int32Array");
    try {
      run();
    } finally {
      vi.unstubAllGlobals();
    }
    return bytes;
  }

  test.each(["arc-standard", "lr-spines"])("%s needs no more memory than the square of that", (name) => {
    const system = createSystem(name);
    for (const heads of [trees.overItsNeighbour(LONG), trees.leftBranching(LONG), trees.crossingInARow(LONG, 3)]) {
      const oracle = dynamicOracle(system, Number.POSITIVE_INFINITY)!;
      oracle.bind(new GoldTree(heads));
      const c = new Configuration(LONG);
      system.initialize(c, LONG);
      for (let i = 0; i < LONG / 2; i++) system.apply(c, SHIFT);
      expect(allocated(() => oracle.loss(c))).toBeLessThan(16 * LONG * LONG);
    }
  });

  test("a large table of arc-standard is not kept", () => {
    const gamma = new BottomUpLoss(1, "last", false);
    gamma.bind(new GoldTree(trees.leftBranching(WORDS)));
    const c = new Configuration(WORDS);
    const system = createSystem("arc-standard");
    system.initialize(c, WORDS);
    for (let i = 0; i < 40; i++) system.apply(c, SHIFT);
    expect(gamma.reaches(c, NONE, false)).toBe(false);
    const table = new ArcStandardTable();
    expect(table.least(gamma)).toBe(20);
    expect(table.cells).toBe(0);
  });
});
