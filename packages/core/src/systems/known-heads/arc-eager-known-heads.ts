import { type Configuration, IN_BUFFER, NONE } from "../configuration.js";
import { stillInBuffer, waitingOnStack } from "../oracles/gold-tree.js";
import type { TransitionSystem } from "../system.js";
import { LEFT_ARC, type Move, REDUCE, RIGHT_ARC } from "../transition.js";
import { mayGet, ProjectiveKnownHeads, rootOf } from "./projective-known-heads.js";

/**
 * Wanted arcs that can be built one by one can be built together, but for what one root demands. With several, a word
 * that is shifted can always be left to 0. O(dependents) a move.
 */
export class ArcEagerKnownHeads extends ProjectiveKnownHeads {
  constructor(private readonly system: TransitionSystem) {
    super();
  }

  keeps(c: Configuration, move: Move): boolean {
    const { tree } = this;
    const s = c.s(0);
    const b = c.b(0);
    switch (move) {
      case LEFT_ARC:
        return mayGet(tree, b, s) && stillInBuffer(c, tree, s) === 0;
      case REDUCE:
        return stillInBuffer(c, tree, s) === 0;
      case RIGHT_ARC:
        if (!mayGet(tree, s, b) || waitingOnStack(c, tree, b) > 0) return false;
        if (!this.system.singleRoot) return true;
        return (s !== 0 || rootOf(tree) === NONE || rootOf(tree) === b) && this.lastCanUnite(c, b, 0);
      default: {
        const h = tree.heads[b]!;
        if ((h > 0 && c.where[h] !== IN_BUFFER) || waitingOnStack(c, tree, b) > 0) return false;
        if (!this.system.singleRoot) return true;
        // A word below one without a head stays without one, so the root has nothing such below it.
        return !(h === 0 && roots(c) > 0) && this.lastCanUnite(c, b, 1);
      }
    }
  }

  // The last word has to collect all roots on the stack but one. It cannot if it hangs, directly or over words of the
  // buffer, on the word that is being pushed, with more than one root at or below that.
  private lastCanUnite(c: Configuration, pushed: number, more: number): boolean {
    let w = c.length;
    while (w > 0 && w !== pushed && c.where[w] === IN_BUFFER) w = this.tree.heads[w]!;
    return w !== pushed || roots(c) + more <= 1;
  }
}

/** How many words of the stack have no head, or the head 0. */
function roots(c: Configuration): number {
  let count = 0;
  for (let i = 0; i < c.stackSize; i++) if (c.stack[i] !== 0 && c.heads[c.stack[i]!]! <= 0) count++;
  return count;
}
