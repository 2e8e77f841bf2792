import type { Sentence } from "@stemma/core";
import { REMOVALS, removedWords } from "@stemma/core/treebank";
import { originalOf } from "../input/original.js";
import type { SentenceData, Tree } from "../protocol.js";

/** What words are removed as, by the numbers of `REMOVALS`. */
const KINDS = ["", "an interjection", "a discourse marker", "a reparandum"];
const MEANINGS = ["", "a sound that fills a pause", "a phrase such as “I mean”", "words that the speaker takes back"];

/** "as an interjection" */
export function removedAs(kind: number): string {
  return `as ${KINDS[kind]}`;
}

/** The same with what it means. */
export function explainRemoval(kind: number): string {
  return `${removedAs(kind)} (${REMOVALS[kind]}): ${MEANINGS[kind]}`;
}

/**
 * As what each word of a given tree is removed, a number of `REMOVALS`; undefined if all stay. `Removed=` in MISC says
 * it; where nothing does, the labels do, if there is a filler or a reparandum: `discourse` alone is also in texts that
 * nobody stumbles over.
 */
export function removedInTree(data: SentenceData, { heads, labels }: Tree): readonly number[] | undefined {
  const marks = data.conllu.includes("Removed=") ? originalOf(data) : undefined;
  const marked = marks && removedMarks(marks);
  if (marked) return marked;
  if (labels.every((label) => label !== "discourse:filler" && !/^reparandum(:|$)/.test(label))) return undefined;
  const removed = removedWords(heads, labels);
  return removed && Array.from(removed);
}

/** What `Removed=` in MISC says of each word; undefined if it says nothing. */
export function removedMarks(sentence: Sentence): number[] | undefined {
  const kinds = [0];
  for (let i = 1; i <= sentence.length; i++) {
    const [, kind = ""] = /(?:^|\|)Removed=(\w+)/.exec(sentence.misc(i)) ?? [];
    kinds.push(Math.max(0, (REMOVALS as readonly string[]).indexOf(kind)));
  }
  return kinds.some((kind) => kind > 0) ? kinds : undefined;
}
