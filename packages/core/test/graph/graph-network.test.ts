import { describe, expect, test } from "vitest";
import { GraphNetworkLearner } from "../../src/graph/learning/graph-network-learner.js";
import { type GraphNetworkOptions, GraphNetworkTraining } from "../../src/graph/learning/graph-network-training.js";
import { graph } from "../../src/graph/program.js";
import { attachment } from "../../src/learning/training.js";
import { load } from "../../src/model-file/load.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { train } from "../../src/training/train.js";
import { isProjective, isTree } from "../../src/treebank/tree.js";
import { attachModel, shareModel } from "../../src/workers/shared-model.js";
import { compareGradients } from "../learning/finite-differences.js";
import { makeUp } from "../made-up-language.js";

const OPTIONS: GraphNetworkOptions = {
  decoder: "eisner",
  epochs: 6,
  seed: 3,
  inputs: { word: 16, upos: 8, feats: 8, affixes: 8 },
  layers: 1,
  width: 16,
  hidden: 32,
  dropout: { words: 0.25, inputs: 0.1, layers: 0.1, hidden: 0.1 },
  rate: 0.01,
};
const DEV = makeUp(60, 2, 0.3);

function trained(options: Partial<GraphNetworkOptions> = {}, sentences = makeUp(200, 1, 0.3)): GraphNetworkTraining {
  const training = new GraphNetworkTraining(sentences, { ...OPTIONS, ...options });
  while (training.epoch < training.options.epochs) training.runEpoch();
  return training;
}

test.each([
  [0, undefined],
  [2, undefined],
  [1, 7],
])("%i layers, seed of what is left out %s: all tensors agree with finite differences", (layers, seed) => {
  const dropout =
    seed === undefined
      ? { words: 0, inputs: 0, layers: 0, hidden: 0 }
      : { words: 0, inputs: 0.1, layers: 0.1, hidden: 0.2 };
  const training = new GraphNetworkTraining(makeUp(40, 9), { ...OPTIONS, layers, width: 8, hidden: 16, dropout });
  const { memory } = training.learner;
  // With a large bias no unit is at its kink, where there is no derivative.
  const fill = (name: string, size: number, value: number) => {
    const { at } = memory.tensor(name);
    memory.floats.fill(value, at / 4, at / 4 + size);
  };
  fill("hidden bias", 16, 4);
  fill("arc biases", 2 * 16, 1);
  compareGradients(training.learner, Int32Array.of(3, 5, 7), seed);
});

describe.each(["eisner", "edmonds"] as const)("%s", (decoder) => {
  test("learns the made-up language, and its file gives back the same parser", async () => {
    const model = trained({ decoder }).model();
    expect(attachment(model, DEV).las).toBeGreaterThan(decoder === "edmonds" ? 0.9 : 0.88);
    const bytes = writeModel(model);
    const again = readModel(bytes, { programs: [graph] });
    expect(writeModel(again)).toEqual(bytes);
    const parses = (parser: { parse(words: (typeof DEV)[0]): object }) => DEV.map((sentence) => parser.parse(sentence));
    const expected = parses(model.createParser());
    expect(parses(again.parser.createParser())).toEqual(expected);
    expect(parses((await load(bytes)).parser)).toEqual(expected);
    expect(parses((await attachModel(shareModel(again, 2), 1)).parser.createParser())).toEqual(expected);
    for (const sentence of DEV) {
      const { heads } = model.createParser().parse(sentence);
      expect(isTree(heads)).toBe(true);
      expect(heads.filter((head) => head === 0)).toHaveLength(1);
      if (decoder === "eisner") expect(isProjective(heads)).toBe(true);
    }
  });
});

test("the scores of arcs while parsing are those of training, but for rounding", () => {
  const training = trained({ epochs: 2, dropout: { words: 0, inputs: 0, layers: 0, hidden: 0 } });
  // The loss by the scores that the parser sees.
  const scorer = training.model().createScorer();
  const sentences = makeUp(200, 1, 0.3);
  const { learner } = training;
  const { memory } = learner;
  // Training goes on with the parameters, the model has their averages.
  memory.floats.copyWithin(
    memory.dense.at / 4,
    (memory.dense.at + memory.toAverage) / 4,
    (memory.dense.at + memory.toAverage) / 4 + memory.dense.size + memory.tables.size,
  );
  for (const k of [3, 17, 40]) {
    const sentence = sentences[k]!;
    const w = sentence.length + 1;
    const scores = new Float64Array(w * w);
    scorer.bind(sentence);
    scorer.scoreArcs(scores);
    let loss = 0;
    for (let d = 1; d < w; d++) {
      let sum = 0;
      for (let h = 0; h < w; h++) if (h !== d) sum += Math.exp(scores[h * w + d]!);
      loss += Math.log(sum) - scores[sentence.heads[d]! * w + d]!;
    }
    scorer.scoreLabels(sentence.heads, (d, labels) => {
      loss -= labels[training.labels.indexOf(sentence.deprel(d))]! / scorer.labelRatio;
    });
    expect(loss).toBeCloseTo(learner.check(Int32Array.of(k)), 0);
  }
});

test("the same seed gives the same bytes, with learners that share the lanes as well", () => {
  const bytesOf = (training: GraphNetworkTraining) => writeModel(training.model());
  const sentences = makeUp(60, 1, 0.3);
  const alone = trained({ epochs: 2 }, sentences);
  expect(bytesOf(trained({ epochs: 2 }, sentences))).toEqual(bytesOf(alone));
  expect(bytesOf(trained({ epochs: 2, seed: 4 }, sentences))).not.toEqual(bytesOf(alone));
  const shared = new GraphNetworkTraining(sentences, { ...OPTIONS, epochs: 2, threads: 2 });
  const other = new GraphNetworkLearner(shared.task, shared.learner.memory.memory);
  for (let epoch = 1; epoch <= 2; epoch++) {
    other.begin(epoch);
    shared.runEpoch(undefined, (batch) => {
      for (let lane = 3; lane >= 0; lane--) (lane % 2 ? shared.learner : other).run(batch, lane);
    });
  }
  expect(bytesOf(shared)).toEqual(bytesOf(alone));
});

test("a training that is taken up again ends with the same bytes", () => {
  const sentences = makeUp(60, 1, 0.3);
  const whole = new GraphNetworkTraining(sentences, { ...OPTIONS, epochs: 2 });
  whole.runEpoch();
  const state = structuredClone(whole.save());
  whole.runEpoch();
  const rest = new GraphNetworkTraining(sentences, { ...OPTIONS, epochs: 2 });
  rest.restore(state);
  rest.runEpoch();
  expect(writeModel(rest.model())).toEqual(writeModel(whole.model()));
});

test("train makes them; siblings are for linear models", async () => {
  const sizes = { layers: 1, width: 16, hidden: 32, epochs: 1 };
  const sentences = makeUp(40, 1);
  const { model } = await train({ sentences, dev: DEV.slice(0, 10), system: "graph", network: true, ...sizes });
  expect(model.parser.header).toMatchObject({ system: "graph", decoder: "eisner", order: 1, network: { hidden: 32 } });
  await expect(train({ sentences, system: "graph", network: true, order: 2 })).rejects.toThrow(
    "order 2 is for linear models",
  );
});
