// White space in CoNLL-U, so that the text can be rebuilt from it: SpaceAfter=No, and UDPipe's SpacesAfter and
// SpacesBefore for anything but one space (Straka & Straková 2017).
import type { Sentence } from "../treebank/sentence.js";

const ESCAPES: Readonly<Record<string, string>> = {
  " ": "\\s",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "|": "\\p",
  "\\": "\\\\",
};
const UNESCAPES = new Map(Object.entries(ESCAPES).map(([character, escaped]) => [escaped, character]));

/**
 * White space as it is written in MISC. Unlike in UDPipe, which leaves rare kinds as they are, these become \uXXXX.
 */
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

/** What MISC says of the white space before and after a token; nothing for one space. */
export function spaceValues(before: string, after: string): string[] {
  const values: string[] = [];
  if (before !== "") values.push(`SpacesBefore=${escapeSpaces(before)}`);
  if (after === "") values.push("SpaceAfter=No");
  else if (after !== " ") values.push(`SpacesAfter=${escapeSpaces(after)}`);
  return values;
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
