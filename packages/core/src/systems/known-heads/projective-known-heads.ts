// The freedom that a partial tree leaves to a system: a move is kept if all arcs that are wanted can still be built
// after it, together and whatever the free words get. Each system has its own test in this folder, made of what its
// oracles are made of. All are exact but that of swap, which is sound: where a move is kept, there is a way on.

import { type Configuration, NONE } from "../configuration.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import type { KnownHeads } from "../system.js";
import type { Move } from "../transition.js";

/** The word that must hang on 0, NONE if any may. */
export function rootOf({ start, dependents }: GoldTree): number {
  return start[1]! > start[0]! ? dependents[start[0]!]! : NONE;
}

/** May the word get this head? */
export function mayGet(tree: GoldTree, head: number, dependent: number): boolean {
  return tree.heads[dependent] === NONE || tree.heads[dependent] === head;
}

/** Systems that build every projective tree and no other. */
export abstract class ProjectiveKnownHeads implements KnownHeads {
  protected tree!: GoldTree;

  bind(tree: GoldTree): void {
    this.tree = tree;
  }

  isPossible(): boolean {
    return this.tree.projective;
  }

  abstract keeps(c: Configuration, move: Move): boolean;
}
