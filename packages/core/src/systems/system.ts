import { type Configuration, NONE, type RootPosition } from "./configuration.js";
import { type Move, moveOf, nameOf } from "./transition.js";

export interface SystemOptions {
  /** Where 0 stands before parsing begins. */
  root?: RootPosition;
  /** Permit only what can still lead to a tree in which exactly one word hangs on 0. */
  singleRoot?: boolean;
  /** Attardi: how far arcs reach, 2 (the default) or 3. */
  degree?: number;
  /** Swap: SWAP as soon as words are out of order (eager), or only when it can no longer wait (lazy). */
  lazy?: boolean;
}

/**
 * A transition system: its configurations, transitions and preconditions. The oracles that belong to it are in the same file, made by oracles.ts.
 * A system knows nothing of sentences, features or models, and keeps no state: all state is in the configuration.
 */
export abstract class TransitionSystem {
  abstract readonly name: string;
  readonly root: RootPosition;
  readonly singleRoot: boolean;

  constructor(options: SystemOptions = {}) {
    this.root = options.root ?? "last";
    this.singleRoot = options.singleRoot ?? false;
  }

  /** Make c the initial configuration for n words. */
  initialize(c: Configuration, words: number): void {
    c.reset(words, this.root);
  }

  abstract isTerminal(c: Configuration): boolean;

  /** May the move be applied? Nothing is permitted in a terminal configuration. */
  abstract permits(c: Configuration, move: Move): boolean;

  /** Write the permitted moves into `out` and return how many there are. */
  abstract permitted(c: Configuration, out: Move[]): number;

  /** Apply a permitted move; `label` goes to the arc it builds, if it builds one. */
  abstract apply(c: Configuration, move: Move, label?: number): void;

  /** The head of the arc that the move would build, NONE if it builds none. */
  abstract head(c: Configuration, move: Move): number;

  /** The dependent of the arc that the move would build, NONE if it builds none. */
  abstract dependent(c: Configuration, move: Move): number;

  /** Complete a terminal configuration to a tree: what has no head is attached to 0. */
  finish(c: Configuration, label = NONE): void {
    for (let d = 1; d <= c.length; d++) if (c.heads[d] === NONE) c.addArc(0, d, label);
  }

  nameOf(move: Move): string {
    return nameOf(move);
  }

  /** The move of a name, -1 if this system has none of that name. */
  moveOf(name: string): Move {
    return moveOf(name);
  }
}

/** What systems with a fixed, small inventory of moves share. */
export abstract class FixedMovesSystem extends TransitionSystem {
  /** All moves of the system. */
  abstract readonly moves: readonly Move[];

  permitted(c: Configuration, out: Move[]): number {
    const moves = this.moves;
    let count = 0;
    for (let i = 0; i < moves.length; i++) if (this.permits(c, moves[i]!)) out[count++] = moves[i]!;
    return count;
  }

  override moveOf(name: string): Move {
    const move = moveOf(name);
    return this.moves.includes(move) ? move : -1;
  }
}
