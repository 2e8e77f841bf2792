// Arc-eager (Nivre 2003).  c = (σ, β, A)
//   SHIFT        (σ, b|β, A)   ⇒ (σ|b, β, A)
//   LEFT-ARC_l   (σ|s, b|β, A) ⇒ (σ, b|β, A ∪ {b →l s})     s ≠ 0 and s has no head
//   RIGHT-ARC_l  (σ|s, b|β, A) ⇒ (σ|s|b, β, A ∪ {s →l b})   b ≠ 0
//   REDUCE       (σ|s, β, A)   ⇒ (σ, β, A)                  s has a head
// Terminal: buffer empty, and what has no head is attached to 0; with the root last: stack empty and buffer [0], where
// 0 is neither shifted nor made a dependent, so that every word gets its head by a transition. Left dependents are
// attached bottom-up, right dependents top-down. Builds the projective trees.

import { type Configuration, GONE, IN_BUFFER, NONE, ON_STACK } from "./configuration.js";
import { ArcEagerKnownHeads } from "./known-heads/arc-eager-known-heads.js";
import { ArcDecomposedOracle } from "./oracles/arc-decomposed-oracle.js";
import { type GoldTree, stillInBuffer, waitingOnStack } from "./oracles/gold-tree.js";
import { withOneRoot } from "./oracles/one-root.js";
import { type DynamicOracle, type OracleMakers, type StaticOracle, zeroCost } from "./oracles/oracle.js";
import { FixedMovesSystem, type SystemDescription } from "./system.js";
import { LEFT_ARC, type Move, REDUCE, RIGHT_ARC, SHIFT } from "./transition.js";

export const arcEager: SystemDescription = {
  name: "arc-eager",
  title: "Arc-eager",
  reference: "Nivre 2003",
  settings: [],
  create: (options) => new ArcEager(options),
  attachesToSpines: false,
  reordersWords: false,
  leavesHeadless: true,
  risks(_system, c, move, arcs) {
    const b = c.b(0);
    switch (move) {
      case LEFT_ARC:
      case REDUCE:
        arcs.loseDependents(c.s(0));
        break;
      default: {
        // b0 leaves the place from which it could attach what waits on the stack, and with SHIFT also that from which
        // it could be attached to it.
        arcs.loseLeftDependents(b);
        const head = arcs.heads[b]!;
        if (move === SHIFT && head > 0 && head < b) arcs.lose(b);
      }
    }
  },
  knownHeads: (system) => new ArcEagerKnownHeads(system),
};

export class ArcEager extends FixedMovesSystem {
  readonly description: SystemDescription = arcEager;
  readonly moves = [LEFT_ARC, RIGHT_ARC, REDUCE, SHIFT];

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
        permitted = s > 0 && c.heads[s] === NONE;
        break;
      case RIGHT_ARC:
        permitted = s !== NONE && b !== 0;
        break;
      case REDUCE:
        permitted = s !== NONE && c.heads[s] !== NONE;
        break;
      default:
        return false;
    }
    return permitted && (!this.singleRoot || this.keepsOneRoot(c, move, s));
  }

  // Every word without a head ends up on 0, so when the last word leaves the buffer exactly one may be left (a word
  // that hangs on 0 already counts). Until then they can all still be collected by LEFT-ARC. What hangs on 0 has to
  // stay on the stack, because the words that follow have nowhere else to go.
  private keepsOneRoot(c: Configuration, move: Move, s: number): boolean {
    if (move === LEFT_ARC) return true;
    if (move === REDUCE) return c.heads[s] !== 0;
    const lastWord = c.buffer[c.front] === c.length;
    if (move === RIGHT_ARC && s === 0) return c.rightmost[0] === NONE;
    if (!lastWord) return true;
    return rootsOnStack(c, c.stackSize) === (move === SHIFT ? 0 : 1);
  }

  apply(c: Configuration, move: Move, label = NONE): void {
    switch (move) {
      case SHIFT:
        c.shift();
        break;
      case LEFT_ARC:
        c.addArc(c.buffer[c.front]!, c.s(0), label);
        c.remove(0);
        break;
      case RIGHT_ARC:
        c.addArc(c.s(0), c.buffer[c.front]!, label);
        c.shift();
        break;
      case REDUCE:
        c.remove(0);
        break;
    }
  }

  head(c: Configuration, move: Move): number {
    return move === LEFT_ARC ? c.b(0) : move === RIGHT_ARC ? c.s(0) : NONE;
  }

  dependent(c: Configuration, move: Move): number {
    return move === LEFT_ARC ? c.s(0) : move === RIGHT_ARC ? c.b(0) : NONE;
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
  return withOneRoot(system, () => new ArcEagerDynamicOracle(system));
}

/** How many of the lowest `height` nodes of the stack are words without a head or with head 0. */
function rootsOnStack(c: Configuration, height: number): number {
  let roots = 0;
  for (let i = 0; i < height; i++) {
    const s = c.stack[i]!;
    if (s !== 0 && c.heads[s]! <= 0) roots++;
  }
  return roots;
}

/** Static oracle (thesis table 5.2), O(1) a step. */
class ArcEagerStaticOracle implements StaticOracle {
  private gold!: GoldTree;

  constructor(private readonly system: ArcEager) {}

  bind(gold: GoldTree): void {
    this.gold = gold;
  }

  next(c: Configuration): Move {
    const { heads } = this.gold;
    const s = c.s(0);
    const b = c.b(0);
    let move = SHIFT;
    if (s !== NONE) {
      if (heads[s] === b) move = LEFT_ARC;
      else if (heads[b] === s) move = RIGHT_ARC;
      else if (c.heads[s] !== NONE && stillInBuffer(c, this.gold, s) === 0) move = REDUCE;
    }
    return this.system.permits(c, move) ? move : NONE;
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
  private lastWordIsStranded(c: Configuration): boolean {
    const { heads } = this.gold;
    let w = c.length;
    while (w > 0 && c.where[w] === IN_BUFFER) w = heads[w]!;
    return w > 0 && c.where[w] === ON_STACK && rootsOnStack(c, c.stack.indexOf(w) + 1) > 1;
  }

  /** Then one of the arcs between them has to go, the one that is cheapest to do without. */
  private lostByUniting(c: Configuration): number {
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
      default:
        return stillInBuffer(c, this.gold, s);
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
