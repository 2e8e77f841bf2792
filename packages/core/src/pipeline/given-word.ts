import type { PartialTree } from "../search/constraints/tree-constraints.js";
import { NONE } from "../systems/configuration.js";
import { type Attributes, formatAttributes } from "../treebank/sentence/attributes.js";
import type { RawSentence, RawToken } from "./segmenter/segmenter.js";
import type { GivenTags } from "./tagger/agreeing-analyses.js";

/** The known facts of a word, with its features as text. */
export type KnownWord = Omit<Partial<GivenWord>, "feats"> & GivenTags;

/** The known facts of each word of a sentence before it is tagged and parsed. */
export type KnownWords = readonly (KnownWord | undefined)[];

/** A token with its known values; the parser chooses those that are left out or undefined. */
export interface GivenWord extends Omit<GivenTags, "feats"> {
  /** The word, as written. */
  form: string;
  /** As text ("Case=Nom|Number=Sing") or by name; "_" or {} for a word without features. */
  feats?: string | Readonly<Attributes> | undefined;
  /** Its lemma, if it is known. */
  lemma?: string | undefined;
  /** The number of its head, from 1, or 0 if it is the root. */
  head?: number | undefined;
  /** The relation to its head, if it is known. */
  deprel?: string | undefined;
}

/** A token for `parseTokens`: what is known of it, and its place in the text if that is not one space further. */
export interface GivenToken extends GivenWord {
  /** Whether a space follows; true if not given. Of no effect if the next token has `start`. */
  spaceAfter?: boolean | undefined;
  /** Its offset in the text, in UTF-16 units; all that is between two tokens is taken to be spaces. */
  start?: number | undefined;
}

/** The tags that are known of each word, for a tagger; undefined if none are. */
export function givenTags(words: KnownWords): (GivenTags | undefined)[] | undefined {
  let any = false;
  const tags = words.map((word) => {
    if (!word || (word.upos === undefined && word.xpos === undefined && word.feats === undefined)) return undefined;
    any = true;
    return word;
  });
  return any ? tags : undefined;
}

/** The heads and labels that are known, words from 1; undefined if none are. */
export function givenTree(words: KnownWords): PartialTree | undefined {
  if (words.every((word) => (word?.head ?? NONE) === NONE && word?.deprel === undefined)) return undefined;
  return {
    heads: [NONE, ...words.map((word) => word?.head ?? NONE)],
    labels: [undefined, ...words.map((word) => word?.deprel)],
  };
}

/** The sentence of words, separated by spaces where nothing else is said, and what is known of them. */
export function sentenceOfWords(words: readonly (string | GivenToken)[]): { raw: RawSentence; known?: KnownWords } {
  const tokens: RawToken[] = [];
  let text = "";
  let first = 0;
  let space = "";
  words.forEach((word, i) => {
    const { form, start, spaceAfter = true } = typeof word === "string" ? { form: word } : word;
    if (i === 0) first = start ?? 0;
    const gap = start === undefined ? space.length : start - first - text.length;
    if (gap < 0) {
      const expected = `from ${first + text.length}, where the token before ends`;
      throw new RangeError(`invalid start of word ${i + 1}: ${start} (expected ${expected})`);
    }
    text += " ".repeat(gap);
    const at = first + text.length;
    tokens.push({ start: at, end: at + form.length, form });
    text += form;
    space = spaceAfter ? " " : "";
  });
  const raw = { start: first, end: first + text.length, tokens, before: "", text: text + space };
  const given = words.map((word) => (typeof word === "object" ? knownWord(word) : undefined));
  return given.some((word) => word !== undefined) ? { raw, known: given } : { raw };
}

/** The word with its features as text; a TypeError if they are neither that nor an object of texts. */
function knownWord({ feats, spaceAfter, start, ...word }: GivenToken): KnownWord {
  return feats === undefined ? word : { ...word, feats: formatAttributes("feats", feats) };
}
