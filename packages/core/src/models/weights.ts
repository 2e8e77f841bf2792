import { NO_FEATURE } from "../features/hash.js";

/** Room of a row in the low bits, number of updates in the high ones. */
const ROOM = 0xffff;
const UPDATE = 0x10000;
const MOST_UPDATES = 0x7fff;

/**
 * The weights of an averaged perceptron while it learns: for each feature a short row of (class, weight). Rows live in one
 * arena and move to its end when they outgrow their room. Nothing but additions and multiplications, so that training gives the same
 * bytes everywhere.
 *
 * A feature counts only once it has been in `minUpdates` updates; what it learns before then is kept (Goldberg & Elhadad
 * 2011). Rare features otherwise explain single sentences and take the weight from common ones.
 */
export class Weights {
  /** Open addressing with linear probing; a slot is used if its row is not 0. */
  private keys: Int32Array = new Int32Array(1 << 16);
  private rows: Int32Array = new Int32Array(1 << 16);
  private mask = (1 << 16) - 1;
  features = 0;

  // Row r: classes[r] is the number of its entries, weights[r] its room and number of updates; the entries follow.
  private classes: Uint16Array = new Uint16Array(1 << 18);
  private weights: Int32Array = new Int32Array(1 << 18);
  /**
   * Sum of time² × change, from which the average follows (after Daumé 2006): average = weight − sum / time². Squares, so that later
   * weights count for more: in a plain average the first epoch, when nearly everything was wrong, counts as much as the last.
   */
  private sums: Float64Array = new Float64Array(1 << 18);
  private end = 1;

  constructor(private readonly minUpdates = 0) {}

  /** Add the weights of the features to the scores of the classes. */
  score(features: Int32Array, scores: Int32Array): void {
    const { keys, rows, mask, classes, weights } = this;
    const enough = this.minUpdates * UPDATE;
    for (let i = 0; i < features.length; i++) {
      const key = features[i]!;
      let slot = key & mask;
      let row = rows[slot]!;
      while (row !== 0 && keys[slot] !== key) row = rows[(slot = (slot + 1) & mask)]!;
      if (row === 0 || weights[row]! < enough) continue;
      const last = row + classes[row]!;
      for (let e = row + 1; e <= last; e++) scores[classes[e]!]! += weights[e]!;
    }
  }

  /** Add `change` to the weights of a class for all these features, at the given time. */
  update(features: Int32Array, cls: number, change: number, time: number): void {
    const moment = change * time * time;
    for (let i = 0; i < features.length; i++) {
      if (features[i] === NO_FEATURE) continue;
      const e = this.entry(features[i]!, cls);
      this.weights[e]! += change;
      this.sums[e]! += moment;
    }
  }

  private entry(key: number, cls: number): number {
    let slot = key & this.mask;
    while (this.rows[slot] !== 0 && this.keys[slot] !== key) slot = (slot + 1) & this.mask;
    let row = this.rows[slot]!;
    if (row === 0) {
      if (2 * ++this.features > this.mask) {
        this.rehash();
        slot = key & this.mask;
        while (this.rows[slot] !== 0) slot = (slot + 1) & this.mask;
      }
      row = this.allocate(2);
      this.keys[slot] = key;
      this.rows[slot] = row;
    }
    if (this.weights[row]! < MOST_UPDATES * UPDATE) this.weights[row]! += UPDATE;
    const count = this.classes[row]!;
    for (let e = row + 1; e <= row + count; e++) if (this.classes[e] === cls) return e;
    if (count === (this.weights[row]! & ROOM)) {
      const wider = this.allocate(2 * count);
      this.weights[wider]! += this.weights[row]! & ~ROOM;
      this.classes[wider] = count;
      for (let j = 1; j <= count; j++) {
        this.classes[wider + j] = this.classes[row + j]!;
        this.weights[wider + j] = this.weights[row + j]!;
        this.sums[wider + j] = this.sums[row + j]!;
      }
      this.rows[slot] = row = wider;
    }
    this.classes[row] = count + 1;
    const e = row + count + 1;
    this.classes[e] = cls;
    this.weights[e] = 0;
    this.sums[e] = 0;
    return e;
  }

  private allocate(room: number): number {
    const row = this.end;
    this.end += room + 1;
    if (this.end > this.classes.length) {
      const length = Math.max(this.end, Math.floor(1.6 * this.classes.length));
      this.classes = grown(this.classes, new Uint16Array(length));
      this.weights = grown(this.weights, new Int32Array(length));
      this.sums = grown(this.sums, new Float64Array(length));
    }
    this.classes[row] = 0;
    this.weights[row] = room;
    return row;
  }

  private rehash(): void {
    const { keys, rows } = this;
    const size = 2 * rows.length;
    this.mask = size - 1;
    this.keys = new Int32Array(size);
    this.rows = new Int32Array(size);
    for (let i = 0; i < rows.length; i++) {
      if (rows[i] === 0) continue;
      let slot = keys[i]! & this.mask;
      while (this.rows[slot] !== 0) slot = (slot + 1) & this.mask;
      this.keys[slot] = keys[i]!;
      this.rows[slot] = rows[i]!;
    }
  }

  /** Everything there is, as arrays that share the memory: for saving. */
  sections(): { keys: Int32Array; rows: Int32Array; classes: Uint16Array; weights: Int32Array; sums: Float64Array } {
    const { keys, rows, end } = this;
    return {
      keys,
      rows,
      classes: this.classes.subarray(0, end),
      weights: this.weights.subarray(0, end),
      sums: this.sums.subarray(0, end),
    };
  }

  /** Take over what `sections` gave. */
  restore(saved: ReturnType<Weights["sections"]>): void {
    this.keys = saved.keys.slice();
    this.rows = saved.rows.slice();
    this.mask = this.rows.length - 1;
    this.features = this.rows.reduce((count, row) => count + (row !== 0 ? 1 : 0), 0);
    this.classes = saved.classes.slice();
    this.weights = saved.weights.slice();
    this.sums = saved.sums.slice();
    this.end = this.classes.length;
  }

  /** Visit the averaged weights, features in the order of their slots. */
  forEachAverage(time: number, visit: (key: number, cls: number, average: number) => void): void {
    const enough = this.minUpdates * UPDATE;
    const square = time * time;
    for (let slot = 0; slot <= this.mask; slot++) {
      const row = this.rows[slot]!;
      if (row === 0 || this.weights[row]! < enough) continue;
      const last = row + this.classes[row]!;
      for (let e = row + 1; e <= last; e++) {
        visit(this.keys[slot]!, this.classes[e]!, this.weights[e]! - this.sums[e]! / square);
      }
    }
  }
}

function grown<T extends Uint16Array | Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from as never);
  return to;
}
