import { scramble } from "../../../math/hash.js";

/**
 * Features of a place in a text as hashes, always in the same order and as many: the same value at another place in the
 * list is another feature. Between `begin` and `end` as many are added as the list is long, and `end` sees to that:
 * features cannot be left out or be added in one place only.
 */
export class FeatureList {
  readonly features: Int32Array;
  private count = 0;

  constructor(length: number) {
    this.features = new Int32Array(length);
  }

  begin(): void {
    this.count = 0;
  }

  add(value: number): void {
    const n = this.count++;
    const hash = scramble(Math.imul(value ^ (n + 1), 0x9e3779b1) ^ value);
    // LinearModel cannot tell features whose high half is 0 from those where it is 1.
    this.features[n] = hash >>> 16 === 0 ? hash | 0x10000 : hash;
  }

  end(): Int32Array {
    const { count, features } = this;
    if (count !== features.length) throw new RangeError(`${count} features in a list (expected ${features.length})`);
    return features;
  }
}

/** A length in few steps. */
export function lengthStep(n: number): number {
  return n < 6 ? n : n < 9 ? 6 : n < 15 ? 7 : n < 25 ? 8 : n < 45 ? 9 : 10;
}
