import { Configuration, IN_BUFFER, NONE } from "../configuration.js";
import { SpinesRun } from "../losses/spines-run.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import type { KnownHeads, TransitionSystem } from "../system.js";
import { kindOf, LEFT_ARC, type Move, SHIFT } from "../transition.js";
import { mayGet, rootOf } from "./projective-known-heads.js";

/**
 * LR-spines: an arc does harm if it takes a wanted node off a spine. Where there is a
 * harmless arc, a run of the parser tells whether SHIFT is harmless, too.
 */
export class LrSpinesKnownHeads implements KnownHeads {
  private tree!: GoldTree;
  private readonly run: SpinesRun;
  private readonly withRoot = new Configuration();
  private readonly arcs: Move[] = [];

  constructor(private readonly system: TransitionSystem) {
    // With root none, 0 is put after the words for the run, which would not see a wanted root otherwise; it takes one
    // word then.
    this.run = new SpinesRun(system.root === "none" || system.singleRoot);
  }

  bind(tree: GoldTree): void {
    this.tree = tree;
    this.run.bind(tree);
  }

  isPossible(): boolean {
    return this.tree.projective;
  }

  keeps(c: Configuration, move: Move): boolean {
    const { system, arcs } = this;
    if (move !== SHIFT) return this.isHarmless(c, move);
    const count = system.permitted(c, arcs);
    for (let i = 0; i < count; i++) {
      if (arcs[i] !== SHIFT && this.isHarmless(c, arcs[i]!)) return this.run.getsThrough(this.seen(c), true);
    }
    return true;
  }

  private seen(c: Configuration): Configuration {
    if (this.system.root !== "none") return c;
    const { withRoot } = this;
    withRoot.copyFrom(c);
    withRoot.buffer[withRoot.end++] = 0;
    withRoot.where[0] = IN_BUFFER;
    withRoot.rootPlace = c.length + 1;
    return withRoot;
  }

  private isHarmless(c: Configuration, arc: Move): boolean {
    const { tree, system } = this;
    const head = system.head(c, arc);
    const dependent = system.dependent(c, arc);
    const root = system.singleRoot ? rootOf(tree) : NONE;
    if (!mayGet(tree, head, dependent) || (head === 0 && root !== NONE && root !== dependent)) return false;
    // The spine of the dependent that turns inward, and what is below the head on its own, are closed.
    return kindOf(arc) === LEFT_ARC
      ? !this.isWanted(c, dependent, c.rightmost, false) && !this.isWanted(c, c.leftmost[head]!, c.leftmost, true)
      : !this.isWanted(c, dependent, c.leftmost, true) && !this.isWanted(c, c.rightmost[head]!, c.rightmost, false);
  }

  /** Is a node of the spine from here on down wanted by a word on that side that has no head yet? */
  private isWanted(c: Configuration, from: number, next: Int32Array, onLeft: boolean): boolean {
    const { start, dependents } = this.tree;
    for (let node = from; node !== NONE; node = next[node]!) {
      for (let i = start[node]!; i < start[node + 1]!; i++) {
        const d = dependents[i]!;
        if (d < node === onLeft && c.heads[d] === NONE) return true;
      }
    }
    return false;
  }
}
