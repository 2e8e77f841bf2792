// LR-spines (Sartorio, Satta & Nivre 2013).  c = (σ, β, A); a stack element is a tree with its left
// spine ls and right spine rs, the paths from its root to the leftmost and to the rightmost node.
//   SHIFT          (σ, b|β, A)     ⇒ (σ|⟨b⟩, β, A)
//   LEFT-ARC-k_l   (σ|T2|T1, β, A) ⇒ (σ|T, β, A ∪ {ls1[k] →l root2})   root2 ≠ 0;  ls = ls1[1…k] ⊕ ls2, rs = rs1
//   RIGHT-ARC-k_l  (σ|T2|T1, β, A) ⇒ (σ|T, β, A ∪ {rs2[k] →l root1})   root1 ≠ 0;  ls = ls2, rs = rs2[1…k] ⊕ rs1
// Terminal: buffer empty and one tree on the stack. Arcs go to any node of a spine, so dependents can be attached
// top-down or bottom-up. Builds the projective trees.
//
// The stack holds the roots; the spines are read off the tree itself, through leftmost and rightmost dependents.

import { Configuration, IN_BUFFER, NONE } from "./configuration.js";
import { FarArcsSystem } from "./far-arcs.js";
import { LrSpinesKnownHeads } from "./known-heads/lr-spines-known-heads.js";
import { RememberedLoss } from "./losses/remembered-loss.js";
import { canStillGet, rootIsWanted, spine, wantedFromLeft, wantedFromRight } from "./losses/spines.js";
import { ProjectiveSpinesLoss, SpinesLoss } from "./losses/spines-loss.js";
import { GoldBound } from "./oracles/gold-bound.js";
import { conflictsToGiveUp, EXACT_WORDS, Goal, type GoldTree } from "./oracles/gold-tree.js";
import { withOneRoot } from "./oracles/one-root.js";
import type { DynamicOracle, NonDeterministicOracle, OracleMakers, StaticOracle } from "./oracles/oracle.js";
import type { MoveContext, SystemDescription } from "./system.js";
import { kindOf, LEFT_ARC, leftArc, type Move, RIGHT_ARC, reachOf, rightArc, SHIFT } from "./transition.js";

/** The context of a transition, and its names in templates. */
const context: MoveContext = {
  // After those of the thesis: the lowest nodes of the right spines of the two topmost trees, for SHIFT alone.
  names: ["s3", "s2", "s1", "q1", "q2", "gp", "gg", "rs1", "rs2"],
  endsOfSpines: 2,
  // The stack is counted from 1 here, and what is ahead is called q.
  rename(position) {
    const name = `${position[0] === "s" ? "s" : "q"}${Number(position.slice(1)) + 1}`;
    return context.names.includes(name) ? name : undefined;
  },
  fill: spineContext,
};

export const lrSpines: SystemDescription = {
  name: "lr-spines",
  title: "LR-spines",
  reference: "Sartorio, Satta & Nivre 2013",
  settings: [],
  create: (options) => new LrSpines(options),
  context,
  attachesToSpines: true,
  reordersWords: false,
  leavesHeadless: false,
  changesByMethods: true,
  // The nodes of spines that come to lie inside the new tree get no more dependents on that side.
  risks(system, c, move, arcs) {
    const dependent = system.dependent(c, move);
    if (dependent <= 0) return;
    const head = system.head(c, move);
    if (kindOf(move) === LEFT_ARC) {
      for (let h = c.leftmost[head]!; h !== NONE; h = c.leftmost[h]!) arcs.loseLeftDependents(h, dependent);
      for (let h = dependent; h !== NONE; h = c.rightmost[h]!) arcs.loseRightDependents(h, dependent);
    } else {
      for (let h = c.rightmost[head]!; h !== NONE; h = c.rightmost[h]!) arcs.loseRightDependents(h, dependent);
      for (let h = dependent; h !== NONE; h = c.leftmost[h]!) arcs.loseLeftDependents(h, dependent);
    }
  },
  knownHeads: (system) => new LrSpinesKnownHeads(system),
};

export class LrSpines extends FarArcsSystem {
  readonly description: SystemDescription = lrSpines;

  isTerminal(c: Configuration): boolean {
    return c.bufferSize === 0 && c.stackSize <= 1;
  }

  permits(c: Configuration, move: Move): boolean {
    switch (kindOf(move)) {
      case SHIFT:
        return c.bufferSize > 0;
      case LEFT_ARC:
        return c.stackSize > 1 && c.s(1) !== 0 && this.mayTake(this.head(c, move), c.leftmost);
      case RIGHT_ARC:
        return c.stackSize > 1 && c.s(0) !== 0 && this.mayTake(this.head(c, move), c.rightmost);
      default:
        return false;
    }
  }

  // With one root, 0 takes one word; every other word finds a place further down the spine.
  private mayTake(head: number, outermost: Int32Array): boolean {
    return head !== NONE && !(this.singleRoot && head === 0 && outermost[0] !== NONE);
  }

  permitted(c: Configuration, out: Move[]): number {
    let count = 0;
    if (c.stackSize > 1) {
      if (c.s(1) !== 0) {
        for (let h = c.s(0), k = 1; h !== NONE; h = c.leftmost[h]!, k++) {
          if (this.mayTake(h, c.leftmost)) out[count++] = leftArc(k);
        }
      }
      if (c.s(0) !== 0) {
        for (let h = c.s(1), k = 1; h !== NONE; h = c.rightmost[h]!, k++) {
          if (this.mayTake(h, c.rightmost)) out[count++] = rightArc(k);
        }
      }
    }
    if (c.bufferSize > 0) out[count++] = SHIFT;
    return count;
  }

  apply(c: Configuration, move: Move, label = NONE): void {
    switch (kindOf(move)) {
      case SHIFT:
        c.shift();
        break;
      case LEFT_ARC:
        c.addArc(this.head(c, move), c.s(1), label);
        c.remove(1);
        break;
      case RIGHT_ARC:
        c.addArc(this.head(c, move), c.s(0), label);
        c.remove(0);
        break;
    }
  }

  head(c: Configuration, move: Move): number {
    const kind = kindOf(move);
    if (kind === SHIFT) return NONE;
    const next = kind === LEFT_ARC ? c.leftmost : c.rightmost;
    let node = kind === LEFT_ARC ? c.s(0) : c.s(1);
    for (let k = reachOf(move); k > 1 && node !== NONE; k--) node = next[node]!;
    return node;
  }

  dependent(c: Configuration, move: Move): number {
    const kind = kindOf(move);
    return kind === LEFT_ARC ? c.s(1) : kind === RIGHT_ARC ? c.s(0) : NONE;
  }
}

/** The oracles of LR-spines. */
export const lrSpinesOracles: OracleMakers<LrSpines> = {
  static: (system) => new LrSpinesStaticOracle(system),
  nonDeterministic: (system) => new LrSpinesNonDeterministicOracle(system),
  dynamic: dynamicOracle,
};

function dynamicOracle(system: LrSpines, exactWords = EXACT_WORDS): DynamicOracle {
  return withOneRoot(system, () => new LrSpinesDynamicOracle(system, exactWords));
}

/** The context of a transition in LR-spines (thesis table 6.1, with gp and gg of RIGHT-ARC-k taken from rs2). */
function spineContext(c: Configuration, move: Move, out: Int32Array): void {
  const kind = kindOf(move);
  const k = reachOf(move);
  let s1 = c.s(0);
  let s2 = c.s(1);
  let s3 = c.s(2);
  let q1 = c.b(0);
  let q2 = c.b(1);
  let gp = NONE;
  let gg = NONE;
  if (kind === LEFT_ARC) {
    for (let i = 1; i < k; i++) {
      gg = gp;
      gp = s1;
      s1 = c.leftmost[s1]!;
    }
    if (k > 1) {
      q2 = k > 2 ? gg : q1;
      q1 = gp;
    }
  } else if (kind === RIGHT_ARC) {
    for (let i = 1; i < k; i++) {
      gg = gp;
      gp = s2;
      s2 = c.rightmost[s2]!;
    }
    if (k > 1) s3 = gp;
  }
  out[0] = s3;
  out[1] = s2;
  out[2] = s1;
  out[3] = q1;
  out[4] = q2;
  out[5] = gp;
  out[6] = gg;
  if (out.length > SPINE_ENDS) {
    out[SPINE_ENDS] = kind === SHIFT ? lowest(c, c.s(0)) : NONE;
    out[SPINE_ENDS + 1] = kind === SHIFT ? lowest(c, c.s(1)) : NONE;
  }
}

/** Where the ends of spines begin in the context: they take a walk, and few templates ask for them. */
const SPINE_ENDS = 7;

/** The lowest node of a right spine. */
function lowest(c: Configuration, root: number): number {
  let node = root;
  while (node >= 0 && c.rightmost[node]! >= 0) node = c.rightmost[node]!;
  return node;
}

/** The move that builds a gold arc between the two topmost trees, -1 if there is none. O(length of the spines). */
function goldArc(c: Configuration, gold: GoldTree, system: LrSpines): Move {
  if (c.stackSize < 2) return -1;
  const top = c.s(0);
  const second = c.s(1);
  if (second !== 0) {
    const k = depth(top, c.leftmost, gold.heads[second]!);
    if (k > 0 && system.permits(c, leftArc(k))) return leftArc(k);
  }
  if (top !== 0) {
    const k = depth(second, c.rightmost, gold.heads[top]!);
    if (k > 0 && system.permits(c, rightArc(k))) return rightArc(k);
  }
  return -1;
}

/** Place of a node in a spine counted from 1, 0 if it is not in it. */
function depth(root: number, next: Int32Array, wanted: number): number {
  for (let node = root, k = 1; node !== NONE; node = next[node]!, k++) if (node === wanted) return k;
  return 0;
}

/** Static oracle (thesis table 6.2): a gold arc if there is one, else SHIFT. */
class LrSpinesStaticOracle extends GoldBound<LrSpines> implements StaticOracle {
  next(c: Configuration): Move {
    const arc = goldArc(c, this.gold, this.system);
    return arc >= 0 ? arc : c.bufferSize > 0 ? SHIFT : NONE;
  }
}

/** Non-deterministic oracle (thesis table 6.3, lemma 6.7). */
class LrSpinesNonDeterministicOracle extends GoldBound<LrSpines> implements NonDeterministicOracle {
  correct(c: Configuration, out: Move[]): number {
    let count = 0;
    const arc = goldArc(c, this.gold, this.system);
    if (arc >= 0) out[count++] = arc;
    if (c.bufferSize > 0 && (arc < 0 || this.shiftIsCorrect(c))) out[count++] = SHIFT;
    return count;
  }

  // SHIFT must not bury the top tree: either its head is still to come, or dependents of its right spine are.
  private shiftIsCorrect(c: Configuration): boolean {
    const { heads, start, dependents } = this.gold;
    const top = c.s(0);
    if (heads[top]! >= 0 && c.where[heads[top]!] === IN_BUFFER) return true;
    for (let node = top; node !== NONE; node = c.rightmost[node]!) {
      const last = start[node + 1]! - 1;
      if (last >= start[node]! && c.where[dependents[last]!] === IN_BUFFER) return true;
    }
    return false;
  }
}

/**
 * Dynamic oracle (thesis 6.4.2; Goldberg, Sartorio & Satta 2014). loss(c) = gold arcs lost so far + gold arcs between
 * what is left (the trees on the stack and the buffer) that no continuation can all build. The second number comes from
 * a run of the parser (spines-run.ts) or, where the run gets stuck or the gold tree is not projective, from the best
 * tree that can still be joined (best-tree.ts). Exact for projective gold trees, and for others up to `exactWords`
 * words; from longer ones the arcs that conflict are taken out beforehand (a Goal).
 */
class LrSpinesDynamicOracle implements DynamicOracle {
  private goal!: Goal;
  private gold!: GoldTree;
  private readonly run: ProjectiveSpinesLoss;
  private readonly any: SpinesLoss;
  private readonly ahead = new RememberedLoss();
  private readonly after = new Configuration();
  private readonly moves: Move[] = [];
  /** Can the quick test be used? It takes for granted that gold arcs never stand in each other's way. */
  private simple = false;

  /** There is no limit to the search: only arcs that were given up beforehand can make a difference. */
  get exact(): boolean {
    return this.goal.exact;
  }

  constructor(
    private readonly system: LrSpines,
    private readonly exactWords: number,
  ) {
    this.run = new ProjectiveSpinesLoss(system.singleRoot);
    this.any = new SpinesLoss(system.root, system.singleRoot);
  }

  bind(gold: GoldTree): void {
    this.goal = new Goal(gold, this.system.root, conflictsToGiveUp(this.system.root), this.exactWords);
    this.gold = this.goal.tree;
    this.run.bind(this.gold);
    this.any.bind(this.gold);
    this.ahead.forget();
    this.simple = this.gold.projective;
  }

  loss(c: Configuration): number {
    return this.goal.lost + this.any.lostSoFar(c) + this.unavoidable(c);
  }

  cost(c: Configuration, move: Move): number {
    if (this.simple && this.isGold(c, move)) return 0;
    const before = this.unavoidable(c);
    return this.lostAfter(c, move) - before;
  }

  isOptimal(c: Configuration, move: Move): boolean {
    if (this.simple && this.isGold(c, move)) return true;
    const before = this.unavoidable(c);
    if (this.simple && before === 0 && move === SHIFT && this.freeArc(c) < 0) return true;
    return this.lostAfter(c, move) === before;
  }

  optimal(c: Configuration): Move {
    const { ahead, system, moves } = this;
    const before = this.unavoidable(c);
    if (this.simple) {
      const arc = this.freeArc(c);
      if (arc >= 0) return ahead.expect(arc, system.head(c, arc), system.dependent(c, arc), 0);
      // If nothing more need be lost and no arc is free, the way on begins with SHIFT.
      if (before === 0 && c.bufferSize > 0) return ahead.expect(SHIFT, NONE, c.b(0), 0);
    }
    const count = system.permitted(c, moves);
    for (let i = count - 1; i >= 0; i--) {
      // Without a gold arc no place is better than the far end of a spine; it comes last among the moves of its kind.
      const move = moves[i]!;
      if (this.simple && i + 1 < count && kindOf(moves[i + 1]!) === kindOf(move)) continue;
      const lost = this.lostAfter(c, move);
      if (lost !== before) continue;
      if (move === SHIFT) return ahead.expect(SHIFT, NONE, c.b(0), 0);
      // The arcs that such an arc loses at once is not carried over.
      ahead.forget();
      return move;
    }
    throw new Error("no optimal move: the configuration is terminal or not one of this system");
  }

  /**
   * For projective gold trees: an arc that costs nothing whatever else is lost, -1 if there is none. That is a gold
   * arc, or one for a root that can no longer get its gold head, to the far end of the spine, if no node that leaves
   * the spines is still wanted.
   */
  private freeArc(c: Configuration): Move {
    const { gold } = this;
    const arc = goldArc(c, gold, this.system);
    if (arc >= 0 || c.stackSize < 2) return arc;
    const top = c.s(0);
    const second = c.s(1);
    if (
      second !== 0 &&
      !this.canStillGet(c, second) &&
      !wantedFromRight(c, gold, second) &&
      this.hasRoom(c, top, c.leftmost)
    ) {
      return leftArc(spine(top, c.leftmost).length);
    }
    if (
      top !== 0 &&
      !this.canStillGet(c, top) &&
      !wantedFromLeft(c, gold, top) &&
      this.hasRoom(c, second, c.rightmost)
    ) {
      return rightArc(spine(second, c.rightmost).length);
    }
    return -1;
  }

  private canStillGet(c: Configuration, root: number): boolean {
    const h = this.gold.heads[root]!;
    return (
      canStillGet(c, root, h) &&
      !(h === 0 && this.system.singleRoot && (c.leftmost[0] !== NONE || c.rightmost[0] !== NONE))
    );
  }

  /**
   * With one root required, 0 without a dependent has no room for a word that need not be there, if another wants to
   * be.
   */
  private hasRoom(c: Configuration, head: number, outermost: Int32Array): boolean {
    return !(this.system.singleRoot && head === 0 && outermost[0] === NONE && rootIsWanted(c, this.gold));
  }

  private isGold(c: Configuration, move: Move): boolean {
    return move !== SHIFT && this.gold.has(this.system.head(c, move), this.system.dependent(c, move));
  }

  /** The arcs lost by the move and after it. */
  private lostAfter(c: Configuration, move: Move): number {
    if (move === SHIFT && this.simple) return this.run.unavoidable(c, true);
    const { after } = this;
    after.copyFrom(c);
    this.system.apply(after, move);
    const lost = move === SHIFT ? 0 : this.any.lostSoFar(after) - this.any.lostSoFar(c);
    return lost + this.compute(after);
  }

  private unavoidable(c: Configuration): number {
    const known = this.ahead.recall(c);
    return known >= 0 ? known : this.ahead.remember(c, this.compute(c));
  }

  private compute(c: Configuration): number {
    return this.simple ? this.run.unavoidable(c, false) : this.any.unavoidable(c);
  }
}
