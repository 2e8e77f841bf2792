import { describe, expect, test } from "vitest";
import { GraphFeatures, MOST_FEATURES } from "../src/features/graph/graph-features.js";
import { GraphTraining, type GraphTrainOptions } from "../src/learning/graph/graph-training.js";
import type { GraphParser } from "../src/parser/graph/graph-parser.js";
import type { Sentence } from "../src/treebank/sentence/sentence.js";
import { isProjective, isTree } from "../src/treebank/tree.js";
import { makeUp } from "./made-up-language.js";

const OPTIONS: GraphTrainOptions = { decoder: "eisner", learner: "perceptron", epochs: 4, seed: 1 };
const TRAIN = makeUp(120, 1, 0.3);
const DEV = makeUp(60, 2, 0.3);

function train(options: Partial<GraphTrainOptions>): GraphParser {
  const training = new GraphTraining(TRAIN, { ...OPTIONS, ...options });
  for (let epoch = 0; epoch < OPTIONS.epochs; epoch++) training.runEpoch();
  return training.parser();
}

/** The share of words with the right head and label. */
function accuracy(parser: GraphParser, sentences: readonly Sentence[]): number {
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
  test.each(["eisner", "eisner-siblings"] as const)(
    "%s learns the made-up language, but for crossing arcs",
    (decoder) => {
      const parser = train({ learner, decoder });
      expect(accuracy(parser, DEV)).toBeGreaterThan(0.9);
      for (const sentence of DEV) expect(isProjective(parser.parse(sentence).heads)).toBe(true);
    },
  );

  test("edmonds learns the crossing arcs, too", () => {
    const parser = train({ learner, decoder: "edmonds" });
    expect(accuracy(parser, DEV)).toBeGreaterThan(0.97);
    expect(DEV.some((sentence) => !isProjective(parser.parse(sentence).heads))).toBe(true);
  });
});

test("the same seed gives the same trees", () => {
  const trees = (parser: GraphParser) => DEV.map((sentence) => parser.parse(sentence));
  expect(trees(train({}))).toEqual(trees(train({})));
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
