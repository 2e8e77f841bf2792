// kernels/inference.ts in TypeScript, to the last bit: see there for what the functions do. Math.fround after every
// operation makes it one on 32-bit numbers, and integers are exact.

import { LOG_UNIT } from "../log-scores.js";

/** The operations of a network, on a memory; all addresses and strides are bytes. */
export interface InferenceKernel {
  sum(list: number, count: number, columns: number, out: number): void;
  quantize(x: number, rows: number, size: number, level: number, out: number, scales: number): void;
  multiply(
    x: number,
    rowScales: number,
    rows: number,
    pairs: number,
    matrix: number,
    columnScales: number,
    columns: number,
    out: number,
    stride: number,
  ): void;
  multiplyRow(
    x: number,
    rowScale: number,
    pairs: number,
    matrix: number,
    columnScales: number,
    columns: number,
    out: number,
  ): void;
  recur(u: number, count: number, gates: number, width: number, state: number, out: number): void;
  init(
    hidden: number,
    hiddenSize: number,
    level: number,
    narrowed: number,
    output: number,
    outputScales: number,
    outputBias: number,
    classes: number,
    logits: number,
    scores: number,
    cube: number,
  ): void;
  score(list: number, count: number): void;
}

const LEAST_SCORE = -(2 ** 30);

const { fround, imul } = Math;
const TINY = fround(1e-30);
/** Added and taken away again, it leaves a number rounded to the nearest integer, of two the even one. */
const ROUNDING = 1.5 * 2 ** 52;
const LOG2E = fround(Math.LOG2E);
const LN2_HIGH = fround(0.693359375);
const LN2_LOW = fround(-2.1219444e-4);
const POLYNOMIAL = Float32Array.of(1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1);
const FIRST = fround(1.98756915e-4);
const POWERS = Float32Array.from({ length: 256 }, (_, n) => 2 ** (n - 128));

/** e^x on 32-bit numbers; x is taken to be from -87 to 87. */
export function exp(value: number): number {
  const x = Math.min(Math.max(value, -87), 87);
  const n = fround(x * LOG2E) + ROUNDING - ROUNDING;
  let r = fround(x - fround(n * LN2_HIGH));
  r = fround(r - fround(n * LN2_LOW));
  let p = FIRST;
  for (let k = 0; k < POLYNOMIAL.length; k++) p = fround(fround(p * r) + POLYNOMIAL[k]!);
  p = fround(fround(fround(p * fround(r * r)) + r) + 1);
  return fround(p * POWERS[n + 128]!);
}

function sigmoid(x: number): number {
  return fround(1 / fround(1 + exp(-x)));
}

function log(value: number): number {
  let x = value;
  let e = 0;
  while (x > Math.SQRT2) {
    x *= 0.5;
    e += 1;
  }
  const s = (x - 1) / (x + 1);
  const z = s * s;
  return e * Math.LN2 + 2 * s * (1 + z * (1 / 3 + z * (0.2 + z * (1 / 7 + z * (1 / 9 + z / 11)))));
}

/** The kernel without WebAssembly. */
export function plainKernel(memory: { readonly buffer: ArrayBuffer | SharedArrayBuffer }): InferenceKernel {
  let floats = new Float32Array(memory.buffer);
  let ints = new Int32Array(memory.buffer);
  let shorts = new Int16Array(memory.buffer);
  // The memory may have grown.
  const refresh = () => {
    if (floats.buffer === memory.buffer) return;
    floats = new Float32Array(memory.buffer);
    ints = new Int32Array(memory.buffer);
    shorts = new Int16Array(memory.buffer);
  };

  const sum = (list: number, count: number, columns: number, out: number): void => {
    refresh();
    const to = out >> 2;
    floats.fill(0, to, to + columns);
    for (let k = 0; k < count; k++) {
      const row = ints[(list >> 2) + k]! >> 2;
      for (let j = 0; j < columns; j++) floats[to + j] = floats[to + j]! + floats[row + j]!;
    }
  };

  const quantize = (x: number, rows: number, size: number, level: number, out: number, scales: number): void => {
    refresh();
    for (let r = 0; r < rows; r++) {
      const from = (x >> 2) + r * size;
      const to = (out >> 1) + r * size;
      let most = 0;
      for (let j = 0; j < size; j++) most = Math.max(most, Math.abs(floats[from + j]!));
      const inverse = most < TINY ? 0 : fround(level / most);
      for (let j = 0; j < size; j++) shorts[to + j] = fround(floats[from + j]! * inverse) + ROUNDING - ROUNDING;
      floats[(scales >> 2) + r] = most < TINY ? 0 : most / level;
    }
  };

  const multiplyRow: InferenceKernel["multiplyRow"] = (x, rowScale, pairs, matrix, columnScales, columns, out) => {
    refresh();
    const weights = shorts;
    const numbers = floats;
    const scale = numbers[rowScale >> 2]!;
    const from = x >> 1;
    const to = out >> 2;
    const scales = columnScales >> 2;
    // Four columns at a time: the engine then keeps their sums in registers.
    for (let column = 0; column < columns; column += 4) {
      let w = (matrix >> 1) + (column >> 3) * 16 * pairs + 2 * (column & 7);
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (let k = from; k < from + 2 * pairs; k += 2, w += 16) {
        const x0 = weights[k]!;
        const x1 = weights[k + 1]!;
        if ((x0 | x1) === 0) continue;
        a = (a + imul(x0, weights[w]!) + imul(x1, weights[w + 1]!)) | 0;
        b = (b + imul(x0, weights[w + 2]!) + imul(x1, weights[w + 3]!)) | 0;
        c = (c + imul(x0, weights[w + 4]!) + imul(x1, weights[w + 5]!)) | 0;
        d = (d + imul(x0, weights[w + 6]!) + imul(x1, weights[w + 7]!)) | 0;
      }
      numbers[to + column] = fround(a) * fround(scale * numbers[scales + column]!);
      numbers[to + column + 1] = fround(b) * fround(scale * numbers[scales + column + 1]!);
      numbers[to + column + 2] = fround(c) * fround(scale * numbers[scales + column + 2]!);
      numbers[to + column + 3] = fround(d) * fround(scale * numbers[scales + column + 3]!);
    }
  };

  const multiply: InferenceKernel["multiply"] = (
    x,
    rowScales,
    rows,
    pairs,
    matrix,
    columnScales,
    columns,
    out,
    stride,
  ) => {
    for (let r = 0; r < rows; r++) {
      multiplyRow(x + 4 * r * pairs, rowScales + 4 * r, pairs, matrix, columnScales, columns, out + r * stride);
    }
  };

  const pass = (
    u: number,
    uStep: number,
    count: number,
    gates: number,
    width: number,
    out: number,
    outStep: number,
  ) => {
    for (let j = 0; j < width; j++) {
      const vf = floats[gates + j]!;
      const vr = floats[gates + width + j]!;
      const bf = floats[gates + 2 * width + j]!;
      const br = floats[gates + 3 * width + j]!;
      let c = 0;
      let at = u + j;
      let to = out + j;
      for (let i = 0; i < count; i++, at += uStep, to += outStep) {
        const z = floats[at]!;
        const p = floats[at + 3 * width]!;
        const f = sigmoid(fround(fround(floats[at + width]! + fround(vf * c)) + bf));
        const r = sigmoid(fround(fround(floats[at + 2 * width]! + fround(vr * c)) + br));
        c = fround(z + fround(f * fround(c - z)));
        floats[to] = p + fround(r * fround(c - p));
      }
    }
  };

  const recur: InferenceKernel["recur"] = (u, count, gates, width, _state, out) => {
    refresh();
    const line = 8 * width;
    const last = count - 1;
    pass(u >> 2, line, count, gates >> 2, width, out >> 2, 2 * width);
    const from = (u >> 2) + last * line + 4 * width;
    pass(from, -line, count, (gates >> 2) + 4 * width, width, (out >> 2) + last * 2 * width + width, -2 * width);
  };

  let own: number[] = [];
  const init = (...addresses: number[]): void => {
    own = addresses;
  };

  const score = (list: number, count: number): void => {
    const [hidden, size, level, narrowed, output, outputScales, outputBias, classes, logits, scores, cube] = own as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    sum(list, count, size, hidden);
    for (let j = hidden >> 2; j < (hidden >> 2) + size; j++) {
      const x = floats[j]!;
      if (cube) floats[j] = fround(x * x) * x;
      else if (!(x > 0)) floats[j] = 0;
    }
    quantize(hidden, 1, size, level, narrowed, logits);
    const first = logits >> 2;
    multiplyRow(narrowed, logits, size / 2, output, outputScales, classes, logits);
    let top = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < classes; k++) {
      floats[first + k] = floats[first + k]! + floats[(outputBias >> 2) + k]!;
      if (floats[first + k]! > top) top = floats[first + k]!;
    }
    let [s0, s1, s2, s3] = [0, 0, 0, 0];
    floats[first + classes] = top;
    for (let k = 0; k < classes; k++) floats[first + k] = floats[first + k]! - top;
    for (let k = first; k < first + classes; k += 4) {
      s0 = fround(s0 + exp(floats[k]!));
      s1 = fround(s1 + exp(floats[k + 1]!));
      s2 = fround(s2 + exp(floats[k + 2]!));
      s3 = fround(s3 + exp(floats[k + 3]!));
    }
    const norm = fround(log(fround(fround(s0 + s1) + fround(s2 + s3))));
    for (let k = 0; k < classes; k++) {
      const x = fround(fround(floats[first + k]! - norm) * LOG_UNIT);
      ints[(scores >> 2) + k] = Math.max(x, LEAST_SCORE) + ROUNDING - ROUNDING;
    }
  };

  return { sum, quantize, multiply, multiplyRow, recur, init, score };
}
