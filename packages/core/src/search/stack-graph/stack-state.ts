import type { Move } from "../../systems/transition.js";
import type { VisibleTree } from "./visible-tree.js";

/**
 * A node of the graph-structured stack: all derivations that lead to stacks with this top. What is below the topmost
 * tree is a state again, the one from which its first word was shifted, and there may be several.
 */
export class StackState {
  /** The score of the best derivation that leads here … */
  score = 0;
  /** … and that of its part since the first word of the topmost tree was shifted. */
  inside = 0;
  /** The state in which that word had just been shifted: this one if nothing has happened since, or yet. */
  readonly origin: StackState;
  /** If a word has just been shifted: the states before, best first, and their scores with that of the shift. */
  readonly below: StackState[] = [];
  readonly belowScores: number[] = [];
  /** If an arc has just been added: the ways to do that, best first. */
  readonly arcs: LastArc[] = [];

  constructor(
    /** Tells the states of a sentence apart. */
    readonly id: number,
    /** The topmost tree; undefined if the stack is empty. */
    readonly top: VisibleTree | undefined,
    readonly stackSize: number,
    /** How many words have left the buffer. */
    readonly front: number,
    /** The tree of the word at the front of the buffer, which in arc-hybrid has dependents. */
    readonly ahead: VisibleTree | undefined,
    origin?: StackState,
  ) {
    this.origin = origin ?? this;
  }
}

/** An arc that was added last: between the topmost trees of a state and of one below it, where it led back to. */
export interface LastArc {
  readonly over: StackState;
  readonly below: StackState;
  readonly move: Move;
  readonly cls: number;
  /** The score since the first word of the tree was shifted that is now the topmost. */
  readonly inside: number;
}
