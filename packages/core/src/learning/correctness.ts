import type { Classes } from "../scoring/classes.js";
import type { Decider } from "../search/decider.js";
import { type Configuration, NONE } from "../systems/configuration.js";
import { GoldTree } from "../systems/oracles/gold-tree.js";
import type { DynamicOracle, NonDeterministicOracle, StaticOracle } from "../systems/oracles/oracle.js";
import { dynamicOracle, nonDeterministicOracle, staticOracle } from "../systems/oracles/oracles.js";
import type { TransitionSystem } from "../systems/system.js";
import { isArc, type Move } from "../systems/transition.js";

export const REGIMES = ["static", "non-deterministic", "dynamic"] as const;
export type Regime = (typeof REGIMES)[number];

/**
 * Does a word of the tree have no head? Then any head is good for it, and what is correct is what keeps the others within reach. Only dynamic oracles
 * know that: in other regimes it is an error.
 */
export function isPartial(heads: Int32Array, regime: Regime): boolean {
  const word = heads.indexOf(NONE, 1);
  if (word < 0) return false;
  if (regime === "dynamic") return true;
  throw new RangeError(
    `invalid tree for ${regime} training: word ${word} has no head (expected one, or dynamic training)`,
  );
}

/**
 * Which of the moves that a decider has scored are correct in a regime. Moves are given by their index in the decider. An arc with its
 * gold head is correct only with its gold label; a correct one that is not gold, or has no gold label, with any. A word without a gold head teaches
 * nothing by itself: every head is as good.
 */
export class Correctness {
  private readonly gold = new GoldTree();
  private readonly fixed: StaticOracle;
  private readonly several: NonDeterministicOracle | undefined;
  private readonly dynamic: DynamicOracle | undefined;
  private readonly correct: Move[] = [];
  private correctCount = 0;

  constructor(
    private readonly system: TransitionSystem,
    private readonly classes: Classes,
    private readonly decider: Decider,
    regime: Regime,
  ) {
    this.fixed = staticOracle(system);
    this.several = regime === "non-deterministic" ? nonDeterministicOracle(system) : undefined;
    this.dynamic = regime === "dynamic" ? dynamicOracle(system) : undefined;
    if (regime === "non-deterministic" && !this.several)
      throw new RangeError(`${system.name} has no non-deterministic oracle`);
    if (regime === "dynamic" && !this.dynamic)
      throw new RangeError(`${system.name} has no dynamic oracle (use static)`);
  }

  bind(heads: Int32Array, labels: Int32Array): void {
    this.gold.bind(heads, labels);
    (this.dynamic ?? this.several ?? this.fixed).bind(this.gold);
  }

  /** Dynamic: the number of gold arcs that are lost. */
  loss(c: Configuration): number {
    return this.dynamic!.loss(c);
  }

  /** The best-scoring correct move; the prediction itself if it is one. Comes before `isCorrect` in every configuration. */
  best(c: Configuration, predicted: number): number {
    const { moves, count } = this.decider;
    if (this.dynamic) {
      // The predicted move first: in most configurations that settles it.
      const sure = this.dynamic.isOptimal(c, moves[predicted]!);
      if (sure && this.labelFits(c, predicted)) return predicted;
      let best = -1;
      let score = 0;
      for (let i = 0; i < count; i++) {
        if (i === predicted ? !sure : !this.dynamic.isOptimal(c, moves[i]!)) continue;
        const s = this.score(c, i);
        if (best < 0 || s > score) {
          best = i;
          score = s;
        }
      }
      return best >= 0 ? best : moves.indexOf(this.dynamic.optimal(c));
    }
    if (this.several) {
      this.correctCount = this.several.correct(c, this.correct);
      let best = -1;
      let score = 0;
      for (let j = 0; j < this.correctCount; j++) {
        const i = moves.indexOf(this.correct[j]!);
        const s = this.score(c, i);
        if (best < 0 || s > score) {
          best = i;
          score = s;
        }
      }
      return best;
    }
    this.correct[0] = this.fixed.next(c);
    this.correctCount = 1;
    return moves.indexOf(this.correct[0]);
  }

  isCorrect(c: Configuration, index: number): boolean {
    const move = this.decider.moves[index]!;
    if (this.dynamic) return this.dynamic.isOptimal(c, move);
    for (let j = 0; j < this.correctCount; j++) if (this.correct[j] === move) return true;
    return false;
  }

  /** The label that a correct move must have; -1 if any will do, or if it builds no arc. */
  label(c: Configuration, index: number): number {
    const move = this.decider.moves[index]!;
    if (!isArc(move)) return -1;
    const dependent = this.system.dependent(c, move);
    return this.gold.has(this.system.head(c, move), dependent) ? this.gold.labels![dependent]! : -1;
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
