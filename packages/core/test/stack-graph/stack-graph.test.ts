// Beams that merge hypotheses in a graph-structured stack. Where templates see no more than what is compared, a beam
// that loses nothing finds the best of all derivations.
import { describe, expect, test } from "vitest";
import { featureTemplates } from "../../src/registry/templates/feature-sets.js";
import { BeamParser } from "../../src/search/beam/beam-parser.js";
import { GreedyParser } from "../../src/search/greedy-parser.js";
import { stackGraph } from "../../src/stack-graph/stack-graph.js";
import { StackParser } from "../../src/stack-graph/stack-parser.js";
import { Configuration } from "../../src/systems/configuration.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { isTree } from "../../src/treebank/tree.js";
import { EVERY_SYSTEM, type NoiseOptions, nameOf, noiseModel, noiseWords } from "../scoring/noise-model.js";
import { TAGGED, toyModel } from "../toy-model.js";

const SYSTEMS = EVERY_SYSTEM.filter(({ system }) => system === "arc-standard" || system === "arc-hybrid");

/** They see words, the outermost dependents of two trees and of the front, and where they are; no labels. */
const TEMPLATES = [
  "s0.form s1.form; s0l.form; s0r.tag b0.tag; s1l.tag s1r.form; s2.tag s1.tag; dist(s0,s1)",
  "s0.tag s1.tag b0.form b1.tag; s0l.tag s1r.tag; b0l.form s0.tag; s1.tag dist(s1,s0l); s0p.tag s1n.form; s0h.tag",
  "use NONE\ns0.form b0.tag; s0r.form s1.tag s2.form",
];

function stackParser(options: NoiseOptions, width: number): StackParser {
  const { decider, templates, scorer } = noiseModel(options);
  return new StackParser(decider, width, templates, scorer.extractor.columns);
}

function treeOf(c: Configuration): string {
  const n = c.length + 1;
  return `${c.heads.subarray(0, n).join(" ")} / ${c.labels.subarray(0, n).join(" ")}`;
}

describe.each(SYSTEMS.map((options) => [nameOf(options), options] as const))("%s", (_, options) => {
  test("a beam that loses nothing finds the best of all derivations", () => {
    const sets = [...TEMPLATES, featureTemplates(options.system, "huang-sagae")];
    for (let k = 0; k < 8; k++) {
      // Every set with one label and with two.
      const templates = sets[(k >> 1) % 4]!;
      const how = { ...options, labels: 1 + (k % 2), range: 1000, seed: k, templates };
      // More words, or more labels.
      const words = noiseWords(how.labels === 1 ? 5 : 3, k);
      const plain = new BeamParser(noiseModel(how).decider, 20_000);
      const stacks = stackParser(how, 2_000);
      const tree = treeOf(plain.parse(words, 0));
      expect(treeOf(stacks.parse(words, 0))).toBe(tree);
      expect(stacks.score).toBe(plain.score);
      // No step is scored differently in a state than in the derivations that it stands for.
      expect(stacks.stacks.live[0]!.score).toBe(plain.score);
      expect(stacks.stacks.merged).toBeGreaterThan(0);
      if (how.labels > 1) continue;
      // And its states stand for all of them.
      const { live, size } = stacks.stacks;
      const all = live.slice(0, size).reduce((sum, { derivations }) => sum + derivations, 0);
      expect(all).toBe(plain.search.size);
    }
  });

  test("words that look alike are not told apart: the states of all derivations are few", () => {
    const length = 5;
    const same = { ...noiseWords(length, 1), form: () => "ta", upos: () => "t", xpos: () => "t" };
    const templates = "s0.tag s1.tag b0.tag; s0.form; s0l.tag s1.tag; b1.tag s2.tag; s1r.tag; use NONE";
    for (let k = 0; k < 3; k++) {
      const how = { ...options, labels: 1, range: 1000, seed: k, templates };
      const plain = new BeamParser(noiseModel(how).decider, 20_000);
      // They differ in where the topmost tree begins, and in whether it and the one below have dependents on a side.
      const stacks = stackParser(how, 16 * (length + 1));
      plain.parse(same, 0);
      stacks.parse(same, 0);
      expect(plain.search.size).toBeGreaterThan(5 * stacks.stacks.size);
      expect(stacks.score).toBe(plain.score);
      const { live, size } = stacks.stacks;
      const all = live.slice(0, size).reduce((sum, { derivations }) => sum + derivations, 0);
      expect(all).toBe(plain.search.size);
    }
  });

  test("with all templates: a tree, by permitted moves, and its score is that of its steps", () => {
    for (let k = 0; k < 6; k++) {
      const words = noiseWords(1 + 2 * k, k);
      const parser = stackParser({ ...options, seed: k }, 4);
      const c = parser.parse(words, 0);
      expect(isTree(c.heads)).toBe(true);
      const { system, decider, scorer } = noiseModel({ ...options, seed: k });
      const again = new Configuration();
      decider.bind(words);
      system.initialize(again, words.length);
      let score = 0;
      for (const { move, cls } of parser.steps()) {
        expect(system.permits(again, move)).toBe(true);
        scorer.score(again, move);
        score += scorer.scores[cls]!;
        system.take(again, move, decider.classes.labels[cls]!);
      }
      expect(system.isTerminal(again)).toBe(true);
      expect(parser.score).toBe(score);
    }
  });

  test("a beam of 1 is the greedy parser", () => {
    for (let k = 0; k < 6; k++) {
      const words = noiseWords(1 + 2 * k, k);
      const greedy = treeOf(new GreedyParser(noiseModel(options).decider).parse(words, 0));
      expect(treeOf(stackParser(options, 1).parse(words, 0))).toBe(greedy);
    }
  });
});

test("a parser says why it cannot merge in a graph-structured stack", () => {
  const { parse } = toyModel().createParser({ beam: 4, merge: stackGraph });
  expect(parse).toBeTypeOf("function");
  expect(stackGraph.obstacle(toyModel())).toBeUndefined();
  for (const [changes, found] of [
    [{ system: "arc-eager" }, "the system arc-eager (expected arc-hybrid or arc-standard)"],
    [{ templates: "s0.tag; t0.move" }, "the template value t0.move"],
    [{ templates: "s0.tag; s0n.label" }, "the template position s0n"],
    [{ templates: "s0.tag; s0lh.tag" }, "the template position s0lh"],
    [{ templates: "s0.tag; s0nl.tag" }, "the template position s0nl"],
  ] as const) {
    expect(stackGraph.obstacle(toyModel(changes))).toContain(found);
    expect(() => toyModel(changes).createParser({ beam: 4, merge: stackGraph })).toThrow(
      `invalid merge: stack-graph, with ${found}`,
    );
  }
  expect(() => toyModel().createParser({ beam: 1, merge: stackGraph })).toThrow(
    "invalid merge: stack-graph, with a beam of 1 (expected at least 2)",
  );
});

test("one tree only; with heads that are known beforehand it searches without merging", () => {
  const parser = toyModel().createParser({ beam: 4, merge: stackGraph });
  const plain = toyModel().createParser({ beam: 4, merge: false });
  for (const sentence of readTreebank(TAGGED)) {
    expect(() => parser.parseBest(sentence, 2)).toThrow(
      "invalid number of trees: 2 (expected 1: so merged, a beam has the best tree only)",
    );
    const [best] = parser.parseBest(sentence, 1);
    expect(best!.heads).toEqual(parser.parse(sentence).heads);
    const constraints = { heads: new Int32Array(sentence.length + 1).fill(-1) };
    expect(parser.parse(sentence, { constraints })).toEqual(plain.parse(sentence, { constraints }));
  }
});
