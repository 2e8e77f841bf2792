import type { Classes } from "../scoring/classes.js";
import { ANY_CLASS, type Judge, WRONG } from "../search/beam/beam-search.js";
import { type Configuration, NONE } from "../systems/configuration.js";
import { GoldTree } from "../systems/oracles/gold-tree.js";
import type { DynamicOracle, NonDeterministicOracle, StaticOracle } from "../systems/oracles/oracle.js";
import { dynamicOracle, nonDeterministicOracle, staticOracle } from "../systems/oracles/oracles.js";
import type { TransitionSystem } from "../systems/system.js";
import { isArc, type Move } from "../systems/transition.js";
import type { Regime } from "./correctness.js";

/**
 * Says which hypotheses of a beam are correct. Static: those on the canonical way to the gold tree. Otherwise those that have lost nothing, or no more than
 * must be lost because the system cannot build the tree: a continuation of a correct hypothesis is correct if its move is optimal and its label right, so
 * that oracles are asked about correct hypotheses only.
 */
export class GoldJudge implements Judge {
  verdicts = new Int32Array(64);
  readonly gold = new GoldTree();
  private readonly fixed: StaticOracle | undefined;
  private readonly several: NonDeterministicOracle | undefined;
  readonly dynamic: DynamicOracle | undefined;
  private readonly correct: Move[] = [];

  constructor(
    private readonly system: TransitionSystem,
    private readonly classes: Classes,
    regime: Regime,
    readonly margin: number,
  ) {
    if (regime === "dynamic") {
      this.dynamic = dynamicOracle(system);
      if (!this.dynamic) throw new RangeError(`${system.name} has no dynamic oracle (use static)`);
    } else if (regime === "non-deterministic") {
      this.several = nonDeterministicOracle(system);
      if (!this.several) throw new RangeError(`${system.name} has no non-deterministic oracle`);
    } else this.fixed = staticOracle(system);
  }

  bind(heads: Int32Array, labels: Int32Array): void {
    this.gold.bind(heads, labels);
    (this.dynamic ?? this.several ?? this.fixed)!.bind(this.gold);
  }

  judge(c: Configuration, moves: readonly Move[], count: number): void {
    if (count > this.verdicts.length) this.verdicts = new Int32Array(2 * count);
    const { verdicts, correct } = this;
    let found = 0;
    if (this.fixed) correct[found++] = this.fixed.next(c);
    else if (this.several) found = this.several.correct(c, correct);
    for (let m = 0; m < count; m++) {
      const move = moves[m]!;
      let right = false;
      if (this.dynamic) right = this.dynamic.isOptimal(c, move);
      else for (let i = 0; i < found; i++) if (correct[i] === move) right = true;
      // A correct move whose arc is wrong may have any label.
      verdicts[m] = !right ? WRONG : isArc(move) ? Math.max(ANY_CLASS, this.rightClass(c, move)) : ANY_CLASS;
    }
  }

  /** How many arcs and labels a hypothesis has lost; without a dynamic oracle those that it has built wrong. */
  loss(c: Configuration): number {
    const { heads, labels, length } = this.gold;
    let lost = this.dynamic?.loss(c) ?? 0;
    for (let d = 1; d <= length; d++) {
      if (c.heads[d] === NONE || heads[d] === NONE) continue;
      if (c.heads[d] === heads[d] ? labels![d]! >= 0 && c.labels[d] !== labels![d] : !this.dynamic) lost++;
    }
    return lost;
  }

  rightClass(c: Configuration, move: Move): number {
    const { system, classes, gold } = this;
    const dependent = system.dependent(c, move);
    if (gold.heads[dependent] === NONE) return ANY_CLASS;
    if (!gold.has(system.head(c, move), dependent)) return WRONG;
    return classes.classOf(classes.groupOf(move), gold.labels![dependent]!);
  }
}
