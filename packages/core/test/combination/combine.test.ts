import { describe, expect, test } from "vitest";
import { combine } from "../../src/combination/combine.js";
import { CombinedModel } from "../../src/combination/combined-model.js";
import { combination as program } from "../../src/combination/program.js";
import { crc32 } from "../../src/math/crc32.js";
import { load } from "../../src/model-file/load.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import { train } from "../../src/training/train.js";
import { attachModel, shareModel } from "../../src/workers/shared-model.js";
import { toyTreebank } from "../toy-pipeline.js";

const SENTENCES = toyTreebank(120, 5);
const TEXT = "Mina sells old boats. Toru doesn't like lamps! Rek finds maps.";

async function trained(settings: object, count = 40): Promise<Pipeline> {
  const { model } = await train({ sentences: SENTENCES.slice(0, count), epochs: 1, ...settings });
  return new Pipeline(model);
}

// Little data, so that they differ: of three kinds, one with tags of its own.
const A = await trained({ pipeline: true, folds: 2, system: "arc-eager", seed: 1 }, 12);
const B = await trained({ pipeline: true, folds: 2, system: "graph", seed: 2 }, 8);
const C = await trained({ system: "swap", seed: 3 }, 10);
const treesOf = (pipeline: Pipeline, text = TEXT, scores = true) =>
  [...pipeline.parse(text, { scores })].map((sentence) => sentence.toConllu()).join("");

describe("combine", () => {
  test("the first model gives tokens and tags; heads are of one of the members, scores are shares", () => {
    const combined = combine([A, B, C]);
    const [own, all] = [A, combined].map((pipeline) => [...pipeline.parse(TEXT, { scores: true })]);
    expect(all).toHaveLength(own!.length);
    all!.forEach((sentence, s) => {
      const ownWords = own![s]!.words;
      expect(sentence.words.map(({ form, upos, lemma }) => [form, upos, lemma])).toEqual(
        ownWords.map(({ form, upos, lemma }) => [form, upos, lemma]),
      );
      expect(sentence.words.filter(({ headIndex }) => headIndex === 0)).toHaveLength(1);
      for (const { score } of sentence.words) expect([1 / 3, 2 / 3, 1]).toContainEqual(expect.closeTo(score!, 3));
    });
    // They do not always agree: this would show nothing otherwise.
    expect(all!.flatMap(({ words }) => words).some(({ score }) => score! < 0.9)).toBe(true);
  });

  test("a model that counts for more than the others decides, with its own tags where it has a tagger", () => {
    const raw = (pipeline: Pipeline) => [...pipeline.parse(TEXT)].map((one) => one.words.map(({ deprel }) => deprel));
    const heads = (pipeline: Pipeline) =>
      [...pipeline.parse(TEXT)].map((one) => one.words.map(({ headIndex }) => headIndex));
    for (const decides of [A, B]) {
      const combined = combine([A, decides === A ? C : B], { weights: decides === A ? [3, 1] : [1, 3] });
      // B cuts the text in the same sentences and tokens as A here.
      expect(heads(combined)).toEqual(heads(decides));
      expect(raw(combined)).toEqual(raw(decides));
    }
  });

  test("untagged and retagged sentences of a treebank are tagged by each member, tagged ones by none", () => {
    const untagged = SENTENCES.slice(100, 110).map((sentence) => {
      const copy = sentence.copy();
      for (let i = 1; i <= copy.length; i++)
        for (const column of ["lemma", "upos", "xpos", "feats"] as const) copy.set(column, i, "_");
      return copy;
    });
    const combined = combine([A, B], { weights: [1, 3] });
    for (const sentence of untagged) {
      const [ours, theirs] = [combined.annotate(sentence), B.annotate(sentence)];
      expect(ours.words.map(({ deprel }) => deprel)).toEqual(theirs.words.map(({ deprel }) => deprel));
      expect(ours.words.map(({ upos }) => upos)).toEqual(A.annotate(sentence).words.map(({ upos }) => upos));
    }
    for (const sentence of SENTENCES.slice(100, 110)) {
      const retagged = [combined, B].map((one) => one.annotate(sentence, { retag: true }));
      expect(retagged[0]!.words.map(({ deprel }) => deprel)).toEqual(retagged[1]!.words.map(({ deprel }) => deprel));
      const [ours, theirs] = [combined.annotate(sentence), B.annotate(sentence)];
      expect(ours.toConllu()).toBe(theirs.toConllu());
    }
  });

  test("heads to be kept are kept", () => {
    const combined = combine([A, B]);
    const sentence = combined.parseTokens([{ form: "Mina", head: 3 }, "sells", "boats", "."], { scores: true });
    expect(sentence.words[0]!.headIndex).toBe(3);
  });

  test("is written to a file and read again, also inside another, and shared with threads", async () => {
    const combined = combine([A, B, C], { weights: [2, 1, 1.5] });
    const bytes = writeModel(combined.model);
    const again = await load(bytes);
    expect(again.model.parser).toBeInstanceOf(CombinedModel);
    expect(treesOf(again)).toBe(treesOf(combined));
    expect(writeModel(again.model)).toEqual(bytes);
    expect(() => readModel(bytes)).toThrow('import { combination } from "@stemma/core/combination"');
    expect(treesOf(new Pipeline(readModel(bytes, { programs: [program] })))).toBe(treesOf(combined));
    const nested = combine([B, again], { weights: [1, 2] });
    expect(treesOf(await load(writeModel(nested.model)))).toBe(treesOf(nested));
    expect(treesOf(nested, "Lopa likes ponds.", false)).toContain("Lopa");
    const attached = new Pipeline(await attachModel(shareModel(combined.model, 2), 1));
    expect(treesOf(attached)).toBe(treesOf(combined));
  });

  test("a damaged member is reported", () => {
    const bytes = writeModel(combine([A, C]).model);
    const text = new TextDecoder("latin1").decode(bytes);
    const at = text.indexOf('"weights":[1,1]');
    const bad = bytes.slice();
    bad.set(new TextEncoder().encode('"weights":[1,0]'), at);
    expect(() => readModel(bad, { programs: [program] })).toThrow();
    // With checksums that fit, but for that within the member, which is the last section.
    const member = text.lastIndexOf(text.slice(0, 8));
    const inner = bytes.slice();
    inner[inner.length - 1]! ^= 1;
    new DataView(inner.buffer).setUint32(member - 4, crc32(inner.subarray(member)), true);
    expect(() => readModel(inner, { source: "m.stemma", programs: [program] })).toThrow(
      /^m\.stemma: invalid section of the parser's member: /,
    );
  });

  test("what cannot be asked is refused with the reason", async () => {
    const combined = combine([A, B]);
    expect(() => [...combined.parse(TEXT, { trees: 2 })]).toThrow(/cannot find several trees: several models vote/);
    expect(() => combine([A])).toThrow("invalid models: 1 (expected two or more)");
    expect(() => combine([A, B], { weights: [1] })).toThrow("expected 2 above 0, one for each model");
    expect(() => combine([A, {} as Pipeline])).toThrow("expected an array of what load gives");
    await expect(load(writeModel(combined.model), { beam: 4 })).rejects.toThrow(/cannot search with a beam/);
  });
});
