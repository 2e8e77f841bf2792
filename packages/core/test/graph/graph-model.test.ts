import { beforeAll, describe, expect, test } from "vitest";
import type { GraphModel } from "../../src/graph/graph-model.js";
import { GraphTraining } from "../../src/graph/learning/graph-training.js";
import { graph } from "../../src/graph/program.js";
import { DECODERS, type DecoderName } from "../../src/graph/search/graph-decoder.js";
import { fitConfidence } from "../../src/learning/fit-confidence.js";
import { load } from "../../src/model-file/load.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { ImpossibleConstraints } from "../../src/search/constraints/impossible-constraints.js";
import { train } from "../../src/training/train.js";
import { isTree } from "../../src/treebank/tree.js";
import { attachModel, shareModel } from "../../src/workers/shared-model.js";
import { makeUp } from "../made-up-language.js";
import { replaceSection } from "../model-file/model-sections.js";

const TRAIN = makeUp(80, 1, 0.3);
const DEV = makeUp(30, 2, 0.3);

function trained(decoder: DecoderName, projectivize?: "head"): GraphModel {
  const order = decoder === "eisner" ? 2 : 1;
  const training = new GraphTraining(TRAIN, { decoder, order, learner: "mira", epochs: 2, seed: 1, projectivize });
  training.runEpoch();
  training.runEpoch();
  return training.model({ licence: "none" });
}

const models = new Map<DecoderName, GraphModel>();
beforeAll(() => {
  for (const decoder of DECODERS) models.set(decoder, trained(decoder));
});

const parses = (model: { createParser(): { parse(words: (typeof DEV)[0]): object } }) => {
  const parser = model.createParser();
  return DEV.map((sentence) => parser.parse(sentence));
};

describe.each(DECODERS)("%s", (decoder) => {
  test("a model file gives back the same parser", async () => {
    const model = models.get(decoder)!;
    const bytes = writeModel(model);
    const again = readModel(bytes, { programs: [graph] });
    expect(again.parser.header).toEqual(model.header);
    expect(again.origin).toEqual({ licence: "none" });
    expect(parses(again.parser)).toEqual(parses(model));
    expect(writeModel(again)).toEqual(bytes);
    const { parser } = await load(bytes);
    expect(parser.parse(DEV[0]!)).toEqual(parses(model)[0]);
    expect(parses((await attachModel(shareModel(again, 2), 1)).parser)).toEqual(parses(model));
  });

  test("scores are probabilities, and calibrated ones once they are fitted", () => {
    const model = models.get(decoder)!;
    const confidence = fitConfidence(model, DEV);
    model.header.confidence = confidence;
    const fitted = model.createParser();
    let [right, sum, words] = [0, 0, 0];
    for (const sentence of DEV) {
      const scores = new Float64Array(sentence.length + 1);
      const { heads, labels } = fitted.parse(sentence, { scores });
      for (let d = 1; d <= sentence.length; d++) {
        words++;
        expect(scores[d]).toBeGreaterThan(0);
        expect(scores[d]).toBeLessThan(1);
        sum += scores[d]!;
        if (heads[d] === sentence.heads[d] && labels[d] === sentence.deprel(d)) right++;
      }
    }
    expect(Math.abs(right - sum) / words).toBeLessThan(0.02);
  });

  test("known heads and labels are kept", () => {
    const parser = models.get(decoder)!.createParser();
    let changed = 0;
    for (const sentence of DEV.slice(0, 4)) {
      const n = sentence.length;
      const free = parser.parse(sentence);
      for (let d = 1; d <= n; d++) {
        for (let h = 0; h <= n; h++) {
          if (h === d) continue;
          const heads = new Int32Array(n + 1).fill(-1);
          heads[d] = h;
          const labels = new Array<string | undefined>(n + 1).fill(undefined);
          labels[d] = "given";
          const scores = new Float64Array(n + 1);
          const tree = parser.parse(sentence, { constraints: { heads, labels }, scores });
          expect(isTree(tree.heads)).toBe(true);
          expect(tree.heads.filter((head) => head === 0)).toHaveLength(1);
          expect([tree.heads[d], tree.labels[d], scores[d]]).toEqual([h, "given", 1]);
          if (tree.heads.join() !== free.heads.join()) changed++;
        }
      }
    }
    expect(changed).toBeGreaterThan(0);
  });
});

test("heads that no tree has are rejected; crossing ones only where trees are projective", () => {
  const heads = [-1, 3, 4, -1, -1];
  const words = { ...wordsOf(4) };
  const parseWith = (model: GraphModel, wanted: number[]) => () =>
    model
      .createParser()
      .parse(words, { constraints: { heads: wanted } })
      .heads.slice(1, 3)
      .join();
  expect(parseWith(models.get("eisner")!, heads)).toThrow(ImpossibleConstraints);
  expect(parseWith(models.get("eisner")!, heads)).toThrow("the arcs cross, and eisner cannot build that");
  expect(parseWith(models.get("edmonds")!, heads)()).toBe("3,4");
  expect(parseWith(trained("eisner", "head"), heads)()).toBe("3,4");
  for (const model of models.values()) expect(parseWith(model, [-1, 2, 1, -1, -1])).toThrow("no cycle");
  for (const model of models.values()) expect(parseWith(model, [-1, 0, 0, -1, -1])).toThrow("one root");
});

function wordsOf(length: number) {
  return {
    length,
    form: (i: number) => `w${i}`,
    lemma: () => "_",
    upos: () => "X",
    xpos: () => "_",
    feats: () => "_",
  };
}

test("long sentences are parsed, and those that would take all memory rejected", () => {
  for (const model of models.values()) {
    const parser = model.createParser();
    expect(isTree(parser.parse(wordsOf(230)).heads)).toBe(true);
    expect(() => parser.parse(wordsOf(3001))).toThrow("the sentence has 3001 words (expected at most 3000)");
    expect(parser.parse(wordsOf(0)).heads).toHaveLength(1);
    expect([...parser.parse(wordsOf(1)).heads]).toEqual([-1, 0]);
  }
});

test("several trees, best first, which keep what is given; no beam", () => {
  for (const model of models.values()) {
    const parser = model.createParser({ beam: 1 });
    for (const words of DEV.slice(0, 4)) {
      const trees = parser.parseBest(words, 5);
      expect([...trees[0]!.heads]).toEqual([...parser.parse(words).heads]);
      expect(trees.map(({ score }) => score)).toEqual(trees.map(({ score }) => score).sort((a, b) => b - a));
      expect(new Set(trees.map(({ heads }) => heads.join())).size).toBe(trees.length);
      expect(trees.every(({ heads }) => isTree(heads))).toBe(true);
      if (words.length > 3) expect(trees).toHaveLength(5);
      const heads = trees.at(-1)!.heads;
      const known = Array.from(heads, (head, d) => (d === words.length ? head : -1));
      const kept = parser.parseBest(words, 12, { constraints: { heads: known } });
      expect(kept.every((tree) => tree.heads[words.length] === heads[words.length])).toBe(true);
      expect(parser.parseBest(words, 50, { constraints: { heads } })).toHaveLength(1);
    }
    const most = model.header.decoder === "edmonds" ? 150 : 500;
    expect(parser.parseBest(wordsOf(most + 1), 3)).toHaveLength(1);
    expect(parser.parseBest(wordsOf(90), 2)).toHaveLength(2);
    expect(parser.parseBest(wordsOf(0), 3)).toHaveLength(1);
    expect(() => parser.parseBest(DEV[0]!, 0)).toThrow("invalid number of trees: 0 (expected a whole number");
  }
  expect(() => models.get("eisner")!.createParser({ beam: 4 })).toThrow(
    "this model cannot search with a beam: it is graph-based and looks at all trees at once",
  );
});

test("files with a header that no graph-based parser has are rejected", () => {
  const bytes = writeModel(models.get("eisner")!);
  const withHeader = (change: object) => {
    const { system: _, ...own } = models.get("eisner")!.header;
    const header = { needs: ["graph"], parser: { program: "graph", ...own, ...change } };
    const altered = replaceSection(bytes, 0, new TextEncoder().encode(JSON.stringify(header)));
    return () => readModel(altered, { source: "m", programs: [graph] });
  };
  expect(withHeader({})).not.toThrow();
  expect(withHeader({ decoder: "cky" })).toThrow('m: invalid header: decoder: "cky" (expected one of eisner, edmonds)');
  expect(withHeader({ order: 3 })).toThrow("m: invalid header: order: 3 (expected 1, or with eisner 2)");
  expect(withHeader({ order: 2, decoder: "edmonds" })).toThrow("m: invalid header: order: 2");
  expect(withHeader({ labels: [] })).toThrow("m: invalid header: labels");
  expect(withHeader({ confidence: { offset: 1 } })).toThrow("m: invalid header: confidence");
  expect(withHeader({ program: "roles" })).toThrow('m: invalid header: parser.program: "roles" (expected one that is');
  expect(withHeader({ program: undefined, system: "graph" })).toThrow(
    'm: invalid header: system: "graph" (expected one',
  );
});

test("train makes them, with a pipeline as well; options for transition systems are rejected", async () => {
  const { model, best } = await train({ sentences: TRAIN, dev: DEV, system: "graph", epochs: 2, pipeline: true });
  expect(model.parser.header).toMatchObject({ system: "graph", decoder: "eisner", order: 2 });
  expect(model.tagger).toBeDefined();
  expect(best.las).toBeGreaterThan(80);
  expect(model.parser.header.confidence).toBeDefined();
  const attempt = (options: object) => train({ sentences: TRAIN, system: "graph", ...options });
  for (const options of [
    { oracle: "dynamic" },
    { beam: 4 },
    { root: "first" },
    { templates: "s0.form" },
    { joint: "tags" },
  ])
    await expect(attempt(options)).rejects.toThrow("expected a transition system, not system graph");
  await expect(attempt({ learner: "logistic" })).rejects.toThrow("mira or perceptron with system graph");
  await expect(attempt({ decoder: "edmonds", projectivize: "head" })).rejects.toThrow(
    "builds crossing arcs as they are",
  );
  await expect(attempt({ members: 2 })).rejects.toThrow("a linear model with a transition system");
  await expect(attempt({ decoder: "edmonds", order: 2 })).rejects.toThrow("decoder eisner for order 2");
  await expect(attempt({ systemSettings: { degree: 2 } })).rejects.toThrow("a transition system, not system graph");
  await expect(train({ sentences: TRAIN, order: 2 })).rejects.toThrow("expected system graph");
  await expect(train({ sentences: TRAIN, learner: "mira" })).rejects.toThrow("with transition systems");
});
