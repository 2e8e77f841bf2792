import { readTreebank, type Sentence } from "@stemma/core";
import type { SentenceData } from "../../protocol/requests.js";

const known = new WeakMap<SentenceData, Sentence | undefined>();

/** A sentence as it came in, before a model filled anything in; undefined if it cannot be read. */
export function originalOf(data: SentenceData): Sentence | undefined {
  if (!known.has(data)) {
    let sentence: Sentence | undefined;
    try {
      [sentence] = readTreebank(data.conllu, { allowNonTrees: true });
    } catch {
      // What could not be read is not shown either.
    }
    known.set(data, sentence);
  }
  return known.get(data);
}

/** The columns of a word that were empty and that the model filled in. */
export function filledIn(data: SentenceData, word: number): Set<"lemma" | "upos" | "xpos" | "feats"> {
  const original = originalOf(data);
  const columns = [
    ["lemma", data.lemmas],
    ["upos", data.upos],
    ["xpos", data.xpos],
    ["feats", data.feats],
  ] as const;
  const filled = columns.filter(([name, values]) => original?.[name](word) === "_" && values[word] !== "_");
  return new Set(filled.map(([name]) => name));
}
