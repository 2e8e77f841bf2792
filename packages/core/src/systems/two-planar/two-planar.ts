// 2-planar (Gómez-Rodríguez & Nivre 2010).  c = (σ, τ, β, A): an active stack σ and an inactive one τ
//   SHIFT        (σ, τ, b|β, A)     ⇒ (σ|b, τ|b, β, A)
//   SWITCH       (σ, τ, β, A)       ⇒ (τ, σ, β, A)                    not twice in a row
//   REDUCE       (σ|s, τ, β, A)     ⇒ (σ, τ, β, A)
//   LEFT-ARC_l   (σ|s, τ, b|β, A)   ⇒ (σ|s, τ, b|β, A ∪ {b →l s})    s ≠ 0, s has no head, no path from s to b
//   RIGHT-ARC_l  (σ|s, τ, b|β, A)   ⇒ (σ|s, τ, b|β, A ∪ {s →l b})    b ≠ 0, b has no head, no path from b to s
// Terminal: buffer empty, and what has no head is attached to 0. With the root last 0 is shifted as the words are.
// Builds the trees whose arcs, but for those out of 0, can be drawn in two planes in which none cross.

import { canUnite, mayAttach } from "../acyclic-arcs.js";
import { type Configuration, GONE, NONE } from "../configuration.js";
import { FixedMovesSystem, type MoveContext, type SystemDescription } from "../system.js";
import { FIRST_FREE_KIND, LEFT_ARC, type Move, nameOf, REDUCE, RIGHT_ARC, SHIFT } from "../transition.js";

export const SWITCH = FIRST_FREE_KIND;

/** The two stacks and the buffer; the same for all moves, but nothing else shows the inactive stack to templates. */
const STACKS = ["s0", "s1", "s2", "t0", "t1", "b0", "b1", "b2"];

const stacks: MoveContext = {
  names: STACKS,
  rename: (position) => (STACKS.includes(position) ? position : undefined),
  fill(c, _move, out) {
    for (let i = 0; i < 3; i++) {
      out[i] = c.s(i);
      out[5 + i] = c.b(i);
    }
    const { size } = inactive(c);
    for (let i = 0; i < 2; i++) out[3 + i] = i < size ? c.extra[0]![size - 1 - i]! : NONE;
  },
};

export const twoPlanar: SystemDescription = {
  name: "two-planar",
  title: "2-planar",
  reference: "Gómez-Rodríguez & Nivre 2010",
  settings: [],
  create: (options) => new TwoPlanar(options),
  context: stacks,
  attachesToSpines: false,
  reordersWords: false,
  leavesHeadless: true,
  extraArrays: 2,
  stackTitle: "active stack",
  lists: (c) => ({ "inactive stack": Array.from(c.extra[0]!.subarray(0, inactive(c).size)) }),
  // Arcs out of 0 are never out of reach: what has no head is attached to 0 at the end.
  risks(system, c, move, arcs) {
    const { heads } = arcs;
    const loseIfWanted = (head: number, word: number) => {
      if (head > 0 && word > 0 && heads[word] === head && c.heads[word] === NONE) arcs.lose(word);
    };
    if (move === SHIFT) {
      // b0 meets nothing on its left any more.
      const b = c.b(0);
      if (b > 0 && heads[b]! > 0 && heads[b]! < b) loseIfWanted(heads[b]!, b);
      if (b > 0) arcs.loseLeftDependents(b);
    } else if (move === REDUCE && (system as TwoPlanar).isLeaving(c)) {
      const s = c.s(0);
      if (s > 0) arcs.loseRightDependents(s);
      if (heads[s]! > s) loseIfWanted(heads[s]!, s);
    }
  },
};

/** The size of the inactive stack, which plane the active one is, and whether it was switched to just now. */
export function inactive(c: Configuration): { size: number; plane: number; isSwitched: boolean } {
  const packed = c.extra[1]![0]!;
  return { size: packed >> 2, plane: (packed >> 1) & 1, isSwitched: (packed & 1) === 1 };
}

function setInactive(c: Configuration, size: number, plane: number, isSwitched: boolean): void {
  c.extra[1]![0] = (size << 2) | (plane << 1) | (isSwitched ? 1 : 0);
}

export class TwoPlanar extends FixedMovesSystem {
  readonly description: SystemDescription = twoPlanar;
  readonly moves: readonly Move[] = [LEFT_ARC, RIGHT_ARC, REDUCE, SWITCH, SHIFT];

  override get looksAtAllArcs(): boolean {
    return true;
  }

  override initialize(c: Configuration, words: number): void {
    super.initialize(c, words);
    if (this.root === "first") c.extra[0]![0] = 0;
    setInactive(c, this.root === "first" ? 1 : 0, 0, false);
  }

  override nameOf(move: Move): string {
    return move === SWITCH ? "SWITCH" : nameOf(move);
  }

  isTerminal(c: Configuration): boolean {
    return c.bufferSize === 0;
  }

  permits(c: Configuration, move: Move): boolean {
    if (c.bufferSize === 0) return false;
    if (move !== SWITCH) return this.permitsWith(c, move, c.s(0), move === REDUCE && this.isLeaving(c));
    const { size, isSwitched } = inactive(c);
    if (isSwitched) return false;
    if (!this.singleRoot) return true;
    // Something else has to follow.
    const top = size > 0 ? c.extra[0]![size - 1]! : NONE;
    const isLeaving = c.stack.subarray(0, c.stackSize).indexOf(top) < 0;
    return [SHIFT, REDUCE, LEFT_ARC, RIGHT_ARC].some((next) => this.permitsWith(c, next, top, isLeaving));
  }

  /** Is a move permitted that is not SWITCH, with this node on top of the active stack? */
  private permitsWith(c: Configuration, move: Move, top: number, isLeaving: boolean): boolean {
    const b = c.b(0);
    const head = move === LEFT_ARC ? b : move === RIGHT_ARC ? top : NONE;
    const dependent = move === LEFT_ARC ? top : move === RIGHT_ARC ? b : NONE;
    switch (move) {
      case SHIFT:
        break;
      case REDUCE:
        if (top === NONE) return false;
        break;
      case LEFT_ARC:
      case RIGHT_ARC:
        if (!mayAttach(c, head, dependent)) return false;
        break;
      default:
        return false;
    }
    if (!this.singleRoot) return true;
    // The last word can be linked with everything that is on a stack when it comes to the front of the buffer.
    if (head === 0 && (c.leftmost[0] !== NONE || c.rightmost[0] !== NONE)) return false;
    const isLast = b === c.length || b === 0;
    const leaving = move === REDUCE && isLeaving ? top : NONE;
    if (!isLast && head !== 0 && leaving === NONE) return true;
    const isOver = b === 0 || (move === SHIFT && isLast);
    return canUnite(c, head, dependent, isOver ? 0 : c.length, leaving);
  }

  /** Is the top of the active stack on that stack only, so that REDUCE takes it away for good? */
  isLeaving(c: Configuration): boolean {
    return c.extra[0]!.subarray(0, inactive(c).size).indexOf(c.s(0)) < 0;
  }

  apply(c: Configuration, move: Move, label = NONE): void {
    const other = c.extra[0]!;
    const { size, plane } = inactive(c);
    switch (move) {
      case SHIFT:
        other[size] = c.b(0);
        c.shift();
        setInactive(c, size + 1, plane, false);
        return;
      case SWITCH:
        for (let i = 0; i < Math.max(size, c.stackSize); i++) {
          const node = other[i]!;
          other[i] = c.stack[i]!;
          c.stack[i] = node;
        }
        setInactive(c, c.stackSize, 1 - plane, true);
        c.stackSize = size;
        c.version++;
        return;
      case REDUCE:
        if (this.isLeaving(c)) c.where[c.s(0)] = GONE;
        c.stackSize--;
        break;
      default:
        c.addArc(this.head(c, move), this.dependent(c, move), label);
    }
    setInactive(c, size, plane, false);
    c.version++;
  }

  head(c: Configuration, move: Move): number {
    return move === LEFT_ARC ? c.b(0) : move === RIGHT_ARC ? c.s(0) : NONE;
  }

  dependent(c: Configuration, move: Move): number {
    return move === LEFT_ARC ? c.s(0) : move === RIGHT_ARC ? c.b(0) : NONE;
  }
}
