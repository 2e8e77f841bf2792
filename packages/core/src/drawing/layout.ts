import { ARRAY, check, oneOf, STRING, wholeNumber } from "../checks/options.js";
import { checkHeads } from "../checks/shapes.js";

/**
 * A sentence to draw. Index 0 of every array is unused; `heads[d]` is the head of word d, 0 for the root, -1 for a word
 * that has no head yet. The arcs may cross, form several trees, or even a cycle.
 */
export interface Drawable {
  /** The forms of the words; index 0 is unused. */
  readonly forms: ArrayLike<string>;
  /** The head of each word, 0 for the root, -1 for none; index 0 is unused. */
  readonly heads: ArrayLike<number>;
  /** The labels of the arcs; index 0 is unused. */
  readonly labels?: ArrayLike<string | undefined> | undefined;
  /** A line of tags below the forms. */
  readonly tags?: ArrayLike<string | undefined> | undefined;
  /** A line of lemmas below the forms. */
  readonly lemmas?: ArrayLike<string | undefined> | undefined;
  /** Each gets a row below the words: its sense below its word, the roles below the words of its arguments. */
  readonly predicates?: readonly DrawablePredicate[] | undefined;
  /** The name of the SVG for screen readers; by default the forms. */
  readonly title?: string | undefined;
}

/** A predicate with the roles of its arguments; words are counted from 1. */
export interface DrawablePredicate {
  readonly word: number;
  readonly sense: string;
  readonly arguments: readonly { readonly word: number; readonly role: string }[];
}

/** The direction in which the words follow each other on the page. */
export type Direction = "ltr" | "rtl";

export const DIRECTION = oneOf("ltr", "rtl");

/** The number of words of the sentence; throws when `heads` does not fit it. */
export function wordCount(tree: Drawable): number {
  check("forms of the tree", tree?.forms, ARRAY);
  check("heads of the tree", tree.heads, ARRAY);
  for (const row of ["labels", "tags", "lemmas"] as const) {
    if (tree[row] !== undefined) check(`${row} of the tree`, tree[row], ARRAY);
  }
  if (tree.predicates !== undefined) check("predicates of the tree", tree.predicates, ARRAY);
  if (tree.title !== undefined) check("title of the tree", tree.title, STRING);
  const n = Math.max(tree.forms.length - 1, 0);
  if (n > 0 && tree.heads.length !== n + 1)
    throw new RangeError(`invalid heads: ${tree.heads.length} entries (expected ${n + 1}, index 0 unused)`);
  for (let d = 1; d <= n; d++) {
    const head = tree.heads[d]!;
    if (!Number.isInteger(head) || head < -1 || head > n || head === d)
      throw new RangeError(`invalid head of word ${d}: ${head} (expected -1 ... ${n}, not the word itself)`);
  }
  return n;
}

/**
 * How drawings show predicates below n words: a row of texts for each, by word from 1, with its sense and the roles of
 * its arguments; "" where there is none.
 */
export function roleRows(predicates: readonly DrawablePredicate[], n: number): string[][] {
  check("predicates", predicates, ARRAY);
  check("number of words", n, wholeNumber(0));
  return predicates.map((predicate) => {
    const { word, sense, arguments: own } = Object(predicate) as DrawablePredicate;
    const row = new Array<string>(n + 1).fill("");
    check("arguments of a predicate", own, ARRAY);
    for (const { word: i, role } of [...own, { word, role: sense }]) {
      if (!(Number.isInteger(i) && i >= 1 && i <= n))
        throw new RangeError(`invalid word of a predicate: ${i} (expected 1 to ${n})`);
      row[i] += (row[i] && " ") + role;
    }
    return row;
  });
}

/** Dependents of words (not of the root), shortest arc first, then from left to right. */
function arcsByLength(heads: ArrayLike<number>, n: number): number[] {
  const dependents: number[] = [];
  for (let d = 1; d <= n; d++) if (heads[d]! > 0) dependents.push(d);
  const length = (d: number) => Math.abs(heads[d]! - d);
  const left = (d: number) => Math.min(heads[d]!, d);
  return dependents.sort((a, b) => length(a) - length(b) || left(a) - left(b) || a - b);
}

/**
 * The height of the arc into each word, from 1; 0 where there is none. An arc lies above every shorter arc that it
 * shares a stretch with, nested or crossing; arcs that only meet at a word may lie at the same height. The arrow into
 * a dependent of the root ends above all arcs around that word. O(n * length of the longest arc).
 */
export function arcLevels(heads: ArrayLike<number>): Int32Array {
  checkHeads(heads);
  const n = Math.max(heads.length - 1, 0);
  const levels = new Int32Array(n + 1);
  // skyline[i] is the highest level so far between the words i and i + 1.
  const skyline = new Int32Array(n + 1);
  for (const d of arcsByLength(heads, n)) {
    const from = Math.min(heads[d]!, d);
    const to = Math.max(heads[d]!, d);
    let top = 0;
    for (let i = from; i < to; i++) if (skyline[i]! > top) top = skyline[i]!;
    skyline.fill((levels[d] = top + 1), from, to);
  }
  for (let d = 1; d <= n; d++) if (heads[d] === 0) levels[d] = Math.max(skyline[d - 1]!, skyline[d]!) + 1;
  return levels;
}

/** Sizes that the layout needs, all integers in one unit: pixels for SVG, cells for a terminal. */
export interface Metrics {
  /** Width of a word with everything written under it. */
  word(i: number): number;
  /** Width of the label of the arc into d; 0 if there is none. */
  label(d: number): number;
  /** Least space between two words. */
  readonly gap: number;
  /** Space between the label and the ends of its arc. */
  readonly labelPadding: number;
  /** Least and greatest distance of two arc ends at one word. */
  readonly pitch: readonly [number, number];
}

/** Where things are, from the left edge of the first word at 0; arrays are indexed by word. */
export interface Layout {
  readonly width: number;
  readonly levels: Int32Array;
  readonly levelCount: number;
  /** Centre of each word. */
  readonly centers: Int32Array;
  /** Where the arc into a word leaves its head (for a dependent of the root the same as `ends`). */
  readonly starts: Int32Array;
  /** Where the arc into a word ends. */
  readonly ends: Int32Array;
  /** Centre of the label of the arc into a word. */
  readonly labels: Int32Array;
}

/** Places words, arc ends and labels. O(n²) at worst. */
export function layout(tree: Drawable, metrics: Metrics, direction: Direction = "ltr"): Layout {
  const n = wordCount(tree);
  const { heads } = tree;
  const levels = arcLevels(heads);
  const starts = new Int32Array(n + 1);
  const ends = new Int32Array(n + 1);
  const labels = new Int32Array(n + 1);
  const centers = new Int32Array(n + 1);

  // Arc ends at word w from left to right: arcs to the left, shortest first; from the root; arcs to the right,
  // longest first. So nested arcs never cross near a word that they share.
  const rightward = (w: number, d: number) => (heads[d] === 0 ? 0 : Math.sign(heads[d]! + d - 2 * w));
  const incident: number[][] = Array.from({ length: n + 1 }, () => []);
  for (let d = 1; d <= n; d++) {
    if (heads[d]! >= 0) incident[d]!.push(d);
    if (heads[d]! > 0) incident[heads[d]!]!.push(d);
  }
  const half = new Int32Array(n + 1);
  for (let w = 1; w <= n; w++) {
    const arcs = incident[w]!;
    arcs.sort((a, b) => {
      const side = rightward(w, a);
      return side - rightward(w, b) || (side < 0 ? levels[a]! - levels[b]! : levels[b]! - levels[a]!) || a - b;
    });
    const width = metrics.word(w);
    const [least, greatest] = metrics.pitch;
    const pitch = Math.max(least, Math.min(greatest, Math.floor(width / Math.max(arcs.length, 1))));
    const spread = (arcs.length - 1) * pitch;
    let cell = Math.max(width, spread + least);
    arcs.forEach((d, k) => {
      const offset = k * pitch - (spread >> 1);
      if (d !== w) starts[d] = offset;
      else {
        ends[d] = offset;
        if (heads[d] === 0) cell = Math.max(cell, metrics.label(d) + 2 * Math.abs(offset));
      }
    });
    half[w] = (cell + 1) >> 1;
  }

  // space[i] is the distance of the centres of the words i and i + 1.
  const space = new Int32Array(n + 1);
  for (let w = 1; w < n; w++) space[w] = half[w]! + metrics.gap + half[w + 1]!;
  for (const d of arcsByLength(heads, n)) {
    const from = Math.min(heads[d]!, d);
    const to = Math.max(heads[d]!, d);
    let missing = metrics.label(d) + 2 * metrics.labelPadding - Math.sign(d - heads[d]!) * (ends[d]! - starts[d]!);
    for (let i = from; i < to; i++) missing -= space[i]!;
    for (let i = from; missing > 0; i++) {
      const share = Math.ceil(missing / (to - i));
      space[i]! += share;
      missing -= share;
    }
  }

  for (let w = 1, x = half[1] ?? 0; w <= n; x += space[w++]!) centers[w] = x;
  const width = n === 0 ? 0 : centers[n]! + half[n]!;
  for (let d = 1; d <= n; d++) {
    ends[d]! += centers[d]!;
    starts[d] = heads[d]! > 0 ? starts[d]! + centers[heads[d]!]! : ends[d]!;
  }
  placeLabels(heads, metrics, levels, starts, ends, labels);

  if (direction === "rtl")
    for (const xs of [centers, starts, ends, labels]) xs.forEach((x, i) => void (xs[i] = width - x));
  return { width, levels, levelCount: levels.reduce((a, b) => Math.max(a, b), 0), centers, starts, ends, labels };
}

/** A label is in the middle of its arc, or as near to it as keeps clear of the arcs that cross its arc upwards. */
function placeLabels(
  heads: ArrayLike<number>,
  metrics: Metrics,
  levels: Int32Array,
  starts: Int32Array,
  ends: Int32Array,
  labels: Int32Array,
): void {
  const legs: { x: number; level: number }[] = [];
  for (let d = 1; d < ends.length; d++) {
    if (heads[d]! >= 0) legs.push({ x: ends[d]!, level: levels[d]! });
    if (heads[d]! > 0) legs.push({ x: starts[d]!, level: levels[d]! });
  }
  legs.sort((a, b) => a.x - b.x);
  for (let d = 1; d < ends.length; d++) {
    const left = Math.min(starts[d]!, ends[d]!);
    const right = Math.max(starts[d]!, ends[d]!);
    const middle = (left + right) >> 1;
    labels[d] = middle;
    if (heads[d]! <= 0 || metrics.label(d) === 0) continue;
    const room = (metrics.label(d) >> 1) + metrics.labelPadding;
    const clear = (metrics.label(d) >> 1) + (metrics.labelPadding >> 1) + 1;
    let best = Number.POSITIVE_INFINITY;
    let from = left + room;
    const consider = (to: number) => {
      if (from > to) return;
      const x = Math.max(from, Math.min(to, middle));
      if (Math.abs(x - middle) < Math.abs(best - middle)) best = x;
    };
    for (const leg of legs) {
      if (leg.x <= left || leg.x >= right || leg.level <= levels[d]!) continue;
      consider(Math.min(leg.x - clear, right - room));
      from = Math.max(from, leg.x + clear);
    }
    consider(right - room);
    if (Number.isFinite(best)) labels[d] = best;
  }
}
