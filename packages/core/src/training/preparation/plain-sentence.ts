import { check } from "../../checks/options.js";
import { SENTENCE } from "../../checks/shapes.js";
import { inPlainTypography } from "../../pipeline/typography/plain-typography.js";
import { readTreebank } from "../../treebank/formats/reader.js";
import type { Sentence } from "../../treebank/sentence/sentence.js";

/** A sentence to train on, in the typography in which a pipeline reads text; itself if it is written so. */
export function plainSentence(sentence: Sentence): Sentence {
  check("sentence", sentence, SENTENCE);
  const text = sentence.toConllu();
  const plain = inPlainTypography(text);
  return plain === text ? sentence : readTreebank(plain, { line: Math.max(1, sentence.line), allowNonTrees: true })[0]!;
}
