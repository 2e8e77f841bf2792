import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Words } from "../../src/features/columns.js";
import type { TreebankSentence } from "../../src/learning/examples.js";
import { Weights } from "../../src/learning/linear/weights.js";
import { attachment, Training, type TrainOptions } from "../../src/learning/training.js";
import { exp } from "../../src/math/exp.js";
import { softmax, toGradients } from "../../src/math/softmax.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import type { Parser } from "../../src/parser/parser.js";
import { createSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { oraclesOf } from "../../src/registry/trace.js";
import { defaultTemplates } from "../../src/registry/training.js";
import { BeamParser } from "../../src/search/beam/beam-parser.js";
import { makeUp } from "../made-up-language.js";

const OPTIONS: TrainOptions = {
  system: "arc-standard",
  root: "last",
  oracle: "dynamic",
  learner: "logistic",
  exploreFrom: 2,
  exploreProbability: 0.9,
  lossBound: Number.POSITIVE_INFINITY,
  afterUpdate: "go-on",
  templates: defaultTemplates("arc-standard"),
  epochs: 4,
  seed: 3,
};

function trained(sentences: TreebankSentence[], options: TrainOptions): Training {
  const training = new Training(sentences, options);
  while (training.epoch < options.epochs) training.runEpoch();
  return training;
}

const bytesOf = (training: Training) => Buffer.from(writeModel(training.model())).toString("base64");

test("e^x is that of the engine to twelve digits, and never leaves the range of numbers", () => {
  fc.assert(
    fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
      expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-12);
    }),
    { numRuns: 5000 },
  );
  expect([exp(0), exp(-1e9), exp(1e9)]).toEqual([1, 0, Number.POSITIVE_INFINITY]);
  expect(exp(1)).toBeCloseTo(Math.E, 14);
});

test("the gradients are those of finite differences of the loss", () => {
  const lossOf = (scores: readonly number[], correct: readonly boolean[]): number => {
    const all = scores.reduce((sum, score) => sum + Math.exp(score), 0);
    const right = scores.reduce((sum, score, i) => sum + (correct[i] ? Math.exp(score) : 0), 0);
    return -Math.log(right / all);
  };
  const classes = fc.array(fc.tuple(fc.double({ min: -6, max: 6, noNaN: true }), fc.boolean()), { minLength: 1 });
  fc.assert(
    fc.property(classes, (list) => {
      const scores = list.map(([score]) => score);
      const correct = list.map(([, isCorrect], i) => isCorrect || i === 0);
      const values = Float64Array.from(scores);
      softmax(values);
      expect(values.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
      const right = toGradients(values, Uint8Array.from(correct, Number));
      expect(-Math.log(right)).toBeCloseTo(lossOf(scores, correct), 9);
      const h = 1e-5;
      scores.forEach((score, i) => {
        const moved = (by: number) => scores.map((other, j) => (j === i ? score + by : other));
        const slope = (lossOf(moved(h), correct) - lossOf(moved(-h), correct)) / (2 * h);
        expect(values[i]).toBeCloseTo(slope, 7);
      });
    }),
  );
});

test("the gradients stay finite when nothing is left of what is correct", () => {
  const values = Float64Array.of(0, -1e6);
  softmax(values);
  expect(toGradients(values, Uint8Array.of(0, 1))).toBe(0);
  expect(Array.from(values, Number.isFinite)).toEqual([true, true]);
});

test("steps in WebAssembly are those of the definition of AdaGrad, in sparse and dense rows", () => {
  const size = 90;
  const rate = 1 << 16;
  const weights = new Weights(0, size, true);
  const truth = new Map<string, { weight: number; squares: number; sum: number }>();
  let seed = 1;
  const next = (below: number) => (seed = Math.imul(seed, 48271) & 0x7fffffff) % below;
  for (let time = 1; time <= 600; time++) {
    const features = Int32Array.from({ length: 6 }, (_, i) => 10 * i + next(10));
    const first = next(size - 3);
    const classes = Int32Array.of(first, first + 1, first + 2);
    const gradients = Float32Array.of(next(100) / 100, -next(100) / 100, next(10) / 100);
    weights.descend(features, classes, gradients, 3, rate, time);
    for (const feature of features) {
      if (feature === 0) continue;
      classes.forEach((cls, i) => {
        const key = `${feature} ${cls}`;
        const entry = truth.get(key) ?? { weight: 0, squares: 0, sum: 0 };
        truth.set(key, entry);
        const g = gradients[i]!;
        entry.squares = Math.fround(entry.squares + Math.fround(g * g));
        const step = Math.fround(Math.fround(rate * g) / Math.fround(Math.sqrt(Math.fround(1 + entry.squares))));
        entry.weight -= Math.round(step);
        entry.sum -= Math.round(step) * time * time;
      });
    }
  }
  let visited = 0;
  weights.forEachAverage(601, (feature, cls, average) => {
    const { weight, sum } = truth.get(`${feature} ${cls}`)!;
    // Halves are rounded to even there and up here.
    expect(Math.abs(average - (weight - sum / (601 * 601)))).toBeLessThan(10);
    visited++;
  });
  expect(visited).toBeGreaterThan(2500);
  const features = Int32Array.of(3);
  const scores = new Int32Array(size);
  weights.score(features, scores);
  scores.forEach((score, k) => {
    expect(Math.abs(score - (truth.get(`3 ${k}`)?.weight ?? 0))).toBeLessThan(10);
  });
});

describe.each(SYSTEM_NAMES)("%s", (system) => {
  // Swap has no other oracle.
  test.each(oraclesOf(createSystem(system)))("%s oracle: learns the made-up language", (oracle) => {
    const options: TrainOptions = { ...OPTIONS, system, oracle, templates: defaultTemplates(system) };
    expect(attachment(trained(makeUp(100, 1), options).model(), makeUp(60, 2)).las).toBeGreaterThan(0.93);
  });
});

test("learns the made-up language as well as the perceptron", () => {
  const [train, dev] = [makeUp(250, 1), makeUp(200, 2)];
  const [logistic, perceptron] = (["logistic", "perceptron"] as const).map(
    (learner) => attachment(trained(train, { ...OPTIONS, learner }).model(), dev).las,
  );
  expect(logistic).toBeGreaterThan(perceptron! - 0.005);
});

test("the same seed gives the same bytes, another seed others", () => {
  const sentences = makeUp(40, 5, 0.3);
  const first = bytesOf(trained(sentences, OPTIONS));
  expect(bytesOf(trained(sentences, OPTIONS))).toBe(first);
  expect(bytesOf(trained(sentences, { ...OPTIONS, seed: 4 }))).not.toBe(first);
});

test("a training that is saved after any epoch and taken up again ends with the same bytes", () => {
  const sentences = makeUp(40, 5, 0.3);
  const whole = bytesOf(trained(sentences, OPTIONS));
  for (let stop = 1; stop < OPTIONS.epochs; stop++) {
    const killed = new Training(sentences, OPTIONS);
    while (killed.epoch < stop) killed.runEpoch();
    const state = structuredClone(killed.save());
    const resumed = new Training(sentences, OPTIONS);
    resumed.restore(state);
    while (resumed.epoch < OPTIONS.epochs) resumed.runEpoch();
    expect(bytesOf(resumed)).toBe(whole);
  }
});

test("after an update: leaving the sentence and repeating learn, too, and end", () => {
  for (const afterUpdate of ["early", "aggressive"] as const) {
    const training = trained(makeUp(200, 9), { ...OPTIONS, oracle: "static", afterUpdate, epochs: 6 });
    expect(attachment(training.model(), makeUp(40, 10)).las, afterUpdate).toBeGreaterThan(0.85);
  }
});

test("pruning leaves out small weights", () => {
  const sentences = makeUp(60, 6);
  const size = (prune: number) => trained(sentences, { ...OPTIONS, epochs: 2, prune }).model().linear.size;
  expect(size(0.2)).toBeLessThan(size(0));
});

test("with a beam, the scores of derivations are logarithms of their probabilities", () => {
  const { parser: model } = readModel(writeModel(trained(makeUp(150, 1), OPTIONS).model()));
  const parser = model.createParser({ beam: 5000, merge: false }) as Parser;
  const [short] = makeUp(40, 3).sort((a, b) => a.length - b.length);
  const words = { ...someWords(short!), length: 2 };
  let sum = 0;
  const { logUnit } = parser.decider.scorer;
  for (const { score } of new BeamParser(parser.decider, 5000).parseAll(words, 0)) sum += Math.exp(score / logUnit!);
  expect(sum).toBeGreaterThan(0.99);
  expect(sum).toBeLessThan(1.01);
});

test("a beam loses nothing", () => {
  const model = trained(makeUp(250, 1, 0.2), OPTIONS).model();
  const dev = makeUp(80, 2, 0.2);
  const accuracy = (beam: number) => {
    const parser = model.createParser({ beam });
    let right = 0;
    for (const sentence of dev) {
      const { heads } = parser.parse(sentence);
      for (let d = 1; d <= sentence.length; d++) if (heads[d] === sentence.heads[d]) right++;
    }
    return right;
  };
  expect(accuracy(8)).toBeGreaterThanOrEqual(accuracy(1) - 2);
});

function someWords(sentence: TreebankSentence): Words {
  return {
    length: sentence.length,
    form: (i) => sentence.form(i),
    lemma: (i) => sentence.lemma(i),
    upos: (i) => sentence.upos(i),
    xpos: (i) => sentence.xpos(i),
    feats: (i) => sentence.feats(i),
  };
}
