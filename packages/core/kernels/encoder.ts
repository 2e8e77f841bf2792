// AssemblyScript: what an encoder does besides the products of matrices, which are those of kernels/inference.ts on the
// same memory: layer norm, GELU, attention. WebAssembly with 128-bit SIMD.
//
// src/scoring/encoder/plain-encoder.ts does the same in TypeScript, to the last bit: everything is done in the same
// order there. A change here is a change there. All addresses are bytes; sizes of rows are multiples of 16 numbers.

import { exp } from "./exp";

/** The score of keys that are there only to fill a register. */
const NEVER: f32 = -1e30;

/** x = layer norm of x + y + bias, row by row; without y (0) of x. `norm` has the factors, then what is added. */
export function normalize(x: usize, y: usize, bias: usize, norm: usize, rows: usize, size: usize, epsilon: f32): void {
  const bytes = size << 2;
  const count = <f32>size;
  for (let r: usize = 0; r < rows; r++, x += bytes) {
    let sum = f32x4.splat(0);
    if (y) {
      for (let j: usize = 0; j < bytes; j += 16) {
        const value = f32x4.add(v128.load(x + j), f32x4.add(v128.load(y + j), v128.load(bias + j)));
        v128.store(x + j, value);
        sum = f32x4.add(sum, value);
      }
      y += bytes;
    } else for (let j: usize = 0; j < bytes; j += 16) sum = f32x4.add(sum, v128.load(x + j));
    const mean = f32x4.splat(total(sum) / count);
    let squares = f32x4.splat(0);
    for (let j: usize = 0; j < bytes; j += 16) {
      const value = f32x4.sub(v128.load(x + j), mean);
      v128.store(x + j, value);
      squares = f32x4.add(squares, f32x4.mul(value, value));
    }
    const factor = f32x4.splat(<f32>1 / sqrt<f32>(total(squares) / count + epsilon));
    for (let j: usize = 0; j < bytes; j += 16) {
      const value = f32x4.mul(f32x4.mul(v128.load(x + j), factor), v128.load(norm + j));
      v128.store(x + j, f32x4.add(value, v128.load(norm + bytes + j)));
    }
  }
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function total(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}

/** x = x + bias, row by row. */
export function addBias(x: usize, bias: usize, rows: usize, size: usize): void {
  const bytes = size << 2;
  for (let r: usize = 0; r < rows; r++, x += bytes) {
    for (let j: usize = 0; j < bytes; j += 16) v128.store(x + j, f32x4.add(v128.load(x + j), v128.load(bias + j)));
  }
}

/**
 * x = GELU(x + bias), row by row: x Φ(x), with the error function after Abramowitz & Stegun 7.1.26, which is off by
 * 1.5e-7 at most.
 */
export function gelu(x: usize, bias: usize, rows: usize, size: usize): void {
  const bytes = size << 2;
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  for (let r: usize = 0; r < rows; r++, x += bytes) {
    for (let j: usize = 0; j < bytes; j += 16) {
      const value = f32x4.add(v128.load(x + j), v128.load(bias + j));
      const z = f32x4.mul(f32x4.abs(value), f32x4.splat(0.70710678));
      const t = f32x4.div(one, f32x4.add(one, f32x4.mul(f32x4.splat(0.3275911), z)));
      let p = f32x4.splat(0.5307027145);
      p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-0.7265760135));
      p = f32x4.add(f32x4.mul(p, t), f32x4.splat(0.710706870));
      p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-0.142248368));
      p = f32x4.add(f32x4.mul(p, t), f32x4.splat(0.127414796));
      // Half of 1 − erf(z): the part of the normal distribution beyond |x|.
      const beyond = f32x4.mul(f32x4.mul(p, t), exp(f32x4.neg(f32x4.mul(z, z))));
      const below = v128.bitselect(beyond, f32x4.sub(one, beyond), f32x4.lt(value, zero));
      v128.store(x + j, f32x4.mul(value, below));
    }
  }
}

/**
 * Attention among `count` rows from x on, each with `size` numbers of queries, then of keys, then of values; `out` has
 * `size` numbers a row. `head`: numbers of a head, a multiple of 16; `factor`: what scores are multiplied by. `keys`
 * has room for `head` rows of `count` numbers filled up to a multiple of 8, `scores` for two such rows.
 */
export function attend(
  x: usize,
  count: usize,
  size: usize,
  head: usize,
  factor: f32,
  out: usize,
  keys: usize,
  scores: usize,
): void {
  const line = size * 12;
  const outLine = size << 2;
  const bytes = head << 2;
  const wide = ((count + 7) & ~7) << 2;
  const scale = f32x4.splat(factor);
  for (let h: usize = 0; h < outLine; h += bytes) {
    // The keys of the head, turned: four or eight of them are compared at once.
    for (let j: usize = 0; j < count; j++) {
      const from = x + j * line + outLine + h;
      for (let d: usize = 0; d < head; d++) store<f32>(keys + d * wide + (j << 2), load<f32>(from + (d << 2)));
    }
    for (let j = count << 2; j < wide; j += 4) {
      for (let d: usize = 0; d < head; d++) store<f32>(keys + d * wide + j, 0);
    }
    const values = x + 2 * outLine + h;
    // Two queries at a time; of an odd number the last one is computed twice.
    for (let i: usize = 0; i < count; i += 2) {
      const next = min<usize>(i + 1, count - 1);
      const q0 = x + i * line + h;
      const q1 = x + next * line + h;
      const s0 = scores;
      const s1 = scores + wide;
      for (let j: usize = 0; j < wide; j += 32) {
        let a00 = f32x4.splat(0);
        let a01 = f32x4.splat(0);
        let a10 = f32x4.splat(0);
        let a11 = f32x4.splat(0);
        let k = keys + j;
        for (let d: usize = 0; d < bytes; d += 4, k += wide) {
          const k0 = v128.load(k);
          const k1 = v128.load(k, 16);
          let q = v128.load32_splat(q0 + d);
          a00 = f32x4.add(a00, f32x4.mul(q, k0));
          a01 = f32x4.add(a01, f32x4.mul(q, k1));
          q = v128.load32_splat(q1 + d);
          a10 = f32x4.add(a10, f32x4.mul(q, k0));
          a11 = f32x4.add(a11, f32x4.mul(q, k1));
        }
        v128.store(s0 + j, f32x4.mul(a00, scale));
        v128.store(s0 + j, f32x4.mul(a01, scale), 16);
        v128.store(s1 + j, f32x4.mul(a10, scale));
        v128.store(s1 + j, f32x4.mul(a11, scale), 16);
      }
      const inverse0 = f32x4.splat(<f32>1 / exponentials(s0, count, wide));
      const inverse1 = f32x4.splat(<f32>1 / exponentials(s1, count, wide));
      const to0 = out + i * outLine + h;
      const to1 = out + next * outLine + h;
      for (let d: usize = 0; d < bytes; d += 64) {
        let a00 = f32x4.splat(0);
        let a01 = f32x4.splat(0);
        let a02 = f32x4.splat(0);
        let a03 = f32x4.splat(0);
        let a10 = f32x4.splat(0);
        let a11 = f32x4.splat(0);
        let a12 = f32x4.splat(0);
        let a13 = f32x4.splat(0);
        let v = values + d;
        for (let j: usize = 0; j < count << 2; j += 4, v += line) {
          const p0 = v128.load32_splat(s0 + j);
          const p1 = v128.load32_splat(s1 + j);
          let value = v128.load(v);
          a00 = f32x4.add(a00, f32x4.mul(p0, value));
          a10 = f32x4.add(a10, f32x4.mul(p1, value));
          value = v128.load(v, 16);
          a01 = f32x4.add(a01, f32x4.mul(p0, value));
          a11 = f32x4.add(a11, f32x4.mul(p1, value));
          value = v128.load(v, 32);
          a02 = f32x4.add(a02, f32x4.mul(p0, value));
          a12 = f32x4.add(a12, f32x4.mul(p1, value));
          value = v128.load(v, 48);
          a03 = f32x4.add(a03, f32x4.mul(p0, value));
          a13 = f32x4.add(a13, f32x4.mul(p1, value));
        }
        v128.store(to0 + d, f32x4.mul(a00, inverse0));
        v128.store(to0 + d, f32x4.mul(a01, inverse0), 16);
        v128.store(to0 + d, f32x4.mul(a02, inverse0), 32);
        v128.store(to0 + d, f32x4.mul(a03, inverse0), 48);
        v128.store(to1 + d, f32x4.mul(a10, inverse1));
        v128.store(to1 + d, f32x4.mul(a11, inverse1), 16);
        v128.store(to1 + d, f32x4.mul(a12, inverse1), 32);
        v128.store(to1 + d, f32x4.mul(a13, inverse1), 48);
      }
    }
  }
}

/** Puts e^(score − the largest) in the place of each score, and returns the sum. */
function exponentials(scores: usize, count: usize, wide: usize): f32 {
  for (let j = count << 2; j < wide; j += 4) store<f32>(scores + j, NEVER);
  let most = f32x4.splat(NEVER);
  for (let j: usize = 0; j < wide; j += 16) most = f32x4.pmax(most, v128.load(scores + j));
  const top = f32x4.splat(
    max<f32>(
      max<f32>(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
      max<f32>(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
    ),
  );
  let sum = f32x4.splat(0);
  for (let j: usize = 0; j < wide; j += 16) {
    const e = exp(f32x4.sub(v128.load(scores + j), top));
    v128.store(scores + j, e);
    sum = f32x4.add(sum, e);
  }
  return total(sum);
}
