import { Configuration, NONE } from "../configuration.js";
import { BottomUpLoss, isComplete } from "../losses/bottom-up.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import type { KnownHeads, TransitionSystem } from "../system.js";
import { type Move, SHIFT } from "../transition.js";
import { mayGet } from "./projective-known-heads.js";

/**
 * Arc-standard and Attardi: an arc for a complete word never does harm, one for another word always does. SHIFT is
 * tried, O(n), where there is such an arc; otherwise it is the only way on.
 */
export class BottomUpKnownHeads implements KnownHeads {
  private tree!: GoldTree;
  private readonly ahead: BottomUpLoss;

  constructor(private readonly system: TransitionSystem & { degree: number }) {
    this.ahead = runAhead(system, system.degree);
  }

  bind(tree: GoldTree): void {
    this.tree = tree;
    this.ahead.bind(tree);
  }

  isPossible(): boolean {
    if (this.tree.projective) return true;
    const c = new Configuration(this.tree.length);
    this.system.initialize(c, this.tree.length);
    return this.ahead.reaches(c, NONE, false);
  }

  keeps(c: Configuration, move: Move): boolean {
    const { system } = this;
    if (move !== SHIFT) return this.isHarmless(c, move);
    for (let i = 0; i < system.moves.length; i++) {
      const arc = system.moves[i]!;
      if (arc !== SHIFT && system.permits(c, arc) && this.isHarmless(c, arc)) return this.ahead.reaches(c, NONE, true);
    }
    return true;
  }

  private isHarmless(c: Configuration, arc: Move): boolean {
    const dependent = this.system.dependent(c, arc);
    return mayGet(this.tree, this.system.head(c, arc), dependent) && isComplete(c, this.tree, dependent);
  }
}

/** The run of a bottom-up parser on what is left of a configuration, for arcs out of 0 as well. */
export function runAhead({ root, singleRoot }: TransitionSystem, degree: number): BottomUpLoss {
  // Where 0 stands does not matter when it takes the last word that is left; with root none, convention does the same.
  return singleRoot || root === "none"
    ? new BottomUpLoss(degree, "first", true)
    : new BottomUpLoss(degree, root, false);
}
