import type { Server } from "node:http";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EncoderVectors, encoderOf, useEncoder } from "../../src/encoder/encoder-vectors.js";
import { EncodedTreebank, RememberingEncoder } from "../../src/encoder/learning/encoded-treebank.js";
import { readEncoder } from "../../src/encoder/learning/read-encoder.js";
import { encoder as program } from "../../src/encoder/program.js";
import { parseTemplates } from "../../src/features/templates.js";
import { type NeuralOptions, NeuralTraining } from "../../src/learning/network/neural-training.js";
import { attachment } from "../../src/learning/training.js";
import { load } from "../../src/model-file/load.js";
import { openModel, readModel, writeModel } from "../../src/model-file/model-file.js";
import { defaultView } from "../../src/registry/training.js";
import { Configuration } from "../../src/systems/configuration.js";
import type { Sentence } from "../../src/treebank/sentence/sentence.js";
import { attachModel, shareModel } from "../../src/workers/shared-model.js";
import { findChromium } from "../chromium.js";
import { makeUp } from "../made-up-language.js";
import { replaceSection, sections } from "../model-file/model-sections.js";
import { serveLibrary } from "../workers/served.js";
import { tinyEncoder } from "./tiny-encoder.js";

// Words are seen through the encoder alone: XPOS, the only other input, is the same for all.
const OPTIONS: NeuralOptions = {
  system: "arc-hybrid",
  root: "last",
  oracle: "dynamic",
  exploreFrom: 2,
  exploreProbability: 0.9,
  templates: defaultView("arc-hybrid"),
  epochs: 6,
  seed: 3,
  inputs: { xpos: 8 },
  layers: 1,
  width: 16,
  hidden: 32,
  dropout: { words: 0, inputs: 0.1, layers: 0.1, hidden: 0.1 },
  rate: 0.01,
};

function encode(sentences: Sentence[], shared = false): EncodedTreebank {
  const { onnx: weights, tokenizer } = tinyEncoder({ size: 32, layers: 3 });
  const encoded = new EncodedTreebank(readEncoder({ weights, tokenizer }, { layers: 2, mixed: 2 }), sentences, shared);
  for (const words of encoded.steps()) expect(words).toBeLessThanOrEqual(encoded.words);
  return encoded;
}

function trained(shared = false): NeuralTraining {
  const sentences = makeUp(200, 1);
  const training = new NeuralTraining(sentences, { ...OPTIONS, contextual: encode(sentences, shared) });
  while (training.epoch < OPTIONS.epochs) training.runEpoch();
  return training;
}

const training = trained();
const model = training.model();
const bytes = writeModel(model);

test("a network learns from what an encoder makes of words", () => {
  expect(attachment(model, makeUp(60, 2)).las).toBeGreaterThan(0.9);
  const without = new NeuralTraining(makeUp(200, 1), OPTIONS);
  while (without.epoch < OPTIONS.epochs) without.runEpoch();
  expect(attachment(without.model(), makeUp(60, 2)).las).toBeLessThan(0.8);
});

test("the same seed gives the same bytes, also with vectors that threads share", () => {
  expect(Buffer.from(writeModel(trained(true).model())).equals(Buffer.from(bytes))).toBe(true);
});

test("sentences with the same words share their vectors", () => {
  const sentences = makeUp(5, 1);
  expect(encode([...sentences, ...sentences]).words).toBe(encode(sentences).words);
  expect(() => encode(sentences).nodes(makeUp(1, 99))).toThrow("a sentence was not encoded");
});

test("the derivatives by the mix of layers agree with finite differences", () => {
  const sentences = makeUp(12, 9);
  const dropout = { words: 0, inputs: 0, layers: 0, hidden: 0 };
  const options = { ...OPTIONS, oracle: "static" as const, dropout, contextual: encode(sentences) };
  const { learner } = new NeuralTraining(sentences, options);
  const { memory } = learner;
  const [lane] = memory.lanes;
  // With a large bias no unit of the hidden layer is at its kink, where there is no derivative.
  const bias = memory.tensor("hidden bias");
  memory.floats.fill(4, bias.at / 4, bias.at / 4 + bias.columns);
  const chosen = Int32Array.of(0, 3, 5);
  const mix = memory.tensor("mix");
  expect(mix.columns).toBe(2);
  for (let layer = 0; layer < mix.columns; layer++) {
    const place = mix.at / 4 + layer;
    learner.check(chosen);
    const gradient = memory.floats[memory.gradientOf(lane!, mix) / 4 + layer]!;
    const value = memory.floats[place]!;
    const size = 0.01;
    memory.floats[place] = value + size;
    const above = learner.check(chosen);
    memory.floats[place] = value - size;
    const below = learner.check(chosen);
    memory.floats[place] = value;
    const difference = (above - below) / (2 * size);
    expect(Math.abs(gradient - difference), `${gradient}, ${difference}`).toBeLessThan(
      0.002 + 0.01 * Math.abs(difference),
    );
    expect(Math.abs(gradient)).toBeGreaterThan(0.01);
  }
});

const treesOf = (parser: { parse(words: Sentence): { heads: Int32Array; labels: string[] } }, count = 20) =>
  makeUp(count, 4).map((sentence) => {
    const { heads, labels } = parser.parse(sentence);
    return { heads: [...heads], labels };
  });

describe("in a model file", () => {
  test("the encoder comes along, and the trees are the same", async () => {
    const read = readModel(bytes, { programs: [program] });
    expect(Buffer.from(writeModel(read)).equals(Buffer.from(bytes))).toBe(true);
    const trees = treesOf(model.createParser());
    expect(treesOf(read.parser.createParser())).toEqual(trees);
    expect(treesOf((await load(bytes)).parser)).toEqual(trees);
    expect(treesOf(read.parser.createParser({ beam: 4 }), 5)).toHaveLength(5);
    const attached = await attachModel(structuredClone(shareModel(read, 1)), 0);
    expect(treesOf(attached.parser.createParser())).toEqual(trees);
  });

  test("without WebAssembly the scores are the same", () => {
    const { network, system } = model;
    const templates = parseTemplates(OPTIONS.templates, "templates", system.description.context);
    const scorers = [network!.scorer(templates), network!.scorer(templates, true)];
    const c = new Configuration();
    for (const sentence of makeUp(5, 6)) {
      const [fast, plain] = scorers.map((scorer) => {
        scorer.bind(sentence);
        system.initialize(c, sentence.length);
        scorer.score(c, system.moves[0]!);
        return Int32Array.from(scorer.scores);
      });
      expect(plain).toEqual(fast);
      expect(new Set(fast).size).toBeGreaterThan(2);
    }
  });

  test("its program is needed", () => {
    expect(openModel(bytes).needs).toEqual(["encoder"]);
    expect(() => readModel(bytes, { source: "m" })).toThrow(
      'the model needs encoder: use load(), or import { encoder } from "@stemma/core/encoder" and pass { programs: [encoder] }',
    );
  });

  test("what no writer writes is refused", () => {
    const header = (change: (header: Record<string, never>) => void) => {
      const { start, end } = sections(bytes)[0]!;
      const value = JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)));
      change(value);
      return () =>
        readModel(replaceSection(bytes, 0, new TextEncoder().encode(JSON.stringify(value))), {
          source: "m",
          programs: [program],
        });
    };
    const change = (name: string, value: unknown) =>
      header(({ contextual }) => {
        Object.assign(contextual, { [name]: value });
      });
    expect(change("size", 24)).toThrow("m: invalid header: encoder.size: 24 (expected a multiple of 16");
    expect(change("heads", 3)).toThrow("m: invalid header: encoder.heads: 3 (expected such that");
    expect(change("layers", 0)).toThrow("m: invalid header: encoder.layers: 0");
    expect(change("layers", 3)).toThrow("m: invalid section of the contextual's scales");
    expect(change("mixed", 1)).toThrow("m: invalid header: contextual: 1 × 32 numbers (expected 2 × 32 numbers)");
    expect(change("window", 7)).toThrow("m: invalid header: encoder.window: 7");
    expect(change("pieces", null)).toThrow("m: invalid header: encoder.pieces: not an object");
    expect(change("pieces", { unknown: 1e6 })).toThrow("m: invalid header: encoder.pieces.cleanText: nothing");
    const gone = (name: string) =>
      header((value) => {
        delete value[name];
      });
    expect(gone("contextual")).toThrow(/m: (invalid|altered)/);
    const network = (value: object) =>
      header(({ parser }) => Object.assign((parser as { network: object }).network, value));
    expect(network({ mixed: undefined })).toThrow(
      "m: invalid header: network.mixed: nothing (expected as many layers as there are",
    );
    expect(network({ mixed: 3 })).toThrow(/m: invalid (header|section)/);
    for (const [index, name] of [
      [2, "scales"],
      [3, "weights"],
    ] as const) {
      const { start, end } = sections(bytes)[index]!;
      const shorter = replaceSection(bytes, index, bytes.subarray(start, end - 4));
      expect(() => readModel(shorter, { source: "m", programs: [program] })).toThrow(
        `m: invalid section of the contextual's ${name}`,
      );
    }
    expect(() =>
      readModel(replaceSection(bytes, 1, Uint8Array.of(0xff, 0xfe)), { source: "m", programs: [program] }),
    ).toThrow("contextual's vocabulary");
  });
});

test("what was remembered is what is computed, and no more than may be is kept", () => {
  const { encoder } = encode(makeUp(1, 1));
  const forms = [["ta", "tor"], ["kara", "."], ["oro"]];
  const computed = forms.map((words) => Float32Array.from(encoderOf(encoder).encode(words)));
  const remembering = new RememberingEncoder(encoder, computed[0]!.byteLength + 1);
  useEncoder(encoder, remembering);
  expect(encoderOf(encoder)).toBe(remembering);
  for (let turn = 0; turn < 2; turn++)
    for (const [k, words] of forms.entries()) expect(remembering.encode(words)).toEqual(computed[k]);
  const first = remembering.encode(forms[0]!);
  remembering.encode(forms[1]!);
  expect(remembering.encode(forms[0]!)).toBe(first);
});

const browserPath = findChromium();
if (!browserPath)
  console.log("encoder-network.test.ts: not in a browser: no Chromium (set CHROMIUM, or install Debian's chromium)");

describe.skipIf(!browserPath)("in a real browser", () => {
  let server: Server;
  let address: string;

  beforeAll(async () => {
    ({ server, address } = await serveLibrary("encoder.stemma", bytes));
  });
  afterAll(() => server?.close());

  test("load brings the program of encoders along; trees and vectors are the same as in Node, with WebAssembly and without", async () => {
    const forms = [..."ta tor kara ala rek .".split(" "), "naïve", "中文"];
    const read = readModel(bytes, { programs: [program] });
    const vectors = [...(read.parser.network!.contextual as EncoderVectors).encoder.encode(forms)];
    const sentences = makeUp(5, 4).map((sentence) => sentence.toString());
    const trees = treesOf(read.parser.createParser(), 5);
    const browser = await chromium.launch({ executablePath: browserPath!, args: ["--no-sandbox"] });
    try {
      for (const forbidden of [false, true]) {
        const page = await browser.newPage();
        await page.goto(`${address}/`);
        // As text: what vitest makes of an import does not work in a page.
        const there = await page.evaluate(`(async () => {
          if (${forbidden}) delete globalThis.WebAssembly;
          const { load } = await import("/index.js");
          const { readTreebank } = await import("/treebank.js");
          const { parser } = await load("/encoder.stemma");
          const trees = ${JSON.stringify(sentences)}.map((text) => {
            const { heads, labels } = parser.parse(readTreebank(text)[0]);
            return { heads: [...heads], labels };
          });
          return { trees, vectors: [...parser.model.network.contextual.encoder.encode(${JSON.stringify(forms)})] };
        })()`);
        expect(there).toEqual({ trees, vectors });
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });
});
