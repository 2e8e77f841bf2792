import { type Configuration, GONE, IN_BUFFER, NONE } from "../configuration.js";
import type { GoldTree } from "../oracles/gold-tree.js";

/**
 * LR-spines at work on projective gold trees, in which gold arcs never stand in each other's way. The elements are the
 * trees on the stack from the bottom, then the nodes of the buffer that are tied to them, directly or through other
 * such nodes; the rest of the buffer sees to itself. Which node of a spine is wanted need not be known, only which
 * element's spine it is on. The run joins neighbours as long as that loses nothing, which gets through in nearly every
 * configuration, without branching.
 */
export class SpinesRun {
  private gold!: GoldTree;
  protected size = 0;
  /** How many elements are on the stack at the beginning. */
  protected stacked = 0;
  /** The element of node 0, NONE if it is none. */
  protected zero = NONE;
  /** With one root required: does 0 have room for its word? */
  private bare = false;
  protected bareAtFirst = false;
  /** Element on whose spine the gold head of an element's root is, NONE if it is lost. */
  protected want = new Int32Array(0);
  /** How many elements to the left (right) want a node of the left (right) spine of the element. */
  private leftNeeds = new Int32Array(0);
  private rightNeeds = new Int32Array(0);
  /**
   * The tree whose left (right) spine holds the left (right) spine of the element, NONE if it has become inner nodes.
   */
  private leftOwner = new Int32Array(0);
  private rightOwner = new Int32Array(0);
  private stack = new Int32Array(0);
  private nodes = new Int32Array(0);
  private element = new Int32Array(0);

  constructor(private readonly singleRoot: boolean) {}

  bind(gold: GoldTree): void {
    this.gold = gold;
    if (this.element.length < gold.length + 2) {
      const capacity = 2 * (gold.length + 2);
      this.want = new Int32Array(capacity);
      this.leftNeeds = new Int32Array(capacity);
      this.rightNeeds = new Int32Array(capacity);
      this.leftOwner = new Int32Array(capacity);
      this.rightOwner = new Int32Array(capacity);
      this.stack = new Int32Array(capacity);
      this.nodes = new Int32Array(capacity);
      this.element = new Int32Array(capacity).fill(NONE);
    }
  }

  /** Can all gold arcs that are not lost yet be built from here on, after b0 was shifted if `shifted`? */
  getsThrough(c: Configuration, shifted: boolean): boolean {
    this.prepare(c, shifted);
    for (let e = 0; e < this.stacked; e++) this.stack[e] = e;
    let count = this.stacked;
    this.bare = this.bareAtFirst;
    for (let next = this.stacked; ; next++) {
      count = this.joinFreely(count);
      if (next === this.size) return count <= 1;
      this.stack[count++] = next;
    }
  }

  // O(spines + elements), with the elements of the buffer in order.
  private prepare(c: Configuration, shifted: boolean): void {
    const { element, nodes, want, leftNeeds, rightNeeds, leftOwner, rightOwner } = this;
    const { heads, start, dependents } = this.gold;
    let size = 0;
    for (; size < c.stackSize; size++) nodes[size] = c.stack[size]!;
    const pushed = shifted ? c.buffer[c.front]! : NONE;
    if (shifted) nodes[size++] = pushed;
    const stacked = size;
    for (let e = 0; e < stacked; e++) element[nodes[e]!] = e;

    for (let e = 0; e < stacked; e++) {
      const root = nodes[e]!;
      for (let h = heads[root]!; h >= 0 && c.where[h] === IN_BUFFER && element[h] === NONE; h = heads[h]!) {
        element[h] = size;
        nodes[size++] = h;
      }
      for (let node = root; node !== NONE; node = c.rightmost[node]!) {
        const first = start[node]!;
        for (let i = start[node + 1]! - 1; i >= first; i--) {
          const d = dependents[i]!;
          if (c.where[d] !== IN_BUFFER) break;
          if (element[d] !== NONE) continue;
          element[d] = size;
          nodes[size++] = d;
        }
      }
    }
    for (let e = stacked + 1; e < size; e++) {
      const node = nodes[e]!;
      const place = node || c.rootPlace;
      let to = e;
      for (; to > stacked && (nodes[to - 1]! || c.rootPlace) > place; to--) nodes[to] = nodes[to - 1]!;
      nodes[to] = node;
    }
    for (let e = stacked; e < size; e++) element[nodes[e]!] = e;

    for (let e = 0; e < size; e++) {
      want[e] = NONE;
      leftNeeds[e] = 0;
      rightNeeds[e] = 0;
      leftOwner[e] = e;
      rightOwner[e] = e;
    }
    const rootTaken = this.singleRoot && (c.leftmost[0] !== NONE || c.rightmost[0] !== NONE);
    for (let e = 0; e < size; e++) {
      const root = nodes[e]!;
      for (let node = root; node !== NONE; node = c.leftmost[node]!) {
        if (node === 0 && rootTaken) continue;
        const end = start[node + 1]!;
        for (let i = start[node]!; i < end; i++) {
          const d = element[dependents[i]!]!;
          if (d < 0) continue;
          if (d >= e) break;
          want[d] = e;
          leftNeeds[e]!++;
        }
      }
      for (let node = root; node !== NONE; node = c.rightmost[node]!) {
        if (node === 0 && rootTaken) continue;
        const first = start[node]!;
        for (let i = start[node + 1]! - 1; i >= first; i--) {
          const d = element[dependents[i]!]!;
          if (d < 0) continue;
          if (d <= e) break;
          want[d] = e;
          rightNeeds[e]!++;
        }
      }
    }
    this.zero = c.where[0] === GONE ? NONE : element[0]!;
    this.bareAtFirst = this.singleRoot && this.zero !== NONE && !rootTaken;
    for (let e = 0; e < size; e++) element[nodes[e]!] = NONE;
    this.stacked = stacked;
    this.size = size;
  }

  // Join the topmost trees as long as there is a gold arc, or a root without a head to wait for whose tree loses
  // nothing.
  private joinFreely(size: number): number {
    const { stack, zero } = this;
    while (size > 1) {
      const top = stack[size - 1]!;
      const second = stack[size - 2]!;
      const topHead = this.headOf(top);
      const secondHead = this.headOf(second);
      if (second !== zero && (secondHead === top || secondHead === NONE) && this.lostLeft(second, top) === 0) {
        this.joinLeft(second, top);
        stack[size - 2] = top;
      } else if (top !== zero && (topHead === second || topHead === NONE) && this.lostRight(second, top) === 0) {
        this.joinRight(second, top);
      } else break;
      size--;
    }
    return size;
  }

  /**
   * The arcs that are lost when `second` goes below `top`: its head if it is another, the wants for its right spine,
   * and those for 0 if it takes that.
   */
  private lostLeft(second: number, top: number): number {
    const head = this.headOf(second);
    const taken = this.bare && top === this.zero ? this.leftNeeds[top]! - (head === top ? 1 : 0) : 0;
    return (head === NONE || head === top ? 0 : 1) + this.rightNeeds[second]! + taken;
  }

  private lostRight(second: number, top: number): number {
    const head = this.headOf(top);
    const taken = this.bare && second === this.zero ? this.rightNeeds[second]! - (head === second ? 1 : 0) : 0;
    return (head === NONE || head === second ? 0 : 1) + this.leftNeeds[top]! + taken;
  }

  private joinLeft(second: number, top: number): void {
    const gold = this.headOf(second) === top;
    if (this.bare && top === this.zero) {
      this.leftNeeds[top] = 0;
      this.bare = false;
    } else if (gold) this.leftNeeds[top]!--;
    this.leftNeeds[top]! += this.leftNeeds[second]!;
    this.leftOwner[second] = top;
    this.rightOwner[second] = NONE;
  }

  private joinRight(second: number, top: number): void {
    const gold = this.headOf(top) === second;
    if (this.bare && second === this.zero) {
      this.rightNeeds[second] = 0;
      this.bare = false;
    } else if (gold) this.rightNeeds[second]!--;
    this.rightNeeds[second]! += this.rightNeeds[top]!;
    this.rightOwner[top] = second;
    this.leftOwner[top] = NONE;
  }

  private headOf(e: number): number {
    let h = this.want[e]!;
    if (h === this.zero && h !== NONE && this.bareAtFirst && !this.bare) return NONE;
    const owner = h > e ? this.leftOwner : this.rightOwner;
    while (h !== NONE && owner[h] !== h) h = owner[h]!;
    return h;
  }
}
