// Learning from what a parser has annotated, weighed by how sure it was.
import { describe, expect, test } from "vitest";
import { thresholdOf } from "../../src/learning/largest-weights.js";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import type { ForEachWeight } from "../../src/scoring/linear/quantized-weights.js";
import { NONE } from "../../src/systems/configuration.js";
import { preparePipeline } from "../../src/training/preparation/prepare.js";
import { copiesOf, type TrainRequest, train, weighSilver } from "../../src/training.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { toyPipeline, toyTreebank } from "../toy-pipeline.js";

const ALL = { weight: 1, confidence: 0, partial: true };

/** A sentence of words that hang on the first, with these scores. */
function scored(...scores: (number | undefined)[]): Sentence {
  return Sentence.from({
    words: scores.map((score, i) => ({
      form: `word${i}`,
      head: i === 0 ? 0 : 1,
      deprel: i === 0 ? "root" : "dep",
      misc: score === undefined ? "_" : `Gloss=x|Score=${score}`,
    })),
  });
}

/** The same without anything in MISC, as if it had been parsed from tokens. */
function withoutMisc(sentences: readonly Sentence[]): Sentence[] {
  return sentences.map((sentence) =>
    Sentence.from({
      words: Array.from({ length: sentence.length }, (_, k) => {
        const [i, head] = [k + 1, sentence.heads[k + 1]!];
        const [form, lemma, upos] = [sentence.form(i), sentence.lemma(i), sentence.upos(i)];
        const [xpos, feats, deprel] = [sentence.xpos(i), sentence.feats(i), sentence.deprel(i)];
        return { form, lemma, upos, xpos, feats, head, deprel };
      }),
    }),
  );
}

test.each([
  [1, [1, 1, 1, 1, 1, 1]],
  [2, [2, 2, 2, 2, 2, 2]],
  [0.5, [1, 0, 1, 0, 1, 0]],
  [1.5, [2, 1, 2, 1, 2, 1]],
])("a weight of %d", (weight, copies) => {
  expect(copies.map((_, k) => copiesOf(k, weight))).toEqual(copies);
});

describe("silver data", () => {
  test("is all learned from when nothing is said about scores", () => {
    const sentences = [scored(0.1, 0.2), scored(undefined, undefined)];
    const silver = weighSilver(sentences, ALL);
    expect(silver.sentences).toEqual(sentences);
    expect(silver.trees.map(({ heads }) => [...(heads as Int32Array)])).toEqual([
      [NONE, 0, 1],
      [NONE, 0, 1],
    ]);
    expect(silver.doubtful).toBe(0);
  });

  test("loses sentences with low scores, and the heads with low scores of the others", () => {
    const sentences = [scored(0.9, 0.4, 0.8), scored(0.5, 0.4, 0.4), scored(0.2, undefined)];
    const { sentences: kept, trees, doubtful } = weighSilver(sentences, { ...ALL, confidence: 0.5 });
    expect(kept).toEqual([sentences[0], sentences[2]]);
    expect(trees.map(({ heads }) => [...(heads as Int32Array)])).toEqual([
      [NONE, 0, NONE, 1],
      [NONE, NONE, 1],
    ]);
    expect(trees[0]!.deprel(2)).toBe("_");
    expect(trees[0]!.deprel(3)).toBe("dep");
    expect(trees[0]!.form(2)).toBe("word1");
    expect(doubtful).toBe(1);
  });

  test("comes from a parser as it is, with its scores and spaces", () => {
    const [sentence] = new Pipeline(toyPipeline()).parse("Mina sells old boats.", { scores: true });
    expect(sentence!.toString()).toContain("SpaceAfter=No");
    const scores = Array.from({ length: sentence!.length }, (_, k) => sentence!.score(k + 1)!);
    const lowest = Math.min(...scores);
    const { trees } = weighSilver([sentence!], { ...ALL, confidence: lowest + 1e-9 });
    expect(Array.from(scores, (_, k) => trees[0]!.heads[k + 1] === NONE)).toEqual(scores.map((s) => s === lowest));
  });

  test("keeps all its heads where the oracle needs them", () => {
    const { trees } = weighSilver([scored(0.9, 0.4)], { weight: 1, confidence: 0.5, partial: false });
    expect([...(trees[0]!.heads as number[])]).toEqual([NONE, 0, 1]);
  });

  test("counts as often as its weight says, after the doubtful sentences are gone", () => {
    const sentences = [scored(0.9), scored(0.1), scored(0.8), scored(0.7)];
    const weighed = (weight: number) => weighSilver(sentences, { weight, confidence: 0.5, partial: true }).sentences;
    expect(weighed(2).map((sentence) => sentences.indexOf(sentence))).toEqual([0, 0, 2, 2, 3, 3]);
    expect(weighed(0.5).map((sentence) => sentences.indexOf(sentence))).toEqual([0, 3]);
  });

  test("must leave something to learn from", () => {
    expect(() => weighSilver([scored(0.1), scored(0.4)], { ...ALL, confidence: 0.5 })).toThrow(
      "no silver data is left of 2 sentences: 2 have a mean score below 0.5 " +
        "(expected a lower silver confidence, or a higher silver weight than 1)",
    );
  });
});

describe("a segmenter", () => {
  const gold = toyTreebank(120, 1);
  const segmenter = (silver: Sentence[] | undefined) =>
    preparePipeline(gold, { seed: 1, folds: 2, silver: silver && { sentences: silver, trees: silver } }).segmenter;

  test("learns from silver data with spaces", () => {
    expect(segmenter(toyTreebank(100, 2)).linear.entries()).not.toEqual(segmenter(undefined).linear.entries());
  });

  test("does not learn from silver data that was parsed from tokens", () => {
    const plain = segmenter(undefined);
    const other = segmenter(withoutMisc(toyTreebank(100, 2)));
    expect(other.header).toEqual(plain.header);
    expect(other.linear.entries()).toEqual(plain.linear.entries());
  });
});

describe("train", () => {
  const dev = toyTreebank(60, 3);
  const request: TrainRequest = { sentences: toyTreebank(4, 1), dev, pipeline: true, folds: 2, epochs: 4 };

  test("gains from silver data, and tells how much of both there was", async () => {
    const alone = await train(request);
    const silver = toyTreebank(200, 2);
    const { best, data, silverData, model } = await train({ ...request, silver });
    expect(best.las!).toBeGreaterThan(alone.best.las! + 5);
    expect(data).toEqual(alone.data);
    expect(alone.silverData).toBeUndefined();
    const words = silver.reduce((sum, { length }) => sum + length, 0);
    expect(silverData).toEqual({ sentences: 200, words, projectivized: 0, skipped: 0, doubtful: 0 });
    expect(model.parser.header.origin).toMatchObject({
      silver: { sentences: 200 },
      options: { silverWeight: 1, silverConfidence: 0.5 },
    });
  });

  test("counts partial trees with the silver data", async () => {
    const silver = [scored(0.9, 0.4, 0.9), scored(0.3, 0.3), scored(0.9, 0.8)];
    const { data, silverData } = await train({ sentences: request.sentences, silver, silverWeight: 2, epochs: 1 });
    expect(data).toEqual({ sentences: 4, words: expect.any(Number), projectivized: 0, skipped: 0 });
    expect(silverData).toMatchObject({ sentences: 4, words: 10, partial: 2, doubtful: 1 });
  });

  test.each(["arc-standard", "swap"])("with a static oracle (%s) needs every head", async (system) => {
    const silver = [scored(0.9, 0.4, 0.9)];
    const { silverData } = await train({
      ...request,
      silver,
      system,
      oracle: "static",
      pipeline: false,
      folds: undefined,
    });
    expect(silverData).not.toHaveProperty("partial");
  });

  test.each<[object, string]>([
    [{ silver: [] }, "invalid silver of train: none (expected at least one sentence)"],
    [{ silver: ["a"] }, 'invalid silver of train: "a" (expected each to be a Sentence)'],
    [{ silverWeight: 2 }, "invalid silverWeight of train: 2: it would have no effect (expected silver)"],
    [{ silverConfidence: 0.3 }, "invalid silverConfidence of train: 0.3: it would have no effect (expected silver)"],
    [{ silver: dev, silverWeight: 0 }, "invalid silverWeight of train: 0 (expected a number above 0, at most 1000)"],
    [{ silver: dev, silverConfidence: 2 }, "invalid silverConfidence of train: 2 (expected a number from 0 to 1)"],
    [{ silver: [scored(0.1)] }, "no silver data is left of 1 sentences"],
    [{ pipeline: false, folds: undefined, partWeights: 9 }, "invalid partWeights of train: 9: it would have no effect"],
    [{ partWeights: 0 }, "invalid partWeights of train: 0 (expected a whole number from 1)"],
    [{ vocabulary: 5 }, "invalid vocabulary of train: 5: it would have no effect (expected network)"],
    [{ network: true, vocabulary: 0 }, "invalid vocabulary of train: 0 (expected a whole number from 1)"],
  ])("%o", async (options, message) => {
    await expect(train({ ...request, ...options } as TrainRequest)).rejects.toThrow(message);
  });
});

test("a network has embeddings for the most frequent words only", async () => {
  const sizes = { network: true, layers: 1, width: 8, hidden: 8, epochs: 1 };
  const rows = async (vocabulary?: number) => {
    const { model } = await train({ sentences: toyTreebank(40, 1), ...sizes, vocabulary });
    const { inputs } = model.parser.header.network!;
    return Object.fromEntries(inputs.map(({ kind, rows }) => [kind, rows]));
  };
  const [all, few] = [await rows(), await rows(6)];
  // Two rows are for unknown words and for the root.
  for (const kind of ["word", "lemma", "affixes"]) {
    expect(all[kind]).toBeGreaterThan(8);
    expect(few[kind]).toBe(8);
  }
  expect(few.upos).toBe(all.upos);
});

describe("parts with few weights", () => {
  const sentences = toyTreebank(80, 1);
  const sizes = ({ segmenter, tagger, lemmatizer }: ReturnType<typeof preparePipeline>) =>
    [segmenter, tagger, lemmatizer].map(({ linear }) => linear.entries().weights.length);

  test("keep the largest", () => {
    const whole = preparePipeline(sentences, { seed: 1, folds: 2 });
    const few = preparePipeline(sentences, { seed: 1, folds: 2, partWeights: 40 });
    sizes(whole).forEach((size, k) => {
      if (size > 40) expect(sizes(few)[k]).toBeLessThanOrEqual(40);
      else expect(sizes(few)[k]).toBe(size);
    });
    expect(Math.max(...sizes(whole))).toBeGreaterThan(200);
    const largest = (weights: Int16Array) => Math.max(...weights);
    expect(largest(few.tagger.linear.entries().weights)).toBe(largest(whole.tagger.linear.entries().weights));
  });

  test.each<[number[], number, number | undefined, number[]]>([
    [[5, -4, 3, 2], 0, undefined, [5, -4, 3, 2]],
    [[5, -4, 3, 2], 3, 10, [5, -4, 3]],
    [[5, -4, 3, 2], 0, 2, [5, -4]],
    [[5, -4, 4, 2], 0, 2, [5]],
    [[4, -4, 4], 0, 2, []],
  ])("%j, from %d on, at most %s", (weights, least, most, kept) => {
    const forEach: ForEachWeight = (visit) => {
      for (const [feature, weight] of weights.entries()) visit(feature, 0, weight);
    };
    const threshold = thresholdOf(forEach, least, most);
    expect(weights.filter((weight) => Math.abs(weight) >= threshold)).toEqual(kept);
  });
});
