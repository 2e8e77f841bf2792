import { plainStretch } from "../../typography/plain-typography.js";
import { classOf, DIGIT, isRegional, LINE_END, sticks, UPPER } from "./character-classes.js";
import { WINDOW } from "./paragraphs.js";

/** Room on either side of the text, so that windows around a place need no checks. */
const PAD = 8;
const NO_BREAK_SPACE = 0xa0;
const THIN_SPACE = 0x2009;
const NARROW_NO_BREAK_SPACE = 0x202f;
/** Bonds between a character and the one before. */
export const STUCK = 1;
export const PARTED = 2;
/** After a token that is known as a whole, these may still belong to it: "@ann's". */
const MAY_GO_ON = /['-]/;
/** Longer stretches are hashed as far as this: no real word is as long. */
export const LONGEST_HASH = 32;

/**
 * A stretch of text in plain typography as numbers, one for each UTF-16 unit; both halves of a character that takes two
 * have its class, and lie in one piece, as do the three full stops of an ellipsis. Places of the text become indices by
 * `indexOf`, and what is up to PAD before or after the stretch looks like line ends. The arrays are used again for the
 * next stretch.
 */
export class ScannedText {
  private text = "";
  /** Where the stretch begins in the text. */
  private from = 0;
  /** Indices where it begins, and where it ends. */
  readonly start = PAD;
  end = PAD;
  /** The class of each character. */
  classes = new Uint8Array(0);
  /** Its code point; all digits are the same, and all white space but line ends. */
  codes = new Int32Array(0);
  /** STUCK where it cannot be parted from the one before, PARTED where it always is. */
  glued = new Uint8Array(0);
  /** Where a character of the text became several: the index of each place, and the place of each index. */
  private indices: Int32Array | undefined;
  private places: Int32Array | undefined;

  /** `whole`: each finds tokens that are known by their characters; those of the later ones are not in others. */
  constructor(private readonly whole: readonly RegExp[] = []) {}

  /** How many units the arrays have room for. */
  get room(): number {
    return this.codes.length;
  }

  load(text: string, from: number, to: number): void {
    this.text = text;
    this.from = from;
    const plain = plainStretch(text, from, to);
    const places = plain?.places;
    this.places = places;
    this.indices = places && new Int32Array(to - from + 1);
    if (plain === undefined) this.read(text, from, to - from);
    else this.read(plain.text, 0, plain.text.length);
    this.bindWhole(plain?.text ?? text.slice(from, to));
    if (!places) return;
    for (let k = places.length - 1; k >= 0; k--) {
      this.indices![places[k]! - from] = PAD + k;
      if (k > 0 && places[k] === places[k - 1]) this.glued[PAD + k] = STUCK;
    }
  }

  private bindWhole(text: string): void {
    const { glued } = this;
    for (const pattern of this.whole) {
      for (const { 0: token, index } of text.matchAll(pattern)) {
        if (token === "" || glued[PAD + index] === STUCK) continue;
        const end = index + token.length;
        glued[PAD + index] = PARTED;
        glued.fill(STUCK, PAD + index + 1, PAD + end);
        if (!MAY_GO_ON.test(text[end] ?? "")) glued[PAD + end] = PARTED;
      }
    }
  }

  private read(text: string, from: number, length: number): void {
    this.end = PAD + length;
    if (this.room < length + 2 * PAD) {
      const room = Math.max(length, Math.min(2 * length, WINDOW)) + 2 * PAD;
      this.classes = new Uint8Array(room);
      this.codes = new Int32Array(room);
      this.glued = new Uint8Array(room);
    }
    const { classes, codes, glued } = this;
    for (let i = 0; i < PAD; i++) {
      classes[i] = classes[PAD + length + i] = LINE_END;
      codes[i] = codes[PAD + length + i] = 1;
      glued[i] = glued[PAD + length + i] = 0;
    }
    let before = LINE_END;
    let flags = 0;
    for (let i = 0; i < length; i++) {
      let code = text.charCodeAt(from + i);
      let width = 1;
      if (code >= 0xd800 && code < 0xdc00 && i + 1 < length) {
        const low = text.charCodeAt(from + i + 1);
        if (low >= 0xdc00 && low < 0xe000) {
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
          width = 2;
        }
      }
      const cls = classOf(code);
      let stuck = sticks(before, cls);
      if (isRegional(cls)) {
        stuck = flags === 1;
        flags ^= 1;
      } else flags = 0;
      const at = PAD + i;
      classes[at] = cls;
      codes[at] = cls === DIGIT ? 48 : cls <= LINE_END ? 32 - cls : code;
      glued[at] = stuck && before > LINE_END ? 1 : 0;
      if (width === 2) {
        classes[at + 1] = cls;
        codes[at + 1] = code;
        glued[at + 1] = 1;
        i++;
      }
      before = cls;
    }
  }

  /** The index of a place of the text. */
  indexOf(place: number): number {
    return this.indices ? this.indices[place - this.from]! : place - this.from + PAD;
  }

  /** The place in the text of an index. */
  placeOf(index: number): number {
    return this.places ? this.places[index - PAD]! : index - PAD + this.from;
  }

  /** The text between two places, as it is written. */
  slice(start: number, end: number): string {
    return this.text.slice(start, end);
  }

  /** Whether the character at a place is a space that a token may hold: not tabs or line ends, which files need. */
  isPlainSpace(place: number): boolean {
    const code = this.text.charCodeAt(place);
    return code === 0x20 || code === NO_BREAK_SPACE || code === NARROW_NO_BREAK_SPACE || code === THIN_SPACE;
  }

  hash(start: number, end: number): number {
    const { codes } = this;
    let h = end - start;
    if (h > LONGEST_HASH) end = start + LONGEST_HASH;
    for (let i = start; i < end; i++) h = Math.imul(h ^ codes[i]!, 0x01000193);
    return h;
  }

  /** The hash of the same in small letters. */
  lowerHash(start: number, end: number): number {
    const { codes, classes } = this;
    let h = end - start;
    if (h > LONGEST_HASH) end = start + LONGEST_HASH;
    for (let i = start; i < end; i++) {
      const code = classes[i] === UPPER ? lowerOf(codes[i]!) : codes[i]!;
      h = Math.imul(h ^ code, 0x01000193);
    }
    return h;
  }
}

const lowered = new Int32Array(0x600).fill(-1);

function lowerOf(code: number): number {
  if (code >= lowered.length) return String.fromCodePoint(code).toLowerCase().codePointAt(0)!;
  if (lowered[code]! < 0) lowered[code] = String.fromCodePoint(code).toLowerCase().codePointAt(0)!;
  return lowered[code]!;
}
