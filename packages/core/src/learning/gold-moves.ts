import { nonDeterministicOracle, staticOracle, trainingOracle } from "../registry/oracles.js";
import { type Configuration, NONE } from "../systems/configuration.js";
import { GoldTree } from "../systems/oracles/gold-tree.js";
import type { DynamicOracle, NonDeterministicOracle, OracleName, StaticOracle } from "../systems/oracles/oracle.js";
import type { TransitionSystem } from "../systems/system.js";
import { isArc, type Move } from "../systems/transition.js";

/**
 * Which moves are correct, and with which labels: the one place where training asks an oracle. An arc with its gold
 * head is correct only with its gold label; a correct one that is not gold, or has no gold label, with any. A word
 * without a gold head teaches nothing by itself: every head is as good.
 */
export class GoldMoves {
  readonly gold = new GoldTree();
  private readonly fixed: StaticOracle | undefined;
  private readonly several: NonDeterministicOracle | undefined;
  readonly dynamic: DynamicOracle | undefined;
  /** Static and non-deterministic: the correct moves of the configuration that was considered last. */
  private readonly correct: Move[] = [];
  private count = 0;

  constructor(
    private readonly system: TransitionSystem,
    oracle: OracleName,
  ) {
    if (oracle === "dynamic") {
      this.dynamic = trainingOracle(system);
      if (!this.dynamic) throw new RangeError(`${system.name} has no dynamic oracle with these settings (use static)`);
    } else if (oracle === "non-deterministic") {
      this.several = nonDeterministicOracle(system);
      if (!this.several) throw new RangeError(`${system.name} has no non-deterministic oracle`);
    } else this.fixed = staticOracle(system);
  }

  bind(heads: ArrayLike<number>, labels: Int32Array, leftOut?: ArrayLike<number>): void {
    this.gold.bind(heads, labels, leftOut);
    (this.dynamic ?? this.several ?? this.fixed)!.bind(this.gold);
  }

  /** Comes before `isCorrect` in every configuration. */
  consider(c: Configuration): void {
    if (this.several) this.count = this.several.correct(c, this.correct);
    else if (this.fixed) {
      this.correct[0] = this.fixed.next(c);
      this.count = 1;
    }
  }

  isCorrect(c: Configuration, move: Move): boolean {
    if (this.dynamic) return this.dynamic.leadsOn?.(c, move) ?? this.dynamic.isOptimal(c, move);
    for (let i = 0; i < this.count; i++) if (this.correct[i] === move) return true;
    return false;
  }

  /** Is the arc that a move builds in the gold tree? */
  buildsGoldArc(c: Configuration, move: Move): boolean {
    return this.gold.has(this.system.head(c, move), this.system.dependent(c, move));
  }

  /** The label that a correct move must have; NONE if any will do, or if it builds no arc. */
  label(c: Configuration, move: Move): number {
    if (!isArc(move) || !this.buildsGoldArc(c, move)) return NONE;
    return this.gold.labels![this.system.dependent(c, move)]!;
  }
}
