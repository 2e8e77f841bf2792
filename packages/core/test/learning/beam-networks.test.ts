import { describe, expect, test } from "vitest";
import { parseTemplates } from "../../src/features/templates.js";
import { DerivationGradients } from "../../src/learning/network/beam/derivation-gradients.js";
import { NetworkLearner } from "../../src/learning/network/network-learner.js";
import { type NeuralOptions, NeuralTraining } from "../../src/learning/network/neural-training.js";
import { attachment } from "../../src/learning/training.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { createSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { oraclesOf } from "../../src/registry/trace.js";
import { defaultView } from "../../src/registry/training.js";
import { LOG_UNIT } from "../../src/scoring/log-scores.js";
import { derivations } from "../../src/search/beam/beam-derivations.js";
import { BeamSearch } from "../../src/search/beam/beam-search.js";
import { StateMerger } from "../../src/search/beam/state-merger.js";
import { Decider } from "../../src/search/decider.js";
import { Configuration } from "../../src/systems/configuration.js";
import { ORACLES } from "../../src/systems/oracles/oracle.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import type { Sentence } from "../../src/treebank/sentence/sentence.js";
import { makeUp } from "../made-up-language.js";
import { compareGradients } from "./finite-differences.js";

const NO_DROPOUT = { words: 0, inputs: 0, layers: 0, hidden: 0 };
const OPTIONS: NeuralOptions = {
  system: "arc-hybrid",
  root: "last",
  oracle: "dynamic",
  exploreFrom: 2,
  exploreProbability: 0.9,
  templates: defaultView("arc-hybrid"),
  epochs: 4,
  seed: 3,
  beam: 4,
  globalEpochs: 2,
  inputs: { word: 16, upos: 8, feats: 8, affixes: 8 },
  layers: 1,
  width: 16,
  hidden: 32,
  dropout: { words: 0.25, inputs: 0.1, layers: 0.1, hidden: 0.1 },
  rate: 0.01,
};

function trained(options: NeuralOptions, sentences = makeUp(120, 1)): NeuralTraining {
  const training = new NeuralTraining(sentences, options);
  while (training.epoch < options.epochs) training.runEpoch();
  return training;
}

const TEST = makeUp(60, 2);

const bytesOf = (training: NeuralTraining) => Buffer.from(writeModel(training.model())).toString("base64");

/** A treebank of words with the same tag and their heads. */
function treebankOf(...sentences: (readonly [words: string, ...heads: number[]])[]): Sentence[] {
  const lines = ([words, ...heads]: (typeof sentences)[0]) =>
    words
      .split(" ")
      .map((word, i) => `${i + 1}\t${word}\t_\tX\t_\t_\t${heads[i]}\t${heads[i] ? "dep" : "root"}\t_\t_\n`);
  return readTreebank(sentences.map((sentence) => `${lines(sentence).join("")}\n`).join(""));
}

const WAYS = SYSTEM_NAMES.flatMap((system) => {
  const oracles = ORACLES.filter((oracle) => oraclesOf(createSystem(system)).includes(oracle));
  // All oracles of one system, the best of the others.
  return (system === "arc-eager" ? oracles : oracles.slice(-1)).map((oracle) => [system, oracle] as const);
});

test.each(WAYS)("%s, %s oracle: learns the made-up language with a beam", { timeout: 60_000 }, (system, oracle) => {
  const { las } = attachment(trained({ ...OPTIONS, system, oracle, templates: defaultView(system) }).model(), TEST);
  expect(las).toBeGreaterThan(0.8);
});

describe("gradients", () => {
  const VIEWS: [string, number, string][] = [
    ["arc-hybrid", 2, "s0.vector; s1.vector; b0.vector; s0l.label; dist(s0,b0); s0.lval"],
    ["arc-eager", 1, "s0.vector; s0h.vector; b0.vector; s0.label; s0.rval"],
    ["arc-standard", 0, "s0.vector; s1.vector; b0.vector; s0l.label; dist(s1,s0)"],
    ["lr-spines", 1, "s1.vector; s2.vector; q1.vector; s1l.label; dist(s1,s2)"],
  ];
  const SENTENCES = Int32Array.of(0, 1, 2);
  /** So large a change that the rounding of scores to integers does not matter. */
  const SIZE = 0.02;

  const checkable = (changes: Partial<NeuralOptions>, sentences: Sentence[]): NetworkLearner => {
    const sizes = { width: 8, hidden: 16, inputs: { word: 8, upos: 8 }, dropout: NO_DROPOUT };
    const { learner } = new NeuralTraining(sentences, { ...OPTIONS, ...sizes, activation: "cube", ...changes });
    const { memory } = learner;
    const bias = memory.tensor("hidden bias");
    memory.floats.fill(0.5, bias.at / 4, bias.at / 4 + bias.columns);
    return learner;
  };

  // Short enough for a beam that holds every derivation: with a narrow one the loss jumps where another comes in.
  const short = treebankOf(["u v", 2, 0], ["v w u", 0, 1, 1], ["w u v", 3, 3, 0]);

  test.each(VIEWS)("%s, %i layers: all tensors agree with finite differences", (system, layers, templates) => {
    for (const oracle of ["static", "dynamic"] as const) {
      const learner = checkable({ system, layers, templates, oracle, beam: 3000, globalEpochs: 4 }, short);
      learner.epoch = 1;
      compareGradients(learner, SENTENCES, undefined, SIZE);
    }
  });

  test.each(VIEWS)("%s, %i layers: so they do in the steps learned from before", (system, layers, templates) => {
    compareGradients(checkable({ system, layers, templates, oracle: "static" }, makeUp(40, 9)), SENTENCES);
  });

  test("a lane that is full is worked off, and no step is lost", () => {
    const training = new NeuralTraining(makeUp(40, 9), { ...OPTIONS, globalEpochs: 4, dropout: NO_DROPOUT });
    const { task, learner } = training;
    const narrow = new NetworkLearner({ ...task, size: { ...task.size, steps: 3 } });
    const [lane, narrowLane] = [learner.memory.lanes[0]!, narrow.memory.lanes[0]!];
    // The parameters are at the same places, before the lanes.
    narrow.memory.floats.set(learner.memory.floats.subarray(0, lane.gradients / 4));
    for (const one of [learner, narrow]) one.epoch = 1;
    expect(narrow.check(SENTENCES)).toBe(learner.check(SENTENCES));
    const { size } = learner.memory.dense;
    const gradients = learner.memory.floats.subarray(lane.gradients / 4, lane.gradients / 4 + size);
    const others = narrow.memory.floats.subarray(narrowLane.gradients / 4, narrowLane.gradients / 4 + size);
    const largest = gradients.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    expect(largest).toBeGreaterThan(0.1);
    const difference = gradients.reduce((most, value, k) => Math.max(most, Math.abs(value - others[k]!)), 0);
    expect(difference).toBeLessThan(1e-4 * largest);
  });

  test("those of the steps of a beam are the sums over all its derivations, merged ones included", () => {
    const { header, system, classes, network } = trained({ ...OPTIONS, epochs: 1, globalEpochs: 1 }).model();
    const templates = parseTemplates(header.templates, "model", system.description.context);
    const scorer = network!.scorer(templates);
    const decider = new Decider(system, classes, scorer);
    const merger = new StateMerger(system, templates, scorer.extractor.columns, 12);
    const search = new BeamSearch(decider, 12, merger);
    const [sentence] = makeUp(1, 4);
    search.begin(sentence!);
    for (let step = 0; step < 9; step++) search.step();
    expect(search.merged).toBeGreaterThan(1);
    const { history } = search;
    const ends = search.live.slice(0, search.size).map(({ step }, e) => ({ step, correct: e % 3 === 1 }));
    const gradients = new DerivationGradients();
    const loss = gradients.compute(history, 0, ends, LOG_UNIT);
    const all = ends.flatMap(({ step, correct }) =>
      [...derivations(history, [step])].map(({ steps, score }) => ({ steps, correct, p: Math.exp(score / LOG_UNIT) })),
    );
    expect(all.length).toBeGreaterThan(ends.length);
    const sum = (list: typeof all) => list.reduce((total, { p }) => total + p, 0);
    const correct = all.filter((one) => one.correct);
    expect(loss).toBeCloseTo(Math.log(sum(all) / sum(correct)), 8);
    for (let step = 1; step < history.size; step++) {
      const passes = ({ steps }: (typeof all)[0]) => steps.includes(step);
      const expected = sum(all.filter(passes)) / sum(all) - sum(correct.filter(passes)) / sum(correct);
      expect(gradients.of[step]).toBeCloseTo(expected, 8);
    }
  });
});

test("what single steps cannot learn, whole derivations can: label bias", () => {
  // Whether a is the head of b or b that of a shows in the third word, which the network does not see when it decides.
  // The rest is as sure after the wrong decision as after the right one.
  const treebank = treebankOf(["a b x", 0, 1, 1], ["a b y", 2, 0, 2]);
  const sentences = Array.from({ length: 60 }, () => treebank).flat();
  const options: NeuralOptions = {
    ...OPTIONS,
    system: "arc-standard",
    templates: "s0.vector; s1.vector",
    ...{ exploreFrom: 1, exploreProbability: 1 },
    ...{ inputs: { word: 8 }, layers: 0, dropout: NO_DROPOUT },
    ...{ epochs: 12, globalEpochs: 8 },
  };
  expect(attachment(trained({ ...options, globalEpochs: 0 }, sentences).model(), treebank).uas).toBe(0.5);
  expect(attachment(trained(options, sentences).model(), treebank).uas).toBe(1);
});

test("the same seed gives the same bytes, another seed or beam others", () => {
  const first = bytesOf(trained(OPTIONS));
  expect(bytesOf(trained(OPTIONS))).toBe(first);
  expect(bytesOf(trained({ ...OPTIONS, seed: 4 }))).not.toBe(first);
  const read = readModel(writeModel(trained({ ...OPTIONS, beam: 8 }).model())).parser.header;
  expect(read).toMatchObject({ beam: 8, network: { normalization: "global" } });
});

test("learners on one shared memory that share the lanes give the same bytes and the same loss as one alone", () => {
  const alone = trained(OPTIONS);
  const training = new NeuralTraining(makeUp(120, 1), { ...OPTIONS, threads: 2 });
  const other = new NetworkLearner(training.task, training.learner.memory.memory);
  while (training.epoch < OPTIONS.epochs) {
    training.runEpoch(undefined, (batch) => {
      if (other.epoch !== training.epoch) other.begin(training.epoch);
      for (const lane of [3, 1]) other.run(batch, lane);
      for (const lane of [2, 0]) training.learner.run(batch, lane);
    });
  }
  expect(bytesOf(training)).toBe(bytesOf(alone));
  expect(alone.loss).toBeGreaterThan(0);
  expect(training.loss).toBe(alone.loss);
});

test.each([1, 3])("a training that is saved after epoch %i and taken up again ends with the same bytes", (epoch) => {
  const killed = new NeuralTraining(makeUp(120, 1), OPTIONS);
  while (killed.epoch < epoch) killed.runEpoch();
  const state = structuredClone(killed.save());
  const resumed = new NeuralTraining(makeUp(120, 1), OPTIONS);
  resumed.restore(state);
  while (resumed.epoch < OPTIONS.epochs) resumed.runEpoch();
  expect(bytesOf(resumed)).toBe(bytesOf(trained(OPTIONS)));
});

test("a model of an epoch before is one of single steps", () => {
  const training = new NeuralTraining(makeUp(40, 1), OPTIONS);
  const normalizations = Array.from({ length: OPTIONS.epochs }, () => {
    training.runEpoch();
    return training.model().header.network!.normalization;
  });
  expect(normalizations).toEqual([undefined, undefined, "global", "global"]);
});

test("a beam adds up the scores as they are", () => {
  const model = trained(OPTIONS).model();
  const [sentence] = makeUp(1, 7);
  const parser = model.createParser({ beam: 4 });
  const [best] = parser.parseBest(sentence!, 1);
  const { system, classes, scorer, scores } = parser.decider;
  const c = new Configuration();
  system.initialize(c, sentence!.length);
  let sum = 0;
  for (const { move, label } of parser.derivation(sentence!)!) {
    scorer.score(c, move);
    const index = label === undefined ? -1 : model.header.labels.indexOf(label);
    sum += scores[classes.classOf(classes.groupOf(move), index)]!;
    system.take(c, move, index);
  }
  expect(best!.score).toBeCloseTo(sum / LOG_UNIT, 3);
  // Probabilities would be below 1.
  expect(parser.decider.scorer.isGlobal).toBe(true);
});

test.each([
  [{ globalEpochs: 5 }, "invalid globalEpochs: 5 (expected at most 4, the number of epochs)"],
  [{ beam: undefined }, "invalid globalEpochs: 2 (expected 0 without a beam)"],
])("%j is rejected", (changes, message) => {
  expect(() => new NeuralTraining(makeUp(20, 1), { ...OPTIONS, ...changes })).toThrow(message);
});
