import { describe, expect, test } from "vitest";
import { describeSystem } from "../../src/registry/systems.js";
import type { BeamParser } from "../../src/search/beam/beam-parser.js";
import type { Configuration } from "../../src/systems/configuration.js";
import { isTree } from "../../src/treebank/tree.js";
import { EVERY_SYSTEM, type NoiseOptions, nameOf, noiseModel, noiseWords } from "../scoring/noise-model.js";
import { EXHAUSTIVE } from "../systems/exhaustive.js";

function treeOf(c: Configuration): string {
  const n = c.length + 1;
  return `${c.heads.subarray(0, n).join(" ")} / ${c.labels.subarray(0, n).join(" ")}`;
}

function beamParser(options: NoiseOptions, width: number, merge: boolean): BeamParser {
  return noiseModel(options).beam(width, merge);
}

/** Numbers from 0 on, as many as there are rounds, all of them in the exhaustive tests; other ones for each system. */
const rounds = (few: number, all: number, variant: number) =>
  Array.from({ length: EXHAUSTIVE ? all : few }, (_, i) => i + (EXHAUSTIVE ? 0 : few * variant));

const VARIANTS = EVERY_SYSTEM.map((options, variant) => [nameOf(options), options, variant] as const);
describe.each(VARIANTS)("%s", (_, options, variant) => {
  test.each([
    ["", 0],
    [" with tags to choose", 4],
  ])("a beam of 1 is the greedy parser%s", (_name, tags) => {
    for (const merge of [false, true]) {
      const model = noiseModel({ ...options, tags });
      const other = noiseModel({ ...options, tags });
      const greedy = model.greedy();
      const beam = other.beam(1, merge);
      const greedyDoubts = model.doubts([5]);
      const beamDoubts = other.doubts([5]);
      for (const k of rounds(12, 24, variant)) {
        const words = noiseWords(1 + (k % 12), k, tags);
        const expected = treeOf(greedy.parse(words, 1, greedyDoubts));
        const expectedTags = Array.from({ length: words.length }, (_, i) => words.upos(i + 1));
        expect(treeOf(beam.parse(words, 1, beamDoubts))).toBe(expected);
        expect(Array.from({ length: words.length }, (_, i) => words.upos(i + 1))).toEqual(expectedTags);
        for (let i = 1; i <= words.length; i++) expect(beamDoubts.of(i)).toBe(greedyDoubts.of(i));
      }
    }
  });

  test("with a beam that loses nothing, merging changes neither the best score nor the scores of all trees", () => {
    // Each system has several root positions: some of them are tried with tags, the others without.
    for (const tags of EXHAUSTIVE ? [0, 3] : [variant % 2 === 0 ? 0 : 3]) {
      for (const k of rounds(2, options.system === "two-planar" ? 2 : 6, variant)) {
        // Some templates see more than others; scores of a wide range hardly ever tie.
        const templates = [undefined, NARROW[options.system === "lr-spines" ? 1 : 0]][k % 2]!;
        const how = {
          ...options,
          tags,
          labels: 1 + (k % 2),
          range: 1000,
          seed: k,
          ...(templates ? { templates } : {}),
        };
        const words = noiseWords(
          Math.min(LONGEST[options.system] ?? 4, tags > 0 ? (options.system === "two-planar" ? 1 : 3) : 4),
          k,
          tags,
        );
        const apart = best(beamParser(how, 20_000, false), words);
        const together = best(beamParser(how, 20_000, true), words);
        expect(together).toEqual(apart);
      }
    }
  });

  test("merging looks at what was done before, at what is not there, and at the ends of spines", () => {
    const spines = options.system === "lr-spines";
    const seen = spines ? ["t0.move t1.move s1.tag; t1.label", ENDS] : ["t0.move t1.move s0.tag; t1.move b0.tag"];
    const all = [...seen, ...seen.map((templates) => `${templates}\nuse NONE`)];
    for (const [k, text] of all.entries()) {
      if (!EXHAUSTIVE && k % 2 !== variant % 2) continue;
      const how = { ...options, labels: 2, range: 1000, seed: k, templates: text };
      const words = noiseWords(LONGEST[options.system] ?? 4, k);
      expect(best(beamParser(how, 20_000, true), words)).toEqual(best(beamParser(how, 20_000, false), words));
    }
  });

  test("every width gives a tree, again and again the same", () => {
    const parser = beamParser(options, 5, true);
    const again = beamParser(options, 5, true);
    again.parse(noiseWords(40, 99));
    for (const length of EXHAUSTIVE ? [1, 4, 7, 10, 13, 16, 19, 22, 25, 28] : [1, 4, 9, 16, 25]) {
      const words = noiseWords(length, length + variant);
      const c = parser.parse(words, 0);
      const isWhole = !describeSystem(options.system).leftOut;
      if (options.singleRoot && isWhole) expect(isTree(c.heads.slice(0, words.length + 1))).toBe(true);
      expect(treeOf(again.parse(words, 0))).toBe(treeOf(c));
    }
  });
});

/**
 * Systems with so many derivations that a beam for those of four words would be very wide: how many it can hold.
 * SWITCH and REDUCE make thousands of 2-planar derivations even for two words, so there are fewer rounds of them.
 */
const LONGEST: Record<string, number> = {
  "lr-spines": 3,
  swap: 3,
  "arc-hybrid-swap": 3,
  attardi: 3,
  covington: 3,
  "two-planar": 2,
  // From two words on there are derivations without end.
  "attardi-auxiliary": 1,
  disfluencies: 2,
};

/** Templates that see little, so that much is merged; for LR-spines others. */
const NARROW = [
  "s0.tag b0.tag; s1.tag s0.tag; s0l.label s0.tag; s0.lval b0.tag",
  "s1.tag q1.tag; s2.tag s1.tag; s1l.label s2.tag; gp.tag s1.tag",
];

/** Templates that see the ends of right spines in LR-spines, and hardly anything else. */
const ENDS = "rs1.label; rs1.tag q1.tag; rs2.label s1.tag; rs1h.tag q1.tag";

/** Every tree with the best score that a derivation of it has. */
function best(parser: BeamParser, words: ReturnType<typeof noiseWords>): Map<string, number> {
  const scores = new Map<string, number>();
  for (const { c, score } of parser.parseAll(words, 0)) {
    const tree = treeOf(c);
    scores.set(tree, Math.max(score, scores.get(tree) ?? Number.NEGATIVE_INFINITY));
  }
  return scores;
}
