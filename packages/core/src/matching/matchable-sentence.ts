import type { Column } from "../treebank/formats/layout.js";
import { commentValue } from "../treebank/sentence/comments.js";

import { isProjective } from "../treebank/tree.js";
import { type Attribute, valueIn } from "./attributes.js";

/** The part of a sentence that patterns need; heads[0] is unused, -1 means no head. */
export interface MatchableSentence extends Readonly<Record<Column, (i: number) => string>> {
  /** How many words it has. */
  readonly length: number;
  /** The head of each word, 0 for the root, -1 for none; index 0 is unused. */
  readonly heads: ArrayLike<number>;
  /** The lines before the words, with their #. */
  readonly comments: readonly string[];
}

/** The value of an attribute of word i, undefined for none; flags have the value "". */
export function wordValue(sentence: MatchableSentence, attribute: Attribute, i: number): string | undefined {
  switch (attribute.kind) {
    case "column":
      return valueIn(sentence[attribute.column](i), attribute);
    case "id":
      return String(i);
    default:
      return hasFlag(sentence, attribute.kind, i) ? "" : undefined;
  }
}

export function hasFlag(sentence: MatchableSentence, flag: "first" | "last" | "root", i: number): boolean {
  if (flag === "root") return sentence.heads[i] === 0;
  return i === (flag === "first" ? 1 : sentence.length);
}

/** The length of a sentence, whether it is projective ("" or undefined), or the value of a comment. */
export function sentenceValue(sentence: MatchableSentence, name: string): string | undefined {
  if (name === "length") return String(sentence.length);
  if (name === "projective") return isProjective(Int32Array.from(sentence.heads)) ? "" : undefined;
  return commentValue(sentence.comments, name === "id" ? "sent_id" : name);
}
