import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { useEncoder } from "@stemma/core/encoder";
import { EncodedTreebank, type EncoderData, type Forms, RememberingEncoder, readEncoder } from "@stemma/core/training";
import { FileError, fileError } from "../files/io.js";
import { clearStatus, note, showStatus } from "../terminal/messages.js";

/** Vectors of development data that are kept, in bytes, at most. */
const MOST_DEVELOPMENT = 2 ** 30;
const WEIGHTS = /\.(onnx|safetensors)$/;

/** The files of an encoder. */
interface EncoderPaths {
  weights: string;
  tokenizer: string;
  config: string | undefined;
}

/**
 * The files of an encoder, by its folder or its weights: one .onnx or .safetensors, and tokenizer.json and config.json,
 * which may begin with the name of the weights (e5.onnx, e5-tokenizer.json).
 */
export async function encoderPaths(path: string): Promise<EncoderPaths> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    (error: Error) => {
      throw fileError("read", path, error);
    },
  );
  let weights = path;
  if (isFolder) {
    const found = (await readdir(path)).filter((name) => WEIGHTS.test(name)).sort();
    if (found.length !== 1)
      throw new FileError(
        `${path}: ${found.length === 0 ? "no weights of an encoder" : `several encoders: ${found.join(", ")}`} ` +
          "(expected one .onnx or .safetensors; or give the file)",
      );
    weights = join(path, found[0]!);
  }
  const folder = dirname(weights);
  const name = basename(weights).replace(WEIGHTS, "");
  const beside = (file: string) => [join(folder, `${name}-${file}`), join(folder, file)].find((at) => existsSync(at));
  const tokenizer = beside("tokenizer.json");
  if (tokenizer === undefined)
    throw new FileError(`${weights}: no tokenizer.json beside it (expected the encoder's own)`);
  return { weights, tokenizer, config: beside("config.json") };
}

/** Reads the first layers of an encoder; what is wrong with its files becomes a FileError. */
async function loadEncoder(path: string, layers: number | undefined): Promise<EncoderData> {
  const paths = await encoderPaths(path);
  const read = (file: string) =>
    readFile(file).catch((error: Error) => {
      throw fileError("read", file, error);
    });
  const weights = await read(paths.weights);
  const tokenizer = (await read(paths.tokenizer)).toString("utf8");
  const config = paths.config === undefined ? undefined : (await read(paths.config)).toString("utf8");
  try {
    return readEncoder({ weights, tokenizer, config }, { layers });
  } catch (error) {
    if (error instanceof RangeError) throw new FileError(`${paths.weights}: ${error.message}`);
    throw error;
  }
}

/**
 * The output of --encoder for the training data, if there is one; that for development data is kept once it was asked
 * for.
 */
export async function encodeTraining(
  sentences: readonly Forms[],
  options: { encoder?: string | undefined; encoderLayers?: number | undefined },
  threads: number,
): Promise<EncodedTreebank | undefined> {
  if (options.encoder === undefined) return undefined;
  const encoder = await loadEncoder(options.encoder, options.encoderLayers);
  const started = performance.now();
  const encoded = new EncodedTreebank(encoder, sentences, threads > 1);
  useEncoder(encoder, new RememberingEncoder(encoder, MOST_DEVELOPMENT));
  for (const words of encoded.steps()) {
    showStatus(`encoder: ${words} of ${encoded.words} words …`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  clearStatus();
  const { layers, size } = encoder.header;
  const speed = Math.round((1000 * encoded.words) / (performance.now() - started));
  note(`encoder: ${layers} layers of ${size} units, ${encoded.words} words, ${speed} words/s`);
  return encoded;
}
