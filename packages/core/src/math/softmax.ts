import { exp } from "./exp.js";

/** Turns scores into probabilities in place: each its share of the sum of e^score. */
export function softmax(values: Float64Array): void {
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) if (values[i]! > top) top = values[i]!;
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i] = exp(values[i]! - top);
  for (let i = 0; i < values.length; i++) values[i]! /= total;
}

/**
 * Turns probabilities into the gradients, by the scores, of −log of the probability that all correct classes have
 * together, which is returned: p for a wrong class, p − p / (that probability) for a correct one.
 */
export function toGradients(values: Float64Array, isCorrect: Uint8Array): number {
  let right = 0;
  for (let i = 0; i < values.length; i++) if (isCorrect[i] === 1) right += values[i]!;
  // All may be so improbable that nothing is left of them; dividing by the least number keeps the gradients finite.
  const share = 1 / Math.max(right, Number.MIN_VALUE / Number.EPSILON);
  for (let i = 0; i < values.length; i++) if (isCorrect[i] === 1) values[i]! -= values[i]! * share;
  return right;
}
