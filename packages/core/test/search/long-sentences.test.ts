// Long sentences, in every system: searches end, in as many steps as words allow, with a tree, and with the same one
// again.
import { describe, expect, test } from "vitest";
import { Random } from "../../src/math/random.js";
import { describeSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { BeamParser } from "../../src/search/beam/beam-parser.js";
import { StateMerger } from "../../src/search/beam/state-merger.js";
import { GreedyParser } from "../../src/search/greedy-parser.js";
import { Configuration } from "../../src/systems/configuration.js";
import { isTree } from "../../src/treebank/tree.js";
import { EVERY_SYSTEM, type NoiseOptions, noiseModel, noiseWords } from "../scoring/noise-model.js";
import { EXHAUSTIVE } from "../systems/exhaustive.js";

const WORDS = 1000;
/** Covington's system takes as many steps as there are pairs of words, and one with an auxiliary stack nearly so. */
const wordsFor = (system: string) =>
  system === "covington" || (system === "attardi-auxiliary" && !EXHAUSTIVE) ? 200 : WORDS;
const WIDTH = 4;
/** Few templates, so that the time is that of the search. */
const TEMPLATES = "s0.tag b0.tag; s1.tag s0.tag; s0l.label s0.tag";
const FAR = "s0l.tag; s1rr.label; s0n.label b0p.label; s2lr.tag s0pp.tag";
const OF_SPINES = "s1.tag q1.tag; s2.tag s1.tag; s1l.label s2.tag";

/**
 * With scores that are all the same, one kind of transition is taken as long as it can be: stacks and spines become as
 * long as the sentence.
 */
const RANGES = [3, 0];

function modelOf(system: string, range: number) {
  const model = noiseModel({
    system,
    root: "last",
    singleRoot: true,
    labels: 2,
    range,
    templates: system === "lr-spines" ? OF_SPINES : TEMPLATES,
  });
  let steps = 0;
  const { decider } = model;
  const { permitted } = decider;
  decider.permitted = (c) => {
    steps++;
    return permitted.call(decider, c);
  };
  return { ...model, steps: () => steps };
}

function treeOf({ heads, labels, length }: { heads: Int32Array; labels: Int32Array; length: number }) {
  return { heads: heads.slice(0, length + 1), labels: labels.slice(0, length + 1) };
}

/** All arrays of a configuration, as far as they are in use. */
function bytesOf(c: Configuration): Buffer {
  const arrays = Object.values(c).filter((value): value is Int32Array => value instanceof Int32Array);
  const bytes = (array: Int32Array) => 4 * Math.min(c.length + 1, array.length);
  return Buffer.concat(arrays.map((array) => new Uint8Array(array.buffer, array.byteOffset, bytes(array))));
}

/** At most so many transitions are taken for n words, with 0 behind them. */
function longestFor(system: string, n: number): number {
  switch (system) {
    // SWAP makes some derivations longer, here by less than half.
    case "swap":
    case "arc-hybrid-swap":
      return 3 * n + 1;
    // As many EXTRACTs as are permitted, and an INSERT for each.
    case "attardi-auxiliary":
      return 2 * n + 1 + 4 * (n + 1) ** 2;
    // SHIFT for each node, and a step for each pair.
    case "covington":
      return n + 1 + (n * (n + 1)) / 2;
    // SHIFT for each node, two times REDUCE, an arc for each word, and SWITCH before each of these.
    case "two-planar":
      return 2 * (3 * (n + 1) + n);
    default:
      return 2 * n + 1;
  }
}

// Sentences that words can leave are in disfluencies.test.ts.
describe.each(SYSTEM_NAMES.filter((name) => !describeSystem(name).leftOut))("%s", (system) => {
  const searches = ["greedy", "beam"].flatMap((search) => RANGES.map((range) => [search, range] as const));
  test.each(searches)("%s, scores up to %i", (search, range) => {
    const parse = () => {
      const { decider, templates, scorer, steps, ...model } = modelOf(system, range);
      const words = noiseWords(wordsFor(system), 1);
      const merger = new StateMerger(model.system, templates, scorer.extractor.columns, WIDTH);
      const parser = search === "greedy" ? new GreedyParser(decider) : new BeamParser(decider, WIDTH, merger);
      const tree = treeOf(parser.parse(words, 0));
      const taken = steps();
      // Nothing is left over from one sentence to the next.
      parser.parse(noiseWords(30, 2), 0);
      expect(treeOf(parser.parse(words, 0))).toEqual(tree);
      return { ...tree, steps: taken };
    };
    const { heads, labels, steps } = parse();
    expect(isTree(heads)).toBe(true);
    expect(heads.filter((head) => head === 0)).toHaveLength(1);
    expect(labels.slice(1).every((label) => label === 0 || label === 1)).toBe(true);
    const longest = longestFor(system, wordsFor(system));
    expect(steps).toBeLessThanOrEqual(search === "greedy" ? longest : WIDTH * longest);
    expect(parse()).toEqual({ heads, labels, steps });
  });
});

// In long sentences a beam copies and compares only what differs. That must change nothing, …
describe("a beam with and without looking for what differs", () => {
  // In other systems nothing is looked for.
  const looking = SYSTEM_NAMES.filter((name) => describeSystem(name).changesByMethods);
  const cases: NoiseOptions[] = [
    ...looking.map((system) => ({ system, templates: system === "lr-spines" ? OF_SPINES : TEMPLATES })),
    ...["arc-standard", "arc-hybrid", "attardi", "swap", "arc-hybrid-swap"].map((system) => ({
      system,
      templates: FAR,
    })),
    { system: "arc-eager", templates: "s0hh.label; s0hl.tag; s0rn.label; b0.tag s0.tag" },
    { system: "arc-eager", templates: "s0nh.label; s0.tag b0.tag" },
    ...["arc-standard", "arc-eager", "swap"].map((system) => ({
      system,
      templates: "s0.tag b0.tag; s0l.tag",
      tags: 4,
    })),
  ];
  test.each(cases.map((options) => [`${options.system}, ${options.templates}`, options] as const))(
    "%s",
    (_, options) => {
      const length = options.system === "covington" ? 80 : 600;
      for (const [range, labels] of [
        [3, 2],
        [0, 1],
      ]) {
        const search = (looksForDifferences: boolean) => {
          const { system, beam } = noiseModel({ ...options, range: range!, labels: labels! });
          if (!looksForDifferences) {
            Object.defineProperty(system, "description", { value: { ...system.description, changesByMethods: false } });
          }
          const parser = beam(WIDTH, true);
          const words = noiseWords(length, 1, options.tags);
          const tree = treeOf(parser.parse(words, 0));
          return { ...tree, score: parser.score, steps: parser.steps(), merged: parser.search.merged };
        };
        expect(search(true)).toEqual(search(false));
      }
    },
  );
});

test("a configuration catches up with another, whatever was done to both before", () => {
  for (const { system } of EVERY_SYSTEM.map(noiseModel).filter((model) => model.system.description.changesByMethods)) {
    const random = new Random(3);
    const pick = (count: number) => Math.floor(random.next() * count);
    const configurations = Array.from({ length: 4 }, () => new Configuration());
    for (const c of configurations) system.initialize(c, 300);
    const copy = new Configuration();
    const moves: number[] = [];
    for (let step = 0; step < 1000; step++) {
      const c = configurations[pick(4)]!;
      if (system.isTerminal(c)) system.initialize(c, 300);
      const other = configurations[pick(4)]!;
      if (other !== c && step % 7 === 0) {
        copy.copyFrom(other);
        c.catchUpWith(other);
        expect(c.differences(copy, []), `${system.name}, step ${step}`).toBe(0);
        expect([c.stackSize, c.front, c.end]).toEqual([other.stackSize, other.front, other.end]);
        expect(Buffer.compare(bytesOf(c), bytesOf(other))).toBe(0);
      }
      system.apply(c, moves[pick(system.permitted(c, moves))]!, pick(3));
    }
  }
});
