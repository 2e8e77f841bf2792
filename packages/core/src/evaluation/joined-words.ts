import type { Sentence } from "../treebank/sentence/sentence.js";
import { isPunctuationWord, type Punctuation } from "./punctuation.js";
import type { Label } from "./universal.js";

/**
 * The words of neighbouring sentences, numbered from 1 through all of them; as a head, 0 is the root of any of them.
 * Arrays have length + 1 elements; the one at 0 is unused.
 */
export interface JoinedWords {
  readonly length: number;
  readonly sentences: readonly Sentence[];
  /** The number of words before each sentence, and of all words at the end. */
  readonly before: readonly number[];
  readonly heads: Int32Array;
  readonly labels: readonly Label[];
  readonly upos: readonly string[];
  /** 1 for words that count as punctuation. */
  readonly punctuation: Uint8Array;
}

/** Puts sentences together. */
export function joinedWords(
  sentences: readonly Sentence[],
  label: (written: string) => Label,
  punctuationBy: Punctuation,
): JoinedWords {
  const before = [0];
  for (const sentence of sentences) before.push(before.at(-1)! + sentence.length);
  const length = before.at(-1)!;
  const labels: Label[] = [label("_")];
  const upos: string[] = ["_"];
  const punctuation = new Uint8Array(length + 1);
  const heads = new Int32Array(length + 1).fill(-1);
  sentences.forEach((sentence, k) => {
    const offset = before[k]!;
    for (let i = 1; i <= sentence.length; i++) {
      labels.push(label(sentence.deprel(i)));
      upos.push(sentence.upos(i));
      if (isPunctuationWord(sentence, i, punctuationBy)) punctuation[offset + i] = 1;
      const head = sentence.head(i);
      heads[offset + i] = head <= 0 ? head : offset + head;
    }
  });
  return { length, sentences, before, heads, labels, upos, punctuation };
}
