import type { Sentence } from "../treebank/sentence/sentence.js";

/**
 * Definitions of punctuation: words with the UPOS PUNCT, words of punctuation characters only (Unicode's category P, as
 * in the scorer of CoNLL-X), or words whose form, UPOS or XPOS is in a set.
 */
export type Punctuation = "upos" | "unicode" | ReadonlySet<string>;

/** Whether a form has punctuation characters only. */
export function isPunctuationForm(form: string): boolean {
  return /^\p{P}+$/u.test(form);
}

/** Whether word i of a sentence is punctuation. */
export function isPunctuationWord(sentence: Sentence, i: number, by: Punctuation): boolean {
  if (by === "upos") return sentence.upos(i) === "PUNCT";
  if (by === "unicode") return isPunctuationForm(sentence.form(i));
  return by.has(sentence.form(i)) || by.has(sentence.upos(i)) || by.has(sentence.xpos(i));
}
