import type { Sentence } from "@stemma/core";

/** Letters, digits and what can stand within a word. */
const INNER = "\\p{L}\\p{M}\\p{N}'";
/** Scripts without spaces between words: there a word may begin and end anywhere. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Finds whole words and phrases, whatever their case: words of the tree (`n't`), tokens of the text (`don't`), and
 * words in a row as they stand in the text. A star stands for any letters: `be*`. Undefined for an empty query.
 */
export function wordMatcher(query: string): ((sentence: Sentence) => boolean) | undefined {
  const wanted = plain(query).trim();
  if (wanted === "") return undefined;
  const inner = wanted
    .split(/(\*|\s+)/)
    .map((part) => (part === "*" ? `[${INNER}]*` : /^\s+$/.test(part) ? "\\s+" : escaped(part)))
    .join("");
  const edge = (letter: string, look: string) =>
    letter === "*" || !new RegExp(`[${INNER}]`, "u").test(letter) || UNSPACED.test(letter)
      ? ""
      : `(?${look}[${INNER}])`;
  const letters = Array.from(wanted);
  const inText = new RegExp(`${edge(letters[0]!, "<!")}${inner}${edge(letters.at(-1)!, "!")}`, "u");
  const whole = new RegExp(`^${inner}$`, "u");
  const isPhrase = /\s/.test(wanted);
  return (sentence) => {
    if (inText.test(textOf(sentence))) return true;
    if (isPhrase) return inText.test(plain(surfaceForms(sentence).join(" ")));
    return surfaceForms(sentence).some((form) => whole.test(plain(form)));
  };
}

/** Case and the kinds of apostrophes do not count. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[’ʼ＇]/g, "'");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function surfaceForms(sentence: Sentence): string[] {
  return Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1));
}

/** The text as it is written, or its tokens where the sentence does not tell. */
function textOf(sentence: Sentence): string {
  if (sentence.text !== undefined) return plain(sentence.text);
  const tokens = sentence.multiWordTokens;
  const forms: string[] = [];
  for (let i = 1; i <= sentence.length; i++) {
    const token = tokens.find(({ from }) => from === i);
    forms.push(token ? token.form : sentence.form(i));
    if (token) i = token.to;
  }
  return plain(forms.join(" "));
}
