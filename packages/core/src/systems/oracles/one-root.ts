import { Configuration } from "../configuration.js";
import type { TransitionSystem } from "../system.js";
import type { Move } from "../transition.js";
import type { GoldTree } from "./gold-tree.js";
import type { DynamicOracle } from "./oracle.js";

/** Makes a dynamic oracle exact also for gold trees with several roots, when the system builds only one. */
export function withOneRoot(system: TransitionSystem, make: () => DynamicOracle): DynamicOracle {
  return system.singleRoot && system.root !== "none" ? new OneRootOracle(system, make) : make();
}

/**
 * Of the arcs out of 0 in the gold tree only one can be built. So the loss is the least over the trees that keep one of
 * them, and the others are lost in any case.
 */
class OneRootOracle implements DynamicOracle {
  private readonly usual: DynamicOracle;
  /** An oracle for each root, if there are several. */
  private choices: DynamicOracle[] = [];
  private readonly after = new Configuration();
  private choicesExact = true;
  private readonly moves: Move[] = [];

  constructor(
    private readonly system: TransitionSystem,
    private readonly make: () => DynamicOracle,
  ) {
    this.usual = make();
  }

  bind(gold: GoldTree): void {
    const roots = Array.from(gold.dependents.subarray(gold.start[0], gold.start[1]));
    if (roots.length < 2) {
      this.choices = [];
      this.usual.bind(gold);
      return;
    }
    this.choices = roots.map((kept) => {
      const oracle = this.make();
      oracle.bind(gold.without(roots.filter((root) => root !== kept)));
      return oracle;
    });
  }

  get exact(): boolean {
    return this.choices.length === 0 ? this.usual.exact : this.choicesExact;
  }

  loss(c: Configuration): number {
    if (this.choices.length === 0) return this.usual.loss(c);
    this.choicesExact = true;
    return this.leastLoss(c);
  }

  cost(c: Configuration, move: Move): number {
    if (this.choices.length === 0) return this.usual.cost(c, move);
    this.choicesExact = true;
    return this.lossAfter(c, move) - this.leastLoss(c);
  }

  isOptimal(c: Configuration, move: Move): boolean {
    return this.choices.length === 0 ? this.usual.isOptimal(c, move) : this.cost(c, move) === 0;
  }

  optimal(c: Configuration): Move {
    if (this.choices.length === 0) return this.usual.optimal(c);
    const loss = this.loss(c);
    const count = this.system.permitted(c, this.moves);
    for (let i = 0; i < count; i++) if (this.lossAfter(c, this.moves[i]!) === loss) return this.moves[i]!;
    throw new Error("no optimal move: the configuration is terminal or not one of this system");
  }

  private lossAfter(c: Configuration, move: Move): number {
    this.after.copyFrom(c);
    this.system.apply(this.after, move);
    return this.leastLoss(this.after);
  }

  /** The least loss of all choices; not exact as soon as one of them is not. */
  private leastLoss(c: Configuration): number {
    let least = Number.POSITIVE_INFINITY;
    for (const oracle of this.choices) {
      least = Math.min(least, oracle.loss(c));
      this.choicesExact &&= oracle.exact;
    }
    return least + this.choices.length - 1;
  }
}
