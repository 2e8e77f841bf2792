import { type Configuration, IN_BUFFER } from "../configuration.js";
import { stillInBuffer, waitingOnStack } from "../oracles/gold-tree.js";
import type { TransitionSystem } from "../system.js";
import { LEFT_ARC, type Move, SHIFT } from "../transition.js";
import { mayGet, ProjectiveKnownHeads } from "./projective-known-heads.js";

/** As for arc-eager; a word on the stack can also hang on its neighbour below. O(dependents) a move. */
export class ArcHybridKnownHeads extends ProjectiveKnownHeads {
  private readonly bottom: number;
  /** Whether 0 comes after all words, and may take as many of them as it likes. */
  private readonly collects: boolean;

  constructor({ root, singleRoot }: TransitionSystem) {
    super();
    this.bottom = root === "first" ? 1 : 0;
    this.collects = root === "last" && !singleRoot;
  }

  keeps(c: Configuration, move: Move): boolean {
    const { tree } = this;
    const s = c.s(0);
    const b = c.b(0);
    if (move !== SHIFT) return mayGet(tree, move === LEFT_ARC ? b : c.s(1), s) && stillInBuffer(c, tree, s) === 0;
    const h = tree.heads[b]!;
    if (h === 0 ? !this.collects && c.stackSize > this.bottom : h > 0 && h !== s && c.where[h] !== IN_BUFFER)
      return false;
    return waitingOnStack(c, tree, b) === 0;
  }
}
