import { describe, expect, test } from "vitest";
import type { LaneLearner } from "../../src/learning/network/lane-learner.js";
import { NetworkLearner } from "../../src/learning/network/network-learner.js";
import { type NeuralOptions, NeuralTraining } from "../../src/learning/network/neural-training.js";
import { attachment } from "../../src/learning/training.js";
import { VectorReader } from "../../src/learning/vectors.js";
import { Random } from "../../src/math/random.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { trainingOracle } from "../../src/registry/oracles.js";
import { createSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { viewTemplates } from "../../src/registry/templates/feature-sets.js";
import { oraclesOf } from "../../src/registry/trace.js";
import { defaultView } from "../../src/registry/training.js";
import { ORACLES } from "../../src/systems/oracles/oracle.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import type { Sentence } from "../../src/treebank/sentence/sentence.js";
import { makeUp } from "../made-up-language.js";
import { compareGradients } from "./finite-differences.js";

const OPTIONS: NeuralOptions = {
  system: "arc-hybrid",
  root: "last",
  oracle: "dynamic",
  exploreFrom: 2,
  exploreProbability: 0.9,
  templates: defaultView("arc-hybrid"),
  epochs: 8,
  seed: 3,
  inputs: { word: 16, upos: 8, feats: 8, affixes: 8 },
  layers: 1,
  width: 16,
  hidden: 32,
  dropout: { words: 0.25, inputs: 0.1, layers: 0.1, hidden: 0.1 },
  rate: 0.01,
};

const NO_DROPOUT = { words: 0, inputs: 0, layers: 0, hidden: 0 };

/** Trees whose derivations with swap are long: of two chains of heads, each has every second word. */
function crossing(): Sentence[] {
  const heads = Array.from({ length: 8 }, (_, k) => Array.from({ length: 6 + k }, (_, i) => (i < 2 ? i : i - 1)));
  const line = (head: number, i: number) =>
    `${i + 1}\tw${i % 3}\t_\tX\t_\t_\t${head}\t${head === 0 ? "root" : "dep"}\t_\t_\n`;
  return readTreebank(heads.map((tree) => `${tree.map(line).join("")}\n`).join(""));
}

function trained(options: NeuralOptions, sentences = makeUp(150, 1)): NeuralTraining {
  const training = new NeuralTraining(sentences, options);
  while (training.epoch < options.epochs) training.runEpoch();
  return training;
}

const bytesOf = (training: NeuralTraining) => Buffer.from(writeModel(training.model())).toString("base64");

describe.each(SYSTEM_NAMES)("%s", (system) => {
  test.each(ORACLES)("%s oracle: learns the made-up language", { timeout: 60_000 }, (oracle) => {
    const options: NeuralOptions = { ...OPTIONS, system, oracle, templates: defaultView(system) };
    const made = createSystem(system);
    if (!(oracle === "dynamic" ? trainingOracle(made) : oraclesOf(made).includes(oracle))) {
      expect(() => new NeuralTraining(makeUp(20, 1), options)).toThrow(`${system} has no ${oracle} oracle`);
      return;
    }
    const { las } = attachment(trained(options).model(), makeUp(60, 2));
    expect(las).toBeGreaterThan(0.9);
  });
});

describe("gradients", () => {
  /**
   * A training that goes the way of the oracle. With a large bias no unit of the hidden layer is at its kink, where
   * there is no derivative.
   */
  const checkable = (changes: Partial<NeuralOptions>, sentences = makeUp(40, 9)): NeuralTraining => {
    const options = { ...OPTIONS, oracle: "static" as const, width: 8, hidden: 16, dropout: NO_DROPOUT, ...changes };
    const training = new NeuralTraining(sentences, options);
    const { memory } = training.learner;
    const bias = memory.tensor("hidden bias");
    memory.floats.fill(4, bias.at / 4, bias.at / 4 + bias.columns);
    return training;
  };
  const SENTENCES = Int32Array.of(3, 5, 7);

  const compare = (learner: LaneLearner, seed?: number) => compareGradients(learner, SENTENCES, seed);

  const VIEWS: [string, number, string][] = [
    ["arc-hybrid", 2, "s0.vector; s1.vector; b0.vector; s0l.label; dist(s0,b0); s0.lval"],
    ["arc-eager", 1, "s0.vector; s0h.vector; b0.vector; s0.label; s0.rval"],
    ["arc-standard", 0, "s0.vector; s1.vector; b0.vector; s0l.label; dist(s1,s0)"],
    ["lr-spines", 1, "s1.vector; s2.vector; q1.vector; s1l.label; dist(s1,s2)"],
  ];
  test.each(VIEWS)("%s, %i layers: all tensors agree with finite differences", (system, layers, templates) => {
    compare(checkable({ system, layers, templates }).learner);
  });

  test.each(VIEWS)("%s, %i layers: so they do with cubes", (system, layers, templates) => {
    for (const dropout of [NO_DROPOUT, { words: 0.25, inputs: 0.2, layers: 0.2, hidden: 0.3 }]) {
      const { learner } = checkable({ system, layers, templates, dropout, activation: "cube" });
      const { memory } = learner;
      // Cubes have no kink, and of a large bias large derivatives.
      const bias = memory.tensor("hidden bias");
      memory.floats.fill(0.5, bias.at / 4, bias.at / 4 + bias.columns);
      compare(learner, dropout === NO_DROPOUT ? undefined : 11);
    }
  });

  test.each(VIEWS)("%s, %i layers: so they do when the same units are left out", (system, layers, templates) => {
    const dropout = { words: 0.25, inputs: 0.2, layers: 0.2, hidden: 0.3 };
    const { learner } = checkable({ system, layers, templates, dropout });
    const [first, again, other] = [11, 11, 12].map((seed) => learner.check(SENTENCES, seed));
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    compare(learner, 11);
  });

  // Swap has derivations of any length, LR-spines any number of moves in a step.
  test.each([
    ["swap", crossing(), 1],
    ["lr-spines", makeUp(40, 9), 16],
  ])("%s: a lane that is full is worked off, and no step is lost", (system, sentences, steps) => {
    const { task, learner } = checkable({ system, templates: defaultView(system) }, sentences);
    const narrow = new NetworkLearner({ ...task, size: { ...task.size, steps } });
    const [lane, narrowLane] = [learner.memory.lanes[0]!, narrow.memory.lanes[0]!];
    // The parameters are at the same places, before the lanes.
    narrow.memory.floats.set(learner.memory.floats.subarray(0, lane.gradients / 4));
    expect(narrow.check(SENTENCES)).toBe(learner.check(SENTENCES));
    const { size } = learner.memory.dense;
    const gradients = learner.memory.floats.subarray(lane.gradients / 4, lane.gradients / 4 + size);
    const others = narrow.memory.floats.subarray(narrowLane.gradients / 4, narrowLane.gradients / 4 + size);
    let [largest, difference] = [0, 0];
    for (let k = 0; k < size; k++) {
      largest = Math.max(largest, Math.abs(gradients[k]!));
      difference = Math.max(difference, Math.abs(gradients[k]! - others[k]!));
    }
    expect(largest).toBeGreaterThan(0.1);
    expect(difference).toBeLessThan(1e-4 * largest);
  });
});

test("the same seed gives the same bytes, another seed others", () => {
  const options = { ...OPTIONS, epochs: 2 };
  const first = bytesOf(trained(options));
  expect(bytesOf(trained(options))).toBe(first);
  expect(bytesOf(trained({ ...options, seed: 4 }))).not.toBe(first);
});

test("learners on one shared memory that share the lanes give the same bytes and the same loss as one alone", () => {
  const options = { ...OPTIONS, epochs: 2 };
  const alone = trained(options);
  const training = new NeuralTraining(makeUp(150, 1), { ...options, threads: 2 });
  const other = new NetworkLearner(training.task, training.learner.memory.memory);
  while (training.epoch < options.epochs) {
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

test("a training that is saved and taken up again ends with the same bytes", () => {
  const options = { ...OPTIONS, epochs: 3 };
  const whole = bytesOf(trained(options));
  const killed = new NeuralTraining(makeUp(150, 1), options);
  killed.runEpoch();
  const state = structuredClone(killed.save());
  const resumed = new NeuralTraining(makeUp(150, 1), options);
  resumed.restore(state);
  while (resumed.epoch < options.epochs) resumed.runEpoch();
  expect(bytesOf(resumed)).toBe(whole);
});

describe("vectors", () => {
  const read = (lines: string[], most = 100, wanted: (key: number) => boolean = () => false) => {
    const reader = new VectorReader("v.txt", most, wanted);
    for (const line of lines) reader.push(line);
    return reader.end();
  };

  test("with and without a first line; capitals do not count, and the first of a word does", () => {
    const plain = read(["mill 1 0 0 2", "wheel 0 -1 0 2", "Mill 5 5 5 5"]);
    expect(plain.keys).toHaveLength(2);
    expect(plain.dim).toBe(8);
    expect(read(["2 4", "mill 1 0 0 2", "wheel 0 -1 0 2"])).toEqual(plain);
  });

  test("beyond the most frequent ones only those that are wanted", () => {
    const lines = ["a 1 2", "b 3 4", "c 5 6", "d 7 8"];
    expect(read(lines, 2).keys).toHaveLength(2);
    expect(read(lines, 1, (key) => key === (read(["d 1 1"]).keys[0]! | 0)).keys).toHaveLength(2);
  });

  test.each([
    [["a 1 2", "b 3"], "v.txt:2: 1 numbers (expected 2, as in the lines before)"],
    [["a 1 x"], "v.txt:1: invalid number: a 1 x"],
    [[""], "v.txt:1: no vectors"],
    [["1 0"], "v.txt:1: 0 numbers (expected 1 to 1024)"],
  ])("%j is refused with its line", (lines, message) => {
    expect(() => read(lines)).toThrow(message);
  });

  test("a parser learns with them, and they stay as they are", () => {
    const sentences = makeUp(120, 1);
    const random = new Random(1);
    const forms = new Set(sentences.flatMap((s) => Array.from({ length: s.length }, (_, i) => s.form(i + 1))));
    const lines = [...forms].map(
      (form) => `${form} ${Array.from({ length: 5 }, () => random.next().toFixed(3)).join(" ")}`,
    );
    const vectors = read(lines);
    const training = trained({ ...OPTIONS, epochs: 4, vectors }, sentences);
    const { tensors, header } = training.network();
    const place = header.inputs.findIndex(({ kind }) => kind === "vector");
    expect(header.inputs[place]).toMatchObject({ dim: 8, rows: vectors.keys.length + 2 });
    expect(Array.from(tensors[place]!.subarray(16))).toEqual(Array.from(vectors.values));
    expect(attachment(training.model(), makeUp(40, 2)).las).toBeGreaterThan(0.8);
    const trainedVectors = trained({ ...OPTIONS, epochs: 4, vectors, trainVectors: true }, sentences);
    const changed = trainedVectors.network().tensors[place]!.subarray(16);
    // They begin as they are and end near it.
    const far = Array.from(changed, (value, i) => Math.abs(value - vectors.values[i]!));
    expect(far.some((distance) => distance > 0.001)).toBe(true);
    expect(far.every((distance) => distance < 1)).toBe(true);
    expect(attachment(trainedVectors.model(), makeUp(40, 2)).las).toBeGreaterThan(0.8);
  });
});

test("the network of Chen & Manning learns the made-up language: cubes, 18 words and 12 labels", () => {
  const templates = viewTemplates("arc-standard", "chen-manning");
  const options: NeuralOptions = {
    ...OPTIONS,
    system: "arc-standard",
    templates,
    layers: 0,
    hidden: 48,
    activation: "cube",
  };
  const training = trained({ ...options, inputs: { word: 16, upos: 16 }, epochs: 6 });
  expect(training.task.size.view.nodes).toHaveLength(18);
  expect(training.task.size.view.atoms).toHaveLength(12);
  const model = training.model();
  expect(readModel(writeModel(model)).parser.header.network).toMatchObject({ activation: "cube", layers: 0 });
  expect(attachment(model, makeUp(60, 2)).las).toBeGreaterThan(0.85);
  expect(() => viewTemplates("lr-spines", "chen-manning")).toThrow(
    "invalid features of a network: chen-manning (expected default, for lr-spines)",
  );
});
