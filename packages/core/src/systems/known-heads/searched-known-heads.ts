import { check } from "../../checks/options.js";
import { SYSTEM } from "../../checks/shapes.js";
import { Configuration } from "../configuration.js";
import { checkGold, type GoldTree } from "../oracles/gold-tree.js";
import { keepsArcs, keyOf } from "../oracles/searched-oracle.js";
import type { KnownHeads, TransitionSystem } from "../system.js";
import type { Move } from "../transition.js";
import { mayGet } from "./projective-known-heads.js";

/** How many configurations of a sentence are looked at before what was not found counts as out of reach. */
const LIMIT = 20_000;

/**
 * The moves that keep a partial tree within reach of any system, by search: exact for short sentences, and a way to
 * have known heads in a system that has no test of its own. What was found out is remembered for the sentence. The
 * number of configurations grows exponentially with the free words.
 */
export class SearchedKnownHeads implements KnownHeads {
  private tree!: GoldTree;
  private readonly known = new Map<string, boolean>();

  constructor(private readonly system: TransitionSystem) {
    check("system", system, SYSTEM);
  }

  bind(tree: GoldTree): void {
    checkGold(tree);
    this.tree = tree;
    this.known.clear();
  }

  isPossible(): boolean {
    const c = new Configuration(this.tree.length);
    this.system.initialize(c, this.tree.length);
    return this.leadsToTree(c);
  }

  keeps(c: Configuration, move: Move): boolean {
    return keepsArcs(this.system, c, move, this.tree) && this.leadsToTree(this.after(c, move));
  }

  /** Depth first. What has been looked at and is not on the way to a tree is out of reach. */
  private leadsToTree(start: Configuration): boolean {
    const { system, known } = this;
    const path = [{ c: start, key: keyOf(start), moves: undefined as Move[] | undefined }];
    for (let state = path[0]; state; state = path[path.length - 1]) {
      const found = known.get(state.key) ?? (system.isTerminal(state.c) ? this.isTree(state.c) : undefined);
      if (found) {
        for (const { key } of path) known.set(key, true);
        return true;
      }
      state.moves ??= found === undefined && known.size < LIMIT ? this.wanted(state.c) : [];
      const move = state.moves.pop();
      if (move === undefined) {
        known.set(state.key, false);
        path.pop();
      } else {
        const c = this.after(state.c, move);
        path.push({ c, key: keyOf(c), moves: undefined });
      }
    }
    return false;
  }

  private wanted(c: Configuration): Move[] {
    const moves: Move[] = [];
    moves.length = this.system.permitted(c, moves);
    return moves.filter((move) => keepsArcs(this.system, c, move, this.tree)).reverse();
  }

  private after(c: Configuration, move: Move): Configuration {
    const next = new Configuration(c.length);
    next.copyFrom(c);
    this.system.apply(next, move);
    return next;
  }

  private isTree(c: Configuration): boolean {
    const end = new Configuration(c.length);
    end.copyFrom(c);
    this.system.finish(end);
    for (let d = 1; d <= c.length; d++) if (!mayGet(this.tree, end.heads[d]!, d)) return false;
    return true;
  }
}
