// Pseudo-projective transformation (Nivre & Nilsson 2005).
//
// A non-projective arc h → d is lifted: d is attached to the head of h instead, until the arc is projective. The
// smallest arc goes first (the shortest; of equally long ones the leftmost). Labels then tell how to undo it:
//
//   scheme      lifted word   word that a lift passed over (from the old head up to, not including, the new one)
//   baseline    d             p
//   head        d↑h           p          h: label of the head that the word was lifted from
//   path        d↑            p↓
//   head+path   d↑h           p↓
//
// A word that was lifted and passed over carries both marks: d↑h↓, d↑↓.

import { check, STRING } from "../checks/options.js";
import { checkHeads, STRINGS } from "../checks/shapes.js";
import { breadthFirstOrder, type Children, children, isAncestor, nonProjectiveArcs } from "./tree.js";

const NONE = -1;
const UP = "↑";
const DOWN = "↓";
const MARKS = new RegExp(`[${UP}${DOWN}]`);

/** The names of the encoding schemes. */
export const SCHEMES = ["baseline", "head", "path", "head+path"] as const;

/** How labels record what was lifted. */
export type Scheme = (typeof SCHEMES)[number];

/** A tree with projective arcs and encoded labels. */
export interface Projectivized {
  /** The head of each word, 0 for the root; index 0 is unused. */
  heads: Int32Array;
  /** Indexed by word; labels[0] is as it was given. */
  labels: string[];
  /** The words whose head has changed, in sentence order. */
  lifted: number[];
}

/** A tree with plain labels. */
export interface Deprojectivized {
  /** The head of each word, 0 for the root; index 0 is unused. */
  heads: Int32Array;
  /** Indexed by word; labels[0] is as it was given. */
  labels: string[];
  /** The words whose head has changed, in the order of the changes. */
  moved: number[];
  /** The words whose label asked for a move to a head that was not found. */
  unresolved: number[];
}

/** Whether a label holds ↑ or ↓, and so cannot be encoded. */
export function hasMark(label: string): boolean {
  check("label", label, STRING);
  return MARKS.test(label);
}

/**
 * Lifts non-projective arcs until the tree is projective and encodes the labels, of which labels[i] is that of word i.
 *
 * A lift only takes words away from the old head, so an arc that is non-projective stays so until it is lifted itself,
 * and a lift can make only arcs out of the old head non-projective: the queue is never rebuilt. Lifting always ends,
 * because arcs out of node 0 are projective; in a tree with one root no word reaches node 0.
 * @param heads the head of each word, 0 for the root; index 0 is unused
 * @param labels the label of each word; index 0 is unused
 * @param scheme how labels record the moved arcs
 */
export function projectivize(heads: ArrayLike<number>, labels: readonly string[], scheme: Scheme): Projectivized {
  checkHeads(heads);
  check("labels", labels, STRINGS);
  checkScheme(scheme);
  for (let i = 1; i < heads.length; i++) {
    if (hasMark(labels[i]!)) {
      throw new RangeError(`invalid label of word ${i}: ${labels[i]} (${UP} and ${DOWN} mark lifted arcs)`);
    }
  }
  // The order serves as the check that this is a tree.
  breadthFirstOrder(heads);
  const linear = Int32Array.from(heads);
  const passed = new Uint8Array(heads.length);
  const queued = new Uint8Array(heads.length);
  const queue: number[] = [];
  const enqueue = (dependent: number) => {
    const head = linear[dependent]!;
    queued[dependent] = 1;
    push(queue, Math.abs(head - dependent) * heads.length + Math.min(head, dependent));
  };
  nonProjectiveArcs(heads).forEach(enqueue);
  while (queue.length > 0) {
    const key = pop(queue);
    const left = key % heads.length;
    const right = left + Math.floor(key / heads.length);
    const dependent = linear[right] === left ? right : left;
    const head = linear[dependent]!;
    linear[dependent] = linear[head]!;
    queued[dependent] = 0;
    passed[head] = 1;
    if (isCrossed(linear, dependent)) enqueue(dependent);
    for (let i = 1; i < linear.length; i++) {
      if (linear[i] === head && queued[i] === 0 && isCrossed(linear, i)) enqueue(i);
    }
  }
  const lifted: number[] = [];
  const encoded = labels.slice();
  for (let i = 1; i < heads.length; i++) {
    const isLifted = linear[i] !== heads[i];
    if (isLifted) lifted.push(i);
    if (scheme === "baseline") continue;
    if (isLifted) encoded[i] += scheme === "path" ? UP : UP + labels[heads[i]!];
    if (scheme !== "head" && passed[i] === 1) encoded[i] += DOWN;
  }
  return { heads: linear, labels: encoded, lifted };
}

function checkScheme(scheme: string): void {
  if (!SCHEMES.some((name) => name === scheme)) {
    throw new RangeError(`unknown scheme: ${scheme} (expected ${SCHEMES.join(", ")})`);
  }
}

/**
 * Whether the arc into a word is non-projective; of the words in between only those headed from outside need a look.
 */
function isCrossed(heads: ArrayLike<number>, dependent: number): boolean {
  const head = heads[dependent]!;
  const low = Math.min(head, dependent);
  const high = Math.max(head, dependent);
  for (let k = low + 1; k < high; k++) {
    if (heads[k]! > low && heads[k]! < high) continue;
    if (!isAncestor(heads, head, k)) return true;
  }
  return false;
}

/**
 * Moves lifted words back and strips the marks. Any tree with any labels is accepted, and the result is always a tree.
 *
 * Lifted words are taken in the breadth-first order of the given tree: if a head on the path of one word was lifted as
 * well, it hangs higher, and has to be back before the path is searched. The new head is looked for below the present
 * one, breadth-first, dependents from left to right, without the subtree of the word itself, so no cycle can arise:
 *
 *   head        the first node with label h
 *   path        the first node that is reached over ↓ nodes only, is one itself and has none below it
 *   head+path   the first node with label h that is reached over ↓ nodes only and is one itself; else as head
 *
 * A label that the scheme does not produce, or a head that is not found, leaves the word where it is.
 * O(n) per lifted word.
 * @param heads the head of each word, 0 for the root; index 0 is unused
 * @param labels the label of each word; index 0 is unused
 * @param scheme how labels record the moved arcs
 */
export function deprojectivize(heads: ArrayLike<number>, labels: readonly string[], scheme: Scheme): Deprojectivized {
  checkHeads(heads);
  check("labels", labels, STRINGS);
  checkScheme(scheme);
  const order = breadthFirstOrder(heads);
  const syntactic = Int32Array.from(heads);
  const plain = labels.slice();
  const wanted: (string | null)[] = new Array(heads.length).fill(null);
  const passed = new Uint8Array(heads.length);
  const moved: number[] = [];
  const unresolved: number[] = [];
  for (let i = 1; i < heads.length; i++) {
    const decoded = decodeLabel(labels[i]!, scheme);
    if (decoded.head === null && labels[i]!.includes(UP)) unresolved.push(i);
    plain[i] = decoded.label;
    wanted[i] = decoded.head;
    passed[i] = decoded.passed ? 1 : 0;
  }
  const search = { plain, passed, below: children(syntactic), queue: new Int32Array(heads.length) };
  for (const word of order) {
    const label = wanted[word];
    if (label == null) continue;
    const from = syntactic[word]!;
    let target = findHead(search, from, word, scheme === "path" ? null : label, scheme !== "head");
    if (target === NONE && scheme === "head+path") target = findHead(search, from, word, label, false);
    if (target === NONE) {
      unresolved.push(word);
    } else {
      syntactic[word] = target;
      search.below = children(syntactic);
      moved.push(word);
    }
  }
  return { heads: syntactic, labels: plain, moved, unresolved };
}

interface Search {
  plain: readonly string[];
  passed: Uint8Array;
  below: Children;
  queue: Int32Array;
}

function findHead(search: Search, from: number, word: number, label: string | null, followPath: boolean): number {
  const { plain, passed, queue } = search;
  const { start, nodes } = search.below;
  queue[0] = from;
  for (let read = 0, write = 1; read < write; read++) {
    const node = queue[read]!;
    const firstBelow = write;
    for (let k = start[node]!; k < start[node + 1]!; k++) {
      const dependent = nodes[k]!;
      if (dependent !== word && (!followPath || passed[dependent] === 1)) queue[write++] = dependent;
    }
    if (node === from) continue;
    if (label === null ? write === firstBelow : plain[node] === label) return node;
  }
  return NONE;
}

interface DecodedLabel {
  label: string;
  /** The label of the syntactic head, "" in the scheme path; null when the word was not lifted. */
  head: string | null;
  passed: boolean;
}

const ENCODED = new RegExp(`^([^${UP}${DOWN}]+)(${UP}[^${UP}${DOWN}]*)?(${DOWN})?$`);

/** The label of a word whose label consists of marks only. */
const UNSPECIFIED = "dep";

/** Splits a label; one that the scheme cannot have produced counts as neither lifted nor passed over. */
function decodeLabel(text: string, scheme: Scheme): DecodedLabel {
  const match = ENCODED.exec(text);
  const up = match?.[2];
  const down = match?.[3] !== undefined;
  const valid =
    match !== null &&
    (scheme === "baseline" ? up === undefined && !down : !(scheme === "head" && down)) &&
    (up === undefined || (scheme === "path") === (up === UP));
  if (!valid) return { label: text.split(MARKS, 1)[0] || UNSPECIFIED, head: null, passed: false };
  return { label: match[1]!, head: up === undefined ? null : up.slice(UP.length), passed: down };
}

// A binary heap of numbers, the smallest on top.

function push(heap: number[], key: number): void {
  let at = heap.push(key) - 1;
  while (at > 0) {
    const up = (at - 1) >> 1;
    if (heap[up]! <= key) break;
    heap[at] = heap[up]!;
    at = up;
  }
  heap[at] = key;
}

function pop(heap: number[]): number {
  const top = heap[0]!;
  const key = heap.pop()!;
  if (heap.length === 0) return top;
  let at = 0;
  for (let down = 1; down < heap.length; down = 2 * at + 1) {
    if (down + 1 < heap.length && heap[down + 1]! < heap[down]!) down++;
    if (heap[down]! >= key) break;
    heap[at] = heap[down]!;
    at = down;
  }
  heap[at] = key;
  return top;
}
