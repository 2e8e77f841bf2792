import { projectiveOrder } from "../../treebank/tree.js";
import { Configuration, NONE, ON_STACK } from "../configuration.js";
import { type BottomUpLoss, isComplete } from "../losses/bottom-up.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import type { KnownHeads, TransitionSystem } from "../system.js";
import { isArc, type Move } from "../transition.js";
import { runAhead } from "./bottom-up-known-heads.js";

/** The wanted head of a word that must end up on 0. */
const ROOT = -2;

/**
 * Which moves of swap keep a partial tree within reach: those after which one of three ways on leads to the end. Each
 * way is a function of the configuration, so where one leads to the end its next move is kept as well, and a search is
 * never stuck.
 *
 *   1. No SWAP any more: the run of arc-standard.
 *   2. The eager oracle (Nivre 2009) for the tree in which all free words hang on 0: SWAP where the two topmost words
 *      are not in the order of that tree. The words are taken in the order in which they are now, for those that have
 *      been swapped stay so. No move of this way changes the order of the others. Free words that are complete are
 *      attached at once.
 *   3. SWAP wherever it is permitted and no arc can be built: what has been covered comes to light again.
 *
 * There can be other ways, so a few moves are refused that need not be. O(n + swaps) a move.
 */
export class SwapKnownHeads implements KnownHeads {
  private tree!: GoldTree;
  private readonly ahead: BottomUpLoss;
  /** Where 0 may take several words: below all others, or after them. */
  private readonly collects: "first" | "last" | undefined;
  private readonly after = new Configuration();
  private stacked = 0;
  private stack = new Int32Array(0);
  private buffer = new Int32Array(0);
  private words = new Int32Array(0);
  private place = new Int32Array(0);
  private head = new Int32Array(0);
  private waiting = new Int32Array(0);

  constructor(private readonly system: TransitionSystem) {
    const { root, singleRoot } = system;
    this.ahead = runAhead(system, 1);
    this.collects = singleRoot || root === "none" ? undefined : root;
  }

  bind(tree: GoldTree): void {
    this.tree = tree;
    this.ahead.bind(tree);
    if (this.stack.length >= tree.length + 2) return;
    const capacity = 2 * (tree.length + 2);
    this.stack = new Int32Array(capacity);
    this.buffer = new Int32Array(capacity);
    this.words = new Int32Array(capacity);
    this.place = new Int32Array(capacity);
    this.head = new Int32Array(capacity);
    this.waiting = new Int32Array(capacity);
  }

  isPossible(): boolean {
    return true;
  }

  keeps(c: Configuration, move: Move): boolean {
    const { tree, system, after } = this;
    if (isArc(move)) {
      const dependent = system.dependent(c, move);
      const wanted = tree.heads[dependent]!;
      if ((wanted !== NONE && wanted !== system.head(c, move)) || !isComplete(c, tree, dependent)) return false;
    }
    after.copyFrom(c);
    system.apply(after, move);
    return this.ahead.reaches(after, NONE, false) || this.canBeSorted(after, true) || this.canBeSorted(after, false);
  }

  /** The second way, or the third one. */
  private canBeSorted(c: Configuration, byOrder: boolean): boolean {
    const { stack, buffer, words, head, waiting } = this;
    const count = this.number(c);
    const rank = byOrder ? projectiveOrder(head.slice(0, count + 1).map(wholeTree)) : undefined;
    let size = 0;
    // The front of the buffer is at its end.
    let rest = 0;
    for (let i = 1; i <= this.stacked; i++) stack[size++] = i;
    for (let i = count; i > this.stacked; i--) buffer[rest++] = i;
    // Once 0 is on top of the words, all it can do is take them one by one.
    if (this.collects === "last" && c.where[0] === ON_STACK) return this.areAllForRoot(size);
    for (;;) {
      if (size > 1) {
        const s = stack[size - 1]!;
        const t = stack[size - 2]!;
        if (waiting[t] === 0 && (head[t] === NONE || head[t] === s)) {
          if (head[t] === s) waiting[s]!--;
          stack[--size - 1] = s;
          continue;
        }
        if (waiting[s] === 0 && (head[s] === NONE || head[s] === t)) {
          if (head[s] === t) waiting[t]!--;
          size--;
          continue;
        }
        if (words[t]! < words[s]! && !(rank && rank[t]! < rank[s]!)) {
          stack[--size - 1] = s;
          buffer[rest++] = t;
          continue;
        }
      }
      if (size === 1 && this.collects === "first" && waiting[stack[0]!] === 0 && head[stack[0]!]! < 0) {
        size--;
        continue;
      }
      if (rest === 0) return size <= 1 || (this.collects === "last" && this.areAllForRoot(size));
      stack[size++] = buffer[--rest]!;
    }
  }

  /** May 0, which comes next, take all words on the stack? */
  private areAllForRoot(size: number): boolean {
    for (let i = 0; i < size; i++)
      if (this.waiting[this.stack[i]!]! > 0 || this.head[this.stack[i]!]! >= 0) return false;
    return true;
  }

  /**
   * Number the words that are left from 1, in their present order, with their wanted heads; returns how many there are.
   */
  private number(c: Configuration): number {
    const { words, place, head, waiting, tree } = this;
    let count = 0;
    for (let i = 0; i < c.stackSize; i++) if (c.stack[i] !== 0) words[++count] = c.stack[i]!;
    this.stacked = count;
    for (let i = c.front; i < c.end; i++) if (c.buffer[i] !== 0) words[++count] = c.buffer[i]!;
    for (let i = 1; i <= count; i++) {
      place[words[i]!] = i;
      waiting[i] = 0;
    }
    for (let i = 1; i <= count; i++) {
      const wanted = tree.heads[words[i]!]!;
      head[i] = wanted > 0 ? place[wanted]! : wanted === 0 ? ROOT : NONE;
      if (head[i]! > 0) waiting[head[i]!]!++;
    }
    return count;
  }
}

/** Hangs the words that have no other head on 0. */
function wholeTree(head: number, i: number): number {
  return i === 0 ? NONE : Math.max(0, head);
}
