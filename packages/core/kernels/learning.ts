// AssemblyScript: the weights of a linear model while it learns, for learning/linear/weights.ts. Only integers, and
// additions, multiplications, divisions and square roots of floating-point numbers, which are exact to the bit, so that
// training gives the same bytes everywhere.
//
// A table with open addressing gives for each feature the address of its row. A row begins with 8 bytes: number of
// entries (16 bits; DENSE for a row with a place for every class), room (16 bits), number of updates (32 bits). Then,
// sparse: room × (class, weight), 8 bytes each, room × sum, 8 bytes each, and, if step sizes are kept, room × sum of
// squared gradients, 4 bytes each; dense: the same for every class, without the class. Rows that outgrow their room
// move to the end of the memory. All addresses are bytes.

const HEAD: usize = 8;
/** Instead of a number of entries. */
const DENSE: u32 = 0xffff;
/** Sparse rows grow 2, 4, 8, 16, then become dense. */
const MOST_ROOM: u32 = 16;
const SLOT: usize = 8;
/** In the address of a row: its feature has been in enough updates to count. Others cost no look at their row. */
const READY: u32 = 1;

let table: usize = 0;
let mask: u32 = 0;
let used: u32 = 0;
let top: usize = 0;
let classes: usize = 0;
let enough: u32 = 0;
/** Bytes for the squared gradients of an entry: 4 or, where none are kept, 0. */
let squareBytes: u32 = 0;
// Results of `find`.
let weightAt: usize = 0;
let sumAt: usize = 0;
let squareAt: usize = 0;

/**
 * Begin with an empty table at `base`: classes (a multiple of 4; 0 if unknown, then no row is dense), updates before a
 * feature counts, and whether squared gradients are kept.
 */
export function init(base: usize, classCount: usize, minUpdates: u32, slots: u32, squares: u32): void {
  table = base;
  mask = slots - 1;
  used = 0;
  top = base + <usize>slots * SLOT;
  classes = classCount;
  enough = minUpdates;
  squareBytes = squares ? 4 : 0;
  reserve();
}

/** Take up what is in the memory already. */
export function resume(tableAddress: usize, slots: u32, features: u32, endAddress: usize): void {
  table = tableAddress;
  mask = slots - 1;
  used = features;
  top = endAddress;
  reserve();
}

export function tableAt(): usize {
  return table;
}
export function slotCount(): u32 {
  return mask + 1;
}
export function featureCount(): u32 {
  return used;
}
export function end(): usize {
  return top;
}

/**
 * Set the `size` scores of the classes for `count` features. First all are looked up, so that the cache misses overlap;
 * `rows` has room for an address for each.
 */
export function score(features: usize, count: usize, scores: usize, size: usize, rows: usize): void {
  memory.fill(scores, 0, size << 2);
  let rowsEnd = rows;
  for (let f = features; f < features + (count << 2); f += 4) {
    const key = load<u32>(f);
    const row = load<u32>(slotOf(key), 4);
    store<u32>(rowsEnd, row - READY);
    rowsEnd += (row & READY) << 2;
  }
  for (let r = rows; r < rowsEnd; r += 4) {
    const row: usize = load<u32>(r);
    const entries: u32 = load<u16>(row);
    if (entries == DENSE) {
      let at = row + HEAD;
      for (let s = scores; s < scores + (classes << 2); s += 16, at += 16) {
        v128.store(s, i32x4.add(v128.load(s), v128.load(at)));
      }
    } else {
      const last = row + HEAD + (entries << 3);
      for (let e = row + HEAD; e < last; e += 8) {
        const at = scores + (<usize>load<u32>(e) << 2);
        store<i32>(at, load<i32>(at) + load<i32>(e, 4));
      }
    }
  }
}

/**
 * Add `change` to the weights of a class for `count` features, and `moment` to their sums. Returns the pages of memory
 * there are now.
 */
export function update(features: usize, count: usize, cls: u32, change: i32, moment: f64): i32 {
  for (let f = features; f < features + (count << 2); f += 4) {
    const key = load<u32>(f);
    if (key == 0) continue;
    find(noted(key), cls);
    store<i32>(weightAt, load<i32>(weightAt) + change);
    store<f64>(sumAt, load<f64>(sumAt) + moment);
  }
  return memory.size();
}

/**
 * A step of AdaGrad (Duchi, Hazan & Singer 2011) for `count` features: each weight of the given classes goes down by
 * rate × gradient / √(1 + sum of its squared gradients). `square` is that of the time, for the sums. Returns the pages
 * of memory there are now.
 */
export function descend(
  features: usize,
  count: usize,
  clsList: usize,
  gradients: usize,
  clsCount: usize,
  rate: f32,
  square: f64,
): i32 {
  for (let f = features; f < features + (count << 2); f += 4) {
    const key = load<u32>(f);
    if (key == 0) continue;
    const slot = noted(key);
    for (let i: usize = 0; i < clsCount << 2; i += 4) {
      const gradient = load<f32>(gradients + i);
      find(slot, load<u32>(clsList + i));
      const squares = load<f32>(squareAt) + gradient * gradient;
      store<f32>(squareAt, squares);
      const change = <i32>nearest<f32>((rate * gradient) / sqrt<f32>(1 + squares));
      store<i32>(weightAt, load<i32>(weightAt) - change);
      store<f64>(sumAt, load<f64>(sumAt) - square * <f64>change);
    }
  }
  return memory.size();
}

/** The slot of a feature, which is made if it is new, after counting one more update. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function noted(key: u32): usize {
  let slot = slotOf(key);
  let row: usize = load<u32>(slot, 4) & ~READY;
  if (row == 0) {
    used++;
    if (used << 1 > mask) {
      rehash();
      slot = slotOf(key);
    }
    row = allocate(HEAD + 2 * (16 + squareBytes));
    store<u32>(row, 2 << 16);
    store<u32>(row, 0, 4);
    store<u32>(slot, key);
  }
  const updates = load<u32>(row, 4) + 1;
  store<u32>(row, updates, 4);
  store<u32>(slot, <u32>row | (updates >= enough ? READY : 0), 4);
  return slot;
}

/**
 * Leave in `weightAt`, `sumAt` and `squareAt` where these are for a class of the feature in a slot, with an entry for
 * it if it is new.
 */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function find(slot: usize, cls: u32): void {
  const ready = load<u32>(slot, 4) & READY;
  let row: usize = load<u32>(slot, 4) & ~READY;
  if (load<u16>(row) != DENSE) {
    const entries: u32 = load<u16>(row);
    const room: u32 = load<u16>(row, 2);
    let e: usize = row + HEAD;
    const last = e + (entries << 3);
    while (e < last && load<u32>(e) != cls) e += 8;
    if (e == last && entries == room) {
      row = classes == 0 || room < MOST_ROOM ? widened(row, entries) : densified(row, entries);
      store<u32>(slot, <u32>row | ready, 4);
      e = row + HEAD + (entries << 3);
    }
    if (load<u16>(row) != DENSE) {
      const wide: u32 = load<u16>(row, 2);
      const i = (e - row - HEAD) >> 3;
      weightAt = e + 4;
      sumAt = row + HEAD + (wide << 3) + (i << 3);
      squareAt = row + HEAD + (wide << 4) + (i << 2);
      if (i == entries) {
        store<u16>(row, <u16>(entries + 1));
        store<u32>(e, cls);
        store<i32>(weightAt, 0);
        store<f64>(sumAt, 0);
        if (squareBytes) store<f32>(squareAt, 0);
      }
      return;
    }
  }
  weightAt = row + HEAD + (cls << 2);
  sumAt = row + HEAD + (classes << 2) + (cls << 3);
  squareAt = row + HEAD + classes * 12 + (cls << 2);
}

function widened(row: usize, entries: u32): usize {
  const room: u32 = entries << 1;
  const wide = allocate(HEAD + room * (16 + squareBytes));
  store<u32>(wide, entries | (room << 16));
  store<u32>(wide, load<u32>(row, 4), 4);
  memory.copy(wide + HEAD, row + HEAD, entries << 3);
  memory.copy(wide + HEAD + (room << 3), row + HEAD + (entries << 3), entries << 3);
  memory.copy(wide + HEAD + (room << 4), row + HEAD + (entries << 4), entries * squareBytes);
  return wide;
}

function densified(row: usize, entries: u32): usize {
  const bytes = HEAD + classes * (12 + <usize>squareBytes);
  const dense = allocate(bytes);
  memory.fill(dense, 0, bytes);
  store<u32>(dense, DENSE);
  store<u32>(dense, load<u32>(row, 4), 4);
  for (let i: u32 = 0; i < entries; i++) {
    const e = row + HEAD + (i << 3);
    const cls: usize = load<u32>(e);
    store<i32>(dense + HEAD + (cls << 2), load<i32>(e, 4));
    store<f64>(dense + HEAD + (classes << 2) + (cls << 3), load<f64>(e + (entries << 3)));
    if (squareBytes) {
      const square = load<f32>(row + HEAD + (entries << 4) + (i << 2));
      store<f32>(dense + HEAD + classes * 12 + (cls << 2), square);
    }
  }
  return dense;
}

/** The slot of a feature, or the empty one where it belongs. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function slotOf(key: u32): usize {
  let i = key & mask;
  let slot = table + (<usize>i << 3);
  while (load<u32>(slot, 4) != 0 && load<u32>(slot) != key) {
    i = (i + 1) & mask;
    slot = table + (<usize>i << 3);
  }
  return slot;
}

function rehash(): void {
  const old = table;
  const oldEnd = old + (<usize>mask + 1) * SLOT;
  const slots: u32 = (mask + 1) << 1;
  table = allocate(<usize>slots * SLOT);
  memory.fill(table, 0, <usize>slots * SLOT);
  mask = slots - 1;
  for (let s = old; s < oldEnd; s += SLOT) {
    if (load<u32>(s, 4) != 0) store<u64>(slotOf(load<u32>(s)), load<u64>(s));
  }
}

function allocate(bytes: usize): usize {
  const at = top;
  top += (bytes + 7) & ~7;
  reserve();
  return at;
}

/** Memory grows by a half at least, so that it does not grow often. */
function reserve(): void {
  const pages = <i32>((top + 0xffff) >>> 16);
  const have = memory.size();
  if (pages <= have) return;
  const wanted = max(pages - have, have >> 1);
  if (memory.grow(wanted) < 0 && memory.grow(pages - have) < 0) unreachable();
}
