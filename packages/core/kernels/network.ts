// AssemblyScript: what a network computes while it learns, for learning/network/network-lane.ts: products of matrices,
// the simple recurrent unit and its derivative, sums of rows, steps of Adam. 32-bit floating-point numbers; additions
// happen in the same order everywhere, so that training gives the same bytes on every machine. All addresses and
// strides are bytes; widths are multiples of 8 numbers, matrices are stored row by row.

/**
 * C = A B, or C += A B: A has m × k numbers with any strides (so that it may be a transpose), B k × n and C m × n, n a
 * multiple of 8. Four rows by eight columns stay in registers.
 */
export function multiply(
  a: usize,
  aRow: usize,
  aColumn: usize,
  b: usize,
  bRow: usize,
  c: usize,
  cRow: usize,
  m: usize,
  k: usize,
  n: usize,
  add: i32,
): void {
  for (let j: usize = 0; j < n << 2; j += 32) {
    let i: usize = 0;
    for (; i + 4 <= m; i += 4) {
      let c00 = f32x4.splat(0);
      let c01 = f32x4.splat(0);
      let c10 = f32x4.splat(0);
      let c11 = f32x4.splat(0);
      let c20 = f32x4.splat(0);
      let c21 = f32x4.splat(0);
      let c30 = f32x4.splat(0);
      let c31 = f32x4.splat(0);
      let a0 = a + i * aRow;
      let a1 = a0 + aRow;
      let a2 = a1 + aRow;
      let a3 = a2 + aRow;
      let p = b + j;
      for (let x: usize = 0; x < k; x++) {
        const b0 = v128.load(p);
        const b1 = v128.load(p, 16);
        p += bRow;
        let s = v128.load32_splat(a0);
        c00 = f32x4.add(c00, f32x4.mul(s, b0));
        c01 = f32x4.add(c01, f32x4.mul(s, b1));
        s = v128.load32_splat(a1);
        c10 = f32x4.add(c10, f32x4.mul(s, b0));
        c11 = f32x4.add(c11, f32x4.mul(s, b1));
        s = v128.load32_splat(a2);
        c20 = f32x4.add(c20, f32x4.mul(s, b0));
        c21 = f32x4.add(c21, f32x4.mul(s, b1));
        s = v128.load32_splat(a3);
        c30 = f32x4.add(c30, f32x4.mul(s, b0));
        c31 = f32x4.add(c31, f32x4.mul(s, b1));
        a0 += aColumn;
        a1 += aColumn;
        a2 += aColumn;
        a3 += aColumn;
      }
      let out = c + i * cRow + j;
      put(out, c00, c01, add);
      put((out += cRow), c10, c11, add);
      put((out += cRow), c20, c21, add);
      put((out += cRow), c30, c31, add);
    }
    for (; i < m; i++) {
      let c00 = f32x4.splat(0);
      let c01 = f32x4.splat(0);
      let a0 = a + i * aRow;
      let p = b + j;
      for (let x: usize = 0; x < k; x++) {
        const s = v128.load32_splat(a0);
        c00 = f32x4.add(c00, f32x4.mul(s, v128.load(p)));
        c01 = f32x4.add(c01, f32x4.mul(s, v128.load(p, 16)));
        p += bRow;
        a0 += aColumn;
      }
      put(c + i * cRow + j, c00, c01, add);
    }
  }
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function put(at: usize, low: v128, high: v128, add: i32): void {
  if (add) {
    low = f32x4.add(v128.load(at), low);
    high = f32x4.add(v128.load(at, 16), high);
  }
  v128.store(at, low);
  v128.store(at, high, 16);
}

/** The transpose of a matrix of this many rows and columns, both multiples of 4: four by four numbers at a time. */
export function transpose(from: usize, rows: usize, columns: usize, to: usize): void {
  const row = columns << 2;
  const column = rows << 2;
  for (let i: usize = 0; i < rows; i += 4) {
    for (let j: usize = 0; j < columns; j += 4) {
      const p = from + i * row + (j << 2);
      const a = v128.load(p);
      const b = v128.load(p + row);
      const c = v128.load(p + 2 * row);
      const d = v128.load(p + 3 * row);
      const ab0 = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
      const ab1 = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
      const cd0 = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
      const cd1 = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
      const q = to + j * column + (i << 2);
      v128.store(q, v128.shuffle<f32>(ab0, cd0, 0, 1, 4, 5));
      v128.store(q + column, v128.shuffle<f32>(ab0, cd0, 2, 3, 6, 7));
      v128.store(q + 2 * column, v128.shuffle<f32>(ab1, cd1, 0, 1, 4, 5));
      v128.store(q + 3 * column, v128.shuffle<f32>(ab1, cd1, 2, 3, 6, 7));
    }
  }
}

/** y = bias + x W with x of k numbers, many of them 0, and W k × n, n a multiple of 8. */
export function multiplyVector(x: usize, w: usize, bias: usize, y: usize, k: usize, n: usize): void {
  const bytes = n << 2;
  memory.copy(y, bias, bytes);
  for (let i: usize = 0; i < k; i++, w += bytes) {
    const factor = load<f32>(x + (i << 2));
    if (factor == 0) continue;
    const s = f32x4.splat(factor);
    for (let j: usize = 0; j < bytes; j += 16) {
      v128.store(y + j, f32x4.add(v128.load(y + j), f32x4.mul(s, v128.load(w + j))));
    }
  }
}

/** Add the n numbers at `from` to those at `to`. */
export function addRow(to: usize, from: usize, n: usize): void {
  for (let j: usize = 0; j < n << 2; j += 16) {
    v128.store(to + j, f32x4.add(v128.load(to + j), v128.load(from + j)));
  }
}

/** Multiply the n numbers at `to` by those at `by`. */
export function scaleRow(to: usize, by: usize, n: usize): void {
  for (let j: usize = 0; j < n << 2; j += 16) {
    v128.store(to + j, f32x4.mul(v128.load(to + j), v128.load(by + j)));
  }
}

/** Add up the rows of a matrix of n columns. */
export function sumRows(to: usize, from: usize, rows: usize, n: usize): void {
  for (let i: usize = 0; i < rows; i++) addRow(to, from + ((i * n) << 2), n);
}

/**
 * Entries of 16 bytes: place of a word's numbers, place of a row of a table, numbers in the row, number of the row.
 * Adds the rows to the words.
 */
export function gather(entries: usize, count: usize): void {
  for (let e = entries; e < entries + (count << 4); e += 16) {
    addRow(load<usize>(e), load<usize>(e, 4), load<usize>(e, 8));
  }
}

/**
 * The reverse: adds what is at the words' places, `shift` further on, to the gradients of the rows, `gradients` further
 * on than the rows.
 */
export function scatter(entries: usize, count: usize, shift: usize, gradients: usize): void {
  for (let e = entries; e < entries + (count << 4); e += 16) {
    addRow(load<usize>(e, 4) + gradients, load<usize>(e) + shift, load<usize>(e, 8));
  }
}

/**
 * The hidden layer of a configuration: the larger of 0 and the sum of `count` rows whose addresses are in a list, times
 * `mask`.
 */
export function hiddenLayer(list: usize, count: usize, mask: usize, out: usize, n: usize): void {
  const zero = f32x4.splat(0);
  for (let j: usize = 0; j < n << 2; j += 16) {
    v128.store(out + j, f32x4.mul(f32x4.max(zero, rowSum(list, count, j)), v128.load(mask + j)));
  }
}

/**
 * Its derivative: `delta` counts where the unit was on (times the mask's scale), and is added to `count` rows of
 * gradients.
 */
export function hiddenGradient(list: usize, count: usize, unit: usize, delta: usize, scale: f32, n: usize): void {
  const zero = f32x4.splat(0);
  const factor = f32x4.splat(scale);
  for (let j: usize = 0; j < n << 2; j += 16) {
    const on = f32x4.gt(v128.load(unit + j), zero);
    const d = v128.and(on, f32x4.mul(factor, v128.load(delta + j)));
    for (let i: usize = 0; i < count; i++) {
      const at = load<usize>(list + (i << 2)) + j;
      v128.store(at, f32x4.add(v128.load(at), d));
    }
  }
}

/** The hidden layer with cubes (Chen & Manning 2014): the sum to the power of three, times `mask`. */
export function cubeLayer(list: usize, count: usize, mask: usize, out: usize, n: usize): void {
  for (let j: usize = 0; j < n << 2; j += 16) {
    const sum = rowSum(list, count, j);
    v128.store(out + j, f32x4.mul(f32x4.mul(f32x4.mul(sum, sum), sum), v128.load(mask + j)));
  }
}

/**
 * Its derivative: 3 sum² times `delta` (and the mask's scale) where the unit was not left out, added to `count` rows of
 * gradients. The sum is that of the rows once more.
 */
export function cubeGradient(
  rows: usize,
  list: usize,
  count: usize,
  unit: usize,
  delta: usize,
  scale: f32,
  n: usize,
): void {
  const zero = f32x4.splat(0);
  const factor = f32x4.splat(3 * scale);
  for (let j: usize = 0; j < n << 2; j += 16) {
    const sum = rowSum(rows, count, j);
    const on = f32x4.ne(v128.load(unit + j), zero);
    const d = v128.and(on, f32x4.mul(f32x4.mul(factor, f32x4.mul(sum, sum)), v128.load(delta + j)));
    for (let i: usize = 0; i < count; i++) {
      const at = load<usize>(list + (i << 2)) + j;
      v128.store(at, f32x4.add(v128.load(at), d));
    }
  }
}

/** The sum of `count` rows whose addresses are in a list, four numbers of it. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function rowSum(list: usize, count: usize, j: usize): v128 {
  let sum = v128.load(load<usize>(list) + j);
  for (let i: usize = 1; i < count; i++) sum = f32x4.add(sum, v128.load(load<usize>(list + (i << 2)) + j));
  return sum;
}

/**
 * Fill a mask: each of n numbers is 0 with probability `drop` / 2^32, else `scale`. Returns the new state of the
 * generator.
 */
export function fillMask(to: usize, n: usize, drop: u32, scale: f32, state: u32): u32 {
  for (let j: usize = 0; j < n; j++) {
    // Mulberry32, as math/random.ts.
    state += 0x6d2b79f5;
    let t: u32 = (state ^ (state >>> 15)) * (1 | state);
    t = (t + (t ^ (t >>> 7)) * (61 | t)) ^ t;
    store<f32>(to + (j << 2), (t ^ (t >>> 14)) < drop ? 0 : scale);
  }
  return state;
}

const LOG2E: f32 = 1.44269504;
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.12194440e-4;

/** e^x of four numbers, by Cephes' polynomial. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function exp4(x: v128): v128 {
  x = f32x4.min(f32x4.max(x, f32x4.splat(-87)), f32x4.splat(87));
  const n = f32x4.nearest(f32x4.mul(x, f32x4.splat(LOG2E)));
  x = f32x4.sub(f32x4.sub(x, f32x4.mul(n, f32x4.splat(LN2_HIGH))), f32x4.mul(n, f32x4.splat(LN2_LOW)));
  let p = f32x4.splat(1.9875691500e-4);
  p = f32x4.add(f32x4.mul(p, x), f32x4.splat(1.3981999507e-3));
  p = f32x4.add(f32x4.mul(p, x), f32x4.splat(8.3334519073e-3));
  p = f32x4.add(f32x4.mul(p, x), f32x4.splat(4.1665795894e-2));
  p = f32x4.add(f32x4.mul(p, x), f32x4.splat(1.6666665459e-1));
  p = f32x4.add(f32x4.mul(p, x), f32x4.splat(5.0000001201e-1));
  p = f32x4.add(f32x4.add(f32x4.mul(p, f32x4.mul(x, x)), x), f32x4.splat(1));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
  return f32x4.mul(p, power);
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function sigmoid4(x: v128): v128 {
  const one = f32x4.splat(1);
  return f32x4.div(one, f32x4.add(one, exp4(f32x4.neg(x))));
}

/**
 * A simple recurrent unit over the n rows of a sentence in one direction. `u`: where the direction's columns z, uf, ur,
 * p begin in the first row to be read, `step` bytes to the next (negative from right to left); `gates`: vf, vr, bf, br;
 * `h`: where its output begins, `hStep` bytes to the next row; `states`: room for f, r, c of each row, in the order of
 * reading. `width` in bytes; `zeros` is a row of zeros.
 */
export function recur(
  u: usize,
  step: isize,
  gates: usize,
  h: usize,
  hStep: isize,
  states: usize,
  n: usize,
  width: usize,
  zeros: usize,
): void {
  const one = f32x4.splat(1);
  let before = zeros;
  for (let t: usize = 0; t < n; t++) {
    for (let j: usize = 0; j < width; j += 16) {
      const at = u + j;
      const g = gates + j;
      const last = v128.load(before + j);
      const f = sigmoid4(
        f32x4.add(f32x4.add(v128.load(at + width), f32x4.mul(v128.load(g), last)), v128.load(g + 2 * width)),
      );
      const r = sigmoid4(
        f32x4.add(f32x4.add(v128.load(at + 2 * width), f32x4.mul(v128.load(g + width), last)), v128.load(g + 3 * width)),
      );
      const c = f32x4.add(f32x4.mul(f, last), f32x4.mul(f32x4.sub(one, f), v128.load(at)));
      v128.store(states + j, f);
      v128.store(states + width + j, r);
      v128.store(states + 2 * width + j, c);
      v128.store(h + j, f32x4.add(f32x4.mul(r, c), f32x4.mul(f32x4.sub(one, r), v128.load(at + 3 * width))));
    }
    before = states + 2 * width;
    states += 3 * width;
    u += step;
    h += hStep;
  }
}

/**
 * Its derivative: from that of h at `dh` (laid out as h) to that of u at `du` (laid out as u), adding up that of the
 * gates. All places are those of the first row to be read, as for `recur`; `carry` has room for one row.
 */
export function recurBack(
  u: usize,
  du: usize,
  step: isize,
  gates: usize,
  dGates: usize,
  dh: usize,
  hStep: isize,
  states: usize,
  n: usize,
  width: usize,
  zeros: usize,
  carry: usize,
): void {
  const one = f32x4.splat(1);
  memory.fill(carry, 0, width);
  u += step * <isize>(n - 1);
  du += step * <isize>(n - 1);
  dh += hStep * <isize>(n - 1);
  states += 3 * width * (n - 1);
  for (let t = n; t > 0; t--) {
    const before = t > 1 ? states - width : zeros;
    for (let j: usize = 0; j < width; j += 16) {
      const f = v128.load(states + j);
      const r = v128.load(states + width + j);
      const c = v128.load(states + 2 * width + j);
      const last = v128.load(before + j);
      const z = v128.load(u + j);
      const p = v128.load(u + 3 * width + j);
      const d = v128.load(dh + j);
      const g = gates + j;
      const dg = dGates + j;
      const dr = f32x4.mul(f32x4.mul(f32x4.mul(d, f32x4.sub(c, p)), r), f32x4.sub(one, r));
      const dc = f32x4.add(v128.load(carry + j), f32x4.mul(d, r));
      const df = f32x4.mul(f32x4.mul(f32x4.mul(dc, f32x4.sub(last, z)), f), f32x4.sub(one, f));
      v128.store(du + j, f32x4.mul(dc, f32x4.sub(one, f)));
      v128.store(du + width + j, df);
      v128.store(du + 2 * width + j, dr);
      v128.store(du + 3 * width + j, f32x4.mul(d, f32x4.sub(one, r)));
      v128.store(dg, f32x4.add(v128.load(dg), f32x4.mul(df, last)));
      v128.store(dg + width, f32x4.add(v128.load(dg + width), f32x4.mul(dr, last)));
      v128.store(dg + 2 * width, f32x4.add(v128.load(dg + 2 * width), df));
      v128.store(dg + 3 * width, f32x4.add(v128.load(dg + 3 * width), dr));
      const back = f32x4.add(f32x4.mul(df, v128.load(g)), f32x4.mul(dr, v128.load(g + width)));
      v128.store(carry + j, f32x4.add(f32x4.mul(dc, f), back));
    }
    states -= 3 * width;
    u -= step;
    du -= step;
    dh -= hStep;
  }
}

/**
 * A step of Adam (Kingma & Ba 2015) for n numbers at `w`, whose gradients and two moments are at `gradient`, `first`
 * and `second`; gradients become 0. `rate` and `epsilon` have the corrections for the first steps in them.
 */
export function descend(
  w: usize,
  gradient: usize,
  first: usize,
  second: usize,
  n: usize,
  rate: f32,
  beta1: f32,
  beta2: f32,
  epsilon: f32,
): void {
  for (let j: usize = 0; j < n << 2; j += 16) {
    const g = v128.load(gradient + j);
    const m = f32x4.add(f32x4.mul(f32x4.splat(beta1), v128.load(first + j)), f32x4.mul(f32x4.splat(1 - beta1), g));
    const v = f32x4.add(
      f32x4.mul(f32x4.splat(beta2), v128.load(second + j)),
      f32x4.mul(f32x4.splat(1 - beta2), f32x4.mul(g, g)),
    );
    v128.store(first + j, m);
    v128.store(second + j, v);
    const change = f32x4.div(f32x4.mul(f32x4.splat(rate), m), f32x4.add(f32x4.sqrt(v), f32x4.splat(epsilon)));
    v128.store(w + j, f32x4.sub(v128.load(w + j), change));
    v128.store(gradient + j, f32x4.splat(0));
  }
}

/**
 * The same for the rows that the entries name, each once: `stamps` has a number for each row, which tells when it last
 * changed. The distances are from a row to its gradient and moments.
 */
export function descendRows(
  entries: usize,
  count: usize,
  stamps: usize,
  stamp: u32,
  gradients: usize,
  firsts: usize,
  seconds: usize,
  rate: f32,
  beta1: f32,
  beta2: f32,
  epsilon: f32,
): void {
  for (let e = entries; e < entries + (count << 4); e += 16) {
    const mark = stamps + (load<usize>(e, 12) << 2);
    if (load<u32>(mark) == stamp) continue;
    store<u32>(mark, stamp);
    const row = load<usize>(e, 4);
    descend(row, row + gradients, row + firsts, row + seconds, load<usize>(e, 8), rate, beta1, beta2, epsilon);
  }
}

/** Move n averages a part of the way to the numbers that they follow. */
export function follow(average: usize, w: usize, n: usize, part: f32): void {
  const s = f32x4.splat(part);
  for (let j: usize = 0; j < n << 2; j += 16) {
    const a = v128.load(average + j);
    v128.store(average + j, f32x4.add(a, f32x4.mul(s, f32x4.sub(v128.load(w + j), a))));
  }
}
