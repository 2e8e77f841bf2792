import { NONE } from "../../configuration.js";
import type { Gamma } from "../bottom-up-run.js";
import { overParts, type PartValues } from "./parts.js";

/** How many combinations of parts are looked at before a table is given up. */
export const COMBINATIONS = 2_000_000;

/** The least loss in a table, and whether the table was completed. */
interface TableAnswer {
  /** The least loss; undefined if it is more than was asked for, or not known. */
  readonly least: number | undefined;
  /** Whether everything was looked at. */
  readonly complete: boolean;
}

/**
 * Attardi's system: the least number of arcs of γ to give up, if it is at most `most`, as a minimum of sums over the
 * parts of derivations (Gómez-Rodríguez, Sartorio & Satta 2014, algorithm 1, for any degree). A word with another head
 * than its own costs 1; parts that cost more than `most` are left out. No arc is built before all of the stack of γ is
 * there. `buildable`: whether the gold tree can be built from the beginning. Then a word is given no wrong head in a
 * part that begins in the buffer, where its own head can be waited for: with this pruning of the paper nearly all parts
 * in the buffer have gold arcs only. Polynomial, O(n^(3d + 2)) at worst for degree d.
 */
export function leastByParts(
  gamma: Gamma,
  degree: number,
  most: number,
  buildable: boolean,
  combinations = COMBINATIONS,
): TableAnswer {
  const { stacked, size, head, zero } = gamma;
  const losses: PartValues<number> = {
    one: 0,
    either: Math.min,
    join(below, above, h, d, from) {
      if (above.next < stacked || d === zero) return undefined;
      const lost = head[d] === h || head[d] === NONE ? 0 : 1;
      if (buildable && lost > 0 && from >= stacked && head[d]! >= 0) return undefined;
      const value = below.value + above.value + lost;
      return value > most ? undefined : value;
    },
  };
  const left = overParts(degree, size, losses, combinations);
  if (!left) return { least: undefined, complete: false };
  let least = Number.POSITIVE_INFINITY;
  // Without 0 in γ one word is left at the end, and if its head was in γ that arc is lost, too.
  for (const [node, value] of left) least = Math.min(least, value + (head[node]! >= 0 ? 1 : 0));
  return { least: least <= most ? least : undefined, complete: true };
}
