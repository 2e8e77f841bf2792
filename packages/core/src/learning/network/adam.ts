import type { NetworkMemory } from "./network-memory.js";

export const BETA1 = 0.9;
export const BETA2 = 0.999;
const EPSILON = 1e-8;

/** The size of step `number`, from 1, and what is added to its divisor, with the corrections for the first steps. */
export function adamSizes(rate: number, number: number): { size: number; epsilon: number } {
  const correction = Math.sqrt(1 - BETA2 ** number);
  return { size: (rate * correction) / (1 - BETA1 ** number), epsilon: EPSILON * correction };
}

/**
 * A step of Adam (Kingma & Ba 2015) of size `rate` against the sum of the lanes' gradients: `number` counts the steps,
 * from 1. Of tables only the rows that the lanes' words have are changed.
 */
export function adamStep(memory: NetworkMemory, rate: number, number: number): void {
  const { kernel, lanes, dense, ints, toFirst, toSecond, toGradient } = memory;
  const { size: step, epsilon } = adamSizes(rate, number);
  const [{ gradients }, ...others] = lanes as [(typeof lanes)[0], ...typeof lanes];
  for (const other of others) kernel.addRow(gradients, other.gradients, dense.size);
  const { at, size } = dense;
  kernel.descend(at, gradients, at + toFirst, at + toSecond, size, step, BETA1, BETA2, epsilon);
  for (const { entries, counts, words, wordsGradient } of lanes) {
    kernel.scatter(entries, ints[counts / 4]!, wordsGradient - words, toGradient);
  }
  for (const { entries, counts } of lanes) {
    const count = ints[counts / 4]!;
    const distances = [toGradient, toFirst, toSecond] as const;
    kernel.descendRows(entries, count, memory.stamps, number, ...distances, step, BETA1, BETA2, epsilon);
  }
}
