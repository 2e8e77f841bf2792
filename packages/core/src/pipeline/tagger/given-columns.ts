import type { Sentence } from "../../treebank/sentence/sentence.js";
import type { KnownWord } from "../given-word.js";
import type { TaggerHeader } from "./tagger-header.js";

/** The columns that a pipeline fills before parsing. */
export const TAG_COLUMNS = ["lemma", "upos", "xpos", "feats"] as const;
type TagColumn = (typeof TAG_COLUMNS)[number];

/**
 * The known facts of the words of a treebank sentence (from 0) and what is to be predicted: the columns that are
 * undefined. Nothing at all is predicted, and the result undefined, unless a word lacks a tag. A word lacks one if it
 * has "_" where the tagger never gives that; "_" in LEMMA or FEATS alone may well be meant. Of a word that lacks a tag
 * all that is "_" is predicted, and of other words in such a sentence the columns that are empty throughout.
 */
export function givenColumns(
  sentence: Sentence,
  { upos, xpos }: TaggerHeader,
  retag: boolean,
): KnownWord[] | undefined {
  const n = sentence.length;
  if (retag) return Array.from({ length: n }, () => ({}));
  const empty = TAG_COLUMNS.filter((column) => isEmpty(sentence, column));
  const isLack = (column: "upos" | "xpos", values: string[]) =>
    empty.includes(column)
      ? () => column === "upos" || values.some((value) => value !== "_")
      : (i: number) => sentence[column](i) === "_" && !values.includes("_");
  const lacksUpos = isLack("upos", upos);
  const lacksXpos = isLack("xpos", xpos);
  let any = false;
  const words: KnownWord[] = [];
  for (let i = 1; i <= n; i++) {
    const lacks = lacksUpos(i) || lacksXpos(i);
    const word: KnownWord = {};
    for (const column of TAG_COLUMNS) {
      const value = sentence[column](i);
      if (!(value === "_" && (lacks || empty.includes(column)))) word[column] = value;
    }
    any ||= lacks;
    words.push(word);
  }
  return any ? words : undefined;
}

function isEmpty(sentence: Sentence, column: TagColumn): boolean {
  for (let i = 1; i <= sentence.length; i++) if (sentence[column](i) !== "_") return false;
  return true;
}
