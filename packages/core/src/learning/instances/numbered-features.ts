import { scramble } from "../../math/hash.js";

/**
 * Numbers 32-bit features from 1 in the order in which they are asked for. Open addressing, at most half full: 16 bytes
 * for each feature, where a Map takes three times as many and ends at 2²⁴ entries.
 */
export class NumberedFeatures {
  size = 0;
  private keys = new Int32Array(1 << 16);
  private numbers = new Int32Array(1 << 16);

  numberOf(feature: number): number {
    const { keys, numbers } = this;
    const mask = keys.length - 1;
    let at = scramble(feature) & mask;
    while (numbers[at] !== 0) {
      if (keys[at] === feature) return numbers[at]!;
      at = (at + 1) & mask;
    }
    keys[at] = feature;
    numbers[at] = ++this.size;
    if (2 * this.size > keys.length) this.grow();
    return this.size;
  }

  /** The features in the order of their numbers: the one with number n is at n - 1. */
  inOrder(): Int32Array {
    const features = new Int32Array(this.size);
    for (let i = 0; i < this.keys.length; i++) {
      if (this.numbers[i] !== 0) features[this.numbers[i]! - 1] = this.keys[i]!;
    }
    return features;
  }

  private grow(): void {
    const { keys: oldKeys, numbers: oldNumbers } = this;
    const mask = 2 * oldKeys.length - 1;
    const keys = new Int32Array(mask + 1);
    const numbers = new Int32Array(mask + 1);
    for (let i = 0; i < oldKeys.length; i++) {
      if (oldNumbers[i] === 0) continue;
      let at = scramble(oldKeys[i]!) & mask;
      while (numbers[at] !== 0) at = (at + 1) & mask;
      keys[at] = oldKeys[i]!;
      numbers[at] = oldNumbers[i]!;
    }
    this.keys = keys;
    this.numbers = numbers;
  }
}
