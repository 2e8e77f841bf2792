// White space in CoNLL-U, so that the text can be rebuilt from it: SpaceAfter=No, and UDPipe's SpacesAfter and
// SpacesBefore for anything but one space (Straka & Straková 2017).

import { check, SENTENCES, STRING } from "../../checks/options.js";
import { having } from "../../checks/shapes.js";

const ESCAPES: Readonly<Record<string, string>> = {
  " ": "\\s",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "|": "\\p",
  "\\": "\\\\",
};
const UNESCAPES = new Map(Object.entries(ESCAPES).map(([character, escaped]) => [escaped, character]));

/** White space as it is written in MISC. Unlike in UDPipe, which leaves rare kinds as they are, these become \uXXXX. */
export function escapeSpaces(spaces: string): string {
  let escaped = "";
  for (let i = 0; i < spaces.length; i++) {
    escaped += ESCAPES[spaces[i]!] ?? `\\u${spaces.charCodeAt(i).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

/** The text that escapeSpaces encoded. */
export function unescapeSpaces(escaped: string): string {
  return escaped.replace(/\\(?:u([0-9a-fA-F]{4})|[strnp\\])/g, (sequence, code: string | undefined) =>
    code === undefined ? UNESCAPES.get(sequence)! : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** White space around a token. */
interface Spaces {
  readonly spacesBefore: string;
  readonly spacesAfter: string;
}

/** The MISC items for the white space before and after a token; none for one space. */
export function spaceValues({ spacesBefore, spacesAfter }: Spaces): string[] {
  const values: string[] = [];
  if (spacesBefore !== "") values.push(`SpacesBefore=${escapeSpaces(spacesBefore)}`);
  if (spacesAfter === "") values.push("SpaceAfter=No");
  else if (spacesAfter !== " ") values.push(`SpacesAfter=${escapeSpaces(spacesAfter)}`);
  return values;
}

/** The white space that MISC has before a token. */
export function spacesBefore(misc: string): string {
  return unescapeSpaces(miscValue(misc, "SpacesBefore") ?? "");
}

/** The white space that MISC has after a token; one space if it says nothing. */
export function spacesAfter(misc: string): string {
  if (misc === "_") return " ";
  const after = miscValue(misc, "SpacesAfter");
  return after !== undefined ? unescapeSpaces(after) : hasNoSpaceAfter(misc) ? "" : " ";
}

export function hasNoSpaceAfter(misc: string): boolean {
  return misc !== "_" && misc.split("|").includes("SpaceAfter=No");
}

/**
 * Whether white space between two sentences parts paragraphs: it has two line ends (LF, CR, CR LF, VT, NEL, U+2028),
 * U+2029 or a form feed.
 */
export function isParagraphBreak(spaces: string): boolean {
  if (spaces === " " || spaces === "") return false;
  const ends = /[\n\r\v\u0085\u2028]/g;
  return /[\u2029\f]/.test(spaces) || (spaces.replaceAll("\r\n", "\n").match(ends)?.length ?? 0) > 1;
}

/** White space, as a separator of tokens. */
export function isSpace(character: string): boolean {
  return /[\s\u0085]/.test(character);
}

/** Whether a text ends in a paragraph break, so that what follows begins a paragraph. */
export function endsInParagraphBreak(text: string): boolean {
  check("text", text, STRING);
  let from = text.length;
  while (from > 0 && isSpace(text[from - 1]!)) from--;
  return isParagraphBreak(text.slice(from));
}

/** The parts that the text of a sentence is built from. */
export interface WrittenWords {
  /** How many words it has. */
  readonly length: number;
  /** Tokens of several words. */
  readonly multiWordTokens: readonly { readonly from: number; readonly to: number; form: string; misc: string }[];
  /**
   * The form of a word.
   * @param i the number of the word, from 1
   */
  form(i: number): string;
  /**
   * The column MISC of a word as text, as in CoNLL-U.
   * @param i the number of the word, from 1
   */
  misc(i: number): string;
}

const WRITTEN = having("a sentence", "form", "misc");

/**
 * The text that sentences were cut from, by their tokens and the white space in MISC.
 * @param sentences sentences with the white space in MISC
 */
export function textOf(sentences: Iterable<WrittenWords>): string {
  check("sentences", sentences, SENTENCES);
  const parts: string[] = [];
  for (const sentence of sentences) {
    check("sentence", sentence, WRITTEN);
    const multi = sentence.multiWordTokens;
    let next = 0;
    for (let i = 1; i <= sentence.length; i++) {
      const token = multi[next]?.from === i ? multi[next++] : undefined;
      const misc = token?.misc ?? sentence.misc(i);
      parts.push(spacesBefore(misc), token?.form ?? sentence.form(i), spacesAfter(misc));
      i = token?.to ?? i;
    }
  }
  return parts.join("");
}

/** The text of a sentence as `# text` has it: one space between tokens, or none. */
export function surfaceText(sentence: WrittenWords): string {
  check("sentence", sentence, WRITTEN);
  const multi = sentence.multiWordTokens;
  let text = "";
  let next = 0;
  for (let i = 1; i <= sentence.length; i++) {
    const token = multi[next]?.from === i ? multi[next++] : undefined;
    text += (token?.form ?? sentence.form(i)) + (hasNoSpaceAfter(token?.misc ?? sentence.misc(i)) ? "" : " ");
    i = token?.to ?? i;
  }
  return text.trimEnd();
}

function miscValue(misc: string, key: string): string | undefined {
  if (misc === "_" || !misc.includes(key)) return undefined;
  return misc
    .split("|")
    .find((value) => value.startsWith(`${key}=`))
    ?.slice(key.length + 1);
}
