import type { Configuration } from "../systems/configuration.js";
import { exp, log } from "../training/exp.js";
import type { Decider } from "./decider.js";

/** Logarithms are kept as integers in this part of 1. */
export const LOG_UNIT = 65536;

/**
 * The logarithm of the sum of what the scores of all classes of the permitted moves are logarithms of. A score less this is the logarithm of the class's
 * probability among what is permitted, so that the sum of a derivation's steps is that of its own probability.
 */
export function logSum(decider: Decider, c: Configuration): number {
  const { classes, moves, count, scores, scorer } = decider;
  let most = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (let m = 0; m < count; m++) {
    if (classes.perMove) scorer.score(c, moves[m]!);
    const group = classes.groupOf(moves[m]!);
    const last = classes.from[group + 1]!;
    for (let k = classes.from[group]!; k < last; k++) {
      const score = scores[k]!;
      if (score <= most) sum += exp((score - most) / LOG_UNIT);
      else {
        sum = sum * exp((most - score) / LOG_UNIT) + 1;
        most = score;
      }
    }
  }
  return Math.round(most + LOG_UNIT * log(sum));
}
