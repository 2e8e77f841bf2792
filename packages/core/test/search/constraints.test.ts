import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Words } from "../../src/features/columns.js";
import type { ModelHeader } from "../../src/parser/model-header.js";
import type { Parser } from "../../src/parser/parser.js";
import { canBuild } from "../../src/registry/oracles.js";
import { createSystem, describeSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { ImpossibleConstraints } from "../../src/search/constraints/impossible-constraints.js";
import type { PartialTree } from "../../src/search/constraints/tree-constraints.js";
import { TreeConstraints } from "../../src/search/constraints/tree-constraints.js";
import { Configuration, NONE, ROOT_POSITIONS } from "../../src/systems/configuration.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import type { ParsedTree } from "../../src/treebank/sentence/parsed-tree.js";
import { isTree } from "../../src/treebank/tree.js";
import { projectiveTree } from "../systems/random-projective-trees.js";
import { randomTrees } from "../systems/random-trees.js";
import { toyModel } from "../toy-model.js";

const SEED = Number(process.env.SEED ?? 20263);
const RUNS = Number(process.env.RUNS ?? 60);
console.log(`constraints.test.ts: seed ${SEED}, ${RUNS} random runs each (SEED=… RUNS=… for others)`);

/** The parsers that keep constraints, by the name of their search. */
const SEARCHES: [name: string, make: (model: ReturnType<typeof toyModel>) => Parser][] = [
  ["greedy", (model) => model.createParser({ beam: 1 })],
  ["beam 4", (model) => model.createParser({ beam: 4 })],
  ["beam 4 without merging", (model) => model.createParser({ beam: 4, merge: false })],
];

const FORMS = ["The", "old", "boat", "sank", ".", "Wait", "Late", "we"];
const TAGS = ["DET", "ADJ", "NOUN", "VERB", "PUNCT"];
/** Labels of the toy model, and one that it does not know. */
const LABELS = ["root", "dep", "nsubj", "punct", "det", "unheard"];

const SPINES_TEMPLATES = "s1.upos q1.upos\ns1.form; q1.form dist(s1,q1)\ns2.label q1.xpos; gp.upos";

function modelOf(changes: Partial<ModelHeader>): ReturnType<typeof toyModel> {
  return toyModel({ ...(changes.system === "lr-spines" ? { templates: SPINES_TEMPLATES } : {}), ...changes });
}

/** A sentence that looks like those for which the toy model has weights. */
function someWords(n: number, seed: number): Words {
  const pick = (list: string[], i: number) => list[(Math.imul(i + seed, 0x9e3779b1) >>> 8) % list.length]!;
  return {
    length: n,
    form: (i) => pick(FORMS, i),
    lemma: (i) => pick(FORMS, i).toLowerCase(),
    upos: (i) => pick(TAGS, 3 * i),
    xpos: () => "_",
    feats: () => "_",
  };
}

/** A part of a tree: draws say which heads and labels stay. */
function partOf(
  tree: ArrayLike<number>,
  draws: readonly number[],
): { heads: Int32Array; labels: (string | undefined)[] } {
  const heads = Int32Array.from(tree, (h, d) => (d > 0 && draws[d % draws.length]! % 3 > 0 ? h : NONE));
  const labels = Array.from(tree, (_, d) => {
    const draw = draws[(7 * d + 3) % draws.length]!;
    return d > 0 && draw % 2 === 0 ? LABELS[draw % LABELS.length] : undefined;
  });
  return { heads, labels };
}

function expectKept(parser: Parser, words: Words, constraints: PartialTree): void {
  checkTree(parser.parse(words, { constraints }), words.length, constraints);
}

function checkTree({ heads, labels }: ParsedTree, n: number, constraints: PartialTree): void {
  expect(heads).toHaveLength(n + 1);
  expect(isTree(heads)).toBe(true);
  expect(heads.filter((h) => h === 0)).toHaveLength(1);
  for (let d = 1; d <= n; d++) {
    if (constraints.heads[d] !== NONE) expect(`${d} on ${heads[d]}`).toBe(`${d} on ${constraints.heads[d]}`);
    const label = constraints.labels?.[d];
    if (label !== undefined) expect(`${d} ${labels[d]}`).toBe(`${d} ${label}`);
    expect(labels[d]).not.toMatch(/[↑↓]/);
  }
}

const draws = fc.array(fc.nat(1 << 20), { minLength: 24, maxLength: 24 });
const KEEPING = SYSTEM_NAMES.filter((system) => describeSystem(system).knownHeads);
const VARIANTS = KEEPING.flatMap((system) => ROOT_POSITIONS.map((root) => ({ system, root })));

describe.each(SEARCHES)("%s: heads and labels of random partial trees are kept", (_, make) => {
  test.each(VARIANTS)("$system, root $root", ({ system, root }) => {
    const parser = make(modelOf({ system, root }));
    const trees = projectiveTree(1, 14, true);
    fc.assert(
      fc.property(trees, draws, fc.nat(1000), (tree, draws, seed) => {
        expectKept(parser, someWords(tree.length - 1, seed), partOf(tree, draws));
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  test.each(VARIANTS.filter(({ system }) => system === "attardi" || system === "swap"))(
    "$system, root $root: also of trees with crossing arcs",
    ({ system, root }) => {
      const model = modelOf({ system, root });
      const parser = make(model);
      const c = new Configuration();
      let kept = 0;
      fc.assert(
        fc.property(oneRoot(12), draws, fc.nat(1000), (tree, draws, seed) => {
          if (system === "attardi" && !canBuild(model.system, new GoldTree(tree), c)) return;
          kept++;
          expectKept(parser, someWords(tree.length - 1, seed), partOf(tree, draws));
        }),
        { seed: SEED, numRuns: RUNS },
      );
      expect(kept).toBeGreaterThan(0);
    },
  );

  test.each(["arc-standard", "arc-eager", "lr-spines"])("%s for projectivized trees: every tree", (system) => {
    const changes: Partial<ModelHeader> = {
      system,
      projectivized: "head+path",
      labels: ["root", "dep", "nsubj", "punct↑dep", "dep↓", "nsubj↑root↓"],
      leftLabels: [0, 1, 2, 3, 4, 5],
      rightLabels: [1, 2, 3, 4, 5],
    };
    const parser = make(modelOf(changes));
    fc.assert(
      fc.property(oneRoot(12), draws, fc.nat(1000), (tree, draws, seed) => {
        expectKept(parser, someWords(tree.length - 1, seed), partOf(tree, draws));
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});

/** Random trees of one root, mostly not projective. */
function oneRoot(most: number): fc.Arbitrary<Int32Array> {
  return randomTrees(most).map((heads) => {
    const root = heads.indexOf(0);
    return heads.map((h, d) => (h === 0 && d !== root ? root : h));
  });
}

test("all of the best trees keep them", () => {
  for (const { system, root } of VARIANTS) {
    const parser = modelOf({ system, root }).createParser({ beam: 6 });
    const constraints = { heads: [NONE, 2, NONE, NONE, 6, NONE, 2], labels: [undefined, undefined, "nsubj"] };
    const trees = [...parser.parseBest(someWords(6, 3), 6, { constraints })];
    expect(trees.length).toBeGreaterThan(1);
    for (const tree of trees) checkTree(tree, 6, constraints);
  }
});

test("a whole tree as constraints comes out as it is, and no constraints change nothing", () => {
  for (const { system, root } of VARIANTS) {
    const parser = modelOf({ system, root }).createParser();
    const words = someWords(6, 1);
    const heads = [NONE, 2, 0, 2, 5, 3, 2];
    expect(Array.from(parser.parse(words, { constraints: { heads } }).heads)).toEqual(heads);
    const free = parser.parse(words);
    expect(parser.parse(words, { constraints: { heads: new Int32Array(7).fill(NONE) } })).toEqual(free);
    expect(parser.parse(words, { constraints: { heads: free.heads, labels: free.labels } })).toEqual(free);
  }
});

describe("impossible constraints are named", () => {
  const parser = toyModel({ system: "arc-standard" }).createParser();
  const errorOf = (...heads: number[]): ImpossibleConstraints => {
    try {
      parser.parse(someWords(heads.length, 1), { constraints: { heads: [NONE, ...heads] } });
    } catch (error) {
      return error as ImpossibleConstraints;
    }
    throw new Error("nothing was thrown");
  };
  test.each([
    [[NONE, 4, NONE], [2], "invalid head of word 2: 4 (expected 0 to 3: the sentence has 3 words)"],
    [[NONE, -2, NONE], [2], "invalid head of word 2: -2 (expected 0 to 3: the sentence has 3 words)"],
    [[NONE, NONE, 3], [3], "invalid head of word 3: 3 (expected another word: this word is its own head)"],
    [[2, 3, 1], [3, 2, 1], "invalid head of word 1: 2 (expected no cycle: heads 1 → 2 → 3 → 1)"],
    [[0, NONE, 0], [1, 3], "invalid head of word 3: 0 (expected one root: word 1 is already a root)"],
    [
      [NONE, NONE, 1, 2],
      [3, 4],
      "invalid head of word 4: 2 (expected a head that fits: word 3 has head 1, the arcs cross, and arc-standard cannot build that; free either of them, or use a model that builds crossing arcs)",
    ],
    [
      [NONE, 0, 1],
      [2, 3],
      "invalid head of word 3: 1 (expected a head that fits: word 2 has head 0, the arcs cross, and arc-standard cannot build that; free either of them, or use a model that builds crossing arcs)",
    ],
  ])("%j", (heads, words, message) => {
    const error = errorOf(...heads);
    expect(error).toBeInstanceOf(ImpossibleConstraints);
    expect(error.message).toBe(message);
    expect(error.words).toEqual(words);
  });

  test("another number of words", () => {
    expect(() => parser.parse(someWords(3, 1), { constraints: { heads: [NONE, 0] } })).toThrow(
      "invalid number of heads: 2 (expected 4: the sentence has 3 words)",
    );
  });

  test("the parser goes on with the next sentence", () => {
    expect(errorOf(0, 0)).toBeInstanceOf(ImpossibleConstraints);
    expect(isTree(parser.parse(someWords(5, 2)).heads)).toBe(true);
  });
});

test("a system that cannot tell what keeps known heads within reach refuses them", () => {
  expect(SYSTEM_NAMES.filter((system) => !KEEPING.includes(system))).toEqual([
    "attardi-auxiliary",
    "two-planar",
    "disfluencies",
  ]);
  expect(() => new TreeConstraints(createSystem("two-planar"), ["root"], false)).toThrow(
    "invalid system for known heads: two-planar",
  );
});
