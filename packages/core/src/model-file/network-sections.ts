import { FIRST_ROW } from "../scoring/network/inputs.js";
import type { NetworkData } from "../scoring/network/network-data.js";
import type { NeuralModel } from "../scoring/network/neural-model.js";
import { packNumbers, unpackNumbers } from "../scoring/network/quantization.js";
import { type NetworkHeader, type NetworkView, storageOf } from "../scoring/network/shape.js";
import { Packer, Unpacker } from "./packer.js";

/** Refuses a file for a reason. */
export type Fail = (reason: string) => never;

/**
 * The sections of a network. Keys: for each table the difference of each key to the one before (the first: to -1), less
 * 1. Scales: 32-bit numbers. Weights: 8-bit integers.
 */
export function packNetwork({ keys, numbers }: NeuralModel): Uint8Array[] {
  const out = new Packer();
  for (const list of keys) {
    let previous = -1;
    for (const key of list) {
      out.number(key - previous - 1);
      previous = key;
    }
  }
  return [out.done(), ...packNumbers(numbers)];
}

/** The network in its sections; refuses what no writer writes. No more is ever allocated than the file is long. */
export function unpackNetwork(
  header: NetworkHeader,
  view: NetworkView,
  classes: number,
  [keyBytes, scaleBytes, weightBytes]: readonly [Uint8Array, Uint8Array, Uint8Array],
  fail: Fail,
): NetworkData {
  const bad = (name: string): never => fail(`invalid section of the parser's ${name}`);
  const numbers = unpackNumbers(storageOf(header, view, classes), scaleBytes, weightBytes, bad);
  const input = new Unpacker(keyBytes);
  const keys = header.inputs.map(({ rows }) => {
    // Every key takes a byte.
    if (rows - FIRST_ROW > keyBytes.length) bad("keys");
    const list = new Uint32Array(rows - FIRST_ROW);
    let previous = -1;
    for (let k = 0; k < list.length; k++) {
      previous += input.number() + 1;
      if (!(previous < 2 ** 32)) bad("keys");
      list[k] = previous;
    }
    return list;
  });
  if (!input.atEnd) bad("keys");
  return { header, view, classes, keys, numbers };
}
