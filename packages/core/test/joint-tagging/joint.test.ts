import { beforeAll, describe, expect, test } from "vitest";
import {
  CandidateFinder,
  choiceNumbers,
  type JointOptions,
  tagKey,
  tagNumbers,
} from "../../src/joint-tagging/candidate-finder.js";
import { CandidateTagger } from "../../src/joint-tagging/candidate-tagger.js";
import { JointTagTraining, type JointTrainOptions } from "../../src/joint-tagging/learning/joint-training.js";
import { jointTagging } from "../../src/joint-tagging/program.js";
import { TagChoices } from "../../src/joint-tagging/tag-choices.js";
import { Training, type TrainOptions } from "../../src/learning/training.js";
import { crc32 } from "../../src/math/crc32.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import { PipelineModel } from "../../src/pipeline/pipeline-model.js";
import { Tagger } from "../../src/pipeline/tagger/tagger.js";
import { dynamicOracle } from "../../src/registry/oracles.js";
import { createSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { defaultTemplates } from "../../src/registry/training.js";
import { Classes } from "../../src/scoring/classes.js";
import { type PreparedPipeline, preparePipeline } from "../../src/training/preparation/prepare.js";
import { trainTagger } from "../../src/training/tagger/tagger-training.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { makeUpTags } from "../pipeline/tag-language.js";

const TRAIN = makeUpTags(100, 1);
const TEST = makeUpTags(60, 2);
const SEVERAL: JointOptions = { perWord: 3, margin: 4 };

const optionsFor = (system: string, { joint }: PreparedPipeline): JointTrainOptions => ({
  system,
  root: "last",
  oracle: dynamicOracle(createSystem(system)) ? "dynamic" : "static",
  exploreFrom: 2,
  exploreProbability: 1,
  lossBound: Number.POSITIVE_INFINITY,
  afterUpdate: "go-on",
  templates: defaultTemplates(system),
  epochs: 5,
  seed: 1,
  prune: 0,
  joint: joint!,
});

function trained(prepared: PreparedPipeline, options: TrainOptions & Partial<JointTrainOptions>): Training {
  const { joint } = options;
  const { sentences } = prepared;
  const training = joint ? new JointTagTraining(sentences, { ...options, joint }) : new Training(sentences, options);
  while (training.epoch < options.epochs) training.runEpoch();
  return training;
}

/** The share of words with the right tags, all three of them. */
function rightTags(found: readonly { upos(i: number): string; feats(i: number): string }[]): number {
  let right = 0;
  let words = 0;
  TEST.forEach((gold, k) => {
    for (let i = 1; i <= gold.length; i++) {
      words++;
      if (found[k]!.upos(i) === gold.upos(i) && found[k]!.feats(i) === gold.feats(i)) right++;
    }
  });
  return right / words;
}

let prepared: PreparedPipeline;
let model: PipelineModel;
beforeAll(() => {
  prepared = preparePipeline(TRAIN, { seed: 1, folds: 3, joint: SEVERAL });
  const parser = trained(prepared, optionsFor("arc-standard", prepared)).model();
  const { tagger, lemmatizer } = prepared;
  model = new PipelineModel({ tagger, lemmatizer, parser });
});

describe.each(SYSTEM_NAMES)("%s", (system) => {
  test.each(["perceptron", "logistic"] as const)("%s: the parser knows tags that the tagger cannot", (learner) => {
    const found = prepared.predicted(TEST);
    expect(rightTags(found)).toBeLessThan(0.97);
    const options = optionsFor(system, prepared);
    const parser = trained(prepared, { ...options, learner })
      .model()
      .createParser();
    for (const sentence of found) parser.parse(sentence);
    expect(rightTags(found)).toBeGreaterThan(0.99);
  });
});

test("with one tag for each word the tags are those of the tagger", () => {
  const single = preparePipeline(TRAIN, { seed: 1, folds: 3, joint: { ...SEVERAL, perWord: 1 } });
  const found = single.predicted(TEST);
  const tags = () => found.map((sentence) => Array.from(sentence.heads, (_, i) => (i > 0 ? sentence.upos(i) : "")));
  const before = tags();
  const parser = trained(single, optionsFor("arc-standard", single)).model().createParser();
  for (const sentence of found) parser.parse(sentence);
  expect(tags()).toEqual(before);
});

test("a training that is saved after any epoch and taken up again ends with the same bytes", () => {
  const options = { ...optionsFor("arc-standard", prepared), epochs: 4 };
  const few = { ...prepared, sentences: prepared.sentences.slice(0, 40) };
  const whole = writeModel(trained(few, options).model());
  for (let stop = 1; stop < options.epochs; stop++) {
    const killed = new JointTagTraining(few.sentences, options);
    while (killed.epoch < stop) killed.runEpoch();
    const resumed = new JointTagTraining(few.sentences, options);
    resumed.restore(structuredClone(killed.save()));
    while (resumed.epoch < options.epochs) resumed.runEpoch();
    expect(writeModel(resumed.model())).toEqual(whole);
  }
});

test("moves are learned as without joint tagging", () => {
  const { joint, ...options } = optionsFor("arc-hybrid", prepared);
  const weightsOf = (training: Training) => {
    const { labels, leftLabels, rightLabels } = training.model().header;
    const moves = new Classes(training.system, labels.length, leftLabels, rightLabels).size;
    const weights: string[] = [];
    training.trainers[0]!.averages((feature, cls, weight) => {
      if (cls < moves) weights.push(`${feature} ${cls} ${weight}`);
    });
    return weights.sort();
  };
  expect(weightsOf(trained(prepared, { ...options, joint }))).toEqual(weightsOf(trained(prepared, options)));
});

test("a parser without joint tagging takes no notice of what may be chosen", () => {
  const found = prepared.predicted(TEST);
  const before = rightTags(found);
  const { joint: _, ...options } = optionsFor("arc-standard", prepared);
  const parser = trained(prepared, options).model().createParser();
  for (const sentence of found) parser.parse(sentence);
  expect(rightTags(found)).toBe(before);
});

describe("in a pipeline", () => {
  test("the chosen tags come out, and lemmas that fit them, also from a file", () => {
    const pipeline = new Pipeline(readModel(writeModel(model), { programs: [jointTagging] }));
    for (const gold of TEST) {
      const forms = Array.from({ length: gold.length }, (_, i) => gold.form(i + 1));
      const { words } = pipeline.parseTokens(forms, { scores: true });
      expect(words.map(({ upos }) => upos)).toEqual(forms.map((_, i) => gold.upos(i + 1)));
      expect(words.map(({ xpos }) => xpos)).toEqual(forms.map((_, i) => gold.xpos(i + 1)));
      expect(words.map(({ lemma }) => lemma)).toEqual(forms.map((_, i) => gold.lemma(i + 1)));
      expect(words.map(({ headIndex }) => headIndex)).toEqual(gold.heads.slice(1));
    }
  });

  test("sentences of a treebank get the chosen tags and lemmas, and keep those that they have", () => {
    const pipeline = new Pipeline(model);
    for (const gold of TEST) {
      const bare = Sentence.from({
        words: Array.from({ length: gold.length }, (_, i) => ({ form: gold.form(i + 1), head: 0, deprel: "_" })),
      });
      const sentence = pipeline.annotate(bare);
      for (let i = 1; i <= gold.length; i++) {
        expect([sentence.upos(i), sentence.lemma(i)]).toEqual([gold.upos(i), gold.lemma(i)]);
      }
      expect(sentence.heads).toEqual(gold.heads);
    }
  });

  test("a file with other options for joint tagging is refused", () => {
    const altered = (joint: unknown) => () =>
      readModel(withHeader(writeModel(model), joint), { programs: [jointTagging] });
    const { tags, perWord, margin } = prepared.joint!;
    expect(altered({ tags, perWord, margin })).not.toThrow();
    expect(altered({ tags: tags + 1, perWord, margin })).toThrow(
      `joint.tags: ${tags + 1} (expected ${tags}, the number of`,
    );
    for (const joint of [
      null,
      3,
      {},
      { tags: 0, perWord, margin },
      { tags: 1e9, perWord, margin },
      { tags, perWord: 0, margin },
      { tags, perWord: 1.5, margin },
      { tags, perWord, margin: -1 },
      { tags, perWord, margin: "1" },
    ]) {
      expect(altered(joint)).toThrow("invalid header: joint: ");
    }
  });
});

/** The file with other options for joint tagging in its header. */
function withHeader(bytes: Uint8Array, joint: unknown): Uint8Array {
  const view = new DataView(bytes.buffer);
  const length = view.getUint32(16, true);
  const headers = JSON.parse(new TextDecoder().decode(bytes.subarray(24, 24 + length)));
  headers.parser.joint = joint;
  const header = new TextEncoder().encode(JSON.stringify(headers));
  const changed = new Uint8Array(bytes.length - length + header.length);
  changed.set(bytes.subarray(0, 24));
  changed.set(header, 24);
  changed.set(bytes.subarray(24 + length), 24 + header.length);
  const out = new DataView(changed.buffer);
  out.setUint32(12, changed.length, true);
  out.setUint32(16, header.length, true);
  out.setUint32(20, crc32(header), true);
  return changed;
}

describe("candidates", () => {
  test("are the best tags, in the numbers of another tagger", () => {
    const other = trainTagger([...TRAIN].reverse().slice(0, 100), { epochs: 3 });
    const [from, to] = [tagNumbers(other.header), tagNumbers(prepared.tagger.header)];
    const names = new Map([...from].map(([key, tag]) => [tag, key]));
    const tagger = new Tagger(other, true);
    const finder = new CandidateFinder(other, { perWord: 3, margin: 1e6 }, choiceNumbers(other, prepared.tagger));
    const open = new CandidateTagger(other, finder);
    for (const sentence of TEST) {
      const forms = Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1));
      tagger.tag(forms);
      open.tag(forms);
      const { choices } = open;
      for (let i = 1; i <= forms.length; i++) {
        const expected = tagger.candidates(i - 1, 3, 1e9).map(({ tag }) => to.get(names.get(tag)!));
        expect(Array.from(choices.tags.subarray(choices.from[i], choices.from[i + 1]))).toEqual(expected);
        expect(choices.analysis(i)).toBe(tagger.analysis(i - 1));
      }
    }
    expect(to.get(tagKey("NOUN", "n"))).toBeDefined();
  });

  test("a word that has its tag keeps it", () => {
    const choices = new TagChoices();
    choices.begin(40);
    for (let i = 1; i <= 40; i++) {
      choices.addWord();
      choices.add(0, 5, 0);
      if (i % 2) choices.add(1, 6, 10);
    }
    expect(choices.isOpen(2)).toBe(false);
    expect(choices.isOpen(39)).toBe(true);
    expect(choices.choose(39, choices.from[39]! + 1)).toBe(true);
    expect(choices.isOpen(39)).toBe(false);
    expect(choices.analysis(39)).toBe(6);
    choices.reset();
    expect(choices.isOpen(39)).toBe(true);
    expect(choices.analysis(39)).toBe(5);
  });
});
