// LR-spines (Sartorio, Satta & Nivre 2013).  c = (σ, β, A); a stack element is a tree with its left spine ls and right spine rs,
// the paths from its root to the leftmost and to the rightmost node.
//   SHIFT          (σ, b|β, A)     ⇒ (σ|⟨b⟩, β, A)
//   LEFT-ARC-k_l   (σ|T2|T1, β, A) ⇒ (σ|T, β, A ∪ {ls1[k] →l root2})   root2 ≠ 0;  ls = ls1[1…k] ⊕ ls2, rs = rs1
//   RIGHT-ARC-k_l  (σ|T2|T1, β, A) ⇒ (σ|T, β, A ∪ {rs2[k] →l root1})   root1 ≠ 0;  ls = ls2, rs = rs2[1…k] ⊕ rs1
// Terminal: buffer empty and one tree on the stack. Arcs go to any node of a spine, so dependents can be attached top-down or
// bottom-up. Builds the projective trees.
//
// The stack holds the roots; the spines are read off the tree itself, through leftmost and rightmost dependents.

import { Configuration, IN_BUFFER, NONE } from "./configuration.js";
import type { GoldTree } from "./gold.js";
import { SpinesAhead, SpinesSearch } from "./lr-spines-loss.js";
import type { DynamicOracle, NonDeterministicOracle, StaticOracle } from "./oracle.js";
import { TransitionSystem } from "./system.js";
import {
  kindOf,
  LEFT_ARC,
  leftArc,
  type Move,
  moveOf,
  nameOf,
  RIGHT_ARC,
  reachOf,
  rightArc,
  SHIFT,
} from "./transition.js";

export class LrSpines extends TransitionSystem {
  readonly name = "lr-spines";

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

  override nameOf(move: Move): string {
    return nameOf(move, true);
  }

  override moveOf(name: string): Move {
    const move = moveOf(name, true);
    return kindOf(move) <= RIGHT_ARC ? move : -1;
  }

  staticOracle(): StaticOracle {
    return new LrSpinesStaticOracle(this);
  }

  override nonDeterministicOracle(): NonDeterministicOracle {
    return new LrSpinesNonDeterministicOracle(this);
  }

  override dynamicOracle(): DynamicOracle {
    return new LrSpinesDynamicOracle(this);
  }
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
class LrSpinesStaticOracle implements StaticOracle {
  private gold!: GoldTree;

  constructor(private readonly system: LrSpines) {}

  bind(gold: GoldTree): void {
    this.gold = gold;
  }

  next(c: Configuration): Move {
    const arc = goldArc(c, this.gold, this.system);
    return arc >= 0 ? arc : c.bufferSize > 0 ? SHIFT : NONE;
  }
}

/** Non-deterministic oracle (thesis table 6.3, lemma 6.7). */
class LrSpinesNonDeterministicOracle implements NonDeterministicOracle {
  private gold!: GoldTree;

  constructor(private readonly system: LrSpines) {}

  bind(gold: GoldTree): void {
    this.gold = gold;
  }

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
 * Dynamic oracle (thesis 6.4.2; Goldberg, Sartorio & Satta 2014), exact for every gold tree: see lr-spines-loss.ts.
 */
class LrSpinesDynamicOracle implements DynamicOracle {
  private gold!: GoldTree;
  private readonly ahead: SpinesAhead;
  private readonly search: SpinesSearch;
  private readonly scratch = new Configuration();
  private readonly moves: Move[] = [];
  // The last configuration asked about and its loss: the costs of all its moves need it.
  private asked: Configuration | undefined;
  private version = -1;
  private lossAsked = 0;

  constructor(private readonly system: LrSpines) {
    this.ahead = new SpinesAhead();
    this.search = new SpinesSearch(system.root, system.singleRoot);
  }

  bind(gold: GoldTree): void {
    this.gold = gold;
    this.ahead.bind(gold);
    this.search.bind(gold);
    this.asked = undefined;
  }

  /** Can the quick test be used? It takes for granted that gold arcs never stand in each other's way. */
  private get simple(): boolean {
    return this.gold.projective && !this.system.singleRoot;
  }

  loss(c: Configuration): number {
    if (this.asked !== c || this.version !== c.version) {
      const alreadyLost = this.search.prepare(c);
      this.lossAsked = alreadyLost + (this.simple && this.ahead.runsThrough(c, false) ? 0 : this.search.unavoidable());
      this.asked = c;
      this.version = c.version;
    }
    return this.lossAsked;
  }

  cost(c: Configuration, move: Move): number {
    if (this.simple) {
      if (kindOf(move) === SHIFT ? this.ahead.runsThrough(c, true) : this.isGold(c, move)) return 0;
    }
    const before = this.loss(c);
    return this.lossAfter(c, move) - before;
  }

  private isGold(c: Configuration, move: Move): boolean {
    return this.gold.has(this.system.head(c, move), this.system.dependent(c, move));
  }

  private lossAfter(c: Configuration, move: Move): number {
    const { scratch } = this;
    scratch.copyFrom(c);
    this.system.apply(scratch, move);
    const alreadyLost = this.search.prepare(scratch);
    return alreadyLost + (this.simple && this.ahead.runsThrough(scratch, false) ? 0 : this.search.unavoidable());
  }

  optimal(c: Configuration): Move {
    const { system, moves } = this;
    if (this.simple) {
      const arc = goldArc(c, this.gold, system);
      if (arc >= 0) return arc;
      if (c.bufferSize > 0 && this.ahead.runsThrough(c, true)) return SHIFT;
    }
    const count = system.permitted(c, moves);
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = count - 1; i >= 0; i--) {
      const loss = this.lossAfter(c, moves[i]!);
      if (loss < least) {
        least = loss;
        best = moves[i]!;
      }
    }
    return best;
  }
}
