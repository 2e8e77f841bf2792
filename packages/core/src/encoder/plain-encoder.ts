// kernels/encoder.ts in TypeScript, to the last bit: see there for what the functions do. Math.fround after every
// operation makes it one on 32-bit numbers; numbers that are stored are rounded by that.

import { exp } from "../scoring/network/plain-network.js";

/** The operations of an encoder besides products of matrices, on a memory; all addresses are bytes. */
export interface EncoderKernel {
  normalize(x: number, y: number, bias: number, norm: number, rows: number, size: number, epsilon: number): void;
  addBias(x: number, bias: number, rows: number, size: number): void;
  gelu(x: number, bias: number, rows: number, size: number): void;
  attend(
    x: number,
    count: number,
    size: number,
    head: number,
    factor: number,
    out: number,
    keys: number,
    scores: number,
  ): void;
}

const { fround } = Math;
const HALF_ROOT = fround(Math.SQRT1_2);
const SPREAD = fround(0.3275911);
const POLYNOMIAL = Float32Array.of(-0.7265760135, 0.71070687, -0.142248368, 0.127414796);
const FIRST = fround(0.5307027145);

/** Four sums, one for each lane, added up as the kernel does it. */
function total(lanes: Float32Array): number {
  return fround(fround(lanes[0]! + lanes[1]!) + fround(lanes[2]! + lanes[3]!));
}

/** The kernel without WebAssembly. */
export function plainEncoderKernel(memory: { readonly buffer: ArrayBuffer | SharedArrayBuffer }): EncoderKernel {
  const lanes = new Float32Array(4);
  // The memory may have grown.
  let floats = new Float32Array(memory.buffer);
  const refresh = () => {
    if (floats.buffer !== memory.buffer) floats = new Float32Array(memory.buffer);
  };

  const normalize: EncoderKernel["normalize"] = (x, y, bias, norm, rows, size, epsilon) => {
    refresh();
    const [b, n] = [bias >> 2, norm >> 2];
    const least = fround(epsilon);
    for (let r = 0; r < rows; r++) {
      const at = (x >> 2) + r * size;
      const from = (y >> 2) + r * size;
      lanes.fill(0);
      for (let j = 0; j < size; j++) {
        if (y) floats[at + j] = floats[at + j]! + fround(floats[from + j]! + floats[b + j]!);
        lanes[j & 3] = lanes[j & 3]! + floats[at + j]!;
      }
      const mean = fround(total(lanes) / size);
      lanes.fill(0);
      for (let j = 0; j < size; j++) {
        floats[at + j] = floats[at + j]! - mean;
        lanes[j & 3] = lanes[j & 3]! + fround(floats[at + j]! * floats[at + j]!);
      }
      const factor = fround(1 / fround(Math.sqrt(fround(fround(total(lanes) / size) + least))));
      for (let j = 0; j < size; j++) {
        const value = fround(fround(floats[at + j]! * factor) * floats[n + j]!);
        floats[at + j] = value + floats[n + size + j]!;
      }
    }
  };

  const addBias: EncoderKernel["addBias"] = (x, bias, rows, size) => {
    refresh();
    const [at, b] = [x >> 2, bias >> 2];
    for (let k = 0; k < rows * size; k++) floats[at + k] = floats[at + k]! + floats[b + (k % size)]!;
  };

  const gelu: EncoderKernel["gelu"] = (x, bias, rows, size) => {
    refresh();
    const [at, b] = [x >> 2, bias >> 2];
    for (let k = 0; k < rows * size; k++) {
      const value = fround(floats[at + k]! + floats[b + (k % size)]!);
      const z = fround(Math.abs(value) * HALF_ROOT);
      const t = fround(1 / fround(1 + fround(SPREAD * z)));
      let p = FIRST;
      for (let i = 0; i < POLYNOMIAL.length; i++) p = fround(fround(p * t) + POLYNOMIAL[i]!);
      const beyond = fround(fround(p * t) * exp(-fround(z * z)));
      floats[at + k] = value * (value < 0 ? beyond : fround(1 - beyond));
    }
  };

  const attend: EncoderKernel["attend"] = (x, count, size, head, factor, out, _keys, scores) => {
    refresh();
    const line = 3 * size;
    const scale = fround(factor);
    const wide = (count + 7) & ~7;
    const s = scores >> 2;
    for (let h = 0; h < size; h += head) {
      const keys = (x >> 2) + size + h;
      const values = keys + size;
      for (let i = 0; i < count; i++) {
        const query = (x >> 2) + i * line + h;
        let top = -1e30;
        for (let j = 0; j < count; j++) {
          let sum = 0;
          for (let d = 0; d < head; d++) sum = fround(sum + fround(floats[query + d]! * floats[keys + j * line + d]!));
          floats[s + j] = sum * scale;
          if (floats[s + j]! > top) top = floats[s + j]!;
        }
        lanes.fill(0);
        for (let j = 0; j < wide; j++) {
          // Beyond the last there are keys that only fill a register.
          const e = exp(j < count ? fround(floats[s + j]! - top) : -87);
          floats[s + j] = e;
          lanes[j & 3] = lanes[j & 3]! + e;
        }
        const inverse = fround(1 / total(lanes));
        const to = (out >> 2) + i * size + h;
        for (let d = 0; d < head; d++) {
          let sum = 0;
          for (let j = 0; j < count; j++) sum = fround(sum + fround(floats[s + j]! * floats[values + j * line + d]!));
          floats[to + d] = sum * inverse;
        }
      }
    }
  };

  return { normalize, addBias, gelu, attend };
}
