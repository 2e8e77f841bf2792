// Exact search against all derivations of short sentences, and what it is good for: no beam finds more.

import { describe, expect, test } from "vitest";
import { exact } from "../../src/exact/exact.js";
import { ExactSearch } from "../../src/exact/exact-search.js";
import { ExactTraining } from "../../src/exact/learning/exact-training.js";
import { ExactViolation } from "../../src/exact/learning/exact-violation.js";
import { waysOf } from "../../src/exact/two-words.js";
import type { Example } from "../../src/learning/examples.js";
import { Random } from "../../src/math/random.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import type { ParserModel } from "../../src/parser/parser.js";
import { createSystem, systemNames } from "../../src/registry/systems.js";
import { featureTemplates } from "../../src/registry/templates/feature-sets.js";
import { Classes } from "../../src/scoring/classes.js";
import type { ConfigurationScorer } from "../../src/scoring/scorer.js";
import { Decider } from "../../src/search/decider.js";
import { Configuration, NONE } from "../../src/systems/configuration.js";
import { isArc, type Move } from "../../src/systems/transition.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { isProjective } from "../../src/treebank/tree.js";
import { makeUp } from "../made-up-language.js";
import * as brute from "../systems/brute-force.js";
import { toyModel } from "../toy-model.js";

const SEED = Number(process.env.SEED ?? 32);

/** Random scores of the moves, by nothing but the top of the stack and the front of the buffer. */
class RandomScorer implements ConfigurationScorer {
  readonly scores: Int32Array;
  private readonly table = new Map<number, Int32Array>();

  constructor(
    size: number,
    private readonly random: Random,
  ) {
    this.scores = new Int32Array(size);
  }

  bind(): void {
    this.table.clear();
  }

  score(c: Configuration): void {
    const key = (c.s(0) + 1) * 100 + c.b(0) + 1;
    let row = this.table.get(key);
    if (!row) this.table.set(key, (row = this.scores.map(() => Math.floor(this.random.next() * 1000) - 500)));
    this.scores.set(row);
  }
}

function setUp(name: string, singleRoot: boolean, seed: number) {
  const system = createSystem(name, { root: "last", singleRoot });
  const classes = new Classes(system, 2, [0, 1], [0, 1]);
  const scorer = new RandomScorer(classes.size, new Random(seed));
  const decider = new Decider(system, classes, scorer);
  return { system, classes, scorer, decider, search: new ExactSearch(decider) };
}

const words = (n: number) =>
  Sentence.from({ words: Array.from({ length: n }, (_, i) => ({ form: `w${i}`, head: i, deprel: "x" })) });

/** The best sum over all derivations; `worth` is added for each arc with its label, −∞ forbids it. */
function bestOfAll(
  { system, classes, scorer }: ReturnType<typeof setUp>,
  n: number,
  worth: (head: number, dependent: number, label: number) => number,
): { score: number; derivations: number } {
  let score = Number.NEGATIVE_INFINITY;
  let derivations = 0;
  const go = (c: Configuration, sum: number): void => {
    if (sum === Number.NEGATIVE_INFINITY) return;
    if (system.isTerminal(c)) {
      derivations++;
      score = Math.max(score, sum);
      return;
    }
    const moves: Move[] = [];
    const count = system.permitted(c, moves);
    for (const move of moves.slice(0, count)) {
      const group = classes.groupOf(move);
      for (let cls = classes.from[group]!; cls < classes.from[group + 1]!; cls++) {
        scorer.score(c);
        const label = classes.labels[cls]!;
        const extra = isArc(move) ? worth(system.head(c, move), system.dependent(c, move), label) : 0;
        const next = new Configuration(n);
        next.copyFrom(c);
        system.apply(next, move, label);
        go(next, sum + scorer.scores[cls]! + extra);
      }
    }
  };
  const start = new Configuration(n);
  system.initialize(start, n);
  go(start, 0);
  return { score, derivations };
}

/** The sum of a derivation's scores, replayed: every move must be permitted. */
function scoreOf(
  { system, classes, scorer, search }: ReturnType<typeof setUp>,
  n: number,
): { sum: number; c: Configuration } {
  const c = new Configuration(n);
  system.initialize(c, n);
  let sum = 0;
  for (const { move, cls } of search.steps()) {
    if (!system.permits(c, move)) expect.fail(`${system.nameOf(move)} is not permitted`);
    scorer.score(c);
    sum += scorer.scores[cls]!;
    system.apply(c, move, classes.labels[cls]!);
  }
  expect(system.isTerminal(c)).toBe(true);
  return { sum, c };
}

const CASES = ["arc-hybrid", "arc-eager"].flatMap((name) => [true, false].map((one) => [name, one] as const));

describe.each(CASES)("%s, single root %s", (name, singleRoot) => {
  test("the best of all derivations, n ≤ 5", () => {
    for (let n = 1; n <= 5; n++) {
      for (let run = 0; run < (n > 3 ? 2 : 30); run++) {
        const all = setUp(name, singleRoot, SEED + 100 * n + run);
        all.search.bind(words(n));
        all.search.score();
        const found = all.search.find();
        const truth = bestOfAll(all, n, () => 0);
        expect(truth.derivations).toBeGreaterThan(0);
        expect(found).toBe(truth.score);
        expect(scoreOf(all, n).sum).toBe(found);
      }
    }
  });

  test("the best that builds a tree, and the best if wrong arcs are favoured", () => {
    const random = new Random(SEED);
    const n = 3;
    for (const heads of brute.allTrees(n)) {
      const all = setUp(name, singleRoot, SEED + heads.join("").length);
      const labels = heads.map(() => Math.floor(random.next() * 2));
      // A word of which any head will do, and one of which any label.
      const given = heads.map((head, d) => (d === 2 && random.next() < 0.3 ? NONE : head));
      if (random.next() < 0.3) labels[1] = NONE;
      const isWrong = (head: number, d: number, label: number) =>
        given[d] !== NONE && (head !== given[d] || (labels[d]! >= 0 && labels[d] !== label));
      all.search.bind(words(n));
      all.search.score();
      for (const margin of [Number.NEGATIVE_INFINITY, 300]) {
        const found = all.search.find({ heads: given, labels, margin });
        expect(found).toBe(bestOfAll(all, n, (h, d, l) => (isWrong(h, d, l) ? margin : 0)).score);
        if (found === Number.NEGATIVE_INFINITY) continue;
        const { sum, c } = scoreOf(all, n);
        let wrong = 0;
        for (let d = 1; d <= n; d++) if (isWrong(c.heads[d]!, d, c.labels[d]!)) wrong++;
        expect(sum + (wrong === 0 ? 0 : wrong * margin)).toBe(found);
      }
    }
  });
});

describe("in training", () => {
  const TRAIN = makeUp(60, 1);
  const TEST = makeUp(40, 2);

  test.each(["arc-hybrid", "arc-eager"])("%s learns, and no beam finds a better derivation", (system) => {
    const training = new ExactTraining(TRAIN, {
      ...{ system, root: "last", oracle: "dynamic", exploreFrom: 2, exploreProbability: 1, afterUpdate: "go-on" },
      ...{ lossBound: Number.POSITIVE_INFINITY, epochs: 4, seed: 1, beam: 4, merge: "exact" },
      templates: featureTemplates(system, "two-words"),
    });
    while (training.epoch < training.options.epochs) training.runEpoch();
    const model = readModel(writeModel(training.model())).parser as ParserModel;
    const best = model.createParser({ merge: exact });
    const others = [1, 2, 8].map((beam) => model.createParser({ beam }));
    let [all, right] = [0, 0];
    for (const sentence of TEST) {
      const [tree] = best.parseBest(sentence, 1);
      for (let d = 1; d <= sentence.length; d++) {
        all++;
        if (tree!.heads[d] === sentence.heads[d] && tree!.labels[d] === sentence.deprel(d)) right++;
      }
      for (const other of others) {
        expect(other.parseBest(sentence, 1)[0]!.score).toBeLessThanOrEqual(tree!.score);
      }
    }
    expect(right / all).toBeGreaterThan(0.9);
    expect(() => best.checkCount(2)).toThrow("the best tree only");
  });

  test("a tree that cannot be built teaches nothing", () => {
    const [crossing] = makeUp(50, 3, 1).filter(({ heads }) => !isProjective(heads));
    const { search } = setUp("arc-hybrid", true, 1);
    const violation = new ExactViolation(search, 10);
    const labels = new Int32Array(crossing!.length + 1);
    violation.example = { words: crossing!, heads: crossing!.heads, labels } as unknown as Example;
    violation.begin(crossing!);
    expect(violation.find()).toBe(false);
  });
});

test("the systems for which there is exact search", () => {
  const able = systemNames().filter((name) => waysOf(createSystem(name, { root: "last" })));
  expect(able).toEqual(["arc-eager", "arc-hybrid"]);
  expect(waysOf(createSystem("arc-hybrid", { root: "first" }))).toBeUndefined();
  expect(waysOf(createSystem("arc-eager", { root: "last", monotonic: false }))).toBeUndefined();
  expect(waysOf(createSystem("arc-eager", { root: "last", treeConstraint: false }))).toBeUndefined();
});

test("a parser says why it cannot be searched exactly", () => {
  const templates = featureTemplates("arc-hybrid", "two-words");
  expect(exact.obstacle(toyModel({ templates }))).toBeUndefined();
  for (const [changes, found] of [
    [{ system: "arc-standard" }, "the system arc-standard with root last (expected arc-eager or arc-hybrid"],
    [{ root: "first" }, "the system arc-hybrid with root first"],
    [{ templates: "s0.tag; t0.move" }, "the template value t0.move (expected templates such as two-words"],
    [{ templates: "s0.tag; s0.lval" }, "the template value s0.lval"],
    [{ templates: "s0.tag; s1.tag" }, "the template position s1 "],
    [{ templates: "s0.tag; s0l.tag" }, "the template position s0l "],
    [{ logUnit: 1 }, "a model that was trained step by step"],
  ] as const) {
    const model = toyModel({ templates, ...changes });
    expect(exact.obstacle(model)).toContain(found);
    expect(() => model.createParser({ merge: exact })).toThrow(`invalid merge: exact, with ${found}`);
  }
});
