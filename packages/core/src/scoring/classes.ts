import type { TransitionSystem } from "../systems/system.js";
import { isArc, kindOf, LEFT_ARC, type Move } from "../systems/transition.js";

/**
 * The feature whose weight for `trust` is what a distance of 1 between scores of the tagger counts for when a parser
 * chooses a tag.
 */
export const TRUST_FEATURE = 0x7f4a7c15;

/**
 * The classes of a model: a move, with a label if it builds an arc. The classes of a move are consecutive. Where moves
 * have contexts of their own, as in LR-spines, those of a kind are one class: LEFT-ARC-k for all k.
 *
 * With joint tagging a word gets its tag when it leaves the buffer. SHIFT with a tag is SHIFT and the tag, each a
 * class: whether to shift is learnt once and not for each tag. The tags are classes of no group, behind all others, and
 * behind them is the trust in the tagger (TRUST).
 */
export class Classes {
  /** Classes from[g] … from[g + 1] - 1 belong to group g. */
  readonly from: number[] = [0];
  readonly labels: number[] = [];
  private readonly groups = new Map<Move, number>();
  private readonly byLabel: Int32Array[] = [];
  readonly perMove: boolean;
  /** The class of the first tag. */
  readonly firstTag: number;

  /**
   * `leftLabels` and `rightLabels`: the labels that arcs to the left and to the right have in the training data.
   * `tags`: how many tags joint tagging tells apart.
   */
  constructor(
    private readonly system: TransitionSystem,
    labelCount: number,
    leftLabels: readonly number[],
    rightLabels: readonly number[],
    private readonly tags = 0,
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
    this.firstTag = this.labels.length;
  }

  get size(): number {
    return this.labels.length + (this.tags > 0 ? this.tags + 1 : 0);
  }

  /** The class that has the weight of the tagger's scores; only with joint tagging. */
  get trust(): number {
    return this.labels.length + this.tags;
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
