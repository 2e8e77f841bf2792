// Arc-standard (Nivre 2004).  c = (σ, β, A)
//   SHIFT        (σ, b|β, A)     ⇒ (σ|b, β, A)
//   LEFT-ARC_l   (σ|t|s, β, A)   ⇒ (σ|s, β, A ∪ {s →l t})    t ≠ 0
//   RIGHT-ARC_l  (σ|t|s, β, A)   ⇒ (σ|t, β, A ∪ {t →l s})    s ≠ 0
// Terminal: buffer empty and one node on the stack. Strictly bottom-up. Builds the projective trees.
//
// Attardi's system and swap are this one with more transitions; they extend it.

import { type Configuration, NONE } from "./configuration.js";
import { BottomUpKnownHeads } from "./known-heads/bottom-up-known-heads.js";
import { ArcStandardLoss } from "./losses/arc-standard-loss.js";
import { isComplete } from "./losses/bottom-up.js";
import { BottomUpOracle } from "./oracles/bottom-up-oracle.js";
import { GoldBound } from "./oracles/gold-bound.js";
import { conflictsToGiveUp, EXACT_WORDS, stillInBuffer } from "./oracles/gold-tree.js";
import type { NonDeterministicOracle, OracleMakers, StaticOracle } from "./oracles/oracle.js";
import { type ArcsAtRisk, FixedMovesSystem, type SystemDescription, type TransitionSystem } from "./system.js";
import { kindOf, LEFT_ARC, type Move, RIGHT_ARC, reachOf, SHIFT } from "./transition.js";

export const arcStandard: SystemDescription = {
  name: "arc-standard",
  title: "Arc-standard",
  reference: "Nivre 2004",
  settings: [],
  create: (options) => new ArcStandard(options),
  attachesToSpines: false,
  reordersWords: false,
  leavesHeadless: false,
  changesByMethods: true,
  leftArcFrom: "top",
  risks: loseDependentsOfAttached,
  knownHeads: (system: ArcStandard) => new BottomUpKnownHeads(system),
};

/** Bottom-up systems: a word that is attached leaves the stack and gets no more dependents. */
export function loseDependentsOfAttached(
  system: TransitionSystem,
  c: Configuration,
  move: Move,
  arcs: ArcsAtRisk,
): void {
  const dependent = system.dependent(c, move);
  if (dependent > 0) arcs.loseDependents(dependent);
}

export class ArcStandard extends FixedMovesSystem {
  readonly description: SystemDescription = arcStandard;
  /** How many nodes below the top an arc can reach. */
  readonly degree: number = 1;
  readonly moves: readonly Move[] = [LEFT_ARC, RIGHT_ARC, SHIFT];

  isTerminal(c: Configuration): boolean {
    return c.bufferSize === 0 && c.stackSize <= 1;
  }

  // With one root, 0 may take only the last word that is left: it waits until everything else hangs together.
  permits(c: Configuration, move: Move): boolean {
    const k = reachOf(move);
    switch (kindOf(move)) {
      case SHIFT:
        return c.bufferSize > 0 && !(this.singleRoot && c.b(0) === 0 && c.stackSize > 1);
      case LEFT_ARC:
        return c.stackSize > k && c.s(k) !== 0;
      case RIGHT_ARC:
        if (c.stackSize <= k || c.s(0) === 0) return false;
        return !(this.singleRoot && c.s(k) === 0) || (c.stackSize === 2 && c.bufferSize === 0);
      default:
        return false;
    }
  }

  apply(c: Configuration, move: Move, label = NONE): void {
    const k = reachOf(move);
    switch (kindOf(move)) {
      case SHIFT:
        c.shift();
        break;
      case LEFT_ARC:
        c.addArc(c.s(0), c.s(k), label);
        c.remove(k);
        break;
      case RIGHT_ARC:
        c.addArc(c.s(k), c.s(0), label);
        c.remove(0);
        break;
    }
  }

  head(c: Configuration, move: Move): number {
    const kind = kindOf(move);
    return kind === LEFT_ARC ? c.s(0) : kind === RIGHT_ARC ? c.s(reachOf(move)) : NONE;
  }

  dependent(c: Configuration, move: Move): number {
    const kind = kindOf(move);
    return kind === LEFT_ARC ? c.s(reachOf(move)) : kind === RIGHT_ARC ? c.s(0) : NONE;
  }
}

/** The oracles of arc-standard; Attardi and swap have others of their own. */
export const arcStandardOracles: OracleMakers<ArcStandard> = {
  static: (system) => new CanonicalOracle(system),
  nonDeterministic: (system) => new ArcStandardNonDeterministicOracle(system),
  dynamic: (system, exactWords = EXACT_WORDS) =>
    new BottomUpOracle(system, new ArcStandardLoss(), conflictsToGiveUp(system.root), exactWords),
};

/**
 * Static oracle (thesis tables 5.1 and 5.3): an arc of the gold tree as soon as its dependent is complete, the nearest
 * first, else SHIFT. O(dependents of the nodes within reach) a step.
 */
export class CanonicalOracle extends GoldBound<ArcStandard> implements StaticOracle {
  next(c: Configuration): Move {
    const { gold, system } = this;
    const { moves } = system;
    for (let i = 0; i < moves.length - 1; i++) {
      const move = moves[i]!;
      if (reachOf(move) >= c.stackSize) break;
      const dependent = system.dependent(c, move);
      if (gold.has(system.head(c, move), dependent) && isComplete(c, gold, dependent) && system.permits(c, move))
        return move;
    }
    return system.permits(c, SHIFT) ? SHIFT : NONE;
  }
}

/** Non-deterministic oracle (thesis table 5.4, lemma 5.4), O(1) but for the test whether a node is complete. */
class ArcStandardNonDeterministicOracle extends GoldBound<ArcStandard> implements NonDeterministicOracle {
  correct(c: Configuration, out: Move[]): number {
    const { gold, system } = this;
    const s = c.s(0);
    const t = c.s(1);
    let count = 0;
    const left = t > 0 && gold.has(s, t);
    const right = t !== NONE && gold.has(t, s);
    if (left && isComplete(c, gold, t) && system.permits(c, LEFT_ARC)) out[count++] = LEFT_ARC;
    if (right && isComplete(c, gold, s) && system.permits(c, RIGHT_ARC)) out[count++] = RIGHT_ARC;
    if (system.permits(c, SHIFT) && (!(left || right) || stillInBuffer(c, gold, s) > 0)) out[count++] = SHIFT;
    return count;
  }
}
