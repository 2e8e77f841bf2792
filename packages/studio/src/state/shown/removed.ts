import { REMOVALS, removedWords } from "@stemma/core/treebank";
import { removedMarks } from "../../protocol/removed-marks.js";
import type { SentenceData, Tree } from "../../protocol/requests.js";
import { originalOf } from "./original.js";

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
