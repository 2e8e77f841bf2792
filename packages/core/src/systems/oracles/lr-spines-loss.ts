// Loss in LR-spines (thesis 6.4.2; Goldberg, Sartorio & Satta 2014).
//
// loss(c) = gold arcs lost so far + gold arcs between what is left that no continuation can all build. What is left is the
// trees on the stack and the reduced buffer. Of a spine only the nodes matter that some tree on that side still wants as
// head. As in the thesis, two trees that are joined without a gold arc are joined at the far end of the spine, which takes no
// node off it. But instead of filling a table, the ways to join are followed best first, each distinct outcome once; in nearly all
// configurations there is a way that gives up nothing, and for projective gold trees it is found without branching.

import { type Configuration, GONE, IN_BUFFER, NONE, ON_STACK, type RootPosition } from "../configuration.js";
import type { GoldTree } from "./gold-tree.js";

/**
 * The loss ahead for projective gold trees, in which gold arcs never stand in each other's way. The elements are the trees on
 * the stack from the bottom, then the nodes of the buffer that are tied to them, directly or through other such nodes; the rest of the
 * buffer sees to itself. Which node of a spine is wanted need not be known, only which element's spine it is on.
 */
export class SpinesRun {
  private gold!: GoldTree;
  private size = 0;
  /** How many elements are on the stack at the beginning. */
  private stacked = 0;
  /** The element of node 0, NONE if it is none. */
  private zero = NONE;
  /** With one root required: does 0 have room for its word? */
  private bare = false;
  private bareAtFirst = false;
  /** Element on whose spine the gold head of an element's root is, NONE if it is lost. */
  private want = new Int32Array(0);
  /** How many elements to the left (right) want a node of the left (right) spine of the element. */
  private leftNeeds = new Int32Array(0);
  private rightNeeds = new Int32Array(0);
  /** The tree whose left (right) spine holds the left (right) spine of the element, NONE if it has become inner nodes. */
  private leftOwner = new Int32Array(0);
  private rightOwner = new Int32Array(0);
  private stack = new Int32Array(0);
  private nodes = new Int32Array(0);
  private element = new Int32Array(0);
  /** In the search, the elements that want a node of each element's spines, as lists: the first, and the one after each. */
  private firstWant = new Int32Array(0);
  private nextWant = new Int32Array(0);

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
      this.firstWant = new Int32Array(capacity);
      this.nextWant = new Int32Array(capacity);
    }
  }

  /** What cannot be avoided to lose, after b0 was shifted if `shifted`. */
  unavoidable(c: Configuration, shifted: boolean): number {
    this.prepare(c, shifted);
    for (let e = 0; e < this.stacked; e++) this.stack[e] = e;
    let count = this.stacked;
    this.bare = this.bareAtFirst;
    for (let next = this.stacked; ; next++) {
      count = this.joinFreely(count);
      if (next === this.size) return count <= 1 ? 0 : this.search();
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

  // Join the topmost trees as long as there is a gold arc, or a root without a head to wait for whose tree loses nothing.
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

  /** What is lost when `second` goes below `top`: its head if it is another, the wants for its right spine, and those for 0 if it takes that. */
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

  /**
   * What must be lost when the run gets stuck (thesis 6.4.2, with both restrictions). The tree at the border of stack and buffer
   * covers the elements first … last, and grows by one neighbour at a time, either way round. Best first; a neighbour on the stack
   * that joins for nothing does so without branching (one in the buffer may come too early), and of two trees over the same elements
   * with the same root, one that cost no less and has no other wanted nodes on its spines is left out.
   */
  private search(): number {
    const { size, zero } = this;
    this.listWants();
    const border = this.stacked - 1;
    const start: Grown = { first: border, last: border, root: border, bare: this.bareAtFirst, left: [], right: [] };
    if (this.wantsFor(border, border, true) > 0) start.left.push(border);
    if (this.wantsFor(border, border, false) > 0) start.right.push(border);
    // For each cost, trees and the step to take from each, in turns; a step is NONE at the beginning.
    const trees: Grown[][] = [[start]];
    const steps: number[][] = [[NONE]];
    const settled = new Settled();
    for (let cost = 0; ; cost++) {
      for (let from = trees[cost]?.pop(); from; from = trees[cost]!.pop()) {
        const step = steps[cost]!.pop()!;
        const tree: Grown = { ...from, left: from.left.slice(), right: from.right.slice() };
        if (step !== NONE) this.grow(tree, step >> 1, (step & 1) === 1);
        for (;;) {
          const { first, last, root } = tree;
          if (first === 0 && last === size - 1) return cost;
          if (settled.has(tree)) break;
          let free = NONE;
          if (first > 0) {
            if (first - 1 !== zero && this.price(tree, first - 1, true) === 0) free = 1;
            else if (root !== zero && this.price(tree, first - 1, false) === 0) free = 0;
          }
          if (free !== NONE) {
            this.grow(tree, first - 1, free === 1);
            continue;
          }
          for (let side = 0; side < 2; side++) {
            const neighbour = side === 0 ? first - 1 : last + 1;
            if (neighbour < 0 || neighbour === size) continue;
            for (let takes = 0; takes < 2; takes++) {
              if ((takes === 1 ? neighbour : root) === zero) continue;
              const price = cost + this.price(tree, neighbour, takes === 1);
              while (trees.length <= price) {
                trees.push([]);
                steps.push([]);
              }
              trees[price]!.push(tree);
              steps[price]!.push(2 * neighbour + takes);
            }
          }
          break;
        }
      }
    }
  }

  /**
   * What is lost when the tree takes in a neighbour, or else hangs on it: the head of the new dependent, if that is another, and the
   * wants for its spine that turns inward.
   */
  private price(tree: Grown, neighbour: number, takes: boolean): number {
    const { want, zero } = this;
    const { first, last, root } = tree;
    const onLeft = neighbour < first;
    const head = takes ? want[neighbour]! : want[root]!;
    let price = head !== NONE && head !== neighbour && (head < first || head > last) ? 1 : 0;
    if (takes) {
      price += this.wantsFor(neighbour, onLeft ? last : first, !onLeft) + (want[root] === neighbour ? 1 : 0);
    } else {
      const spine = onLeft ? tree.left : tree.right;
      for (let i = 0; i < spine.length; i++) price += this.wantsFor(spine[i]!, onLeft ? first : last, onLeft);
    }
    if (tree.bare && (takes ? root : neighbour) === zero) {
      price += this.wantsFor(zero, onLeft ? neighbour : first, true);
      price += this.wantsFor(zero, onLeft ? last : neighbour, false);
    }
    return price;
  }

  private grow(tree: Grown, neighbour: number, takes: boolean): void {
    const onLeft = neighbour < tree.first;
    if (onLeft) tree.first = neighbour;
    else tree.last = neighbour;
    const { left, right } = tree;
    if (!takes) {
      tree.root = neighbour;
      if (onLeft) left.length = 0;
      else right.length = 0;
    }
    if (onLeft || !takes) left.push(neighbour);
    if (!onLeft || !takes) right.push(neighbour);
    const filled = tree.bare && (takes ? tree.root : neighbour) === this.zero;
    if (filled) tree.bare = false;
    this.trim(left, tree.first, true, filled);
    this.trim(right, tree.last, false, filled);
  }

  /** Keep the elements of a spine that are wanted from beyond; 0 is not when it has taken the one word that it may take. */
  private trim(spine: number[], bound: number, fromLeft: boolean, filled: boolean): void {
    let kept = 0;
    for (let i = 0; i < spine.length; i++) {
      const e = spine[i]!;
      if (!(filled && e === this.zero) && this.wantsFor(e, bound, fromLeft) > 0) spine[kept++] = e;
    }
    spine.length = kept;
  }

  /** How many elements before (or behind) the bound want a node of this element's spine. */
  private wantsFor(e: number, bound: number, before: boolean): number {
    let count = 0;
    for (let d = this.firstWant[e]!; d !== NONE; d = this.nextWant[d]!) if (before ? d < bound : d > bound) count++;
    return count;
  }

  private listWants(): void {
    const { want, firstWant, nextWant, size } = this;
    firstWant.fill(NONE, 0, size);
    for (let d = 0; d < size; d++) {
      const e = want[d]!;
      if (e === NONE) continue;
      nextWant[d] = firstWant[e]!;
      firstWant[e] = d;
    }
  }
}

/** A tree over neighbouring elements, in the search for projective gold trees. */
interface Grown {
  first: number;
  last: number;
  root: number;
  /** With one root required: does 0 have room for its word? */
  bare: boolean;
  /** The elements of which nodes on the left (right) spine are still wanted. */
  left: number[];
  right: number[];
}

/** How many trees a search may look at before it is worth keeping them: most searches end sooner. */
const FEW = 32;

/** The trees that a search has looked at, in the order of their cost. */
class Settled {
  private count = 0;
  private readonly trees = new Map<string, Grown[]>();

  /** Was there a tree before over the same elements that is as good? If not, this one is kept. (Not known of the first few.) */
  has(tree: Grown): boolean {
    if (++this.count <= FEW) return false;
    const key = `${tree.first} ${tree.last} ${tree.root} ${tree.bare}`;
    const others = this.trees.get(key);
    if (others?.some((other) => includes(other.left, tree.left) && includes(other.right, tree.right))) return true;
    const kept = { ...tree, left: tree.left.slice(), right: tree.right.slice() };
    if (others) others.push(kept);
    else this.trees.set(key, [kept]);
    return false;
  }
}

function includes(all: readonly number[], some: readonly number[]): boolean {
  return some.every((e) => all.includes(e));
}

/** A tree in the search: its element, and the nodes of its spines, from the root down, that are still wanted as heads. */
interface Tree {
  readonly element: number;
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** With one root required: is this 0 without a dependent? */
  readonly bare: boolean;
}

interface State {
  readonly stack: readonly Tree[];
  /** Number of elements on the stack or joined. */
  readonly next: number;
  /** The gold head of each element's root while it can still get it, else NONE. */
  readonly head: Int32Array;
}

/**
 * The cheapest way to join everything that is left into one tree, for any gold tree. Joining two trees costs the gold head
 * of the new dependent, if it could still get it and does not, and all wants for nodes that leave the spines.
 */
export class SpinesSearch {
  private gold!: GoldTree;
  private trees: Tree[] = [];
  private heads: number[] = [];
  private stacked = 0;
  private zero = NONE;

  constructor(
    private readonly root: RootPosition,
    private readonly singleRoot: boolean,
  ) {}

  bind(gold: GoldTree): void {
    this.gold = gold;
  }

  /** How many gold arcs are lost in a configuration already. */
  lostSoFar(c: Configuration): number {
    const { heads } = this.gold;
    let lost = 0;
    for (let d = 1; d <= c.length; d++) {
      const h = heads[d]!;
      if (h < (this.root === "none" ? 1 : 0)) continue;
      if (c.heads[d] !== NONE ? c.heads[d] !== h : !this.available(c, h, d)) lost++;
    }
    return lost;
  }

  // The head of a word must be in the buffer, or on the spine that faces the word of a tree on the stack. With one root required,
  // 0 that has its one word is no head any more.
  private available(c: Configuration, h: number, d: number): boolean {
    if (h === 0 && this.singleRoot && (c.leftmost[0] !== NONE || c.rightmost[0] !== NONE)) return false;
    return canStillGet(c, d, h);
  }

  private prepare(c: Configuration): void {
    const { gold } = this;
    const n = c.length;
    const rootTaken = this.singleRoot && (c.leftmost[0] !== NONE || c.rightmost[0] !== NONE);
    const head = new Int32Array(n + 1).fill(NONE);
    const waiting = new Int32Array(n + 1);
    for (let d = 1; d <= n; d++) {
      const h = gold.heads[d]!;
      if (c.heads[d] !== NONE || h < (this.root === "none" ? 1 : 0) || !this.available(c, h, d)) continue;
      head[d] = h;
      waiting[h]!++;
    }

    // The buffer, with words merged into their heads when they are complete and neighbours, and left out when no head wants them.
    const buffer: number[] = [];
    for (let i = c.front; i < c.end; i++) {
      buffer.push(c.buffer[i]!);
      while (buffer.length > 0) {
        const top = buffer[buffer.length - 1]!;
        const below = buffer.length > 1 ? buffer[buffer.length - 2]! : NONE;
        if (waiting[top] === 0 && head[top] === NONE) buffer.pop();
        // With one root required, 0 takes what remains at the end, and not what happens to stand beside it.
        else if (below > 0 && head[below] === top && waiting[below] === 0 && !(top === 0 && this.singleRoot)) {
          waiting[top]!--;
          head[below] = NONE;
          buffer.splice(-2, 1);
        } else if (below >= 0 && head[top] === below && waiting[top] === 0) {
          waiting[below]!--;
          head[top] = NONE;
          buffer.pop();
        } else break;
      }
    }

    const wanted = (nodes: number[]) => nodes.filter((node) => waiting[node]! > 0);
    this.trees = [];
    this.heads = [];
    this.zero = NONE;
    const add = (root: number, left: number[], right: number[]) => {
      if (root === 0) this.zero = this.trees.length;
      const bare = root === 0 && this.singleRoot && !rootTaken;
      this.heads.push(head[root]!);
      this.trees.push({ element: this.trees.length, left: wanted(left), right: wanted(right), bare });
    };
    for (let i = 0; i < c.stackSize; i++)
      add(c.stack[i]!, spine(c.stack[i]!, c.leftmost), spine(c.stack[i]!, c.rightmost));
    if (rootTaken)
      this.trees = this.trees.map((t) => ({ ...t, left: t.left.filter(Boolean), right: t.right.filter(Boolean) }));
    this.stacked = this.trees.length;
    for (const node of buffer) add(node, [node], [node]);
  }

  /** What must be lost beyond what is lost already. */
  unavoidable(c: Configuration): number {
    this.prepare(c);
    const { trees } = this;
    const queues: State[][] = [
      [{ stack: trees.slice(0, this.stacked), next: this.stacked, head: Int32Array.from(this.heads) }],
    ];
    const seen = new Set<string>();
    for (let cost = 0; ; cost++) {
      const queue = queues[cost] ?? [];
      for (let state = queue.pop(); state; state = queue.pop()) {
        for (;;) {
          const options = this.joins(state);
          const free = options.find((option) => option.price === 0);
          if (free) {
            state = free.state;
            continue;
          }
          if (state.stack.length <= 1 && state.next === trees.length) return cost;
          const key = keyOf(state);
          if (seen.has(key)) break;
          seen.add(key);
          for (const option of options) {
            while (queues.length <= cost + option.price) queues.push([]);
            queues[cost + option.price]!.push(option.state);
          }
          if (state.next === trees.length) break;
          state = { ...state, stack: [...state.stack, trees[state.next]!], next: state.next + 1 };
        }
      }
    }
  }

  /** The ways to join the two topmost trees that can be best: at the gold head, or at the far end of the spine. */
  private joins(state: State): { price: number; state: State }[] {
    const { stack, head } = state;
    if (stack.length < 2) return [];
    const top = stack[stack.length - 1]!;
    const second = stack[stack.length - 2]!;
    const ways: { price: number; state: State }[] = [];
    if (second.element !== this.zero) {
      const at = top.left.indexOf(head[second.element]!);
      if (at >= 0) ways.push(this.join(state, top, second, top.left, second.left, at + 1, "left"));
      ways.push(this.join(state, top, second, top.left, second.left, NONE, "left"));
    }
    if (top.element !== this.zero) {
      const at = second.right.indexOf(head[top.element]!);
      if (at >= 0) ways.push(this.join(state, second, top, second.right, top.right, at + 1, "right"));
      ways.push(this.join(state, second, top, second.right, top.right, NONE, "right"));
    }
    return ways;
  }

  // `dependent` goes below `head` on the given side: at the first `kept` wanted nodes of its spine if that is where its gold head
  // is, else (NONE) at the end. The other side of the dependent's tree, and what was below on the spine, become inner nodes.
  private join(
    state: State,
    head: Tree,
    dependent: Tree,
    headSpine: readonly number[],
    dependentSpine: readonly number[],
    kept: number,
    side: "left" | "right",
  ): { price: number; state: State } {
    const heads = state.head.slice();
    let price = kept === NONE && heads[dependent.element] !== NONE ? 1 : 0;
    heads[dependent.element] = NONE;
    const giveUp = (node: number, from: number, to: number) => {
      for (let e = from; e < to; e++) {
        if (heads[e] !== node) continue;
        heads[e] = NONE;
        price++;
      }
    };
    const gone = kept === NONE ? [] : headSpine.slice(kept);
    const first = side === "left" ? 0 : head.element + 1;
    const last = side === "left" ? head.element : heads.length;
    for (const node of gone) giveUp(node, first, last);
    if (side === "left") for (const node of dependent.right) giveUp(node, dependent.element + 1, heads.length);
    else for (const node of dependent.left) giveUp(node, 0, dependent.element);
    let top = kept === NONE ? headSpine : headSpine.slice(0, kept);
    // 0 on its own has room for one word.
    const takesRoot = head.bare;
    if (takesRoot) {
      giveUp(0, 0, heads.length);
      top = top.filter((node) => node !== 0);
    }
    const joined = [...top, ...dependentSpine];
    const tree: Tree = {
      element: head.element,
      left: side === "left" ? joined : head.left.filter((node) => !(takesRoot && node === 0)),
      right: side === "right" ? joined : head.right.filter((node) => !(takesRoot && node === 0)),
      bare: false,
    };
    return { price, state: { stack: [...state.stack.slice(0, -2), tree], next: state.next, head: heads } };
  }
}

/**
 * Can the root of a tree on the stack, or a word in the buffer, still get the head h? It must be to come, or on the spine of a
 * tree on the stack that faces the root.
 */
export function canStillGet(c: Configuration, root: number, h: number): boolean {
  if (h < 0) return false;
  if (c.where[h] === IN_BUFFER) return true;
  const next = (h || c.rootPlace) < root ? c.rightmost : c.leftmost;
  let node = h;
  while (c.heads[node] !== NONE) {
    if (next[c.heads[node]!] !== node) return false;
    node = c.heads[node]!;
  }
  return c.where[node] === ON_STACK;
}

/** Is a node of the left spine of a tree on the stack the gold head of another root on the stack? */
export function wantedFromLeft(c: Configuration, gold: GoldTree, root: number): boolean {
  for (let node = root; node !== NONE; node = c.leftmost[node]!) {
    const place = node || c.rootPlace;
    for (let i = gold.start[node]!; i < gold.start[node + 1]!; i++) {
      const d = gold.dependents[i]!;
      if (d > place) break;
      if (c.where[d] === ON_STACK) return true;
    }
  }
  return false;
}

/** Is a node of the right spine of a tree on the stack the gold head of another root on the stack or of a word in the buffer? */
export function wantedFromRight(c: Configuration, gold: GoldTree, root: number): boolean {
  for (let node = root; node !== NONE; node = c.rightmost[node]!) {
    const place = node || c.rootPlace;
    for (let i = gold.start[node + 1]! - 1; i >= gold.start[node]!; i--) {
      const d = gold.dependents[i]!;
      if (d < place) break;
      if (c.where[d] !== GONE) return true;
    }
  }
  return false;
}

/** Does some word that has no head yet want 0? */
export function rootIsWanted(c: Configuration, gold: GoldTree): boolean {
  for (let i = gold.start[0]!; i < gold.start[1]!; i++) if (c.heads[gold.dependents[i]!] === NONE) return true;
  return false;
}

// Two states from which the same can follow: same trees, same spine nodes still wanted.
function keyOf(state: State): string {
  const { head } = state;
  let key = `${state.next}`;
  for (const tree of state.stack) {
    const left = tree.left.filter((node) => head.subarray(0, tree.element).includes(node));
    const right = tree.right.filter((node) => head.subarray(tree.element + 1).includes(node));
    key += `|${tree.element}${tree.bare ? "b" : ""}:${head[tree.element]}:${left}/${right}`;
  }
  return key;
}

/** The spine of the tree with this root, from the root down; `next` is c.leftmost or c.rightmost. */
export function spine(root: number, next: Int32Array): number[] {
  const nodes: number[] = [];
  for (let node = root; node !== NONE; node = next[node]!) nodes.push(node);
  return nodes;
}
