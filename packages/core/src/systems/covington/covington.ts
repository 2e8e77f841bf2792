// Covington's system (Covington 2001, with lists as in Nivre 2008).  c = (λ1, λ2, β, A)
//   SHIFT        (λ1, λ2, j|β, A)     ⇒ (λ1·λ2|j, [], β, A)
//   NO-ARC       (λ1|i, λ2, β, A)     ⇒ (λ1, i|λ2, β, A)
//   LEFT-ARC_l   (λ1|i, λ2, j|β, A)   ⇒ (λ1, i|λ2, j|β, A ∪ {j →l i})   i ≠ 0, i has no head, no path from i to j
//   RIGHT-ARC_l  (λ1|i, λ2, j|β, A)   ⇒ (λ1, i|λ2, j|β, A ∪ {i →l j})   j ≠ 0, j has no head, no path from j to i
// and with monotonic: false (Fernández-González & Gómez-Rodríguez 2017), where arcs repair those built before:
//   LEFT-ARC_l   also if i has a head, which is taken from it; if a path leads from i to j, j loses its head
//   RIGHT-ARC_l  also if j has a head, which is taken from it; if a path leads from j to i, i loses its head
// Terminal: buffer empty, and what has no head is attached to 0. With the root last 0 is shifted as the words are.
// Builds all trees; O(n²) transitions at worst.
//
// λ1·λ2 is always the part of the sentence before j, in order. So the stack of the configuration holds both lists, and
// its size, the place of i, is where λ1 ends.

import { canUnite, mayAttach, topOf } from "../acyclic-arcs.js";
import { type Configuration, NONE, ON_STACK } from "../configuration.js";
import type { SystemOptions } from "../settings.js";
import { FixedMovesSystem, type KnownHeads, type SystemDescription } from "../system.js";
import { FIRST_FREE_KIND, LEFT_ARC, type Move, nameOf, RIGHT_ARC, SHIFT } from "../transition.js";
import { CovingtonKnownHeads } from "./covington-known-heads.js";

export const NO_ARC = FIRST_FREE_KIND;

export const covington: SystemDescription = {
  name: "covington",
  title: "Covington",
  reference: "Covington 2001, Nivre 2008",
  settings: [
    {
      name: "monotonic",
      title: "Arcs stay",
      help: "arcs may replace heads and break cycles",
      values: [true, false],
      changes: "transitions",
    },
  ],
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
    const { monotonic } = system as Covington;
    const i = c.s(0);
    const j = c.b(0);
    const loseIfWanted = (head: number, word: number) => {
      const isOpen = monotonic ? c.heads[word] === NONE : c.heads[word] !== head;
      if (head > 0 && word > 0 && heads[word] === head && isOpen) arcs.lose(word);
    };
    if (move === SHIFT) {
      if (isInFirstList(c, heads[j]!)) loseIfWanted(heads[j]!, j);
      for (let k = 0; k < c.stackSize; k++) loseIfWanted(j, c.stack[k]!);
    } else if (move === NO_ARC) {
      loseIfWanted(i, j);
      loseIfWanted(j, i);
    } else {
      const head = system.head(c, move);
      const dependent = system.dependent(c, move);
      if (!monotonic) {
        // The words of the pair do not meet again.
        loseIfWanted(dependent, head);
        if (isAbove(c, dependent, head) && c.heads[head] === heads[head]) arcs.lose(head);
        return;
      }
      // The top of the tree that grows cannot hang on what is below it now.
      const top = topOf(c, head);
      if (top > 0 && heads[top]! > 0 && topOf(c, heads[top]!) === dependent) loseIfWanted(heads[top]!, top);
    }
  },
  knownHeads: (system: Covington) => strictlyKnownHeads(system),
};

/** With known heads, words keep the heads that they get. */
function strictlyKnownHeads(system: Covington): KnownHeads {
  const { root, singleRoot, monotonic } = system;
  if (monotonic) return new CovingtonKnownHeads(system, NO_ARC);
  const strict = new Covington({ root, singleRoot });
  const known = new CovingtonKnownHeads(strict, NO_ARC);
  return {
    bind: (tree) => known.bind(tree),
    isPossible: () => known.isPossible(),
    keeps: (c, move) => strict.permits(c, move) && known.keeps(c, move),
  };
}

/** Does a path lead down from a word to another? */
function isAbove({ heads }: Configuration, word: number, other: number): boolean {
  let node = other;
  while (node > 0 && node !== word) node = heads[node]!;
  return node === word;
}

/** How many nodes the two lists have. */
function readSoFar(c: Configuration): number {
  return c.front + (c.rootPlace === 0 && c.where[0] === ON_STACK ? 1 : 0);
}

/** Is a node in λ1? */
export function isInFirstList(c: Configuration, node: number): boolean {
  return node === 0 ? c.stackSize > 0 && c.stack[0] === 0 : node > 0 && node <= c.s(0);
}

/** Have two nodes yet to pass each other? */
export function pass(system: Covington, c: Configuration, one: number, other: number): boolean {
  const front = c.b(0);
  if (front === NONE) return false;
  if (one === front || other === front) {
    const behind = one === front ? other : one;
    return isInFirstList(c, behind) || isAhead(system, c, behind);
  }
  return isAhead(system, c, one) || isAhead(system, c, other);
}

/** Is a node in the buffer, behind its front? */
export function isAhead(system: Covington, c: Configuration, node: number): boolean {
  const front = c.b(0);
  return node === 0 ? system.root === "last" && front !== 0 : front !== 0 && node > front;
}

export class Covington extends FixedMovesSystem {
  readonly description: SystemDescription = covington;
  readonly moves: readonly Move[] = [LEFT_ARC, RIGHT_ARC, NO_ARC, SHIFT];
  readonly monotonic: boolean;

  constructor(options: SystemOptions = {}) {
    super(options);
    this.monotonic = options.monotonic !== false;
  }

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
        if (!this.attaches(c, this.head(c, move), this.dependent(c, move))) return false;
        break;
      default:
        return false;
    }
    return !this.singleRoot || this.keepsOneRoot(c, move);
  }

  private attaches(c: Configuration, head: number, dependent: number): boolean {
    return this.monotonic ? mayAttach(c, head, dependent) : dependent > 0 && head !== NONE;
  }

  // As long as the last word has not begun to pass the others, it can still collect them all.
  private keepsOneRoot(c: Configuration, move: Move): boolean {
    if (!this.monotonic) return this.canStillUnite(c, move);
    const head = this.head(c, move);
    if (head === 0 && (c.leftmost[0] !== NONE || c.rightmost[0] !== NONE)) return false;
    if (c.b(0) !== c.length) return true;
    return canUnite(c, head, this.dependent(c, move), move === SHIFT ? 0 : c.s(0));
  }

  // Where heads can be replaced the last word collects whatever it still meets, from wherever it hangs. One root that
  // it has passed may stay, if it can come below that.
  private canStillUnite(c: Configuration, move: Move): boolean {
    const last = c.length;
    if (c.b(0) === 0) return move !== LEFT_ARC || c.heads[c.s(0)] === NONE;
    if (c.b(0) !== last) return true;
    const limit = move === SHIFT ? 0 : c.s(0);
    const head = this.head(c, move);
    const dependent = this.dependent(c, move);
    const freed = dependent > 0 && isAbove(c, dependent, head) ? head : NONE;
    const headOf = (word: number) => (word === dependent ? head : word === freed ? NONE : c.heads[word]!);
    const top = (word: number): number => (headOf(word) > 0 ? top(headOf(word)) : word);
    let beyond = NONE;
    for (let word = Math.max(1, limit); word < last; word++) {
      if (headOf(word) > 0) continue;
      if (beyond !== NONE) return false;
      beyond = word;
    }
    if (beyond === NONE || top(last) === beyond) return true;
    for (let word = 1; word < limit; word++) if (top(word) === beyond) return true;
    return false;
  }

  apply(c: Configuration, move: Move, label = NONE): void {
    if (move === SHIFT) {
      c.stackSize = readSoFar(c);
      c.shift();
      return;
    }
    if (move !== NO_ARC) {
      const head = this.head(c, move);
      const dependent = this.dependent(c, move);
      if (!this.monotonic) {
        if (isAbove(c, dependent, head)) c.removeArc(head);
        if (c.heads[dependent] !== NONE) c.removeArc(dependent);
      }
      c.addArc(head, dependent, label);
    }
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
