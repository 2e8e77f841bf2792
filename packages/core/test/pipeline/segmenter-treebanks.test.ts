// Segmenters trained on real treebanks reach what docs/segmentation.md says, but for a little.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { align, TokenSpans } from "../../src/evaluation/alignment.js";
import { plainText, surfaceOf } from "../../src/pipeline/segmenter/segment-text.js";
import { Segmenter } from "../../src/pipeline/segmenter/segmenter.js";
import { trainSegmenter } from "../../src/training/segmenter/segmenter-training.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { textOf } from "../../src/treebank/sentence/spaces.js";
import { sentenceInput } from "./raw-sentences.js";

const folder = new URL("../../../../../shared/treebanks/", import.meta.url);
const present = existsSync(folder);
if (!present) console.log("segmenter: ../shared/treebanks is not there, tests with treebanks are skipped");

const expected: readonly (readonly [string, number, number, number])[] = [
  ["el_gdt", 0.995, 0.995, 0.93],
  ["en_ewt", 0.988, 0.985, 0.8],
];

test.skipIf(!present).each(expected)("%s", { timeout: 120_000 }, (name, tokens, words, sentences) => {
  const read = (part: string) => readTreebank(readFileSync(new URL(`${name}-ud-${part}.conllu`, folder)));
  const segmenter = new Segmenter(trainSegmenter(read("train")));
  const dev = read("dev");
  const { text } = plainText(dev.map(surfaceOf));
  const found = [...segmenter.segment(text)].map((sentence) => Sentence.from(sentenceInput(sentence)));
  expect(textOf(found) === text).toBe(true);
  const [gold, system] = [new TokenSpans(), new TokenSpans()];
  for (const sentence of dev) gold.add(sentence, "gold");
  for (const sentence of found) system.add(sentence, "system");
  const alignment = align(gold, system);
  const f1 = (same: number, a: number, b: number) => (2 * same) / (a + b);
  expect(f1(alignment.sameTokens, alignment.goldTokens, alignment.systemTokens)).toBeGreaterThan(tokens);
  expect(f1(alignment.alignedWords, gold.forms.length, system.forms.length)).toBeGreaterThan(words);
  expect(f1(alignment.sameSentences.length, dev.length, found.length)).toBeGreaterThan(sentences);
});
