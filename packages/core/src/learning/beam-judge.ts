import type { Classes } from "../scoring/classes.js";
import { ANY_CLASS, type Judge, WRONG } from "../search/beam/beam-search.js";
import { type Configuration, NONE } from "../systems/configuration.js";
import type { OracleName } from "../systems/oracles/oracle.js";
import type { TransitionSystem } from "../systems/system.js";
import { isArc, type Move } from "../systems/transition.js";
import { GoldMoves } from "./gold-moves.js";

/**
 * Says which hypotheses of a beam are correct. Static: those on the canonical way to the gold tree. Otherwise those
 * that have lost nothing, or no more than must be lost because the system cannot build the tree: a continuation of a
 * correct hypothesis is correct if its move is optimal and its label right, so that oracles are asked about correct
 * hypotheses only.
 */
export class BeamJudge implements Judge {
  verdicts: Int32Array = new Int32Array(64);
  private readonly moves: GoldMoves;

  constructor(
    private readonly system: TransitionSystem,
    private readonly classes: Classes,
    oracle: OracleName,
    readonly margin: number,
  ) {
    this.moves = new GoldMoves(system, oracle);
  }

  bind(heads: ArrayLike<number>, labels: Int32Array, leftOut?: ArrayLike<number>): void {
    this.moves.bind(heads, labels, leftOut);
  }

  judge(c: Configuration, moves: readonly Move[], count: number): void {
    if (count > this.verdicts.length) this.verdicts = new Int32Array(2 * count);
    const { verdicts } = this;
    this.moves.consider(c);
    for (let m = 0; m < count; m++) {
      const move = moves[m]!;
      // A correct move whose arc is wrong may have any label.
      if (!this.moves.isCorrect(c, move)) verdicts[m] = WRONG;
      else verdicts[m] = isArc(move) ? Math.max(ANY_CLASS, this.rightClass(c, move)) : ANY_CLASS;
    }
  }

  /** How many arcs and labels a hypothesis has lost; without a dynamic oracle those that it has built wrong. */
  loss(c: Configuration): number {
    const { gold, dynamic } = this.moves;
    const { heads, labels, length } = gold;
    let lost = dynamic?.loss(c) ?? 0;
    for (let d = 1; d <= length; d++) {
      if (c.heads[d] === NONE || heads[d] === NONE) continue;
      if (c.heads[d] === heads[d] ? labels![d]! >= 0 && c.labels[d] !== labels![d] : !dynamic) lost++;
    }
    return lost;
  }

  rightClass(c: Configuration, move: Move): number {
    const { gold } = this.moves;
    if (gold.heads[this.system.dependent(c, move)] === NONE) return ANY_CLASS;
    if (!this.moves.buildsGoldArc(c, move)) return WRONG;
    return this.classes.classOf(this.classes.groupOf(move), this.moves.label(c, move));
  }
}
