import { Configuration, NONE } from "../configuration.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import type { KnownHeads, TransitionSystem } from "../system.js";
import { isArc, type Move } from "../transition.js";
import { HybridSwapBounds } from "./hybrid-swap-bounds.js";

/**
 * Which moves keep a partial tree within reach: those after which one of the ways to the end that bound the loss loses
 * none of its arcs. Where one does, its next move is kept as well, so that a search is never stuck. There can be other
 * ways: a few moves are refused that need not be. O(n + swaps) a move.
 */
export class HybridSwapKnownHeads implements KnownHeads {
  private tree!: GoldTree;
  private readonly bounds: HybridSwapBounds;
  private readonly after = new Configuration();

  constructor(private readonly system: TransitionSystem) {
    this.bounds = new HybridSwapBounds(system, true);
  }

  bind(tree: GoldTree): void {
    this.tree = tree;
    this.bounds.bind(tree);
  }

  isPossible(): boolean {
    return true;
  }

  keeps(c: Configuration, move: Move): boolean {
    const { tree, system, after } = this;
    if (isArc(move)) {
      const wanted = tree.heads[system.dependent(c, move)]!;
      if (wanted !== NONE && wanted !== system.head(c, move)) return false;
    }
    after.copyFrom(c);
    system.apply(after, move);
    this.bounds.find(after);
    return this.bounds.most === 0;
  }
}
