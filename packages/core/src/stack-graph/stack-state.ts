import type { DerivationStep } from "../search/beam/beam-history.js";
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
  /** In training: how many arcs of the best derivation are wrong, and how many of that part. */
  errors = 0;
  errorsInside = 0;
  /** How many ways there are to build the topmost tree, and how many derivations that makes. */
  ways = 1;
  derivations = 1;
  /** The state in which that word had just been shifted: this one if nothing has happened since, or yet. */
  readonly origin: StackState;
  /** If a word has just been shifted: the states before, best first, and their scores with that of the shift. */
  readonly below: StackState[] = [];
  readonly belowScores: number[] = [];

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
    /** If an arc has just been added: the best way to do that. */
    readonly last?: LastArc,
  ) {
    this.origin = last ? last.below.origin : this;
  }
}

/** An arc that was added last: between the topmost trees of a state and of one below it, where it led back to. */
export interface LastArc extends DerivationStep {
  readonly over: StackState;
  readonly below: StackState;
}

/**
 * The best derivation that leads to a state. It is read backwards: an arc comes after the part of the state that it
 * took off, the shift with which that began, and the part of the state below it.
 */
export function derivationOf(end: StackState, shift: DerivationStep): DerivationStep[] {
  const steps: DerivationStep[] = [];
  // The rest to be read, the last of it at the end; undefined stands for a shift.
  const left: (StackState | undefined)[] = [end];
  for (let [below] = end.origin.below; below; [below] = below.origin.below) left.push(undefined, below);
  left.reverse();
  while (left.length > 0) {
    const state = left.pop();
    if (!state) steps.push(shift);
    else if (state.last) {
      const { over, below } = state.last;
      steps.push(state.last);
      left.push(below, undefined, over);
    }
  }
  return steps.reverse();
}
