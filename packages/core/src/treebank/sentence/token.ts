import type { MultiWordToken } from "./columns.js";
import { isSpace, spacesAfter, spacesBefore } from "./spaces.js";

/** A piece of text that stands for one word, or for several, such as "don't". */
export interface Token {
  /** As written. */
  readonly form: string;
  /** Its offset in the text, in UTF-16 units. */
  readonly start: number;
  /** Where it ends in the text. */
  readonly end: number;
  /** Its words: the numbers of the first and the last. */
  readonly from: number;
  /** The number of its last word. */
  readonly to: number;
  /** White space between the token before and this one, where that does not say it, and after this one. */
  readonly spacesBefore: string;
  /** The white space after it. */
  readonly spacesAfter: string;
}

/** The tokens of a sentence, and whether it is known where they are in a longer text. */
export interface Surface {
  readonly tokens: readonly Token[];
  readonly hasRanges: boolean;
}

/** Where the words `from` to `to` are. */
type Ranges = (from: number, to: number) => { start: number; end: number };

/** The data that tokens are made from. */
interface Columns {
  readonly length: number;
  readonly multiWordTokens: readonly MultiWordToken[];
  form(i: number): string;
  misc(i: number): string;
}

/**
 * The tokens of a sentence that says in MISC where they are, or else what spaces are between them. Without TokenRange
 * the sentence begins at 0; the spaces are then those of its text, if it has one with the same tokens.
 */
export function tokensOf(sentence: Columns, text: string | undefined, known?: Ranges): Surface {
  const tokens: Token[] = [];
  let hasRanges = true;
  let at = 0;
  const multi = sentence.multiWordTokens;
  let next = 0;
  for (let i = 1; i <= sentence.length; i++) {
    const whole = multi[next]?.from === i ? multi[next++] : undefined;
    const form = whole?.form ?? sentence.form(i);
    const misc = whole?.misc ?? sentence.misc(i);
    const range = known?.(i, whole?.to ?? i) ?? rangeOf(misc);
    hasRanges &&= range !== undefined;
    // Before the first token the text of the sentence has no space.
    const before = spacesBefore(misc);
    if (tokens.length > 0) at += before.length;
    const { start, end } = range ?? { start: at, end: at + form.length };
    const token = { form, start, end, from: i, to: whole?.to ?? i, spacesBefore: before };
    tokens.push({ ...token, spacesAfter: spacesAfter(misc) });
    at = end + tokens[tokens.length - 1]!.spacesAfter.length;
    i = token.to;
  }
  const found = hasRanges || text === undefined ? undefined : aligned(text, tokens);
  return { tokens: found ?? tokens, hasRanges };
}

/** The place of a word in the text. */
export interface WordPlace {
  readonly start: number;
  readonly end: number;
  /** Whether it is that of the word alone, and not that of a token of several words. */
  readonly isOwn: boolean;
}

/**
 * The place of word i, which belongs to the token: a part of the token if its words, one after the other, are what is
 * written ("do" and "n't" of "don't"), else the whole ("de" and "le" of "du").
 */
export function placeOfWord(sentence: { form(i: number): string }, token: Token, i: number): WordPlace {
  const { form, from, to, start, end } = token;
  if (from === to) return { start, end, isOwn: true };
  let written = "";
  let at = 0;
  for (let k = from; k <= to; k++) {
    if (k === i) at = written.length;
    written += sentence.form(k);
  }
  if (written !== form || end - start !== form.length) return { start, end, isOwn: false };
  return { start: start + at, end: start + at + sentence.form(i).length, isOwn: true };
}

/** The range in TokenRange of MISC. */
export function rangeOf(misc: string): { start: number; end: number } | undefined {
  const found = misc.includes("TokenRange=") ? /(?:^|\|)TokenRange=(\d{1,15}):(\d{1,15})(?:\||$)/.exec(misc) : null;
  return found ? { start: Number(found[1]), end: Number(found[2]) } : undefined;
}

/** The tokens where they are in the text; undefined if they are not all found in it. */
function aligned(text: string, tokens: readonly Token[]): Token[] | undefined {
  const found: Token[] = [];
  let at = 0;
  for (const token of tokens) {
    const after = at;
    while (at < text.length && isSpace(text[at]!)) at++;
    if (!text.startsWith(token.form, at)) return undefined;
    const previous = found[found.length - 1];
    if (previous) found[found.length - 1] = { ...previous, spacesAfter: text.slice(after, at) };
    found.push({ ...token, start: at, end: at + token.form.length, spacesBefore: previous ? "" : token.spacesBefore });
    at += token.form.length;
  }
  return found;
}
