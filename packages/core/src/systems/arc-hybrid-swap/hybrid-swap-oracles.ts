import { projectiveOrder } from "../../treebank/tree.js";
import { type Configuration, NONE } from "../configuration.js";
import { isComplete } from "../losses/bottom-up.js";
import { BoundsOracle } from "../oracles/bounds-oracle.js";
import { GoldBound } from "../oracles/gold-bound.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import type { OracleMakers, StaticOracle } from "../oracles/oracle.js";
import { LEFT_ARC, type Move, RIGHT_ARC, SHIFT, SWAP } from "../transition.js";
import type { ArcHybridSwap } from "./arc-hybrid-swap.js";
import { HybridSwapBounds } from "./hybrid-swap-bounds.js";

/** Arc-hybrid with SWAP has a static oracle, and bounds of the loss, which are nearly always the same. */
export const arcHybridSwapOracles: OracleMakers<ArcHybridSwap> = {
  static: (system) => new HybridSwapStaticOracle(system),
  nonDeterministic: () => undefined,
  dynamic: () => undefined,
  bounds: (system) => new HybridSwapBounds(system),
  approximate: (system) => new StaticDynamicOracle(system),
};

/**
 * Static oracle: arcs first, then SWAP wherever s0 and b0 are not in the projective order of the tree, else SHIFT.
 * O(dependents) a step.
 */
class HybridSwapStaticOracle extends GoldBound<ArcHybridSwap> implements StaticOracle {
  private order: Int32Array = new Int32Array(0);

  override bind(gold: GoldTree): void {
    super.bind(gold);
    this.order = projectiveOrder(gold.heads.subarray(0, gold.length + 1));
  }

  next(c: Configuration): Move {
    const { gold, order } = this;
    const s = c.s(0);
    const b = c.b(0);
    let move = SHIFT;
    if (s > 0) {
      if (b !== NONE && gold.has(b, s) && isComplete(c, gold, s)) move = LEFT_ARC;
      else if (c.stackSize > 1 && gold.has(c.s(1), s) && isComplete(c, gold, s)) move = RIGHT_ARC;
      else if (b > 0 && order[b]! < order[s]!) move = SWAP;
    }
    return this.system.permits(c, move) ? move : NONE;
  }
}

/**
 * The static-dynamic oracle (de Lhoneux, Stymne & Nivre 2017), for training: static for SWAP, which is correct where
 * the projective order of the gold arcs that are left demands it, and then alone; dynamic for all other moves, which
 * are correct where they cost nothing. The paper keeps lists of dependents within reach along a derivation; here the
 * cost is the difference of two upper bounds of the loss, and `exact` tells where it is known to be right. The bounds
 * leave out the way that swaps wherever it may: what it repairs is to be called a mistake, for else SHIFT would nearly
 * always be free, and SWAPs without need would follow.
 */
class StaticDynamicOracle extends BoundsOracle {
  constructor(system: ArcHybridSwap) {
    super(system, new HybridSwapBounds(system, false, ["by order", "never"]));
  }

  override leadsOn(c: Configuration, move: Move): boolean {
    const best = this.optimal(c);
    return best === SWAP || move === SWAP ? move === best : this.isOptimal(c, move);
  }
}
