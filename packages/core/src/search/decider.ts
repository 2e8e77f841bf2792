import type { Words } from "../features/columns.js";
import type { Classes } from "../scoring/classes.js";
import type { ConfigurationScorer } from "../scoring/scorer.js";
import { type Configuration, NONE } from "../systems/configuration.js";
import type { TransitionSystem } from "../systems/system.js";
import { isArc, type Move } from "../systems/transition.js";
import type { Constraints } from "./constraints/tree-constraints.js";

/** Scores the moves of a configuration, and finds the best class of each group. */
export class Decider {
  /** Scores of the classes; in LR-spines those of the move scored last. */
  readonly scores: Int32Array;
  /** The permitted moves, and the best class and its score for each. */
  readonly moves: Move[] = [];
  bestClass: Int32Array;
  count = 0;
  /** The constraints on the tree of the sentence. */
  constraints: Constraints | undefined;
  private bestScore: Int32Array;

  constructor(
    readonly system: TransitionSystem,
    readonly classes: Classes,
    readonly scorer: ConfigurationScorer,
  ) {
    this.scores = scorer.scores;
    this.bestClass = new Int32Array(64);
    this.bestScore = new Int32Array(64);
  }

  bind(words: Words): void {
    this.scorer.bind(words);
  }

  /** The permitted moves of a configuration, in `moves`, and how many there are. */
  permitted(c: Configuration): number {
    this.count = this.system.permitted(c, this.moves);
    if (this.constraints) this.count = this.constraints.filter(c, this.moves, this.count);
    return this.count;
  }

  /** The only class that constraints leave to a permitted move, NONE if they leave several. */
  required(c: Configuration, move: Move): number {
    if (!this.constraints || !isArc(move)) return NONE;
    const label = this.constraints.labelOf(this.system.dependent(c, move));
    return label < 0 ? NONE : this.classes.classOf(this.classes.groupOf(move), label);
  }

  /** Score all permitted moves, and return the index in `moves` of the best. */
  decide(c: Configuration): number {
    const { classes, moves, scores } = this;
    const count = this.permitted(c);
    // LR-spines has as many moves as its spines have nodes.
    if (count > this.bestClass.length) {
      this.bestClass = new Int32Array(2 * count);
      this.bestScore = new Int32Array(2 * count);
    }
    const { bestClass, bestScore } = this;
    if (!classes.perMove) this.scorer.score(c, 0);
    let best = 0;
    for (let i = 0; i < count; i++) {
      if (classes.perMove) this.scorer.score(c, moves[i]!);
      const group = classes.groupOf(moves[i]!);
      const only = this.constraints ? this.required(c, moves[i]!) : NONE;
      const last = only >= 0 ? only : classes.from[group + 1]!;
      let top = only >= 0 ? only : classes.from[group]!;
      let score = scores[top]!;
      for (let k = top + 1; k < last; k++) {
        if (scores[k]! > score) {
          score = scores[k]!;
          top = k;
        }
      }
      bestClass[i] = top;
      bestScore[i] = score;
      if (score > bestScore[best]! && i > 0) best = i;
    }
    return best;
  }

  /** The scores of the classes for one move again (LR-spines, where every move has its own features). */
  rescore(c: Configuration, index: number): Int32Array {
    this.scorer.score(c, this.moves[index]!);
    return this.scores;
  }

  /** The score of the best class of a permitted move. */
  scoreOf(index: number): number {
    return this.bestScore[index]!;
  }
}
