import { NONE } from "../../systems/configuration.js";
import type { History } from "./beam-history.js";

/** A derivation: its score, and its steps in the history from the first to the last. */
export interface Derivation {
  readonly score: number;
  readonly steps: readonly number[];
}

/** Steps from here to the end of a derivation. */
interface Rest {
  readonly step: number;
  readonly next: Rest | undefined;
}

/**
 * Derivations that have the same rest: those that lead to the state of a step, of which the best has this score in all.
 */
interface Item {
  readonly score: number;
  readonly from: number;
  readonly rest: Rest | undefined;
}

/**
 * All derivations that end in one of the given steps, best first, with those that were merged into better ones on the
 * way. The best way to each state is known, so the next best derivation is always at hand (A* from the ends with exact
 * estimates): linear in its length, and in the number of merged steps it passes.
 */
export function* derivations(history: History, ends: readonly number[]): Generator<Derivation> {
  const { parents, scores, twins } = history;
  // Worst first, of equals the latest first.
  const agenda: Item[] = [];
  const add = (item: Item) => {
    let low = 0;
    let high = agenda.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (agenda[middle]!.score < item.score) low = middle + 1;
      else high = middle;
    }
    agenda.splice(low, 0, item);
  };
  for (const end of ends) add({ score: scores[end]!, from: end, rest: undefined });
  for (let item = agenda.pop(); item; item = agenda.pop()) {
    const { score } = item;
    let { rest } = item;
    for (let step = item.from; step > 0; step = parents[step]!) {
      for (let twin = twins[step]!; twin !== NONE; twin = twins[twin]!) {
        const less = scores[step]! - scores[twin]!;
        add({ score: score - less, from: parents[twin]!, rest: { step: twin, next: rest } });
      }
      rest = { step, next: rest };
    }
    const steps: number[] = [];
    for (let r = rest; r; r = r.next) steps.push(r.step);
    yield { score, steps };
  }
}
