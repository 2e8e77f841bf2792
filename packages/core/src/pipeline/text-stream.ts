// Text that comes in pieces.
import { nameOf, shown } from "../checks/options.js";
import { type AbortSignalLike, type TextKind, throwIfAborted } from "./parse-options.js";
import { BreakFinder } from "./segmenter/characters/paragraphs.js";

/** A piece of a text: a string, or bytes of it in UTF-8. */
export type TextChunk = string | ArrayBufferView | ArrayBuffer;

/** The part of a ReadableStream that is needed; it is not iterable everywhere. */
export interface ReadableStreamLike {
  getReader(): {
    read(): Promise<{ done: boolean; value?: unknown }>;
    cancel(reason?: unknown): Promise<void>;
    releaseLock(): void;
  };
}

/** The sources of a text: pieces in a list or as they arrive, or a stream such as `response.body`. */
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
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await abortable(() => chunks.next(), signal);
      isDone = done === true;
      if (isDone) return;
      yield value;
    }
  } finally {
    // A source that is not read to its end is told so; one that hangs is not waited for.
    if (!isDone) Promise.resolve(chunks.return?.()).catch(() => {});
  }
}

/** The awaited value, unless the signal is aborted before: then its reason is thrown. */
export async function abortable<T>(ask: () => T | Promise<T>, signal: AbortSignalLike | undefined): Promise<T> {
  throwIfAborted(signal);
  if (!signal) return ask();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([ask(), aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * Cuts text that comes in pieces where what follows does not matter for what was before: between lines where these are
 * sentences, else between paragraphs. The white space there belongs to what was before.
 */
export class TextCutter {
  private rest = "";
  /** Whether the rest has anything but white space. */
  private any = false;
  private readonly breaks: { next(code: number): boolean };

  constructor(kind: TextKind = "text") {
    this.breaks = kind === "text" ? new BreakFinder() : new LineFinder();
  }

  /** The text that is complete with this piece, "" if nothing is. */
  push(chunk: string): string {
    let cut = -1;
    for (let i = 0; i < chunk.length; i++) {
      const code = chunk.charCodeAt(i);
      if (this.breaks.next(code) && this.any) cut = i;
      this.any ||= !isSpace(code);
    }
    if (cut < 0) {
      this.rest += chunk;
      return "";
    }
    const complete = this.rest + chunk.slice(0, cut);
    this.rest = chunk.slice(cut);
    return complete;
  }

  /** UTF-16 units that wait for the end of a paragraph or line. */
  get pending(): number {
    return this.rest.length;
  }

  /** The rest. */
  end(): string {
    return this.rest;
  }
}

/** Finds the first character of each line that has any but white space. */
class LineFinder {
  private isAfterLine = false;

  next(code: number): boolean {
    if (code === 10 || code === 13 || code === 0x2028 || code === 0x2029) this.isAfterLine = true;
    if (isSpace(code) || !this.isAfterLine) return false;
    this.isAfterLine = false;
    return true;
  }
}

function isSpace(code: number): boolean {
  return code === 32 || ((code < 32 || code > 127) && /\s/.test(String.fromCharCode(code)));
}
