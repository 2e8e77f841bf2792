/**
 * A small seeded generator of numbers in [0, 1) (mulberry32): the same numbers on every machine. Its state can be
 * saved.
 */
export class Random {
  constructor(public state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** Shuffle in place (Fisher & Yates). */
  shuffle(items: Int32Array): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = Math.floor(this.next() * (i + 1));
      const item = items[i]!;
      items[i] = items[j]!;
      items[j] = item;
    }
  }
}

/** The state of the generator with which an epoch of a training begins, so that each has an order of its own. */
export function epochState(seed: number, epoch: number): number {
  return Math.imul(seed, 0x9e3779b1) ^ Math.imul(epoch, 0x85ebca6b);
}

/** The order of an epoch's examples: each epoch has its own, so that nothing of the generator need be saved. */
export function epochOrder(random: Random, seed: number, epoch: number, examples: number): Int32Array {
  random.state = epochState(seed, epoch);
  const order = new Int32Array(examples).map((_, i) => i);
  random.shuffle(order);
  return order;
}
