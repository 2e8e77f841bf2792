import { LinearModel, markOf, WIDTH } from "./linear.js";

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

/** The weights of a model in the order of the file. */
export function entriesOf(linear: LinearModel): Entries {
  const rows = new Map<number, number[]>();
  let count = 0;
  linear.forEach((feature, cls, weight) => {
    const key = feature >>> 0;
    const row = rows.get(key);
    // One number for an entry, with the class in the high bits, so that sorting sorts by class.
    const entry = cls * 0x10000 + (weight & 0xffff);
    if (row) row.push(entry);
    else rows.set(key, [entry]);
    count++;
  });
  const features = Uint32Array.from(rows.keys()).sort();
  const from = new Uint32Array(features.length + 1);
  const classes = new Uint16Array(count);
  const weights = new Int16Array(count);
  let end = 0;
  features.forEach((feature, f) => {
    for (const entry of rows.get(feature)!.sort((a, b) => a - b)) {
      classes[end] = Math.floor(entry / 0x10000);
      weights[end++] = entry & 0xffff;
    }
    from[f + 1] = end;
  });
  return { bits: Math.log2(linear.marks.length), features, from, classes, weights };
}

/** The entries in the layout for parsing; undefined if not all features find a place, which no writer writes. */
export function linearFrom({ bits, features, from, classes, weights }: Entries): LinearModel | undefined {
  const marks = new Uint16Array(2 ** bits);
  const mask = marks.length / WIDTH - 1;
  const places = new Int32Array(marks.length);
  const rows = new Int32Array(1 + features.length + weights.length);
  let end = 1;
  for (let f = 0; f < features.length; f++) {
    const feature = features[f]!;
    const mark = markOf(feature);
    let slot = WIDTH * (feature & mask);
    const last = slot + WIDTH;
    while (marks[slot] !== 0) if (marks[slot] === mark || ++slot === last) return undefined;
    marks[slot] = mark;
    places[slot] = end;
    rows[end++] = from[f + 1]! - from[f]!;
    for (let e = from[f]!; e < from[f + 1]!; e++) rows[end++] = (classes[e]! << 16) | (weights[e]! & 0xffff);
  }
  return new LinearModel(marks, places, rows);
}
