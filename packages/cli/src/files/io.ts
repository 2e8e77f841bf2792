import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { ReaderOptions, Sentence } from "@stemma/core";
import { TreebankError, TreebankReader } from "@stemma/core/treebank";
import { warn } from "../terminal/messages.js";

/** The outcome for the sentences of one or more files; give the same one to several reads to add them up. */
export class ReadReport {
  read = 0;
  skipped = 0;
  documents = 0;
  skippedDocuments = 0;
  /** Blank lines and comments after the last sentence of the last file. */
  trailer = "";

  /** Says how many sentences or documents were skipped, if any, and sets the exit status to 1 then. */
  finish(): void {
    const say = (noun: string, skipped: number, read: number) => {
      if (skipped === 0) return;
      warn(`stemma: ${skipped} ${noun}${skipped === 1 ? "" : "s"} skipped, ${read} read`);
      process.exitCode = 1;
    };
    say("sentence", this.skipped, this.read);
    say("document", this.skippedDocuments, this.documents);
  }
}

export interface ReadOptions extends Omit<ReaderOptions, "source"> {
  /** Throw the first error, instead of skipping the sentence with a line on stderr. */
  strict?: boolean | undefined;
  report?: ReadReport | undefined;
}

/** A file that cannot be opened, read or written: exit status 2. */
export class FileError extends Error {
  /** The operation that failed: "read", "write". */
  action: string | undefined;
}

/** The reader of our output has gone, as in `stemma convert x | head`: nothing to say about it. */
export class ClosedPipe extends Error {}

/** The sentences of a treebank: a file, plain or gzipped, or "-" (or no path) for standard input. */
export async function* readSentences(path = "-", options: ReadOptions = {}): AsyncGenerator<Sentence, void, void> {
  // Commands give all their options; the reader takes no others than its own.
  const { strict, report = new ReadReport(), format, line, requireTree, singleRoot, allowNonTrees } = options;
  const source = sourceName(path);
  const reader = new TreebankReader({ format, line, requireTree, singleRoot, allowNonTrees, source });
  let isBegun = false;
  for await (const chunk of readLines(path)) yield* accepted(reader.push(chunk));
  yield* accepted(reader.end());
  report.trailer = reader.trailer;

  function* accepted(results: (Sentence | TreebankError)[]) {
    for (const result of results) {
      if (!(result instanceof TreebankError)) {
        report.read++;
        yield result;
      } else if (strict) {
        throw result;
      } else if (!isBegun && format !== "conll09" && isConll09(result)) {
        throw new FileError(
          `${source}: a treebank in CoNLL-2009 (expected CoNLL-U: stemma convert --from conll09 ${source} -o NAME.conllu)`,
        );
      } else {
        report.skipped++;
        warn(`${result.message}: sentence skipped`);
      }
      isBegun = true;
    }
  }
}

/** Columns of a line of CoNLL-2009, without those of arguments. */
const CONLL09_COLUMNS = 14;

/** Is what was wrong with a sentence that it is in CoNLL-2009? Then all others of its file are as well. */
function isConll09({ what, value }: TreebankError): boolean {
  return what === "columns" && value.split("\t").length >= CONLL09_COLUMNS;
}

/** Bytes of a file from one place to before another. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The bytes of a file or of "-", standard input; unpacked if they are gzip, whatever the file is called. `onRead` is
 * told how many were read, packed or not. `range`: not all of a file that is not packed.
 */
export async function* readBytes(
  path: string,
  onRead?: (bytes: number, chunk: Uint8Array) => void,
  range?: ByteRange | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  if (range && range.end <= range.start) return;
  const part = range ? { start: range.start, end: range.end - 1 } : {};
  const file = path === "-" ? standardInput() : createReadStream(path, { highWaterMark: 1 << 18, ...part });
  try {
    const chunks = (async function* () {
      for await (const chunk of file as AsyncIterable<Uint8Array>) {
        onRead?.(chunk.length, chunk);
        yield chunk;
      }
    })();
    let start: Uint8Array = new Uint8Array(0);
    while (start.length < 2) {
      const { value, done } = await chunks.next();
      if (done) break;
      start = start.length === 0 ? value : Buffer.concat([start, value]);
    }
    if (start[0] === 0x1f && start[1] === 0x8b && !range?.start) {
      const packed = (async function* () {
        yield start;
        yield* chunks;
      })();
      // Its errors reach the loop below through the gunzip stream.
      yield* pipeline(Readable.from(packed), createGunzip({ chunkSize: 1 << 18 }), () => {});
    } else {
      yield start;
      yield* chunks;
    }
  } catch (error) {
    throw fileError("read", sourceName(path), error);
  }
}

/** The beginning of standard input, where it was looked at before it is read, and what follows. */
let lookedAt: { start: Uint8Array[]; rest: AsyncIterator<Uint8Array> } | undefined;

function standardInput(): AsyncIterable<Uint8Array> {
  const begun = lookedAt;
  if (!begun) return process.stdin;
  lookedAt = undefined;
  return (async function* () {
    yield* begun.start;
    yield* { [Symbol.asyncIterator]: () => begun.rest };
  })();
}

/** The first bytes of standard input, at least so many if it has them; they are read again afterwards. */
export async function beginningOfInput(least: number): Promise<Buffer> {
  lookedAt ??= { start: [], rest: (process.stdin as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]() };
  const { start, rest } = lookedAt;
  let length = start.reduce((sum, chunk) => sum + chunk.length, 0);
  while (length < least) {
    const { value, done } = await rest.next();
    if (done) break;
    start.push(value);
    length += value.length;
  }
  return Buffer.concat(start);
}

/** The lines of a text file, which may be gzipped. */
export function readTextLines(path: string): AsyncIterable<string> {
  return createInterface({ input: Readable.from(readBytes(path)), crlfDelay: Number.POSITIVE_INFINITY });
}

/**
 * The bytes of a treebank; a file whose lines end in CR alone would be one long comment, so it is refused, and so is a
 * table.
 */
export async function* readLines(
  path: string,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  yield* withLineEnds(path, readBytes(path, onRead));
}

/** Passes bytes on as long as it is not known that they are a table, or that their lines end in CR alone. */
export async function* withLineEnds(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  let isKnown = false;
  let returns = 0;
  let isBegun = false;
  for await (const chunk of chunks) {
    if (!isBegun && Buffer.from(chunk.subarray(0, 4)).toString("latin1") === "PAR1") {
      throw new FileError(
        path === "-"
          ? "<stdin>: a Parquet table, which is read from its end (expected a file: stemma convert FILE)"
          : `${path}: a Parquet table (expected CoNLL-U: stemma convert ${path} -o NAME.conllu)`,
      );
    }
    isBegun = true;
    for (let i = 0; i < chunk.length && !isKnown; i++) {
      if (chunk[i] === 10) isKnown = true;
      else if (chunk[i] === 13 && ++returns > 1) {
        throw new FileError(
          `${sourceName(path)}: invalid line ends: CR alone (expected LF or CR LF; tr '\\r' '\\n' < FILE converts it)`,
        );
      }
    }
    yield chunk;
  }
}

/** How a path is called in messages. */
export function sourceName(path: string): string {
  return path === "-" ? "<stdin>" : path;
}

/** The problem of a file, in a sentence; `advice` comes after it. */
export function fileError(action: string, name: string, error: unknown, advice = ""): FileError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  // "EXDEV: cross-device link not permitted, rename 'a' -> 'b'"
  const plain = message.replace(new RegExp(`^${code}: `), "").replace(/, \w+( '.*)?$/s, "");
  return Object.assign(new FileError(`${name}: cannot ${action}: ${REASONS[code] ?? plain}${advice}`), { action });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  ENOTDIR: "part of the path is not a directory",
  EISDIR: "is a directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left",
  EDQUOT: "the user's disk quota is exceeded",
  EFBIG: "the file would be larger than permitted",
  EBUSY: "it is in use",
  ETXTBSY: "it is in use",
  ENXIO: "there is no reader at the other end",
  EIO: "the disk or terminal failed",
  ELOOP: "its symbolic links form a loop",
  ENAMETOOLONG: "the name is too long",
  EMFILE: "too many open files",
  Z_BUF_ERROR: "the gzip data ends too early",
  Z_DATA_ERROR: "the gzip data is damaged",
};

/** Memory that the system or its limits refuse, for WebAssembly, for arrays, or for a thread. */
function isOutOfMemory(error: unknown): boolean {
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (code === "ERR_WORKER_OUT_OF_MEMORY" || code === "ERR_WORKER_INIT_FAILED") return true;
  return name === "RangeError" && /could not allocate|allocation failed|out of memory/i.test(message);
}

/** The status by which shells know a program that lost the reader of its output: 128 and the number of SIGPIPE. */
const CLOSED_PIPE = 141;

/**
 * Wraps the action of a command: errors in the input and in its files become one line on stderr and an exit status
 * (1 for a treebank error, 2 for a file); a closed pipe ends the command without a word; other errors are thrown on.
 */
export function guarded<A extends unknown[]>(action: (...args: A) => Promise<void>): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await action(...args);
    } catch (error) {
      if (error instanceof ClosedPipe) {
        process.exitCode = CLOSED_PIPE;
        return;
      }
      if (isOutOfMemory(error)) {
        warn(
          "stemma: not enough memory (under ulimit -v, set NODE_OPTIONS=--disable-wasm-trap-handler; otherwise raise the limit, or use fewer --threads or a smaller model)",
        );
        process.exitCode = 2;
        return;
      }
      if (!(error instanceof TreebankError || error instanceof FileError)) throw error;
      warn(error.message);
      process.exitCode = error instanceof FileError ? 2 : 1;
    }
  };
}
