import type { Tree } from "../../protocol/sentence.js";
import type { ShownSentence } from "../shown/sentence.js";
import { modelInfo, place } from "../shown/state.js";
import { treebank } from "./treebank.js";

/** The relations of Universal Dependencies. */
const UNIVERSAL =
  "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative xcomp".split(
    " ",
  );

/**
 * The labels to choose from: those of the treebank that a sentence is from, or of the model, or of Universal
 * Dependencies; and its own.
 */
export function labelsFor(sentence: ShownSentence | undefined, tree: Tree | undefined): string[] {
  const file = treebank.value;
  const known =
    file && place.value?.key === file.key
      ? Object.keys(file.statistics.deprel)
      : [...(modelInfo.value?.labels ?? []), ...UNIVERSAL];
  const own = [...(sentence?.gold?.labels ?? []), ...(tree?.labels ?? [])];
  return [...new Set([...known, ...own])].filter((label) => label !== "" && label !== "_").sort();
}
