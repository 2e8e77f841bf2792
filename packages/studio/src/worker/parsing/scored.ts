import type { Parser } from "@stemma/core";
import type { Configuration, Move } from "@stemma/core/systems";

/** A transition with its label, as the model scores it. */
export interface Scored {
  readonly move: Move;
  /** Its class: the transition with its label. */
  readonly cls: number;
  readonly score: number;
}

/** Everything that is permitted, with all labels. */
export function scored({ decider }: Parser, c: Configuration): Scored[] {
  const { classes, scorer } = decider;
  const all: Scored[] = [];
  const count = decider.permitted(c);
  for (let m = 0; m < count; m++) {
    const move = decider.moves[m]!;
    if (m === 0 || classes.perMove) scorer.score(c, classes.perMove ? move : 0);
    const group = classes.groupOf(move);
    for (let cls = classes.from[group]!; cls < classes.from[group + 1]!; cls++) {
      all.push({ move, cls, score: decider.scores[cls]! });
    }
  }
  return all;
}
