// AssemblyScript: what a network does as it parses, as WebAssembly with 128-bit SIMD.
//
// src/scoring/network/plain-network.ts does the same in TypeScript, to the last bit: sums of products are exact
// (integers), and everything in floating point is done in the same order there. A change here is a change there. All
// addresses and strides are bytes; sizes are padded as src/scoring/network/inference-memory.ts does it.

import { exp, ROUNDING } from "./exp";

/** A row whose numbers are all smaller than this counts as zeros, so that no scale overflows. */
const TINY: f32 = 1e-30;
const ROUNDING_BITS: i32 = 0x4b400000;

/** `count` rows of numbers, whose addresses are in the list, added up. `columns` is a multiple of 8. */
export function sum(list: usize, count: usize, columns: usize, out: usize): void {
  const last = list + (count << 2);
  const end = columns << 2;
  for (let at: usize = 0; at < end; at += 32) {
    let s0 = f32x4.splat(0);
    let s1 = f32x4.splat(0);
    for (let p = list; p < last; p += 4) {
      const row = <usize>load<u32>(p) + at;
      s0 = f32x4.add(s0, v128.load(row));
      s1 = f32x4.add(s1, v128.load(row, 16));
    }
    v128.store(out + at, s0);
    v128.store(out + at, s1, 16);
  }
}

/**
 * Rows of numbers one after the other as integers from -level to level, and the scale of each row. `size` is a multiple
 * of 8.
 */
export function quantize(x: usize, rows: usize, size: usize, level: f32, out: usize, scales: usize): void {
  for (let r: usize = 0; r < rows; r++) {
    const end = x + (size << 2);
    let most = f32x4.splat(0);
    for (let p = x; p < end; p += 16) most = f32x4.pmax(most, f32x4.abs(v128.load(p)));
    store<f32>(scales + (r << 2), narrow(x, end, largest(most), level, out));
    x = end;
    out += size << 1;
  }
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function largest(v: v128): f32 {
  return max<f32>(
    max<f32>(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max<f32>(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function integers(x: v128, factor: v128): v128 {
  return i32x4.sub(f32x4.add(f32x4.mul(x, factor), f32x4.splat(ROUNDING)), i32x4.splat(ROUNDING_BITS));
}

/** One row as integers; returns its scale. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function narrow(x: usize, end: usize, most: f32, level: f32, out: usize): f32 {
  const inverse = f32x4.splat(most < TINY ? 0 : level / most);
  for (let p = x; p < end; p += 32, out += 16) {
    v128.store(out, i16x8.narrow_i32x4_s(integers(v128.load(p), inverse), integers(v128.load(p, 16), inverse)));
  }
  return most < TINY ? 0 : most / level;
}

/**
 * Rows of integers times a matrix, as numbers. In the matrix eight columns stand together, and of these two weights of
 * each column at a time; there are `pairs` of them, a multiple of 4. `columns` is a multiple of 16.
 */
export function multiply(
  x: usize,
  rowScales: usize,
  rows: usize,
  pairs: usize,
  matrix: usize,
  columnScales: usize,
  columns: usize,
  out: usize,
  stride: usize,
): void {
  const line = pairs << 2;
  const fours = rows & ~3;
  for (let r = fours; r < rows; r++) {
    multiplyRow(x + r * line, rowScales + (r << 2), pairs, matrix, columnScales, columns, out + r * stride);
  }
  for (let column: usize = 0; column < columns; column += 8) {
    const c0 = v128.load(columnScales + (column << 2));
    const c1 = v128.load(columnScales + (column << 2), 16);
    const end = matrix + (pairs << 5);
    // A block of the matrix stays in the first cache while all rows go over it.
    for (let r: usize = 0; r < fours; r += 4) {
      let a00 = i32x4.splat(0);
      let a01 = i32x4.splat(0);
      let a10 = i32x4.splat(0);
      let a11 = i32x4.splat(0);
      let a20 = i32x4.splat(0);
      let a21 = i32x4.splat(0);
      let a30 = i32x4.splat(0);
      let a31 = i32x4.splat(0);
      let p0 = x + r * line;
      let p1 = p0 + line;
      let p2 = p1 + line;
      let p3 = p2 + line;
      for (let w = matrix; w < end; w += 32, p0 += 4, p1 += 4, p2 += 4, p3 += 4) {
        const w0 = v128.load(w);
        const w1 = v128.load(w, 16);
        let v = v128.load32_splat(p0);
        a00 = i32x4.add(a00, i32x4.dot_i16x8_s(v, w0));
        a01 = i32x4.add(a01, i32x4.dot_i16x8_s(v, w1));
        v = v128.load32_splat(p1);
        a10 = i32x4.add(a10, i32x4.dot_i16x8_s(v, w0));
        a11 = i32x4.add(a11, i32x4.dot_i16x8_s(v, w1));
        v = v128.load32_splat(p2);
        a20 = i32x4.add(a20, i32x4.dot_i16x8_s(v, w0));
        a21 = i32x4.add(a21, i32x4.dot_i16x8_s(v, w1));
        v = v128.load32_splat(p3);
        a30 = i32x4.add(a30, i32x4.dot_i16x8_s(v, w0));
        a31 = i32x4.add(a31, i32x4.dot_i16x8_s(v, w1));
      }
      const scales = rowScales + (r << 2);
      let to = out + r * stride + (column << 2);
      put(to, a00, a01, v128.load32_splat(scales), c0, c1);
      put((to += stride), a10, a11, v128.load32_splat(scales, 4), c0, c1);
      put((to += stride), a20, a21, v128.load32_splat(scales, 8), c0, c1);
      put(to + stride, a30, a31, v128.load32_splat(scales, 12), c0, c1);
    }
    matrix = end;
  }
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function put(to: usize, a: v128, b: v128, scale: v128, c0: v128, c1: v128): void {
  v128.store(to, f32x4.mul(f32x4.convert_i32x4_s(a), f32x4.mul(scale, c0)));
  v128.store(to, f32x4.mul(f32x4.convert_i32x4_s(b), f32x4.mul(scale, c1)), 16);
}

/** The same for one row; `columns` is a multiple of 16. */
export function multiplyRow(
  x: usize,
  rowScale: usize,
  pairs: usize,
  matrix: usize,
  columnScales: usize,
  columns: usize,
  out: usize,
): void {
  const scale = v128.load32_splat(rowScale);
  const block = pairs << 5;
  const last = out + (columns << 2);
  for (; out < last; out += 64, matrix += 2 * block, columnScales += 64) {
    let a0 = i32x4.splat(0);
    let a1 = i32x4.splat(0);
    let a2 = i32x4.splat(0);
    let a3 = i32x4.splat(0);
    const end = matrix + block;
    for (let w = matrix, p = x; w < end; w += 32, p += 4) {
      const v = v128.load32_splat(p);
      const next = w + block;
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(v, v128.load(w)));
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(v, v128.load(w, 16)));
      a2 = i32x4.add(a2, i32x4.dot_i16x8_s(v, v128.load(next)));
      a3 = i32x4.add(a3, i32x4.dot_i16x8_s(v, v128.load(next, 16)));
    }
    put(out, a0, a1, scale, v128.load(columnScales), v128.load(columnScales, 16));
    put(out + 32, a2, a3, scale, v128.load(columnScales, 32), v128.load(columnScales, 48));
  }
}

/**
 * A recurrent layer over `count` words, in both directions: see `tensorsOf`. A row of u has eight times `width`
 * numbers, one of `out` twice as many as `width`, which is a multiple of 4; `state` has room for `width` numbers.
 */
export function recur(u: usize, count: usize, gates: usize, width: usize, state: usize, out: usize): void {
  const part = width << 2;
  const line = part << 3;
  const outLine = part << 1;
  pass(u, line, count, gates, part, state, out, outLine);
  u += (count - 1) * line + 4 * part;
  out += (count - 1) * outLine + part;
  pass(u, -line, count, gates + 4 * part, part, state, out, -outLine);
}

function pass(
  u: usize,
  uStep: usize,
  count: usize,
  gates: usize,
  part: usize,
  state: usize,
  out: usize,
  outStep: usize,
): void {
  const one = f32x4.splat(1);
  memory.fill(state, 0, part);
  for (let i: usize = 0; i < count; i++) {
    for (let j: usize = 0; j < part; j += 16) {
      const at = u + j;
      const gate = gates + j;
      const c = v128.load(state + j);
      const z = v128.load(at);
      const p = v128.load(at + 3 * part);
      const uf = f32x4.add(
        f32x4.add(v128.load(at + part), f32x4.mul(v128.load(gate), c)),
        v128.load(gate + 2 * part),
      );
      const ur = f32x4.add(
        f32x4.add(v128.load(at + 2 * part), f32x4.mul(v128.load(gate + part), c)),
        v128.load(gate + 3 * part),
      );
      const f = f32x4.div(one, f32x4.add(one, exp(f32x4.neg(uf))));
      const r = f32x4.div(one, f32x4.add(one, exp(f32x4.neg(ur))));
      const next = f32x4.add(z, f32x4.mul(f, f32x4.sub(c, z)));
      v128.store(state + j, next);
      v128.store(out + j, f32x4.add(p, f32x4.mul(r, f32x4.sub(next, p))));
    }
    u += uStep;
    out += outStep;
  }
}

/** ln x for x from 1 on. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function log(x: f64): f64 {
  let e: f64 = 0;
  while (x > 1.4142135623730951) {
    x *= 0.5;
    e += 1;
  }
  const s = (x - 1) / (x + 1);
  const z = s * s;
  return e * 0.6931471805599453 + 2 * s * (1 + z * (1 / 3.0 + z * (0.2 + z * (1 / 7.0 + z * (1 / 9.0 + z / 11)))));
}

let hidden: usize = 0;
let hiddenSize: usize = 0;
let level: f32 = 0;
let narrowed: usize = 0;
let output: usize = 0;
let outputScales: usize = 0;
let outputBias: usize = 0;
let classes: usize = 0;
let logits: usize = 0;
let scores: usize = 0;
/** Whether the hidden layer has the cubes of its sums, and not what of them is above 0. */
let cube: bool = false;

/**
 * The memory of `score`: room for the hidden layer as numbers and as integers, the matrix behind it, room for the
 * scores before and after softmax.
 */
export function init(
  hiddenAt: usize,
  size: usize,
  most: f32,
  narrowedAt: usize,
  matrix: usize,
  columnScales: usize,
  bias: usize,
  columns: usize,
  logitsAt: usize,
  scoresAt: usize,
  isCube: u32,
): void {
  cube = isCube != 0;
  hidden = hiddenAt;
  hiddenSize = size;
  level = most;
  narrowed = narrowedAt;
  output = matrix;
  outputScales = columnScales;
  outputBias = bias;
  classes = columns;
  logits = logitsAt;
  scores = scoresAt;
}

/**
 * The scores of all classes for a configuration: `count` rows, whose addresses are in the list, make the hidden layer.
 */
export function score(list: usize, count: usize): void {
  const zero = f32x4.splat(0);
  const end = hidden + (hiddenSize << 2);
  sum(list, count, hiddenSize, hidden);
  let most = zero;
  if (cube) {
    for (let p = hidden; p < end; p += 16) {
      const x = v128.load(p);
      const y = f32x4.mul(f32x4.mul(x, x), x);
      most = f32x4.pmax(most, f32x4.abs(y));
      v128.store(p, y);
    }
  } else {
    for (let p = hidden; p < end; p += 16) {
      const x = f32x4.pmax(v128.load(p), zero);
      most = f32x4.pmax(most, x);
      v128.store(p, x);
    }
  }
  // The place of the first score has room for the scale until there are scores.
  store<f32>(scores, narrow(hidden, end, largest(most), level, narrowed));
  multiplyRow(narrowed, scores, hiddenSize >> 1, output, outputScales, classes, logits);
  const bytes = classes << 2;
  most = f32x4.splat(-f32.MAX_VALUE);
  for (let at: usize = 0; at < bytes; at += 16) {
    const x = f32x4.add(v128.load(logits + at), v128.load(outputBias + at));
    most = f32x4.pmax(most, x);
    v128.store(logits + at, x);
  }

  // The logits become differences to the largest, which is kept behind them for those who compare several
  // configurations.
  const top = f32x4.splat(largest(most));
  store<f32>(logits + bytes, f32x4.extract_lane(top, 0));
  let total = zero;
  for (let at: usize = 0; at < bytes; at += 16) {
    const x = f32x4.sub(v128.load(logits + at), top);
    v128.store(logits + at, x);
    total = f32x4.add(total, exp(x));
  }
  const sumOfAll =
    f32x4.extract_lane(total, 0) +
    f32x4.extract_lane(total, 1) +
    (f32x4.extract_lane(total, 2) + f32x4.extract_lane(total, 3));
  const norm = f32x4.splat(<f32>log(<f64>sumOfAll));
  const least = f32x4.splat(-1073741824);
  for (let at: usize = 0; at < bytes; at += 16) {
    const x = f32x4.mul(f32x4.sub(v128.load(logits + at), norm), f32x4.splat(65536));
    v128.store(scores + at, i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.pmax(x, least))));
  }
}
