import { Configuration, NONE } from "../configuration.js";
import type { FixedMovesSystem } from "../system.js";
import type { Move } from "../transition.js";
import { GoldBound } from "./gold-bound.js";
import { ConflictingArcs, type GoldTree } from "./gold-tree.js";
import { type DynamicOracle, leastCost } from "./oracle.js";

/**
 * A dynamic oracle by arc decomposition (Goldberg & Nivre 2013), for arc-eager and arc-hybrid: gold arcs that can be
 * built one by one can be built together, so a move costs the arcs that it puts out of reach. If the gold tree is not
 * projective, the arcs left may stand in each other's way; if one root is required, they may not fit under it: then the
 * cost is the difference of two losses, O(n).
 */
export abstract class ArcDecomposedOracle<System extends FixedMovesSystem>
  extends GoldBound<System>
  implements DynamicOracle
{
  readonly exact = true;
  protected conflicts: ConflictingArcs | undefined;
  private readonly after = new Configuration();

  override bind(gold: GoldTree): void {
    super.bind(gold);
    this.conflicts = gold.projective ? undefined : new ConflictingArcs(gold, this.system.root);
  }

  loss(c: Configuration): number {
    const { gold, system } = this;
    let lost = 0;
    for (let d = 1; d <= gold.length; d++) {
      const h = gold.heads[d]!;
      if (h < (system.root === "none" ? 1 : 0)) continue;
      if (c.heads[d] !== h && !this.isOpen(c, h, d)) lost++;
    }
    return lost + this.lostTogether(c);
  }

  /** Can an arc that is not built yet still be built? Not if its dependent has another head, which it keeps. */
  protected isOpen(c: Configuration, h: number, d: number): boolean {
    return c.heads[d] === NONE && this.reachable(c, h, d);
  }

  /** Can the arc h → d be built by some continuation, if d has no head? */
  protected abstract reachable(c: Configuration, h: number, d: number): boolean;

  /** How many arcs that can be built one by one cannot be built together. */
  protected lostTogether(c: Configuration): number {
    return this.lostToConflicts(c);
  }

  /** Arcs that must be given up because they stand in each other's way; one arc may be given up beforehand. */
  protected lostToConflicts(c: Configuration, without = NONE): number {
    if (!this.conflicts) return 0;
    const { heads } = this.gold;
    return this.conflicts.lost((d) => d !== without && c.heads[d] !== heads[d] && this.isOpen(c, heads[d]!, d));
  }

  /** The arcs that a move puts out of reach, where these are all that it costs: O(dependents of one node). */
  protected abstract arcsLost(c: Configuration, move: Move): number;

  /**
   * A move that costs nothing where arcs are all that a move costs, the likely ones first; NONE if it is none of them.
   */
  protected abstract likely(c: Configuration): Move;

  /** Whether a move may cost more than the arcs that it puts out of reach. */
  protected get isEntangled(): boolean {
    return this.conflicts !== undefined || this.system.singleRoot;
  }

  cost(c: Configuration, move: Move): number {
    if (!this.isEntangled) return this.arcsLost(c, move);
    this.after.copyFrom(c);
    this.system.apply(this.after, move);
    return this.loss(this.after) - this.loss(c);
  }

  isOptimal(c: Configuration, move: Move): boolean {
    return this.cost(c, move) === 0;
  }

  optimal(c: Configuration): Move {
    const move = this.isEntangled ? NONE : this.likely(c);
    return move === NONE ? leastCost(this.system, this, c) : move;
  }
}
