// Root last: 0 is on the stack, with words X below it and words Y above it or on the auxiliary stack. Nothing is left
// in the buffer, and 0 is never extracted, so that of X only the nodes within reach of a word right above 0 can be
// seen.
//
// As soon as all of Y has left the stack, or all of X has gone, every order is possible again, and nothing more need be
// lost. Until then the words of Y can be brought into any order, any of them with all others on the auxiliary stack,
// and there are three kinds of steps:
//   - arcs within Y, which cost nothing if they are gold and their dependents complete;
//   - an arc from a word of Y to a node of X within reach, which then goes; it loses what that node waits for;
//   - an arc from 0, or from a node of X within reach, to the only word of Y on the stack: that is the end of it. It
//     loses the dependents of the word in X, and those in Y of which a descendant in Y waits for one in X.
// If one root is required, 0 takes no word before the last, and an arc out of 0 that cannot be built is a loss only if
// no other is left: of several all but one are lost anyway.

import { type Configuration, NONE, ON_STACK } from "../configuration.js";
import { BestFirst } from "../losses/best-first.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import { leftArc, type Move, rightArc } from "../transition.js";
import { type AttardiAuxiliary, auxiliarySize } from "./attardi-auxiliary.js";
import { bringTogether, depthOf } from "./bring-together.js";

/** How many sets of nodes of X a search looks at. With degree 2 there are as many as X has nodes. */
const LIMIT = 2000;

/** Is 0 on the stack between words? */
export function isCovered({ root }: AttardiAuxiliary, c: Configuration): boolean {
  if (root !== "last" || c.where[0] !== ON_STACK) return false;
  return c.stack[0] !== 0 && c.s(0) !== 0;
}

/** The rest of X, from the bottom; the word that ends it, NONE if it is still on; the node that went first. */
interface State {
  readonly below: readonly number[];
  readonly last: number;
  readonly first: number;
}

/** The cheapest way to get 0 to the top or to the bottom of the stack. */
export class Uncovering {
  /** Is the number given last exact, or only an upper bound? */
  exact = true;
  private gold!: GoldTree;

  constructor(private readonly system: AttardiAuxiliary) {}

  bind(gold: GoldTree): void {
    this.gold = gold;
  }

  /** How many gold arcs it loses. */
  least(c: Configuration): number {
    return this.search(c).cost;
  }

  /** Its next move. The way depends on what is in X and Y, and not on the order of Y, so that it is kept to. */
  next(c: Configuration): Move {
    const { gold } = this;
    const { state } = this.search(c);
    const above = wordsAbove(c);
    if (state.first !== NONE) {
      const wanted = gold.heads[state.first]!;
      const head = wanted > 0 && above.has(wanted) ? wanted : Math.min(...above);
      return this.isAlone(c, head) ? leftArc(depthOf(c, state.first)) : bringTogether(c, head, NONE);
    }
    // A word that can be completed goes to the last word before its own arc.
    const blocked = this.blockedBy(state.below, above);
    const openDependent = (node: number) =>
      this.dependentsOf(node).find((d) => above.has(d) && !blocked.has(d) && c.heads[d] === NONE) ?? NONE;
    let head = state.last;
    let dependent = openDependent(head);
    if (dependent !== NONE) {
      for (let d = openDependent(dependent); d !== NONE; d = openDependent(d)) {
        head = dependent;
        dependent = d;
      }
      if (c.s(0) === head && c.s(1) === dependent) return leftArc(1);
      if (c.s(0) === dependent && c.s(1) === head) return rightArc(1);
      return bringTogether(c, head, dependent);
    }
    if (!this.isAlone(c, head)) return bringTogether(c, head, NONE);
    const wanted = gold.heads[head]!;
    const depth = wanted > 0 ? depthOf(c, wanted) : NONE;
    return rightArc(depth > 0 && depth <= this.system.degree ? depth : this.system.singleRoot ? 2 : 1);
  }

  private isAlone(c: Configuration, word: number): boolean {
    return c.s(0) === word && c.s(1) === 0;
  }

  private search(c: Configuration): { cost: number; state: State } {
    const above = wordsAbove(c);
    const agenda = new BestFirst<State>("search below 0 in Attardi's system");
    const seen = new Set<string>();
    const zero = c.stack.indexOf(0);
    agenda.add({ below: Array.from(c.stack.subarray(0, zero)), last: NONE, first: NONE }, 0);
    this.exact = true;
    for (;;) {
      const state = agenda.take();
      const { below, last, first } = state;
      if (last !== NONE || below.length === 0) return { cost: agenda.cost, state };
      const key = below.join();
      if (seen.has(key)) continue;
      seen.add(key);
      this.exact = seen.size <= LIMIT;
      const { word, price } = this.cheapestLast(c, below, above);
      agenda.add({ below, last: word, first }, agenda.cost + price);
      if (!this.exact) continue;
      for (let i = Math.max(0, below.length - this.system.degree + 1); i < below.length; i++) {
        const rest = below.filter((_, k) => k !== i);
        const lost = this.lostWith(c, below[i]!, below, above);
        agenda.add({ below: rest, last: NONE, first: first === NONE ? below[i]! : first }, agenda.cost + lost);
      }
    }
  }

  /** The loss when a node of X is attached to a word of Y. */
  private lostWith(c: Configuration, node: number, below: readonly number[], above: ReadonlySet<number>): number {
    const wanted = this.gold.heads[node]!;
    let lost = below.includes(wanted) || (wanted === 0 && !this.hasOtherRoot(node, below, above)) ? 1 : 0;
    for (const d of this.dependentsOf(node)) {
      if (c.heads[d] === NONE && (above.has(d) || below.includes(d))) lost++;
    }
    return lost;
  }

  /** The word of Y whose arc from 0, or from a node of X within reach, loses least, and how much that is. */
  private cheapestLast(
    c: Configuration,
    below: readonly number[],
    above: ReadonlySet<number>,
  ): { word: number; price: number } {
    const blocked = this.blockedBy(below, above);
    const withinReach = below.slice(Math.max(0, below.length - this.system.degree + 1));
    let word = NONE;
    let price = Number.POSITIVE_INFINITY;
    for (const y of [...above].sort((a, b) => a - b)) {
      const wanted = this.gold.heads[y]!;
      let lost = above.has(wanted) || (below.includes(wanted) && !withinReach.includes(wanted)) ? 1 : 0;
      if (wanted === 0 && this.system.singleRoot && !this.hasOtherRoot(y, below, above)) lost++;
      for (const d of this.dependentsOf(y)) if (c.heads[d] === NONE && (below.includes(d) || blocked.has(d))) lost++;
      if (lost >= price) continue;
      price = lost;
      word = y;
    }
    return { word, price };
  }

  /** With one root: can another word still have the arc out of 0? */
  private hasOtherRoot(word: number, below: readonly number[], above: ReadonlySet<number>): boolean {
    const isLeft = (d: number) => d !== word && (above.has(d) || below.includes(d));
    return this.system.singleRoot && this.dependentsOf(0).some(isLeft);
  }

  /** The words of Y that wait for a node of X, or for a word that does. */
  private blockedBy(below: readonly number[], above: ReadonlySet<number>): Set<number> {
    const blocked = new Set<number>();
    for (const x of below) {
      for (let h = this.gold.heads[x]!; above.has(h) && !blocked.has(h); h = this.gold.heads[h]!) blocked.add(h);
    }
    return blocked;
  }

  private dependentsOf(node: number): number[] {
    const { start, dependents } = this.gold;
    return Array.from(dependents.subarray(start[node]!, start[node + 1]!));
  }
}

/** Y: the words above 0 and on the auxiliary stack. */
function wordsAbove(c: Configuration): Set<number> {
  const above = new Set<number>(c.stack.subarray(c.stack.indexOf(0) + 1, c.stackSize));
  for (let i = 1; i <= auxiliarySize(c); i++) above.add(c.extra[0]![i]!);
  return above;
}
