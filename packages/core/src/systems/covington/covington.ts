// Covington's system (Covington 2001, with lists as in Nivre 2008).  c = (λ1, λ2, β, A)
//   SHIFT        (λ1, λ2, j|β, A)     ⇒ (λ1·λ2|j, [], β, A)
//   NO-ARC       (λ1|i, λ2, β, A)     ⇒ (λ1, i|λ2, β, A)
//   LEFT-ARC_l   (λ1|i, λ2, j|β, A)   ⇒ (λ1, i|λ2, j|β, A ∪ {j →l i})   i ≠ 0, i has no head, no path from i to j
//   RIGHT-ARC_l  (λ1|i, λ2, j|β, A)   ⇒ (λ1, i|λ2, j|β, A ∪ {i →l j})   j ≠ 0, j has no head, no path from j to i
// Terminal: buffer empty, and what has no head is attached to 0. With the root last 0 is shifted as the words are.
// Builds all trees; O(n²) transitions at worst.
//
// λ1·λ2 is always the part of the sentence before j, in order. So the stack of the configuration holds both lists, and
// its size, the place of i, is where λ1 ends.

import { canUnite, mayAttach, topOf } from "../acyclic-arcs.js";
import { type Configuration, NONE, ON_STACK } from "../configuration.js";
import { FixedMovesSystem, type SystemDescription } from "../system.js";
import { FIRST_FREE_KIND, LEFT_ARC, type Move, nameOf, RIGHT_ARC, SHIFT } from "../transition.js";
import { CovingtonKnownHeads } from "./covington-known-heads.js";

export const NO_ARC = FIRST_FREE_KIND;

export const covington: SystemDescription = {
  name: "covington",
  title: "Covington",
  reference: "Covington 2001, Nivre 2008",
  settings: [],
  create: (options) => new Covington(options),
  attachesToSpines: false,
  reordersWords: false,
  leavesHeadless: true,
  changesByMethods: true,
  stackTitle: "λ1",
  lists: (c) => ({ λ2: Array.from(c.stack.subarray(c.stackSize, readSoFar(c))) }),
  // Arcs out of 0 are never out of reach: what has no head is attached to 0 at the end.
  risks(system, c, move, arcs) {
    const { heads } = arcs;
    const i = c.s(0);
    const j = c.b(0);
    const loseIfWanted = (head: number, word: number) => {
      if (head > 0 && word > 0 && heads[word] === head && c.heads[word] === NONE) arcs.lose(word);
    };
    if (move === SHIFT) {
      if (isInFirstList(c, heads[j]!)) loseIfWanted(heads[j]!, j);
      for (let k = 0; k < c.stackSize; k++) loseIfWanted(j, c.stack[k]!);
    } else if (move === NO_ARC) {
      loseIfWanted(i, j);
      loseIfWanted(j, i);
    } else {
      // The top of the tree that grows cannot hang on what is below it now.
      const top = topOf(c, system.head(c, move));
      if (top > 0 && heads[top]! > 0 && topOf(c, heads[top]!) === system.dependent(c, move))
        loseIfWanted(heads[top]!, top);
    }
  },
  knownHeads: (system) => new CovingtonKnownHeads(system, NO_ARC),
};

/** How many nodes the two lists have. */
function readSoFar(c: Configuration): number {
  return c.front + (c.rootPlace === 0 && c.where[0] === ON_STACK ? 1 : 0);
}

/** Is a node in λ1? */
export function isInFirstList(c: Configuration, node: number): boolean {
  return node === 0 ? c.stackSize > 0 && c.stack[0] === 0 : node > 0 && node <= c.s(0);
}

export class Covington extends FixedMovesSystem {
  readonly description: SystemDescription = covington;
  readonly moves: readonly Move[] = [LEFT_ARC, RIGHT_ARC, NO_ARC, SHIFT];

  override get looksAtAllArcs(): boolean {
    return true;
  }

  override nameOf(move: Move): string {
    return move === NO_ARC ? "NO-ARC" : nameOf(move);
  }

  isTerminal(c: Configuration): boolean {
    return c.bufferSize === 0;
  }

  permits(c: Configuration, move: Move): boolean {
    if (c.bufferSize === 0) return false;
    switch (move) {
      case SHIFT:
        break;
      case NO_ARC:
        if (c.stackSize === 0) return false;
        break;
      case LEFT_ARC:
      case RIGHT_ARC:
        if (!mayAttach(c, this.head(c, move), this.dependent(c, move))) return false;
        break;
      default:
        return false;
    }
    return !this.singleRoot || this.keepsOneRoot(c, move);
  }

  // As long as the last word has not begun to pass the others, it can still collect them all.
  private keepsOneRoot(c: Configuration, move: Move): boolean {
    const head = this.head(c, move);
    if (head === 0 && (c.leftmost[0] !== NONE || c.rightmost[0] !== NONE)) return false;
    if (c.b(0) !== c.length) return true;
    return canUnite(c, head, this.dependent(c, move), move === SHIFT ? 0 : c.s(0));
  }

  apply(c: Configuration, move: Move, label = NONE): void {
    if (move === SHIFT) {
      c.stackSize = readSoFar(c);
      c.shift();
      return;
    }
    if (move !== NO_ARC) c.addArc(this.head(c, move), this.dependent(c, move), label);
    c.version++;
    c.stackSize--;
  }

  head(c: Configuration, move: Move): number {
    return move === LEFT_ARC ? c.b(0) : move === RIGHT_ARC ? c.s(0) : NONE;
  }

  dependent(c: Configuration, move: Move): number {
    return move === LEFT_ARC ? c.s(0) : move === RIGHT_ARC ? c.b(0) : NONE;
  }
}
