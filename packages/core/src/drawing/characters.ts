// The characters that a form may contain and how wide they are. Both are approximations by code point: good enough to
// lay out words without asking a font or a terminal, which core does not have.

import { check, STRING } from "../checks/options.js";

// Controls, line and paragraph separators, bidirectional embeddings and isolates (they would reorder what follows on
// the line), lone surrogates and noncharacters (not allowed in XML). ZWJ, ZWNJ, LRM and RLM stay: scripts need them.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The text, with every character that could break a line, a terminal or an XML document replaced by U+FFFD. */
export function printable(text: string): string {
  check("text", text, STRING);
  return text.replace(UNPRINTABLE, "\ufffd");
}

const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;
const EMOJI = /\p{Emoji_Presentation}/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;
const EMOJI_STYLE = "\ufe0f";
const ZWJ = 0x200d;
const SOFT_HYPHEN = 0xad;

// East Asian Width W and F (Unicode 15), neighbouring blocks merged; emoji are found by their property.
const WIDE = [
  0x1100, 0x115f, 0x2329, 0x232a, 0x2e80, 0x303e, 0x3041, 0x4dbf, 0x4e00, 0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3,
  0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6f, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x18dff, 0x1aff0, 0x1b2ff,
  0x1f200, 0x1f2ff, 0x20000, 0x3fffd,
];

function isWide(code: number): boolean {
  if (code < WIDE[0]!) return false;
  for (let i = 0; i < WIDE.length; i += 2) if (code <= WIDE[i + 1]!) return code >= WIDE[i]!;
  return false;
}

const EMOJI_WIDTH = -1;
const WIDE_WIDTH = -2;

/** Calls `add` for each code point that takes room, with its code or EMOJI_WIDTH or WIDE_WIDTH. */
function measure(text: string, add: (code: number) => void): void {
  const chars = [...text];
  let joined = false;
  let flag = false;
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!;
    const code = char.codePointAt(0)!;
    if (code === ZWJ) joined = true;
    else if (code === SOFT_HYPHEN || (code >= 0x300 && ZERO_WIDTH.test(char))) continue;
    else if (code >= 0x1f1e6 && code <= 0x1f1ff) {
      // Two regional indicators make one flag.
      if (!flag) add(EMOJI_WIDTH);
      flag = !flag;
    } else {
      const pictograph = code > 0xff && PICTOGRAPH.test(char);
      const skinTone = code >= 0x1f3fb && code <= 0x1f3ff && i > 0;
      if (pictograph && (EMOJI.test(char) || chars[i + 1] === EMOJI_STYLE)) {
        if (!joined && !skinTone) add(EMOJI_WIDTH);
      } else if (!skinTone && !(joined && pictograph)) add(isWide(code) ? WIDE_WIDTH : code);
      joined = flag = false;
    }
  }
}

/**
 * The number of terminal cells that the text takes: 0 for combining marks, 2 for East Asian wide characters and emoji.
 */
export function cellWidth(text: string): number {
  check("text", text, STRING);
  let width = 0;
  measure(text, (code) => {
    width += code < 0 ? 2 : 1;
  });
  return width;
}

// Widths of U+0020 ... U+007E in a Helvetica-like face, in thousandths of the font size.
const ASCII = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];

// Last code point of a range and the width of an ordinary letter in it: Latin and IPA, Greek, Cyrillic and Armenian,
// Hebrew, Arabic and its neighbours, the Indic scripts, Thai and its neighbours, everything else.
const SCRIPTS: readonly (readonly [number, number])[] = [
  [0x36f, 560],
  [0x3ff, 590],
  [0x58f, 630],
  [0x5ff, 580],
  [0x8ff, 520],
  [0xdff, 680],
  [0x10ff, 600],
  [Number.POSITIVE_INFINITY, 620],
];

/** The approximate width of the text in a sans-serif font of the given size, in the unit of that size. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  // Decomposed, an accented letter is as wide as its base letter and its mark takes no room.
  measure(decomposed(text), (code) => {
    if (code === EMOJI_WIDTH) width += 1300;
    else if (code === WIDE_WIDTH) width += 1000;
    else if (code >= 0x20 && code < 0x7f) width += ASCII[code - 0x20]!;
    else width += SCRIPTS.find(([last]) => code <= last)![1];
  });
  return (width * fontSize) / 1000;
}

// Hangul syllables must not be decomposed: their parts are wide each.
function decomposed(text: string): string {
  return text.replace(/[\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff]/g, (char) => char.normalize("NFD"));
}

/** Text escaped for XML, in elements and in attributes. */
export function escapeXML(text: string): string {
  return printable(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
