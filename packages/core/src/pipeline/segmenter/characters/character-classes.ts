// The class of each character. Features and the choice of places that are scored rest on these classes.

/** Characters that separate tokens: those of the regular expression \s, and NEL. */
export const WHITE = 0;
/** White space that ends a line. */
export const LINE_END = 1;
export const LOWER = 2;
export const UPPER = 3;
export const LETTER = 4;
export const HAN = 5;
export const HIRAGANA = 6;
export const KATAKANA = 7;
/** Scripts that are written without spaces between words: Thai, Lao, Khmer, Myanmar, Tai. */
export const UNSPACED = 9;
export const DIGIT = 10;
const NUMBER = 11;
const MARK = 12;
const PICTURE = 16;
const OTHER_PUNCTUATION = 22;
const OTHER = 24;
const JOINER = 25;
const MODIFIER = 26;
const REGIONAL = 27;
/** The 32 punctuation marks and symbols of ASCII have a class each, from here on. */
const FIRST_ASCII = 32;
const ASCII_MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/** The number of classes, a power of two. */
export const CLASSES = 64;
export const CLASS_BITS = 6;

/** The number of pairs of classes; a set of them has a 1 for each that is in it. */
export const PAIRS = CLASSES * CLASSES;
export type PairSet = Uint8Array;

/** The pair of the classes of two characters that follow each other. */
export function pairOf(before: number, after: number): number {
  return (before << CLASS_BITS) | after;
}

const TESTS: readonly (readonly [cls: number, test: RegExp])[] = [
  [JOINER, /^\u200d$/],
  [MODIFIER, /^\p{Emoji_Modifier}$/u],
  [REGIONAL, /^\p{Regional_Indicator}$/u],
  [MARK, /^\p{M}$/u],
  [HAN, /^[\p{Script=Han}\u3007]$/u],
  [HIRAGANA, /^\p{Script=Hiragana}$/u],
  [KATAKANA, /^[\p{Script=Katakana}\u30fc]$/u],
  [8, /^\p{Script=Hangul}$/u],
  [
    UNSPACED,
    /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Tham}\p{Script=Tai_Le}]$/u,
  ],
  [LOWER, /^\p{Ll}$/u],
  [UPPER, /^[\p{Lu}\p{Lt}]$/u],
  [LETTER, /^\p{L}$/u],
  [DIGIT, /^\p{Nd}$/u],
  [NUMBER, /^\p{N}$/u],
  [13, /^\p{Sc}$/u],
  [14, /^\p{Sm}$/u],
  [15, /^\p{Sk}$/u],
  [PICTURE, /^[\p{So}\p{Extended_Pictographic}]$/u],
  [17, /^\p{Pd}$/u],
  [18, /^\p{Ps}$/u],
  [19, /^\p{Pe}$/u],
  [20, /^\p{Pi}$/u],
  [21, /^\p{Pf}$/u],
  [OTHER_PUNCTUATION, /^\p{Po}$/u],
  [23, /^\p{Pc}$/u],
];

const UNKNOWN = 255;
const classes = new Uint8Array(0x110000).fill(UNKNOWN);

/** The class of a code point; that of a lone surrogate is OTHER. */
export function classOf(codePoint: number): number {
  const known = classes[codePoint]!;
  return known !== UNKNOWN ? known : (classes[codePoint] = classify(codePoint));
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (/^[\n\r\v\f\u0085\u2028\u2029]$/.test(character)) return LINE_END;
  if (/^\s$/.test(character)) return WHITE;
  const mark = ASCII_MARKS.indexOf(character);
  if (mark >= 0) return FIRST_ASCII + mark;
  for (const [cls, test] of TESTS) if (test.test(character)) return cls;
  return OTHER;
}

/** Coarse kinds, for features that carry over to characters not seen in training: 0 white … 7 other. */
export const KIND: Uint8Array = Uint8Array.from({ length: CLASSES }, (_, cls) => {
  if (cls <= LINE_END) return 0;
  if (cls === LOWER || cls === UPPER) return cls - 1;
  if (cls <= UNSPACED) return 3;
  if (cls === DIGIT || cls === NUMBER) return 4;
  if (cls === MARK) return 5;
  return (cls >= 17 && cls <= 23) || cls >= FIRST_ASCII ? 6 : 7;
});

/** The kinds, with all letters as one. */
export const GROUP: Uint8Array = KIND.map((kind) => (kind === 2 || kind === 3 ? 1 : kind));

/** Whether a class stands for letters, digits or combining marks. */
export function isWordLike(cls: number): boolean {
  return cls >= LOWER && cls <= MARK;
}

/** Whether a class stands for white space. */
export function isWhite(cls: number): boolean {
  return cls <= LINE_END;
}

/**
 * Whether no boundary may lie between two neighbouring characters: before a combining mark, around a zero-width joiner,
 * before an emoji modifier. (Flags, two regional indicators, need a count and are seen to by the scanner.)
 */
export function sticks(before: number, after: number): boolean {
  return after === MARK || after === JOINER || before === JOINER || (after === MODIFIER && before === PICTURE);
}

export function isRegional(cls: number): boolean {
  return cls === REGIONAL;
}

/** Whether emoji may begin with a character of a class. */
export function isPictorial(cls: number): boolean {
  return cls === PICTURE || cls === REGIONAL;
}

const terminals = new Map<number, boolean>();

/** Whether a character of a class ends sentences: a full stop, question mark or exclamation mark of any script. */
export function isTerminal(code: number, cls: number): boolean {
  if (cls !== OTHER_PUNCTUATION) return code === 46 || code === 63 || code === 33;
  let terminal = terminals.get(code);
  if (terminal === undefined) {
    terminal = /^\p{Sentence_Terminal}$/u.test(String.fromCodePoint(code));
    terminals.set(code, terminal);
  }
  return terminal;
}
