import { type GrowingMemory, instantiate, needWebAssembly } from "../../kernels/kernel.js";
import networkKernel from "../../kernels/network.generated.js";
import { adamSizes, BETA1, BETA2 } from "../../learning/network/adam.js";
import { addProduct, matrix, multiply, type NetworkKernel, turned } from "../../learning/network/network-kernel.js";
import { exp } from "../../math/exp.js";
import { Random } from "../../math/random.js";
import { memoryOf, Places, padded } from "../../scoring/network/inference-memory.js";
import { quantize } from "../../scoring/network/quantization.js";
import { type ProbeHeader, probeStorage, type StoredProbe } from "../probe/probe-data.js";

/** The examples of a probe: rows of inputs, each with its class. */
export interface ProbeExamples {
  readonly classes: Int32Array;
  /** Writes the inputs of an example. */
  read(example: number, out: Float32Array, at: number): void;
}

/** How a probe is trained. */
export interface ProbeOptions {
  epochs: number;
  rate: number;
  /** Probability of leaving out a number of the input or a unit of the hidden layer. */
  dropout: number;
  seed: number;
}

const BATCH = 64;

/**
 * Trains a probe on the chosen examples, with Adam and a step size that falls to 0; the same seed gives the same
 * numbers.
 */
export function trainProbe(
  header: ProbeHeader,
  examples: ProbeExamples,
  chosen: Int32Array,
  { epochs, rate, dropout, seed }: ProbeOptions,
): StoredProbe {
  needWebAssembly();
  const { inputs, hidden, classes } = header;
  const columns = padded(classes, 8);
  const random = new Random(seed);
  const places = new Places();
  const sizes = [inputs * hidden, hidden, hidden * columns, columns];
  const count = sizes.reduce((sum, size) => sum + size, 0);
  const parameters = places.take(4 * count);
  const gradients = places.take(4 * count);
  const first = places.take(4 * count);
  const second = places.take(4 * count);
  const x = places.take(4 * BATCH * inputs);
  const h = places.take(4 * BATCH * hidden);
  const mask = places.take(4 * BATCH * Math.max(inputs, hidden));
  const dh = places.take(4 * BATCH * hidden);
  const z = places.take(4 * BATCH * columns);
  const outputTurned = places.take(4 * hidden * columns);
  const memory: GrowingMemory = memoryOf(places.end, false);
  const kernel = instantiate<NetworkKernel>(networkKernel, memory)!;
  const floats = new Float32Array(memory.buffer);
  const starts = sizes.map((_, k) => parameters + 4 * sizes.slice(0, k).reduce((sum, size) => sum + size, 0));
  const [hiddenAt, hiddenBias, outputAt, outputBias] = starts as [number, number, number, number];
  const toGradient = gradients - parameters;
  const { means, deviations } = spreadOf(examples, chosen, inputs);
  const spread = Math.sqrt(6 / inputs);
  for (let k = 0; k < inputs * hidden; k++) floats[hiddenAt / 4 + k] = spread * (2 * random.next() - 1);
  const order = Int32Array.from(chosen);
  const steps = epochs * Math.ceil(order.length / BATCH);
  const drop = Math.floor(dropout * 2 ** 32);
  let step = 0;
  let noise = random.state;
  for (let epoch = 0; epoch < epochs; epoch++) {
    random.shuffle(order);
    for (let from = 0; from < order.length; from += BATCH) {
      const rows = Math.min(BATCH, order.length - from);
      for (let r = 0; r < rows; r++) {
        const at = x / 4 + r * inputs;
        examples.read(order[from + r]!, floats, at);
        for (let j = 0; j < inputs; j++) floats[at + j] = (floats[at + j]! - means[j]!) / deviations[j]!;
      }
      noise = kernel.fillMask(mask, rows * inputs, drop, 1 / (1 - dropout), noise);
      kernel.scaleRow(x, mask, rows * inputs);
      const inputRows = matrix(x, rows, inputs);
      const hiddenRows = matrix(h, rows, hidden);
      const outputRows = matrix(z, rows, columns);
      const output = matrix(outputAt, hidden, columns);
      multiply(kernel, inputRows, matrix(hiddenAt, inputs, hidden), hiddenRows);
      noise = kernel.fillMask(mask, rows * hidden, drop, 1 / (1 - dropout), noise);
      for (let k = 0; k < rows * hidden; k++) {
        const value = floats[h / 4 + k]! + floats[hiddenBias / 4 + (k % hidden)]!;
        floats[h / 4 + k] = value > 0 ? value * floats[mask / 4 + k]! : 0;
      }
      multiply(kernel, hiddenRows, output, outputRows);
      for (let r = 0; r < rows; r++) {
        const at = z / 4 + r * columns;
        for (let c = 0; c < columns; c++) floats[at + c] = floats[at + c]! + floats[outputBias / 4 + c]!;
        toGradients(floats, at, classes, columns, examples.classes[order[from + r]!]!, 1 / rows);
      }
      addProduct(kernel, turned(hiddenRows), outputRows, matrix(outputAt + toGradient, hidden, columns));
      kernel.sumRows(outputBias + toGradient, z, rows, columns);
      kernel.transpose(outputAt, hidden, columns, outputTurned);
      multiply(kernel, outputRows, matrix(outputTurned, columns, hidden), matrix(dh, rows, hidden));
      for (let k = 0; k < rows * hidden; k++)
        floats[dh / 4 + k] = floats[h / 4 + k]! > 0 ? floats[dh / 4 + k]! * floats[mask / 4 + k]! : 0;
      addProduct(kernel, turned(inputRows), matrix(dh, rows, hidden), matrix(hiddenAt + toGradient, inputs, hidden));
      kernel.sumRows(hiddenBias + toGradient, dh, rows, hidden);
      const { size, epsilon } = adamSizes(rate * (1 - step / steps), ++step);
      kernel.descend(parameters, gradients, first, second, count, size, BETA1, BETA2, epsilon);
    }
  }
  const values = starts.map((at, k) => floats.slice(at / 4, at / 4 + sizes[k]!));
  const [hiddenValues, hiddenBiases, outputValues, outputBiases] = values as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  // Inputs as they come are what the probe gets later.
  for (let j = 0; j < inputs; j++) {
    for (let k = 0; k < hidden; k++) {
      const weight = hiddenValues[j * hidden + k]! / deviations[j]!;
      hiddenValues[j * hidden + k] = weight;
      hiddenBiases[k] = hiddenBiases[k]! - weight * means[j]!;
    }
  }
  // Without the columns that were there only to fill a register.
  const narrow = (wide: Float32Array) => wide.filter((_, k) => k % columns < classes);
  const tensors = [hiddenValues, hiddenBiases, narrow(outputValues), narrow(outputBiases)];
  return { header, numbers: quantize(probeStorage(header), tensors) };
}

/** The mean and the standard deviation of each input. */
function spreadOf(
  examples: ProbeExamples,
  chosen: Int32Array,
  inputs: number,
): { means: Float64Array; deviations: Float64Array } {
  const means = new Float64Array(inputs);
  const deviations = new Float64Array(inputs);
  const row = new Float32Array(inputs);
  for (const example of chosen) {
    examples.read(example, row, 0);
    for (let j = 0; j < inputs; j++) {
      means[j] = means[j]! + row[j]!;
      deviations[j] = deviations[j]! + row[j]! ** 2;
    }
  }
  for (let j = 0; j < inputs; j++) {
    means[j] = means[j]! / chosen.length;
    deviations[j] = Math.sqrt(Math.max(0, deviations[j]! / chosen.length - means[j]! ** 2)) || 1;
  }
  return { means, deviations };
}

/** Scores become the derivatives of −log of the probability of the right class, times a factor. */
function toGradients(
  floats: Float32Array,
  at: number,
  classes: number,
  columns: number,
  right: number,
  factor: number,
): void {
  let most = floats[at]!;
  for (let c = 1; c < classes; c++) most = Math.max(most, floats[at + c]!);
  let sum = 0;
  for (let c = 0; c < classes; c++) sum += floats[at + c] = exp(floats[at + c]! - most);
  for (let c = 0; c < classes; c++) floats[at + c] = (floats[at + c]! / sum - (c === right ? 1 : 0)) * factor;
  floats.fill(0, at + classes, at + columns);
}
