import { Configuration, NONE } from "../configuration.js";
import type { FixedMovesSystem } from "../system.js";
import { isArc, type Move } from "../transition.js";
import type { GoldTree } from "./gold-tree.js";
import type { DynamicOracle, LossBounds } from "./oracle.js";

/**
 * An approximate dynamic oracle, for training: it takes the upper bounds of losses for the losses. A loss is exact
 * where its bounds are the same, which `exact` tells. Of the moves that build no arc only the one on the way to the
 * upper bound leads on: words can often change places at no cost, and a parser that took all such moves for correct
 * would do so without need.
 */
export class BoundsOracle implements DynamicOracle {
  exact = true;
  private readonly after = new Configuration();
  /** The configuration asked about last, so that the costs of several moves need its loss only once. */
  private known: { c: Configuration; version: number; loss: number; exact: boolean; first: Move } | undefined;

  constructor(
    private readonly system: FixedMovesSystem,
    private readonly bounds: LossBounds,
  ) {}

  bind(gold: GoldTree): void {
    this.bounds.bind(gold);
    this.known = undefined;
  }

  loss(c: Configuration): number {
    return this.look(c).loss;
  }

  cost(c: Configuration, move: Move): number {
    const { after, bounds, system } = this;
    const { loss, exact, first } = this.look(c);
    if (move === first) return 0;
    after.copyFrom(c);
    system.apply(after, move);
    bounds.find(after);
    this.exact = exact && bounds.least === bounds.most;
    // Negative where the way from here is not the best.
    return Math.max(0, bounds.most - loss);
  }

  isOptimal(c: Configuration, move: Move): boolean {
    return this.cost(c, move) === 0;
  }

  optimal(c: Configuration): Move {
    const { first } = this.look(c);
    if (first === NONE) throw new Error("no optimal move: the configuration is terminal or not one of this system");
    return first;
  }

  leadsOn(c: Configuration, move: Move): boolean {
    return isArc(move) ? this.isOptimal(c, move) : move === this.optimal(c);
  }

  private look(c: Configuration): NonNullable<BoundsOracle["known"]> {
    const { bounds, system } = this;
    if (this.known?.c !== c || this.known.version !== c.version) {
      bounds.find(c);
      const { least, most } = bounds;
      // If there is none, 0 takes the last word.
      const first = bounds.first === NONE ? system.moves.find((move) => system.permits(c, move)) : bounds.first;
      this.known = { c, version: c.version, loss: most, exact: least === most, first: first ?? NONE };
    }
    this.exact = this.known.exact;
    return this.known;
  }
}
