// Everything that commands write to files goes through here: a file has its old content or all of the new, whatever
// happens.
import {
  close,
  constants,
  existsSync,
  fstatSync,
  fsync,
  open,
  readFileSync,
  readlinkSync,
  unlinkSync,
  write,
  writeSync,
} from "node:fs";
import { access, chmod, chown, lstat, readlink, realpath, rename, stat, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { createGzip, constants as zlibConstants } from "node:zlib";
import { shownText } from "../terminal/shown-text.js";
import { ClosedPipe, FileError, fileError } from "./io.js";

/** Where a command writes. After an error, abort; otherwise close. */
export interface Output {
  /**
   * Await it: it waits while the other side is slow. Bytes belong to the output from then on. A terminal gets no
   * control characters, unless they are colours of our own (`isColored`) in text that is printable without them.
   */
  write(data: string | Uint8Array, isColored?: boolean): Promise<void>;
  /** Until this has come back, nothing is known to be written. */
  close(): Promise<void>;
  /** Gives up: a file keeps what it had before, standard output what was written so far. */
  abort(): Promise<void>;
}

/** Where bytes go in the end. */
interface Sink {
  write(bytes: Uint8Array): Promise<void>;
  /** Sees to it that all is written. */
  finish(): Promise<void>;
  /** Leaves things as they were, as far as possible. */
  discard(): Promise<void>;
  /** Whether someone may be waiting at the other end. */
  readonly isLive: boolean;
  readonly isTerminal?: boolean;
}

const BUFFERED = 1 << 16;
/** Links that lead to links; as many as Linux follows. */
const MOST_LINKS = 40;

const openFile = promisify(open);
const closeFile = promisify(close);
const sync = promisify(fsync);

/**
 * Opens a file, or standard output without a path or for "-". A file is written under a temporary name beside it and
 * gets its name in close(), when all of it is on the disk; what is not a file (a terminal, a pipe) is written directly.
 * A name that ends in .gz is that of a compressed file. None of the `inputs` is written over.
 */
export async function openOutput(path = "-", inputs: readonly (string | undefined)[] = []): Promise<Output> {
  await refuseInputs(path, "--output", inputs);
  const isStandard = path === "-" || path === "/dev/stdout";
  const sink = isStandard ? standardOutput() : await fileSink(path);
  return new BufferedOutput(/\.gz$/i.test(path) ? gzipped(sink) : sink);
}

/**
 * Opens a file as `openOutput` does, with a temporary name that only this process uses; `onBytes` sees all that is
 * written to it.
 */
export async function openPart(path: string, temporary: string, onBytes: (bytes: Uint8Array) => void): Promise<Output> {
  const file = await fileSink(path, temporary);
  const sink: Sink = {
    ...file,
    write: (bytes) => {
      onBytes(bytes);
      return file.write(bytes);
    },
  };
  return new BufferedOutput(/\.gz$/i.test(path) ? gzipped(sink) : sink);
}

/** Writes text that is there already, to a file or standard output. */
export async function writeOutput(path: string | undefined, text: string): Promise<void> {
  const output = await openOutput(path);
  await output.write(text).catch(async (error) => {
    await output.abort();
    throw error;
  });
  await output.close();
}

/** Writes the whole of a file. `temporary` is its name until then, if only one process ever writes it. */
export async function writeBytes(path: string, bytes: Uint8Array, temporary?: string): Promise<void> {
  const sink = await fileSink(path, temporary);
  try {
    await sink.write(bytes);
    await sink.finish();
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

/**
 * Checks, before the work begins, that a file can be written in the end: that it is a file or nothing yet, that its
 * folder takes new files, and that it is none of the `inputs`, which it would replace.
 */
export async function checkTarget(
  path: string,
  option: string,
  inputs: readonly (string | undefined)[] = [],
): Promise<void> {
  await refuseInputs(path, option, inputs);
  const existing = await stat(path).catch(() => undefined);
  if (existing && !existing.isFile() && !existing.isDirectory()) {
    throw new FileError(`invalid ${option}: ${path} (expected a file, not a device or a pipe)`);
  }
  await (await fileSink(path)).discard();
}

/** Refuses to write over something that is read. */
export async function refuseInputs(
  path: string | undefined,
  option: string,
  inputs: readonly (string | undefined)[],
): Promise<void> {
  if (path === undefined) return;
  const target = await stat(path).catch(() => undefined);
  if (!target?.isFile()) return;
  for (const input of inputs) {
    if (input === undefined || input === "-") continue;
    const other = await stat(input).catch(() => undefined);
    if (other?.dev !== target.dev || other.ino !== target.ino) continue;
    throw new FileError(`invalid ${option}: ${path} (expected a file other than ${input}, which it would replace)`);
  }
}

/** Collects text, so that a sentence is not a system call. */
class BufferedOutput implements Output {
  private buffer = "";
  private written: Promise<void> = Promise.resolve();
  private idle: NodeJS.Immediate | undefined;
  private failure: unknown;

  constructor(private readonly sink: Sink) {}

  async write(data: string | Uint8Array, isColored = false): Promise<void> {
    if (this.failure) throw this.failure;
    if (typeof data !== "string") return this.flush(data);
    this.buffer += this.sink.isTerminal && !isColored ? shownText(data) : data;
    if (this.buffer.length >= BUFFERED) return this.flush();
    // Runs when there is nothing more to read for now, so that a sentence typed by hand is answered at once.
    if (this.sink.isLive) this.idle ??= setImmediate(() => this.flush().catch(() => {}));
  }

  private flush(bytes?: Uint8Array): Promise<void> {
    clearImmediate(this.idle);
    this.idle = undefined;
    const text = this.buffer;
    this.buffer = "";
    if (text !== "") this.written = this.written.then(() => this.sink.write(Buffer.from(text)));
    if (bytes) this.written = this.written.then(() => this.sink.write(bytes));
    // Whoever waits for it hears of it, and so does the next one who writes.
    this.written.catch((error) => {
      this.failure ??= error;
    });
    return this.written;
  }

  async close(): Promise<void> {
    try {
      await this.flush();
      await this.sink.finish();
    } catch (error) {
      await this.sink.discard();
      throw error;
    }
  }

  async abort(): Promise<void> {
    if (this.sink.isLive) await this.flush().catch(() => {});
    else this.buffer = "";
    clearImmediate(this.idle);
    await this.written.catch(() => {});
    await this.sink.discard();
  }
}

/** Compresses what goes into another sink; the same bytes for the same text. */
function gzipped(sink: Sink): Sink {
  const gzip = createGzip({ level: zlibConstants.Z_DEFAULT_COMPRESSION });
  let packed: Buffer[] = [];
  gzip.on("data", (chunk: Buffer) => packed.push(chunk));
  const pass = async () => {
    const chunks = packed;
    packed = [];
    if (chunks.length > 0) await sink.write(Buffer.concat(chunks));
  };
  return {
    isLive: false,
    async write(bytes) {
      await new Promise<void>((resolve) => gzip.write(bytes, () => resolve()));
      await pass();
    },
    async finish() {
      await new Promise<void>((resolve) => gzip.once("end", resolve).end());
      await pass();
      await sink.finish();
    },
    async discard() {
      gzip.destroy();
      await sink.discard();
    },
  };
}

/** A file that takes the place of another in the end, or what is no file and is written directly. */
async function fileSink(path: string, fixedName?: string): Promise<Sink> {
  catchFileSizeLimit();
  let target: string;
  let existing: Awaited<ReturnType<typeof stat>> | undefined;
  try {
    target = await linkTarget(path);
    existing = await stat(target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (existing?.isBlockDevice()) throw new FileError(`${path}: cannot write: it is a disk (expected a file)`);
    if (existing && !existing.isFile()) return descriptorSink(await openFile(target, "w"), path, true);
    // Renaming needs no permission to write the file that goes.
    if (existing) await access(target, constants.W_OK);
    if (existing) target = await realpath(target);
  } catch (error) {
    throw error instanceof FileError ? error : fileError("write", path, error);
  }
  const temporary = fixedName ?? `${target}.${process.pid}.tmp`;
  // Before the file is there: a signal may come at any moment after.
  temporaries.add(temporary);
  watchSignals();
  let descriptor: number;
  try {
    descriptor = await openFile(temporary, fixedName === undefined ? "wx" : "w", existing ? 0o600 : 0o666);
  } catch (error) {
    forget(temporary);
    const isRefused = ["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "");
    throw fileError(
      "write",
      path,
      error,
      isRefused ? " (its folder must be writable, because the output is first written to a new file there)" : "",
    );
  }
  const file = descriptorSink(descriptor, path, false);
  const remove = async () => {
    await unlink(temporary).catch(() => {});
    forget(temporary);
  };
  return {
    isLive: false,
    write: file.write,
    async finish() {
      try {
        await file.finish();
        // The owner may be another one, for root; where it cannot be kept the file is ours.
        if (existing) await chown(temporary, Number(existing.uid), Number(existing.gid)).catch(() => {});
        if (existing) await chmod(temporary, Number(existing.mode) & 0o7777);
        await rename(temporary, target);
      } catch (error) {
        throw error instanceof FileError ? error : fileError("write", path, error);
      }
      forget(temporary);
      // Not every file system can; the file itself is safe by now.
      const folder = await openFile(dirname(target), "r").catch(() => undefined);
      if (folder === undefined) return;
      await sync(folder).catch(() => {});
      await closeFile(folder).catch(() => {});
    },
    async discard() {
      await file.discard();
      await remove();
    },
  };
}

/** Where a path leads through links, which themselves stay; the last one may lead to nothing yet. */
async function linkTarget(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    const info = await lstat(target).catch(() => undefined);
    if (!info?.isSymbolicLink()) return target;
    // The links of /proc lead to what has no name.
    if (await stat(target).catch(() => undefined)) return target;
    target = resolve(dirname(target), await readlink(target));
  }
  throw Object.assign(new Error(), { code: "ELOOP" });
}

/** An open file; `isLive` if nothing can be taken back. */
function descriptorSink(descriptor: number, name: string, isLive: boolean): Sink {
  let isOpen = true;
  const end = async () => {
    if (isOpen && descriptor > 2) await closeFile(descriptor);
    isOpen = false;
  };
  return {
    isLive,
    async write(bytes) {
      try {
        for (let at = 0; at < bytes.length; ) at += await writeSome(descriptor, bytes, at);
      } catch (error) {
        throw (error as NodeJS.ErrnoException).code === "EPIPE" ? new ClosedPipe() : fileError("write", name, error);
      }
    },
    async finish() {
      try {
        // Disks that are full, or far away, may say so only here. Pipes and terminals have nothing to wait for.
        await sync(descriptor).catch((error: NodeJS.ErrnoException) => {
          if (!["EINVAL", "ENOTSUP", "ENOSYS", "EROFS"].includes(error.code ?? "")) throw error;
        });
        await end();
      } catch (error) {
        throw fileError("write", name, error);
      }
    },
    discard: () => end().catch(() => {}),
  };
}

/** Writes as much as goes at once, and returns how much that was. */
function writeSome(descriptor: number, bytes: Uint8Array, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, from, bytes.length - from, null, (error, written) => {
      if (!error) resolve(written);
      else if (error.code === "EAGAIN") setTimeout(() => resolve(0), 5);
      else reject(error);
    });
  });
}

/** Writes a text to standard output at once: help, after which the process ends. */
export function writeOut(text: string): void {
  checkOpen();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw fileError("write", "<stdout>", error);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function checkOpen(): void {
  if (isClosed()) {
    throw new FileError("<stdout>: cannot write: it is closed (use > /dev/null to throw the output away)");
  }
}

function standardOutput(): Sink {
  checkOpen();
  // Node's stream for files does not see when only a part was written.
  if (isFile(1)) return descriptorSink(1, "<stdout>", true);
  const stream = process.stdout;
  let failed: Error | undefined;
  let wake: (() => void) | undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    failed ??= error.code === "EPIPE" ? new ClosedPipe() : fileError("write", "<stdout>", error);
    wake?.();
  });
  stream.on("drain", () => wake?.());
  const waitFor = async (begin: (done: () => void) => boolean) => {
    if (failed) throw failed;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (begin(resolve) || failed) resolve();
    });
    wake = undefined;
    if (failed) throw failed;
  };
  return {
    isLive: true,
    isTerminal: stream.isTTY === true,
    write: (bytes) => waitFor(() => stream.write(bytes)),
    // It is not ours to end; its last write is complete when an empty one after it is.
    finish: () =>
      waitFor((done) => {
        stream.write("", done);
        return false;
      }),
    discard: async () => {},
  };
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/** How shells are called, which close it for `>&-` in themselves or in the process that they start. */
const SHELL = /^(ba|da|z|k|mk|a|fi)?sh$|^busybox$/;

/**
 * Whether a shell has closed standard output. Node has put /dev/null in its place, open for reading and writing, as
 * programs do that want no output; a shell opens it for writing only.
 */
function isClosed(): boolean {
  if (outputOf("self") !== "null") return false;
  const parent = outputOf(process.ppid);
  if (parent !== "open") return parent === "closed";
  return SHELL.test(readFileSync(`/proc/${process.ppid}/comm`, "utf8").trim());
}

/** The standard output of a process: /dev/null that is open for reading, too, or something else. */
function outputOf(process: number | "self"): "null" | "open" | "closed" | "unknown" {
  try {
    const [, flags] = /^flags:\s*\d*(\d)$/m.exec(readFileSync(`/proc/${process}/fdinfo/1`, "utf8")) ?? [];
    const isBoth = (Number(flags) & 3) === constants.O_RDWR;
    return isBoth && readlinkSync(`/proc/${process}/fd/1`) === "/dev/null" ? "null" : "open";
  } catch (error) {
    const isThere = existsSync(`/proc/${process}`);
    return isThere && (error as NodeJS.ErrnoException).code === "ENOENT" ? "closed" : "unknown";
  }
}

const temporaries = new Set<string>();
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let watching = false;

/** While there are temporary files, the end of the process takes them along, but for one that nobody can prevent. */
function watchSignals(): void {
  if (watching) return;
  watching = true;
  process.on("exit", removeTemporaries);
  for (const signal of SIGNALS) process.on(signal, interrupted);
}

function forget(temporary: string): void {
  temporaries.delete(temporary);
  if (temporaries.size > 0) return;
  watching = false;
  process.off("exit", removeTemporaries);
  for (const signal of SIGNALS) process.off(signal, interrupted);
}

function interrupted(signal: NodeJS.Signals): void {
  removeTemporaries();
  for (const name of SIGNALS) process.off(name, interrupted);
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function removeTemporaries(): void {
  for (const path of temporaries) {
    try {
      unlinkSync(path);
    } catch {
      // It has its own name by now, or is gone.
    }
  }
}

let limitIsCaught = false;

/** A limit on the size of files ends the process unless someone listens; then the write fails as others do. */
function catchFileSizeLimit(): void {
  if (limitIsCaught || process.platform === "win32") return;
  limitIsCaught = true;
  process.on("SIGXFSZ" as NodeJS.Signals, () => {});
}
