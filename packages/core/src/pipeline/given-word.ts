import type { PartialTree } from "../search/constraints/tree-constraints.js";
import { NONE } from "../systems/configuration.js";
import type { GivenTags } from "./tagger/agreeing-analyses.js";

/** A token with what is known about it; what is left out, or undefined, is free. */
export interface GivenWord extends GivenTags {
  form: string;
  lemma?: string | undefined;
  /** The number of its head, from 1, or 0 if it is the root. */
  head?: number | undefined;
  deprel?: string | undefined;
}

/** The tags that are known of each word, for a tagger; undefined if none are. */
export function givenTags(words: readonly (Partial<GivenWord> | undefined)[]): (GivenTags | undefined)[] | undefined {
  let any = false;
  const tags = words.map((word) => {
    if (!word || (word.upos === undefined && word.xpos === undefined && word.feats === undefined)) return undefined;
    any = true;
    return word;
  });
  return any ? tags : undefined;
}

/** The heads and labels that are known, words from 1; undefined if none are. */
export function givenTree(words: readonly (Partial<GivenWord> | undefined)[]): PartialTree | undefined {
  if (words.every((word) => (word?.head ?? NONE) === NONE && word?.deprel === undefined)) return undefined;
  return {
    heads: [NONE, ...words.map((word) => word?.head ?? NONE)],
    labels: [undefined, ...words.map((word) => word?.deprel)],
  };
}
