import { Packer, Unpacker } from "../../storage/packer.js";
import type { Store } from "../../storage/store.js";
import { LinearModel } from "./linear-model.js";
import type { Entries } from "./quantized-weights.js";

const MOST_CLASSES = 1 << 15;
/** With this many bits for the places or more, the bucket and the mark of a feature give it back. */
const FEWEST_BITS = 18;
/** More places than for the fewest bits are only needed for more features: so small a file takes no large table. */
const MOST_PLACES_EACH = 64;

type Bad = (section: string) => never;

/** A linear model with so many classes; throws a RangeError if there are too many. */
export function linearWeights(classes: number): Store<LinearModel> {
  checkClasses(classes);
  return {
    sections: ["features", "classes", "weights"],
    pack(linear) {
      const entries = linear.entries();
      return [packFeatures(entries), packClasses(entries, classes), packWeights(entries.weights)];
    },
    unpack: ([features, rows, weights], bad) =>
      LinearModel.build(unpack(features!, rows!, weights!, classes, bad)) ?? bad("features"),
    share: (linear, threads) => linear.shared(threads),
    attach: ({ memory, layout }: ReturnType<LinearModel["shared"]>, thread) => new LinearModel(memory, layout, thread),
  };
}

export function checkClasses(count: number): void {
  if (count > MOST_CLASSES) throw new RangeError(`${count} classes (expected at most ${MOST_CLASSES})`);
}

/**
 * How many places the table has, as a power of two, how many features there are, then the difference of each to the one
 * before (the first: to -1), less 1.
 */
function packFeatures({ bits, features }: Entries): Uint8Array {
  const out = new Packer();
  out.number(bits);
  out.number(features.length);
  let previous = -1;
  for (const feature of features) {
    out.number(feature - previous - 1);
    previous = feature;
  }
  return out.done();
}

/** For each feature how many classes, less 1, then the classes: a byte each, two if there are more than 256. */
function packClasses({ from, classes }: Entries, size: number): Uint8Array {
  const out = new Packer();
  for (let f = 0; f + 1 < from.length; f++) {
    out.number(from[f + 1]! - from[f]! - 1);
    for (let e = from[f]!; e < from[f + 1]!; e++) {
      out.byte(classes[e]! & 255);
      if (size > 256) out.byte(classes[e]! >>> 8);
    }
  }
  return out.done();
}

/** 0, 1, 2, 3, … for 1, -1, 2, -2, …: small weights take one byte. */
function packWeights(weights: Int16Array): Uint8Array {
  const out = new Packer();
  for (const weight of weights) out.number(weight > 0 ? 2 * weight - 2 : -2 * weight - 1);
  return out.done();
}

/** Checksums find accidents; this refuses what no writer writes, so that parsing never leaves the arrays. */
function unpack(
  featureBytes: Uint8Array,
  classBytes: Uint8Array,
  weightBytes: Uint8Array,
  size: number,
  bad: Bad,
): Entries {
  const input = new Unpacker(featureBytes);
  const bits = input.number();
  const count = input.number();
  // Every feature takes a byte, and so does every class: no more is ever allocated than the file is long.
  if (!(count <= featureBytes.length)) bad("features");
  if (!(bits === FEWEST_BITS || (bits > FEWEST_BITS && 2 ** bits <= MOST_PLACES_EACH * count))) bad("features");
  const features = new Uint32Array(count);
  let previous = -1;
  for (let f = 0; f < count; f++) {
    previous += input.number() + 1;
    if (!(previous < 2 ** 32)) bad("features");
    features[f] = previous;
  }
  if (!input.atEnd) bad("features");

  const wide = size > 256;
  const from = new Uint32Array(count + 1);
  const classes = new Uint16Array(classBytes.length);
  const rows = new Unpacker(classBytes);
  let end = 0;
  for (let f = 0; f < count; f++) {
    const last = end + rows.number() + 1;
    if (!(last - end <= size)) bad("classes");
    let before = -1;
    while (end < last) {
      const low = classBytes[rows.at++]!;
      const cls = wide ? low | (classBytes[rows.at++]! << 8) : low;
      if (!(cls > before && cls < size)) bad("classes");
      classes[end++] = before = cls;
    }
    from[f + 1] = end;
  }
  if (!rows.atEnd) bad("classes");

  const weights = new Int16Array(end);
  const values = new Unpacker(weightBytes);
  for (let e = 0; e < end; e++) {
    const value = values.number();
    // 0xfffe would be 32768.
    if (!(value <= 0xffff && value !== 0xfffe)) bad("weights");
    weights[e] = value & 1 ? -((value + 1) >> 1) : (value >> 1) + 1;
  }
  if (!values.atEnd) bad("weights");
  return { bits, features, from, classes: classes.subarray(0, end), weights };
}
