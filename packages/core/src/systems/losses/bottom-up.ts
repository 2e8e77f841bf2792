// Loss in the systems that attach on the stack from the bottom up: arc-standard (degree 1) and Attardi's (2 and 3).
//
// loss(c) = gold arcs lost so far + gold arcs between the nodes of γ = σβ that no continuation can all build. This file
// computes the second number, and does so on a small γ: nearly every configuration is decided without any search.
//
//   1. What no longer matters is taken out (BottomUpLoss.reduce). A node is complete when none of its gold dependents
//      is left in γ. Neighbours in β of which one is complete and depends on the other are merged. A complete node
//      whose gold head has gone is dropped: any head will do for it, and there is always one within reach.
//   2. The parser is run on γ with the gold tree (BottomUpRun): attach what is complete to its gold head, drop what can
//      be dropped, else SHIFT. These steps never make anything worse (nodes only move closer together). If all of γ
//      goes, nothing more is lost.
//   3. Otherwise something must be given up, and the cheapest way is looked for (CheapestLoss): in arc-standard by a
//      table or the best tree that can be joined from γ (arc-standard-loss.ts), in Attardi's system by a search,
//      and by a table where that takes too long (attardi/attardi-search.ts).
//
// Steps 1 and 2 are Attardi's buffer reduction and reachability test (Gómez-Rodríguez, Sartorio & Satta 2014, section
// 5.2, thesis 5.2.3 and 5.3.5), with the errata that the reduction needs: merged nodes have their gold heads inside β.

import { Configuration, GONE, NONE, type RootPosition } from "../configuration.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import { BottomUpRun } from "./bottom-up-run.js";

/** The gold head of a word that must end up on 0 while 0 itself is left out of γ. */
export const ROOT = -2;

/** Step 3: what must be lost in a γ that step 2 does not get through. */
export interface CheapestLoss {
  least(gamma: BottomUpLoss): number;
  /** Is the number given last exact, or only an upper bound? */
  readonly exact: boolean;
}

/**
 * γ, for one configuration after another, and what is lost in it. Invariants, once reduced: nodes 0 … stacked - 1 are σ
 * from the bottom and stacked … size - 1 the reduced buffer; head[i] is a node of γ, NONE or ROOT; waiting[i] is how
 * many nodes of γ have the head i; a node of β without head and dependents is not in γ.
 */
export class BottomUpLoss {
  stacked = 0;
  size = 0;
  head = new Int32Array(0);
  waiting = new Int32Array(0);
  /** Node 0 in γ, NONE if it is not in it. */
  zero = NONE;
  /** Is the gold tree projective? */
  projective = true;
  /** Is the number of arcs that `unavoidable` gave last exact, or only an upper bound? */
  exact = true;
  private gold!: GoldTree;
  private readonly run: BottomUpRun;
  /** All nodes of σ and β before anything is taken out, and the place of each node among them (NONE if it is not). */
  private nodes = new Int32Array(0);
  private place = new Int32Array(0);
  /** The places that stay in γ, and the number that each gets there. */
  private kept = new Int32Array(0);
  private renumbered = new Int32Array(0);

  constructor(
    degree: number,
    private readonly root: RootPosition,
    private readonly singleRoot: boolean,
  ) {
    this.run = new BottomUpRun(degree);
  }

  bind(gold: GoldTree): void {
    this.gold = gold;
    this.projective = gold.projective;
    const needed = gold.length + 1;
    if (this.place.length < needed) {
      const capacity = 2 * needed;
      this.place = new Int32Array(capacity).fill(NONE);
      this.head = new Int32Array(capacity);
      this.waiting = new Int32Array(capacity);
      this.nodes = new Int32Array(capacity);
      this.kept = new Int32Array(capacity);
      this.renumbered = new Int32Array(capacity);
    }
    this.run.reserve(needed);
  }

  /**
   * How many gold arcs within γ must be lost, after the node `removed` (or NONE) was taken off the stack and, if
   * `shifted`, b0 was pushed.
   */
  unavoidable(c: Configuration, removed: number, shifted: boolean, cheapest: CheapestLoss): number {
    this.exact = true;
    if (this.reaches(c, removed, shifted)) return 0;
    const least = cheapest.least(this);
    this.exact = cheapest.exact;
    return least;
  }

  /** Can all gold arcs within γ still be built? (Arguments as above.) */
  reaches(c: Configuration, removed: number, shifted: boolean): boolean {
    this.reduce(c, removed, shifted);
    return this.size <= 1 || this.run.getsThrough(this);
  }

  /** Can all arcs of the gold tree be built from the beginning? O(n). */
  isBuildable(): boolean {
    const { gold, root } = this;
    const whole = new BottomUpLoss(this.run.degree, root, this.singleRoot);
    whole.bind(gold);
    const c = new Configuration(gold.length);
    c.reset(gold.length, root);
    return whole.reaches(c, NONE, false);
  }

  private reduce(c: Configuration, removed: number, shifted: boolean): void {
    const count = this.collect(c, removed, shifted);
    const size = this.takeOut(count);
    this.renumber(size);
    for (let i = 0; i < count; i++) this.place[this.nodes[i]!] = NONE;
  }

  /**
   * All nodes of σ and β with their gold heads among them; 0 is left out where it only ever takes the last node that
   * remains.
   */
  private collect(c: Configuration, removed: number, shifted: boolean): number {
    const { nodes, place, waiting, head } = this;
    const { heads } = this.gold;
    const leftOut = this.singleRoot ? 0 : NONE;
    let count = 0;
    for (let i = 0; i < c.stackSize; i++) {
      const node = c.stack[i]!;
      if (node === removed || node === leftOut) continue;
      place[node] = count;
      nodes[count++] = node;
    }
    this.stacked = count;
    for (let i = c.front; i < c.end; i++) {
      const node = c.buffer[i]!;
      if (node === leftOut) continue;
      place[node] = count;
      nodes[count++] = node;
    }
    if (shifted && count > this.stacked && c.buffer[c.front] !== leftOut) this.stacked++;

    waiting.fill(0, 0, count);
    const rootHead = this.singleRoot && this.root !== "none" ? ROOT : place[0]!;
    for (let i = 0; i < count; i++) {
      const wanted = heads[nodes[i]!]!;
      const h = wanted > 0 ? place[wanted]! : wanted === 0 ? rootHead : NONE;
      head[i] = h;
      if (h >= 0) waiting[h]!++;
    }
    return count;
  }

  /**
   * Lists what stays in γ: σ without what nothing waits for, then β with its neighbours merged. Returns how many nodes
   * that is.
   */
  private takeOut(count: number): number {
    const { kept, nodes, waiting, head } = this;
    let size = 0;
    for (let i = 0; i < this.stacked; i++) {
      // Once 0 is on top of words it is the only head that they can get, so it counts although it needs none of them.
      if (head[i] !== NONE || waiting[i] !== 0 || (nodes[i] === 0 && this.root === "last")) kept[size++] = i;
    }
    const stacked = size;
    for (let i = this.stacked; i < count; i++) {
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
    this.stacked = stacked;
    return size;
  }

  // Heads that were dropped or merged away cannot occur: both happen to complete nodes only.
  private renumber(size: number): void {
    const { kept, renumbered, nodes, head, waiting } = this;
    for (let i = 0; i < size; i++) renumbered[kept[i]!] = i;
    this.zero = NONE;
    for (let i = 0; i < size; i++) {
      const from = kept[i]!;
      if (nodes[from] === 0) this.zero = i;
      const h = head[from]!;
      head[i] = h >= 0 ? renumbered[h]! : h;
      waiting[i] = waiting[from]!;
    }
    this.size = size;
  }
}

/**
 * Gold arcs that are lost at once when the stack node d gets the head h: its own, and those to what it still waits for.
 */
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
