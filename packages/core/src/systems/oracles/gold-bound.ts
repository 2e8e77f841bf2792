import type { TransitionSystem } from "../system.js";
import type { GoldTree } from "./gold-tree.js";

/** An oracle of a system that goes by the gold tree as it is. */
export abstract class GoldBound<System extends TransitionSystem> {
  protected gold!: GoldTree;

  constructor(protected readonly system: System) {}

  /**
   * Take over a tree.
   * @param gold the gold tree
   */
  bind(gold: GoldTree): void {
    this.gold = gold;
  }
}
