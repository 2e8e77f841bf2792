import { Readable } from "node:stream";
import { paragraphEnd, type RawSentence, type Segmenter } from "@stemma/core";
import { endsInParagraphBreak } from "@stemma/core/treebank";
import type { TextFormat, TextInput } from "@stemma/server/annotation";
import { FileError, sourceName } from "../files/io.js";

/** UTF-16 units of a piece: enough to keep a worker busy, and few enough to see results soon. */
export const PIECE = 1 << 15;
/** The same for a model with an encoder, which takes seconds for more. */
const ENCODED_PIECE = 1 << 12;
/** A line that is longer than this is cut, so that memory stays bounded. */
const LONGEST = 1 << 22;
/** A sentence is certain when so much has come after it. */
const LOOKAHEAD = 1 << 10;

/**
 * Cuts a text as it comes: after paragraphs, or after lines where these are sentences. A paragraph that is too long to
 * be looked at in one go is cut where the segmenter cuts it.
 */
export class TextBatcher {
  private rest = "";
  private offset = 0;
  /** Up to here there is no paragraph break that was not seen. */
  private done = 0;
  private continues = false;
  private readonly size: number;

  constructor(
    private readonly from: TextFormat,
    private readonly segmenter?: Segmenter | undefined,
  ) {
    this.size = segmenter?.model.guesser ? ENCODED_PIECE : PIECE;
  }

  *push(text: string): Generator<TextInput> {
    this.rest += text;
    for (;;) {
      let cut = this.cut();
      if (cut === 0 && this.isLong()) cut = this.windowEnd(this.segmenter!);
      if (cut === 0) return;
      yield this.take(cut);
    }
  }

  /**
   * The certain part of a text that has come to a halt, however little that is: whole lines; paragraphs that another
   * follows; sentences long past.
   */
  *pause(): Generator<TextInput> {
    const { rest, from, segmenter } = this;
    if (!/\S/.test(rest)) return;
    if (from !== "text") {
      const line = rest.lastIndexOf("\n") + 1;
      if (/\S/.test(rest.slice(0, line))) yield this.take(line);
      return;
    }
    let end = 0;
    for (let next = 0; next >= 0; next = paragraphEnd(rest, next, rest.length)) end = next;
    if (end > 0) yield this.take(end);
    const sentence = segmenter ? this.lastCertain(segmenter) : 0;
    if (sentence > 0) yield this.take(sentence);
  }

  /**
   * Where the last sentence ends that nothing to come can change, 0 if there is none. Segmenters look at what is
   * around, so the sentences before and after it must be the same when the text is cut there.
   */
  private lastCertain(segmenter: Segmenter): number {
    const { rest } = this;
    if (rest.length < 2 * LOOKAHEAD) return 0;
    const all = [...segmenter.segment(rest)];
    for (let i = all.length - 1; i >= 0; i--) {
      const end = all[i]!.start + all[i]!.text.length;
      if (end > rest.length - LOOKAHEAD) continue;
      const after = [...segmenter.segment(rest.slice(end))];
      if (isSame(all.slice(0, i + 1), [...segmenter.segment(rest.slice(0, end))]) && isSame(all.slice(i + 1), after))
        return end;
    }
    return 0;
  }

  /** Whether all that is there is one paragraph, longer than a piece. */
  private isLong(): boolean {
    const { from, segmenter, rest, done } = this;
    return from === "text" && segmenter !== undefined && rest.length >= PIECE && done === 0;
  }

  /** Where the segmenter stops in a paragraph that is too long for it; 0 if that is not known yet. */
  private windowEnd(segmenter: Segmenter): number {
    const { rest } = this;
    const sentences: RawSentence[] = [];
    for (let to = segmenter.next(rest, 0, 0, false, sentences); to > 0; ) {
      if (isSame(sentences, [...segmenter.segment(rest.slice(0, to))])) return to;
      to = segmenter.next(rest, to, 0, false, sentences);
    }
    return 0;
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
    const { rest, from, size } = this;
    if (rest.length < size) return 0;
    if (from !== "text") {
      const line = rest.lastIndexOf("\n", size) + 1 || rest.indexOf("\n") + 1;
      if (line > 0) return line;
    } else {
      for (let end = paragraphEnd(rest, this.done, rest.length); end >= 0; end = paragraphEnd(rest, end, rest.length)) {
        this.done = end;
        if (end >= size) return end;
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

function isSame(a: readonly RawSentence[], b: readonly RawSentence[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ tokens, text }, i) => {
      const other = b[i]!;
      return text === other.text && tokens.every(({ form }, t) => form === other.tokens[t]?.form);
    })
  );
}

/** Milliseconds after which a text that comes from somebody is taken to have come to a halt. */
const HALT = 20;

/** Passes on what comes, and calls `onPause` when nothing has come for a while. */
export async function* withPauses<Chunk>(
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
  onPause: () => Promise<void>,
): AsyncGenerator<Chunk, void, void> {
  const iterator = (Symbol.asyncIterator in chunks ? chunks : Readable.from(chunks))[Symbol.asyncIterator]();
  for (;;) {
    const next = iterator.next();
    let timer: NodeJS.Timeout | undefined;
    const halt = new Promise<"halt">((resolve) => {
      timer = setTimeout(() => resolve("halt"), HALT);
    });
    if ((await Promise.race([next, halt])) === "halt") await onPause();
    clearTimeout(timer);
    const { value, done } = await next;
    if (done) return;
    yield value;
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
