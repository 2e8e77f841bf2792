import { describe, expect, test } from "vitest";
import { fitConfidence } from "../../src/learning/fit-confidence.js";
import { attachment } from "../../src/learning/training.js";
import { load } from "../../src/model-file/load.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { PointersNetworkTraining } from "../../src/pointers/learning/pointers-network-training.js";
import { PointersTraining } from "../../src/pointers/learning/pointers-training.js";
import type { PointersModel } from "../../src/pointers/pointers-model.js";
import { pointers } from "../../src/pointers/program.js";
import { ImpossibleConstraints } from "../../src/search/constraints/impossible-constraints.js";
import { stackGraph } from "../../src/stack-graph/stack-graph.js";
import { train } from "../../src/training/train.js";
import { isTree, nonProjectiveArcs } from "../../src/treebank/tree.js";
import { attachModel, shareModel } from "../../src/workers/shared-model.js";
import { compareGradients } from "../learning/finite-differences.js";
import { makeUp } from "../made-up-language.js";
import { replaceSection } from "../model-file/model-sections.js";

const TRAIN = makeUp(120, 1, 0.3);
const DEV = makeUp(40, 2, 0.3);

const OPTIONS = { learner: "mira", epochs: 3, seed: 1 } as const;
const NETWORK = {
  epochs: 6,
  seed: 3,
  inputs: { word: 16, upos: 8, feats: 8, affixes: 8 },
  layers: 1,
  width: 16,
  hidden: 32,
  dropout: { words: 0.25, inputs: 0.1, layers: 0.1, hidden: 0.1 },
  rate: 0.01,
} as const;

function trained<T extends { epoch: number; options: { epochs: number }; runEpoch(): void }>(training: T): T {
  while (training.epoch < training.options.epochs) training.runEpoch();
  return training;
}

const models: Readonly<Record<string, PointersModel>> = {
  linear: trained(new PointersTraining(TRAIN, OPTIONS)).model({ licence: "none" }),
  perceptron: trained(new PointersTraining(TRAIN, { ...OPTIONS, learner: "perceptron" })).model(),
  network: trained(new PointersNetworkTraining(makeUp(200, 1, 0.3), NETWORK)).model({ licence: "none" }),
};

const parses = (model: Pick<PointersModel, "createParser">, beam = 1) => {
  const parser = model.createParser({ beam });
  return DEV.map((sentence) => parser.parse(sentence));
};

const wordsOf = (length: number) => ({
  length,
  form: (i: number) => `w${i}`,
  lemma: () => "_",
  upos: () => "X",
  xpos: () => "_",
  feats: () => "_",
});

describe.each(Object.entries(models))("%s", (_, model) => {
  test("learns a made-up language, crossing arcs too; all trees have one root", () => {
    expect(attachment(model, DEV).las).toBeGreaterThan(0.85);
    let [wanted, found] = [0, 0];
    for (const [i, { heads }] of parses(model).entries()) {
      expect(isTree(heads)).toBe(true);
      expect(heads.filter((head) => head === 0)).toHaveLength(1);
      const crossing = nonProjectiveArcs(DEV[i]!.heads);
      wanted += crossing.length;
      found += crossing.filter((d) => heads[d] === DEV[i]!.heads[d]).length;
    }
    expect(wanted).toBeGreaterThan(5);
    expect(found / wanted).toBeGreaterThan(0.5);
  });

  test("a model file gives back the same parser", async () => {
    const bytes = writeModel(model);
    const again = readModel(bytes, { programs: [pointers] });
    expect(again.parser.header).toEqual(model.header);
    expect(writeModel(again)).toEqual(bytes);
    for (const beam of [1, 3]) expect(parses(again.parser as PointersModel, beam)).toEqual(parses(model, beam));
    const { parser } = await load(bytes);
    expect(parser.parse(DEV[0]!)).toEqual(parses(model)[0]);
    expect(parses((await attachModel(shareModel(again, 2), 1)).parser as PointersModel)).toEqual(parses(model));
  });

  test("scores are probabilities, and calibrated ones once they are fitted", () => {
    const { parser: fitted } = readModel(writeModel(model), { programs: [pointers] });
    fitted.header.confidence = fitConfidence(fitted, DEV);
    const parser = fitted.createParser();
    let [right, sum, words] = [0, 0, 0];
    for (const sentence of DEV) {
      const scores = new Float64Array(sentence.length + 1);
      const { heads, labels } = parser.parse(sentence, { scores });
      for (let d = 1; d <= sentence.length; d++) {
        words++;
        if (!(scores[d]! > 0 && scores[d]! < 1)) expect.fail(`the score of word ${d} is ${scores[d]}`);
        sum += scores[d]!;
        if (heads[d] === sentence.heads[d] && labels[d] === sentence.deprel(d)) right++;
      }
    }
    expect(Math.abs(right - sum) / words).toBeLessThan(0.02);
  });

  test("known heads and labels are kept; those that no tree has are rejected", () => {
    const parser = model.createParser({ beam: 2 });
    let changed = 0;
    for (const sentence of DEV.slice(0, 3)) {
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
          const roots = tree.heads.filter((head) => head === 0).length;
          if (!isTree(tree.heads) || roots !== 1) expect.fail(`${tree.heads.join()} is no tree with one root`);
          if (tree.heads[d] !== h || tree.labels[d] !== "given" || scores[d] !== 1) expect.fail(`${h} → ${d} is lost`);
          if (tree.heads.join() !== free.heads.join()) changed++;
        }
      }
    }
    expect(changed).toBeGreaterThan(0);
    const parse = (heads: number[]) => parser.parse(wordsOf(4), { constraints: { heads } }).heads.slice(1, 3).join();
    expect(parse([-1, 3, 4, -1, -1])).toBe("3,4");
    expect(() => parse([-1, 2, 1, -1, -1])).toThrow(ImpossibleConstraints);
    expect(() => parse([-1, 0, 0, -1, -1])).toThrow("one root");
  });

  test("several trees, best first, as many as the beam is wide", () => {
    const parser = model.createParser({ beam: 5 });
    for (const words of DEV.slice(0, 4)) {
      const best = parser.parseBest(words, 5);
      expect([...best[0]!.heads]).toEqual([...parser.parse(words).heads]);
      expect(best.map(({ score }) => score)).toEqual(best.map(({ score }) => score).sort((a, b) => b - a));
      expect(new Set(best.map(({ heads }) => heads.join())).size).toBe(5);
      expect(best.every(({ heads }) => isTree(heads))).toBe(true);
    }
    expect(() => parser.parseBest(DEV[0]!, 6)).toThrow(RangeError);
    expect(() => parser.parseBest(DEV[0]!, 6)).toThrow("(expected a number from 1 to 5, the width of the beam)");
    expect(() => model.createParser({ merge: stackGraph })).toThrow("invalid merge of the parser: stack-graph");
    expect(model.limits).toEqual({ steps: expect.stringContaining("without a stack") });
  });

  test("sentences of any length but the longest", () => {
    const parser = model.createParser();
    for (const n of [0, 1, 2, 230]) expect(parser.parse(wordsOf(n)).heads).toHaveLength(n + 1);
    expect(() => parser.parse(wordsOf(3001))).toThrow("the sentence has 3001 words (expected at most 3000)");
  });
});

test("a linear model sees what was attached before", () => {
  const { siblings } = models.linear!.createScorer();
  const scorer = models.linear!.createScorer();
  scorer.bind(DEV[0]!);
  const n = DEV[0]!.length;
  const seen = new Set<number>();
  for (let s = 1; s < n; s++) seen.add(scorer.siblings!(n, s, n - 1));
  expect(seen.size).toBeGreaterThan(1);
  expect(siblings).toBeDefined();
  expect(models.network!.createScorer().siblings).toBeUndefined();
});

test("several roots where the training data have them, and the option says no other", () => {
  const several = TRAIN.map((sentence) => {
    const copy = sentence.copy();
    if (copy.length > 2) for (let d = 1; d <= 2; d++) copy.setHead(d, 0);
    return copy;
  }).filter(({ heads }) => isTree(heads));
  const model = trained(new PointersTraining(several, OPTIONS)).model();
  expect(model.header.singleRoot).toBe(false);
  const roots = parses(model).map(({ heads }) => heads.filter((head) => head === 0).length);
  expect(Math.max(...roots)).toBeGreaterThan(1);
  const one = trained(new PointersTraining(several, { ...OPTIONS, singleRoot: true })).model();
  expect(parses(one).every(({ heads }) => heads.filter((head) => head === 0).length === 1)).toBe(true);
});

test("files with a header that no parser with pointers has are rejected", () => {
  const bytes = writeModel(models.linear!);
  const withHeader = (change: object) => {
    const { system: _, ...own } = models.linear!.header;
    const header = { needs: ["pointers"], parser: { program: "pointers", ...own, ...change } };
    const altered = replaceSection(bytes, 0, new TextEncoder().encode(JSON.stringify(header)));
    return () => readModel(altered, { source: "m", programs: [pointers] });
  };
  expect(withHeader({})).not.toThrow();
  expect(withHeader({ labels: [] })).toThrow("m: invalid header: labels");
  expect(withHeader({ singleRoot: 1 })).toThrow("m: invalid header: singleRoot");
});

describe("training", () => {
  test("that was saved goes on with the same result", () => {
    const [whole, first, second] = [0, 1, 2].map(() => new PointersTraining(TRAIN, { ...OPTIONS, epochs: 2 }));
    for (const training of [whole!, whole!, first!]) training.runEpoch();
    second!.restore(structuredClone(first!.save()));
    second!.runEpoch();
    expect(writeModel(second!.model())).toEqual(writeModel(whole!.model()));
  });

  test("with a network: all tensors agree with finite differences", () => {
    const dropout = { words: 0, inputs: 0, layers: 0, hidden: 0 };
    const training = new PointersNetworkTraining(makeUp(40, 9), { ...NETWORK, width: 8, hidden: 16, dropout });
    const { memory } = training.learner;
    // With a large bias no unit is at its kink, where there is no derivative.
    for (const [name, size, value] of [
      ["hidden bias", 16, 4],
      ["arc biases", 2 * 16, 1],
    ] as const)
      memory.floats.fill(value, memory.tensor(name).at / 4, memory.tensor(name).at / 4 + size);
    compareGradients(training.learner, Int32Array.of(3, 5, 7));
  });

  test("train makes them, with a pipeline as well; options without an effect are rejected", async () => {
    const sentences = makeUp(60, 1, 0.3);
    const given = { sentences, dev: DEV, system: "pointers", epochs: 1 };
    const { model } = await train({ ...given, pipeline: true, folds: 2 });
    expect(model.parser.header).toMatchObject({ system: "pointers" });
    expect(model.parser.header.confidence).toBeDefined();
    const network = await train({ ...given, network: true, layers: 1, width: 16, hidden: 32 });
    expect(network.model.parser.header).toMatchObject({ system: "pointers", network: { hidden: 32 } });
    const attempt = (options: object) => train({ sentences, system: "pointers", ...options });
    for (const options of [{ oracle: "dynamic" }, { beam: 4 }, { root: "first" }, { templates: "s0.form" }])
      await expect(attempt(options)).rejects.toThrow("expected a transition system, not system pointers");
    await expect(attempt({ learner: "logistic" })).rejects.toThrow("with system graph and system pointers");
    await expect(attempt({ members: 2 })).rejects.toThrow("a linear model with a transition system");
    await expect(attempt({ wordDropout: 0.2 })).rejects.toThrow("a transition system, or network");
    await expect(attempt({ projectivize: "head" })).rejects.toThrow("pointers build crossing arcs as they are");
    await expect(attempt({ order: 2 })).rejects.toThrow("expected system graph");
    await expect(attempt({ decoder: "edmonds" })).rejects.toThrow("expected system graph");
    await expect(attempt({ encoding: "brackets" })).rejects.toThrow("expected system tags");
  });
});
