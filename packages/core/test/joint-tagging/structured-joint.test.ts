import { beforeAll, describe, expect, test } from "vitest";
import { JointTagTraining } from "../../src/joint-tagging/learning/joint-training.js";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import { PipelineModel } from "../../src/pipeline/pipeline-model.js";
import { dynamicOracle } from "../../src/registry/oracles.js";
import { createSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { defaultTemplates } from "../../src/registry/training.js";
import { type PreparedPipeline, preparePipeline } from "../../src/training/preparation/prepare.js";
import { makeUpTags } from "../pipeline/tag-language.js";

const TRAIN = makeUpTags(100, 1);
const TEST = makeUpTags(60, 2);
let prepared: PreparedPipeline;
beforeAll(() => {
  prepared = preparePipeline(TRAIN, { seed: 1, folds: 3, joint: { perWord: 3, margin: 4 } });
});

function trained(system: string) {
  const training = new JointTagTraining(prepared.sentences, {
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
    beam: 4,
    joint: prepared.joint!,
  });
  while (training.epoch < 5) training.runEpoch();
  return training.model();
}

describe.each(SYSTEM_NAMES)("joint tagging with a beam, %s", (system) => {
  // A wider beam weighs tags by what follows them, and moves after a tag that the tagger never gave were never learned.
  test("the parser knows tags that the tagger cannot", () => {
    const model = trained(system);
    for (const beam of [1, 2]) {
      const parser = model.createParser({ beam });
      const found = prepared.predicted(TEST);
      let [right, words] = [0, 0];
      found.forEach((sentence, k) => {
        const { heads } = parser.parse(sentence);
        expect([...heads.slice(1)]).toEqual([...TEST[k]!.heads.slice(1)]);
        for (let i = 1; i <= sentence.length; i++, words++) if (sentence.upos(i) === TEST[k]!.upos(i)) right++;
      });
      if (beam === 1) expect(right / words).toBeGreaterThan(0.99);
    }
  });
});

test("each of the best trees has its own tags", () => {
  const { tagger, lemmatizer } = prepared;
  const pipeline = new Pipeline(new PipelineModel({ tagger, lemmatizer, parser: trained("arc-standard") }), {
    beam: 200,
  });
  const text = "kara mo mo mo lum .";
  const trees = [...pipeline.parse(text, { input: "tokens", trees: 200 })];
  expect(trees[0]!.words[4]!.upos).toBe("NOUN");
  expect(trees.map(({ tree }) => tree!.rank)).toEqual(trees.map((_, i) => i + 1));
  expect(new Set(trees.map((tree) => tree.words[4]!.upos))).toEqual(new Set(["NOUN", "ADJ"]));
  const [only] = pipeline.parse(text, { input: "tokens" });
  expect(only!.toConllu()).toBe(trees[0]!.toConllu().replace(/# (tree|score) .*\n/g, ""));
});
