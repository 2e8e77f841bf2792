import { projectiveOrder } from "../../treebank/tree.js";
import { type Configuration, NONE, ON_STACK } from "../configuration.js";
import { lostSoFar } from "../losses/bottom-up.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import type { LossBounds } from "../oracles/oracle.js";
import type { TransitionSystem } from "../system.js";
import { LEFT_ARC, type Move, RIGHT_ARC, SHIFT, SWAP } from "../transition.js";

/** The wanted head of a word that must end up on 0. */
const ROOT = -2;

/** Which words change places: those that are not in the order of the tree, none, or all that may. */
const WAYS = ["by order", "never", "wherever permitted"] as const;

/**
 * Bounds of the loss of any configuration of swap; no quick way to the loss itself is known. It is at least the number
 * of gold arcs whose words are attached or gone, and at most what the best of three ways to the end loses. All ways
 * attach a complete word to its gold head, or to any if its gold head has gone, as soon as they can, and differ in when
 * they swap:
 *
 *   1. As the eager oracle (Nivre 2009) for the gold arcs that are left: where the two topmost words are not in the
 *      order in which these arcs are projective. The words are taken in the order in which they are now, for those that
 *      have been swapped stay so. At the end of the buffer: wherever permitted.
 *   2. Never, as arc-standard.
 *   3. Wherever permitted: what has been covered comes to light again.
 *
 * Where a way is stuck, it builds the arc that loses least. O(n + swaps) each.
 */
export class SwapBounds implements LossBounds {
  least = 0;
  most = 0;
  first: Move = NONE;
  private gold!: GoldTree;
  /** Where 0 may take several words: below all others, or after them. */
  private readonly collects: "first" | "last" | undefined;
  private stacked = 0;
  private words = new Int32Array(0);
  private place = new Int32Array(0);
  private wanted = new Int32Array(0);
  private waitedFor = new Int32Array(0);
  // While a way is followed.
  private stack = new Int32Array(0);
  private buffer = new Int32Array(0);
  private waiting = new Int32Array(0);
  private gone = new Uint8Array(0);

  constructor(private readonly system: TransitionSystem) {
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
  }

  // Up to the first way that loses no more than is lost for certain.
  find(c: Configuration): void {
    const { system, wanted } = this;
    const count = this.number(c);
    const already = lostSoFar(c, this.gold, system.root);
    if (this.collects === "last" && c.where[0] === ON_STACK) {
      // 0 takes all words that are left: nothing else is permitted.
      let given = 0;
      for (let i = 1; i <= count; i++) if (wanted[i]! > 0) given++;
      this.most = already + given;
      this.least = this.most;
      this.first = count > 0 ? LEFT_ARC : NONE;
      return;
    }
    const unavoidable = system.singleRoot ? this.rootsTooMany(count) : 0;
    const rank = projectiveOrder(wanted.slice(0, count + 1).map(wholeTree));
    this.most = Number.POSITIVE_INFINITY;
    for (const way of WAYS) {
      this.take(way, count, rank);
      if (this.most === unavoidable) break;
    }
    this.most += already;
    this.least = already + unavoidable;
  }

  /** With one root: how many of the words that should hang on 0 cannot. */
  private rootsTooMany(count: number): number {
    let roots = 0;
    for (let i = 1; i <= count; i++) if (this.wanted[i] === ROOT) roots++;
    return Math.max(0, roots - 1);
  }

  private take(way: (typeof WAYS)[number], count: number, rank: Int32Array): void {
    const { stack, buffer, words, waiting, gone } = this;
    waiting.set(this.waitedFor.subarray(0, count + 1));
    gone.fill(0, 0, count + 1);
    let size = 0;
    // The front of the buffer is at its end.
    let rest = 0;
    for (let i = 1; i <= this.stacked; i++) stack[size++] = i;
    for (let i = count; i > this.stacked; i--) buffer[rest++] = i;
    let lost = 0;
    let first = NONE;
    let move = NONE;
    for (;;) {
      if (first === NONE) first = move;
      if (size > 1) {
        const s = stack[size - 1]!;
        const t = stack[size - 2]!;
        const left = this.price(s, t);
        const right = this.price(t, s);
        const isStuck = rest === 0 && !(way !== "never" && words[t]! < words[s]!);
        if (isStuck && this.collects === "last") {
          // 0 comes next, and takes all that are left.
          let given = 0;
          for (let i = 0; i < size; i++) if (this.head(stack[i]!) > 0) given++;
          if (given <= Math.min(left, right)) {
            lost += given;
            move = SHIFT;
            size = 0;
            continue;
          }
        }
        if (left === 0 || (isStuck && left < right)) {
          lost += left;
          this.attach(t);
          stack[--size - 1] = s;
          move = LEFT_ARC;
          continue;
        }
        if (right === 0 || isStuck) {
          lost += right;
          this.attach(s);
          size--;
          move = RIGHT_ARC;
          continue;
        }
        const mayWait = way === "never" || (way === "by order" && rest > 0 && rank[t]! < rank[s]!);
        if (words[t]! < words[s]! && !mayWait) {
          stack[--size - 1] = s;
          buffer[rest++] = t;
          move = SWAP;
          continue;
        }
      } else if (size === 1 && this.collects === "first" && waiting[stack[0]!] === 0 && this.head(stack[0]!) < 0) {
        size--;
        move = RIGHT_ARC;
        continue;
      }
      if (rest === 0) break;
      stack[size++] = buffer[--rest]!;
      move = SHIFT;
    }
    if (lost >= this.most) return;
    this.most = lost;
    this.first = first;
  }

  /** The gold head of a word as long as it is there. */
  private head(i: number): number {
    const head = this.wanted[i]!;
    return head > 0 && this.gone[head] === 1 ? NONE : head;
  }

  /** Gold arcs that are lost when word d gets the head h. */
  private price(h: number, d: number): number {
    const head = this.head(d);
    return this.waiting[d]! + (head !== NONE && head !== h ? 1 : 0);
  }

  private attach(d: number): void {
    const head = this.head(d);
    if (head > 0) this.waiting[head]!--;
    this.gone[d] = 1;
  }

  /**
   * Number the words that are left from 1, in their present order, with their gold heads; returns how many there are.
   */
  private number(c: Configuration): number {
    const { words, place, wanted, waitedFor, gold } = this;
    const rootHead = this.system.root === "none" ? NONE : ROOT;
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
