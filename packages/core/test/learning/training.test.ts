import { describe, expect, test } from "vitest";
import { parseTemplates } from "../../src/features/templates.js";
import type { TreebankSentence } from "../../src/learning/examples.js";
import { attachment, Training, type TrainOptions } from "../../src/learning/training.js";
import { trainingOracle } from "../../src/registry/oracles.js";
import { createSystem, describeSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { oraclesOf } from "../../src/registry/trace.js";
import { defaultTemplates } from "../../src/registry/training.js";
import { ORACLES } from "../../src/systems/oracles/oracle.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { makeUp } from "../made-up-language.js";

const OPTIONS: TrainOptions = {
  system: "arc-hybrid",
  root: "last",
  oracle: "dynamic",
  exploreFrom: 2,
  exploreProbability: 0.9,
  lossBound: Number.POSITIVE_INFINITY,
  afterUpdate: "go-on",
  templates: defaultTemplates("arc-hybrid"),
  epochs: 4,
  seed: 3,
  prune: 0,
};

const weightsOf = (training: Training): string => {
  const { linear } = training.model();
  const { features, classes, weights } = linear.entries();
  return JSON.stringify([features, classes, weights].map((array) => Array.from(array)));
};

function trained(sentences: TreebankSentence[], options: TrainOptions): Training {
  const training = new Training(sentences, options);
  while (training.epoch < options.epochs) training.runEpoch();
  return training;
}

describe.each(SYSTEM_NAMES)("%s", (system) => {
  test.each(ORACLES)("%s oracle: learns the made-up language", (oracle) => {
    const options: TrainOptions = { ...OPTIONS, system, oracle, templates: defaultTemplates(system) };
    const made = createSystem(system);
    if (!(oracle === "dynamic" ? trainingOracle(made) : oraclesOf(made).includes(oracle))) {
      expect(() => new Training(makeUp(20, 1), options)).toThrow(`${system} has no ${oracle} oracle`);
      return;
    }
    const { las } = attachment(trained(makeUp(100, 1), options).model(), makeUp(60, 2));
    expect(las).toBeGreaterThan(0.93);
  });
});

test("the same seed gives the same weights, another seed others", () => {
  const sentences = makeUp(40, 5, 0.3);
  const first = weightsOf(trained(sentences, OPTIONS));
  expect(weightsOf(trained(sentences, OPTIONS))).toBe(first);
  expect(weightsOf(trained(sentences, { ...OPTIONS, seed: 4 }))).not.toBe(first);
});

test("a training that is saved after any epoch and taken up again ends with the same weights", () => {
  const sentences = makeUp(40, 5, 0.3);
  const whole = weightsOf(trained(sentences, OPTIONS));
  for (let stop = 1; stop < OPTIONS.epochs; stop++) {
    const killed = new Training(sentences, OPTIONS);
    while (killed.epoch < stop) killed.runEpoch();
    const state = structuredClone(killed.save());
    const resumed = new Training(sentences, OPTIONS);
    resumed.restore(state);
    while (resumed.epoch < OPTIONS.epochs) resumed.runEpoch();
    expect(weightsOf(resumed)).toBe(whole);
  }
});

test("trees that a system cannot build: left out, made projective, or used as they are", () => {
  const sentences = makeUp(100, 6, 0.5);
  const crossing = new Training(sentences, { ...OPTIONS, oracle: "static" }).data.skipped;
  expect(crossing).toBeGreaterThan(20);
  expect(new Training(sentences, OPTIONS).data).toMatchObject({ skipped: 0, projectivized: 0, sentences: 100 });
  const projectivized = new Training(sentences, { ...OPTIONS, oracle: "static", projectivize: "head" });
  expect(projectivized.data).toMatchObject({ skipped: 0, projectivized: crossing, sentences: 100 });
  expect(projectivized.labels).toContain("amod↑nsubj");
});

test("crossing arcs come back after pseudo-projective training, and every tree has one root", () => {
  const training = trained(makeUp(300, 7, 0.5), { ...OPTIONS, projectivize: "head" });
  const parser = training.model().createParser();
  for (const sentence of makeUp(50, 8, 0.5)) {
    const { heads, labels } = parser.parse(sentence);
    expect(heads.filter((h) => h === 0)).toHaveLength(1);
    expect(labels.join()).not.toContain("↑");
  }
  expect(attachment(training.model(), makeUp(50, 8, 0.5)).las).toBeGreaterThan(0.85);
});

test("after an update: going on, leaving the sentence and repeating all learn, and all end", () => {
  for (const afterUpdate of ["go-on", "early", "aggressive"] as const) {
    const training = trained(makeUp(200, 9), { ...OPTIONS, oracle: "static", afterUpdate, epochs: 6 });
    expect(attachment(training.model(), makeUp(40, 10)).las, afterUpdate).toBeGreaterThan(0.85);
  }
});

test("one sentence is enough to train on, none is not", () => {
  expect(attachment(trained(makeUp(1, 11), OPTIONS).model(), makeUp(1, 11)).las).toBe(1);
  expect(() => new Training([], OPTIONS)).toThrow("no sentences to train on");
});

test("templates: the sets that ship can be read; errors name the line and the valid words", () => {
  for (const system of SYSTEM_NAMES) {
    expect(
      parseTemplates(defaultTemplates(system), "set", describeSystem(system).context).templates.length,
    ).toBeGreaterThan(20);
  }
  expect(() => parseTemplates("s0.form\ns0.colour", "my.txt")).toThrow(
    /^my\.txt:2: invalid attribute: colour \(expected one of form, .*label/,
  );
  expect(() => parseTemplates("\n\nx0.form", "my.txt")).toThrow("my.txt:3: invalid position: x0 (expected s0, s1, ");
  expect(() => parseTemplates("s0.form b0", "my.txt")).toThrow("my.txt:1: invalid value: b0");
  expect(() => parseTemplates("s0.form b0.form; b0.form s0.form", "my.txt")).toThrow("each template once");
  expect(() => parseTemplates("# nothing", "my.txt")).toThrow("at least one template");
});

test("LR-spines parses a sentence whose spines are longer than any in training", () => {
  const options: TrainOptions = {
    ...OPTIONS,
    system: "lr-spines",
    templates: defaultTemplates("lr-spines"),
    epochs: 2,
  };
  const parser = trained(makeUp(60, 12), options).model().createParser();
  const words = Array.from({ length: 400 }, () => ({ form: "tor", upos: "NOUN", head: 0, deprel: "dep" }));
  const { heads } = parser.parse(Sentence.from({ words }));
  expect(heads.filter((h) => h === 0)).toHaveLength(1);
});
