// Arc-eager with disfluencies against the brute force of its own definition, and the slides' derivation.

import { describe, expect, test } from "vitest";
import { attachRemoved } from "../../src/disfluencies/attach-removed.js";
import { disfluentWords, fluentSentence } from "../../src/disfluencies/fluent.js";
import { REMOVALS } from "../../src/disfluencies/removed-words.js";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import { canBuild, dynamicOracle, staticOracle } from "../../src/registry/oracles.js";
import { createSystem } from "../../src/registry/systems.js";
import { BeamParser } from "../../src/search/beam/beam-parser.js";
import { StateMerger } from "../../src/search/beam/state-merger.js";
import { GreedyParser } from "../../src/search/greedy-parser.js";
import { Configuration } from "../../src/systems/configuration.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import type { TransitionSystem } from "../../src/systems/system.js";
import { train } from "../../src/training/train.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { isTree } from "../../src/treebank/tree.js";
import { noiseModel, noiseWords } from "../scoring/noise-model.js";
import { EXHAUSTIVE } from "../systems/exhaustive.js";
import * as brute from "./disfluencies-brute-force.js";

const SEED = Number(process.env.SEED ?? 20271);
const WORDS = Number(process.env.WORDS ?? (EXHAUSTIVE ? 4 : 3));
const RUNS = Number(process.env.RUNS ?? (EXHAUSTIVE ? 1500 : 150));
console.log(`disfluencies.test.ts: seed ${SEED}, ${RUNS} random runs, n ≤ ${WORDS} (SEED=… RUNS=… WORDS=…)`);

const KINDS = ["", "IJ", "DM", "RP"];
const ROOTS: brute.Root[] = ["first", "last", "none"];
const VARIANTS: brute.Options[] = ROOTS.flatMap((root) =>
  [false, true].flatMap((atOnce) => [false, true].map((singleRoot) => ({ root, atOnce, singleRoot, front: ["IJ"] }))),
);
/** With a limit to what a transition removes, as parsers that are trained have one. */
const LIMITED: brute.Options[] = ROOTS.flatMap((root) =>
  [1, 2].flatMap((longest) =>
    [false, true].map((singleRoot) => ({ root, atOnce: true, longest, singleRoot, front: ["IJ"] })),
  ),
);
const nameOf = ({ root, atOnce, singleRoot, longest }: brute.Options) =>
  `root ${root}${atOnce ? ", at once" : ""}${longest ? `, longest ${longest}` : ""}${singleRoot ? ", one root" : ""}`;

const systemOf = ({ root, singleRoot, atOnce, longest }: brute.Options) =>
  createSystem("disfluencies", { root, singleRoot, atOnce, ...(longest ? { longest } : {}) });
const goldOf = ({ heads, removed }: brute.Gold) =>
  new GoldTree(
    heads,
    undefined,
    removed.map((kind) => KINDS.indexOf(kind)),
  );

/** Random numbers below 1 (mulberry32). */
function generator(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function stateOf(c: Configuration): brute.State {
  return {
    stack: Array.from(c.stack.subarray(0, c.stackSize)),
    buffer: Array.from(c.buffer.subarray(c.front, c.end)),
    heads: Array.from(c.heads.subarray(0, c.length + 1)),
    removed: Array.from(c.extra[0]!.subarray(0, c.length + 1), (kind) => KINDS[Math.max(0, kind)]!),
  };
}

function permittedNames(system: TransitionSystem, c: Configuration): string[] {
  const moves: number[] = [];
  moves.length = system.permitted(c, moves);
  return moves.map((move) => system.nameOf(move));
}

/** Every configuration of the system beside that of the brute force, by the same transitions. */
function pairs(system: TransitionSystem, truth: brute.Configurations, n: number): (Configuration | undefined)[] {
  const found: (Configuration | undefined)[] = new Array(truth.states.length).fill(undefined);
  const start = new Configuration(n);
  system.initialize(start, n);
  const agenda: [number, Configuration][] = [[truth.placeOf(brute.initial(truth.options, n)), start]];
  for (let next = agenda.pop(); next; next = agenda.pop()) {
    const [place, c] = next;
    if (found[place]) continue;
    found[place] = c;
    for (const { name, to } of truth.steps[place]!) {
      if (found[to]) continue;
      const after = new Configuration(n);
      after.copyFrom(c);
      system.apply(after, system.moveOf(name));
      agenda.push([to, after]);
    }
  }
  return found;
}

/**
 * Losses, costs and optimal moves of all configurations of n words, or of every so-manieth, for each gold tree; how
 * many of the results were exact.
 */
function compare(options: brute.Options, n: number, golds: readonly brute.Gold[], every = 1): number {
  const system = systemOf(options);
  const oracle = dynamicOracle(system)!;
  const truth = new brute.Configurations(options, n);
  const configurations = pairs(system, truth, n);
  let exact = 0;
  golds.forEach((gold, at) => {
    const losses = truth.losses(gold);
    oracle.bind(goldOf(gold));
    const projective = brute.isProjective(gold);
    for (let place = at % every; place < configurations.length; place += every) {
      const c = configurations[place];
      if (!c) continue;
      const where = () => `${nameOf(options)}, gold ${JSON.stringify(gold)}, ${JSON.stringify(truth.states[place])}`;
      const loss = oracle.loss(c);
      if (!oracle.exact) {
        if (projective) expect.fail(`${where()}: not exact`);
        if (loss < losses[place]!) expect.fail(`${where()}: loss ${loss}, truth ${losses[place]}`);
        continue;
      }
      exact++;
      if (loss !== losses[place]) expect.fail(`${where()}: loss ${loss}, truth ${losses[place]}`);
      for (const { name, to } of truth.steps[place]!) {
        const cost = oracle.cost(c, system.moveOf(name));
        if (oracle.exact && cost !== losses[to]! - loss)
          expect.fail(`${where()}: ${name} costs ${cost}, truth ${losses[to]! - loss}`);
      }
      if (system.isTerminal(c)) continue;
      const best = system.nameOf(oracle.optimal(c));
      const step = truth.steps[place]!.find(({ name }) => name === best);
      if (!step || losses[step.to] !== loss) expect.fail(`${where()}: ${best} given as optimal`);
    }
  });
  return exact;
}

/** A projective tree over words of which some are to be removed. */
function randomGold(n: number, kinds: readonly string[], pick: (m: number) => number): brute.Gold {
  const removed = Array.from({ length: n + 1 }, (_, d) => (d > 0 && pick(3) === 0 ? kinds[pick(kinds.length)]! : ""));
  const heads = new Array<number>(n + 1).fill(-1);
  const words = removed.map((_, d) => d).filter((d) => d > 0 && removed[d] === "");
  const fill = (from: number, to: number, head: number): void => {
    if (from > to) return;
    const root = from + pick(to - from + 1);
    heads[words[root]!] = head;
    fill(from, root - 1, words[root]!);
    fill(root + 1, to, words[root]!);
  };
  fill(0, words.length - 1, 0);
  return { heads, removed };
}

describe.each([...VARIANTS, ...LIMITED].map((options) => [nameOf(options), options] as const))("%s", (_, options) => {
  const system = systemOf(options);

  test(`configurations and what is permitted in them (n ≤ ${WORDS})`, () => {
    for (let n = 1; n <= WORDS; n++) {
      const truth = new brute.Configurations(options, n);
      pairs(system, truth, n).forEach((c, place) => {
        if (!c) return;
        const state = truth.states[place]!;
        // Compared by hand, because so many calls of expect() take longer than all the rest.
        const where = () => JSON.stringify(state);
        if (brute.key(stateOf(c)) !== brute.key(state)) expect.fail(`${JSON.stringify(stateOf(c))} for ${where()}`);
        if (system.isTerminal(c) !== brute.isTerminal(options, state))
          expect.fail(`${where()}: ${system.isTerminal(c)}`);
        const names = permittedNames(system, c).filter((name) => !name.startsWith("DM"));
        const expected = truth.steps[place]!.map(({ name }) => name);
        if (`${names.sort()}` !== `${expected.sort()}`) expect.fail(`${where()}: ${names} instead of ${expected}`);
        for (const name of names) if (!system.permits(c, system.moveOf(name))) expect.fail(`${where()}: not ${name}`);
        if (!system.isTerminal(c)) return;
        system.finish(c);
        const heads = `${c.heads.subarray(0, n + 1)}`;
        if (heads !== `${brute.finalTree(options, state)}`) expect.fail(`${where()}: heads ${heads}`);
      });
    }
  });

  test(`loss, costs and optimal moves: every configuration, every gold tree, every removal (n ≤ ${WORDS})`, () => {
    let exact = 0;
    // The search for one root takes its time; the random test below has it, too.
    for (let n = 1; n <= (options.singleRoot ? WORDS - 1 : WORDS); n++)
      exact += compare(options, n, brute.allGold(n, ["IJ", "RP"]));
    expect(exact).toBeGreaterThan(50);
  });

  test("the static oracle reaches every projective gold tree whose removals can be had, by permitted moves (n ≤ 4)", () => {
    const c = new Configuration();
    for (let n = 1; n <= 4; n++) {
      for (const gold of brute.allGold(n, ["IJ", "DM", "RP"])) {
        const roots = gold.heads.filter((h) => h === 0).length;
        // The last word cannot be read and removed unless 0 is behind it; without 0 roots stay without a head.
        const isPossible =
          brute.isProjective(gold) &&
          !(options.root !== "last" && gold.removed[n] === "RP") &&
          !(options.singleRoot && roots !== 1);
        const built = canBuild(system, goldOf(gold), c);
        if (built !== isPossible) expect.fail(`${JSON.stringify(gold)}: ${built}`);
      }
    }
  });
});

test("random configurations, gold trees and removals of 4 to 6 words, both ways to remove from the buffer", () => {
  const random = generator(SEED);
  const pick = (m: number) => Math.floor(random() * m);
  let exact = 0;
  for (let run = 0; run < RUNS; run++) {
    const options: brute.Options = {
      root: ROOTS[pick(3)]!,
      atOnce: pick(2) === 1,
      singleRoot: pick(3) === 0,
      ...(pick(2) === 1 ? { longest: 1 + pick(3) } : {}),
    };
    const n = 4 + (run % 3);
    const system = systemOf(options);
    const gold = randomGold(n, KINDS.slice(1), pick);
    // Some way into a derivation, so that few enough configurations are left for the brute force.
    let c = new Configuration(n);
    system.initialize(c, n);
    const moves: number[] = [];
    for (let i = 0; i < n + pick(n) && !system.isTerminal(c); i++) {
      const count = system.permitted(c, moves);
      // Mostly moves that read words and build arcs.
      const usual = moves.slice(0, count).filter((move) => !/^(IJ|DM|RP)/.test(system.nameOf(move)));
      const from = usual.length > 0 && pick(6) > 0 ? usual : moves.slice(0, count);
      system.apply(c, from[pick(from.length)]!);
    }
    const state = stateOf(c);
    if (state.buffer.length > 3) {
      run--;
      continue;
    }
    const truth = new brute.Configurations(options, n, state);
    const losses = truth.losses(gold);
    const place = truth.placeOf(state);
    const oracle = dynamicOracle(system)!;
    oracle.bind(goldOf(gold));
    const where = `${nameOf(options)}, gold ${JSON.stringify(gold)}, ${JSON.stringify(state)}`;
    expect(oracle.loss(c), where).toBe(losses[place]);
    if (oracle.exact) exact++;
    expect(permittedNames(system, c).sort(), where).toEqual(truth.steps[place]!.map(({ name }) => name).sort());
    for (const { name, to } of truth.steps[place]!)
      expect(oracle.cost(c, system.moveOf(name)), `${where} ${name}`).toBe(losses[to]! - losses[place]!);
    // Following the oracle loses what it said.
    const loss = oracle.loss(c);
    while (!system.isTerminal(c)) {
      const next = new Configuration(n);
      next.copyFrom(c);
      system.apply(next, oracle.optimal(c));
      c = next;
    }
    expect(brute.difference(options, stateOf(c), gold), where).toBe(loss);
  }
  expect(exact).toBe(RUNS);
});

// Longer sentences take too long for all trees at once: all configurations with some trees, or some of them.
type Sample = [words: number, trees: number, oneConfigurationIn: number];
const SAMPLES: Sample[] = [
  [5, 60, 1],
  [6, 8, 1],
];
const SAMPLES_WITH_ONE_ROOT: Sample[] = [
  [4, 24, 5],
  [5, 12, 60],
  [6, 4, 500],
];

describe.runIf(EXHAUSTIVE).each([...VARIANTS, ...LIMITED].map((options) => [nameOf(options), options] as const))(
  "%s, 4 to 6 words",
  (_, options) => {
    const samples = options.singleRoot ? SAMPLES_WITH_ONE_ROOT : SAMPLES;
    test.each(samples)("%i words, %i gold trees, one configuration in %i", (n, trees, every) => {
      const random = generator(SEED + n);
      const pick = (m: number) => Math.floor(random() * m);
      const golds = Array.from({ length: trees }, () => randomGold(n, ["IJ", "RP"], pick));
      expect(compare(options, n, golds, every)).toBeGreaterThan(50);
    });
  },
);

const BOSTON = "I want a flight to Boston uh I mean to Denver".split(" ");

/** The gold tree of the slides: the reparandum hangs where the repair does. */
function boston(): GoldTree {
  const heads = [-1, 2, 0, 4, 2, 4, 5, -1, -1, -1, 4, 10];
  return new GoldTree(heads, undefined, [0, 0, 0, 0, 0, 3, 3, 1, 2, 2, 0, 0]);
}

test("I want a flight to Boston uh I mean to Denver: the derivation of the slides", () => {
  const system = createSystem("disfluencies", { root: "first" });
  const oracle = staticOracle(system);
  oracle.bind(boston());
  const c = new Configuration(11);
  system.initialize(c, 11);
  const steps: string[] = [];
  while (!system.isTerminal(c)) {
    const move = oracle.next(c);
    system.apply(c, move);
    const words = Array.from(c.stack.subarray(0, c.stackSize), (w) => (w === 0 ? "ROOT" : BOSTON[w - 1]));
    steps.push(`${system.nameOf(move)}: ${words.join(" ")}`);
  }
  expect(steps).toEqual([
    "SHIFT: ROOT I",
    "LEFT-ARC: ROOT",
    "RIGHT-ARC: ROOT want",
    "SHIFT: ROOT want a",
    "LEFT-ARC: ROOT want",
    "RIGHT-ARC: ROOT want flight",
    "RIGHT-ARC: ROOT want flight to",
    "RIGHT-ARC: ROOT want flight to Boston",
    "IJ-1: ROOT want flight to Boston",
    "DM-2: ROOT want flight to Boston",
    "RP-5-6: ROOT want flight",
    "RIGHT-ARC: ROOT want flight to",
    "RIGHT-ARC: ROOT want flight to Denver",
  ]);
  expect(Array.from(c.heads.subarray(1, 12))).toEqual([2, 0, 4, 2, -1, -1, -1, -1, -1, 4, 10]);
  expect(stateOf(c).removed.slice(1).join()).toBe(",,,,RP,RP,IJ,DM,DM,,");
});

test("what is lost when a fluent word is removed, and when a disfluent one stays", () => {
  const system = createSystem("disfluencies", { root: "first", atOnce: true });
  const oracle = dynamicOracle(system)!;
  oracle.bind(boston());
  const c = new Configuration(11);
  system.initialize(c, 11);
  for (const name of "SHIFT LEFT-ARC RIGHT-ARC SHIFT LEFT-ARC RIGHT-ARC RIGHT-ARC RIGHT-ARC".split(" ")) {
    expect(oracle.cost(c, system.moveOf(name)), name).toBe(0);
    system.apply(c, system.moveOf(name));
  }
  const costs = (names: string[]) => Object.fromEntries(names.map((n) => [n, oracle.cost(c, system.moveOf(n))]));
  // uh at the front: removed as what it is, as what it is not, or read; its neighbours belong to another kind.
  expect(costs(["IJ-1", "DM-1", "IJ-2", "SHIFT", "RP-6-6", "RP-5-6", "RP-4-6"])).toEqual({
    "IJ-1": 0,
    "DM-1": 1,
    "IJ-2": 1,
    // uh stays or goes as a reparandum, and with it, at once, the reparandum.
    SHIFT: 1,
    "RP-6-6": 0,
    "RP-5-6": 0,
    // flight, its arc, and those to its determiner and to the repair.
    "RP-4-6": 4,
  });
  for (const name of ["IJ-1", "DM-2"]) system.apply(c, system.moveOf(name));
  // Once the repair is read, Boston and to stay: or the repair goes as well.
  expect(costs(["RP-5-6", "RP-6-6", "SHIFT"])).toEqual({ "RP-5-6": 0, "RP-6-6": 0, SHIFT: 3 });
});

test("words that lose their heads wait on the stack again, or are attached at the end", () => {
  const system = createSystem("disfluencies", { root: "none" });
  const c = new Configuration(4);
  system.initialize(c, 4);
  for (const name of ["SHIFT", "LEFT-ARC", "SHIFT", "RIGHT-ARC"]) system.apply(c, system.moveOf(name));
  expect(stateOf(c)).toMatchObject({ stack: [2, 3], heads: [-1, 2, -1, 2, -1] });
  system.apply(c, system.moveOf("RP-2-2"));
  expect(stateOf(c)).toMatchObject({ stack: [3], heads: [-1, -1, -1, -1, -1], removed: ["", "", "RP", "", ""] });
  system.apply(c, system.moveOf("LEFT-ARC"));
  system.apply(c, system.moveOf("SHIFT"));
  system.finish(c);
  expect(Array.from(c.heads.subarray(1, 5))).toEqual([0, -1, 4, 0]);
});

test.each([1, 4])(
  "a sentence of 1,000 words, beam %i: what remains and what was removed are a tree with one root",
  (beam) => {
    const words = noiseWords(1000, 1);
    const { decider, templates, scorer, system } = noiseModel({
      ...{ system: "disfluencies", singleRoot: true, settings: { atOnce: true, longest: 3 } },
    });
    const merger = new StateMerger(system, templates, scorer.extractor.columns, beam);
    const parser = beam === 1 ? new GreedyParser(decider) : new BeamParser(decider, beam, merger);
    const c = parser.parse(words, 0);
    const heads = c.heads.slice(0, 1001);
    const removed = Array.from(c.extra[0]!.subarray(0, 1001), (kind) => Math.max(0, kind));
    expect(removed.some((kind) => kind > 0)).toBe(true);
    expect(isTree(heads)).toBe(false);
    attachRemoved(heads, new Array<string>(1001).fill("dep"), removed);
    expect(isTree(heads)).toBe(true);
    expect(heads.filter((head) => head === 0)).toHaveLength(1);
  },
);

/** We want, uh, a flight to X, I mean, to Y; and sentences of nothing else. */
function spoken(): Sentence[] {
  const cities = ["Boston", "Denver", "Oslo", "Rome"];
  const words = (text: string) =>
    text.split(", ").map((word) => {
      const [form, upos, head, deprel] = word.split(" ") as [string, string, string, string];
      return { form, upos, head: Number(head), deprel };
    });
  return cities.flatMap((city, i) =>
    [
      `uh INTJ 3 discourse:filler, we PRON 3 nsubj, want VERB 0 root, ${city} PROPN 3 obj`,
      `we PRON 2 nsubj, want VERB 0 root, to ADP 4 case, ${cities[(i + 1) % 4]} PROPN 8 reparandum, ` +
        `uh INTJ 8 discourse:filler, mean VERB 8 parataxis:discourse, to ADP 8 case, ${city} PROPN 2 obl`,
      "uh INTJ 0 root",
      "uh INTJ 0 root, uh INTJ 1 discourse:filler, mean VERB 1 discourse",
    ].map((text) => Sentence.from({ words: words(text) })),
  );
}

test.each([
  ["linear", {}],
  ["linear with a beam", { beam: 4 }],
  ["network", { network: true, layers: 1, width: 8, hidden: 8 }],
])("%s: whatever comes, what goes out are trees with one root, marked where words are removed", async (_, how) => {
  const { model } = await train({ sentences: spoken(), joint: "disfluencies", epochs: 2, ...how });
  const pipeline = new Pipeline(model, { beam: 4 });
  const odd = ["uh", "uh uh uh", "mean mean", "uh mean uh mean", "to Rome uh mean", "to Rome uh mean to Oslo", "? !"];
  let marked = 0;
  for (const text of odd) {
    for (const sentence of pipeline.parseTokensBest(text.split(" "), 4)) {
      const { heads, length } = sentence;
      expect([isTree(heads), heads.filter((head) => head === 0).length], `${sentence}`).toEqual([true, 1]);
      const kinds = disfluentWords(sentence);
      for (let i = 1; i <= length; i++) {
        const kind = /Removed=(\w+)/.exec(sentence.misc(i))?.[1] ?? "";
        expect(kind, `${i}: ${sentence}`).toBe(REMOVALS[kinds?.[i] ?? 0]);
        if (kind) marked++;
      }
      expect(isTree(fluentSentence(sentence)!.heads), `${sentence}`).toBe(true);
    }
  }
  expect(marked).toBeGreaterThan(0);
  expect(pipeline.parseTokens([]).length).toBe(0);
  expect(() => pipeline.parseTokens(["uh"], { scores: true })).toThrow(/remove/);
  expect(() => pipeline.parseTokens(["uh", { form: "we", head: 0 }])).toThrow(/known heads: disfluencies/);
});

test("derivations stand for equally many transitions, however many words they remove from the buffer", () => {
  const system = createSystem("disfluencies", { root: "last" });
  const { transitionsFor } = system.description;
  const totals = new Set<number>();
  let derivations = 0;
  const follow = (c: Configuration, total: number) => {
    if (system.isTerminal(c)) {
      totals.add(total);
      derivations++;
      return;
    }
    const moves: number[] = [];
    const count = system.permitted(c, moves);
    for (const move of moves.slice(0, count)) {
      if (system.nameOf(move).startsWith("RP")) continue;
      const next = new Configuration();
      next.copyFrom(c);
      system.apply(next, move, 0);
      follow(next, total + transitionsFor!(move));
    }
  };
  const start = new Configuration();
  system.initialize(start, 3);
  follow(start, 0);
  expect(derivations).toBeGreaterThan(20);
  expect([...totals]).toEqual([6]);
  expect(["RP-2-3", "RP-7-7", "IJ-3", "SHIFT"].map((name) => transitionsFor!(system.moveOf(name)))).toEqual([
    2, 1, 6, 1,
  ]);
});

test("settings that are not possible are rejected with what is", () => {
  for (const longest of [0, 64]) {
    expect(() => createSystem("disfluencies", { longest })).toThrow(
      /invalid longest.*: (0|64) \(expected a whole number from 1/,
    );
  }
  const system = createSystem("disfluencies", { longest: 2 });
  for (const name of ["IJ-3", "RP-1-3", "RP-2-1", "RP-0-1", "IJ-0", "IJ", "RP-1", "DM-01"])
    expect(system.moveOf(name), name).toBe(-1);
  expect(system.nameOf(system.moveOf("RP-7-8"))).toBe("RP-7-8");
});
