import { scramble } from "../../math/hash.js";
import type { NetworkKernel } from "./network-kernel.js";

/** How much is left out at random while learning. */
export interface Dropout {
  /** Words that occur f times are hidden with probability a / (a + f); this is a. */
  readonly words: number;
  /** Numbers of embeddings, of a recurrent layer, of the hidden layer: the probability of each to be 0. */
  readonly inputs: number;
  readonly layers: number;
  readonly hidden: number;
}

/**
 * A mask in the memory, for numbers to be multiplied by: 0 for what is left out, and for the others what makes up for
 * it.
 */
export interface Mask {
  readonly at: number;
  readonly size: number;
  /** The probability of each number to be left out. */
  readonly probability: number;
}

/** Draws what is left out. The same seed gives the same, if it is asked in the same order. */
export class DropoutMasks {
  /** Whether anything is left out at all. */
  isOn = false;
  private state = 0;

  constructor(private readonly kernel: NetworkKernel) {}

  /** Begin anew; without a seed nothing is left out. */
  begin(seed: number | undefined): void {
    this.isOn = seed !== undefined;
    this.state = seed ?? 0;
  }

  /** A number from 0 to below 1. */
  random(): number {
    this.state = scramble(this.state + 0x9e3779b9);
    return (this.state >>> 0) / 2 ** 32;
  }

  draw({ at, size, probability }: Mask): void {
    if (!this.isOn || probability === 0) return;
    const drop = Math.round(probability * 2 ** 32);
    this.state = this.kernel.fillMask(at, size, drop, 1 / (1 - probability), this.state);
  }

  /** Multiply the numbers at an address, or the derivatives by them, by a mask that was drawn. */
  apply({ at, size, probability }: Mask, to: number): void {
    if (this.isOn && probability > 0) this.kernel.scaleRow(to, at, size);
  }
}
