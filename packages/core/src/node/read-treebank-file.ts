import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { check, type Expectation, FUNCTION } from "../checks/options.js";
import { OBJECT } from "../checks/shapes.js";
import { TreebankError } from "../treebank/errors.js";
import { type ReaderOptions, TreebankReader } from "../treebank/formats/reader.js";
import type { Sentence } from "../treebank/sentence/sentence.js";

/** Options of `readTreebankFile`. */
export interface ReadFileOptions extends ReaderOptions {
  /** Called for every sentence that cannot be read, which is then left out; without it, the first error is thrown. */
  onError?: ((error: TreebankError) => void) | undefined;
}

/**
 * The sentences of a treebank file, which may be gzipped, one after the other: a file of any size in bounded memory.
 * @param path a path or a file: URL
 * @param options those of `readTreebank`, and what is done with errors
 */
export function readTreebankFile(
  path: string | URL,
  options: ReadFileOptions = {},
): AsyncGenerator<Sentence, void, void> {
  check("path", path, PATH);
  check("options of readTreebankFile", options, OBJECT);
  const { onError, ...reading } = options;
  if (onError !== undefined) check("onError of readTreebankFile", onError, FUNCTION);
  return sentencesOf(path, new TreebankReader({ source: String(path), ...reading }), onError);
}

const PATH: Expectation = {
  expected: "a path or a file: URL",
  accepts: (value) => (typeof value === "string" && value !== "") || value instanceof URL,
};

async function* sentencesOf(
  path: string | URL,
  reader: TreebankReader,
  onError: ReadFileOptions["onError"],
): AsyncGenerator<Sentence, void, void> {
  function* sound(results: (Sentence | TreebankError)[]): Generator<Sentence> {
    for (const result of results) {
      if (!(result instanceof TreebankError)) yield result;
      else if (onError) onError(result);
      else throw result;
    }
  }
  for await (const bytes of unzipped(path)) yield* sound(reader.push(bytes));
  yield* sound(reader.end());
}

/** The bytes of a file, without gzip if it begins with its two bytes. */
async function* unzipped(path: string | URL): AsyncGenerator<Uint8Array, void, void> {
  const file = createReadStream(path);
  try {
    const chunks = file[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const { done, value: first } = await chunks.next();
    if (done) return;
    const rest = (async function* () {
      yield first;
      yield* { [Symbol.asyncIterator]: () => chunks };
    })();
    if (first[0] !== 0x1f || first[1] !== 0x8b) yield* rest;
    else yield* Readable.from(rest).compose(createGunzip()) as AsyncIterable<Buffer>;
  } finally {
    file.destroy();
  }
}
