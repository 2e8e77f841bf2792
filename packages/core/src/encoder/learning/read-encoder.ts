import { BYTES, checkOptions, checkRequired, STRING, wholeNumber } from "../../checks/options.js";
import { quantize } from "../../scoring/network/quantization.js";
import type { EncoderData, EncoderHeader, WordPieceHeader } from "../encoder-data.js";
import { checkEncoder, encoderStorage } from "../encoder-shape.js";
import { WordPieces } from "../word-pieces.js";
import { readOnnx } from "./onnx.js";
import { readSafetensors } from "./safetensors.js";
import { readTokenizer } from "./tokenizer-json.js";
import type { EncoderWeights, WeightTensor } from "./weights.js";

/** The files of a BERT-like encoder. */
export interface EncoderFiles {
  /** An ONNX or safetensors file. */
  weights: Uint8Array;
  /** The text of its `tokenizer.json`. */
  tokenizer: string;
  /** The text of its `config.json`, which is needed only where the weights do not tell the number of heads. */
  config?: string | undefined;
}

/** How much of an encoder is taken. */
export interface EncoderOptions {
  /** The first layers; all if not given. */
  layers?: number | undefined;
  /** Layers, counted from the last of these, whose vectors a network gets; 4 if not given. */
  mixed?: number | undefined;
}

const FILES = { weights: BYTES, tokenizer: STRING, config: STRING };
const OPTIONS = { layers: wholeNumber(1), mixed: wholeNumber(1) };
const MIXED = 4;
/** BERT's. */
const EPSILON = 1e-12;

/**
 * Reads an encoder and rounds its matrices to 8 bits. RangeErrors tell what is wrong with the files.
 * @param files weights, tokenizer and configuration
 * @param options how many layers are used, and how many are mixed
 */
export function readEncoder(files: EncoderFiles, options: EncoderOptions = {}): EncoderData {
  checkRequired("readEncoder", files, FILES, ["weights", "tokenizer"]);
  checkOptions("readEncoder", options, OPTIONS);
  const weights = isSafetensors(files.weights) ? readSafetensors(files.weights) : readOnnx(files.weights);
  const tokenizer = inFile("tokenizer.json", () => readTokenizer(files.tokenizer));
  const config = files.config === undefined ? {} : configOf(files.config);
  const take = taker(weights);
  const table = take("embeddings.word_embeddings.weight");
  const [rows = 0, size = 0] = table.shape;
  if (rows < tokenizer.vocabulary.length)
    throw new RangeError(
      `${rows} vectors for ${tokenizer.vocabulary.length} pieces: weights and tokenizer are not of one encoder`,
    );
  const { pieces, vocabulary, numbers: kept } = withoutUnused(tokenizer);
  const available = layersIn(weights);
  const layers = options.layers ?? available;
  if (!(Number.isInteger(layers) && layers >= 1 && layers <= available))
    throw new RangeError(
      `invalid number of layers: ${layers} (expected 1 to ${available}, as many as the encoder has)`,
    );
  const positions = take("embeddings.position_embeddings.weight");
  const inner = take("encoder.layer.0.intermediate.dense.bias").values.length;
  const heads = config.heads ?? (weights.headSize === undefined ? undefined : size / weights.headSize);
  if (heads === undefined)
    throw new RangeError("the weights do not tell the number of heads (expected a config.json beside them)");
  const header: EncoderHeader = {
    size,
    heads,
    inner,
    layers,
    mixed: Math.min(options.mixed ?? MIXED, layers),
    window: positions.shape[0]!,
    epsilon: config.epsilon ?? EPSILON,
    pieces,
  };
  checkEncoder(header, vocabulary.length);
  const storage = encoderStorage(header, vocabulary.length);
  const values = new Map<string, Float32Array>();
  const rowsOfPieces = new Float32Array(vocabulary.length * size);
  kept.forEach((piece, k) => {
    rowsOfPieces.set(table.values.subarray(piece * size, (piece + 1) * size), k * size);
  });
  values.set("pieces", rowsOfPieces);
  const type = take("embeddings.token_type_embeddings.weight").values;
  values.set(
    "positions",
    positions.values.map((value, k) => value + type[k % size]!),
  );
  values.set("norm", normOf(take, "embeddings.LayerNorm"));
  for (let k = 0; k < layers; k++) {
    const layer = `encoder.layer.${k}`;
    const self = ["query", "key", "value"].map((name) => `${layer}.attention.self.${name}`);
    const matrices = self.map((name) => byInput(take(`${name}.weight`)));
    const attention = new Float32Array(3 * size * size);
    for (let row = 0; row < size; row++) {
      matrices.forEach((matrix, m) => {
        attention.set(matrix.subarray(row * size, (row + 1) * size), (3 * row + m) * size);
      });
    }
    values.set(`attention ${k}`, attention);
    values.set(`attention bias ${k}`, joined(self.map((name) => take(`${name}.bias`).values)));
    values.set(`attended ${k}`, byInput(take(`${layer}.attention.output.dense.weight`)));
    values.set(`attended bias ${k}`, take(`${layer}.attention.output.dense.bias`).values);
    values.set(`attended norm ${k}`, normOf(take, `${layer}.attention.output.LayerNorm`));
    values.set(`inner ${k}`, byInput(take(`${layer}.intermediate.dense.weight`)));
    values.set(`inner bias ${k}`, take(`${layer}.intermediate.dense.bias`).values);
    values.set(`outer ${k}`, byInput(take(`${layer}.output.dense.weight`)));
    values.set(`outer bias ${k}`, take(`${layer}.output.dense.bias`).values);
    values.set(`outer norm ${k}`, normOf(take, `${layer}.output.LayerNorm`));
  }
  const numbers = quantize(
    storage,
    storage.tensors.map(({ name }) => values.get(name)!),
  );
  return { header, vocabulary, numbers };
}

/** The vocabulary without pieces that no text has, of which there may be a thousand, and the numbers of the rest. */
function withoutUnused({ pieces, vocabulary }: ReturnType<typeof readTokenizer>): {
  pieces: WordPieceHeader;
  vocabulary: string[];
  numbers: number[];
} {
  const words = new WordPieces(pieces, vocabulary);
  const needed = new Set([...pieces.special, pieces.unknown, pieces.begin, pieces.end]);
  const numbers = [...vocabulary.keys()].filter((piece) => needed.has(piece) || words.canOccur(vocabulary[piece]!));
  const number = new Map(numbers.map((piece, k) => [piece, k]));
  const [unknown, begin, end] = [pieces.unknown, pieces.begin, pieces.end].map((piece) => number.get(piece)!);
  return {
    pieces: {
      ...pieces,
      unknown: unknown!,
      begin: begin!,
      end: end!,
      special: pieces.special.map((piece) => number.get(piece)!),
    },
    vocabulary: numbers.map((piece) => vocabulary[piece]!),
    numbers,
  };
}

/** A safetensors file begins with a length of 8 bytes and a brace; no ONNX file does. */
function isSafetensors(bytes: Uint8Array): boolean {
  return bytes[8] === 0x7b && bytes[6] === 0 && bytes[7] === 0;
}

type Take = (name: string) => WeightTensor;

/** Gives tensors by name; names may have something before them, such as "bert.", and older ones for norms. */
function taker({ tensors }: EncoderWeights): Take {
  const prefix = prefixOf(tensors);
  return (name) => {
    const older = name.replace(/LayerNorm\.weight$/, "LayerNorm.gamma").replace(/LayerNorm\.bias$/, "LayerNorm.beta");
    const tensor = tensors.get(prefix + name) ?? tensors.get(prefix + older);
    if (!tensor) throw new RangeError(`no ${name} among the weights (expected a BERT-like encoder)`);
    return tensor;
  };
}

const FIRST = "embeddings.word_embeddings.weight";

function prefixOf(tensors: EncoderWeights["tensors"]): string {
  for (const name of tensors.keys()) if (name.endsWith(FIRST)) return name.slice(0, -FIRST.length);
  return "";
}

function layersIn({ tensors }: EncoderWeights): number {
  let layers = 0;
  for (const name of tensors.keys()) {
    const [, number] = /(?:^|\.)encoder\.layer\.(\d+)\.output\.dense\.bias$/.exec(name) ?? [];
    if (number !== undefined) layers = Math.max(layers, Number(number) + 1);
  }
  return layers;
}

function normOf(take: Take, name: string): Float32Array {
  return joined([take(`${name}.weight`).values, take(`${name}.bias`).values]);
}

/** The matrix with a row for each input. */
function byInput({ shape, values, byInput: isTurned }: WeightTensor): Float32Array {
  if (isTurned) return values;
  const [rows = 0, columns = 0] = shape;
  const turned = new Float32Array(values.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) turned[j * rows + i] = values[i * columns + j]!;
  return turned;
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The part of a `config.json` that is needed. */
function configOf(text: string): { heads?: number; epsilon?: number } {
  return inFile("config.json", () => {
    const config = JSON.parse(text) as Record<string, unknown>;
    const { num_attention_heads: heads, layer_norm_eps: epsilon, hidden_act: activation = "gelu" } = config ?? {};
    const { position_embedding_type: positions = "absolute" } = config ?? {};
    if (activation !== "gelu") throw new RangeError(`hidden_act: ${String(activation)} (expected gelu)`);
    if (positions !== "absolute")
      throw new RangeError(`position_embedding_type: ${String(positions)} (expected absolute)`);
    return {
      ...(typeof heads === "number" ? { heads } : {}),
      ...(typeof epsilon === "number" ? { epsilon } : {}),
    };
  });
}

function inFile<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new RangeError(`${name}: ${(error as Error).message}`);
  }
}
