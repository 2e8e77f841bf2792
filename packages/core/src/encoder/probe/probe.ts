import inferenceKernel from "../../kernels/inference.generated.js";
import { type GrowingMemory, instantiate } from "../../kernels/kernel.js";
import { CLASS_BITS } from "../../pipeline/tagger/tag-guesser.js";
import {
  fillMatrix,
  grow,
  type MatrixPlace,
  memoryOf,
  Places,
  padded,
  placeMatrix,
} from "../../scoring/network/inference-memory.js";
import { type InferenceKernel, plainKernel } from "../../scoring/network/plain-network.js";
import { END_CLASSES, probeStorage, type StoredProbe } from "./probe-data.js";

/** Rows for which there is room before more are needed. */
const ROWS = 64;

/** A probe at work: 8-bit weights, 16-bit inputs, integer sums; the same bits without WebAssembly, if it is `plain`. */
export class Probe {
  private readonly memory: GrowingMemory;
  private readonly kernel: InferenceKernel;
  private readonly hidden: MatrixPlace;
  private readonly output: MatrixPlace;
  private readonly biases: readonly [Float32Array, Float32Array];
  private readonly base: number;
  private capacity = 0;

  constructor(
    private readonly data: StoredProbe,
    plain = false,
  ) {
    const { header, numbers } = data;
    const { tensors } = probeStorage(header);
    const tensor = (name: string) => tensors.find((stored) => stored.name === name)!;
    const bias = (name: string) => {
      const { floats, columns } = tensor(name);
      return numbers.floats.subarray(floats, floats + columns);
    };
    this.biases = [bias("hidden bias"), bias("output bias")];
    const [hidden, output] = [tensor("hidden"), tensor("output")];
    const places = new Places();
    this.hidden = placeMatrix(hidden, hidden.rows, places);
    this.output = placeMatrix(output, output.rows, places);
    this.base = places.end;
    this.memory = memoryOf(this.base, plain);
    this.kernel =
      (plain ? undefined : instantiate<InferenceKernel>(inferenceKernel, this.memory, "inference")) ??
      plainKernel(this.memory);
    fillMatrix(this.memory, this.hidden, hidden, numbers);
    fillMatrix(this.memory, this.output, output, numbers);
  }

  /** The scores of the classes for rows of inputs, one row after the other. */
  score(inputs: Float32Array): Float32Array {
    const { header } = this.data;
    const rows = inputs.length / header.inputs;
    const at = this.room(rows);
    const floats = new Float32Array(this.memory.buffer);
    floats.set(inputs, at.inputs / 4);
    this.multiply(at.inputs, rows, header.inputs, this.hidden, at);
    const [hiddenBias, outputBias] = this.biases;
    const hidden = new Float32Array(rows * header.hidden);
    for (let row = 0; row < rows; row++) {
      const from = at.products / 4 + row * this.hidden.columns;
      for (let j = 0; j < header.hidden; j++)
        hidden[row * header.hidden + j] = Math.max(0, floats[from + j]! + hiddenBias[j]!);
    }
    floats.set(hidden, at.inputs / 4);
    this.multiply(at.inputs, rows, header.hidden, this.output, at);
    const scores = new Float32Array(rows * header.classes);
    for (let row = 0; row < rows; row++) {
      const from = at.products / 4 + row * this.output.columns;
      for (let j = 0; j < header.classes; j++) scores[row * header.classes + j] = floats[from + j]! + outputBias[j]!;
    }
    return scores;
  }

  private multiply(
    from: number,
    rows: number,
    size: number,
    place: MatrixPlace,
    { narrowed, scales, products }: Room,
  ): void {
    const { at, scales: columnScales, pairs, columns, level } = place;
    this.kernel.quantize(from, rows, size, level, narrowed, scales);
    this.kernel.multiply(narrowed, scales, rows, pairs, at, columnScales, columns, products, 4 * columns);
  }

  /** Places for so many rows, of which there may be more than ever before. */
  private room(rows: number): Room {
    const { inputs, hidden } = this.data.header;
    if (rows > this.capacity) this.capacity = padded(Math.max(ROWS, 2 * rows), 4);
    const places = new Places();
    places.end = this.base;
    const wide = Math.max(inputs, hidden);
    const room = {
      inputs: places.take(4 * this.capacity * wide),
      narrowed: places.take(2 * this.capacity * wide),
      scales: places.take(4 * this.capacity),
      products: places.take(4 * this.capacity * Math.max(this.hidden.columns, this.output.columns)),
    };
    grow(this.memory, places.end);
    return room;
  }
}

interface Room {
  readonly inputs: number;
  readonly narrowed: number;
  readonly scales: number;
  readonly products: number;
}

/** The mean of the layers of each word. */
export function meanOfLayers(vectors: Float32Array, mixed: number, size: number): Float32Array {
  const means = new Float32Array(vectors.length / mixed);
  for (let k = 0; k < means.length; k++) {
    const from = Math.floor(k / size) * mixed * size + (k % size);
    let sum = 0;
    for (let layer = 0; layer < mixed; layer++) sum += vectors[from + layer * size]!;
    means[k] = sum / mixed;
  }
  return means;
}

/** Steps of how much better the best class of a guess is than the second. */
const LEADS = [0.5, 1.5, 3, 6];

/** For each row of scores its best class, the second, and by how much the best is better, in one number. */
export function packGuesses(scores: Float32Array, classes: number): Int32Array {
  const guesses = new Int32Array(scores.length / classes);
  for (let row = 0; row < guesses.length; row++) {
    const at = row * classes;
    let [best, second] = [0, -1];
    for (let c = 1; c < classes; c++) {
      if (scores[at + c]! > scores[at + best]!) [best, second] = [c, best];
      else if (second < 0 || scores[at + c]! > scores[at + second]!) second = c;
    }
    const lead = second < 0 ? Number.POSITIVE_INFINITY : scores[at + best]! - scores[at + second]!;
    guesses[row] = best | (Math.max(0, second) << CLASS_BITS) | (stepOf(lead, LEADS) << (2 * CLASS_BITS));
  }
  return guesses;
}

/** Steps of by how much the score of an end is higher than that of none. */
const END_LEADS = [-7, -5, -3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 4, 6];

/** For each row of scores of a sentence end how sure that is, from 1 up. */
export function endSteps(scores: Float32Array): Uint8Array {
  return Uint8Array.from(
    { length: scores.length / END_CLASSES },
    (_, gap) => 1 + stepOf(scores[END_CLASSES * gap + 1]! - scores[END_CLASSES * gap]!, END_LEADS),
  );
}

function stepOf(value: number, steps: readonly number[]): number {
  let step = 0;
  while (step < steps.length && value >= steps[step]!) step++;
  return step;
}
