import { check, wholeNumber } from "../../checks/options.js";
import { arrayOf, checkHeads, having } from "../../checks/shapes.js";
import { findCycle } from "../../treebank/tree.js";
import { type Configuration, IN_BUFFER, NONE, ON_STACK, type RootPosition } from "../configuration.js";

/**
 * A gold tree made ready for oracles: bound once per sentence, in linear time, then asked many times.
 */
export class GoldTree {
  /** How many words it has. */
  length = 0;
  /** Head of each word, NONE where no head is wanted; heads[0] is NONE. */
  heads: Int32Array = new Int32Array(0);
  /** Label of the arc into each word, if the tree is labelled. */
  labels: Int32Array | undefined;
  /** Why each word is left out, 0 for those that are not; undefined if none is. Systems number the reasons. */
  leftOut: Uint8Array | undefined;
  /** The dependents of node h, in sentence order, are `dependents[start[h] … start[h + 1] - 1]`. */
  start: Int32Array = new Int32Array(0);
  /** All dependents, by their heads: see `start`. */
  dependents: Int32Array = new Int32Array(0);
  /** Does no arc stand in another's way (see ConflictingArcs)? For a whole tree: is it projective? */
  projective = true;

  /**
   * @param heads the head of each word, 0 for the root; index 0 is unused
   * @param labels the label of each word; index 0 is unused
   * @param leftOut why each word is left out, 0 if it is not
   */
  constructor(heads?: ArrayLike<number>, labels?: ArrayLike<number>, leftOut?: ArrayLike<number>) {
    if (heads === undefined) return;
    this.bind(heads, labels, leftOut);
  }

  /**
   * Take over a tree: heads[i] is the head of word i or NONE if any head will do, heads[0] is ignored. Throws a
   * RangeError that names the words if some of them form a cycle: no oracle knows what to do with one. leftOut[i] is
   * why word i is left out, 0 if it is not; the heads of words that are count nowhere.
   * @param heads the head of each word, 0 for the root; index 0 is unused
   * @param labels the label of each word; index 0 is unused
   * @param leftOut why each word is left out, 0 if it is not
   */
  bind(heads: ArrayLike<number>, labels?: ArrayLike<number>, leftOut?: ArrayLike<number>): void {
    checkHeads(heads, "gold heads");
    if (labels !== undefined) {
      checkHeads(labels, "gold labels");
      if (labels.length !== heads.length) {
        throw new RangeError(
          `invalid gold labels: ${labels.length} entries (expected ${heads.length}, as many as heads)`,
        );
      }
    }
    if (leftOut !== undefined) {
      checkHeads(leftOut, "words left out");
      if (leftOut.length !== heads.length) {
        throw new RangeError(
          `invalid words left out: ${leftOut.length} entries (expected ${heads.length}, as many as heads)`,
        );
      }
    }
    const n = heads.length - 1;
    const nodes = n + 1;
    this.length = n;
    if (this.heads.length < nodes) {
      const capacity = Math.max(nodes, 2 * this.heads.length);
      this.heads = new Int32Array(capacity);
      this.start = new Int32Array(capacity + 2);
      this.dependents = new Int32Array(capacity);
    }
    const { start, dependents } = this;
    start.fill(0, 0, nodes + 2);
    this.heads[0] = NONE;
    for (let d = 1; d <= n; d++) {
      const h = heads[d]!;
      if (!(h >= NONE && h <= n) || h === d) {
        throw new RangeError(`invalid gold head of word ${d}: ${h} (expected another node from 0 to ${n}, or ${NONE})`);
      }
      this.heads[d] = h;
      if (h >= 0) start[h + 2]!++;
    }
    // Counting sort: start[h + 1] runs from the first to one past the last dependent of h while they are dealt out.
    for (let h = 1; h <= nodes; h++) start[h + 1]! += start[h]!;
    for (let d = 1; d <= n; d++) if (this.heads[d]! >= 0) dependents[start[this.heads[d]! + 1]!++] = d;
    this.labels = labels ? Int32Array.from(labels) : undefined;
    this.leftOut =
      leftOut && Array.prototype.some.call(leftOut, (kind) => kind > 0) ? Uint8Array.from(leftOut) : undefined;
    this.projective = isProjective(this.heads, n);
    // In a cycle no word is ever complete, so a projective tree has none.
    const cycle = this.projective ? null : findCycle(this.heads.subarray(0, nodes));
    if (cycle) {
      throw new RangeError(
        `invalid gold heads: the words ${cycle.join(", ")} form a cycle (expected a tree, or part of one)`,
      );
    }
  }

  /**
   * The same tree with any head being good for these words.
   * @param words the words
   */
  without(words: readonly number[]): GoldTree {
    check("words", words, arrayOf("an array of words", wholeNumber(1, this.length)));
    const heads = this.heads.slice(0, this.length + 1);
    for (const d of words) heads[d] = NONE;
    return new GoldTree(heads, this.labels, this.leftOut);
  }

  /**
   * Is this the head of a word in the tree, and `why` the reason that it is left out, if it is?
   * @param head the number of the head, 0 for the root
   * @param word the number of the word, from 1
   * @param why 0 if it is not left out
   */
  agrees(word: number, head: number, why: number): boolean {
    const wanted = this.leftOut?.[word] ?? 0;
    return wanted === Math.max(0, why) && (wanted > 0 || this.heads[word] === head);
  }

  /**
   * Does the arc head → dependent belong to the tree?
   * @param head the number of the head, 0 for the root
   * @param dependent the number of the dependent
   */
  has(head: number, dependent: number): boolean {
    return this.heads[dependent] === head;
  }
}

const GOLD_TREE = having("a GoldTree", "bind", "without");

/** Throws if it is none. */
export function checkGold(gold: unknown): void {
  check("gold tree", gold, GOLD_TREE);
}

/** How many gold dependents of the stack node s are still in the buffer. The buffer must be in sentence order. */
export function stillInBuffer(c: Configuration, gold: GoldTree, s: number): number {
  const { start, dependents } = gold;
  const first = start[s]!;
  let count = 0;
  for (let i = start[s + 1]! - 1; i >= first && c.where[dependents[i]!] === IN_BUFFER; i--) count++;
  return count;
}

/** How many gold dependents of the buffer node b wait on the stack for a head. */
export function waitingOnStack(c: Configuration, gold: GoldTree, b: number): number {
  const { start, dependents } = gold;
  const end = start[b + 1]!;
  let count = 0;
  for (let i = start[b]!; i < end; i++) {
    const d = dependents[i]!;
    if (d > b) break;
    if (c.where[d] === ON_STACK && c.heads[d] === NONE) count++;
  }
  return count;
}

// No arcs conflict iff shifting the words one by one and attaching the top of the stack to its neighbour as soon as it
// is complete, or dropping it if any head will do, takes every word off the stack: the arc-standard parser on the gold
// tree.
function isProjective(heads: Int32Array, n: number): boolean {
  const waiting = new Int32Array(n + 1);
  for (let d = 1; d <= n; d++) if (heads[d]! >= 0) waiting[heads[d]!]!++;
  const stack = new Int32Array(n + 1);
  let size = 1;
  for (let w = 1; w <= n; w++) {
    stack[size++] = w;
    while (size > 1) {
      const top = stack[size - 1]!;
      const below = stack[size - 2]!;
      if (waiting[top] === 0 && heads[top] === NONE) {
        size--;
      } else if (below !== 0 && heads[below] === top && waiting[below] === 0) {
        stack[size - 2] = top;
        waiting[top]!--;
        size--;
      } else if (heads[top] === below && waiting[top] === 0) {
        waiting[below]!--;
        size--;
      } else break;
    }
  }
  return size === 1;
}

/** An arc as a chord between two points. */
interface Chord {
  readonly dependent: number;
  readonly left: number;
  readonly right: number;
}

/**
 * The gold arcs that stand in each other's way in a projective parser, for gold trees that are not projective.
 *
 * Two arcs cannot both be in a projective tree if they cross, or if the arc out of a word passes over that word's own
 * head. Every node is split into three points, [arcs to dependents on the left, arc from the head, arcs to dependents
 * on the right], which makes the second case a crossing too. So the largest set of arcs that fit together is a largest
 * set of chords that do not cross, found by dynamic programming over the end points of the k chords in question, in
 * O(k²): for each group of chords that hang together by crossings, so that a long sentence costs little more than its
 * parts.
 */
export class ConflictingArcs {
  private readonly groups: Chord[][];

  constructor(gold: GoldTree, root: RootPosition) {
    this.groups = crossingGroups(chordsOf(gold, root));
  }

  /**
   * How many of the conflicting arcs must be given up at least, when only those with `wanted(dependent)` are still
   * wanted.
   */
  lost(wanted: (dependent: number) => boolean): number {
    return this.leastToGiveUp(wanted).length;
  }

  /** Dependents of as few arcs as possible without which the others do not conflict. */
  leastToGiveUp(wanted: (dependent: number) => boolean = () => true): number[] {
    return this.groups.flatMap((group) => crossingTooMany(group.filter(({ dependent }) => wanted(dependent))));
  }
}

/** All arcs of the tree as chords, from left to right. */
function chordsOf(gold: GoldTree, root: RootPosition): Chord[] {
  const n = gold.length;
  const place = (node: number) => (node === 0 ? (root === "last" ? n + 1 : 0) : node);
  const width = n + 2;
  const chords: Chord[] = [];
  for (let d = 1; d <= n; d++) {
    if (gold.heads[d]! < (root === "none" ? 1 : 0)) continue;
    // Arcs that leave a node on the same side get end points of their own, in an order that keeps them nested.
    const h = place(gold.heads[d]!);
    const out = (3 * h + (d < h ? 0 : 2)) * width + (n - d);
    const into = (3 * d + 1) * width;
    chords.push({ dependent: d, left: Math.min(out, into), right: Math.max(out, into) });
  }
  return chords.sort((a, b) => a.left - b.left);
}

/** The chords that cross others, in groups: those of different groups do not cross. */
function crossingGroups(chords: readonly Chord[]): Chord[][] {
  const group = Int32Array.from(chords.keys());
  const find = (i: number) => {
    while (group[i] !== i) i = group[i] = group[group[i]!]!;
    return i;
  };
  for (let i = 0; i < chords.length; i++) {
    const { right } = chords[i]!;
    for (let j = i + 1; j < chords.length && chords[j]!.left < right; j++) {
      if (chords[j]!.right > right) group[find(j)] = find(i);
    }
  }
  const members = new Map<number, Chord[]>();
  for (let i = 0; i < chords.length; i++) {
    const first = find(i);
    const known = members.get(first);
    if (known) known.push(chords[i]!);
    else members.set(first, [chords[i]!]);
  }
  return [...members.values()].filter(({ length }) => length > 1);
}

/** Dependents of as few of these chords as possible without which the others do not cross. */
function crossingTooMany(chords: readonly Chord[]): number[] {
  if (chords.length < 2) return [];
  const points: { at: number; chord: number }[] = [];
  for (const [chord, { left, right }] of chords.entries()) points.push({ at: left, chord }, { at: right, chord });
  points.sort((a, b) => a.at - b.at);
  const size = points.length;
  const partner = new Int32Array(size);
  const seen = new Int32Array(chords.length).fill(NONE);
  points.forEach(({ chord }, p) => {
    if (seen[chord]! >= 0) {
      partner[seen[chord]!] = p;
      partner[p] = seen[chord]!;
    } else seen[chord] = p;
  });
  // most[i][j]: the largest set of chords with both ends in points i … j - 1.
  const most = Array.from({ length: size + 1 }, () => new Int32Array(size + 1));
  for (let i = size - 1; i >= 0; i--) {
    const e = partner[i]!;
    for (let j = i + 1; j <= size; j++) {
      let best = most[i + 1]![j]!;
      if (e > i && e < j) best = Math.max(best, 1 + most[i + 1]![e]! + most[e + 1]![j]!);
      most[i]![j] = best;
    }
  }
  const kept = new Set<number>();
  const agenda: [number, number][] = [[0, size]];
  for (let range = agenda.pop(); range; range = agenda.pop()) {
    const [i, j] = range;
    if (i >= j || most[i]![j] === 0) continue;
    const e = partner[i]!;
    if (most[i]![j] === most[i + 1]![j]) agenda.push([i + 1, j]);
    else {
      kept.add(points[i]!.chord);
      agenda.push([i + 1, e], [e + 1, j]);
    }
  }
  return chords.filter((_, chord) => !kept.has(chord)).map(({ dependent }) => dependent);
}

/**
 * Up to this many words a gold tree that a system cannot build is aimed at whole. On random trees of that length nearly
 * every answer takes less than a millisecond (node bench/speed/out-of-class-time.mjs).
 */
export const EXACT_WORDS = 12;

/**
 * The aim of an oracle: the gold tree, or for a long tree that the system cannot build, the tree without a set of
 * arcs that makes it buildable. The loss is then an upper bound: from some configurations another set would have been
 * the better one to give up, and an arc that was given up may still be built by accident.
 */
export class Goal {
  readonly tree: GoldTree;
  /** Number of arcs given up beforehand; with root none those out of 0 do not count. */
  readonly lost: number;
  /** Is the tree aimed at whole? Otherwise losses and costs may be off. */
  readonly exact: boolean;

  constructor(gold: GoldTree, root: RootPosition, hopeless: (gold: GoldTree) => readonly number[], exactWords: number) {
    const given = gold.projective || gold.length <= exactWords ? [] : hopeless(gold);
    this.tree = given.length === 0 ? gold : gold.without(given);
    this.exact = given.length === 0;
    this.lost = given.filter((d) => gold.heads[d]! >= (root === "none" ? 1 : 0)).length;
  }
}

/** The arcs to give up for a projective parser. */
export function conflictsToGiveUp(root: RootPosition): (gold: GoldTree) => readonly number[] {
  return (gold) => new ConflictingArcs(gold, root).leastToGiveUp();
}
