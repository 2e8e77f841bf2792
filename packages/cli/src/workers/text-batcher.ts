import { endsInParagraphBreak, paragraphEnd } from "@stemma/core";
import type { TextFormat, TextInput } from "../annotation/piece.js";
import { FileError, sourceName } from "../io.js";

/** UTF-16 units of a piece: enough to keep a worker busy, and few enough to see results soon. */
const PIECE = 1 << 15;
/** A paragraph that is longer than this is cut, so that memory stays bounded. */
const LONGEST = 1 << 22;

/** Cuts a text as it comes: after paragraphs, or after lines where these are sentences. */
export class TextBatcher {
  private rest = "";
  private offset = 0;
  /** Up to here there is no paragraph break that was not seen. */
  private done = 0;
  private continues = false;

  constructor(private readonly from: TextFormat) {}

  *push(text: string): Generator<TextInput> {
    this.rest += text;
    for (let cut = this.cut(); cut > 0; cut = this.cut()) yield this.take(cut);
  }

  *end(): Generator<TextInput> {
    if (this.rest !== "") yield this.take(this.rest.length);
  }

  private take(cut: number): TextInput {
    const { from, offset, continues } = this;
    const text = this.rest.slice(0, cut);
    this.continues = !endsInParagraphBreak(text);
    this.rest = this.rest.slice(cut);
    this.offset += cut;
    this.done = 0;
    return { kind: "text", from, text, offset, continues };
  }

  /** Where to cut, 0 for not yet. */
  private cut(): number {
    const { rest, from } = this;
    if (rest.length < PIECE) return 0;
    if (from !== "text") {
      const line = rest.lastIndexOf("\n") + 1;
      if (line > 0) return line;
    } else {
      for (let end = paragraphEnd(rest, this.done, rest.length); end >= 0; end = paragraphEnd(rest, end, rest.length)) {
        this.done = end;
        if (end >= PIECE) return end;
      }
      if (this.done > 0) return this.done;
    }
    if (rest.length < LONGEST) return 0;
    const space = rest.lastIndexOf(" ", LONGEST - 1) + 1;
    if (space > 0) return space;
    // Not between the halves of a character.
    return LONGEST - (/[\ud800-\udbff]/.test(rest[LONGEST - 1]!) ? 1 : 0);
  }
}

/** The text of the bytes of a file; they must be UTF-8. */
export async function* readText(path: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let read = 0;
  let pending = new Uint8Array(0);
  for await (const chunk of chunks) {
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      const bytes = Buffer.concat([pending, chunk]);
      const { before, at } = firstInvalid(bytes);
      if (before !== "") yield before;
      throw invalid(path, read - pending.length + at, bytes[at]);
    }
    if (text !== "") yield text;
    read += chunk.length;
    pending = Buffer.concat([pending, chunk]).subarray(-4) as Uint8Array<ArrayBuffer>;
    pending = pending.subarray(unfinished(pending));
  }
  try {
    decoder.decode();
  } catch {
    throw invalid(path, read - pending.length, pending[0]);
  }
}

function invalid(path: string, at: number, byte: number | undefined): FileError {
  const value = byte === undefined ? "the end" : `0x${byte.toString(16).padStart(2, "0")}`;
  return new FileError(
    `${sourceName(path)}: invalid UTF-8: ${value} at byte ${at} (expected text in UTF-8: convert the file)`,
  );
}

/** Where a character begins that the bytes do not end. */
function unfinished(bytes: Uint8Array): number {
  for (let i = bytes.length - 1; i >= 0 && i >= bytes.length - 3; i--) {
    const byte = bytes[i]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return bytes.length - i < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? i : bytes.length;
  }
  return bytes.length;
}

/** The longest valid beginning, as text. */
function firstInvalid(bytes: Uint8Array): { before: string; at: number } {
  let [low, high] = [0, bytes.length];
  const decode = (end: number) =>
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, end), { stream: true });
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    try {
      decode(middle);
      low = middle;
    } catch {
      high = middle - 1;
    }
  }
  const at = unfinished(bytes.subarray(0, low));
  return { before: decode(at), at };
}
