import type { Configuration } from "../configuration.js";
import { type Move, SHIFT } from "../transition.js";

/**
 * Remembers how many gold arcs the configuration asked about last must lose from there on. When the configuration has
 * since changed by exactly the move that was given as optimal, the number is carried over, for such a move costs
 * nothing; this is what makes following an oracle cheap. (Every transition changes a configuration's version by one.)
 */
export class RememberedLoss {
  /** Is the number exact, or only an upper bound? */
  exact = true;
  private c: Configuration | undefined;
  private version = -1;
  private value = 0;
  private move: Move = -1;
  private head = -1;
  private dependent = -1;
  private lost = 0;

  forget(): void {
    this.c = undefined;
  }

  /** The number for this configuration, -1 if it is not known. */
  recall(c: Configuration): number {
    if (c !== this.c) return -1;
    if (c.version !== this.version) {
      const steps = c.version - this.version;
      if (steps !== 1 || this.move < 0 || !this.wasApplied(c)) return -1;
      this.version = c.version;
      this.value -= this.lost;
      this.move = -1;
    }
    return this.value;
  }

  remember(c: Configuration, value: number, exact = true): number {
    this.c = c;
    this.version = c.version;
    this.move = -1;
    this.value = value;
    this.exact = exact;
    return value;
  }

  /** The move given as optimal for the remembered configuration: its arc, and the gold arcs that it loses at once. */
  expect(move: Move, head: number, dependent: number, lost: number): Move {
    this.move = move;
    this.head = head;
    this.dependent = dependent;
    this.lost = lost;
    return move;
  }

  // Of two configurations one step apart, SHIFT is the step if b0 is on top of the stack; an arc shows in the heads.
  private wasApplied(c: Configuration): boolean {
    return this.move === SHIFT
      ? c.s(0) === this.dependent && c.where[this.dependent] === 1
      : c.heads[this.dependent] === this.head;
  }
}
