// Sentences far longer than those of treebanks: nothing recurses as deep as they are long, nothing takes cubic memory, and
// what takes exponential time elsewhere is cut short. A test that runs into its time limit (vitest.config.ts) has failed.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Configuration } from "../src/systems/configuration.js";
import { countDerivations } from "../src/systems/derivations.js";
import { GoldTree } from "../src/systems/gold.js";
import { createSystem, SYSTEM_NAMES } from "../src/systems/index.js";
import { dynamicOracle, nonDeterministicOracle, staticOracle } from "../src/systems/oracles.js";
import { SHIFT } from "../src/systems/transition.js";
import { Random } from "../src/training/random.js";
import * as trees from "./long-trees.js";

const WORDS = 1000;
const SHAPES: Record<string, trees.Heads> = {
  random: trees.randomTree(WORDS, 5),
  "sentences in a row": trees.sentencesInARow(WORDS, 6),
  "crossing arcs": trees.crossingInARow(WORDS, 7),
  "right-branching": trees.rightBranching(WORDS),
  "left-branching": trees.leftBranching(WORDS),
  "over the neighbour": trees.overItsNeighbour(WORDS),
};
const CASES = SYSTEM_NAMES.flatMap((name) => Object.keys(SHAPES).map((shape) => ({ name, shape })));

describe.each(CASES)("$name, $WORDS words, $shape", ({ name, shape }) => {
  const system = createSystem(name);
  const gold = new GoldTree(SHAPES[shape]!);
  const c = new Configuration(WORDS);
  const moves: number[] = [];

  test("the static oracle ends, and builds what it can", () => {
    const oracle = staticOracle(system);
    oracle.bind(gold);
    system.initialize(c, WORDS);
    for (let move = oracle.next(c); move >= 0 && !system.isTerminal(c); move = oracle.next(c)) system.apply(c, move);
    expect(system.isTerminal(c)).toBe(gold.projective || name === "swap" || name === "attardi");
  });

  test("loss, costs and walks of the dynamic oracle", () => {
    const oracle = dynamicOracle(system);
    if (!oracle) {
      expect(name).toBe("swap");
      return;
    }
    const random = new Random(8);
    oracle.bind(gold);
    system.initialize(c, WORDS);
    const unavoidable = oracle.loss(c);
    if (gold.projective) expect(unavoidable).toBe(0);
    let wrong = 0;
    for (let steps = 0; !system.isTerminal(c); steps++) {
      let move = oracle.optimal(c);
      if (steps % 20 === 0) {
        const count = system.permitted(c, moves);
        move = moves[Math.floor(random.next() * count)]!;
        expect(oracle.isOptimal(c, move)).toBe(oracle.cost(c, move) === 0);
      }
      system.apply(c, move);
      wrong = steps;
    }
    system.finish(c);
    expect(wrong).toBeGreaterThan(WORDS);
    // What is lost in the end is what the oracle says of a terminal configuration, up to arcs given up beforehand.
    let lost = 0;
    for (let d = 1; d <= WORDS; d++) if (c.heads[d] !== gold.heads[d]) lost++;
    expect(oracle.loss(c)).toBeGreaterThanOrEqual(lost);
    if (oracle.exact) expect(oracle.loss(c)).toBe(lost);
  });

  test("as far from any good path as a parser gets: half of the words stacked", () => {
    const oracle = dynamicOracle(system);
    if (!oracle) return;
    oracle.bind(gold);
    system.initialize(c, WORDS);
    for (let i = 0; i < WORDS / 2; i++) system.apply(c, SHIFT);
    const loss = oracle.loss(c);
    const count = system.permitted(c, moves);
    const costs = moves.slice(0, count).map((move) => oracle.cost(c, move));
    expect(loss).toBeLessThanOrEqual(WORDS);
    expect(costs.every((cost) => cost >= 0 && cost <= WORDS)).toBe(true);
    expect(oracle.cost(c, oracle.optimal(c))).toBe(0);
    if (oracle.exact) expect(Math.min(...costs)).toBe(0);
  });

  test("the non-deterministic oracle follows the canonical derivation", () => {
    const several = nonDeterministicOracle(system);
    if (!several || !gold.projective) return;
    const one = staticOracle(system);
    one.bind(gold);
    several.bind(gold);
    system.initialize(c, WORDS);
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
  const shapes: Record<string, trees.Heads> = {
    random: trees.randomTree(long, 5),
    "sentences in a row": trees.sentencesInARow(long, 6),
    "right-branching": trees.rightBranching(long),
    "left-branching": trees.leftBranching(long),
  };
  const counted = SYSTEM_NAMES.filter((name) => name !== "swap");
  test.each(counted.flatMap((name) => Object.keys(shapes).map((shape) => ({ name, shape }))))(
    "$name, $shape",
    ({ name, shape }) => {
      const { count, limit } = countDerivations(createSystem(name), new GoldTree(shapes[shape]!));
      expect(limit).toBeUndefined();
      expect(count).toBeGreaterThan(0n);
    },
  );

  test("a chain has one derivation bottom-up, and Catalan many in LR-spines", () => {
    for (const degree of [2, 3]) {
      expect(countDerivations(createSystem("attardi", { degree }), new GoldTree(trees.leftBranching(long))).count).toBe(
        1n,
      );
    }
    let catalan = 1n;
    for (let i = 0n; i < long; i++) catalan = (catalan * 2n * (2n * i + 1n)) / (i + 2n);
    expect(countDerivations(createSystem("lr-spines"), new GoldTree(trees.leftBranching(long))).count).toBe(catalan);
  });

  test("configurations are counted without recursion", () => {
    class Unknown extends (createSystem("arc-standard").constructor as new () => ReturnType<typeof createSystem>) {
      override readonly name = "unknown";
    }
    expect(countDerivations(new Unknown(), new GoldTree(trees.rightBranching(long))).count).toBe(1n);
  });
});

test("500 of 1,000 words stacked need little memory", () => {
  // The compiled library, in a process of its own. Needs `npm run build`.
  const index = new URL("../dist/index.js", import.meta.url).href;
  const script = `
    import { Configuration, createSystem, dynamicOracle, GoldTree, SHIFT } from ${JSON.stringify(index)};
    const heads = ${JSON.stringify(trees.overItsNeighbour(WORDS))};
    for (const name of ["arc-standard", "lr-spines"]) {
      const system = createSystem(name);
      const oracle = dynamicOracle(system);
      oracle.bind(new GoldTree(heads));
      const c = new Configuration(${WORDS});
      system.initialize(c, ${WORDS});
      for (let i = 0; i < 500; i++) system.apply(c, SHIFT);
      if (oracle.loss(c) === 0) throw new Error("nothing was lost");
    }
    globalThis.gc();
    console.log(JSON.stringify({ peak: process.resourceUsage().maxRSS / 1024, kept: process.memoryUsage().arrayBuffers / 2 ** 20 }));
  `;
  const args = ["--expose-gc", "--input-type=module", "--eval", script];
  const { peak, kept } = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", cwd: folder() }));
  console.log(
    `long-sentences.test.ts: at most ${peak.toFixed(0)} MB, of which ${kept.toFixed(1)} MB of tables are kept`,
  );
  expect(peak).toBeLessThan(300);
  expect(kept).toBeLessThan(5);
});

function folder(): string {
  return fileURLToPath(new URL(".", import.meta.url));
}
