// Bodies and answers that are packed.
import { Readable } from "node:stream";
import {
  type BrotliCompress,
  brotliCompress,
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createGunzip,
  createGzip,
  createInflate,
  type Gzip,
  gzip,
} from "node:zlib";
import type { Coding } from "./headers.js";
import { Problem, shown } from "./problem.js";

/** Answers that are shorter than this many bytes are not worth packing. */
export const WORTH_PACKING = 1024;
// Fast rather than small: the processors are there to parse.
const GZIP = { level: 1 };
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

const UNPACKERS = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/** The decompressor of a body; undefined if it is not packed. */
export function unpackerOf(encoding: string | undefined): (() => ReturnType<typeof createGunzip>) | undefined {
  if (encoding === undefined) return undefined;
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return undefined;
  if (Object.hasOwn(UNPACKERS, name)) return UNPACKERS[name as keyof typeof UNPACKERS];
  const detail = `unknown encoding: ${shown(encoding)} (expected gzip, deflate, br or none)`;
  throw new Problem(415, "unsupported-encoding", detail, "Content-Encoding");
}

/**
 * The parts of a packed body, unpacked; `tooLarge` is thrown when there are more than `most` bytes: a small body may
 * hide a huge one.
 */
export async function* unpacked(
  chunks: AsyncIterable<Buffer>,
  unpacker: ReturnType<typeof createGunzip>,
  most: number,
  tooLarge: () => Problem,
): AsyncGenerator<Buffer> {
  const source = Readable.from(chunks, { objectMode: false });
  source.on("error", (error) => unpacker.destroy(error));
  source.pipe(unpacker);
  let size = 0;
  try {
    for await (const chunk of unpacker as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^(Z_|ERR_)/.test(code)) throw error;
    throw new Problem(
      400,
      "invalid-encoding",
      "the body is not compressed as Content-Encoding says",
      "Content-Encoding",
    );
  } finally {
    source.destroy();
    unpacker.destroy();
  }
}

export type Packer = Gzip | BrotliCompress;

export function packerFor(coding: Coding): Packer {
  return coding === "br" ? createBrotliCompress(BROTLI) : createGzip(GZIP);
}

/** Packs a whole answer, on another thread. */
export function packed(text: string, coding: Coding, done: (error: Error | null, bytes: Buffer) => void): void {
  if (coding === "br") brotliCompress(text, BROTLI, done);
  else gzip(text, GZIP, done);
}
