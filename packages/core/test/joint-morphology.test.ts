import { beforeAll, describe, expect, test } from "vitest";
import { NeuralTraining } from "../src/learning/network/neural-training.js";
import { Training, type TrainOptions } from "../src/learning/training.js";
import { readModel, writeModel } from "../src/model-file/model-file.js";
import type { ParserModel } from "../src/parser/parser.js";
import { Pipeline } from "../src/pipeline/pipeline.js";
import { PipelineModel } from "../src/pipeline/pipeline-model.js";
import { type PreparedPipeline, preparePipeline } from "../src/pipeline/prepare.js";
import { neuralOptionsOf } from "../src/pipeline/training/network-settings.js";
import { createSystem } from "../src/systems/index.js";
import { dynamicOracle } from "../src/systems/oracles/oracles.js";
import { defaultTemplates, defaultView } from "../src/systems/teaching/teaching.js";
import { makeUpCases } from "./tag-language.js";

const TRAIN = makeUpCases(160, 1);
const TEST = makeUpCases(60, 2);
const SMALL = { layers: 1, width: 16, hidden: 32, dropout: 0.1 };

let prepared: PreparedPipeline;
beforeAll(() => {
  prepared = preparePipeline(TRAIN, { seed: 1, folds: 3, joint: { perWord: 3, margin: 4, morphology: true } });
});

const optionsFor = (system: string, epochs: number): TrainOptions => ({
  system,
  root: "last",
  regime: dynamicOracle(createSystem(system)) ? "dynamic" : "static",
  exploreFrom: 2,
  exploreProbability: 1,
  lossBound: Number.POSITIVE_INFINITY,
  afterUpdate: "go-on",
  templates: defaultTemplates(system),
  epochs,
  seed: 1,
  prune: 0,
  joint: prepared.joint,
});

function linear(system: string, more: Partial<TrainOptions> = {}): ParserModel {
  const training = new Training(prepared.sentences, { ...optionsFor(system, 5), ...more });
  while (training.epoch < 5) training.runEpoch();
  return training.model();
}

function networkTraining(system: string, threads = 1): NeuralTraining {
  const options = { ...optionsFor(system, 8), templates: defaultView(system) };
  return new NeuralTraining(prepared.sentences, neuralOptionsOf(prepared.sentences, options, SMALL, { threads }));
}

function network(system: string): ParserModel {
  const training = networkTraining(system);
  while (training.epoch < 8) training.runEpoch();
  return training.model();
}

/** The shares of words with the right FEATS, and of those with the right lemma, that a pipeline gives. */
function right(parser: ParserModel, beam: number): { feats: number; lemma: number; trees: number } {
  const { tagger, lemmatizer } = prepared;
  const pipeline = new Pipeline(readModel(writeModel(new PipelineModel({ tagger, lemmatizer, parser }))), { beam });
  let [words, feats, lemma, trees] = [0, 0, 0, 0];
  for (const gold of TEST) {
    const forms = Array.from({ length: gold.length }, (_, i) => gold.form(i + 1));
    const sentence = pipeline.parseTokens(forms);
    if (sentence.heads.every((head, i) => head === gold.heads[i])) trees++;
    for (let i = 1; i <= gold.length; i++, words++) {
      if (sentence.feats(i) === gold.feats(i)) feats++;
      if (sentence.lemma(i) === gold.lemma(i)) lemma++;
    }
  }
  return { feats: feats / words, lemma: lemma / words, trees: trees / TEST.length };
}

describe("the parser knows cases and lemmas that the tagger cannot", () => {
  test.each([
    ["a perceptron", "arc-standard", {}],
    ["a passive-aggressive learner", "arc-eager", { learner: "passive-aggressive" }],
    ["logistic regression", "arc-hybrid", { learner: "logistic" }],
    ["a structured perceptron", "arc-standard", { beam: 4 }],
  ] as const)("%s, %s", (_, system, more) => {
    const model = linear(system, more);
    expect(right(model, 1)).toEqual({ feats: 1, lemma: 1, trees: 1 });
    expect(right(model, 4).trees).toBe(1);
  });

  test.each(["arc-standard", "arc-eager", "two-planar"])("a network, %s", (system) => {
    const model = network(system);
    expect(right(model, 1)).toEqual({ feats: 1, lemma: 1, trees: 1 });
    expect(right(model, 4)).toEqual({ feats: 1, lemma: 1, trees: 1 });
  });

  test("the tagger cannot", () => {
    const { tagger, lemmatizer } = prepared;
    const parser = linear("arc-standard", { joint: undefined });
    const pipeline = new Pipeline(new PipelineModel({ tagger, lemmatizer, parser }));
    const wrong = TEST.filter((gold) => {
      const forms = Array.from({ length: gold.length }, (_, i) => gold.form(i + 1));
      return pipeline.parseTokens(forms).feats(gold.length - 1) !== gold.feats(gold.length - 1);
    });
    expect(wrong.length / TEST.length).toBeGreaterThan(0.2);
  });
});
