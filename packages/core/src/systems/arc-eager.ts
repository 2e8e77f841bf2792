// Arc-eager (Nivre 2003).  c = (σ, β, A)
//   SHIFT        (σ, b|β, A)   ⇒ (σ|b, β, A)
//   LEFT-ARC_l   (σ|s, b|β, A) ⇒ (σ, b|β, A ∪ {b →l s})     s ≠ 0 and s has no head
//   RIGHT-ARC_l  (σ|s, b|β, A) ⇒ (σ|s|b, β, A ∪ {s →l b})   b ≠ 0
//   REDUCE       (σ|s, β, A)   ⇒ (σ, β, A)                  s has a head
// and with monotonic: false (Honnibal, Goldberg & Johnson 2013), where arcs repair those built before:
//   LEFT-ARC_l   (σ|s, b|β, A) ⇒ (σ, b|β, A ∪ {b →l s} \ {h → s})   also if s has a head h
//   REDUCE_l     (σ|t|s, β, A) ⇒ (σ|t, β, A ∪ {t →l s})              if s has no head
// and with treeConstraint: false (thesis 4.1.5) REDUCE also if s ≠ 0 has no head.
// Terminal: buffer empty, and what has no head is attached to 0; with the root last: stack empty and buffer [0], where
// 0 is neither shifted nor made a dependent, so that every word gets its head by a transition. Left dependents are
// attached bottom-up, right dependents top-down. Builds the projective trees.

import { type Configuration, GONE, IN_BUFFER, NONE, ON_STACK } from "./configuration.js";
import { ArcEagerKnownHeads } from "./known-heads/arc-eager-known-heads.js";
import { ArcDecomposedOracle } from "./oracles/arc-decomposed-oracle.js";
import { GoldBound } from "./oracles/gold-bound.js";
import { stillInBuffer, waitingOnStack } from "./oracles/gold-tree.js";
import { withOneRoot } from "./oracles/one-root.js";
import { type DynamicOracle, type OracleMakers, type StaticOracle, zeroCost } from "./oracles/oracle.js";
import type { SystemOptions } from "./settings.js";
import { FixedMovesSystem, type KnownHeads, type SystemDescription } from "./system.js";
import { LEFT_ARC, type Move, nameOf, REDUCE, RIGHT_ARC, rightArc, SHIFT } from "./transition.js";

export const arcEager: SystemDescription = {
  name: "arc-eager",
  title: "Arc-eager",
  reference: "Nivre 2003",
  settings: [
    {
      name: "lazy",
      title: "Reduce lazily",
      help: "REDUCE only when it can no longer wait",
      values: [false, true],
      changes: "oracle",
    },
    {
      name: "monotonic",
      title: "Arcs stay",
      help: "LEFT-ARC may replace a head, REDUCE attaches a word that has none",
      values: [true, false],
      changes: "transitions",
    },
    {
      name: "treeConstraint",
      title: "Reduce words with heads only",
      help: "REDUCE also words without a head",
      values: [true, false],
      changes: "trees",
    },
  ],
  create: (options) => new ArcEager(options),
  attachesToSpines: false,
  reordersWords: false,
  leavesHeadless: true,
  changesByMethods: true,
  risks(system, c, move, arcs) {
    const b = c.b(0);
    switch (move) {
      case REDUCE:
        // Without a head, and none to come any more but 0.
        if (c.heads[c.s(0)] === NONE && arcs.heads[c.s(0)]! > 0) arcs.lose(c.s(0));
        arcs.loseDependents(c.s(0));
        break;
      case LEFT_ARC:
      case ATTACH:
        arcs.loseDependents(c.s(0));
        break;
      default: {
        // b0 leaves the place from which it could attach what waits on the stack, and with SHIFT also that from which
        // it could be attached to it.
        arcs.loseLeftDependents(b);
        const head = arcs.heads[b]!;
        const isLost = (system as ArcEager).monotonic || head !== c.s(0);
        if (move === SHIFT && head > 0 && head < b && isLost) arcs.lose(b);
      }
    }
  },
  knownHeads: (system: ArcEager) => strictlyKnownHeads(system),
};

/** With known heads, words keep the heads that they get: what each of the other moves would do to them is not known. */
function strictlyKnownHeads(system: ArcEager): KnownHeads {
  const { root, singleRoot, monotonic, treeConstraint } = system;
  if (monotonic && treeConstraint) return new ArcEagerKnownHeads(system);
  const strict = new ArcEager({ root, singleRoot });
  const known = new ArcEagerKnownHeads(strict);
  return {
    bind: (tree) => known.bind(tree),
    isPossible: () => known.isPossible(),
    keeps: (c, move) => strict.permits(c, move) && known.keeps(c, move),
  };
}

/** REDUCE as it attaches a word to the one below it. In a model its labels are classes, as those of arcs are. */
const ATTACH = rightArc(2);

export class ArcEager extends FixedMovesSystem {
  readonly description: SystemDescription = arcEager;
  readonly moves: readonly Move[];
  readonly lazy: boolean;
  readonly monotonic: boolean;
  readonly treeConstraint: boolean;

  constructor(options: SystemOptions = {}) {
    super(options);
    this.lazy = options.lazy === true;
    this.monotonic = options.monotonic !== false;
    this.treeConstraint = options.treeConstraint !== false;
    if (!this.monotonic && !this.treeConstraint) {
      throw new RangeError(
        "invalid treeConstraint: false (expected true with monotonic: false, where REDUCE gives a word a head)",
      );
    }
    this.moves = [LEFT_ARC, RIGHT_ARC, REDUCE, SHIFT, ...(this.monotonic ? [] : [ATTACH])];
  }

  override get looksAtAllArcs(): boolean {
    return !this.monotonic;
  }

  override nameOf(move: Move): string {
    return nameOf(move === ATTACH ? REDUCE : move);
  }

  /** Is it the REDUCE that builds an arc? By its name alone it can be either. */
  private attaches(c: Configuration, move: Move): boolean {
    return !this.monotonic && (move === ATTACH || (move === REDUCE && c.heads[c.s(0)] === NONE));
  }

  override permitted(c: Configuration, out: Move[]): number {
    const count = super.permitted(c, out);
    if (this.monotonic || count === 0 || out[count - 1] !== ATTACH) return count;
    // ATTACH in the place of REDUCE.
    out[out.indexOf(REDUCE)] = ATTACH;
    return count - 1;
  }

  isTerminal(c: Configuration): boolean {
    return this.root === "last" ? c.stackSize === 0 && c.bufferSize === 1 : c.bufferSize === 0;
  }

  permits(c: Configuration, move: Move): boolean {
    if (c.bufferSize === 0) return false;
    const s = c.s(0);
    const b = c.buffer[c.front]!;
    let permitted: boolean;
    switch (move) {
      case SHIFT:
        permitted = b !== 0;
        break;
      case LEFT_ARC:
        permitted = s > 0 && (!this.monotonic || c.heads[s] === NONE);
        break;
      case RIGHT_ARC:
        permitted = s !== NONE && b !== 0;
        break;
      case REDUCE:
        permitted = s !== NONE && (c.heads[s] !== NONE || this.mayReduceHeadless(c));
        break;
      case ATTACH:
        permitted = !this.monotonic && c.stackSize > 1 && c.heads[s] === NONE;
        break;
      default:
        return false;
    }
    return permitted && (!this.singleRoot || this.keepsOneRoot(c, move, s));
  }

  private mayReduceHeadless(c: Configuration): boolean {
    return this.monotonic ? !this.treeConstraint && c.s(0) > 0 : c.stackSize > 1;
  }

  // Every word without a head ends up on 0, so when the last word leaves the buffer exactly one may be left (a word
  // that hangs on 0 already counts). Until then they can all still be collected by LEFT-ARC. What hangs on 0 has to
  // stay on the stack, because the words that follow have nowhere else to go.
  // A word that is reduced without one would be all there is. Where REDUCE attaches words, all but the lowest can come
  // below that even when 0 is all that is left in the buffer.
  private keepsOneRoot(c: Configuration, move: Move, s: number): boolean {
    const lastIsLeft = c.buffer[c.front] === 0 && c.stackSize === 1;
    if (move === LEFT_ARC) return this.monotonic || c.buffer[c.front] !== 0 || lastIsLeft;
    if (this.attaches(c, move)) return c.s(1) !== 0;
    if (move === REDUCE) return c.heads[s] === NONE ? lastIsLeft : c.heads[s] !== 0;
    const lastWord = c.buffer[c.front] === c.length;
    if (move === RIGHT_ARC && s === 0) return c.rightmost[0] === NONE;
    if (!lastWord || (this.root === "last" && !this.monotonic)) return true;
    return rootsOnStack(c, c.stackSize) === (move === SHIFT ? 0 : 1);
  }

  apply(c: Configuration, move: Move, label = NONE): void {
    switch (move) {
      case SHIFT:
        c.shift();
        break;
      case LEFT_ARC:
        if (c.heads[c.s(0)] !== NONE) c.removeArc(c.s(0));
        c.addArc(c.buffer[c.front]!, c.s(0), label);
        c.remove(0);
        break;
      case RIGHT_ARC:
        c.addArc(c.s(0), c.buffer[c.front]!, label);
        c.shift();
        break;
      case REDUCE:
      case ATTACH:
        if (this.attaches(c, move)) c.addArc(c.s(1), c.s(0), label);
        c.remove(0);
        break;
    }
  }

  head(c: Configuration, move: Move): number {
    return move === LEFT_ARC ? c.b(0) : move === RIGHT_ARC ? c.s(0) : this.attaches(c, move) ? c.s(1) : NONE;
  }

  dependent(c: Configuration, move: Move): number {
    return move === RIGHT_ARC ? c.b(0) : move === LEFT_ARC || this.attaches(c, move) ? c.s(0) : NONE;
  }

  override takesFront(move: Move): boolean {
    return move === SHIFT || move === RIGHT_ARC;
  }
}

/** The oracles of arc-eager. On the way to the gold tree, the moves of cost 0 are those of thesis table 5.5. */
export const arcEagerOracles: OracleMakers<ArcEager> = {
  static: (system) => new ArcEagerStaticOracle(system),
  nonDeterministic: (system) => zeroCost(system, arcEagerDynamicOracle(system)),
  dynamic: arcEagerDynamicOracle,
};

function arcEagerDynamicOracle(system: ArcEager): DynamicOracle {
  return withOneRoot(system, () =>
    system.monotonic ? new ArcEagerDynamicOracle(system) : new NonMonotonicDynamicOracle(system),
  );
}

/** How many of the lowest `height` nodes of the stack are words without a head or with head 0. */
export function rootsOnStack(c: Configuration, height: number): number {
  let roots = 0;
  for (let i = 0; i < height; i++) {
    const s = c.stack[i]!;
    if (s !== 0 && c.heads[s]! <= 0) roots++;
  }
  return roots;
}

/**
 * Static oracle (thesis table 5.2), O(1) a step. Lazy (Goldberg & Nivre 2012, algorithm 1): REDUCE only for a gold arc
 * between b0 and a node further down, O(dependents).
 */
class ArcEagerStaticOracle extends GoldBound<ArcEager> implements StaticOracle {
  next(c: Configuration): Move {
    const { heads } = this.gold;
    const s = c.s(0);
    const b = c.b(0);
    let move = SHIFT;
    if (s !== NONE) {
      if (heads[s] === b) move = LEFT_ARC;
      else if (heads[b] === s) move = RIGHT_ARC;
      else if (this.isSettled(c, s) && stillInBuffer(c, this.gold, s) === 0) {
        if (!this.system.lazy || this.isAwaited(c, b)) move = REDUCE;
      } else if (!this.system.monotonic && heads[s] === c.s(1) && stillInBuffer(c, this.gold, s) === 0) {
        move = ATTACH;
      } else if (this.hidesWaiting(c, s)) {
        move = c.heads[s] === NONE ? ATTACH : REDUCE;
      } else if (this.isRootByConvention(s) && stillInBuffer(c, this.gold, s) === 0) {
        // A root that is in the way of an arc, which the tree constraint rules out.
        if (this.isAwaited(c, b)) move = REDUCE;
      }
    }
    return this.system.permits(c, move) ? move : NONE;
  }

  /** Has a word the head that it keeps? Where heads can be replaced a wrong one is not the last. */
  private isSettled(c: Configuration, s: number): boolean {
    return this.system.monotonic ? c.heads[s] !== NONE : c.heads[s] !== NONE && c.heads[s] === this.gold.heads[s];
  }

  /** May a root be reduced without a head? Where 0 is there, it has to attach its dependents itself. */
  private isRootByConvention(s: number): boolean {
    return this.gold.heads[s] === 0 && !this.system.treeConstraint && this.system.root === "none";
  }

  /**
   * Without 0 any head will do for a root. If words further down wait for REDUCE to attach them, it has to go, or the
   * buffer may be empty before their turn comes. The oracle's own derivation never leaves such words behind.
   */
  private hidesWaiting(c: Configuration, s: number): boolean {
    const { heads } = this.gold;
    const { monotonic, root } = this.system;
    if (monotonic || root !== "none" || heads[s] !== 0 || stillInBuffer(c, this.gold, s) > 0) return false;
    for (let height = c.stackSize - 2; height > 0; height--) {
      const d = c.stack[height]!;
      if (c.heads[d] === NONE && heads[d] === c.stack[height - 1]) return true;
    }
    return false;
  }

  /** Has b0 a gold arc with a node of the stack? (Not with its top, or that would be built.) */
  private isAwaited(c: Configuration, b: number): boolean {
    const { heads, start, dependents } = this.gold;
    if (heads[b]! >= 0 && c.where[heads[b]!] === ON_STACK) return true;
    for (let i = start[b]!; i < start[b + 1]!; i++) {
      const d = dependents[i]!;
      if (c.where[d] === ON_STACK && c.heads[d] === NONE) return true;
    }
    return false;
  }
}

/**
 * Dynamic oracle by arc decomposition (Goldberg & Nivre 2012 figure 4, thesis algorithm 5.5, both corrected): gold arcs
 * that can be built one by one can be built together, so a move costs the arcs that it puts out of reach. O(dependents
 * of one node) a move. If the gold tree is not projective, the arcs left may stand in each other's way; if one root is
 * required, they may not fit under it: then the cost is the difference of two losses, O(n).
 */
class ArcEagerDynamicOracle extends ArcDecomposedOracle<ArcEager> {
  protected override lostTogether(c: Configuration): number {
    return this.system.singleRoot && this.lastWordIsStranded(c) ? this.lostByUniting(c) : this.lostToConflicts(c);
  }

  protected reachable(c: Configuration, h: number, d: number): boolean {
    if (c.where[d] === GONE) return false;
    if (h === 0 && this.system.singleRoot) {
      // A word in the buffer can collect every word left of it first; on the stack, what is below a word cannot be
      // moved.
      if (c.where[d] === IN_BUFFER) return c.rightmost[0] === NONE;
      return this.system.root === "last" && rootsOnStack(c, c.stack.indexOf(d)) === 0;
    }
    return c.where[d] === IN_BUFFER ? c.where[h] !== GONE : c.where[h] === IN_BUFFER;
  }

  // The last word is the one that has to collect all roots but one. It cannot if it hangs, directly or over words in
  // the buffer, on a word of the stack that has more than one root at or below it.
  protected lastWordIsStranded(c: Configuration): boolean {
    const { heads } = this.gold;
    let w = c.length;
    while (w > 0 && c.where[w] === IN_BUFFER) w = heads[w]!;
    return w > 0 && c.where[w] === ON_STACK && rootsOnStack(c, c.stack.indexOf(w) + 1) > 1;
  }

  /** Then one of the arcs between them has to go, the one that is cheapest to do without. */
  protected lostByUniting(c: Configuration): number {
    let least = Number.POSITIVE_INFINITY;
    for (let w = c.length; c.where[w] === IN_BUFFER; w = this.gold.heads[w]!) {
      least = Math.min(least, 1 + this.lostToConflicts(c, w));
      if (!this.conflicts) break;
    }
    return least;
  }

  protected arcsLost(c: Configuration, move: Move): number {
    const { heads } = this.gold;
    const s = c.s(0);
    const b = c.b(0);
    const head = heads[b]!;
    switch (move) {
      case SHIFT:
        return (c.where[head] === ON_STACK ? 1 : 0) + waitingOnStack(c, this.gold, b);
      case RIGHT_ARC:
        return (head >= 0 && head !== s && c.where[head] !== GONE ? 1 : 0) + waitingOnStack(c, this.gold, b);
      case LEFT_ARC:
        return (heads[s] !== b && c.where[heads[s]!] === IN_BUFFER ? 1 : 0) + stillInBuffer(c, this.gold, s);
      default: {
        // A head that is still to come, of a word that has none (without the tree constraint).
        const waits = c.heads[s] === NONE && heads[s]! >= 0 && c.where[heads[s]!] === IN_BUFFER;
        return (waits ? 1 : 0) + stillInBuffer(c, this.gold, s);
      }
    }
  }

  protected likely(c: Configuration): Move {
    // The likely ones first: a gold arc costs nothing, for what it puts out of reach would have to cross it.
    const { heads } = this.gold;
    const s = c.s(0);
    const b = c.buffer[c.front]!;
    if (s !== NONE) {
      if (heads[s] === b && c.heads[s] === NONE) return LEFT_ARC;
      if (heads[b] === s) return RIGHT_ARC;
      if (c.heads[s] !== NONE && stillInBuffer(c, this.gold, s) === 0) return REDUCE;
    }
    if (b !== 0 && c.where[heads[b]!] !== ON_STACK && waitingOnStack(c, this.gold, b) === 0) return SHIFT;
    return NONE;
  }
}

/**
 * Dynamic oracle of the non-monotonic system. A word on the stack can still get every head in the buffer, whether it
 * has one or not, and without one that below it. Gold arcs that can be built one by one can be built together but for
 * one case: unless the root is last, the derivation ends when the last word leaves the buffer, and what is then below
 * that word can no longer be reduced. So if the last word hangs on it, directly or over words in the buffer, heads
 * that only REDUCE would give are lost, or else one arc on the way to the last word. The cost is the difference of two
 * losses, O(n).
 */
class NonMonotonicDynamicOracle extends ArcEagerDynamicOracle {
  protected override get isEntangled(): boolean {
    return true;
  }

  protected override isOpen(c: Configuration, h: number, d: number): boolean {
    return this.reachable(c, h, d);
  }

  protected override reachable(c: Configuration, h: number, d: number): boolean {
    const { root, singleRoot } = this.system;
    if (c.bufferSize === 0) return false;
    if (c.where[d] === IN_BUFFER) return c.where[h] !== GONE;
    if (c.where[d] === GONE) return false;
    const height = c.stack.indexOf(d);
    if (h === 0 && singleRoot) return root === "last" && height === 0;
    return c.where[h] === IN_BUFFER || (c.heads[d] === NONE && height > 0 && c.stack[height - 1] === h);
  }

  protected override lostTogether(c: Configuration): number {
    const isStranded = this.system.root !== "last" && c.bufferSize > 0 && this.lastWordIsStranded(c);
    return isStranded ? this.lostByUniting(c) : this.lostToConflicts(c);
  }

  protected override lastWordIsStranded(c: Configuration): boolean {
    if (this.system.singleRoot) return super.lastWordIsStranded(c);
    const { heads } = this.gold;
    let w = c.length;
    while (w > 0 && c.where[w] === IN_BUFFER) w = heads[w]!;
    if (w <= 0 || c.where[w] !== ON_STACK) return false;
    for (let height = c.stack.indexOf(w); height > 0; height--) {
      const below = c.stack[height - 1]!;
      const isCounted = below > 0 || this.system.root === "first";
      if (isCounted && c.heads[c.stack[height]!] === NONE && heads[c.stack[height]!] === below) return true;
    }
    return false;
  }
}
