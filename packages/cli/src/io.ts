import { createReadStream, createWriteStream, unlinkSync } from "node:fs";
import { realpath, rename, stat, unlink, writeFile } from "node:fs/promises";
import { pipeline, Readable, type Writable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type ReaderOptions, type Sentence, TreebankError, TreebankReader } from "@stemma/core";

/** What became of the sentences of one or more files; give the same one to several reads to add them up. */
export class ReadReport {
  read = 0;
  skipped = 0;
  /** Blank lines and comments after the last sentence of the last file. */
  trailer = "";

  /** Says how many sentences were skipped, if any, and sets the exit status to 1 then. */
  finish(): void {
    if (this.skipped === 0) return;
    const sentences = this.skipped === 1 ? "sentence" : "sentences";
    process.stderr.write(`stemma: ${this.skipped} ${sentences} skipped, ${this.read} read\n`);
    process.exitCode = 1;
  }
}

export interface ReadOptions extends Omit<ReaderOptions, "source"> {
  /** Throw the first error, instead of skipping the sentence with a line on stderr. */
  strict?: boolean | undefined;
  report?: ReadReport | undefined;
}

/** A file that cannot be opened, read or written: exit status 2. */
export class FileError extends Error {}

/** The reader of our output has gone, as in `stemma convert x | head`: nothing to say about it. */
class ClosedPipe extends Error {}

/** The sentences of a treebank: a file, plain or gzipped, or "-" (or no path) for standard input. */
export async function* readSentences(path = "-", options: ReadOptions = {}): AsyncGenerator<Sentence, void, void> {
  const { strict, report = new ReadReport(), ...rest } = options;
  const reader = new TreebankReader({ ...rest, source: sourceName(path) });
  for await (const chunk of readBytes(path)) yield* accepted(reader.push(chunk));
  yield* accepted(reader.end());
  report.trailer = reader.trailer;

  function* accepted(results: (Sentence | TreebankError)[]) {
    for (const result of results) {
      if (!(result instanceof TreebankError)) {
        report.read++;
        yield result;
      } else if (strict) {
        throw result;
      } else {
        report.skipped++;
        process.stderr.write(`${result.message}: sentence skipped\n`);
      }
    }
  }
}

/** The bytes of a file or of "-", standard input; unpacked if they are gzip, whatever the file is called. */
export async function* readBytes(path: string): AsyncGenerator<Uint8Array, void, void> {
  const file: Readable = path === "-" ? process.stdin : createReadStream(path, { highWaterMark: 1 << 18 });
  try {
    const chunks = file[Symbol.asyncIterator]() as AsyncIterableIterator<Uint8Array>;
    let start: Uint8Array = new Uint8Array(0);
    while (start.length < 2) {
      const { value, done } = await chunks.next();
      if (done) break;
      start = start.length === 0 ? value : Buffer.concat([start, value]);
    }
    if (start[0] === 0x1f && start[1] === 0x8b) {
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

/** How a path is called in messages. */
export function sourceName(path: string): string {
  return path === "-" ? "<stdin>" : path;
}

/** Where a command writes. After an error, abort; otherwise close. */
export interface Output {
  /** Await it: it waits while the other side is slow. */
  write(text: string): Promise<void>;
  close(): Promise<void>;
  /** Gives up: a file keeps what it had before, standard output what was written so far. */
  abort(): Promise<void>;
}

const BUFFERED = 1 << 16;

/**
 * Opens a file, or standard output without a path or for "-". A file is written under a temporary name beside it and
 * gets its name in close(), so that a half-written file never has the name; what is not a file (a device, a pipe) is
 * written directly.
 */
export async function openOutput(path = "-"): Promise<Output> {
  if (path === "-") return streamOutput(process.stdout, "<stdout>");
  const existing = await stat(path).catch(() => undefined);
  if (existing !== undefined && !existing.isFile()) return streamOutput(await opened(path, "w", path), path);

  const target = existing === undefined ? path : await realpath(path);
  const temporary = `${target}.${process.pid}.tmp`;
  const output = streamOutput(await opened(temporary, "wx", path, existing && existing.mode & 0o777), path);
  const interrupted = (signal: NodeJS.Signals) => {
    unlinkSync(temporary);
    process.kill(process.pid, signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, interrupted);
  const finish = () => {
    for (const signal of signals) process.off(signal, interrupted);
  };
  return {
    write: output.write,
    async close() {
      try {
        await output.close();
        await rename(temporary, target).catch((error) => {
          throw fileError("write", path, error);
        });
      } catch (error) {
        await unlink(temporary).catch(() => {});
        throw error;
      } finally {
        finish();
      }
    },
    async abort() {
      await output.abort();
      await unlink(temporary).catch(() => {});
      finish();
    },
  };
}

/** Writes a whole file at once, under a temporary name first. */
export async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw fileError("write", path, error);
  }
}

function opened(path: string, flags: string, name: string, mode = 0o666): Promise<Writable> {
  return new Promise((resolve, reject) => {
    const stream = createWriteStream(path, { flags, mode });
    stream.once("open", () => resolve(stream));
    stream.once("error", (error) => reject(fileError("write", name, error)));
  });
}

function streamOutput(stream: Writable, name: string): Output {
  let buffer = "";
  let failed: Error | undefined;
  let wake: (() => void) | undefined;
  let idle: NodeJS.Immediate | undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    failed ??= error.code === "EPIPE" ? new ClosedPipe() : fileError("write", name, error);
    wake?.();
  });
  stream.on("drain", () => wake?.());

  const flush = async () => {
    clearImmediate(idle);
    idle = undefined;
    if (failed) throw failed;
    const text = buffer;
    buffer = "";
    if (text !== "" && !stream.write(text)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (failed) resolve();
      });
      wake = undefined;
    }
    if (failed) throw failed;
  };
  const close = async () => {
    await flush();
    // Standard output is not ours to end; its last write is complete when an empty one after it is.
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (stream === process.stdout) stream.write("", () => resolve());
      else stream.end(() => resolve());
    });
    if (failed) throw failed;
  };
  return {
    async write(text) {
      if (failed) throw failed;
      buffer += text;
      if (buffer.length >= BUFFERED) return flush();
      // Runs when there is nothing more to read for now, so that a sentence typed by hand is answered at once.
      idle ??= setImmediate(() => flush().catch(() => {}));
    },
    close,
    async abort() {
      if (stream === process.stdout) return close().catch(() => {});
      buffer = "";
      clearImmediate(idle);
      await new Promise<void>((resolve) => stream.destroy().once("close", () => resolve()));
    },
  };
}

function fileError(action: string, name: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  return new FileError(`${name}: cannot ${action}: ${REASONS[code ?? ""] ?? message}`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  EISDIR: "is a directory",
  EACCES: "permission denied",
  ENOSPC: "no space left",
  Z_BUF_ERROR: "the gzip data ends too early",
  Z_DATA_ERROR: "the gzip data is damaged",
};

/**
 * Wraps the action of a command: errors in the input and in its files become one line on stderr and an exit status
 * (1 for a treebank error, 2 for a file); a closed pipe ends the command quietly; other errors are thrown on.
 */
export function guarded<A extends unknown[]>(action: (...args: A) => Promise<void>): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await action(...args);
    } catch (error) {
      if (error instanceof ClosedPipe) return;
      if (!(error instanceof TreebankError || error instanceof FileError)) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exitCode = error instanceof FileError ? 2 : 1;
    }
  };
}
