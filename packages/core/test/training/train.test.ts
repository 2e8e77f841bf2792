import { describe, expect, test } from "vitest";
import { Pipeline, type PipelineModel, readModel, writeModel } from "../../src/index.js";
import { type EpochScore, type TrainRequest, train } from "../../src/training.js";
import { toyTreebank } from "../toy-pipeline.js";

const sentences = toyTreebank(120, 1);
const dev = toyTreebank(30, 2);

test("a model from text to trees is trained in code, and the same request gives the same bytes", async () => {
  const told: EpochScore[] = [];
  let last: PipelineModel | undefined;
  const onEpoch = (score: EpochScore, model: PipelineModel | undefined) => {
    told.push(score);
    last = model ?? last;
  };
  const request: TrainRequest = { sentences, dev, preset: "fast", pipeline: true, folds: 2, epochs: 3, onEpoch };
  const { model, best, epochs, data } = await train(request);
  expect(told).toEqual(epochs);
  expect(epochs.map(({ epoch }) => epoch)).toEqual([1, 2, 3]);
  expect(best.las).toBe(Math.max(...epochs.map(({ las }) => las!)));
  expect(best.las).toBeGreaterThan(90);
  expect(last).toBe(model);
  expect(data.sentences).toBe(120);
  expect(model.origin.treebank).toMatchObject({ sentences: 120 });
  const [parsed] = new Pipeline(readModel(writeModel(model))).parse("Mina likes green boats.");
  expect(parsed!.root!.form).toBe("likes");
  const again = await train({ ...request, onEpoch: undefined });
  expect(writeModel(again.model)).toEqual(writeModel(model));
});

test("a network and settings of one's own; without development data the last epoch is kept", async () => {
  const sizes = { layers: 1, width: 8, hidden: 8, epochs: 2 };
  const { model, best } = await train({ sentences: sentences.slice(0, 20), preset: "accurate", ...sizes });
  expect(best).toEqual({ epoch: 2 });
  expect(model.parser.network).toBeDefined();
  expect(model.parser.header.origin.options).toMatchObject({ system: "arc-hybrid", width: 8 });
});

test("sentences that are too long are left out and counted", async () => {
  const lengths = sentences.map(({ length }) => length);
  const maxLength = Math.max(...lengths) - 1;
  const { data, model } = await train({ sentences, epochs: 1, maxLength });
  const left = lengths.filter((length) => length <= maxLength).length;
  expect(left).toBeLessThan(sentences.length);
  expect(data).toMatchObject({ sentences: left, tooLong: sentences.length - left });
  expect(model.origin.options).toMatchObject({ maxLength });
  await expect(train({ sentences, maxLength: 1 })).rejects.toThrow(
    "no sentences to train on: all 120 have more than 1 words (expected a higher maxLength)",
  );
});

describe("a signal ends training with its reason", () => {
  test("before it, between epochs, and from a timer", async () => {
    const reason = new Error("enough");
    await expect(train({ sentences, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const control = new AbortController();
    const told: number[] = [];
    const onEpoch = ({ epoch }: EpochScore) => {
      told.push(epoch);
      control.abort(reason);
    };
    await expect(train({ sentences, onEpoch, signal: control.signal })).rejects.toBe(reason);
    expect(told).toEqual([1]);
    const other = new AbortController();
    setTimeout(() => other.abort(reason), 5);
    await expect(train({ sentences, epochs: 1e6, signal: other.signal })).rejects.toBe(reason);
  });
});

describe("what is asked for is checked", () => {
  const wrong: [object | undefined, string][] = [
    [undefined, "invalid options of train: null (expected an object)"],
    [{}, "invalid sentences of train: undefined (expected sentences in an array or another iterable)"],
    [{ sentences: [] }, "invalid sentences of train: none (expected at least one sentence)"],
    [{ sentences: ["a"] }, 'invalid sentences of train: "a" (expected each to be a Sentence)'],
    [{ sentences, preset: "quick" }, 'invalid preset of train: "quick" (expected one of fast, small, accurate, best)'],
    [{ sentences, epochs: 0 }, "invalid epochs of train: 0 (expected a whole number from 1)"],
    [{ sentences, width: 12 }, "invalid width of train: 12 (expected a multiple of 8 from 8)"],
    [{ sentences, system: "arc-lazy" }, 'invalid system of train: "arc-lazy" (expected one of arc-standard, '],
    [{ sentences, epoch: 3 }, "unknown option of train: epoch (expected one of sentences, "],
    [{ sentences, folds: 3 }, "invalid folds of train: 3: it would have no effect (expected pipeline)"],
    [{ sentences, preset: "best", learner: "logistic" }, "(expected a linear model, without network)"],
    [
      { sentences, exploreFrom: 3, beam: 4, globalEpochs: 10 },
      "invalid exploreFrom of train: 3: it would have no effect (expected oracle ",
    ],
    [
      { sentences, vectors: { dim: 8, keys: [1], values: [] } },
      "invalid vectors of train: Object (expected vectors as",
    ],
    [{ sentences, origin: { lisence: "x" } }, "unknown option of origin: lisence (expected one of treebank, "],
    [{ sentences, exploreProbability: 2 }, "invalid exploreProbability of train: 2 (expected a number from 0 to 1)"],
  ];
  test.each(wrong)("%#", async (request, message) => {
    await expect(train(request as TrainRequest)).rejects.toThrow(message);
  });
});
