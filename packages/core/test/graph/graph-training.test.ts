import { describe, expect, test } from "vitest";
import { GraphFeatures, MOST_FEATURES } from "../../src/graph/graph-features.js";
import type { GraphModel } from "../../src/graph/graph-model.js";
import { GraphTraining, type GraphTrainOptions } from "../../src/graph/learning/graph-training.js";
import { writeModel } from "../../src/model-file/model-file.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import type { Sentence } from "../../src/treebank/sentence/sentence.js";
import { isProjective, isTree } from "../../src/treebank/tree.js";
import { makeUp } from "../made-up-language.js";

const OPTIONS: GraphTrainOptions = { decoder: "eisner", order: 1, learner: "perceptron", epochs: 4, seed: 1 };
const TRAIN = makeUp(120, 1, 0.3);
const DEV = makeUp(60, 2, 0.3);

function train(options: Partial<GraphTrainOptions>): GraphModel {
  const training = new GraphTraining(TRAIN, { ...OPTIONS, ...options });
  for (let epoch = 0; epoch < OPTIONS.epochs; epoch++) training.runEpoch();
  return training.model();
}

/** The share of words with the right head and label. */
function accuracy(model: GraphModel, sentences: readonly Sentence[]): number {
  const parser = model.createParser();
  let right = 0;
  let words = 0;
  for (const sentence of sentences) {
    const { heads, labels } = parser.parse(sentence);
    expect(isTree(heads)).toBe(true);
    expect(heads.filter((head) => head === 0)).toHaveLength(1);
    for (let d = 1; d <= sentence.length; d++) {
      words++;
      if (heads[d] === sentence.heads[d] && labels[d] === sentence.deprel(d)) right++;
    }
  }
  return right / words;
}

describe.each(["perceptron", "mira"] as const)("%s", (learner) => {
  test.each([1, 2] as const)("eisner, order %i, learns the made-up language, but for crossing arcs", (order) => {
    const model = train({ learner, order });
    expect(accuracy(model, DEV)).toBeGreaterThan(0.9);
    const parser = model.createParser();
    for (const sentence of DEV) expect(isProjective(parser.parse(sentence).heads)).toBe(true);
  });

  test("eisner learns the crossing arcs of trees that were made projective", () => {
    const model = train({ learner, order: 2, projectivize: "head" });
    expect(accuracy(model, DEV)).toBeGreaterThan(0.95);
    const parser = model.createParser();
    expect(DEV.some((sentence) => !isProjective(parser.parse(sentence).heads))).toBe(true);
  });

  test("edmonds learns the crossing arcs, too", () => {
    const model = train({ learner, decoder: "edmonds" });
    expect(accuracy(model, DEV)).toBeGreaterThan(0.97);
    const parser = model.createParser();
    expect(DEV.some((sentence) => !isProjective(parser.parse(sentence).heads))).toBe(true);
  });
});

test("the same seed gives the same bytes, another one others", () => {
  const bytesOf = (seed: number) => {
    const training = new GraphTraining(TRAIN.slice(0, 40), { ...OPTIONS, order: 2, seed });
    training.runEpoch();
    return writeModel(training.model());
  };
  expect(bytesOf(1)).toEqual(bytesOf(1));
  expect(bytesOf(1)).not.toEqual(bytesOf(2));
});

test("a training that is taken up again ends with the same bytes", () => {
  const options: GraphTrainOptions = { ...OPTIONS, learner: "mira", order: 2, epochs: 2 };
  const whole = new GraphTraining(TRAIN, options);
  whole.runEpoch();
  const state = structuredClone(whole.save());
  whole.runEpoch();
  const rest = new GraphTraining(TRAIN, options);
  rest.restore(state);
  expect(rest.epoch).toBe(1);
  rest.runEpoch();
  expect(writeModel(rest.model())).toEqual(writeModel(whole.model()));
  expect(() => rest.restore({} as never)).toThrow("invalid state");
});

test("crossing arcs are counted where they cannot be built", () => {
  const crossing = TRAIN.filter(({ heads }) => !isProjective(heads)).length;
  expect(crossing).toBeGreaterThan(0);
  const dataOf = (options: Partial<GraphTrainOptions>) => new GraphTraining(TRAIN, { ...OPTIONS, ...options }).data;
  expect(dataOf({}).nonProjective).toBe(crossing);
  expect(dataOf({ decoder: "edmonds" }).nonProjective).toBeUndefined();
  expect(dataOf({ projectivize: "head" })).toMatchObject({ projectivized: crossing, skipped: 0 });
});

test("trees with several roots are learned and built as such", () => {
  const conllu = Array.from(
    { length: 20 },
    (_, i) => `1\ta${i % 3}\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tY\t_\t_\t0\troot\t_\t_\n`,
  ).join("\n");
  const sentences = readTreebank(`${conllu}\n`, { allowNonTrees: true });
  const training = new GraphTraining(sentences, { ...OPTIONS, order: 2 });
  expect(training.data.severalRoots).toBe(20);
  training.runEpoch();
  const model = training.model();
  expect(model.header.singleRoot).toBe(false);
  expect([...model.createParser().parse(sentences[0]!).heads]).toEqual([-1, 0, 0]);
});

test("what cannot be learned is rejected", () => {
  const make = (options: object) => () => new GraphTraining(TRAIN, { ...OPTIONS, ...options } as GraphTrainOptions);
  expect(make({ decoder: "edmonds", order: 2 })).toThrow("invalid order of GraphTraining: 2 (expected 1 with edmonds");
  expect(make({ decoder: "viterbi" })).toThrow("expected one of eisner, edmonds");
  expect(() => new GraphTraining([], OPTIONS)).toThrow("no sentences to train on");
});

test("no arc has more features than there is room for, whatever is between its ends", () => {
  const features = new GraphFeatures();
  const upos = Array.from({ length: 60 }, (_, i) => `TAG${i}`);
  const words = {
    length: upos.length,
    form: (i: number) => `w${i}`,
    lemma: () => "_",
    upos: (i: number) => upos[i - 1]!,
    xpos: () => "_",
    feats: () => "_",
  };
  features.bind(words);
  for (let d = 1; d <= words.length; d++) {
    for (let h = 0; h <= words.length; h++) {
      if (h !== d) expect(features.arc(h, d).length).toBeLessThanOrEqual(MOST_FEATURES);
    }
  }
  expect(features.arc(60, 1).length).toBe(MOST_FEATURES);
});
