import { NO_FEATURE, scramble } from "../../math/hash.js";
import type { Weights } from "./weights.js";

/**
 * The sum of an update of a structured learner. Two derivations that part have most of their later steps in common,
 * at least in what the features see of them. These gain and lose the same, which would change no weight, but would
 * count as updates of their features.
 */
export class NetChange {
  private features = new Int32Array(1 << 12);
  private classes = new Int32Array(1 << 6);
  private signs = new Int32Array(1 << 6);
  private steps = 0;
  // A table with open addressing: feature, class, and by how much its weight is to change.
  private keys = new Int32Array(1 << 14);
  private keyClasses = new Int32Array(1 << 14);
  private counts = new Int32Array(1 << 14);
  private slots = new Int32Array(1 << 12);

  constructor(private readonly width: number) {}

  clear(): void {
    this.steps = 0;
  }

  /** A step with these features and this class gains (sign 1) or loses (-1). */
  add(features: Int32Array, cls: number, sign: number): void {
    const { width, steps } = this;
    if ((steps + 1) * width > this.features.length) {
      this.features = longer(this.features, 2 * (steps + 1) * width);
      this.slots = new Int32Array(this.features.length);
    }
    if (steps === this.classes.length) {
      this.classes = longer(this.classes, 2 * steps);
      this.signs = longer(this.signs, 2 * steps);
    }
    this.features.set(features, steps * width);
    this.classes[steps] = cls;
    this.signs[steps] = sign;
    this.steps++;
  }

  /** Change the weights. */
  apply(weights: Weights, time: number): void {
    const { features, classes, signs, slots, steps, width } = this;
    this.count();
    const { counts } = this;
    for (let s = 0; s < steps; s++) {
      const row = features.subarray(s * width, (s + 1) * width);
      const sign = signs[s]!;
      let changes = false;
      for (let t = 0; t < width; t++) {
        const slot = slots[s * width + t]!;
        if (row[t] === NO_FEATURE) continue;
        if (sign * counts[slot]! > 0) {
          counts[slot]! -= sign;
          changes = true;
        } else row[t] = NO_FEATURE;
      }
      if (changes) weights.update(row, classes[s]!, sign, time);
    }
  }

  private count(): void {
    const { features, classes, signs, slots, steps, width } = this;
    if (3 * steps * width > this.keys.length) {
      const size = 2 << (32 - Math.clz32(3 * steps * width));
      this.keys = new Int32Array(size);
      this.keyClasses = new Int32Array(size);
      this.counts = new Int32Array(size);
    }
    const { keys, keyClasses, counts } = this;
    const mask = keys.length - 1;
    keys.fill(NO_FEATURE);
    for (let s = 0; s < steps; s++) {
      const cls = classes[s]!;
      const mix = Math.imul(cls + 1, 0x9e3779b1);
      for (let i = s * width; i < (s + 1) * width; i++) {
        const feature = features[i]!;
        if (feature === NO_FEATURE) continue;
        let slot = scramble(feature ^ mix) & mask;
        while (keys[slot] !== NO_FEATURE && (keys[slot] !== feature || keyClasses[slot] !== cls))
          slot = (slot + 1) & mask;
        if (keys[slot] === NO_FEATURE) {
          keys[slot] = feature;
          keyClasses[slot] = cls;
          counts[slot] = 0;
        }
        counts[slot]! += signs[s]!;
        slots[i] = slot;
      }
    }
  }
}

function longer(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(length);
  grown.set(array);
  return grown;
}
