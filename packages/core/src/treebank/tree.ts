// Properties of dependency trees, over n + 1 heads with heads[0] = NONE.
//
// Nothing here recurses: a chain of 10,000 words must not overflow the stack. A tree is a set of arcs in which every
// word is reachable from node 0; several roots are allowed. Functions that make sense for trees only throw a RangeError
// when they are given something else.

import { check, WHOLE_NUMBER } from "../checks/options.js";
import { checkHeads } from "../checks/shapes.js";

const NONE = -1;

/**
 * The dependents of every node, each list in sentence order: those of h are nodes[start[h]] … nodes[start[h + 1] - 1].
 */
export interface Children {
  /** The dependents of node h are `nodes[start[h]]` up to `nodes[start[h + 1] - 1]`. */
  start: Int32Array;
  /** All dependents, head by head. */
  nodes: Int32Array;
}

/** The leftmost and the rightmost node that each node dominates, itself included. */
export interface Spans {
  /** The first word of the subtree of each node. */
  left: Int32Array;
  /** The last word of the subtree of each node. */
  right: Int32Array;
}

interface Traversal {
  /** Nodes ordered so that a head comes before its dependents. */
  topDown: Int32Array;
  /** Number of nodes that each node dominates, itself included. */
  size: Int32Array;
  /** The smallest rank in the subtree of each node; a subtree takes ranks first … first + size - 1. */
  first: Int32Array;
  /** The place of each node in the projective order. */
  rank: Int32Array;
}

/** Returns the nodes of a cycle, each followed by its head, or null; words without a head are skipped. */
export function findCycle(heads: ArrayLike<number>): number[] | null {
  checkHeads(heads);
  // seen[i] is the word whose walk towards the root first met i, so every node is walked over once.
  const seen = new Int32Array(heads.length);
  for (let start = 1; start < heads.length; start++) {
    let node = start;
    while (node > 0 && node < heads.length && seen[node] === 0) {
      seen[node] = start;
      node = heads[node]!;
    }
    if (node > 0 && seen[node] === start) {
      const cycle = [node];
      for (let next = heads[node]!; next !== node; next = heads[next]!) cycle.push(next);
      return cycle;
    }
  }
  return null;
}

/**
 * Whether every word has a head among 0 … n and is reachable from node 0.
 * @param heads the head of each word, 0 for the root; index 0 is unused
 */
export function isTree(heads: ArrayLike<number>): boolean {
  checkHeads(heads);
  if (heads.length === 0 || heads[0] !== NONE) return false;
  for (let i = 1; i < heads.length; i++) {
    if (heads[i]! < 0 || heads[i]! >= heads.length) return false;
  }
  return findCycle(heads) === null;
}

/** Throws a RangeError that names the first fault when the heads do not form a tree. */
export function assertTree(heads: ArrayLike<number>): void {
  checkHeads(heads);
  if (isTree(heads)) return;
  if (heads[0] !== NONE) throw new RangeError(`not a tree: heads[0] is ${heads[0]} (expected ${NONE})`);
  for (let i = 1; i < heads.length; i++) {
    if (heads[i]! < 0 || heads[i]! >= heads.length) {
      throw new RangeError(`not a tree: word ${i} has head ${heads[i]} (expected 0 to ${heads.length - 1})`);
    }
  }
  const cycle = findCycle(heads)!;
  throw new RangeError(`not a tree: cycle ${[...cycle, cycle[0]].join(" → ")}`);
}

/**
 * Returns the dependents of every node, by counting sort.
 * @param heads the head of each word, 0 for the root; index 0 is unused
 */
export function children(heads: ArrayLike<number>): Children {
  checkHeads(heads);
  const start = new Int32Array(heads.length + 1);
  for (let i = 1; i < heads.length; i++) start[heads[i]! + 1]!++;
  for (let i = 1; i < start.length; i++) start[i]! += start[i - 1]!;
  const nodes = new Int32Array(heads.length - 1);
  const next = start.slice();
  for (let i = 1; i < heads.length; i++) nodes[next[heads[i]!]!++] = i;
  return { start, nodes };
}

function traverse(heads: ArrayLike<number>): Traversal {
  assertTree(heads);
  const { start, nodes } = children(heads);
  const length = heads.length;
  const topDown = new Int32Array(length);
  for (let read = 0, write = 1; read < length; read++) {
    const node = topDown[read]!;
    for (let k = start[node]!; k < start[node + 1]!; k++) topDown[write++] = nodes[k]!;
  }
  const size = new Int32Array(length).fill(1);
  for (let k = length - 1; k > 0; k--) size[heads[topDown[k]!]!]! += size[topDown[k]!]!;
  const first = new Int32Array(length);
  const rank = new Int32Array(length);
  for (let k = 0; k < length; k++) {
    const node = topDown[k]!;
    let next = first[node]!;
    let c = start[node]!;
    const end = start[node + 1]!;
    for (; c < end && nodes[c]! < node; c++) {
      first[nodes[c]!] = next;
      next += size[nodes[c]!]!;
    }
    rank[node] = next++;
    for (; c < end; c++) {
      first[nodes[c]!] = next;
      next += size[nodes[c]!]!;
    }
  }
  return { topDown, size, first, rank };
}

/** Returns the nodes from node 0 downwards, level by level, those of one head in sentence order. O(n). */
export function breadthFirstOrder(heads: ArrayLike<number>): Int32Array {
  return traverse(heads).topDown;
}

/**
 * Returns the rank of every node in the projective order (Nivre 2009): the in-order traversal that visits each node
 * between its left and its right dependents. The tree is projective exactly when rank[i] = i for every i. O(n).
 */
export function projectiveOrder(heads: ArrayLike<number>): Int32Array {
  return traverse(heads).rank;
}

/**
 * Whether the heads form a tree in which every word between a head and its dependent descends from the head. O(n).
 * @param heads the head of each word, 0 for the root; index 0 is unused
 */
export function isProjective(heads: ArrayLike<number>): boolean {
  if (!isTree(heads)) return false;
  const rank = projectiveOrder(heads);
  for (let i = 0; i < rank.length; i++) if (rank[i] !== i) return false;
  return true;
}

/**
 * Returns the words whose incoming arc is non-projective, in sentence order: some word strictly between head and
 * dependent does not descend from the head. O(n) for projective trees, at most O(sum of the arc lengths) for others.
 *
 * The definition needs no tree, and treebanks hold sentences that are none (nl_lassysmall, UD 2.0, has words that are
 * their own head), so cycles and words without a head are accepted; then every test climbs towards the root.
 * @param heads the head of each word, 0 for the root; index 0 is unused
 */
export function nonProjectiveArcs(heads: ArrayLike<number>): number[] {
  checkHeads(heads);
  const traversal = isTree(heads) ? traverse(heads) : null;
  const words: number[] = [];
  if (traversal?.rank.every((rank, node) => rank === node)) return words;
  for (let dependent = 1; dependent < heads.length; dependent++) {
    const head = heads[dependent]!;
    // Node 0 stands before every word and counts as dominating all of them.
    if (head <= 0) continue;
    const high = Math.max(head, dependent);
    for (let k = Math.min(head, dependent) + 1; k < high; k++) {
      if (traversal ? dominates(traversal, head, k) : isAncestor(heads, head, k)) continue;
      words.push(dependent);
      break;
    }
  }
  return words;
}

function dominates({ first, size, rank }: Traversal, head: number, node: number): boolean {
  return rank[node]! >= first[head]! && rank[node]! < first[head]! + size[head]!;
}

/** Whether following the heads from a node leads to the ancestor, itself included; cycles end the walk. O(depth). */
export function isAncestor(heads: ArrayLike<number>, ancestor: number, node: number): boolean {
  checkHeads(heads);
  check("ancestor", ancestor, WHOLE_NUMBER);
  check("node", node, WHOLE_NUMBER);
  let at = node;
  for (let steps = 0; at > 0 && at !== ancestor && steps < heads.length; steps++) at = heads[at]!;
  return at === ancestor;
}

/**
 * Returns, for every word, the degree of the arc that enters it (Nivre 2006; Kuhlmann & Nivre 2006): the number of
 * connected components strictly between head and dependent whose root the head does not dominate. Positive exactly for
 * non-projective arcs. Same complexity as nonProjectiveArcs.
 */
export function edgeDegrees(heads: ArrayLike<number>): Int32Array {
  checkHeads(heads);
  const degrees = new Int32Array(heads.length);
  const traversal = traverse(heads);
  for (const dependent of nonProjectiveArcs(heads)) {
    const head = heads[dependent]!;
    const low = Math.min(head, dependent);
    const high = Math.max(head, dependent);
    for (let k = low + 1; k < high; k++) {
      const inside = heads[k]! > low && heads[k]! < high;
      if (!inside && !dominates(traversal, head, k)) degrees[dependent]!++;
    }
  }
  return degrees;
}

/**
 * Returns the largest degree of an arc; 0 exactly for projective trees.
 * @param heads the head of each word, 0 for the root; index 0 is unused
 */
export function edgeDegree(heads: ArrayLike<number>): number {
  return maximum(edgeDegrees(heads));
}

/**
 * Returns the gap degree of every node (Kuhlmann & Nivre 2006): how often the set of nodes that it
 * dominates is interrupted. Neighbours i and i + 1 are both in that set exactly when the node dominates their lowest
 * common ancestor, so the number of blocks is a sum over the subtree. O(n log n), by heavy paths.
 */
export function gapDegrees(heads: ArrayLike<number>): Int32Array {
  const { topDown, size } = traverse(heads);
  const length = heads.length;
  const heavy = new Int32Array(length).fill(NONE);
  for (let i = 1; i < length; i++) {
    const head = heads[i]!;
    if (heavy[head] === NONE || size[i]! > size[heavy[head]!]!) heavy[head] = i;
  }
  const depth = new Int32Array(length);
  const top = new Int32Array(length);
  for (let k = 1; k < length; k++) {
    const node = topDown[k]!;
    const head = heads[node]!;
    depth[node] = depth[head]! + 1;
    top[node] = heavy[head] === node ? top[head]! : node;
  }
  const blocks = size.slice();
  const joins = new Int32Array(length);
  for (let i = 0; i + 1 < length; i++) {
    let a = i;
    let b = i + 1;
    while (top[a] !== top[b]) {
      if (depth[top[a]!]! >= depth[top[b]!]!) a = heads[top[a]!]!;
      else b = heads[top[b]!]!;
    }
    joins[depth[a]! <= depth[b]! ? a : b]!++;
  }
  for (let k = length - 1; k > 0; k--) joins[heads[topDown[k]!]!]! += joins[topDown[k]!]!;
  for (let i = 0; i < length; i++) blocks[i]! -= joins[i]! + 1;
  return blocks;
}

/**
 * Returns the largest gap degree of a node; 0 exactly for projective trees.
 * @param heads the head of each word, 0 for the root; index 0 is unused
 */
export function gapDegree(heads: ArrayLike<number>): number {
  return maximum(gapDegrees(heads));
}

/**
 * Whether no two subtrees that are disjoint interleave (Bodirsky, Kuhlmann & Möhl 2005): no words a < b < c < d with a
 * and c below one node, b and d below another, and neither node below the other. Such nodes both have gaps, so the
 * pairs are few. O(n) for projective trees, O(n · gaps²) for others.
 * @param heads the head of each word, 0 for the root; index 0 is unused
 */
export function isWellNested(heads: ArrayLike<number>): boolean {
  const traversal = traverse(heads);
  const degrees = gapDegrees(heads);
  const nodes: number[] = [];
  for (let i = 1; i < heads.length; i++) if (degrees[i]! > 0) nodes.push(i);
  for (const [k, a] of nodes.entries()) {
    for (const b of nodes.slice(k + 1)) {
      if (dominates(traversal, a, b) || dominates(traversal, b, a)) continue;
      let turns = 0;
      let last = 0;
      for (let i = 1; i < heads.length; i++) {
        const node = dominates(traversal, a, i) ? a : dominates(traversal, b, i) ? b : last;
        if (node !== last) turns++;
        last = node;
      }
      if (turns > 3) return false;
    }
  }
  return true;
}

/**
 * Returns the outermost descendants of every node. O(n).
 * @param heads the head of each word, 0 for the root; index 0 is unused
 */
export function spans(heads: ArrayLike<number>): Spans {
  const { topDown } = traverse(heads);
  const left = Int32Array.from({ length: heads.length }, (_, i) => i);
  const right = left.slice();
  for (let k = heads.length - 1; k > 0; k--) {
    const node = topDown[k]!;
    const head = heads[node]!;
    if (left[node]! < left[head]!) left[head] = left[node]!;
    if (right[node]! > right[head]!) right[head] = right[node]!;
  }
  return { left, right };
}

/** Returns the number of arcs from node 0 to every node. O(n). */
export function depths(heads: ArrayLike<number>): Int32Array {
  const { topDown } = traverse(heads);
  const result = new Int32Array(heads.length);
  for (let k = 1; k < topDown.length; k++) result[topDown[k]!] = result[heads[topDown[k]!]!]! + 1;
  return result;
}

/**
 * Returns the largest depth of a node; 0 for an empty sentence, 1 for a single word.
 * @param heads the head of each word, 0 for the root; index 0 is unused
 */
export function depth(heads: ArrayLike<number>): number {
  return maximum(depths(heads));
}

/** Returns the distance of every word to its head, for words below node 0 their position. */
export function arcLengths(heads: ArrayLike<number>): Int32Array {
  checkHeads(heads);
  const lengths = new Int32Array(heads.length);
  for (let i = 1; i < heads.length; i++) lengths[i] = Math.abs(i - heads[i]!);
  return lengths;
}

function maximum(values: Int32Array): number {
  let max = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! > max) max = values[i]!;
  return max;
}
