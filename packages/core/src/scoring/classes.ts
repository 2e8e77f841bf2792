import type { TransitionSystem } from "../systems/system.js";
import { isArc, kindOf, LEFT_ARC, type Move } from "../systems/transition.js";

/**
 * The classes of a model: a move, with a label if it builds an arc. The classes of a move are consecutive. Where moves
 * have contexts of their own, as in LR-spines, those of a kind are one class: LEFT-ARC-k for all k. Subclasses may have
 * classes of no group behind all others.
 */
export class Classes {
  /** Classes from[g] … from[g + 1] - 1 belong to group g. */
  readonly from: number[] = [0];
  readonly labels: number[] = [];
  private readonly groups = new Map<Move, number>();
  private readonly byLabel: Int32Array[] = [];
  readonly perMove: boolean;

  /**
   * `leftLabels` and `rightLabels`: the labels that arcs to the left and to the right have in the training data.
   */
  constructor(
    private readonly system: TransitionSystem,
    labelCount: number,
    leftLabels: readonly number[],
    rightLabels: readonly number[],
  ) {
    const { context } = system.description;
    this.perMove = context !== undefined && !context.sharedByMoves;
    system.moves.forEach((move, g) => {
      this.groups.set(move, g);
      const sided = kindOf(move) === LEFT_ARC ? leftLabels : rightLabels;
      // A direction that never occurs in the training data still needs a label.
      const labels = !isArc(move) ? [-1] : sided.length > 0 ? sided : [0];
      const byLabel = new Int32Array(labelCount + 1).fill(-1);
      for (const label of labels) {
        byLabel[label + 1] = this.labels.length;
        this.labels.push(label);
      }
      this.byLabel.push(byLabel);
      this.from.push(this.labels.length);
    });
  }

  get size(): number {
    return this.labels.length;
  }

  /** The group of a move. */
  groupOf(move: Move): number {
    return this.groups.get(this.perMove ? kindOf(move) : this.system.classOf(move))!;
  }

  /** The class of a move with a label (-1 for moves that build no arc), -1 if there is none. */
  classOf(group: number, label: number): number {
    return this.byLabel[group]![label + 1]!;
  }
}
