import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countDerivations } from "../../src/registry/count-derivations.js";
import { createSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { byConfigurations } from "../../src/systems/analysis/derivations.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { cpuTime } from "../cpu-time.js";
import * as brute from "./brute-force.js";
import { projectiveTree } from "./random-projective-trees.js";
import { systemOf } from "./walk.js";

/** With an auxiliary stack there is no number, see below. */
const MOST_WORDS: Partial<Record<brute.SystemName, number>> = {
  "arc-standard": 5,
  "arc-eager": 5,
  "arc-hybrid": 5,
  attardi: 5,
  swap: 4,
  "arc-hybrid-swap": 4,
  "arc-swift": 5,
  "lr-spines": 5,
  covington: 4,
  "two-planar": 3,
};

const CASES: brute.Options[] = brute.SYSTEMS.filter((system) => system in MOST_WORDS).flatMap((system) =>
  brute.ROOTS.flatMap((root) => [
    { system, root },
    { system, root, singleRoot: true },
    ...(system === "attardi" ? [3, 4].map((degree) => ({ system, root, degree })) : []),
    ...(system === "arc-eager" || system === "covington" ? [{ system, root, monotonic: false as const }] : []),
  ]),
);

describe.each(CASES)("$system $root $degree $singleRoot", (options) => {
  it("counts as the brute force does, for all trees", () => {
    const system = systemOf(options);
    for (let n = 1; n <= MOST_WORDS[options.system]!; n++) {
      const wrong: string[] = [];
      for (const heads of brute.allTrees(n)) {
        const counted = countDerivations(system, new GoldTree(heads)).count;
        const truth = brute.countDerivations(options, heads, false);
        if (counted !== truth) wrong.push(`${heads.slice(1)}: ${counted} instead of ${truth}`);
      }
      expect(wrong).toEqual([]);
    }
  });
});

// Without the systems in which words or stacks change places, which have too many configurations, and without the
// constraint of one root: what it permits has been counted above.
const LONGER = CASES.filter(
  ({ system, singleRoot }) => !["swap", "arc-hybrid-swap", "two-planar"].includes(system) && !singleRoot,
);

describe.each(LONGER)("$system $root $degree, longer", (options) => {
  it("counts random projective trees as the brute force does", () => {
    const system = systemOf(options);
    const most = options.system === "attardi" ? 7 : 9;
    fc.assert(
      fc.property(projectiveTree(6, most, options.root === "none"), (heads) => {
        expect(countDerivations(system, new GoldTree(heads)).count).toBe(brute.countDerivations(options, heads, false));
      }),
      { numRuns: 60 },
    );
  });
});

it("by configurations: what was counted once is not counted again, or this would take years", () => {
  // Words on both sides of one head, in any order of sides: far more derivations than configurations.
  const [side, words] = [18, 37];
  const heads = Array.from({ length: words + 1 }, (_, d) => (d === 0 ? -1 : d === side + 1 ? 0 : side + 1));
  const system = createSystem("arc-standard", { root: "last" });
  const counted = byConfigurations(system, new GoldTree(heads), 100_000);
  expect(counted).toEqual(countDerivations(system, new GoldTree(heads)));
  expect(counted.count).toBeGreaterThan(10n ** 9n);
});

it("counts exactly beyond 2^53", () => {
  // 50 words, their head, 50 words: C(100, 50) in arc-standard.
  const heads = [-1, ...Array.from({ length: 101 }, (_, i) => (i === 50 ? 0 : 51))];
  const gold = new GoldTree(heads);
  expect(countDerivations(createSystem("arc-standard"), gold).count).toBe(100891344545564193334812497256n);
  // Nothing can wait in arc-eager: a word below 51 stands alone.
  expect(countDerivations(createSystem("arc-eager"), gold).count).toBe(1n);
});

it("counts nothing where EXTRACT and INSERT can follow each other for ever, and says why", () => {
  const system = createSystem("attardi-auxiliary");
  // 0 → 1 with 1 below 0, and after EXTRACT and INSERT with 1 above it; 0 is never extracted.
  expect(countDerivations(system, new GoldTree([-1, 0]))).toEqual({ count: 2n, limit: undefined });
  expect(countDerivations(system, new GoldTree([-1, 2, 0]))).toEqual({
    count: undefined,
    limit: "EXTRACT and INSERT can undo each other again and again",
  });
});

it("gives swap up beyond the limit", () => {
  const heads = [-1, 2, 3, 0, 3, 4];
  const system = createSystem("swap");
  expect(countDerivations(system, new GoldTree(heads), 1000).count).toBe(undefined);
  expect(countDerivations(system, new GoldTree(heads), 100).count).toBe(undefined);
  const truth = brute.countDerivations({ system: "swap", root: "last" }, heads, false);
  expect(countDerivations(system, new GoldTree(heads)).count).toBe(truth);
});

it("gives Attardi's system up beyond the limit", () => {
  const heads = [-1, ...Array.from({ length: 201 }, (_, i) => (i === 100 ? 0 : 101))];
  expect(countDerivations(createSystem("attardi", { degree: 3 }), new GoldTree(heads), 1000).count).toBe(undefined);
});

it("copes with a treebank", (context) => {
  let text: string;
  try {
    text = readFileSync(new URL("../../../../../shared/treebanks/zh_gsd-ud-dev.conllu", import.meta.url), "utf8");
  } catch {
    console.log("skipped: ../shared/treebanks is not there");
    context.skip();
    return;
  }
  // Systems that are counted by their configurations have more of them than the limit, or derivations without end.
  const chain = new GoldTree(Array.from({ length: 10 }, (_, d) => d - 1));
  const systems = SYSTEM_NAMES.map((name) => createSystem(name)).filter(
    (system) => !/(configurations|again and again)$/.test(countDerivations(system, chain, 1).limit ?? ""),
  );
  expect(systems.length).toBeGreaterThan(5);
  const before = cpuTime();
  for (const { heads } of readTreebank(text)) {
    const gold = new GoldTree(heads);
    for (const system of systems) {
      const count = countDerivations(system, gold).count;
      expect(count).toBeDefined();
      if (gold.projective) expect(count).toBeGreaterThan(0n);
    }
  }
  expect(cpuTime() - before).toBeLessThan(60_000);
});
