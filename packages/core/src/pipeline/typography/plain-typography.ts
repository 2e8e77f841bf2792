// Treebanks are mostly written as one types: ' and " and - and ... Text has other characters for the same marks, which
// a model has hardly seen. All parts of a pipeline read them as the plain ones; what comes out has them as written.
// Each substitution is exact in that both spellings are of the same word or mark:
//   ’ ‘ ʼ ‛ are apostrophes and single quotation marks, and so are ` and ´ between letters, where nothing else can be;
//   “ ” ‟ are double quotation marks whose side their place tells (not „ and «, which plain text does not have);
//   ‐ ‑ ‒ – − are hyphens, dashes and minus signs of one stroke, — ― of two; … and ‥ are full stops;
//   letters, digits and marks of double width are those of ASCII by definition (NFKC).
// It makes no difference what stands beside a mark, so that a text is read as the words of a treebank are one by one.
import type { Words } from "../../features/columns.js";
import { isEmoji } from "../segmenter/characters/whole-tokens.js";

const PLAIN: ReadonlyMap<number, string> = new Map(
  [
    ["‘’‛ʼ`´", "'"],
    ["“”‟", '"'],
    ["‐‑‒–−", "-"],
    ["—―", "--"],
    ["…", "..."],
    ["‥", ".."],
  ].flatMap(([marks, plain]) => [...marks!].map((mark) => [mark.charCodeAt(0), plain!] as const)),
);
const FIRST_WIDE = 0xff01;
const LAST_WIDE = 0xff5e;
/** How far a character of double width is from that of ASCII. */
const WIDE = 0xfee0;
const LETTER = /\p{L}/u;
/** Those of Unicode but for line ends, tabs and the plain one. */
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

const BACKTICK = 0x60;
const ACUTE = 0xb4;

/** Whether a UTF-16 unit may be read as something else. */
function isTypographic(code: number): boolean {
  if (code < 0x2010) return code === BACKTICK || code === ACUTE || code === 0x2bc;
  return code <= 0x2212 ? PLAIN.has(code) : code >= FIRST_WIDE && code <= LAST_WIDE;
}

/** The reading of the character at a place of text.slice(from, to): itself if undefined. */
function plainAt(text: string, at: number, from: number, to: number): string | undefined {
  const code = text.charCodeAt(at);
  if (!isTypographic(code)) return undefined;
  if (code === BACKTICK || code === ACUTE) {
    const isInside = at > from && at + 1 < to && LETTER.test(text[at - 1]!) && LETTER.test(text[at + 1]!);
    return isInside ? "'" : undefined;
  }
  return code >= FIRST_WIDE ? String.fromCharCode(code - WIDE) : PLAIN.get(code);
}

/** A stretch of text as a model reads it. */
export interface PlainStretch {
  readonly text: string;
  /** The place in the whole text of each unit, and of the end; undefined if none became several. */
  readonly places: Int32Array | undefined;
}

/** text.slice(from, to) in plain typography, but for spaces; undefined if it is written so. */
export function plainStretch(text: string, from: number, to: number): PlainStretch | undefined {
  const changes: [at: number, plain: string][] = [];
  for (let i = from; i < to; i++) {
    if (text.charCodeAt(i) < BACKTICK) continue;
    const plain = plainAt(text, i, from, to);
    if (plain !== undefined) changes.push([i, plain]);
  }
  if (changes.length === 0) return undefined;
  let plain = "";
  let done = from;
  for (const [at, other] of changes) {
    plain += text.slice(done, at) + other;
    done = at + 1;
  }
  plain += text.slice(done, to);
  if (plain.length === to - from) return { text: plain, places: undefined };
  const places = new Int32Array(plain.length + 1);
  let k = 0;
  for (let i = from, next = 0; i <= to; i++) {
    const length = changes[next]?.[0] === i ? changes[next++]![1].length : 1;
    for (const end = k + length; k < end; k++) places[k] = i;
  }
  return { text: plain, places };
}

/** A text as a model reads it. */
export function inPlainTypography(text: string): string {
  return (plainStretch(text, 0, text.length)?.text ?? text).replace(SPACES, " ");
}

/** Emoji are hardly in treebanks, but this emoticon is, which is used like them. */
const EMOTICON = ":)";

/** A part of a word that was between letters: "`re". */
const AFTER_LETTER = /^[`´](?=\p{L})/u;

/** The form of a word as a model reads it. */
export function plainForm(form: string): string {
  return isEmoji(form) ? EMOTICON : inPlainTypography(form.replace(AFTER_LETTER, "'"));
}

/** Words of a treebank as a model reads them: the same object if they are in plain typography. */
export function plainWords(words: Words): Words {
  const forms = [""];
  let isPlain = true;
  for (let i = 1; i <= words.length; i++) {
    const form = words.form(i);
    forms.push(plainForm(form));
    isPlain &&= forms[i] === form;
  }
  return isPlain ? words : Object.create(words, { form: { value: (i: number) => forms[i]! } });
}
