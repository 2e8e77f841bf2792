import { projectiveOrder } from "../../treebank/tree.js";
import { type Configuration, NONE } from "../configuration.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import type { LossBounds } from "../oracles/oracle.js";
import type { TransitionSystem } from "../system.js";
import type { Move } from "../transition.js";
import { lostSoFar } from "./bottom-up.js";

/** The wanted head of a word that must end up on 0. */
export const ROOT = -2;

/** Which words change places: those that are not in the order of the tree, none, or all that may. */
const WAYS = ["by order", "never", "wherever permitted"] as const;

/** One of the ways to the end. */
export type Way = (typeof WAYS)[number];

/**
 * Bounds of the loss where words are attached bottom-up and may change places, each pair once (swap, arc-hybrid with
 * SWAP); no quick way to the loss itself is known. It is at least the number of gold arcs whose words are attached or
 * gone, and at most what the best of three ways to the end loses. All ways attach a complete word to its gold head, or
 * to any if its gold head has gone, as soon as they can, and differ in when they swap:
 *
 *   1. As the eager oracle (Nivre 2009) for the gold arcs that are left: where two words are not in the order in which
 *      these arcs are projective. The words are taken in the order in which they are now, for those that have been
 *      swapped stay so.
 *   2. Never.
 *   3. Wherever permitted: what has been covered comes to light again.
 *
 * Where a way is stuck, it builds the arc that loses least. O(n + swaps) each.
 */
export abstract class ReorderingBounds implements LossBounds {
  least = 0;
  most = 0;
  first: Move = NONE;
  protected gold!: GoldTree;
  /** Where 0 may take several words: below all others, or after them. */
  protected readonly collects: "first" | "last" | undefined;
  /** How many of the words that are left are on the stack, … */
  protected stacked = 0;
  /** … the words by their present places, counted from 1, and their gold heads as places. */
  protected words = new Int32Array(0);
  protected wanted = new Int32Array(0);
  private place = new Int32Array(0);
  private waitedFor = new Int32Array(0);
  // While a way is followed; the front of the buffer is at its end.
  protected stack = new Int32Array(0);
  protected buffer = new Int32Array(0);
  protected waiting = new Int32Array(0);
  private gone = new Uint8Array(0);
  private free = new Uint8Array(0);

  /** @param countsRoots whether arcs out of 0 count although the root is `none`, and convention alone builds them. */
  constructor(
    protected readonly system: TransitionSystem,
    private readonly countsRoots = false,
    private readonly ways: readonly Way[] = WAYS,
  ) {
    const { root, singleRoot } = system;
    this.collects = singleRoot || root === "none" ? undefined : root;
  }

  bind(gold: GoldTree): void {
    this.gold = gold;
    const needed = gold.length + 2;
    if (this.stack.length >= needed) return;
    const capacity = 2 * needed;
    this.words = new Int32Array(capacity);
    this.place = new Int32Array(capacity);
    this.wanted = new Int32Array(capacity);
    this.waitedFor = new Int32Array(capacity);
    this.stack = new Int32Array(capacity);
    this.buffer = new Int32Array(capacity);
    this.waiting = new Int32Array(capacity);
    this.gone = new Uint8Array(capacity);
    this.free = new Uint8Array(capacity);
  }

  // Up to the first way that loses no more than is lost for certain.
  find(c: Configuration): void {
    const { system, wanted } = this;
    const count = this.number(c);
    const already = lostSoFar(c, this.gold, system.root);
    const unavoidable = this.outOfReach(count);
    const rank = projectiveOrder(wanted.slice(0, count + 1).map(wholeTree));
    this.most = Number.POSITIVE_INFINITY;
    for (const way of this.ways) {
      this.begin(count);
      this.follow(way, rank);
      if (this.most === unavoidable) break;
    }
    this.most += already;
    this.least = already + unavoidable;
  }

  /** Follow a way to the end with `stacked` words on the stack and the others in the buffer, and `settle` it. */
  protected abstract follow(way: Way, rank: Int32Array): void;

  /** A way has come to its end: is it the best so far? */
  protected settle(lost: number, first: Move): void {
    if (lost >= this.most) return;
    this.most = lost;
    this.first = first;
  }

  private begin(count: number): void {
    const { stack, buffer, stacked } = this;
    this.waiting.set(this.waitedFor.subarray(0, count + 1));
    this.gone.fill(0, 0, count + 1);
    this.free.fill(0, 0, count + 1);
    for (let i = 0; i < stacked; i++) stack[i] = i + 1;
    this.ahead = 0;
    for (let i = count; i > stacked; i--) buffer[this.ahead++] = i;
  }

  /** How many words are in the buffer where a way begins. */
  protected ahead = 0;

  /** Can the gold arc into a word still be built, as far as is told by this arc alone? */
  protected isWithinReach(_d: number): boolean {
    return true;
  }

  /** The gold arcs between words that are left, or from 0 to them, of which it is certain that they are lost. */
  private outOfReach(count: number): number {
    let lost = 0;
    let roots = 0;
    for (let d = 1; d <= count; d++) {
      if (this.wanted[d] === NONE) continue;
      if (!this.isWithinReach(d)) lost++;
      else if (this.wanted[d] === ROOT) roots++;
    }
    return lost + (this.system.singleRoot ? Math.max(0, roots - 1) : 0);
  }

  /** The gold head of a word as long as it is there and not given up. */
  protected head(i: number): number {
    const head = this.wanted[i]!;
    return this.free[i] === 1 || (head > 0 && this.gone[head] === 1) ? NONE : head;
  }

  /** Give up the arc into a word. */
  protected release(d: number): void {
    const head = this.head(d);
    if (head > 0) this.waiting[head]!--;
    this.free[d] = 1;
  }

  /** Gold arcs that are lost when word d gets the head h. */
  protected price(h: number, d: number): number {
    const head = this.head(d);
    return this.waiting[d]! + (head !== NONE && head !== h ? 1 : 0);
  }

  protected attach(d: number): void {
    const head = this.head(d);
    if (head > 0) this.waiting[head]!--;
    this.gone[d] = 1;
  }

  /**
   * Number the words that are left from 1, in their present order, with their gold heads; returns how many there are.
   */
  protected number(c: Configuration): number {
    const { words, place, wanted, waitedFor, gold } = this;
    const rootHead = this.system.root === "none" && !this.countsRoots ? NONE : ROOT;
    place.fill(NONE, 0, gold.length + 1);
    let count = 0;
    for (let i = 0; i < c.stackSize; i++) if (c.stack[i] !== 0) words[++count] = c.stack[i]!;
    this.stacked = count;
    for (let i = c.front; i < c.end; i++) if (c.buffer[i] !== 0) words[++count] = c.buffer[i]!;
    for (let i = 1; i <= count; i++) place[words[i]!] = i;
    waitedFor.fill(0, 0, count + 1);
    for (let i = 1; i <= count; i++) {
      const head = gold.heads[words[i]!]!;
      wanted[i] = head > 0 ? place[head]! : head === 0 ? rootHead : NONE;
      if (wanted[i]! > 0) waitedFor[wanted[i]!]!++;
    }
    return count;
  }
}

/** Hangs the words that have no other head on 0. */
function wholeTree(head: number, i: number): number {
  return i === 0 ? NONE : Math.max(0, head);
}
