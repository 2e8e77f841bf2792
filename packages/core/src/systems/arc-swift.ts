// Arc-swift (Qi & Manning 2017).  c = (σ, β, A)
//   SHIFT          (σ, b|β, A)            ⇒ (σ|b, β, A)
//   LEFT-ARC-k_l   (σ|i_k|…|i_1, b|β, A)  ⇒ (σ, b|β, A ∪ {b →l i_k})      i_k ≠ 0, i_k has no head
//   RIGHT-ARC-k_l  (σ|i_k|…|i_1, b|β, A)  ⇒ (σ|i_k|b, β, A ∪ {i_k →l b})  b ≠ 0
// where i_1 … i_(k-1) have heads: arc-eager in which an arc takes the REDUCEs before it along, so that it is judged by
// the two words that it joins and not by the first step towards it.
// Terminal as in arc-eager. Builds the projective trees, each by one derivation.
//
// A word that arc-eager reduces may stay here, since a word with a head is in nobody's way: from the same configuration
// both reach the same trees. So the losses are those of arc-eager.

import { ArcEager, arcEagerOracles, rootsOnStack } from "./arc-eager.js";
import { Configuration, GONE, IN_BUFFER, NONE, ON_STACK } from "./configuration.js";
import { FarArcsSystem } from "./far-arcs.js";
import { ArcEagerKnownHeads } from "./known-heads/arc-eager-known-heads.js";
import { GoldBound } from "./oracles/gold-bound.js";
import { type GoldTree, stillInBuffer, waitingOnStack } from "./oracles/gold-tree.js";
import { type DynamicOracle, type OracleMakers, type StaticOracle, zeroCost } from "./oracles/oracle.js";
import type { KnownHeads, MoveContext, SystemDescription, TransitionSystem } from "./system.js";
import {
  isArc,
  kindOf,
  LEFT_ARC,
  leftArc,
  type Move,
  REDUCE,
  RIGHT_ARC,
  reachOf,
  rightArc,
  SHIFT,
} from "./transition.js";

/** The words of an arc and those around them: s0 is i_k, a0 the word above it that it passes last. */
const NAMES = ["s0", "s1", "s2", "b0", "b1", "b2", "a0"];

const context: MoveContext = {
  names: NAMES,
  rename: (position) => (NAMES.includes(position) ? position : undefined),
  fill(c, move, out) {
    const k = reachOf(move);
    for (let i = 0; i < 3; i++) {
      out[i] = c.s(k - 1 + i);
      out[3 + i] = c.b(i);
    }
    out[6] = k > 1 ? c.s(k - 2) : NONE;
  },
};

export const arcSwift: SystemDescription = {
  name: "arc-swift",
  title: "Arc-swift",
  reference: "Qi & Manning 2017",
  settings: [],
  create: (options) => new ArcSwift(options),
  context,
  attachesToSpines: false,
  reordersWords: false,
  leavesHeadless: true,
  changesByMethods: true,
  risks(system, c, move, arcs) {
    const b = c.b(0);
    const kind = kindOf(move);
    const leaving = kind === SHIFT ? 0 : reachOf(move) - (kind === RIGHT_ARC ? 1 : 0);
    const dependent = system.dependent(c, move);
    for (let i = 0; i < leaving; i++) arcs.loseDependents(c.s(i), dependent);
    if (kind === LEFT_ARC) return;
    // b0 leaves the place from which it could attach what waits on the stack, and be attached to it.
    arcs.loseLeftDependents(b);
    const head = arcs.heads[b]!;
    if (kind === SHIFT && head > 0 && head < b) arcs.lose(b);
  },
  knownHeads: (system) => new ArcSwiftKnownHeads(system),
};

class ArcSwift extends FarArcsSystem {
  readonly description: SystemDescription = arcSwift;

  isTerminal(c: Configuration): boolean {
    return this.root === "last" ? c.stackSize === 0 && c.bufferSize === 1 : c.bufferSize === 0;
  }

  permits(c: Configuration, move: Move): boolean {
    if (c.bufferSize === 0) return false;
    if (move === SHIFT) return this.mayShift(c);
    if (!isArc(move)) return false;
    const k = reachOf(move);
    if (k > c.stackSize) return false;
    for (let i = 0; i < k - 1; i++) if (c.heads[c.s(i)] === NONE) return false;
    return kindOf(move) === LEFT_ARC ? this.mayTake(c, c.s(k - 1)) : this.mayHangOn(c, c.s(k - 1));
  }

  permitted(c: Configuration, out: Move[]): number {
    let count = 0;
    if (c.bufferSize === 0) return count;
    for (let k = 1; k <= c.stackSize; k++) {
      const word = c.s(k - 1);
      if (this.mayTake(c, word)) out[count++] = leftArc(k);
      if (this.mayHangOn(c, word)) out[count++] = rightArc(k);
      if (c.heads[word] === NONE) break;
    }
    if (this.mayShift(c)) out[count++] = SHIFT;
    return count;
  }

  // One root is required as in arc-eager: when the last word leaves the buffer, it or a word on the stack is the root.
  private mayShift(c: Configuration): boolean {
    const b = c.b(0);
    return b !== 0 && !(this.singleRoot && b === c.length && rootsOnStack(c, c.stackSize) > 0);
  }

  private mayTake(c: Configuration, word: number): boolean {
    return word > 0 && c.heads[word] === NONE;
  }

  private mayHangOn(c: Configuration, word: number): boolean {
    const b = c.b(0);
    if (b === 0) return false;
    if (!this.singleRoot) return true;
    if (word === 0) return c.rightmost[0] === NONE;
    return b !== c.length || rootsOnStack(c, c.stackSize) === 1;
  }

  apply(c: Configuration, move: Move, label = NONE): void {
    const k = reachOf(move);
    switch (kindOf(move)) {
      case SHIFT:
        c.shift();
        break;
      case LEFT_ARC:
        c.addArc(c.b(0), c.s(k - 1), label);
        for (let i = 0; i < k; i++) c.remove(0);
        break;
      case RIGHT_ARC:
        c.addArc(c.s(k - 1), c.b(0), label);
        for (let i = 1; i < k; i++) c.remove(0);
        c.shift();
        break;
    }
  }

  head(c: Configuration, move: Move): number {
    const kind = kindOf(move);
    return kind === LEFT_ARC ? c.b(0) : kind === RIGHT_ARC ? c.s(reachOf(move) - 1) : NONE;
  }

  dependent(c: Configuration, move: Move): number {
    const kind = kindOf(move);
    return kind === LEFT_ARC ? c.s(reachOf(move) - 1) : kind === RIGHT_ARC ? c.b(0) : NONE;
  }

  override takesFront(move: Move): boolean {
    return kindOf(move) !== LEFT_ARC;
  }
}

/** The oracles of arc-swift. */
export const arcSwiftOracles: OracleMakers<ArcSwift> = {
  static: (system) => new ArcSwiftStaticOracle(system),
  nonDeterministic: (system) => zeroCost(system, new ArcSwiftDynamicOracle(system)),
  dynamic: (system) => new ArcSwiftDynamicOracle(system),
};

/** Static oracle: the gold arcs of b0 from the nearest on, else SHIFT. O(words passed) a step. */
class ArcSwiftStaticOracle extends GoldBound<ArcSwift> implements StaticOracle {
  next(c: Configuration): Move {
    const { heads } = this.gold;
    const b = c.b(0);
    let move = SHIFT;
    for (let k = 1; k <= c.stackSize; k++) {
      const word = c.s(k - 1);
      if (heads[word] === b && c.heads[word] === NONE) move = leftArc(k);
      else if (heads[b] === word) move = rightArc(k);
      if (move !== SHIFT || c.heads[word] === NONE) break;
    }
    return this.system.permits(c, move) ? move : NONE;
  }
}

/**
 * Dynamic oracle: the loss is that of arc-eager. Where gold arcs can be built together if they can one by one, a move
 * costs those that it puts out of reach, O(words passed, and their dependents); else the difference of two losses.
 */
class ArcSwiftDynamicOracle implements DynamicOracle {
  private gold!: GoldTree;
  private readonly eager: DynamicOracle;
  private readonly after = new Configuration();
  private readonly moves: Move[] = [];

  constructor(private readonly system: ArcSwift) {
    const { root, singleRoot } = system;
    this.eager = arcEagerOracles.dynamic(new ArcEager({ root, singleRoot }))!;
  }

  get exact(): boolean {
    return this.eager.exact;
  }

  bind(gold: GoldTree): void {
    this.gold = gold;
    this.eager.bind(gold);
  }

  loss(c: Configuration): number {
    return this.eager.loss(c);
  }

  cost(c: Configuration, move: Move): number {
    if (this.gold.projective && !this.system.singleRoot) return this.arcsLost(c, move);
    this.after.copyFrom(c);
    this.system.apply(this.after, move);
    return this.loss(this.after) - this.loss(c);
  }

  private arcsLost(c: Configuration, move: Move): number {
    const { gold } = this;
    const { heads } = gold;
    const b = c.b(0);
    if (move === SHIFT) return (c.where[heads[b]!] === ON_STACK ? 1 : 0) + waitingOnStack(c, gold, b);
    const word = c.s(reachOf(move) - 1);
    let lost = 0;
    for (let i = reachOf(move) - 2; i >= 0; i--) lost += stillInBuffer(c, gold, c.s(i));
    if (kindOf(move) === LEFT_ARC) {
      return lost + (heads[word] !== b && c.where[heads[word]!] === IN_BUFFER ? 1 : 0) + stillInBuffer(c, gold, word);
    }
    // If the head of b0 is among the words that are passed, that has been counted with them.
    const head = heads[b]!;
    const isPassed = head > word && c.where[head] === ON_STACK;
    if (head >= 0 && head !== word && c.where[head] !== GONE && !isPassed) lost++;
    return lost + waitingOnStack(c, gold, b);
  }

  isOptimal(c: Configuration, move: Move): boolean {
    return this.cost(c, move) === 0;
  }

  optimal(c: Configuration): Move {
    const { system, moves } = this;
    const count = system.permitted(c, moves);
    for (let i = 0; i < count; i++) if (this.isOptimal(c, moves[i]!)) return moves[i]!;
    throw new Error("no optimal move: the configuration is terminal or not one of this system");
  }
}

/** Each move as the moves of arc-eager that it stands for. O(words passed, and their dependents) a move. */
class ArcSwiftKnownHeads implements KnownHeads {
  private readonly eager: ArcEager;
  private readonly known: ArcEagerKnownHeads;
  private readonly after = new Configuration();

  constructor({ root, singleRoot }: TransitionSystem) {
    this.eager = new ArcEager({ root, singleRoot });
    this.known = new ArcEagerKnownHeads(this.eager);
  }

  bind(tree: GoldTree): void {
    this.known.bind(tree);
  }

  isPossible(): boolean {
    return this.known.isPossible();
  }

  keeps(c: Configuration, move: Move): boolean {
    const { eager, known, after } = this;
    const k = reachOf(move);
    if (k === 1) return known.keeps(c, move);
    after.copyFrom(c);
    for (let i = 1; i < k; i++) {
      if (!known.keeps(after, REDUCE)) return false;
      eager.apply(after, REDUCE);
    }
    return known.keeps(after, kindOf(move));
  }
}
