import { Packer, Unpacker } from "../../storage/packer.js";
import type { Store } from "../../storage/store.js";
import { packNumbers, type QuantizedNumbers, type Storage, unpackNumbers } from "./quantization.js";

/** The numbers of tensors. Scales: 32-bit numbers. Weights: 8-bit integers. */
export function tensorNumbers(storage: Storage): Store<QuantizedNumbers> {
  return {
    sections: ["scales", "weights"],
    pack: packNumbers,
    unpack: ([scales, weights], bad) => unpackNumbers(storage, scales!, weights!, bad),
    share: ({ floats, integers }): QuantizedNumbers => ({
      floats: sharedCopy(Float32Array, floats),
      integers: sharedCopy(Int8Array, integers),
    }),
    attach: (shared) => shared,
  };
}

/**
 * The keys of tables with so many each: for each table the difference of each key to the one before (the first: to -1),
 * less 1.
 */
export function tableKeys(counts: readonly number[]): Store<readonly Uint32Array[]> {
  return {
    sections: ["keys"],
    pack(tables) {
      const out = new Packer();
      for (const keys of tables) {
        let previous = -1;
        for (const key of keys) {
          out.number(key - previous - 1);
          previous = key;
        }
      }
      return [out.done()];
    },
    unpack([bytes], bad) {
      const input = new Unpacker(bytes!);
      const tables = counts.map((count) => {
        // Every key takes a byte.
        if (count > bytes!.length) bad("keys");
        const keys = new Uint32Array(count);
        let previous = -1;
        for (let k = 0; k < count; k++) {
          previous += input.number() + 1;
          if (!(previous < 2 ** 32)) bad("keys");
          keys[k] = previous;
        }
        return keys;
      });
      if (!input.atEnd) bad("keys");
      return tables;
    },
    share: (tables) => tables.map((keys) => sharedCopy(Uint32Array, keys)),
    attach: (shared) => shared,
  };
}

function sharedCopy<Numbers extends Float32Array | Int8Array | Uint32Array>(
  type: new (buffer: ArrayBuffer) => Numbers,
  numbers: Numbers,
): Numbers {
  const copy = new type(new SharedArrayBuffer(numbers.byteLength) as unknown as ArrayBuffer);
  copy.set(numbers);
  return copy;
}
