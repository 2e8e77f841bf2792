// Arc-eager with disfluencies (Rasooli & Tetreault 2013, 2014).  c = (σ, β, A, R): R has the removed words
//   SHIFT, LEFT-ARC_l, RIGHT-ARC_l, REDUCE   as in arc-eager
//   IJ-k      (σ, b1 … bk|β, A, R) ⇒ (σ, β, A', R ∪ {b1 … bk})     as interjections
//   DM-k      the same, as discourse markers
//   RP-i-j    (σ, β, A, R)         ⇒ (σ \ {i … j}, β, A', R ∪ {i … j})   the words i … j, as a reparandum: all of them
//             have been read, are on the stack or reduced, and none is removed yet
// where A' is A without the arcs from and to the removed words. A word that thereby loses its head waits on the stack
// again, in its old place, if it is still there; if it was reduced, it is attached at the end: to 0, or to the root if
// there is to be only one, which no word is removed for: what remains must be able to have one without. Removed words
// have no head. With atOnce RP takes the words read last among those that
// remain, so that a reparandum is removed before the repair is read: what parsers learn. Terminal as arc-eager. Builds
// the sentences whose fluent words form a projective tree.

import { ArcEager, arcEager } from "../systems/arc-eager.js";
import { type Configuration, GONE, IN_BUFFER, NONE, ON_STACK } from "../systems/configuration.js";
import type { SystemOptions } from "../systems/settings.js";
import type { MoveContext, SystemDescription } from "../systems/system.js";
import {
  FIRST_FREE_KIND,
  kindOf,
  LEFT_ARC,
  type Move,
  moveOfKind,
  nameOf,
  REDUCE,
  RIGHT_ARC,
  SHIFT,
} from "../systems/transition.js";
import { attachRemoved } from "./attach-removed.js";
import { Removals } from "./removals.js";
import { DISCOURSE_MARKER, INTERJECTION, REPARANDUM } from "./removed-words.js";

// Kinds of moves: FIRST_FREE_KIND + what the words are removed as. The number of IJ-k and DM-k is k; that of RP-i-j is
// the length of the span above j, so that the class of a move, for which j does not matter, is found by shifting.
const KINDS = ["", "IJ", "DM", "RP"];
const PLACE_BITS = 20;
const LAST_PLACE = (1 << PLACE_BITS) - 1;
const MOST_REMOVED = 63;

/** The most words that a move removes if nothing else is said. */
const LONGEST = 32;

/** IJ-k or DM-k. */
export function removeFront(kind: number, k: number): Move {
  return moveOfKind(FIRST_FREE_KIND + kind, k);
}

/** RP-i-j. */
export function removeRead(i: number, j: number): Move {
  return moveOfKind(FIRST_FREE_KIND + REPARANDUM, ((j - i + 1) << PLACE_BITS) | j);
}

const BITS_OF_KIND = Math.log2(moveOfKind(0, 1));

/** The label under which a move removes words; 0 if it removes none. */
export function removalKind(move: Move): number {
  return Math.max(0, kindOf(move) - FIRST_FREE_KIND);
}

/** The k of IJ-k and DM-k. */
function frontLength(move: Move): number {
  return move >> BITS_OF_KIND;
}

function spanEnd(move: Move): number {
  return (move >> BITS_OF_KIND) & LAST_PLACE;
}

function spanLength(move: Move): number {
  return move >> (BITS_OF_KIND + PLACE_BITS);
}

function spanStart(move: Move): number {
  return spanEnd(move) - spanLength(move) + 1;
}

/** As what a word was removed, NONE if it was not. */
export function removedAs(c: Configuration): Int32Array {
  return c.extra[0]!;
}

/**
 * The last word before another, or before the front of the buffer, that has been read and is not removed; 0 if none.
 */
export function lastRead(c: Configuration, before = c.b(0) > 0 ? c.b(0) : c.length + 1): number {
  const removed = c.extra[0]!;
  let word = before - 1;
  while (word > 0 && removed[word]! > 0) word--;
  return word;
}

/**
 * Stack and buffer; r0, r1, …: the words read last among those that remain, whatever became of them; e0: the last word
 * of the sentence.
 */
const NAMES = ["s0", "s1", "s2", "b0", "b1", "b2", "b3", "b4", "b5", "r0", "r1", "r2", "r3", "r4", "r5", "e0"];
const [FRONT, READ, LAST] = [3, 9, 15];

const readWords: MoveContext = {
  names: NAMES,
  sharedByMoves: true,
  rename: (position) => (NAMES.includes(position) ? position : undefined),
  fill(c, _move, out) {
    for (let i = 0; i < FRONT; i++) out[i] = c.s(i);
    for (let i = FRONT; i < READ; i++) out[i] = c.b(i - FRONT);
    let word = c.bufferSize > 0 && c.b(0) > 0 ? c.b(0) : c.length + 1;
    out[LAST] = c.length;
    for (let i = READ; i < LAST; i++) {
      if (word > 0) word = lastRead(c, word);
      out[i] = word > 0 ? word : NONE;
    }
  },
};

export const disfluencies: SystemDescription = {
  name: "disfluencies",
  title: "Arc-eager with disfluencies",
  reference: "Rasooli & Tetreault 2013",
  extends: arcEager.name,
  settings: [
    {
      name: "longest",
      title: "Most words removed at once",
      help: "the most words that a transition removes",
      values: [LONGEST],
      from: 1,
      upTo: MOST_REMOVED,
      changes: "transitions",
    },
    {
      name: "atOnce",
      title: "Remove only words read last",
      help: "RP removes only the words read last",
      values: [false, true],
      changes: "transitions",
    },
  ],
  create: (options) => new Disfluencies(options),
  context: readWords,
  attachesToSpines: false,
  reordersWords: false,
  leavesHeadless: true,
  extraArrays: 3,
  lists: (c) => ({ removed: Array.from({ length: c.length }, (_, i) => i + 1).filter((w) => removedAs(c)[w]! > 0) }),
  leftOut: removedAs,
  completeTree,
  limits: {
    scores: "it removes words, and arcs with them (use a model that removes none)",
    heads: "it removes words, and arcs with them (use a model that removes none)",
  },
  // A word that stays goes onto the stack and leaves it again.
  transitionsFor: (move) =>
    removalKind(move) === 0 ? 1 : removalKind(move) === REPARANDUM ? spanLength(move) : 2 * frontLength(move),
  risks(system, c, move, arcs) {
    if (removalKind(move) === 0) return arcEager.risks(system, c, move, arcs);
    const [from, to] = spanOf(c, move);
    for (let word = from; word <= to; word++) {
      arcs.lose(word);
      arcs.loseDependents(word);
    }
  },
};

/** Attaches the removed words again, to say in MISC as what they were removed. */
function completeTree(c: Configuration, heads: Int32Array, labels: string[], names: readonly string[]) {
  const leftOut = Uint8Array.from(removedAs(c).subarray(0, c.length + 1), (kind) => Math.max(0, kind));
  if (leftOut.some((kind) => kind > 0)) {
    const [, innerHeads, innerLabels] = c.extra as [Int32Array, Int32Array, Int32Array];
    attachRemoved(heads, labels, leftOut, {
      heads: innerHeads,
      labels: Array.from(innerLabels.subarray(0, c.length + 1), (label) => names[label] ?? names[0]!),
    });
  }
  return { leftOut, annotations: [new Removals(leftOut)] };
}

/** The first and the last of the words that a move removes. */
export function spanOf(c: Configuration, move: Move): [from: number, to: number] {
  if (removalKind(move) === REPARANDUM) return [spanStart(move), spanEnd(move)];
  return [c.b(0), c.b(0) + frontLength(move) - 1];
}

export class Disfluencies extends ArcEager {
  override readonly description = disfluencies;
  override readonly moves: readonly Move[];
  /** The most words that a move removes. */
  readonly longest: number;
  readonly atOnce: boolean;

  constructor(options: SystemOptions = {}) {
    super({ root: options.root, singleRoot: options.singleRoot });
    this.longest = Number(options.longest ?? LONGEST);
    this.atOnce = options.atOnce === true;
    const moves: Move[] = [LEFT_ARC, RIGHT_ARC, REDUCE, SHIFT];
    for (const kind of [INTERJECTION, DISCOURSE_MARKER]) {
      for (let k = 1; k <= this.longest; k++) moves.push(removeFront(kind, k));
    }
    for (let k = 1; k <= this.longest; k++) moves.push(this.classOf(removeRead(1, k)));
    this.moves = moves;
  }

  override get inventory(): string {
    return "LEFT-ARC, RIGHT-ARC, REDUCE, SHIFT, IJ-k, DM-k, RP-i-j";
  }

  // A reparandum may be taken back, and its arcs with it.
  override get looksAtAllArcs(): boolean {
    return true;
  }

  /** Where a reparandum is does not matter to a model, only how long it is. */
  override classOf(move: Move): Move {
    if (removalKind(move) !== REPARANDUM) return move;
    return move & ~(LAST_PLACE << BITS_OF_KIND);
  }

  override nameOf(move: Move): string {
    const kind = removalKind(move);
    if (kind === 0) return nameOf(move);
    return kind === REPARANDUM ? `RP-${spanStart(move)}-${spanEnd(move)}` : `${KINDS[kind]}-${frontLength(move)}`;
  }

  override moveOf(name: string): Move {
    const front = /^(IJ|DM)-([1-9]\d?)$/.exec(name);
    if (front && Number(front[2]) <= this.longest) return removeFront(KINDS.indexOf(front[1]!), Number(front[2]));
    const span = /^RP-([1-9]\d{0,6})-([1-9]\d{0,6})$/.exec(name);
    if (!span) return super.moveOf(name);
    const [i, j] = [Number(span[1]), Number(span[2])];
    return i <= j && j - i < this.longest && j <= LAST_PLACE ? removeRead(i, j) : -1;
  }

  override permitted(c: Configuration, out: Move[]): number {
    const { longest, singleRoot } = this;
    let count = 0;
    for (let i = 0; i < 4; i++) if (super.permits(c, this.moves[i]!)) out[count++] = this.moves[i]!;
    if (c.bufferSize === 0 || this.isTerminal(c)) return count;
    // As `permits` has it, but there is no need to ask again for every move.
    const b = c.b(0);
    const left = b > 0 ? c.length - b + 1 : 0;
    for (let kind = INTERJECTION; kind <= DISCOURSE_MARKER; kind++) {
      for (let k = 1; k <= longest && k <= left; k++)
        if (!singleRoot || k < left || hasOneRoot(c, b, c.length)) out[count++] = removeFront(kind, k);
    }
    const removed = removedAs(c);
    for (let j = Math.min(lastRead(c), LAST_PLACE); j > 0; j = this.atOnce ? 0 : j - 1) {
      for (let i = j; i > 0 && j - i < longest && removed[i]! < 0; i--)
        if (!singleRoot || left > 0 || hasOneRoot(c, i, j)) out[count++] = removeRead(i, j);
    }
    return count;
  }

  override permits(c: Configuration, move: Move): boolean {
    const kind = removalKind(move);
    if (kind === 0) return super.permits(c, move);
    if (c.bufferSize === 0 || this.isTerminal(c)) return false;
    const [from, to] = spanOf(c, move);
    if (from < 1 || to > c.length || to - from >= this.longest) return false;
    if (kind === REPARANDUM) {
      if (this.atOnce && to !== lastRead(c)) return false;
      for (let word = from; word <= to; word++)
        if (removedAs(c)[word]! > 0 || c.where[word] === IN_BUFFER) return false;
    }
    // With one root: when no word is left in the buffer, there is exactly one.
    const isLast = kind === REPARANDUM ? c.b(0) === 0 : to === c.length;
    return !this.singleRoot || !isLast || hasOneRoot(c, from, to);
  }

  override apply(c: Configuration, move: Move, label = NONE): void {
    const kind = removalKind(move);
    if (kind === 0) {
      super.apply(c, move, label);
      return;
    }
    const [from, to] = spanOf(c, move);
    const [removed, heads, labels] = c.extra as [Int32Array, Int32Array, Int32Array];
    for (let d = 1; d <= c.length; d++) {
      const h = c.heads[d]!;
      if (h === NONE) continue;
      const isInside = d >= from && d <= to;
      const hasHeadInside = h >= from && h <= to;
      if (isInside && hasHeadInside) {
        heads[d] = h;
        labels[d] = c.labels[d]!;
      }
      if (isInside || hasHeadInside) c.removeArc(d);
    }
    for (let word = from; word <= to; word++) {
      removed[word] = kind;
      c.where[word] = GONE;
    }
    if (kind !== REPARANDUM) c.front += to - from + 1;
    else {
      let size = 0;
      for (let k = 0; k < c.stackSize; k++) {
        const node = c.stack[k]!;
        if (node < from || node > to) c.stack[size++] = node;
      }
      c.stackSize = size;
    }
    c.version++;
  }

  override head(c: Configuration, move: Move): number {
    return removalKind(move) > 0 ? NONE : super.head(c, move);
  }

  override dependent(c: Configuration, move: Move): number {
    return removalKind(move) > 0 ? NONE : super.dependent(c, move);
  }

  override finish(c: Configuration, label = NONE): void {
    const removed = removedAs(c);
    const root = this.singleRoot ? rootOf(c) : 0;
    for (let d = 1; d <= c.length; d++) {
      if (c.heads[d] === NONE && removed[d]! < 0) c.addArc(d === root ? 0 : root, d, label);
    }
  }
}

/** The root of a terminal configuration that has one; if nothing is left but words that lost their heads, the first. */
function rootOf(c: Configuration): number {
  let first = 0;
  for (let d = c.length; d > 0; d--) {
    if (c.heads[d] === 0 || (c.heads[d] === NONE && c.where[d] === ON_STACK)) return d;
    if (c.heads[d] === NONE && removedAs(c)[d]! < 0) first = d;
  }
  return first;
}

/**
 * Once the words from i to j are removed, as the last of the buffer or with none left in it: is there one word on the
 * stack without a head, or with the head 0? Or none, but some word that was reduced?
 */
function hasOneRoot(c: Configuration, i: number, j: number): boolean {
  let roots = 0;
  for (let k = 0; k < c.stackSize; k++) {
    const s = c.stack[k]!;
    if (s === 0 || (s >= i && s <= j)) continue;
    const h = c.heads[s]!;
    if (h <= 0 || (h >= i && h <= j)) roots++;
  }
  if (roots > 0) return roots === 1;
  for (let word = lastRead(c); word > 0; word = lastRead(c, word)) if (word < i || word > j) return true;
  return false;
}
