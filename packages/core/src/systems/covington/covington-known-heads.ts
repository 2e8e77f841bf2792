import { type Configuration, NONE } from "../configuration.js";
import { rootOf } from "../known-heads/projective-known-heads.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import type { KnownHeads, TransitionSystem } from "../system.js";
import { type Move, SHIFT } from "../transition.js";

/**
 * Every pair of words passes each other once, so wanted arcs can be built one by one, and together because they form no
 * cycle: a move does harm if it lets a wanted arc pass, or builds one that closes a cycle with wanted arcs. If one root
 * is required, all words must still be within reach of one; O(n²) then, else O(depth) and O(dependents) for SHIFT.
 */
export class CovingtonKnownHeads implements KnownHeads {
  private tree!: GoldTree;

  constructor(
    private readonly system: TransitionSystem,
    private readonly noArc: Move,
  ) {}

  bind(tree: GoldTree): void {
    this.tree = tree;
  }

  isPossible(): boolean {
    return true;
  }

  keeps(c: Configuration, move: Move): boolean {
    const { tree, system } = this;
    const { heads, start, dependents } = tree;
    const i = c.s(0);
    const j = c.b(0);
    if (move === SHIFT) {
      // A word that is to hang on 0 needs no arc: words without a head are attached to 0 at the end.
      if (i > 0 && heads[j]! > 0 && heads[j]! <= i && c.heads[j] === NONE) return false;
      for (let k = start[j]!; j > 0 && k < start[j + 1]! && dependents[k]! <= i; k++) {
        if (c.heads[dependents[k]!] === NONE) return false;
      }
    } else if (move === this.noArc) {
      if ((i > 0 && heads[j] === i && c.heads[j] === NONE) || (j > 0 && heads[i] === j && c.heads[i] === NONE))
        return false;
    } else {
      const head = system.head(c, move);
      const dependent = system.dependent(c, move);
      const wanted = heads[dependent]!;
      if (wanted !== NONE && wanted !== head) return false;
      if (wanted === NONE && this.isAbove(c, dependent, head)) return false;
      if (head === 0 && system.singleRoot && rootOf(tree) !== NONE && rootOf(tree) !== dependent) return false;
    }
    return !system.singleRoot || this.unites(c, move);
  }

  /** Is there a path down from a word to another, of arcs built and arcs wanted? */
  private isAbove(c: Configuration, word: number, other: number): boolean {
    let node = other;
    while (node > 0 && node !== word) node = c.heads[node] === NONE ? this.tree.heads[node]! : c.heads[node]!;
    return node === word;
  }

  /**
   * After a move, can one word still come to be above all others? It is if all can be reached from it, where a word
   * with a head, built or wanted, is reached from that alone, and others from all that they still pass.
   */
  private unites(c: Configuration, move: Move): boolean {
    const { tree, system } = this;
    const n = c.length;
    const j = c.b(0) === 0 ? n + 1 : c.b(0);
    const limit = move === SHIFT ? 0 : c.s(0);
    const dependent = system.dependent(c, move);
    const headOf = (d: number) =>
      d === dependent ? system.head(c, move) : c.heads[d] === NONE ? tree.heads[d]! : c.heads[d]!;
    let root = NONE;
    for (let d = 1; d <= n; d++) {
      const h = headOf(d);
      if (h === 0) root = d;
      // A word ahead that is free to take any place joins all there is.
      else if (h === NONE && d > j) return true;
    }
    const reached = new Uint8Array(n + 1);
    const reach = (from: number): number => {
      const agenda = [from];
      reached[from] = 1;
      let count = 1;
      for (let h = agenda.pop(); h !== undefined; h = agenda.pop()) {
        for (let d = 1; d <= n; d++) {
          if (reached[d]) continue;
          const own = headOf(d);
          const later = Math.max(h, d);
          const passes = later > j || (later === j && Math.min(h, d) < limit);
          if (own === NONE ? !passes : own !== h) continue;
          reached[d] = 1;
          count++;
          agenda.push(d);
        }
      }
      return count;
    };
    // If one word reaches all others, the last at which a search has to begin anew is such a word.
    if (root === NONE) {
      for (let d = 1; d <= n; d++) {
        if (reached[d]) continue;
        root = d;
        reach(d);
      }
      reached.fill(0);
    }
    return reach(root) === n;
  }
}
