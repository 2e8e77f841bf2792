// Loss in the systems that attach on the stack from the bottom up: arc-standard (degree 1) and Attardi's (degree 2 and 3).
//
// loss(c) = gold arcs lost so far + gold arcs between the nodes of γ = σβ that no continuation can all build. This file
// computes the second number, and does so on a small γ: nearly every configuration is decided without any search.
//
//   1. What no longer matters is taken out. A node is complete when none of its gold dependents is left in γ. Neighbours
//      in β of which one is complete and depends on the other are merged. A complete node whose gold head has gone is
//      dropped: any head will do for it, and there is always one within reach.
//   2. The parser is run on γ with the gold tree: attach what is complete to its gold head, drop what can be dropped, else
//      SHIFT. These steps never make anything worse (nodes only move closer together). If all of γ goes, nothing more is lost.
//   3. Otherwise something must be given up, and the cheapest way is searched for: best first over the configurations of
//      γ, branching only where step 2 would shift; every other arc costs at least 1. Each configuration is visited once.
//
// Steps 1 and 2 are Attardi's buffer reduction and reachability test (Gómez-Rodríguez, Sartorio & Satta 2014, section 5.2, thesis
// 5.2.3 and 5.3.5), with the errata that the reduction needs: merged nodes have their gold heads inside β.

import { type Configuration, GONE, NONE, type RootPosition } from "../configuration.js";
import type { FixedMovesSystem } from "../system.js";
import { kindOf, type Move, reachOf, SHIFT } from "../transition.js";
import { Ahead } from "./ahead.js";
import { Goal, type GoldTree } from "./gold-tree.js";
import type { DynamicOracle } from "./oracle.js";
import { Visited } from "./visited.js";

/** The gold head of a word that must end up on 0 while 0 itself is left out of γ. */
const ROOT = -2;

/**
 * How much a search looks at, in configurations of γ times nodes of γ, before it settles for a loss that some way leads to. For a γ
 * of up to 13 nodes that is enough for all its configurations, each a subset of the nodes shifted.
 */
const SEARCH_LIMIT = 400_000;

/** Step 3: what must be lost in a γ that step 2 does not get through. */
export type Cheapest = (problem: BottomUpLoss, projective: boolean) => number;

export class BottomUpLoss {
  private gold!: GoldTree;
  // γ: indices 0 … stacked - 1 are σ from the bottom, stacked … size - 1 are the reduced buffer. Gold heads are indices too.
  stacked = 0;
  size = 0;
  head = new Int32Array(0);
  /** Index in γ of node 0, NONE if it is not in it. */
  zero = NONE;
  private waiting = new Int32Array(0);
  private index = new Int32Array(0);
  private raw = new Int32Array(0);
  private stack = new Int32Array(0);
  private left = new Int32Array(0);

  constructor(
    private readonly degree: number,
    private readonly root: RootPosition,
    private readonly singleRoot: boolean,
  ) {}

  bind(gold: GoldTree): void {
    this.gold = gold;
    if (this.index.length < gold.length + 1) {
      const capacity = 2 * (gold.length + 1);
      this.index = new Int32Array(capacity).fill(NONE);
      this.head = new Int32Array(capacity);
      this.waiting = new Int32Array(capacity);
      this.raw = new Int32Array(capacity);
      this.stack = new Int32Array(capacity);
      this.left = new Int32Array(capacity);
    }
  }

  /**
   * How many gold arcs within γ must be lost, after the node `removed` (or NONE) was taken off the stack and, if `shifted`,
   * b0 was pushed.
   */
  unavoidable(c: Configuration, removed: number, shifted: boolean, cheapest: Cheapest): number {
    return this.reaches(c, removed, shifted) ? 0 : cheapest(this, this.gold.projective);
  }

  /** Can all gold arcs within γ still be built? (Arguments as above.) */
  reaches(c: Configuration, removed: number, shifted: boolean): boolean {
    this.reduce(c, removed, shifted);
    return this.size <= 1 || this.runsThrough();
  }

  private reduce(c: Configuration, removed: number, shifted: boolean): void {
    const { raw, index, waiting, head, gold } = this;
    const heads = gold.heads;
    // All nodes of σ and β, with 0 left out where it only ever takes the last node that remains.
    let count = 0;
    let stackCount = 0;
    const take = (node: number) => {
      if (node === removed || (node === 0 && this.singleRoot)) return;
      index[node] = count;
      raw[count++] = node;
    };
    for (let i = 0; i < c.stackSize; i++) take(c.stack[i]!);
    let first = c.front;
    if (shifted) take(c.buffer[first++]!);
    stackCount = count;
    for (let i = first; i < c.end; i++) take(c.buffer[i]!);

    waiting.fill(0, 0, count);
    const rootHead = this.singleRoot && this.root !== "none" ? ROOT : index[0]!;
    for (let i = 0; i < count; i++) {
      const node = raw[i]!;
      const wanted = heads[node]!;
      const h = wanted > 0 ? index[wanted]! : wanted === 0 ? rootHead : NONE;
      head[i] = h;
      if (h >= 0) waiting[h]!++;
    }

    // kept[0 … size - 1]: indices into raw that stay in γ. σ first, then β with its neighbours merged.
    const kept = this.stack;
    let size = 0;
    for (let i = 0; i < stackCount; i++) {
      // Once 0 is on top of words it is the only head that they can get, so it counts although it needs none of them.
      if (head[i] !== NONE || waiting[i] !== 0 || (raw[i] === 0 && this.root === "last")) kept[size++] = i;
    }
    const stacked = size;
    for (let i = stackCount; i < count; i++) {
      kept[size++] = i;
      while (size > stacked) {
        const top = kept[size - 1]!;
        if (waiting[top] === 0 && head[top] === NONE) {
          size--;
          continue;
        }
        if (size - 1 === stacked) break;
        const below = kept[size - 2]!;
        if (head[below] === top && waiting[below] === 0) {
          waiting[top]!--;
          kept[size - 2] = top;
          size--;
        } else if (head[top] === below && waiting[top] === 0) {
          waiting[below]!--;
          size--;
        } else break;
      }
    }

    // Renumber. Heads that were dropped or merged away cannot occur: both happen to complete nodes only.
    const number = this.left;
    for (let i = 0; i < size; i++) number[kept[i]!] = i;
    this.zero = NONE;
    for (let i = 0; i < size; i++) {
      const from = kept[i]!;
      if (raw[from] === 0) this.zero = i;
      const h = head[from]!;
      head[i] = h >= 0 ? number[h]! : h;
      waiting[i] = waiting[from]!;
    }
    for (let i = 0; i < count; i++) index[raw[i]!] = NONE;
    this.stacked = stacked;
    this.size = size;
  }

  /** Step 2: does the parser get through γ without giving up an arc? */
  private runsThrough(): boolean {
    const { stack, left } = this;
    left.set(this.waiting.subarray(0, this.size));
    let size = 0;
    for (let i = 0; i < this.stacked; i++) stack[size++] = i;
    let next = this.stacked;
    for (;;) {
      size = this.attachComplete(size);
      if (next === this.size) return size <= 1;
      stack[size++] = next++;
    }
  }

  // Attach complete nodes within reach of the top to their gold heads, drop those that have none, until nothing changes.
  private attachComplete(size: number): number {
    const { stack, head, left, degree } = this;
    again: while (size > 1) {
      const top = stack[size - 1]!;
      const reach = Math.min(size - 1, degree);
      const topHead = left[top] === 0 ? head[top]! : ROOT;
      if (topHead === NONE && top !== this.zero) {
        size--;
        continue;
      }
      for (let k = 1; k <= reach; k++) {
        const node = stack[size - 1 - k]!;
        if (topHead === node) {
          left[node]!--;
          size--;
          continue again;
        }
        if (left[node] === 0 && (head[node] === top || (head[node] === NONE && node !== this.zero))) {
          if (head[node] === top) left[top]!--;
          for (let i = size - k; i < size; i++) stack[i - 1] = stack[i]!;
          size--;
          continue again;
        }
      }
      break;
    }
    return size;
  }

  /**
   * Step 3: the least number of arcs to give up. A configuration of γ is the stack and the number of nodes shifted; a queue
   * for each cost makes the search best first, and a configuration reached again is not looked at again. Beyond SEARCH_LIMIT it is
   * an upper bound.
   */
  search(): number {
    const { stack, left, head, degree, size: total } = this;
    const goldHead = head.slice(0, total);
    const queues: Int32Array[][] = [[]];
    const visited = new Visited();
    let looked = 0;
    const start = new Int32Array(this.stacked + 1);
    start[0] = this.stacked;
    for (let i = 0; i < this.stacked; i++) start[i + 1] = i;
    queues[0]!.push(start);
    for (let cost = 0; ; cost++) {
      const queue = queues[cost];
      if (queue === undefined) continue;
      for (let state = queue.pop(); state !== undefined; state = queue.pop()) {
        // Unpack, and count anew what each node waits for; a head that has gone counts as none.
        let next = state[0]!;
        let size = state.length - 1;
        for (let i = 0; i < size; i++) stack[i] = state[i + 1]!;
        left.fill(-1, 0, total);
        for (let i = 0; i < size; i++) left[stack[i]!] = 0;
        left.fill(0, next, total);
        for (let i = 0; i < total; i++) {
          const h = goldHead[i]!;
          head[i] = h >= 0 && left[h]! < 0 ? NONE : h;
        }
        for (let i = 0; i < total; i++) if (left[i]! >= 0 && head[i]! >= 0) left[head[i]!]!++;
        for (;;) {
          size = this.attachComplete(size);
          if (size <= 1 && next === total) return cost;
          const here = new Int32Array(size + 1);
          here[0] = next;
          for (let i = 0; i < size; i++) here[i + 1] = stack[i]!;
          if (visited.has(here)) break;
          if ((looked += total) > SEARCH_LIMIT) return cost + this.giveUpCheapest(size, next);
          const reach = Math.min(degree, size - 1);
          for (let k = 1; k <= reach; k++) {
            for (const [dependent, at] of [
              [stack[size - 1 - k]!, size - 1 - k],
              [stack[size - 1]!, size - 1],
            ] as const) {
              if (dependent === this.zero) continue;
              const other = at === size - 1 ? stack[size - 1 - k]! : stack[size - 1]!;
              const price = (head[dependent] !== NONE && head[dependent] !== other ? 1 : 0) + left[dependent]!;
              const branch = new Int32Array(size);
              branch[0] = next;
              for (let i = 0, j = 1; i < size; i++) if (i !== at) branch[j++] = stack[i]!;
              while (queues.length <= cost + price) queues.push([]);
              queues[cost + price]!.push(branch);
            }
          }
          if (next === total) break;
          stack[size++] = next++;
        }
      }
    }
  }

  /** What the rest costs when everything is shifted first, and then the cheapest node within reach given up again and again. */
  private giveUpCheapest(size: number, next: number): number {
    const { stack, left, head, degree, size: total } = this;
    let cost = 0;
    for (;;) {
      size = this.attachComplete(size);
      if (next < total) {
        stack[size++] = next++;
        continue;
      }
      if (size <= 1) return cost;
      let at = NONE;
      let least = Number.POSITIVE_INFINITY;
      for (let i = size - 1; i >= Math.max(0, size - 1 - degree); i--) {
        const price = (head[stack[i]!]! === NONE ? 0 : 1) + left[stack[i]!]!;
        if (stack[i] === this.zero || price >= least) continue;
        least = price;
        at = i;
      }
      const node = stack[at]!;
      cost += least;
      if (head[node]! >= 0) left[head[node]!]!--;
      stack.copyWithin(at, at + 1, size--);
      for (let i = 0; i < size; i++) if (head[stack[i]!] === node) head[stack[i]!] = NONE;
    }
  }
}

/** Gold arcs that are lost at once when the stack node d gets the head h: its own, and those to what it still waits for. */
export function lostBy(c: Configuration, gold: GoldTree, h: number, d: number): number {
  const { heads, start, dependents } = gold;
  const wanted = heads[d]!;
  let lost = wanted >= 0 && wanted !== h && c.where[wanted] !== GONE ? 1 : 0;
  for (let i = start[d]!; i < start[d + 1]!; i++) if (c.where[dependents[i]!] !== GONE) lost++;
  return lost;
}

/** Gold arcs that are lost already: wrong heads given, and words left whose gold head has gone. */
export function lostSoFar(c: Configuration, gold: GoldTree, root: RootPosition): number {
  const { heads, length } = gold;
  let lost = 0;
  for (let d = 1; d <= length; d++) {
    const h = heads[d]!;
    if (h < (root === "none" ? 1 : 0)) continue;
    if (c.heads[d] === NONE ? c.where[h] === GONE : c.heads[d] !== h) lost++;
  }
  return lost;
}

/** Have all gold dependents of the node left the stack and the buffer? */
export function isComplete(c: Configuration, gold: GoldTree, node: number): boolean {
  const { start, dependents } = gold;
  for (let i = start[node + 1]! - 1; i >= start[node]!; i--) if (c.where[dependents[i]!] !== GONE) return false;
  return true;
}

/**
 * Dynamic oracle for arc-standard and Attardi: see the top of this file. It is exact for every gold tree that the system can
 * build. A tree that it cannot build has conflicts everywhere ahead, and the search grows exponentially with them; so it is
 * exact for such trees up to EXACT_WORDS words, and for longer ones some arcs are given up beforehand (a Goal).
 */
export class BottomUpOracle implements DynamicOracle {
  private goal!: Goal;
  private gold!: GoldTree;
  private readonly problem: BottomUpLoss;
  private readonly ahead = new Ahead();

  constructor(
    private readonly system: FixedMovesSystem & { readonly degree: number },
    private readonly cheapest: Cheapest,
    private readonly hopeless: (gold: GoldTree) => readonly number[],
    private readonly exactWords: number,
  ) {
    this.problem = new BottomUpLoss(system.degree, system.root, system.singleRoot);
  }

  bind(gold: GoldTree): void {
    this.goal = new Goal(gold, this.system.root, this.hopeless, this.exactWords);
    this.gold = this.goal.tree;
    this.problem.bind(this.gold);
    this.ahead.forget();
  }

  loss(c: Configuration): number {
    return this.goal.lost + lostSoFar(c, this.gold, this.system.root) + this.unavoidable(c);
  }

  cost(c: Configuration, move: Move): number {
    if (this.isSafe(c, move)) return 0;
    // Never negative where losses are exact.
    return Math.max(0, this.after(c, move) - this.unavoidable(c));
  }

  isOptimal(c: Configuration, move: Move): boolean {
    if (this.isSafe(c, move)) return true;
    const before = this.unavoidable(c);
    if (before === 0) {
      // Any other arc loses something. SHIFT does not if it is the only way on.
      if (kindOf(move) !== SHIFT) return false;
      if (this.safeArc(c) < 0) return true;
    }
    return this.after(c, move) <= before;
  }

  optimal(c: Configuration): Move {
    const { ahead, system } = this;
    const before = this.unavoidable(c);
    const safe = this.safeArc(c);
    if (safe >= 0) return ahead.expect(safe, system.head(c, safe), system.dependent(c, safe), 0);
    // If nothing more need be lost and no arc is safe, the way on begins with SHIFT.
    const canShift = system.permits(c, SHIFT);
    if (canShift && (before === 0 || this.after(c, SHIFT) <= before)) return ahead.expect(SHIFT, NONE, c.b(0), 0);
    let best = canShift ? SHIFT : -1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < system.moves.length - 1; i++) {
      const move = system.moves[i]!;
      if (!system.permits(c, move)) continue;
      const lost = this.after(c, move);
      if (lost <= before) {
        const head = system.head(c, move);
        const dependent = system.dependent(c, move);
        return ahead.expect(move, head, dependent, lostBy(c, this.gold, head, dependent));
      }
      if (lost < least) {
        least = lost;
        best = move;
      }
    }
    // Only a search that was cut short leads here.
    if (best < 0) throw new Error("no optimal move: the configuration is terminal or not one of this system");
    ahead.forget();
    return best;
  }

  /** An arc that attaches a complete node to its gold head, or one whose gold head has gone: it never costs anything. */
  private safeArc(c: Configuration): Move {
    const { moves } = this.system;
    for (let i = 0; i < moves.length - 1; i++) {
      if (reachOf(moves[i]!) >= c.stackSize) break;
      if (this.isSafe(c, moves[i]!) && this.system.permits(c, moves[i]!)) return moves[i]!;
    }
    return -1;
  }

  private isSafe(c: Configuration, move: Move): boolean {
    if (kindOf(move) === SHIFT) return false;
    const dependent = this.system.dependent(c, move);
    if (dependent === 0) return false;
    const gold = this.gold.heads[dependent]!;
    const idle = gold < 0 || c.where[gold] === GONE;
    return (idle || gold === this.system.head(c, move)) && isComplete(c, this.gold, dependent);
  }

  /** What is lost by the move and after it. */
  private after(c: Configuration, move: Move): number {
    if (kindOf(move) === SHIFT) return this.problem.unavoidable(c, NONE, true, this.cheapest);
    const dependent = this.system.dependent(c, move);
    const lost = lostBy(c, this.gold, this.system.head(c, move), dependent);
    return lost + this.problem.unavoidable(c, dependent, false, this.cheapest);
  }

  private unavoidable(c: Configuration): number {
    const known = this.ahead.recall(c);
    return known >= 0 ? known : this.ahead.remember(c, this.problem.unavoidable(c, NONE, false, this.cheapest));
  }
}
