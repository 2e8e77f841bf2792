import { exp, log } from "../../math/exp.js";
import type { Configuration } from "../../systems/configuration.js";
import type { Decider } from "../decider.js";

/** A score this far below the largest adds nothing that counts: a millionth of it. */
const NEGLIGIBLE = 14;

/**
 * The logarithm, in units, of the sum of what the scores of all classes of the permitted moves are logarithms of. A
 * score less this is the logarithm of the class's probability among what is permitted, so that the sum of a
 * derivation's steps is that of its own probability.
 */
export function logSum(decider: Decider, c: Configuration, unit: number): number {
  const { classes, moves, count, scores, scorer } = decider;
  let most = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (let m = 0; m < count; m++) {
    if (classes.perMove) scorer.score(c, moves[m]!);
    const group = classes.groupOf(moves[m]!);
    const first = classes.from[group]!;
    const last = classes.from[group + 1]!;
    let top = first;
    for (let k = first + 1; k < last; k++) if (scores[k]! > scores[top]!) top = k;
    if (scores[top]! > most) {
      sum *= exp((most - scores[top]!) / unit);
      most = scores[top]!;
    }
    const least = most - NEGLIGIBLE * unit;
    for (let k = first; k < last; k++) if (scores[k]! > least) sum += exp((scores[k]! - most) / unit);
  }
  return Math.round(most + unit * log(sum));
}
