// Cuts what a request holds into pieces, where each can be worked on by itself.

import { paragraphEnd } from "@stemma/core";
import { endsInParagraphBreak } from "@stemma/core/treebank";
import type { TextFormat, TextInput } from "../annotation/piece.js";

/** UTF-16 units of a piece: some milliseconds of work, after which another request has its turn. */
export const PIECE = 1 << 11;
/** The cost of a sentence besides its characters, in UTF-16 units: those of one word are as much work as long words. */
const PER_SENTENCE = 32;
/** A paragraph that is longer than this is cut after a sentence, as far as that can be told from its characters. */
const LONGEST = 1 << 16;

/** A line that is said to be a sentence, and is longer than any. */
export class LineTooLong extends Error {}

/**
 * Cuts a text as it comes: after paragraphs, or after lines where these are sentences. What is complete is never held
 * back, and where it is cut does not change the sentences.
 */
export class TextCutter {
  private rest = "";
  private offset = 0;
  /** Place of a character that is not white space, up to which all breaks in `rest` are known. */
  private anchor = 0;
  private continues: boolean;

  /** `characters`: count places in characters instead of UTF-16 units. */
  constructor(
    private readonly from: TextFormat,
    private readonly characters = false,
  ) {
    // Lines are sentences; only UDPipe says of the first that it begins a paragraph.
    this.continues = from !== "text" && !characters;
  }

  *push(text: string): Generator<TextInput> {
    const known = this.rest.length;
    this.rest += text;
    if (this.from !== "text") {
      if (/\S/.test(text)) yield* this.lines();
    } else if (/\S/.test(text)) {
      const ends: number[] = [];
      let end = paragraphEnd(this.rest, this.anchor, this.rest.length);
      while (end >= 0) {
        ends.push(end);
        end = paragraphEnd(this.rest, end, this.rest.length);
      }
      for (let i = text.length - 1; i >= 0; i--) {
        const code = text.charCodeAt(i);
        // Surely no white space, of whatever kind.
        if ((code > 32 && code < 127) || (code > 0xff && code < 0x1000) || (code > 0x3000 && code < 0xd800)) {
          this.anchor = known + i;
          break;
        }
      }
      yield* this.paragraphs(ends);
    }
    yield* this.tooLong();
  }

  *end(): Generator<TextInput> {
    if (/\S/.test(this.rest)) yield this.take(this.rest.length);
    this.rest = "";
  }

  private *paragraphs(ends: number[]): Generator<TextInput> {
    let [taken, last, paragraphs] = [0, 0, 0];
    for (const end of ends) {
      if (end - taken + PER_SENTENCE * ++paragraphs > PIECE && last > taken) {
        yield this.take(last - taken);
        taken = last;
        paragraphs = 1;
      }
      last = end;
    }
    if (last > taken) yield this.take(last - taken);
  }

  private *lines(): Generator<TextInput> {
    for (let cut = this.lineStart(); cut > 0; cut = this.lineStart()) yield this.take(cut);
  }

  /**
   * Where the first word of a line is: of the last line that begins within a piece, or else of the next one; 0 if there
   * is none yet. White space before it belongs to the line before, as it does for the pipeline.
   */
  private lineStart(): number {
    const { rest } = this;
    const wordFrom = (place: number) => Math.max(0, found(rest, WORD, place));
    const first = wordFrom(0);
    let at = lastLineEnd(rest, first + linesOfPiece(rest, first));
    if (at > first) {
      const word = wordFrom(at);
      if (word > 0) return word;
      // Only white space follows: the line before that.
      while (at > first && /\s/.test(rest[at]!)) at--;
      at = lastLineEnd(rest, at);
      return at > first ? wordFrom(at) : 0;
    }
    const next = found(rest, LINE_END, first + PIECE);
    return next < 0 ? 0 : wordFrom(next);
  }

  private *tooLong(): Generator<TextInput> {
    while (this.rest.length > LONGEST) {
      const head = this.rest.slice(0, LONGEST);
      // Between one line and the next there may be any amount of white space.
      const first = this.from !== "text" ? found(head, WORD, 0) : -1;
      if (first >= 0 && found(head, LINE_END, first) < 0) {
        throw new LineTooLong(`a line has more than ${LONGEST} characters`);
      }
      let cut = 0;
      for (const { index, 0: found } of head.matchAll(/[.!?…。！？]["'”’)\]]*\s+/g)) cut = index + found.length;
      cut ||= Math.max(head.lastIndexOf(" "), head.lastIndexOf("\n")) + 1;
      // Not between the halves of a character.
      cut ||= LONGEST - (/[\ud800-\udbff]$/.test(head) ? 1 : 0);
      yield this.take(cut);
    }
  }

  private take(length: number): TextInput {
    const text = this.rest.slice(0, length);
    const { from, offset, continues } = this;
    this.continues = !endsInParagraphBreak(text);
    this.rest = this.rest.slice(length);
    this.anchor = Math.max(0, this.anchor - length);
    this.offset += length;
    if (this.characters) this.offset -= text.match(/[\ud800-\udbff]/g)?.length ?? 0;
    return { kind: "text", from, text, offset, continues };
  }
}

const WORD = /\S/g;
const LINE_END = /[\n\r\u2028\u2029]/g;

/** The first place from `from` on where the pattern is found, -1 if there is none. */
function found(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;
}

/** How many characters from a place on are about as much work as a piece may be, if each line is a sentence. */
function linesOfPiece(text: string, from: number): number {
  let work = 0;
  for (let at = from; at < text.length; at++) {
    work += isLineEnd(text.charCodeAt(at)) ? PER_SENTENCE : 1;
    if (work >= PIECE) return at - from;
  }
  return PIECE;
}

/** The last end of a line up to a place, -1 if there is none. */
function lastLineEnd(text: string, to: number): number {
  for (let at = Math.min(to, text.length - 1); at >= 0; at--) {
    if (isLineEnd(text.charCodeAt(at))) return at;
  }
  return -1;
}

/** Sentences in groups that are about as large as a piece. */
export function* groups<T>(sentences: Iterable<T>, sizeOf: (sentence: T) => number): Generator<T[]> {
  let group: T[] = [];
  let size = 0;
  for (const sentence of sentences) {
    group.push(sentence);
    size += sizeOf(sentence) + PER_SENTENCE;
    if (size < PIECE) continue;
    yield group;
    group = [];
    size = 0;
  }
  if (group.length > 0) yield group;
}

/** Bytes in parts, so that what is read from them has the size of a piece. */
export function* slices(bytes: Uint8Array, size = 4 * PIECE): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
