import { BYTES, check, TRUE_OR_FALSE, WHOLE_NUMBER } from "../../checks/options.js";

/** A run of whole lines: the text of one sentence, with what stands before it. */
export interface Block {
  /** The lines. */
  readonly bytes: Uint8Array;
  /** Line number of its first line, from 1. */
  readonly line: number;
  /** False for what is left at the end of a file: only comments and blank lines. */
  readonly hasWords: boolean;
  /** The sentence was longer than MAX_BLOCK and its bytes were dropped. */
  readonly tooLong: boolean;
}

/**
 * Longest sentence in bytes, so that a file without blank lines (or one that is not a treebank) cannot fill the memory.
 */
export const MAX_BLOCK = 1 << 24;

const UTF8_BOM = [0xef, 0xbb, 0xbf];
const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const HASH = 35;

type LineKind = "blank" | "comment" | "words";

/**
 * Cuts bytes, fed in any pieces, into sentences: a block ends with the first blank line after a line of words, so that
 * a sentence typed by hand is complete at once. Further blank lines, and comments on their own, open the next block.
 * A line of spaces and tabs is blank. With `lineByLine` every line that is not blank is a block.
 */
export class BlockSplitter {
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private tooLong = false;
  private offset = 0;
  private blockLine: number;
  private kind: LineKind = "blank";
  private hasWords = false;

  /** `line`: the number of the first line. */
  constructor(
    private readonly lineByLine = false,
    private line = 1,
  ) {
    check("lineByLine", lineByLine, TRUE_OR_FALSE);
    check("line", line, WHOLE_NUMBER);
    this.blockLine = line;
  }

  /** Blocks may share memory with the chunk: use them before it changes. */
  push(chunk: Uint8Array): Block[] {
    check("chunk", chunk, BYTES);
    const blocks: Block[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; ) {
      if (this.kind === "blank") at = this.classify(chunk, at);
      const newline = chunk.indexOf(NEWLINE, at);
      if (newline < 0) break;
      at = newline + 1;
      this.line++;
      if (this.kind === "words") this.hasWords = true;
      if (this.hasWords && (this.kind === "blank" || this.lineByLine)) {
        blocks.push(this.take(chunk.subarray(start, at)));
        start = at;
      }
      this.kind = "blank";
    }
    this.offset += chunk.length;
    this.keep(chunk.subarray(start));
    return blocks;
  }

  /** The rest at the end of the file, if there is any. */
  end(): Block | undefined {
    if (this.kind === "words") this.hasWords = true;
    return this.pendingBytes > 0 || this.tooLong ? this.take(new Uint8Array(0)) : undefined;
  }

  // Sets the kind of the current line at its first byte that is not white space, and returns the place of that byte.
  private classify(chunk: Uint8Array, at: number): number {
    for (; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === NEWLINE) break;
      if (byte === SPACE || byte === TAB || byte === RETURN || byte === UTF8_BOM[this.offset + at]) continue;
      this.kind = byte === HASH && !this.lineByLine ? "comment" : "words";
      break;
    }
    return at;
  }

  private keep(rest: Uint8Array): void {
    if (this.pendingBytes + rest.length > MAX_BLOCK) {
      this.pending = [];
      this.pendingBytes = 0;
      this.tooLong = true;
    } else if (rest.length > 0 && !this.tooLong) {
      // Not slice: that of Node's Buffer shares its memory with a chunk that the caller may fill again.
      this.pending.push(new Uint8Array(rest));
      this.pendingBytes += rest.length;
    }
  }

  private take(last: Uint8Array): Block {
    const { hasWords, tooLong } = this;
    const block = { bytes: tooLong ? new Uint8Array(0) : this.joined(last), line: this.blockLine, hasWords, tooLong };
    this.pending = [];
    this.pendingBytes = 0;
    this.tooLong = false;
    this.hasWords = false;
    this.blockLine = this.line;
    return block;
  }

  private joined(last: Uint8Array): Uint8Array {
    if (this.pendingBytes === 0) return last;
    const bytes = new Uint8Array(this.pendingBytes + last.length);
    let at = 0;
    for (const part of [...this.pending, last]) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}
