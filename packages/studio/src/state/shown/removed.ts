import { REMOVALS } from "@stemma/core/treebank";

/** Names for the numbers of `REMOVALS`. */
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
