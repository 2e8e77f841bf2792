// LR-spines: every arc closes the gap between two neighbouring nodes, always the same one, and open gaps are closed
// last opened first. A derivation says of each gap when it is closed. docs/derivations.md has the proof of what
// follows.
//
// The left dependents of a word wait: the gaps behind them can be closed from the moment their head is shifted on,
// whenever nothing opened later is open. The right part of a word (its right dependents and what hangs on them) offers
// these moments. So for every word
//
//   left(z)  = Σ z^q · the ways to go through its left part that leave q gaps open when it is shifted;
//   right(z) = Σ z^s · the ways to go through its right part that close s gaps which were open before it.
//
// Both are products over the dependents, and the number of derivations follows from those of the topmost node.

import { NONE, type RootPosition } from "../configuration.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import { headsByPlace } from "./places.js";

type Series = readonly bigint[];

/** f(z) = polynomial(z) / (1 − z)^moments. The coefficients of both are exact as far as they go. */
interface Fraction {
  readonly polynomial: Series;
  readonly moments: number;
}

/** A series is turned into a fraction if that takes no more than so many passes over it. */
const FEW_MOMENTS = 8;

/** The number of derivations of a projective tree that ends in one node. */
export function countByGaps(gold: GoldTree, root: RootPosition): bigint {
  const heads = headsByPlace(gold, root);
  const size = heads.length;
  if (size === 0) return 1n;
  const { order, start, dependents } = topDown(heads);
  // How many gaps the left part of a node can leave open, and how many gaps its right part can be asked to close.
  const open = new Int32Array(size);
  const closing = new Int32Array(size);
  for (let i = size - 1; i >= 0; i--) {
    const d = order[i]!;
    if (heads[d]! > d) open[heads[d]!]! += open[d]! + 1;
  }
  for (const d of order) {
    closing[d] = open[d]!;
    if (heads[d] !== NONE && heads[d]! < d) closing[d]! += closing[heads[d]!]! + 1;
  }

  const left: Series[] = new Array(size);
  const right: Fraction[] = new Array(size);
  for (let i = size - 1; i >= 0; i--) {
    const h = order[i]!;
    let before: Series = [1n];
    let polynomial: Series = [1n];
    let moments = 1;
    for (let k = start[h]!; k < start[h + 1]!; k++) {
      const d = dependents[k]!;
      if (d < h) before = product(before, [0n, ...leftOpen(left[d]!, right[d]!)], open[h]!);
      else {
        const fraction = closedBelow(left[d]!, right[d]!, closing[d]!, closing[h]!);
        polynomial = product(polynomial, fraction.polynomial, closing[h]!);
        moments += fraction.moments;
      }
      left[d] = right[d] = undefined!;
    }
    left[h] = before;
    right[h] = { polynomial, moments };
  }
  const top = order[0]!;
  return leftOpen(left[top]!, right[top]!)[0]!;
}

/** The nodes from the top down, and the dependents of each: those of h are dependents[start[h] … start[h + 1] - 1]. */
function topDown(heads: Int32Array): { order: Int32Array; start: Int32Array; dependents: Int32Array } {
  const size = heads.length;
  const start = new Int32Array(size + 2);
  for (let d = 0; d < size; d++) if (heads[d]! >= 0) start[heads[d]! + 2]!++;
  for (let h = 1; h <= size; h++) start[h + 1]! += start[h]!;
  const dependents = new Int32Array(size);
  for (let d = 0; d < size; d++) if (heads[d]! >= 0) dependents[start[heads[d]! + 1]!++] = d;
  const order = new Int32Array(size);
  order[0] = heads.indexOf(NONE);
  for (let read = 0, write = 1; read < size; read++) {
    const node = order[read]!;
    for (let k = start[node]!; k < start[node + 1]!; k++) order[write++] = dependents[k]!;
  }
  return { order, start, dependents };
}

/**
 * A left dependent: how many of the gaps that its left part left open its right part leaves open too. Σ left(q) ·
 * right(q − j).
 */
function leftOpen(left: Series, right: Fraction): bigint[] {
  const { polynomial, moments } = right;
  const result = new Array<bigint>(left.length).fill(0n);
  for (let q = 0; q < left.length; q++) {
    if (left[q] === 0n) continue;
    for (let s = Math.min(q, polynomial.length - 1); s >= 0; s--) {
      if (polynomial[s] !== 0n) result[q - s]! += left[q]! * polynomial[s]!;
    }
  }
  for (let pass = 0; pass < moments; pass++) {
    for (let j = result.length - 2; j >= 0; j--) result[j]! += result[j + 1]!;
  }
  return result;
}

/**
 * A right dependent: all gaps of its left part are closed in its right part, and the one before it; beyond these, t
 * gaps that were open before. Σ left(q) · right(t + q + 1), for t up to `most`.
 */
function closedBelow(left: Series, right: Fraction, closing: number, most: number): Fraction {
  const all = expanded(right, closing);
  let series: bigint[];
  if (left.length === 1 && left[0] === 1n) series = all.slice(1, most + 2);
  else {
    series = new Array<bigint>(most + 1).fill(0n);
    for (let q = 0; q < left.length; q++) {
      if (left[q] === 0n) continue;
      for (let t = 0; t <= most; t++) series[t]! += left[q]! * all[t + q + 1]!;
    }
  }
  if (right.moments > FEW_MOMENTS) return { polynomial: series, moments: 0 };
  for (let pass = 0; pass < right.moments; pass++) {
    for (let t = most; t > 0; t--) series[t]! -= series[t - 1]!;
  }
  while (series.length > 1 && series[series.length - 1] === 0n) series.pop();
  return { polynomial: series, moments: right.moments };
}

/** The coefficients of a fraction up to z^most. */
function expanded({ polynomial, moments }: Fraction, most: number): bigint[] {
  const series = polynomial.slice(0, most + 1);
  while (series.length <= most) series.push(0n);
  for (let pass = 0; pass < moments; pass++) {
    for (let s = 1; s <= most; s++) series[s]! += series[s - 1]!;
  }
  return series;
}

/** The product of two polynomials up to z^most. */
function product(a: Series, b: Series, most: number): Series {
  if (a.length === 1 && a[0] === 1n) return b.length > most + 1 ? b.slice(0, most + 1) : b;
  if (b.length === 1 && b[0] === 1n) return a;
  const result = new Array<bigint>(Math.min(most + 1, a.length + b.length - 1)).fill(0n);
  for (let i = 0; i < a.length; i++) {
    if (a[i] === 0n) continue;
    const end = Math.min(b.length, result.length - i);
    for (let j = 0; j < end; j++) if (b[j] !== 0n) result[i + j]! += a[i]! * b[j]!;
  }
  return result;
}
