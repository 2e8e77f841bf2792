import { type Configuration, NONE } from "../systems/configuration.js";
import type { Decider } from "./decider.js";

/** The margin where nothing else was permitted. */
export const NO_CHOICE = 0x7fffffff;

/**
 * How far the best class is ahead of the second best among all permitted classes (another move, or the same with another
 * label), after `decider.decide(c)` gave `best`.
 */
export function margin(decider: Decider, c: Configuration, best: number): number {
  const { classes, moves, bestClass, count } = decider;
  let second = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) if (i !== best && decider.scoreOf(i) > second) second = decider.scoreOf(i);
  const scores = classes.perMove ? decider.rescore(c, best) : decider.scores;
  const group = classes.groupOf(moves[best]!);
  for (let k = classes.from[group]!; k < classes.from[group + 1]!; k++) {
    if (k !== bestClass[best] && scores[k]! > second) second = scores[k]!;
  }
  return second === Number.NEGATIVE_INFINITY ? NO_CHOICE : Math.min(decider.scoreOf(best) - second, NO_CHOICE);
}

/** Writes the margin of a move to the place of the word it attaches, and to place 0. */
export function noteMargin(decider: Decider, c: Configuration, best: number, margins: Int32Array): void {
  const dependent = decider.system.dependent(c, decider.moves[best]!);
  margins[0] = margin(decider, c, best);
  if (dependent > 0) margins[dependent] = margins[0];
}

/** Words that the end of the derivation attaches to 0, without a decision of their own, get the margin of the last move. */
export function noteUnattached(c: Configuration, margins: Int32Array): void {
  for (let d = 1; d <= c.length; d++) if (c.heads[d] === NONE) margins[d] = margins[0]!;
}
