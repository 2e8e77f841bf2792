// Attardi's system (Attardi 2006; degree 2 as in Cohen, Gómez-Rodríguez & Satta 2011).  c = (σ, β, A)
//   SHIFT          (σ, b|β, A)          ⇒ (σ|b, β, A)
//   LEFT-ARC_l     (σ|t|s, β, A)        ⇒ (σ|s, β, A ∪ {s →l t})        t ≠ 0
//   RIGHT-ARC_l    (σ|t|s, β, A)        ⇒ (σ|t, β, A ∪ {t →l s})        s ≠ 0
//   LEFT-ARC-2_l   (σ|u|t|s, β, A)      ⇒ (σ|t|s, β, A ∪ {s →l u})      u ≠ 0
//   RIGHT-ARC-2_l  (σ|u|t|s, β, A)      ⇒ (σ|u|t, β, A ∪ {u →l s})      s ≠ 0
// and with degree 3 the same with the fourth node of the stack: LEFT-ARC-3, RIGHT-ARC-3; and so on.
// Terminal: buffer empty and one node on the stack. Builds the projective trees and many others.

import { ArcStandard, CanonicalOracle, loseDependentsOfAttached } from "./arc-standard.js";
import { type Configuration, NONE } from "./configuration.js";
import { BottomUpKnownHeads } from "./known-heads/bottom-up-known-heads.js";
import { AttardiSearch } from "./losses/attardi/attardi-search.js";
import { BottomUpLoss, isComplete } from "./losses/bottom-up.js";
import { BottomUpOracle } from "./oracles/bottom-up-oracle.js";
import { EXACT_WORDS, type GoldTree } from "./oracles/gold-tree.js";
import type { NonDeterministicOracle, OracleMakers } from "./oracles/oracle.js";
import type { SystemOptions, SystemSetting } from "./settings.js";
import type { SystemDescription } from "./system.js";
import { leftArc, type Move, reachOf, rightArc, SHIFT } from "./transition.js";

const DEGREE: SystemSetting = {
  name: "degree",
  title: "Degree",
  help: "how far arcs reach",
  values: [2, 3],
  // Sentences that need more are hardly found: arcs that reach over 30 nodes of the stack.
  upTo: 32,
  changes: "trees",
};

export const attardi: SystemDescription = {
  name: "attardi",
  title: "Attardi",
  reference: "Attardi 2006",
  settings: [DEGREE],
  create: (options) => new Attardi(options),
  attachesToSpines: false,
  reordersWords: false,
  leavesHeadless: false,
  changesByMethods: true,
  risks: loseDependentsOfAttached,
  knownHeads: (system: Attardi) => new BottomUpKnownHeads(system),
};

export class Attardi extends ArcStandard {
  override readonly description: SystemDescription = attardi;
  override readonly degree: number;
  override readonly moves: readonly Move[];

  constructor(options: SystemOptions = {}) {
    super(options);
    this.degree = Number(options.degree ?? DEGREE.values[0]);
    this.moves = [...arcsUpTo(this.degree), SHIFT];
  }
}

/** The arcs between the top of the stack and the nodes below it that are within reach, the nearest first. */
export function arcsUpTo(degree: number): Move[] {
  const arcs: Move[] = [];
  for (let k = 1; k <= degree; k++) arcs.push(leftArc(k), rightArc(k));
  return arcs;
}

/** The oracles of Attardi's system; the static one is that of arc-standard. */
export const attardiOracles: OracleMakers<Attardi> = {
  static: (system) => new CanonicalOracle(system),
  nonDeterministic: (system) => new AttardiNonDeterministicOracle(system),
  dynamic: (system, exactWords = EXACT_WORDS) =>
    new BottomUpOracle(system, new AttardiSearch(system.degree), (gold) => outOfReach(gold, system.degree), exactWords),
};

/**
 * Non-deterministic oracle (thesis table 5.6): SHIFT is correct if the gold tree can still be reached after it. O(n) a
 * step.
 */
class AttardiNonDeterministicOracle implements NonDeterministicOracle {
  private gold!: GoldTree;
  private readonly ahead: BottomUpLoss;

  constructor(private readonly system: Attardi) {
    this.ahead = new BottomUpLoss(system.degree, system.root, system.singleRoot);
  }

  bind(gold: GoldTree): void {
    this.gold = gold;
    this.ahead.bind(gold);
  }

  correct(c: Configuration, out: Move[]): number {
    const { gold, system } = this;
    const { moves } = system;
    let count = 0;
    for (let i = 0; i < moves.length - 1; i++) {
      const move = moves[i]!;
      if (reachOf(move) >= c.stackSize) break;
      const dependent = system.dependent(c, move);
      if (!gold.has(system.head(c, move), dependent) || !isComplete(c, gold, dependent)) continue;
      if (system.permits(c, move)) out[count++] = move;
    }
    if (system.permits(c, SHIFT) && this.ahead.reaches(c, NONE, true)) out[count++] = SHIFT;
    return count;
  }
}

/**
 * Words whose arcs keep the rest of the tree from being built: a single one if one is enough, which it mostly is.
 * O(n²).
 */
function outOfReach(gold: GoldTree, degree: number): readonly number[] {
  const given = givenUpWhenStuck(gold, degree);
  if (given.length < 2) return given;
  for (let d = 1; d <= gold.length; d++) {
    if (givenUpWhenStuck(gold.without([d]), degree).length === 0) return [d];
  }
  return given;
}

/** The static oracle, giving up the cheapest node within reach when it is stuck. */
function givenUpWhenStuck(gold: GoldTree, degree: number): number[] {
  const { heads, length } = gold;
  const given: number[] = [];
  const waiting = new Int32Array(length + 1);
  for (let d = 1; d <= length; d++) if (heads[d]! >= 0) waiting[heads[d]!]!++;
  const idle = new Uint8Array(length + 1);
  for (let d = 1; d <= length; d++) if (heads[d]! < 0) idle[d] = 1;
  const stack: number[] = [0];
  const detach = (at: number) => {
    const node = stack[at]!;
    if (!idle[node]) waiting[heads[node]!]!--;
    stack.splice(at, 1);
  };
  let next = 1;
  for (;;) {
    again: while (stack.length > 1) {
      const top = stack.length - 1;
      for (let k = 1; k <= degree && k <= top; k++) {
        const s = stack[top]!;
        const t = stack[top - k]!;
        if (waiting[s] === 0 && (idle[s] || heads[s] === t)) {
          detach(top);
          continue again;
        }
        if (t > 0 && waiting[t] === 0 && (idle[t] || heads[t] === s)) {
          detach(top - k);
          continue again;
        }
      }
      break;
    }
    if (next <= length) {
      stack.push(next++);
      continue;
    }
    if (stack.length <= 1) return given;
    // Stuck: take the node near the top that costs least out of the way, with the dependents that it still waits for.
    let cheapest = NONE;
    for (let at = stack.length - 1; at >= Math.max(1, stack.length - 1 - degree); at--) {
      if (cheapest === NONE || waiting[stack[at]!]! < waiting[stack[cheapest]!]!) cheapest = at;
    }
    const node = stack[cheapest]!;
    if (!idle[node]) {
      given.push(node);
      waiting[heads[node]!]!--;
      idle[node] = 1;
    }
    for (const d of stack) {
      if (d === node || idle[d] || heads[d] !== node) continue;
      given.push(d);
      idle[d] = 1;
      waiting[node]!--;
    }
  }
}
