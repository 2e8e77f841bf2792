import { beforeAll, describe, expect, test } from "vitest";
import { fitConfidence } from "../../src/learning/fit-confidence.js";
import { attachment } from "../../src/learning/training.js";
import { load } from "../../src/model-file/load.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { ENCODINGS, type EncodingName } from "../../src/tags/encodings/encodings.js";
import { TagsNetworkLearner } from "../../src/tags/learning/tags-network-learner.js";
import { TagsNetworkTraining } from "../../src/tags/learning/tags-network-training.js";
import { TagsTraining } from "../../src/tags/learning/tags-training.js";
import { tags } from "../../src/tags/program.js";
import type { TagsModel } from "../../src/tags/tags-model.js";
import { train } from "../../src/training/train.js";
import { isProjective, isTree } from "../../src/treebank/tree.js";
import { attachModel, shareModel } from "../../src/workers/shared-model.js";
import { compareGradients } from "../learning/finite-differences.js";
import { makeUp } from "../made-up-language.js";
import { replaceSection } from "../model-file/model-sections.js";

const TRAIN = makeUp(120, 1, 0.3);
const DEV = makeUp(40, 2, 0.3);
const CROSSING = TRAIN.filter(({ heads }) => !isProjective(heads)).length;

function trained(encoding: EncodingName, projectivize?: "head"): TagsTraining {
  const training = new TagsTraining(TRAIN, { encoding, epochs: 3, seed: 1, projectivize });
  for (let epoch = 0; epoch < 3; epoch++) for (const _ of training.epochSteps());
  return training;
}

const models = new Map<EncodingName, TagsModel>();
beforeAll(() => {
  for (const encoding of ENCODINGS) models.set(encoding, trained(encoding).model({ licence: "none" }));
});

const parses = (model: { createParser(): { parse(words: (typeof DEV)[0]): object } }) => {
  const parser = model.createParser();
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

describe.each(ENCODINGS)("%s", (encoding) => {
  test("learns what tags say of a made-up language", () => {
    expect(attachment(models.get(encoding)!, DEV).las).toBeGreaterThan(0.8);
  });

  test("a model file gives back the same parser", async () => {
    const model = models.get(encoding)!;
    const bytes = writeModel(model);
    const again = readModel(bytes, { programs: [tags] });
    expect(again.parser.header).toEqual(model.header);
    expect(parses(again.parser)).toEqual(parses(model));
    expect(writeModel(again)).toEqual(bytes);
    const { parser } = await load(bytes);
    expect(parser.parse(DEV[0]!)).toEqual(parses(model)[0]);
    expect(parses((await attachModel(shareModel(again, 2), 1)).parser)).toEqual(parses(model));
  });

  test("scores are probabilities, and calibrated ones once they are fitted", () => {
    const model = trained(encoding).model();
    model.header.confidence = fitConfidence(model, DEV);
    const parser = model.createParser();
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

  test("sentences of any length become trees with one root", () => {
    const parser = models.get(encoding)!.createParser();
    expect(parser.parse(wordsOf(0)).heads).toHaveLength(1);
    for (const n of [1, 2, 3, 70, 3001]) {
      const { heads } = parser.parse(wordsOf(n));
      expect(isTree(heads)).toBe(true);
      expect(Array.from(heads).filter((head) => head === 0)).toHaveLength(1);
    }
  });

  test("a training that was saved goes on with the same result", () => {
    const options = { encoding, epochs: 2, seed: 1 };
    const [whole, first, second] = [0, 1, 2].map(() => new TagsTraining(TRAIN, options));
    for (const training of [whole!, whole!, first!]) for (const _ of training.epochSteps());
    second!.restore(structuredClone(first!.save()));
    for (const _ of second!.epochSteps());
    expect(writeModel(second!.model())).toEqual(writeModel(whole!.model()));
    expect(() => second!.restore({ epoch: 1, members: [] })).toThrow("expected one that save gave");
  });
});

test("trees that an encoding does not cover are left out and counted, or made projective", () => {
  expect(trained("hexatags").data).toMatchObject({ skipped: CROSSING, sentences: TRAIN.length - CROSSING });
  expect(trained("hexatags", "head").data).toMatchObject({ skipped: 0, projectivized: CROSSING });
  expect(trained("hierarchical").data.skipped).toBe(CROSSING);
  expect(trained("two-planes").data.skipped).toBe(0);
  expect(CROSSING).toBeGreaterThan(10);
  // Crossing arcs come back after parsing.
  const parsed = parses(trained("hexatags", "head").model()) as { heads: Int32Array }[];
  expect(parsed.some(({ heads }) => !isProjective(heads))).toBe(true);
  expect(() => new TagsTraining([], { encoding: "brackets", epochs: 1, seed: 1 })).toThrow("no sentences to train on");
});

test("what tags cannot do is refused", () => {
  const model = models.get("hexatags")!;
  const parser = model.createParser({ beam: 1 });
  const refused = (what: string) => `this model cannot ${what}: it gives each word a tag, and the tags are its tree`;
  expect(() => model.createParser({ beam: 4 })).toThrow(refused("search with a beam"));
  expect(() => parser.parseBest(DEV[0]!, 2)).toThrow(refused("find several trees"));
  const heads = new Int32Array(DEV[0]!.length + 1).fill(-1);
  expect(() => parser.parse(DEV[0]!, { constraints: { heads } })).toThrow(
    refused("keep heads that are known beforehand"),
  );
  expect(() => parser.check({ heads }, heads.length - 1)).toThrow(refused("keep heads that are known beforehand"));
  expect(model.limits.steps).toBeDefined();
  expect([...parser.parseBest(DEV[0]!, 1)[0]!.heads]).toEqual([...parser.parse(DEV[0]!).heads]);
});

test("files with a header that no parser by tags has are rejected", () => {
  const bytes = writeModel(models.get("hexatags")!);
  const withHeader = (change: object) => {
    const { system: _, ...own } = models.get("hexatags")!.header;
    const header = { needs: ["tags"], parser: { program: "tags", ...own, ...change } };
    const altered = replaceSection(bytes, 0, new TextEncoder().encode(JSON.stringify(header)));
    return () => readModel(altered, { source: "m", programs: [tags] });
  };
  expect(withHeader({})).not.toThrow();
  expect(withHeader({ encoding: "morse" })).toThrow('m: invalid header: encoding: "morse" (expected one of brackets');
  expect(withHeader({ tags: [] })).toThrow("m: invalid header: tags");
  expect(withHeader({ tags: ["end", "end"] })).toThrow("m: invalid header: tags");
  expect(withHeader({ tags: ["lll", "end"] })).toThrow(
    "expected lll, llr, lrl, lrr, rll, rlr, rrl, rrr, end among them",
  );
});

describe("with a network", () => {
  const OPTIONS = {
    encoding: "two-planes",
    epochs: 6,
    seed: 3,
    inputs: { word: 16, upos: 8, feats: 8, affixes: 8 },
    layers: 1,
    width: 16,
    hidden: 32,
    dropout: { words: 0.25, inputs: 0.1, layers: 0.1, hidden: 0.1 },
    rate: 0.01,
  } as const;

  test.each([0, 2])("%i layers: all tensors agree with finite differences", (layers) => {
    const dropout = { words: 0, inputs: 0, layers: 0, hidden: 0 };
    const training = new TagsNetworkTraining(makeUp(40, 9), { ...OPTIONS, layers, width: 8, hidden: 16, dropout });
    const { memory } = training.learner;
    // With a large bias no unit is at its kink, where there is no derivative.
    const { at } = memory.tensor("hidden bias");
    memory.floats.fill(4, at / 4, at / 4 + 16);
    compareGradients(training.learner, Int32Array.of(3, 5, 7));
  });

  test("learns, is stored and read, and other threads learn the same", () => {
    const sentences = makeUp(200, 1, 0.3);
    const training = new TagsNetworkTraining(sentences, OPTIONS);
    while (training.epoch < OPTIONS.epochs) training.runEpoch();
    const model = training.model();
    expect(attachment(model, DEV).las).toBeGreaterThan(0.8);
    const again = readModel(writeModel(model), { programs: [tags] });
    expect(parses(again.parser)).toEqual(parses(model));
    expect(again.parser.createParser().vectors(1)).toHaveLength(32);
    const shared = new TagsNetworkTraining(sentences, { ...OPTIONS, epochs: 1, threads: 2 });
    const other = new TagsNetworkLearner(shared.task, shared.learner.memory.memory);
    other.begin(1);
    const alone = new TagsNetworkTraining(sentences, { ...OPTIONS, epochs: 1 });
    shared.runEpoch(undefined, (batch) => {
      for (let lane = 0; lane < 4; lane++) (lane % 2 === 0 ? shared.learner : other).run(batch, lane);
    });
    alone.runEpoch();
    expect(writeModel(shared.model())).toEqual(writeModel(alone.model()));
  });
});

test("train makes them, with a pipeline as well; options for transition systems are rejected", async () => {
  const { model } = await train({ sentences: TRAIN, dev: DEV, system: "tags", epochs: 2, pipeline: true, folds: 2 });
  expect(model.parser.header).toMatchObject({ system: "tags", encoding: "two-planes" });
  expect(model.parser.header.confidence).toBeDefined();
  const attempt = (options: object) => train({ sentences: TRAIN, system: "tags", ...options });
  for (const options of [{ oracle: "dynamic" }, { beam: 4 }, { root: "first" }, { templates: "s0.form" }])
    await expect(attempt(options)).rejects.toThrow("expected a transition system, not system tags");
  await expect(attempt({ learner: "mira" })).rejects.toThrow("perceptron with system tags");
  await expect(attempt({ members: 2 })).rejects.toThrow("a linear model with a transition system");
  await expect(attempt({ wordDropout: 0.2 })).rejects.toThrow("a transition system, or network");
  await expect(attempt({ order: 2 })).rejects.toThrow("expected system graph");
  await expect(train({ sentences: TRAIN, encoding: "brackets" })).rejects.toThrow("expected system tags");
});
