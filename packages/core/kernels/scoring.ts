// AssemblyScript: the step of a parser that takes most of its time, as WebAssembly with 128-bit SIMD.
//
// From the values of the atoms to the scores of all classes: hash every template (as Extractor.hash does), look the
// features up, add up their rows. The layout of the memory is that of scoring/linear/linear-model.ts; all addresses are
// bytes.

/** Written by Extractor for an atom that is not there. */
const ABSENT: i32 = 0x3ade68b1;
/** Bytes of a template in the program: seed, then the addresses of four values. */
const TEMPLATE: usize = 20;

let marks: usize = 0;
let places: usize = 0;
let mask: u32 = 0;
let scores: usize = 0;
let end: usize = 0;
let program: usize = 0;
let programEnd: usize = 0;
let dense: usize = 0;
let sparse: usize = 0;

/** Where everything is. `dense` and `sparse` are lists with room for an address for each template. */
export function init(
  marksAt: usize,
  placesAt: usize,
  buckets: u32,
  scoresAt: usize,
  scoresEnd: usize,
  programAt: usize,
  templates: usize,
  denseAt: usize,
  sparseAt: usize,
): void {
  marks = marksAt;
  places = placesAt;
  mask = buckets - 1;
  scores = scoresAt;
  end = scoresEnd;
  program = programAt;
  programEnd = programAt + templates * TEMPLATE;
  dense = denseAt;
  sparse = sparseAt;
}

/** Set the scores of all classes. */
export function score(): void {
  // Without a branch, since which features are there cannot be predicted: a place that was not found is overwritten by
  // the next.
  let hits = sparse;
  for (let p = program; p < programEnd; p += TEMPLATE) {
    const a = load<i32>(load<u32>(p, 4));
    const b = load<i32>(load<u32>(p, 8));
    const c = load<i32>(load<u32>(p, 12));
    const d = load<i32>(load<u32>(p, 16));
    let h = (load<i32>(p) ^ a) * 0x7feb352d;
    h = ((h ^ (h >>> 15)) + b) * 0x2c1b3c6d;
    h = ((h ^ (h >>> 13)) + c) * 0x297a2d39;
    h = ((h ^ (h >>> 14)) + d) * 0x1b56c4e9;
    h ^= h >>> 16;
    const absent = i32(a == ABSENT) | i32(b == ABSENT) | i32(c == ABSENT) | i32(d == ABSENT);
    // Nothing has feature 0: looking it up always touches the same bucket.
    hits = found(h & (absent - 1), hits, absent ^ 1);
  }
  add(hits);
}

/** Set the scores of all classes for features that are given, `count` numbers from `features` on. */
export function scoreFeatures(features: usize, count: usize): void {
  let hits = sparse;
  for (let f = features; f < features + 4 * count; f += 4) {
    const h = load<i32>(f);
    hits = found(h, hits, i32(h != 0));
  }
  add(hits);
}

/** Look a feature up and put the address of its place into the list. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function found(h: i32, hits: usize, present: i32): usize {
  const bucket: usize = h & mask;
  let mark = h >>> 16;
  mark |= i32(mark == 0);
  const equal = i16x8.bitmask(i16x8.eq(v128.load64_zero(marks + (bucket << 3)), i16x8.splat(<i16>mark)));
  store<u32>(hits, places + (bucket << 4) + ((ctz(equal) & 3) << 2));
  return hits + ((i32(equal != 0) & present) << 2);
}

/** Add up the rows of the places in the list. A row with the lowest bit set has a weight of 16 bits for every class. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function add(hits: usize): void {
  let denseEnd = dense;
  let sparseEnd = sparse;
  for (let p = sparse; p < hits; p += 4) {
    const place = load<u32>(load<u32>(p));
    const isDense = place & 1;
    store<u32>(denseEnd, place - 1);
    store<u32>(sparseEnd, place);
    denseEnd += isDense << 2;
    sparseEnd += (isDense ^ 1) << 2;
  }
  // 32 classes at a time stay in registers. No sum leaves 16 bits: the weights were scaled for that.
  let offset: usize = 0;
  for (let out = scores; out < end; out += 128, offset += 64) {
    let s0 = i16x8.splat(0);
    let s1 = i16x8.splat(0);
    let s2 = i16x8.splat(0);
    let s3 = i16x8.splat(0);
    for (let p = dense; p < denseEnd; p += 4) {
      const row = <usize>load<u32>(p) + offset;
      s0 = i16x8.add(s0, v128.load(row));
      s1 = i16x8.add(s1, v128.load(row, 16));
      s2 = i16x8.add(s2, v128.load(row, 32));
      s3 = i16x8.add(s3, v128.load(row, 48));
    }
    v128.store(out, i32x4.extend_low_i16x8_s(s0));
    v128.store(out, i32x4.extend_high_i16x8_s(s0), 16);
    v128.store(out, i32x4.extend_low_i16x8_s(s1), 32);
    v128.store(out, i32x4.extend_high_i16x8_s(s1), 48);
    v128.store(out, i32x4.extend_low_i16x8_s(s2), 64);
    v128.store(out, i32x4.extend_high_i16x8_s(s2), 80);
    v128.store(out, i32x4.extend_low_i16x8_s(s3), 96);
    v128.store(out, i32x4.extend_high_i16x8_s(s3), 112);
  }
  for (let p = sparse; p < sparseEnd; p += 4) {
    let entry: usize = load<u32>(p);
    const last = entry + (load<u32>(entry) << 2);
    while (entry < last) {
      entry += 4;
      const packed = load<i32>(entry);
      const at = scores + ((packed >>> 16) << 2);
      store<i32>(at, load<i32>(at) + ((packed << 16) >> 16));
    }
  }
}
