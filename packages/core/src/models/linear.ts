/** Features that share a bucket; four marks of 16 bits lie in one cache line. */
export const WIDTH = 4;
/** The bucket of a feature is its low bits, its mark the high 16: with at least 2^16 buckets the two give the feature back. */
const FEWEST_BUCKETS = 1 << 16;
/** How full the buckets are filled on average at most. Fuller is smaller, but more features find no room and are left out. */
const MOST_FULL = 0.6;
const LARGEST = 32767;

/**
 * A trained linear model, ready to parse: for each feature the classes it speaks for or against. Weights are 16-bit integers
 * and sums are exact, so that the same model gives the same trees everywhere.
 *
 * Scoring is bound by cache misses and mispredicted branches, so it goes in two passes: first all features are looked up
 * without a branch, in a table small enough for the cache, whose accesses do not wait for each other; then the rows of those found are
 * added up.
 */
export class LinearModel {
  private readonly mask: number;
  private hits = new Int32Array(256);
  private ends = new Int32Array(256);

  constructor(
    /** The marks of the features in each bucket, 0 where there is room. */
    readonly marks: Uint16Array,
    /** For each mark the place of its row. */
    readonly places: Int32Array,
    /** Row: number of entries, then class << 16 | weight. */
    readonly rows: Int32Array,
  ) {
    this.mask = marks.length / WIDTH - 1;
  }

  /** Add the weights of the features to the scores of the classes. */
  score(features: Int32Array, scores: Int32Array): void {
    const { marks, places, rows, mask } = this;
    const count = features.length;
    if (this.hits.length < count + 1) {
      this.hits = new Int32Array(2 * count);
      this.ends = new Int32Array(2 * count);
    }
    const hits = this.hits;
    let found = 0;
    for (let i = 0; i < count; i++) {
      const key = features[i]!;
      const slot = (key & mask) << 2;
      const mark = markOf(key);
      // 1 where the marks are equal, else 0: both are below 2^16, so only equal ones give a negative number.
      const b = ((marks[slot + 1]! ^ mark) - 1) >>> 31;
      const c = ((marks[slot + 2]! ^ mark) - 1) >>> 31;
      const d = ((marks[slot + 3]! ^ mark) - 1) >>> 31;
      hits[found] = slot + b + 2 * c + 3 * d;
      found += (((marks[slot]! ^ mark) - 1) >>> 31) + b + c + d;
    }
    // Two passes that only fetch, so that the cache misses of all rows overlap.
    for (let i = 0; i < found; i++) hits[i] = places[hits[i]!]!;
    const ends = this.ends;
    for (let i = 0; i < found; i++) ends[i] = hits[i]! + rows[hits[i]!]!;
    for (let i = 0; i < found; i++) {
      const last = ends[i]!;
      for (let e = hits[i]! + 1; e <= last; e++) {
        const entry = rows[e]!;
        scores[entry >> 16]! += (entry << 16) >> 16;
      }
    }
  }

  /** Number of features. */
  get size(): number {
    let count = 0;
    for (let i = 0; i < this.marks.length; i++) if (this.marks[i] !== 0) count++;
    return count;
  }

  /** Visit all weights, features by bucket and then in the order of their marks' places. */
  forEach(visit: (feature: number, cls: number, weight: number) => void): void {
    const { marks, places, rows, mask } = this;
    for (let slot = 0; slot < marks.length; slot++) {
      if (marks[slot] === 0) continue;
      const bucket = Math.floor(slot / WIDTH);
      // Mark 1 also stands for 0: the bucket tells which, unless it is chosen by 16 bits, and then either will do.
      const high = marks[slot] === 1 && mask > 0xffff && (bucket & 0x10000) === 0 ? 0 : marks[slot]!;
      const feature = (high << 16) | (bucket & 0xffff);
      const row = places[slot]!;
      for (let e = row + 1; e <= row + rows[row]!; e++) visit(feature, rows[e]! >> 16, (rows[e]! << 16) >> 16);
    }
  }

  /**
   * Make a model from (feature, class, weight) triples, grouped by feature. Weights are scaled to 16 bits; those below `threshold`
   * are left out. Where a bucket overflows, the features with the smallest weights are left out.
   */
  static from(
    forEach: (visit: (feature: number, cls: number, weight: number) => void) => void,
    threshold = 0,
  ): LinearModel {
    let largest = 0;
    forEach((_feature, _cls, weight) => {
      if (Math.abs(weight) > largest) largest = Math.abs(weight);
    });
    const scale = largest > 0 ? LARGEST / largest : 1;
    const kept = (weight: number) => Math.abs(weight) >= threshold && Math.round(weight * scale) !== 0;
    let features = 0;
    let entries = 0;
    grouped(forEach, (_feature, classes, weights) => {
      let any = 0;
      for (let i = 0; i < classes.length; i++) if (kept(weights[i]!)) any++;
      entries += any;
      if (any > 0) features++;
    });
    let buckets = FEWEST_BUCKETS;
    while (features > MOST_FULL * WIDTH * buckets) buckets *= 2;
    const marks = new Uint16Array(WIDTH * buckets);
    const places = new Int32Array(WIDTH * buckets);
    const strengths = new Float64Array(WIDTH * buckets);
    const rows = new Int32Array(1 + features + entries);
    let end = 1;
    grouped(forEach, (feature, classes, weights) => {
      let strength = 0;
      for (const weight of weights) if (kept(weight) && Math.abs(weight) > strength) strength = Math.abs(weight);
      if (strength === 0) return;
      const slot = roomFor(marks, strengths, (feature & (buckets - 1)) * WIDTH, markOf(feature), strength);
      if (slot < 0) return;
      marks[slot] = markOf(feature);
      places[slot] = end;
      strengths[slot] = strength;
      const row = end++;
      for (let i = 0; i < classes.length; i++) {
        if (!kept(weights[i]!)) continue;
        rows[row]!++;
        rows[end++] = (classes[i]! << 16) | (Math.round(weights[i]! * scale) & 0xffff);
      }
    });
    return new LinearModel(marks, places, rows.slice(0, end));
  }
}

/** The high 16 bits, with 1 for 0, which marks an empty place. */
export function markOf(feature: number): number {
  const mark = feature >>> 16;
  return mark | (((mark - 1) >>> 31) & 1);
}

/** A place in the bucket: one with the same mark (two features that cannot be told apart), an empty one, or that of the weakest. */
function roomFor(marks: Uint16Array, strengths: Float64Array, bucket: number, mark: number, strength: number): number {
  let weakest = bucket;
  for (let slot = bucket; slot < bucket + WIDTH; slot++) {
    if (marks[slot] === mark) return strength > strengths[slot]! ? slot : -1;
  }
  for (let slot = bucket; slot < bucket + WIDTH; slot++) {
    if (marks[slot] === 0) return slot;
    if (strengths[slot]! < strengths[weakest]!) weakest = slot;
  }
  return strengths[weakest]! < strength ? weakest : -1;
}

function grouped(
  forEach: (visit: (feature: number, cls: number, weight: number) => void) => void,
  visit: (feature: number, classes: number[], weights: number[]) => void,
): void {
  let current = 0;
  let classes: number[] = [];
  let weights: number[] = [];
  forEach((feature, cls, weight) => {
    if (classes.length > 0 && feature !== current) {
      visit(current, classes, weights);
      classes = [];
      weights = [];
    }
    current = feature;
    classes.push(cls);
    weights.push(weight);
  });
  if (classes.length > 0) visit(current, classes, weights);
}
