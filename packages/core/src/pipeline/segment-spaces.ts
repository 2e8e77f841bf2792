// White space in CoNLL-U, so that the text can be rebuilt from it: SpaceAfter=No, and UDPipe's SpacesAfter and SpacesBefore for anything
// but one space (Straka & Straková 2017).
import type { Sentence, SentenceInput } from "../treebank/sentence.js";
import type { RawSentence } from "./segmenter.js";

const ESCAPES: Readonly<Record<string, string>> = {
  " ": "\\s",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "|": "\\p",
  "\\": "\\\\",
};
const UNESCAPES = new Map(Object.entries(ESCAPES).map(([character, escaped]) => [escaped, character]));

/** White space as it is written in MISC. Other than UDPipe, which leaves rare kinds as they are, these become \uXXXX. */
export function escapeSpaces(spaces: string): string {
  let escaped = "";
  for (let i = 0; i < spaces.length; i++) {
    escaped += ESCAPES[spaces[i]!] ?? `\\u${spaces.charCodeAt(i).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

/** What escapeSpaces encoded. */
export function unescapeSpaces(escaped: string): string {
  return escaped.replace(/\\(?:u([0-9a-fA-F]{4})|[strnp\\])/g, (sequence, code: string | undefined) =>
    code === undefined ? UNESCAPES.get(sequence)! : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** The MISC column of each token of a sentence: the white space around it. */
export function spacesMisc(sentence: RawSentence): string[] {
  const { tokens, text, start, before } = sentence;
  return tokens.map(({ end }, t) => {
    const next = t + 1 < tokens.length ? tokens[t + 1]!.start - start : text.length;
    const after = text.slice(end - start, next);
    const values: string[] = [];
    if (t === 0 && before !== "") values.push(`SpacesBefore=${escapeSpaces(before)}`);
    if (after === "") values.push("SpaceAfter=No");
    else if (after !== " ") values.push(`SpacesAfter=${escapeSpaces(after)}`);
    return values.join("|") || "_";
  });
}

/** A sentence of CoNLL-U with the words, multi-word tokens, text and white space of a segmented one, and nothing else. */
export function sentenceInput(sentence: RawSentence): SentenceInput {
  const misc = spacesMisc(sentence);
  const words: { form: string; misc?: string }[] = [];
  const multiWordTokens: { from: number; to: number; form: string; misc: string }[] = [];
  sentence.tokens.forEach((token, t) => {
    if (token.words === undefined) {
      words.push({ form: token.form, misc: misc[t]! });
      return;
    }
    const from = words.length + 1;
    for (const form of token.words) words.push({ form });
    multiWordTokens.push({ from, to: words.length, form: token.form, misc: misc[t]! });
  });
  const text = sentence.text.slice(0, sentence.end - sentence.start).replace(/[\s\u0085]+/g, " ");
  return { words, multiWordTokens, comments: [`# text = ${text}`] };
}

/** The text that sentences were cut from, by their tokens and the white space in MISC. */
export function textOf(sentences: Iterable<Sentence>): string {
  const parts: string[] = [];
  for (const sentence of sentences) {
    const multi = sentence.multiWordTokens;
    let next = 0;
    for (let i = 1; i <= sentence.length; i++) {
      const token = multi[next]?.from === i ? multi[next++] : undefined;
      const values = (token?.misc ?? sentence.misc(i)).split("|");
      parts.push(unescapeSpaces(miscValue(values, "SpacesBefore") ?? ""), token?.form ?? sentence.form(i));
      const after = miscValue(values, "SpacesAfter");
      parts.push(after !== undefined ? unescapeSpaces(after) : values.includes("SpaceAfter=No") ? "" : " ");
      i = token?.to ?? i;
    }
  }
  return parts.join("");
}

function miscValue(values: readonly string[], key: string): string | undefined {
  return values.find((value) => value.startsWith(`${key}=`))?.slice(key.length + 1);
}
