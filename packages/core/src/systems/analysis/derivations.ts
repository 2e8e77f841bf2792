// How many derivations a tree has: the transition sequences that build exactly its arcs. docs/derivations.md proves the formulas.
//
// Walking through the configurations would take exponential time, because what is delayed at one place of the stack multiplies with
// what is delayed at the others. So each system is counted by what its delays consist of; only swap, and a system without a method of
// its own, is counted by its configurations, up to a limit.

import { Configuration, NONE, type RootPosition } from "../configuration.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import type { TransitionSystem } from "../system.js";
import type { Move } from "../transition.js";

/** The limit by default: most sentences of six words in swap, all but freak sentences in Attardi's system. */
export const DERIVATION_LIMIT = 20_000;

/** In Attardi's system, as many combinations of parts take about as long as one configuration does in swap. */
const COMBINATIONS = 100;

/** Counts the derivations of a tree; undefined if it has to give up. */
export type Count = (system: TransitionSystem, gold: GoldTree, limit: number) => bigint | undefined;

export function rootsOf(gold: GoldTree): number {
  return gold.start[1]! - gold.start[0]!;
}

/** One word must remain at the end if 0 cannot collect several. */
function remains(system: TransitionSystem, gold: GoldTree): boolean {
  return gold.projective && (system.root !== "none" || rootsOf(gold) === 1);
}

/** Each word takes its left and its right dependents in turn, those of one side from the inside out: ∏ C(l + r, l). O(n). */
export function ofArcStandard(system: TransitionSystem, gold: GoldTree): bigint {
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
 * Only REDUCE can wait. When a word is pushed, the words of the right spine that ends with it are finished, all but those that wait
 * for something still: a chain of m words that can go, the topmost first, whenever the chain is on top of the stack, until
 * its neighbour below is needed. It is on top once for each word of the left spine of what follows: O(n) binomials.
 */
export function ofArcEager(system: TransitionSystem, gold: GoldTree): bigint {
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
      // A left dependent waits itself for its head, at which the chain on it comes to the top once more. (Without a root node
      // roots wait for ever, and the chain may stay: one choice more too.)
      const chain = right[dependents[i]!]! - (i < middle ? 1 : 0);
      const chances = next + (i < middle ? 1 : 0);
      product *= binomial(chain + chances - 1, chain);
    }
  }
  return product;
}

/** As in arc-eager: RIGHT-ARC waits as REDUCE does there. */
export function ofArcHybrid(system: TransitionSystem, gold: GoldTree): bigint {
  return remains(system, gold) ? ofArcEager(system, gold) : 0n;
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

/**
 * LR-spines: every arc closes the gap between two neighbouring nodes, always the same one: at the left end of the subtree of a right
 * dependent, at the right end of that of a left dependent. So a derivation says for each gap g, between the places g and
 * g + 1, at which place the last node shifted stands when the gap is closed. Gaps are closed last opened first; the spines give
 * each gap an earliest and a latest place; nothing else matters. O(n³) additions and multiplications at worst.
 */
export function ofLrSpines(system: TransitionSystem, gold: GoldTree): bigint {
  if (!remains(system, gold)) return 0n;
  const heads = headsByPlace(gold, system.root);
  const size = heads.length;
  const { first, last } = extents(heads);
  const earliest = new Int32Array(size);
  const latest = new Int32Array(size).fill(size - 1);
  for (let d = 0; d < size; d++) {
    const h = heads[d]!;
    if (h < 0) continue;
    const gap = h < d ? first[d]! - 1 : last[d]!;
    // What stands before the gap is one tree by then, from the node that takes part in the arc on.
    for (let g = Math.min(h, d); g < gap; g++) latest[g] = Math.min(latest[g]!, gap);
    earliest[gap] = Math.max(h, d);
    if (h < d) latest[gap] = Math.min(latest[gap]!, last[d]!);
  }
  // ways[g][b]: how the gaps g … b - 1 can be closed by the time that b is the last node shifted.
  const ways: bigint[][] = Array.from({ length: size + 1 }, () => []);
  for (let g = size - 1; g >= 0; g--) {
    const row = new Array<bigint>(size).fill(0n);
    row[g] = 1n;
    for (let m = earliest[g]!; g < size - 1 && m <= latest[g]!; m++) {
      const inside = ways[g + 1]![m]!;
      if (inside === 0n) continue;
      for (let b = m; b < size; b++) {
        const after = m === g ? row[b]! : ways[m]![b]!;
        if (after !== 0n) row[b]! += inside * after;
      }
    }
    ways[g] = row;
  }
  return ways[0]![size - 1]!;
}

/** The heads with nodes numbered by their places from 0: 0 before the words, after them, or left out. */
function headsByPlace(gold: GoldTree, root: RootPosition): Int32Array {
  const n = gold.length;
  const before = root === "first" ? 0 : 1;
  const heads = new Int32Array(root === "none" ? n : n + 1).fill(NONE);
  const zero = root === "first" ? 0 : root === "last" ? n : NONE;
  for (let d = 1; d <= n; d++) heads[d - before] = gold.heads[d] === 0 ? zero : gold.heads[d]! - before;
  return heads;
}

/** The outermost places of each subtree. */
function extents(heads: Int32Array): { first: Int32Array; last: Int32Array } {
  const first = Int32Array.from(heads.keys());
  const last = first.slice();
  for (let d = 0; d < heads.length; d++) {
    for (let h = heads[d]!; h >= 0; h = heads[h]!) {
      if (d < first[h]!) first[h] = d;
      if (d > last[h]!) last[h] = d;
    }
  }
  return { first, last };
}

/** Attardi's system: see bottomUp. */
export function ofAttardi(system: TransitionSystem, gold: GoldTree, limit: number): bigint | undefined {
  return bottomUp((system as TransitionSystem & { degree: number }).degree, system.root, gold, limit);
}

/** A part of a derivation that never looks below the nodes it began with: the nodes on top at its end, and how many there are of it. */
interface Part {
  readonly nodes: readonly number[];
  readonly next: number;
  count: bigint;
}

/**
 * Attardi's system of degree d (and arc-standard, d = 1): parts of derivations that begin with d − 1 nodes on top of the stack,
 * SHIFT, and from then on keep at least d; at their end d nodes are there. Such a part ends with its first SHIFT, or it is a shorter
 * one, then one above it that begins with the topmost d − 1 nodes, then an arc among the d + 1 nodes on top (Cohen,
 * Gómez-Rodríguez & Satta 2011). Parts with the same beginning and end are counted together. Only gold arcs are built, so that few
 * combinations occur: O(n) beginnings on projective trees, polynomial in n for any tree.
 */
function bottomUp(degree: number, root: RootPosition, gold: GoldTree, limit: number): bigint | undefined {
  if (root === "none" && rootsOf(gold) !== 1) return 0n;
  const heads = headsByPlace(gold, root);
  const size = heads.length;
  const lastDependent = new Int32Array(size).fill(NONE);
  for (let d = 0; d < size; d++) if (heads[d]! >= 0) lastDependent[heads[d]!] = d;
  const known = new Map<string, Part[]>();
  let combinations = limit * COMBINATIONS;

  // An arc is in vain if a dependent of its dependent is still to come, or among the nodes at hand.
  const inVain = (d: number, lowest: number, above: Part) =>
    lastDependent[d]! >= above.next || heads[lowest] === d || above.nodes.some((node) => heads[node] === d);

  const parts = (start: readonly number[], from: number): Part[] => {
    const name = `${start},${from}`;
    const before = known.get(name);
    if (before || combinations <= 0) return before ?? [];
    const found: Map<number, Part>[] = Array.from({ length: size - from + 1 }, () => new Map());
    const add = (nodes: number[], next: number, count: bigint) => {
      let key = 0;
      for (const node of nodes) key = key * (size + 1) + node + 1;
      const part = found[next - from]!.get(key);
      if (part) part.count += count;
      else found[next - from]!.set(key, { nodes, next, count });
    };
    if (from < size) add([...start, from], from + 1, 1n);
    for (let at = from + 1; at < size; at++) {
      for (const below of found[at - from]!.values()) {
        const lowest = below.nodes[0]!;
        for (const above of parts(below.nodes.slice(1), at)) {
          if (combinations-- <= 0) return [];
          const top = above.nodes[degree - 1]!;
          for (let i = -1; i < degree - 1; i++) {
            const other = i < 0 ? lowest : above.nodes[i]!;
            if (other < 0) continue;
            const removed = heads[other] === top ? i : heads[top] === other ? degree - 1 : degree;
            if (removed === degree || inVain(removed === i ? other : top, lowest, above)) continue;
            const rest = removed < 0 ? [] : [lowest];
            for (let k = 0; k < degree; k++) if (k !== removed) rest.push(above.nodes[k]!);
            add(rest, above.next, below.count * above.count);
          }
        }
      }
    }
    const all = found.flatMap((ends) => [...ends.values()]);
    known.set(name, all);
    return all;
  };

  // Below the first node the stack is filled up with places that are none.
  const bottom = new Array<number>(degree - 1).fill(NONE);
  const whole = parts(bottom, 0).filter(
    ({ nodes, next }) => next === size && nodes.slice(0, -1).every((node) => node < 0),
  );
  if (combinations <= 0) return undefined;
  return whole.reduce((sum, { count }) => sum + count, 0n);
}

/** Swap: the words alone, before any arc is built, can be brought into every order, so there are more than n! configurations. */
export function ofSwap(system: TransitionSystem, gold: GoldTree, limit: number): bigint | undefined {
  let orders = 1;
  for (let i = 2; i <= gold.length; i++) {
    orders *= i;
    if (orders > limit) return undefined;
  }
  return byConfigurations(system, gold, limit);
}

/** Any system: the configurations that gold arcs alone lead to, each looked at once. */
export function byConfigurations(system: TransitionSystem, gold: GoldTree, limit: number): bigint | undefined {
  const known = new Map<string, bigint>();
  const path: Configuration[] = [];
  let exceeded = false;
  const count = (c: Configuration, depth: number): bigint => {
    if (system.isTerminal(c)) return isGold(system, c, gold) ? 1n : 0n;
    const key = keyOf(c);
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= limit) exceeded = true;
    let sum = 0n;
    const moves: Move[] = [];
    const permitted = system.permitted(c, moves);
    for (let i = 0; i < permitted && !exceeded; i++) {
      const move = moves[i]!;
      const dependent = system.dependent(c, move);
      if (dependent !== NONE && !gold.has(system.head(c, move), dependent)) continue;
      const next = (path[depth] ??= new Configuration(c.length));
      next.copyFrom(c);
      system.apply(next, move);
      sum += count(next, depth + 1);
    }
    known.set(key, sum);
    return sum;
  };
  const c = new Configuration(gold.length);
  system.initialize(c, gold.length);
  const total = count(c, 0);
  return exceeded ? undefined : total;
}

/** Does a terminal configuration stand for the gold tree? Arcs out of 0 must have been built if 0 is there to build them. */
function isGold(system: TransitionSystem, c: Configuration, gold: GoldTree): boolean {
  for (let d = 1; d <= c.length; d++) {
    if (c.heads[d] !== gold.heads[d] && !(system.root === "none" && c.heads[d] === NONE && gold.heads[d] === 0))
      return false;
  }
  return true;
}

/** Equal exactly when stack, buffer and arcs are, if all arcs are gold. */
function keyOf(c: Configuration): string {
  let key = "";
  for (let i = 0; i < c.stackSize; i++) key += String.fromCharCode(c.stack[i]!);
  key += "\uffff";
  for (let i = c.front; i < c.end; i++) key += String.fromCharCode(c.buffer[i]!);
  key += "\uffff";
  for (let d = 1; d <= c.length; d++) if (c.heads[d] !== NONE) key += String.fromCharCode(d);
  return key;
}

function binomial(n: number, k: number): bigint {
  let result = 1n;
  const smaller = Math.min(k, n - k);
  for (let i = 1; i <= smaller; i++) result = (result * BigInt(n - smaller + i)) / BigInt(i);
  return result;
}
