/** Features that share a bucket of the table for parsing; four marks of 16 bits lie in one cache line. */
export const WIDTH = 4;
/**
 * The bucket of a feature is its low bits, its mark the high 16: with at least 2^16 buckets the two give the feature
 * back.
 */
const FEWEST_BUCKETS = 1 << 16;
/**
 * How full the buckets are filled on average at most. Fuller is smaller, but more features find no room and are left
 * out.
 */
const MOST_FULL = 0.6;
/** No sum of weights may leave 16 bits, whatever the features. */
const LARGEST_SUM = 32767;

/** (feature, class, weight), grouped by feature. */
export type ForEachWeight = (visit: (feature: number, cls: number, weight: number) => void) => void;

/**
 * The weights of a linear model in the order of the model file, whatever their layout in memory for parsing: features
 * ascending as unsigned numbers, and the classes of a feature ascending.
 */
export interface Entries {
  /** How many places the table for parsing has, as a power of two: how full it is decides what finds a place. */
  readonly bits: number;
  readonly features: Uint32Array;
  /** The entries of feature f are from[f] … from[f + 1] - 1, at least one. */
  readonly from: Uint32Array;
  readonly classes: Uint16Array;
  /** Never 0. */
  readonly weights: Int16Array;
}

/**
 * The weights as 16-bit integers. Those below `threshold` are left out, the others scaled so that no `active` of them
 * (as many features as can be there at once) add up to more than 16 bits for any class. Where a bucket overflows, the
 * features with the smallest weights are left out.
 */
export function quantized(forEach: ForEachWeight, threshold: number, active: number): Entries {
  const scale = scaleOf(forEach, active);
  const kept = (weight: number) => Math.abs(weight) >= threshold && Math.round(weight * scale) !== 0;
  const rows = new Map<number, { strength: number; entries: number[] }>();
  forEach((feature, cls, weight) => {
    if (!kept(weight)) return;
    const key = feature >>> 0;
    let row = rows.get(key);
    if (!row) rows.set(key, (row = { strength: 0, entries: [] }));
    row.strength = Math.max(row.strength, Math.abs(weight));
    // One number for an entry, with the class in the high bits, so that sorting sorts by class.
    row.entries.push(cls * 0x10000 + (Math.round(weight * scale) & 0xffff));
  });
  let buckets = FEWEST_BUCKETS;
  while (rows.size > MOST_FULL * WIDTH * buckets) buckets *= 2;
  dropOverflow(rows, buckets);
  const features = Uint32Array.from(rows.keys()).sort();
  const from = new Uint32Array(features.length + 1);
  features.forEach((feature, f) => {
    from[f + 1] = from[f]! + rows.get(feature)!.entries.length;
  });
  const classes = new Uint16Array(from[features.length]!);
  const weights = new Int16Array(classes.length);
  features.forEach((feature, f) => {
    rows
      .get(feature)!
      .entries.sort((a, b) => a - b)
      .forEach((entry, i) => {
        classes[from[f]! + i] = Math.floor(entry / 0x10000);
        weights[from[f]! + i] = entry & 0xffff;
      });
  });
  return { bits: Math.log2(WIDTH * buckets), features, from, classes, weights };
}

/** The high 16 bits, with 1 for 0, which marks an empty place. */
export function markOf(feature: number): number {
  const mark = feature >>> 16;
  return mark | (((mark - 1) >>> 31) & 1);
}

/** The integer for a weight of 1. For each class the sum of its `active` largest weights bounds every score. */
export function scaleOf(forEach: ForEachWeight, active: number): number {
  const byClass: number[][] = [];
  forEach((_feature, cls, weight) => {
    (byClass[cls] ??= []).push(Math.abs(weight));
  });
  let largest = 0;
  for (const weights of byClass) {
    if (!weights) continue;
    let sum = 0;
    for (const weight of Float64Array.from(weights).sort().subarray(-active)) sum += weight;
    largest = Math.max(largest, sum);
  }
  // Rounding adds at most a half to each.
  return largest > 0 ? (LARGEST_SUM - active / 2) / largest : 1;
}

/** Keep in each bucket the strongest features, one for each mark. */
function dropOverflow(rows: Map<number, { strength: number }>, buckets: number): void {
  const members = new Map<number, number[]>();
  for (const feature of rows.keys()) {
    const bucket = feature & (buckets - 1);
    const list = members.get(bucket);
    if (list) list.push(feature);
    else members.set(bucket, [feature]);
  }
  for (const list of members.values()) {
    if (list.length === 1) continue;
    list.sort((a, b) => rows.get(b)!.strength - rows.get(a)!.strength || a - b);
    const marks = new Set<number>();
    for (const feature of list) {
      if (marks.size === WIDTH || marks.has(markOf(feature))) rows.delete(feature);
      else marks.add(markOf(feature));
    }
  }
}
