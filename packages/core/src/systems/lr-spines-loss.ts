// Loss in LR-spines (thesis 6.4.2; Goldberg, Sartorio & Satta 2014).
//
// loss(c) = gold arcs lost so far + gold arcs between what is left that no continuation can all build. What is left is the
// trees on the stack and the reduced buffer. Of a spine only the nodes matter that some tree on that side still wants as
// head. As in the thesis, two trees that are joined without a gold arc are joined at the far end of the spine, which takes no
// node off it. But instead of filling a table, the ways to join are followed best first, each distinct outcome once; in nearly all
// configurations there is a way that gives up nothing, and for projective gold trees it is found without branching.

import { type Configuration, IN_BUFFER, NONE, ON_STACK, type RootPosition } from "./configuration.js";
import type { GoldTree } from "./gold.js";

/**
 * For projective gold trees: is there a way to build all gold arcs that can be built one by one? The elements are the trees
 * on the stack from the bottom and then the nodes of the buffer that are tied to them, directly or through other such nodes; the
 * rest of the buffer sees to itself. O(spines + elements).
 */
export class SpinesAhead {
  private gold!: GoldTree;
  /** Element that holds the gold head of an element's root, NONE if that is lost. */
  private want = new Int32Array(64);
  /** How many elements to the left (right) want a node of the left (right) spine of the element. */
  private leftNeeds = new Int32Array(64);
  private rightNeeds = new Int32Array(64);
  /** Where the left (right) spine of an element has gone when its tree was joined to another. */
  private leftOwner = new Int32Array(64);
  private rightOwner = new Int32Array(64);
  private stack = new Int32Array(64);
  private later: number[] = [];
  private element = new Int32Array(64);

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
      this.element = new Int32Array(capacity).fill(NONE);
    }
  }

  /** Can all be built, after b0 was shifted if `shifted`? */
  runsThrough(c: Configuration, shifted: boolean): boolean {
    const { element, want, leftNeeds, rightNeeds, leftOwner, rightOwner, stack, later } = this;
    const { heads, start, dependents } = this.gold;
    const zeroPlace = c.rootPlace;
    const pushed = shifted ? c.buffer[c.front]! : NONE;
    const roots = c.stackSize + (shifted ? 1 : 0);

    // The elements: the stack, then what of the buffer is tied to it, in order.
    later.length = 0;
    for (let i = 0; i < roots; i++) {
      const root = i < c.stackSize ? c.stack[i]! : pushed;
      element[root] = i;
    }
    const inBuffer = (node: number) => c.where[node] === IN_BUFFER && node !== pushed;
    for (let i = 0; i < roots; i++) {
      const root = i < c.stackSize ? c.stack[i]! : pushed;
      let ancestor = heads[root]!;
      while (ancestor >= 0 && inBuffer(ancestor) && element[ancestor] === NONE) {
        element[ancestor] = -2;
        later.push(ancestor);
        ancestor = heads[ancestor]!;
      }
      for (let node = root; node !== NONE; node = c.rightmost[node]!) {
        for (let j = start[node + 1]! - 1; j >= start[node]!; j--) {
          const d = dependents[j]!;
          if (c.where[d] !== IN_BUFFER) break;
          if (d !== pushed && element[d] === NONE) {
            element[d] = -2;
            later.push(d);
          }
        }
      }
    }
    later.sort((a, b) => (a || zeroPlace) - (b || zeroPlace));
    const size = roots + later.length;
    for (let i = roots; i < size; i++) element[later[i - roots]!] = i;

    // Who wants whom.
    for (let e = 0; e < size; e++) {
      want[e] = NONE;
      leftNeeds[e] = 0;
      rightNeeds[e] = 0;
      leftOwner[e] = e;
      rightOwner[e] = e;
    }
    for (let e = 0; e < size; e++) {
      const root = e < c.stackSize ? c.stack[e]! : e < roots ? pushed : later[e - roots]!;
      for (let node = root; node !== NONE; node = c.leftmost[node]!) {
        for (let j = start[node]!; j < start[node + 1]!; j++) {
          const d = element[dependents[j]!]!;
          if (d >= 0 && d < e) {
            want[d] = e;
            leftNeeds[e]!++;
          }
        }
        if (e >= roots) break;
      }
      for (let node = root; node !== NONE; node = c.rightmost[node]!) {
        for (let j = start[node]!; j < start[node + 1]!; j++) {
          const d = element[dependents[j]!]!;
          if (d > e) {
            want[d] = e;
            rightNeeds[e]!++;
          }
        }
        if (e >= roots) break;
      }
    }
    const zero = c.where[0] === ON_STACK || c.where[0] === IN_BUFFER ? element[0]! : NONE;
    for (let e = 0; e < size; e++)
      element[e < c.stackSize ? c.stack[e]! : e < roots ? pushed : later[e - roots]!] = NONE;

    // Run.
    let count = roots;
    for (let e = 0; e < roots; e++) stack[e] = e;
    let next = roots;
    for (;;) {
      while (count > 1) {
        const top = stack[count - 1]!;
        const second = stack[count - 2]!;
        const topHead = this.headOf(top);
        const secondHead = this.headOf(second);
        if (second !== zero && (secondHead === top || (secondHead === NONE && rightNeeds[second] === 0))) {
          if (secondHead === top) leftNeeds[top]!--;
          leftNeeds[top]! += leftNeeds[second]!;
          leftOwner[second] = top;
          rightOwner[second] = NONE;
          stack[count - 2] = top;
        } else if (top !== zero && (topHead === second || (topHead === NONE && leftNeeds[top] === 0))) {
          if (topHead === second) rightNeeds[second]!--;
          rightNeeds[second]! += rightNeeds[top]!;
          rightOwner[top] = second;
          leftOwner[top] = NONE;
        } else break;
        count--;
      }
      if (next === size) return count <= 1;
      stack[count++] = next++;
    }
  }

  private headOf(e: number): number {
    let h = this.want[e]!;
    const owner = h > e ? this.leftOwner : this.rightOwner;
    while (h !== NONE && owner[h] !== h) h = owner[h]!;
    return h;
  }
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

  /** Take in a configuration, and return how many gold arcs are lost in it already. */
  prepare(c: Configuration): number {
    const { gold } = this;
    const n = c.length;
    // 0 that has its one word is no head any more.
    const rootTaken = this.singleRoot && (c.leftmost[0] !== NONE || c.rightmost[0] !== NONE);
    const leftTree = new Map<number, number>();
    const rightTree = new Map<number, number>();
    for (let i = 0; i < c.stackSize; i++) {
      for (let node = c.stack[i]!; node !== NONE; node = c.leftmost[node]!)
        if (!(node === 0 && rootTaken)) leftTree.set(node, i);
      for (let node = c.stack[i]!; node !== NONE; node = c.rightmost[node]!)
        if (!(node === 0 && rootTaken)) rightTree.set(node, i);
    }
    const available = (h: number, place: number): boolean =>
      c.where[h] === IN_BUFFER ||
      (leftTree.get(h) ?? -1) > place ||
      (rightTree.get(h) ?? Number.POSITIVE_INFINITY) < place;

    let lost = 0;
    const head = new Int32Array(n + 1).fill(NONE);
    const waiting = new Int32Array(n + 1);
    const place = new Int32Array(n + 1).fill(n + 1);
    for (let i = 0; i < c.stackSize; i++) place[c.stack[i]!] = i;
    for (let d = 1; d <= n; d++) {
      const h = gold.heads[d]!;
      if (h === 0 && this.root === "none") continue;
      if (c.heads[d] !== NONE) {
        if (c.heads[d] !== h) lost++;
      } else if (available(h, place[d]!)) {
        head[d] = h;
        waiting[h]!++;
      } else lost++;
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
    return lost;
  }

  /** What must be lost beyond that. */
  unavoidable(): number {
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
