import { Configuration, NONE } from "../configuration.js";
import type { TransitionSystem } from "../system.js";
import type { Move } from "../transition.js";
import type { ExhaustiveOracle } from "./exhaustive.js";
import { checkGold, type GoldTree } from "./gold-tree.js";
import type { DynamicOracle } from "./oracle.js";

/**
 * Loss and costs in which a gold arc counts only with its gold label. An arc without a label does not count as lost.
 *
 * No system builds an arc twice: where arcs can be undone, one of the two words goes with them, or the word gets
 * another head and leaves the stack. So the gold arcs that were built with another label are lost in any case, and
 * their words may just as well keep their heads as lose them: the loss is the number of these arcs, and that of the
 * gold tree in which any head will do for their words. Where arcs stay, this is the loss without labels plus the number
 * of wrong ones.
 */
export class LabelledOracle {
  private gold!: GoldTree;
  /** The words for which any head will do in the tree that the oracle is bound to now. */
  private free: readonly number[] = [];
  private readonly after = new Configuration();

  /**
   * @param system the transition system
   * @param oracle gives the unlabelled costs
   */
  constructor(
    private readonly system: TransitionSystem,
    private readonly oracle: DynamicOracle | ExhaustiveOracle,
  ) {}

  /** Whether the last answer is exact, as that of the oracle without labels. */
  exact = true;

  /**
   * Take over a tree, which must have labels.
   * @param gold the gold tree
   */
  bind(gold: GoldTree): void {
    checkGold(gold);
    if (!gold.labels) throw new RangeError("invalid gold tree: it has no labels (expected labels for labelled costs)");
    this.gold = gold;
    this.free = [];
    this.oracle.bind(gold);
  }

  /**
   * The loss, undefined if it was not found within the limit of a search.
   * @param c the configuration
   */
  loss(c: Configuration): number | undefined {
    const wrong = this.wronglyLabelled(c);
    this.setFree(wrong);
    const loss = this.oracle.loss(c);
    this.exact = this.oracle.exact;
    return loss === undefined ? undefined : loss + wrong.length;
  }

  /**
   * The cost of a permitted move with a label (NONE for none), undefined if it was not found within the limit.
   * @param c the configuration
   * @param move the transition
   * @param label the label of the arc
   */
  cost(c: Configuration, move: Move, label: number): number | undefined {
    const { system, oracle, after } = this;
    const dependent = system.dependent(c, move);
    if (dependent === NONE || !this.isWrong(dependent, system.head(c, move), label)) {
      this.setFree(this.wronglyLabelled(c));
      const cost = oracle.cost(c, move);
      this.exact = oracle.exact;
      return cost;
    }
    const before = this.loss(c);
    const isExact = this.exact;
    after.copyFrom(c);
    system.apply(after, move, label);
    const loss = this.loss(after);
    this.exact &&= isExact;
    return before === undefined || loss === undefined ? undefined : loss - before;
  }

  /** Words that have their gold head, where it counts, with another label. */
  private wronglyLabelled(c: Configuration): number[] {
    const words: number[] = [];
    for (let d = 1; d <= c.length; d++) if (this.isWrong(d, c.heads[d]!, c.labels[d]!)) words.push(d);
    return words;
  }

  /** Is the arc gold and its label not? Arcs of words that are left out count nowhere. */
  private isWrong(dependent: number, head: number, label: number): boolean {
    const { heads, labels, leftOut } = this.gold;
    if (label === NONE || label === labels![dependent]) return false;
    if (head !== heads[dependent] || head < (this.system.root === "none" ? 1 : 0)) return false;
    return !leftOut || (leftOut[dependent] === 0 && leftOut[head] === 0);
  }

  private setFree(words: readonly number[]): void {
    if (words.length === this.free.length && words.every((word, i) => word === this.free[i])) return;
    this.oracle.bind(this.gold.without(words));
    this.free = words;
  }
}
