// Seeded random numbers, and damage to bytes and texts.

/** Random whole numbers (mulberry32); those of different cases have nothing to do with each other. */
export class Numbers {
  /** @param {number} seed @param {number} number of the case */
  constructor(seed, number) {
    this.state = Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b);
  }

  /** From 0 to n - 1. @param {number} n */
  below(n) {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  }

  /** @template T @param {readonly T[]} items @returns {T} */
  pick(items) {
    return /** @type {T} */ (items[this.below(items.length)]);
  }
}

/** @param {Uint8Array} bytes @param {number} at @param {number} removed @param {Uint8Array} added */
function spliced(bytes, at, removed, added) {
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);
}

/**
 * The bytes with one damage: a piece put in or over, bytes changed, cut out, doubled, moved, or the end cut off. What
 * is between separators (the places of tabs, line ends, commas …) is also exchanged as a whole, so that what comes out
 * is often nearly right.
 * @param {Uint8Array} bytes @param {Numbers} random @param {readonly Uint8Array[]} pieces @param {RegExp} separators of
 * one byte each
 */
export function damaged(bytes, random, pieces, separators) {
  if (bytes.length === 0) return Buffer.from(random.pick(pieces));
  const at = random.below(bytes.length);
  const none = new Uint8Array(0);
  switch (random.below(9)) {
    case 0:
      return spliced(bytes, at, 0, random.pick(pieces));
    case 1:
      return spliced(bytes, at, 1, random.pick(pieces));
    case 2:
      return spliced(bytes, at, 1 + random.below(16), none);
    case 3:
      return spliced(bytes, at, 1, Uint8Array.of(random.below(256)));
    case 4:
      return spliced(bytes, at, 0, bytes.subarray(at, at + 1 + random.below(64)));
    case 5:
      return Buffer.from(bytes.subarray(0, at));
    default: {
      // One field gets what another has, a piece, or nothing.
      const [from, to] = field(bytes, at, separators);
      const [otherFrom, otherTo] = field(bytes, random.below(bytes.length), separators);
      const added = random.pick([bytes.subarray(otherFrom, otherTo), random.pick(pieces), none]);
      return spliced(bytes, from, to - from, added);
    }
  }
}

/** @param {Uint8Array} bytes @param {number} at @param {RegExp} separators */
function field(bytes, at, separators) {
  const isSeparator = (/** @type {number} */ i) =>
    separators.test(String.fromCharCode(/** @type {number} */ (bytes[i])));
  let [from, to] = [at, at];
  while (from > 0 && !isSeparator(from - 1)) from--;
  while (to < bytes.length && !isSeparator(to)) to++;
  return [from, to];
}
