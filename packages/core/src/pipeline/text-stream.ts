// Text that comes in pieces.
import { nameOf, shown } from "../checks/options.js";
import { type AbortSignalLike, throwIfAborted } from "./parse-options.js";

/** A piece of a text: a string, or bytes of it in UTF-8. */
export type TextChunk = string | ArrayBufferView | ArrayBuffer;

/** The part of a ReadableStream that is needed; not everywhere can it be iterated over. */
export interface ReadableStreamLike {
  getReader(): {
    read(): Promise<{ done: boolean; value?: unknown }>;
    cancel(reason?: unknown): Promise<void>;
    releaseLock(): void;
  };
}

/** Where a text can come from: pieces in a list or as they come, or a stream such as `response.body`. */
export type TextSource = Iterable<TextChunk> | AsyncIterable<TextChunk> | ReadableStreamLike;

const EXPECTED = "an iterable of strings or bytes, or a ReadableStream";

/** Throws unless it is a source of text; a string would be one of many pieces. */
export function checkTextSource(source: unknown): void {
  const isObject = typeof source === "object" && source !== null;
  const { getReader } = (isObject ? source : {}) as Partial<ReadableStreamLike>;
  if (isObject && (Symbol.asyncIterator in source || Symbol.iterator in source || typeof getReader === "function"))
    if (!ArrayBuffer.isView(source)) return;
  throw new TypeError(`invalid chunks: ${shown(source)} (expected ${EXPECTED})`);
}

/** The pieces of a source as strings. A signal ends the wait for the next one. */
export async function* textOf(source: TextSource, signal?: AbortSignalLike): AsyncGenerator<string, void, void> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of untilAborted(chunksOf(source), signal)) {
    if (typeof chunk === "string") {
      // Bytes before it that do not end a character are one that is broken.
      yield (decoder?.decode() ?? "") + chunk;
    } else {
      decoder ??= new TextDecoder();
      yield decoder.decode(bytesOf(chunk), { stream: true });
    }
  }
  if (decoder) yield decoder.decode();
}

function bytesOf(chunk: unknown): Uint8Array {
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (typeof chunk === "object" && chunk !== null && nameOf(chunk) === "ArrayBuffer")
    return new Uint8Array(chunk as ArrayBuffer);
  throw new TypeError(`invalid chunk: ${shown(chunk)} (expected a string or bytes)`);
}

function chunksOf(source: TextSource): AsyncIterator<unknown> | Iterator<unknown> {
  if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
  if (Symbol.iterator in source) return source[Symbol.iterator]();
  const reader = source.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<unknown>>,
    async return() {
      await reader.cancel();
      reader.releaseLock();
      return { done: true, value: undefined };
    },
  };
}

async function* untilAborted(
  chunks: AsyncIterator<unknown> | Iterator<unknown>,
  signal: AbortSignalLike | undefined,
): AsyncGenerator<unknown, void, void> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal!.reason);
  });
  // It is looked at only while a piece is waited for.
  aborted.catch(() => {});
  signal?.addEventListener("abort", abort!);
  let isDone = false;
  try {
    for (;;) {
      throwIfAborted(signal);
      const { done, value } = await Promise.race([chunks.next(), aborted]);
      isDone = done === true;
      if (isDone) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", abort!);
    // A source that is not read to its end is told so; one that hangs is not waited for.
    if (!isDone) Promise.resolve(chunks.return?.()).catch(() => {});
  }
}

/** Cuts text that comes in pieces after line ends and the white space that follows, so that lines can be parsed by themselves. */
export class LineCutter {
  private rest = "";
  private isAfterLine = false;

  /** The lines that are complete with this piece, "" if there are none. */
  push(chunk: string): string {
    let cut = -1;
    for (let i = 0; i < chunk.length; i++) {
      const unit = chunk[i]!;
      if (/\S/.test(unit)) {
        if (this.isAfterLine) cut = i;
        this.isAfterLine = false;
      } else if (/[\n\r\u2028\u2029]/.test(unit)) this.isAfterLine = true;
    }
    if (cut < 0) {
      this.rest += chunk;
      return "";
    }
    const lines = this.rest + chunk.slice(0, cut);
    this.rest = chunk.slice(cut);
    return lines;
  }

  end(): string {
    return this.rest;
  }
}
