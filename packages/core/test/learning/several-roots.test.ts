// Trees with several roots: a model that was trained on them builds them, in every search and with known heads; one
// that was not never does.
import { describe, expect, test } from "vitest";
import { NeuralTraining } from "../../src/learning/network/neural-training.js";
import { attachment, Training, type TrainOptions } from "../../src/learning/training.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { createSystem, describeSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { oraclesOf } from "../../src/registry/trace.js";
import { defaultTemplates, defaultView } from "../../src/registry/training.js";
import { NONE, ROOT_POSITIONS } from "../../src/systems/configuration.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { makeUp } from "../made-up-language.js";

/** Every other sentence is two in one, with a root each. */
function withTwoRoots(count: number, seed: number): Sentence[] {
  const sentences = makeUp(2 * count, seed);
  return Array.from({ length: count }, (_, i) => {
    const [first, second] = [sentences[2 * i]!, sentences[2 * i + 1]!];
    return i % 2 === 0 ? joined(first, second) : first;
  });
}

function joined(...sentences: Sentence[]): Sentence {
  const words: { form: string; upos: string; head: number; deprel: string }[] = [];
  for (const s of sentences) {
    const before = words.length;
    for (let d = 1; d <= s.length; d++) {
      const head = s.heads[d] === 0 ? 0 : s.heads[d]! + before;
      words.push({ form: s.form(d), upos: s.upos(d), head, deprel: s.deprel(d) });
    }
  }
  return Sentence.from({ words });
}

const optionsFor = (system: string): TrainOptions => ({
  system,
  root: "last",
  oracle: oraclesOf(createSystem(system)).includes("dynamic") ? "dynamic" : "static",
  exploreFrom: 2,
  exploreProbability: 0.9,
  lossBound: Number.POSITIVE_INFINITY,
  afterUpdate: "go-on",
  templates: defaultTemplates(system),
  epochs: 4,
  seed: 3,
  prune: 0,
});

function trained(sentences: Sentence[], options: TrainOptions): Training {
  const training = new Training(sentences, options);
  while (training.epoch < options.epochs) training.runEpoch();
  return training;
}

const rootsOf = (heads: Int32Array) => heads.filter((head) => head === 0).length;

describe.each(SYSTEM_NAMES)("%s", (system) => {
  const dev = withTwoRoots(30, 2);

  test("learns to build several roots, and keeps them when they are known", () => {
    const training = trained(withTwoRoots(80, 1), optionsFor(system));
    expect(training.data.severalRoots).toBe(40);
    const { parser: model } = readModel(writeModel(training.model()));
    expect(model.header.singleRoot).toBe(false);
    expect(attachment(model, dev).las).toBeGreaterThan(0.9);
    const parser = model.createParser();
    const roots = dev.reduce((sum, sentence) => sum + rootsOf(parser.parse(sentence).heads), 0);
    expect(roots).toBeGreaterThan(40);
    const [sentence] = makeUp(1, 9);
    const heads = new Int32Array(sentence!.length + 1).fill(NONE);
    heads[1] = heads[2] = heads[3] = 0;
    for (const beam of [1, 4]) {
      const parse = () => model.createParser({ beam }).parse(sentence!, { constraints: { heads } });
      if (!describeSystem(system).knownHeads) {
        expect(parse).toThrow(
          `invalid system for known heads: ${system} (it does not say which moves keep known heads`,
        );
        continue;
      }
      const tree = parse();
      expect(Array.from(tree.heads.subarray(1, 4))).toEqual([0, 0, 0]);
    }
  });

  test("builds one root if it was told to, or saw no other", () => {
    const told = trained(withTwoRoots(30, 1), { ...optionsFor(system), singleRoot: true, epochs: 2 }).model();
    const saw = trained(makeUp(30, 1), { ...optionsFor(system), epochs: 2 }).model();
    for (const model of [told, saw]) {
      expect(model.header.singleRoot).toBeUndefined();
      const parser = model.createParser();
      for (const sentence of dev) expect(rootsOf(parser.parse(sentence).heads)).toBe(1);
    }
  });
});

test.each(ROOT_POSITIONS)("arc-eager finds several roots with the root %s", (root) => {
  const model = trained(withTwoRoots(120, 1), { ...optionsFor("arc-eager"), root }).model();
  expect(attachment(model, withTwoRoots(30, 2)).las).toBeGreaterThan(0.9);
});

test("without a root node arc-standard builds one root all the same: one word is left at the end", () => {
  const options: TrainOptions = { ...optionsFor("arc-standard"), root: "none", oracle: "static", epochs: 2 };
  const training = trained(withTwoRoots(60, 1), options);
  expect(training.data.skipped).toBe(30);
  const parser = training.model().createParser();
  for (const sentence of withTwoRoots(10, 2)) expect(rootsOf(parser.parse(sentence).heads)).toBe(1);
});

test("a network learns several roots", () => {
  const { lossBound: _, templates: __, afterUpdate: ___, prune: ____, ...options } = optionsFor("arc-hybrid");
  const training = new NeuralTraining(withTwoRoots(120, 1), {
    ...options,
    templates: defaultView("arc-hybrid"),
    epochs: 6,
    inputs: { word: 16, upos: 8 },
    layers: 1,
    width: 16,
    hidden: 32,
    dropout: { words: 0.2, inputs: 0, layers: 0, hidden: 0 },
    rate: 0.01,
  });
  while (training.epoch < 6) training.runEpoch();
  const model = training.model();
  expect(model.header.singleRoot).toBe(false);
  const parser = model.createParser({ beam: 2 });
  const roots = withTwoRoots(30, 2).reduce((sum, sentence) => sum + rootsOf(parser.parse(sentence).heads), 0);
  expect(roots).toBeGreaterThan(38);
});

test("training may permit only what leads to one root, too", () => {
  const model = trained(makeUp(120, 1), { ...optionsFor("arc-hybrid"), oneRootInTraining: true }).model();
  expect(attachment(model, makeUp(40, 2)).las).toBeGreaterThan(0.93);
});
