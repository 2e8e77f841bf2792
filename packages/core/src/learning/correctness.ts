import type { Classes } from "../scoring/classes.js";
import type { Decider } from "../search/decider.js";
import { type Configuration, NONE } from "../systems/configuration.js";
import type { OracleName } from "../systems/oracles/oracle.js";
import type { TransitionSystem } from "../systems/system.js";
import { GoldMoves } from "./gold-moves.js";

/**
 * Does a word of the tree have no head? Then any head is good for it, and what is correct is what keeps the others
 * within reach. Only dynamic oracles know that: with others it is an error.
 */
export function isPartial(heads: ArrayLike<number>, oracle: OracleName): boolean {
  let word = 1;
  while (word < heads.length && heads[word] !== NONE) word++;
  if (word >= heads.length) return false;
  if (oracle === "dynamic") return true;
  throw new RangeError(
    `invalid tree for ${oracle} training: word ${word} has no head (expected one, or dynamic training)`,
  );
}

/**
 * For greedy training: which of the moves that a decider has scored are correct, and which of these is best. Moves are
 * given by their index in the decider.
 */
export class Correctness {
  private readonly moves: GoldMoves;

  constructor(
    system: TransitionSystem,
    private readonly classes: Classes,
    private readonly decider: Decider,
    oracle: OracleName,
  ) {
    this.moves = new GoldMoves(system, oracle);
  }

  bind(heads: ArrayLike<number>, labels: Int32Array, leftOut?: ArrayLike<number>): void {
    this.moves.bind(heads, labels, leftOut);
  }

  /** Dynamic: the number of gold arcs that are lost. */
  loss(c: Configuration): number {
    return this.moves.dynamic!.loss(c);
  }

  /**
   * The best-scoring correct move; the prediction itself if it is one. Comes before `isCorrect` in every configuration.
   */
  best(c: Configuration, predicted: number): number {
    const { moves, count } = this.decider;
    const { dynamic } = this.moves;
    this.moves.consider(c);
    // The predicted move first: in most configurations that settles it.
    const isSure = this.moves.isCorrect(c, moves[predicted]!);
    if (dynamic && isSure && this.labelFits(c, predicted)) return predicted;
    let best = -1;
    let score = 0;
    for (let i = 0; i < count; i++) {
      if (i === predicted ? !isSure : !this.moves.isCorrect(c, moves[i]!)) continue;
      const s = this.score(c, i);
      if (best < 0 || s > score) {
        best = i;
        score = s;
      }
    }
    return best >= 0 || !dynamic ? best : moves.indexOf(dynamic.optimal(c));
  }

  isCorrect(c: Configuration, index: number): boolean {
    return this.moves.isCorrect(c, this.decider.moves[index]!);
  }

  /** The label that a correct move must have; NONE if any will do, or if it builds no arc. */
  label(c: Configuration, index: number): number {
    return this.moves.label(c, this.decider.moves[index]!);
  }

  /** The cost of a class of a permitted move: by the oracle, and 1 for a wrong label of a gold arc. */
  cost(c: Configuration, index: number, cls: number): number {
    const { dynamic } = this.moves;
    const lost = dynamic
      ? dynamic.cost(c, this.decider.moves[index]!)
      : Number(!this.moves.isCorrect(c, this.decider.moves[index]!));
    const label = this.label(c, index);
    return lost + (label >= 0 && this.classes.labels[cls] !== label ? 1 : 0);
  }

  /** Whether the best class of a correct move has a correct label. */
  labelFits(c: Configuration, index: number): boolean {
    const label = this.label(c, index);
    return label < 0 || this.classes.labels[this.decider.bestClass[index]!] === label;
  }

  /** The best-scoring correct class of a correct move. */
  classOf(c: Configuration, index: number): number {
    const label = this.label(c, index);
    if (label < 0) return this.decider.bestClass[index]!;
    return this.classes.classOf(this.classes.groupOf(this.decider.moves[index]!), label);
  }

  private score(c: Configuration, index: number): number {
    const { decider } = this;
    if (this.labelFits(c, index)) return decider.scoreOf(index);
    const scores = this.classes.perMove ? decider.rescore(c, index) : decider.scores;
    return scores[this.classOf(c, index)]!;
  }
}
