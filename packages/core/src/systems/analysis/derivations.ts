// How many derivations a tree has: the transition sequences that build exactly its arcs. docs/derivations.md proves the
// formulas.
//
// Walking through the configurations would take exponential time, because what is delayed at one place of the stack
// multiplies with what is delayed at the others. So each system is counted by what its delays consist of; only swap,
// and a system without a method of its own, is counted by its configurations, up to a limit.

import type { GoldTree } from "../oracles/gold-tree.js";
import type { TransitionSystem } from "../system.js";
import { countByParts } from "./derivations-attardi.js";
import { countByConfigurations } from "./derivations-by-configurations.js";
import { countByGaps } from "./derivations-lr-spines.js";
import { headsByPlace } from "./places.js";

/** The limit by default: most sentences of six words in swap, all but freak sentences in Attardi's system. */
export const DERIVATION_LIMIT = 20_000;

/** In Attardi's system, as many combinations of parts take about as long as one configuration does in swap. */
const COMBINATIONS = 100;

/** How many derivations a tree has, or which limit was reached before that was known. */
export interface DerivationCount {
  /** The exact number, 0 if the system cannot build the tree; undefined if it was not counted to the end. */
  readonly count: bigint | undefined;
  /**
   * The limit that was reached, such as "20000 configurations", or why there is no number; undefined if the number is
   * known.
   */
  readonly limit: string | undefined;
}

/** Counts the derivations of a tree, or names the limit at which it gave up. */
export type Count = (system: TransitionSystem, gold: GoldTree, limit: number) => DerivationCount;

export function exactly(count: bigint): DerivationCount {
  return { count, limit: undefined };
}

export const ofArcStandard: Count = (system, gold) => exactly(countArcStandard(system, gold));
/** Without what makes words reducible in other ways there is a formula. */
export const ofArcEager: Count = (system, gold, limit) => {
  const { monotonic, treeConstraint } = system as TransitionSystem & { monotonic: boolean; treeConstraint: boolean };
  return monotonic && treeConstraint ? exactly(countArcEager(system, gold)) : byConfigurations(system, gold, limit);
};
export const ofArcHybrid: Count = (system, gold) => exactly(countArcHybrid(system, gold));
/** The arcs of a word come in one order, and nothing can wait. */
export const ofArcSwift: Count = (_system, gold) => exactly(gold.projective ? 1n : 0n);
export const ofLrSpines: Count = (system, gold) => exactly(countLrSpines(system, gold));
export const ofCovington: Count = (system, gold) => exactly(countCovington(system, gold));

function orLimit(count: bigint | undefined, limit: string): DerivationCount {
  return { count, limit: count === undefined ? limit : undefined };
}

export function rootsOf(gold: GoldTree): number {
  return gold.start[1]! - gold.start[0]!;
}

/** One word must remain at the end if 0 cannot collect several. */
function remains(system: TransitionSystem, gold: GoldTree): boolean {
  return gold.projective && (system.root !== "none" || rootsOf(gold) === 1);
}

/**
 * Each word takes its left and its right dependents in turn, those of one side from the inside out: ∏ C(l + r, l).
 * O(n).
 */
function countArcStandard(system: TransitionSystem, gold: GoldTree): bigint {
  if (!remains(system, gold)) return 0n;
  let product = 1n;
  for (let h = 1; h <= gold.length; h++) {
    const left = leftDependents(gold, h, h);
    product *= binomial(gold.start[h + 1]! - gold.start[h]!, left);
  }
  return product;
}

/** How many dependents of h stand before the place of h. */
function leftDependents(gold: GoldTree, h: number, place: number): number {
  let count = 0;
  for (let i = gold.start[h]!; i < gold.start[h + 1]! && gold.dependents[i]! < place; i++) count++;
  return count;
}

/**
 * Only REDUCE can wait. When a word is pushed, the words of the right spine that ends with it are finished, all but
 * those that wait for something still: a chain of m words that can go, the topmost first, whenever the chain is on top
 * of the stack, until its neighbour below is needed. It is on top once for each word of the left spine of what follows:
 * O(n) binomials.
 */
function countArcEager(system: TransitionSystem, gold: GoldTree): bigint {
  if (!gold.projective) return 0n;
  const { start, dependents, length } = gold;
  const { left, right } = spineLengths(gold);
  let product = 1n;
  for (let h = 0; h <= length; h++) {
    const place = h === 0 && system.root !== "first" ? length + 1 : h;
    const middle = start[h]! + leftDependents(gold, h, place);
    for (let i = start[h]!; i + 1 < start[h + 1]!; i++) {
      if (i + 1 === middle) continue;
      const next = left[dependents[i + 1]!]!;
      // A left dependent waits itself for its head, at which the chain on it comes to the top once more. (Without a
      // root node roots wait for ever, and the chain may stay: one choice more too.)
      const chain = right[dependents[i]!]! - (i < middle ? 1 : 0);
      const chances = next + (i < middle ? 1 : 0);
      product *= binomial(chain + chances - 1, chain);
    }
  }
  return product;
}

/** As in arc-eager: RIGHT-ARC waits as REDUCE does there. */
function countArcHybrid(system: TransitionSystem, gold: GoldTree): bigint {
  return remains(system, gold) ? countArcEager(system, gold) : 0n;
}

/**
 * The arcs of a word with those before it are built from the nearest on. Only after the furthest there is a choice:
 * SHIFT, or pass some more nodes first. O(n).
 */
function countCovington(system: TransitionSystem, gold: GoldTree): bigint {
  const heads = headsByPlace(gold, system.root);
  const furthest = heads.map((_, place) => place);
  heads.forEach((head, place) => {
    const later = Math.max(head, place);
    if (head >= 0) furthest[later] = Math.min(furthest[later]!, head, place);
  });
  let product = 1n;
  for (const place of furthest) product *= BigInt(place + 1);
  return product;
}

/** Number of nodes of the left and the right spine of each word, itself included. */
function spineLengths(gold: GoldTree): { left: Int32Array; right: Int32Array } {
  const { start, dependents, length } = gold;
  const left = new Int32Array(length + 1);
  const right = new Int32Array(length + 1);
  // The left spine of a word runs to the left and its right spine to the right.
  for (let w = 1; w <= length; w++) {
    const first = start[w]! < start[w + 1]! ? dependents[start[w]!]! : w;
    left[w] = 1 + (first < w ? left[first]! : 0);
  }
  for (let w = length; w >= 1; w--) {
    const last = start[w]! < start[w + 1]! ? dependents[start[w + 1]! - 1]! : w;
    right[w] = 1 + (last > w ? right[last]! : 0);
  }
  return { left, right };
}

/** O(n) products of polynomials, most of them short. */
function countLrSpines(system: TransitionSystem, gold: GoldTree): bigint {
  return remains(system, gold) ? countByGaps(gold, system.root) : 0n;
}

export function ofAttardi(system: TransitionSystem, gold: GoldTree, limit: number): DerivationCount {
  if (system.root === "none" && rootsOf(gold) !== 1) return exactly(0n);
  const combinations = limit * COMBINATIONS;
  const count = countByParts((system as TransitionSystem & { degree: number }).degree, gold, system.root, combinations);
  return orLimit(count, `${combinations} combinations of parts`);
}

/**
 * The words alone, before any arc is built, can be brought into every order, so there are more than n! configurations.
 */
export function ofSwap(system: TransitionSystem, gold: GoldTree, limit: number): DerivationCount {
  let orders = 1;
  for (let i = 2; i <= gold.length; i++) {
    orders *= i;
    if (orders > limit) return orLimit(undefined, `${limit} configurations`);
  }
  return byConfigurations(system, gold, limit);
}

/** EXTRACT and INSERT can undo each other, so that from two words on there is no end of derivations. */
export function ofAuxiliary(system: TransitionSystem, gold: GoldTree, limit: number): DerivationCount {
  if (gold.length < 2) return byConfigurations(system, gold, limit);
  return orLimit(undefined, "EXTRACT and INSERT can undo each other again and again");
}

export function byConfigurations(system: TransitionSystem, gold: GoldTree, limit: number): DerivationCount {
  return orLimit(countByConfigurations(system, gold, limit), `${limit} configurations`);
}

function binomial(n: number, k: number): bigint {
  let result = 1n;
  const smaller = Math.min(k, n - k);
  for (let i = 1; i <= smaller; i++) result = (result * BigInt(n - smaller + i)) / BigInt(i);
  return result;
}
