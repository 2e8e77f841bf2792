import { beforeAll, describe, expect, test } from "vitest";
import { Columns } from "../../src/features/columns.js";
import type { JointHeader } from "../../src/joint-tagging/joint-header.js";
import type { JointModel } from "../../src/joint-tagging/joint-model.js";
import type { JointWords } from "../../src/joint-tagging/joint-words.js";
import { JointNetworkLearner } from "../../src/joint-tagging/learning/joint-network.js";
import { JointNetworkTraining } from "../../src/joint-tagging/learning/joint-network-training.js";
import { JointTagTraining, type JointTrainOptions } from "../../src/joint-tagging/learning/joint-training.js";
import { jointTagging } from "../../src/joint-tagging/program.js";
import { createBeam } from "../../src/joint-tagging/search/joint-beam.js";
import type { JointDecider } from "../../src/joint-tagging/search/joint-decider.js";
import { TagChoices } from "../../src/joint-tagging/tag-choices.js";
import { Training, type TrainOptions } from "../../src/learning/training.js";
import { hashString } from "../../src/math/hash.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import type { ParserModel } from "../../src/parser/parser.js";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import { PipelineModel } from "../../src/pipeline/pipeline-model.js";
import { dynamicOracle } from "../../src/registry/oracles.js";
import { createSystem } from "../../src/registry/systems.js";

import { defaultTemplates } from "../../src/registry/training.js";

import type { BeamSearch } from "../../src/search/beam/beam-search.js";
import { Configuration } from "../../src/systems/configuration.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import { kindOf, LEFT_ARC, type Move, SHIFT } from "../../src/systems/transition.js";
import { neuralOptionsOf } from "../../src/training/learner-options.js";
import { type PreparedPipeline, preparePipeline } from "../../src/training/preparation/prepare.js";
import { completeSettings } from "../../src/training/settings.js";
import { compareGradients } from "../learning/finite-differences.js";
import { makeUpCases } from "../pipeline/tag-language.js";

const TRAIN = makeUpCases(160, 1);
const TEST = makeUpCases(60, 2);
const SMALL = { layers: 1, width: 16, hidden: 32, dropout: 0.1 };

let prepared: PreparedPipeline;
beforeAll(() => {
  prepared = preparePipeline(TRAIN, { seed: 1, folds: 3, joint: { perWord: 3, margin: 4, morphology: true } });
});

const optionsFor = (system: string, epochs: number): JointTrainOptions => ({
  system,
  root: "last",
  oracle: dynamicOracle(createSystem(system)) ? "dynamic" : "static",
  exploreFrom: 2,
  exploreProbability: 1,
  lossBound: Number.POSITIVE_INFINITY,
  afterUpdate: "go-on",
  templates: defaultTemplates(system),
  epochs,
  seed: 1,
  prune: 0,
  joint: prepared.joint!,
});

function linear(system: string, more: Partial<TrainOptions> = {}): JointModel {
  const training = new JointTagTraining(prepared.sentences, { ...optionsFor(system, 5), ...more });
  while (training.epoch < 5) training.runEpoch();
  return training.model() as JointModel;
}

function networkTraining(system: string, { sentences, joint } = prepared, threads = 1): JointNetworkTraining {
  const settings = completeSettings({ system, network: true, epochs: 8, ...SMALL });
  return new JointNetworkTraining(sentences, { ...neuralOptionsOf(settings, sentences, { threads }), joint: joint! });
}

function network(system: string): ParserModel {
  const training = networkTraining(system);
  while (training.epoch < 8) training.runEpoch();
  return training.model();
}

/** The shares of words with the right FEATS, and of those with the right lemma, that a pipeline gives. */
function right(parser: ParserModel, beam: number): { feats: number; lemma: number; trees: number } {
  const { tagger, lemmatizer } = prepared;
  const pipeline = new Pipeline(
    readModel(writeModel(new PipelineModel({ tagger, lemmatizer, parser })), { programs: [jointTagging] }),
    { beam },
  );
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

  test("a network that chooses tags alone", () => {
    const tags = preparePipeline(TRAIN, { seed: 1, folds: 3, joint: { perWord: 3, margin: 4 } });
    const training = networkTraining("arc-hybrid", tags);
    training.runEpoch();
    const { joint } = training.model().header as JointHeader;
    expect(joint).toEqual({ tags: tags.tagger.analyses.tags, perWord: 3, margin: 4 });
    expect(right(training.model(), 1).feats).toBeLessThan(1);
  });

  test("the tagger cannot", () => {
    const { tagger, lemmatizer } = prepared;
    const { joint: _, ...options } = optionsFor("arc-standard", 5);
    const training = new Training(prepared.sentences, options);
    while (training.epoch < 5) training.runEpoch();
    const parser = training.model();
    const pipeline = new Pipeline(new PipelineModel({ tagger, lemmatizer, parser }));
    const wrong = TEST.filter((gold) => {
      const forms = Array.from({ length: gold.length }, (_, i) => gold.form(i + 1));
      return pipeline.parseTokens(forms).feats(gold.length - 1) !== gold.feats(gold.length - 1);
    });
    expect(wrong.length / TEST.length).toBeGreaterThan(0.2);
  });
});

describe("networks", () => {
  test.each([
    ["arc-standard", 1],
    ["arc-eager", 0],
    ["lr-spines", 1],
  ])("%s, %i layers: all tensors agree with finite differences", (system, layers) => {
    const { sentences } = prepared;
    const sizes = { layers, hidden: 16, dropout: 0, wordDropout: 0 };
    const settings = completeSettings({ system, network: true, oracle: "static", epochs: 1, ...sizes });
    const { learner } = new JointNetworkTraining(sentences, {
      ...neuralOptionsOf(settings, sentences, {}),
      ...{ joint: prepared.joint!, width: 8 },
    });
    const { memory } = learner;
    const bias = memory.tensor("hidden bias");
    // No unit of the hidden layer is at its kink.
    memory.floats.fill(4, bias.at / 4, bias.at / 4 + bias.columns);
    compareGradients(learner, Int32Array.of(3, 5, 7));
    // The weights of analyses are part of it: the last output is the trust in the tagger.
    const output = memory.tensor("output bias");
    const at = memory.lanes[0]!.gradients / 4 + (output.at - memory.dense.at) / 4;
    expect(memory.floats[at + (learner as JointNetworkLearner).classes.trust]).not.toBe(0);
  });

  test("a training that is saved after an epoch and taken up again, or shared by threads, ends with the same bytes", () => {
    const epochs = (training: JointNetworkTraining, to: number) => {
      while (training.epoch < to) training.runEpoch();
      return training;
    };
    const whole = writeModel(epochs(networkTraining("arc-standard"), 3).model());
    const resumed = networkTraining("arc-standard");
    resumed.restore(structuredClone(epochs(networkTraining("arc-standard"), 1).save()));
    expect(writeModel(epochs(resumed, 3).model())).toEqual(whole);
    const shared = networkTraining("arc-standard", prepared, 2);
    const other = new JointNetworkLearner(shared.task, shared.learner.memory.memory);
    while (shared.epoch < 3) {
      shared.runEpoch(undefined, (batch) => {
        if (other.epoch < shared.epoch) other.begin(shared.epoch);
        for (let lane = 0; lane < 4; lane++) (lane % 2 ? other : shared.learner).run(batch, lane);
      });
    }
    expect(writeModel(shared.model())).toEqual(whole);
  });
});

describe("in a pipeline", () => {
  let pipelines: Pipeline[];
  beforeAll(() => {
    const { tagger, lemmatizer } = prepared;
    pipelines = [linear("arc-standard"), network("arc-standard")].map(
      (parser) => new Pipeline(new PipelineModel({ tagger, lemmatizer, parser }), { beam: 8 }),
    );
  });

  test("what is given is kept, and a given lemma whatever is chosen", () => {
    for (const pipeline of pipelines) {
      const words = ["bento", "mo", "mo", "mo", { form: "lum", feats: "Case=Acc|Number=Sing", upos: "NOUN" }, "."];
      expect(pipeline.parseTokens(words).feats(5)).toBe("Case=Acc|Number=Sing");
      expect(pipeline.parseTokens(words).lemma(5)).toBe("lum");
      const lemma = pipeline.parseTokens(["bento", "mo", "mo", "mo", { form: "lum", lemma: "other" }, "."]);
      expect([lemma.feats(5), lemma.lemma(5)]).toEqual(["Case=Dat|Number=Sing", "other"]);
      const head = pipeline.parseTokens(["bento", "mo", "mo", "mo", { form: "lum", head: 3 }, "."]);
      expect(head.heads[5]).toBe(3);
    }
  });

  test("each of the best trees has analyses of its own, the best as alone, and all are trees", () => {
    for (const pipeline of pipelines) {
      const words = ["bento", "mo", "mo", "mo", "lum", "."];
      const trees = pipeline.parseTokensBest(words, 8);
      expect(trees.length).toBeGreaterThan(1);
      const [only] = [pipeline.parseTokens(words)];
      const columns = (sentence: typeof only) => words.map((_, i) => [sentence.feats(i + 1), sentence.lemma(i + 1)]);
      expect(columns(trees[0]!)).toEqual(columns(only));
      for (const { heads } of trees) expect(() => new GoldTree(heads)).not.toThrow();
      for (const { heads } of trees) expect(heads.filter((head) => head === 0)).toHaveLength(1);
    }
  });

  test("scores do not change what is chosen", () => {
    for (const pipeline of pipelines) {
      for (const gold of TEST.slice(0, 10)) {
        const forms = Array.from({ length: gold.length }, (_, i) => gold.form(i + 1));
        const scored = pipeline.parseTokens(forms, { scores: true });
        expect(scored.words.every(({ score }) => score! > 0 && score! <= 1)).toBe(true);
        expect(scored.toConllu().replace(/\|?Score=[\d.]+/g, "")).toBe(
          pipeline.parseTokens(forms).toConllu().replace(/\t_\n/g, "\t\n"),
        );
      }
    }
  });
});

// docs/joint-morphology.md
test("Koyun suyu soğuk: the derivation of the documentation", () => {
  const open: [upos: string, feats: string, lemma: string][][] = [
    [
      ["NOUN", "Case=Nom", "koyun"],
      ["NOUN", "Case=Gen", "koy"],
    ],
    [
      ["NOUN", "Case=Acc", "su"],
      ["NOUN", "Case=Nom|Person[psor]=3", "su"],
    ],
    [["ADJ", "_", "soğuk"]],
  ];
  const forms = ["Koyun", "suyu", "soğuk"];
  const analyses = open.flat();
  const choices = new TagChoices();
  choices.begin(3);
  for (const [i, candidates] of open.entries()) {
    choices.addWord();
    for (const k of candidates.keys()) choices.add(0, open.slice(0, i).flat().length + k, 100 * k);
  }
  const chosen = (i: number) => analyses[choices.analysis(i)]!;
  const words: JointWords = {
    length: 3,
    form: (i) => forms[i - 1]!,
    lemma: (i) => chosen(i)[2],
    upos: (i) => chosen(i)[0],
    xpos: () => "_",
    feats: (i) => chosen(i)[1],
    choices,
  };
  const columns = new Columns(["lemma", "feats"]);
  columns.read(words);
  const system = createSystem("arc-standard");
  const c = new Configuration();
  system.initialize(c, 3);
  const names = (nodes: number[]) => `[${nodes.map((node) => (node === 0 ? "ROOT" : forms[node - 1])).join(" ")}]`;
  const seen: string[] = [];
  const take = (move: Move, what: string) => {
    const word = c.b(0);
    const isTaken = system.takesFront(move) && word > 0;
    if (isTaken && choices.isOpen(word)) {
      choices.choose(word, choices.from[word]! + 1);
      columns.read(words);
    }
    system.apply(c, move, 0);
    const stack = [...c.stack.subarray(0, c.stackSize)];
    const shift = isTaken ? `SHIFT(${words.upos(word)}, ${words.feats(word)})` : what;
    seen.push(`${shift} ${names(stack)}${isTaken ? ` ${words.lemma(word)}` : ""}`);
  };
  const [shift, left] = [0, 1].map((kind) => system.moves.find((move) => kindOf(move) === (kind ? LEFT_ARC : SHIFT))!);
  take(shift!, "SHIFT");
  take(shift!, "SHIFT");
  take(left!, "LEFT-ARC nmod:poss");
  take(shift!, "SHIFT");
  take(left!, "LEFT-ARC nsubj");
  take(shift!, "SHIFT");
  take(left!, "LEFT-ARC root");
  expect(seen).toEqual([
    "SHIFT(NOUN, Case=Gen) [Koyun] koy",
    "SHIFT(NOUN, Case=Nom|Person[psor]=3) [Koyun suyu] su",
    "LEFT-ARC nmod:poss [suyu]",
    "SHIFT(ADJ, _) [suyu soğuk] soğuk",
    "LEFT-ARC nsubj [soğuk]",
    "SHIFT [soğuk ROOT]",
    "LEFT-ARC root [ROOT]",
  ]);
  expect(system.isTerminal(c)).toBe(true);
  expect([...c.heads.subarray(1, 4)]).toEqual([2, 3, 0]);
  expect(columns.columns.map((column) => column[1])).toEqual([hashString("koy"), hashString("Case=Gen")]);
});

test("analyses that cannot be told apart yet take no place from other trees in a beam", () => {
  const decider = linear("arc-standard", { beam: 4 }).createParser({ beam: 2 }).decider as JointDecider;
  let fewer = 0;
  for (const sentence of prepared.predicted(TEST)) {
    const [usual, own] = [0, 4].map((variants) => createBeam(decider, 2, undefined, undefined, variants).search);
    const distinct = ({ live, size, history }: BeamSearch) => {
      const derivations = new Set<string>();
      const steps: number[] = [];
      for (let h = 0; h < size; h++) {
        const count = history.path(live[h]!.step, steps);
        derivations.add(
          steps
            .slice(0, count)
            .map((step) => `${history.moves[step]} ${history.classes[step]}`)
            .join(),
        );
      }
      return derivations.size;
    };
    const widths = [usual, own].map((search) => {
      const list: number[] = [];
      search.begin(sentence);
      while (search.step()) list.push(distinct(search));
      expect(search.size).toBeLessThanOrEqual(search === own ? 6 : 2);
      return list;
    });
    expect(Math.max(...widths[1]!)).toBe(2);
    // Both have as many places for trees; with variants apart none of them goes to another analysis of the same tree.
    if (widths[0]!.some((count, step) => count < widths[1]![step]!)) fewer++;
    expect(widths[1]!.every((count, step) => count >= (widths[0]![step] ?? 0))).toBe(true);
  }
  expect(fewer).toBeGreaterThan(0);
});

test("a file whose numbers do not fit the tagger is rejected", () => {
  const { tagger, lemmatizer } = prepared;
  const parser = linear("arc-standard");
  const { parts = 0 } = parser.header.joint;
  parser.header.joint.parts = parts + 1;
  expect(() => new PipelineModel({ tagger, lemmatizer, parser })).toThrow(
    `joint.parts: ${parts + 1} (expected ${parts}, the number of the tagger's parts)`,
  );
});
