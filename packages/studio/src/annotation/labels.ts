import type { SentenceData, Tree } from "../protocol.js";
import { modelInfo } from "../state.js";

/** The relations of Universal Dependencies, for pages without a model. */
const UNIVERSAL =
  "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative xcomp".split(
    " ",
  );

/** The labels to choose from: those of the model or of Universal Dependencies, and those of the sentence. */
export function labelsFor(sentence: SentenceData | undefined, tree: Tree | undefined): string[] {
  const own = [...(sentence?.gold?.labels ?? []), ...(sentence?.predicted?.labels ?? []), ...(tree?.labels ?? [])];
  return [...new Set([...(modelInfo.value?.labels ?? UNIVERSAL), ...own])].filter((label) => label !== "").sort();
}
