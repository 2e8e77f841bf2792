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
 * dependent does not descend from the head. O(n) for projective trees, O(n log n) for others.
 *
 * The definition needs no tree, and treebanks hold sentences that are none (nl_lassysmall, UD 2.0, has words that are
 * their own head), so cycles and words without a head are accepted.
 * @param heads the head of each word, 0 for the root; index 0 is unused
 */
export function nonProjectiveArcs(heads: ArrayLike<number>): number[] {
  checkHeads(heads);
  const { forest, top } = withoutCycles(heads);
  const traversal = traverse(forest);
  if (isTree(heads) && traversal.rank.every((rank, node) => rank === node)) return [];
  // Node 0 stands before every word and counts as dominating all of them.
  const words: number[] = [];
  const between: Between[] = [];
  for (let word = 1; word < heads.length; word++) {
    const head = heads[word]!;
    if (head <= 0 || head >= heads.length || Math.abs(head - word) < 2) continue;
    words.push(word);
    between.push({ node: top[head]!, from: Math.min(head, word) + 1, to: Math.max(head, word) - 1 });
  }
  const dominated = countDominated(traversal, between);
  return words.filter((_, i) => dominated[i]! <= between[i]!.to - between[i]!.from);
}

/**
 * The heads with a word of each cycle, and every word without a head, below node 0; and for each word the one that
 * dominates there what it dominates in the cycle.
 */
function withoutCycles(heads: ArrayLike<number>): { forest: Int32Array; top: Int32Array } {
  const forest = Int32Array.from(heads, (head, i) => (i === 0 ? NONE : head > 0 && head < heads.length ? head : 0));
  const top = Int32Array.from(forest, (_, i) => i);
  const seen = new Int32Array(heads.length);
  for (let start = 1; start < heads.length; start++) {
    let node = start;
    for (; node > 0 && seen[node] === 0; node = forest[node]!) seen[node] = start;
    if (node === 0 || seen[node] !== start) continue;
    for (let next = forest[node]!; next !== node; next = forest[next]!) top[next] = node;
    forest[node] = 0;
  }
  return { forest, top };
}

/** A question: how many of the nodes from one to another a node dominates. */
interface Between {
  node: number;
  from: number;
  to: number;
}

/**
 * Answers the questions in the order of the sentence, with the ranks of the nodes so far in a tree of sums (Fenwick
 * 1994). O((n + questions) log n).
 */
function countDominated({ first, size, rank }: Traversal, questions: readonly Between[]): Int32Array {
  const counts = new Int32Array(questions.length);
  const sums = new Int32Array(rank.length + 1);
  const before = (end: number) => {
    let sum = 0;
    for (let k = end; k > 0; k &= k - 1) sum += sums[k]!;
    return sum;
  };
  // Each is asked before its first node and after its last one.
  const events = Float64Array.from({ length: 2 * questions.length }, (_, i) => {
    const { from, to } = questions[i >> 1]!;
    return (i & 1 ? to : from - 1) * 2 * questions.length + i;
  }).sort();
  let last = 0;
  for (const event of events) {
    const i = event % (2 * questions.length);
    for (const end = (event - i) / (2 * questions.length); last < end; ) {
      last++;
      for (let k = rank[last]! + 1; k < sums.length; k += k & -k) sums[k]!++;
    }
    const { node } = questions[i >> 1]!;
    const count = before(first[node]! + size[node]!) - before(first[node]!);
    counts[i >> 1]! += i & 1 ? count : -count;
  }
  return counts;
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
 * and c below one node, b and d below another, and neither node below the other. If two subtrees interleave, so do
 * those of two dependents of one head that contain them. O(n log n).
 * @param heads the head of each word, 0 for the root; index 0 is unused
 */
export function isWellNested(heads: ArrayLike<number>): boolean {
  const { start, nodes } = children(heads);
  const { left, right } = spans(heads);
  const between: Between[] = [];
  for (let head = 0; head < heads.length; head++) {
    const open: number[] = [];
    for (const node of nodes.slice(start[head]!, start[head + 1]!).sort((a, b) => left[a]! - left[b]!)) {
      while (open.length > 0 && right[open.at(-1)!]! < left[node]!) open.pop();
      const around = open.at(-1);
      if (around !== undefined) {
        if (right[around]! < right[node]!) return false;
        // It has to be in one gap of the one around it; that is in one gap of those around both.
        between.push({ node: around, from: left[node]!, to: right[node]! });
      }
      open.push(node);
    }
  }
  return countDominated(traverse(heads), between).every((count) => count === 0);
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
