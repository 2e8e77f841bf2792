import { type Configuration, GONE, NONE } from "../configuration.js";
import { BottomUpLoss, type CheapestLoss, isComplete, lostBy, lostSoFar } from "../losses/bottom-up.js";
import { RememberedLoss } from "../losses/remembered-loss.js";
import type { FixedMovesSystem } from "../system.js";
import { kindOf, type Move, reachOf, SHIFT } from "../transition.js";
import { Goal, type GoldTree } from "./gold-tree.js";
import type { DynamicOracle } from "./oracle.js";

/**
 * Dynamic oracle for arc-standard and Attardi: see bottom-up.ts. It is exact for every gold tree that the system can
 * build, up to the limit of Attardi's search. A tree that it cannot build has conflicts everywhere ahead, with which
 * searches grow; so such trees are dealt with exactly up to `exactWords` words, and from longer ones some arcs are
 * given up beforehand (a Goal).
 */
export class BottomUpOracle implements DynamicOracle {
  private goal!: Goal;
  private gold!: GoldTree;
  private readonly problem: BottomUpLoss;
  private readonly ahead = new RememberedLoss();
  exact = true;

  constructor(
    private readonly system: FixedMovesSystem & { readonly degree: number },
    private readonly cheapest: CheapestLoss,
    private readonly hopeless: (gold: GoldTree) => readonly number[],
    private readonly exactWords: number,
  ) {
    this.problem = new BottomUpLoss(system.degree, system.root, system.singleRoot);
  }

  bind(gold: GoldTree): void {
    this.goal = new Goal(gold, this.system.root, this.hopeless, this.exactWords);
    this.gold = this.goal.tree;
    this.problem.bind(this.gold);
    this.ahead.forget();
  }

  loss(c: Configuration): number {
    this.exact = this.goal.exact;
    return this.goal.lost + lostSoFar(c, this.gold, this.system.root) + this.unavoidable(c);
  }

  cost(c: Configuration, move: Move): number {
    this.exact = this.goal.exact;
    if (this.isSafe(c, move)) return 0;
    // Never negative where losses are exact.
    return Math.max(0, this.after(c, move) - this.unavoidable(c));
  }

  isOptimal(c: Configuration, move: Move): boolean {
    this.exact = this.goal.exact;
    if (this.isSafe(c, move)) return true;
    const before = this.unavoidable(c);
    if (before === 0) {
      // Any other arc loses something. SHIFT does not if it is the only way on.
      if (kindOf(move) !== SHIFT) return false;
      if (this.safeArc(c) < 0) return true;
    }
    return this.after(c, move) <= before;
  }

  optimal(c: Configuration): Move {
    this.exact = this.goal.exact;
    const { ahead, system } = this;
    const before = this.unavoidable(c);
    const safe = this.safeArc(c);
    if (safe >= 0) return ahead.expect(safe, system.head(c, safe), system.dependent(c, safe), 0);
    // If nothing more need be lost and no arc is safe, the way on begins with SHIFT.
    const canShift = system.permits(c, SHIFT);
    if (canShift && (before === 0 || this.after(c, SHIFT) <= before)) return ahead.expect(SHIFT, NONE, c.b(0), 0);
    let best = canShift ? SHIFT : -1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < system.moves.length - 1; i++) {
      const move = system.moves[i]!;
      if (!system.permits(c, move)) continue;
      const lost = this.after(c, move);
      if (lost <= before) {
        const head = system.head(c, move);
        const dependent = system.dependent(c, move);
        return ahead.expect(move, head, dependent, lostBy(c, this.gold, head, dependent));
      }
      if (lost < least) {
        least = lost;
        best = move;
      }
    }
    // Only a search that was cut short leads here.
    if (best < 0) throw new Error("no optimal move: the configuration is terminal or not one of this system");
    ahead.forget();
    return best;
  }

  /**
   * An arc that attaches a complete node to its gold head, or one whose gold head has gone: it never costs anything.
   */
  private safeArc(c: Configuration): Move {
    const { moves } = this.system;
    for (let i = 0; i < moves.length - 1; i++) {
      if (reachOf(moves[i]!) >= c.stackSize) break;
      if (this.isSafe(c, moves[i]!) && this.system.permits(c, moves[i]!)) return moves[i]!;
    }
    return -1;
  }

  private isSafe(c: Configuration, move: Move): boolean {
    if (kindOf(move) === SHIFT) return false;
    const dependent = this.system.dependent(c, move);
    if (dependent === 0) return false;
    const gold = this.gold.heads[dependent]!;
    const idle = gold < 0 || c.where[gold] === GONE;
    return (idle || gold === this.system.head(c, move)) && isComplete(c, this.gold, dependent);
  }

  /** The arcs lost by the move and after it. */
  private after(c: Configuration, move: Move): number {
    const { problem, cheapest } = this;
    let lost: number;
    if (kindOf(move) === SHIFT) lost = problem.unavoidable(c, NONE, true, cheapest);
    else {
      const dependent = this.system.dependent(c, move);
      lost = lostBy(c, this.gold, this.system.head(c, move), dependent);
      lost += problem.unavoidable(c, dependent, false, cheapest);
    }
    this.exact &&= problem.exact;
    return lost;
  }

  private unavoidable(c: Configuration): number {
    const { ahead, problem } = this;
    let lost = ahead.recall(c);
    if (lost < 0) lost = ahead.remember(c, problem.unavoidable(c, NONE, false, this.cheapest), problem.exact);
    this.exact &&= ahead.exact;
    return lost;
  }
}
