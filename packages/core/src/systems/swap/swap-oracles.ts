import { projectiveOrder } from "../../treebank/tree.js";
import { CanonicalOracle } from "../arc-standard.js";
import { type Configuration, NONE } from "../configuration.js";
import { isComplete } from "../losses/bottom-up.js";
import { BoundsOracle } from "../oracles/bounds-oracle.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import type { OracleMakers } from "../oracles/oracle.js";
import { LEFT_ARC, type Move, RIGHT_ARC, SHIFT, SWAP } from "../transition.js";
import type { Swap } from "./swap.js";
import { SwapBounds } from "./swap-bounds.js";

/** Swap has a static oracle, and bounds of the loss, which are nearly always the same (docs/oracles.md). */
export const swapOracles: OracleMakers<Swap> = {
  static: (system) => new SwapOracle(system),
  nonDeterministic: () => undefined,
  dynamic: () => undefined,
  bounds: (system) => new SwapBounds(system),
  // The ways to the bounds swap at once. They leave out the one that swaps wherever it may: what it repairs is to be
  // called a mistake, else SHIFT is often free where an arc is due, and SWAPs without need are taught.
  approximate: (system) =>
    system.lazy ? undefined : new BoundsOracle(system, new SwapBounds(system, false, ["by order", "never"])),
};

/**
 * Static oracle. Eager (Nivre 2009): SWAP whenever the two topmost nodes are out of projective order. Lazy (Nivre,
 * Kuhlmann & Hall 2009): not while the top and b0 belong to the same maximal projective component, for then they can be
 * joined first and swapped as one.
 */
class SwapOracle extends CanonicalOracle {
  private order: Int32Array = new Int32Array(0);
  private component: Int32Array | undefined;

  override bind(gold: GoldTree): void {
    super.bind(gold);
    this.order = projectiveOrder(gold.heads.subarray(0, gold.length + 1));
    this.component = (this.system as Swap).lazy ? maximalProjectiveComponents(gold) : undefined;
  }

  override next(c: Configuration): Move {
    const { gold, system, order, component } = this;
    const s = c.s(0);
    const t = c.s(1);
    if (t > 0 && gold.has(s, t) && isComplete(c, gold, t) && system.permits(c, LEFT_ARC)) return LEFT_ARC;
    if (t !== NONE && gold.has(t, s) && isComplete(c, gold, s) && system.permits(c, RIGHT_ARC)) return RIGHT_ARC;
    if (t > 0 && s > 0 && order[s]! < order[t]! && system.permits(c, SWAP)) {
      const b = c.b(0);
      if (!component || b <= 0 || component[s] !== component[b]) return SWAP;
    }
    return system.permits(c, SHIFT) ? SHIFT : NONE;
  }
}

/** The parts that arc-standard can build of the tree; each node gets the root of its part. O(n). */
function maximalProjectiveComponents(gold: GoldTree): Int32Array {
  const { heads, length } = gold;
  const joined = new Int32Array(length + 1).fill(NONE);
  const waiting = new Int32Array(length + 1);
  for (let d = 1; d <= length; d++) waiting[heads[d]!]!++;
  const stack = [0];
  for (let w = 1; w <= length; w++) {
    stack.push(w);
    while (stack.length > 1) {
      const s = stack[stack.length - 1]!;
      const t = stack[stack.length - 2]!;
      if (heads[t] === s && waiting[t] === 0) {
        joined[t] = s;
        waiting[s]!--;
        stack.splice(-2, 1);
      } else if (heads[s] === t && waiting[s] === 0) {
        joined[s] = t;
        waiting[t]!--;
        stack.pop();
      } else break;
    }
  }
  // Heads come before their dependents in no particular order, so each node follows its chain and leaves a short cut.
  const component = new Int32Array(length + 1).fill(NONE);
  for (let w = 0; w <= length; w++) {
    let root = w;
    while (component[root] === NONE && joined[root] !== NONE) root = joined[root]!;
    const found = component[root] === NONE ? root : component[root]!;
    for (let x = w; component[x] === NONE; x = joined[x]!) {
      component[x] = found;
      if (joined[x] === NONE) break;
    }
  }
  return component;
}
