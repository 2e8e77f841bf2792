import {
  Configuration,
  countDerivations,
  type GoldTree,
  goldTreeOf,
  type Move,
  NONE,
  type TransitionSystem,
} from "@stemma/core/systems";
import type { DerivationGraph, GraphNode, SystemChoice } from "../../protocol/derivation.js";
import type { Tree } from "../../protocol/sentence.js";
import { makeSystem, sentenceOf } from "./system.js";

/** More configurations than can be told apart in a picture. */
const MOST_NODES = 150;
/** Configurations that are looked at, those from which there is no way to the tree included. */
const MOST_LOOKED_AT = 5000;

interface Found {
  stack: number[];
  buffer: number[];
  /** Where it leads: the number of the next configuration, by transition. */
  next: { to: number; move: string; label: string | undefined }[];
  derivations: bigint;
  /** Transitions that remain at most. */
  remaining: number;
}

/**
 * All derivations of a tree as a graph: the configurations from which it can still be reached without a wrong arc, and
 * the transitions between them.
 */
export function derivationGraph(choice: SystemChoice, target: Tree): DerivationGraph {
  const n = target.heads.length - 1;
  const system = makeSystem(choice);
  const gold = goldTreeOf(system, sentenceOf(target));
  const found: Found[] = [];
  const numbers = new Map<string, number>();

  /**
   * The number of a configuration, after all that can follow it; undefined if there are too many, or if transitions
   * lead back to where they began, so that there is no end of derivations.
   */
  const visit = (c: Configuration): number | undefined => {
    const key = keyOf(system, c);
    const known = numbers.get(key);
    if (known === NONE) return undefined;
    if (known !== undefined) return known;
    if (numbers.size >= MOST_LOOKED_AT) return undefined;
    numbers.set(key, NONE);
    const here: Found = {
      stack: Array.from(c.stack.subarray(0, c.stackSize)),
      buffer: Array.from(c.buffer.subarray(c.front, c.end)),
      next: [],
      derivations: 0n,
      remaining: 0,
    };
    if (system.isTerminal(c)) here.derivations = isTarget(system, c, gold) ? 1n : 0n;
    else {
      const moves: Move[] = [];
      const permitted = system.permitted(c, moves);
      for (const move of moves.slice(0, permitted)) {
        const dependent = system.dependent(c, move);
        if (dependent > 0 && !gold.has(system.head(c, move), dependent)) continue;
        const child = new Configuration(n);
        child.copyFrom(c);
        system.apply(child, move);
        if (removesWrongly(system, child, gold)) continue;
        const to = visit(child);
        if (to === undefined) return undefined;
        const { derivations, remaining } = found[to]!;
        if (derivations === 0n) continue;
        const label = dependent > 0 ? target.labels[dependent] : undefined;
        here.next.push({ to, move: system.nameOf(move), label });
        here.derivations += derivations;
        here.remaining = Math.max(here.remaining, remaining + 1);
      }
    }
    found.push(here);
    numbers.set(key, found.length - 1);
    return found.length - 1;
  };

  const first = new Configuration(n);
  system.initialize(first, n);
  const start = visit(first);
  if (start === undefined) {
    const { count } = countDerivations(system, gold);
    return { nodes: [], edges: [], count: count?.toLocaleString("en-US"), tooMany: true };
  }
  const graph = drawn(found, start);
  const count = found[start]!.derivations.toLocaleString("en-US");
  const tooMany = graph.nodes.length > MOST_NODES;
  return tooMany ? { nodes: [], edges: [], count, tooMany } : { ...graph, count, tooMany };
}

/** The configurations on derivations, the initial one first, each with the derivations that go through it. */
function drawn(found: readonly Found[], start: number): Pick<DerivationGraph, "nodes" | "edges"> {
  // Successors of a configuration stand before it in the list, so that this goes from the start to the ends.
  if (found[start]!.derivations === 0n) return { nodes: [], edges: [] };
  const ways = new Map<number, bigint>([[start, 1n]]);
  const depth = new Map<number, number>([[start, 0]]);
  const order: number[] = [];
  for (let number = start; number >= 0; number--) {
    const here = ways.get(number);
    if (here === undefined) continue;
    order.push(number);
    for (const { to } of found[number]!.next) {
      ways.set(to, (ways.get(to) ?? 0n) + here);
      depth.set(to, Math.max(depth.get(to) ?? 0, depth.get(number)! + 1));
    }
  }
  const place = new Map(order.map((number, i) => [number, i]));
  const nodes = order.map((number): GraphNode => {
    const { stack, buffer, derivations } = found[number]!;
    const through = ways.get(number)! * derivations;
    return { stack, buffer, depth: depth.get(number)!, derivations: through.toLocaleString("en-US") };
  });
  const edges = order.flatMap((number) =>
    found[number]!.next.map(({ to, move, label }) => ({ from: place.get(number)!, to: place.get(to)!, move, label })),
  );
  return { nodes, edges };
}

/**
 * A key of a configuration. State that a system keeps besides and does not list, such as that two stacks were
 * exchanged just now, shows in what it permits.
 */
function keyOf(system: TransitionSystem, c: Configuration): string {
  const arcs = c.heads.subarray(1, c.length + 1);
  const lists = JSON.stringify(system.description.lists?.(c) ?? {});
  const moves: Move[] = [];
  const count = system.isTerminal(c) ? 0 : system.permitted(c, moves);
  const permitted = moves.slice(0, count);
  return `${c.stack.subarray(0, c.stackSize)}|${c.buffer.subarray(c.front, c.end)}|${arcs}|${lists}|${permitted}`;
}

function isTarget(system: TransitionSystem, c: Configuration, gold: GoldTree): boolean {
  const removed = system.description.leftOut?.(c);
  for (let d = 1; d <= c.length; d++) {
    if (gold.agrees(d, c.heads[d]!, removed?.[d] ?? NONE)) continue;
    // Headless words are attached to 0 at the end where the system has no other way to do it.
    if (c.heads[d] !== NONE || gold.heads[d] !== 0 || system.root !== "none") return false;
  }
  return true;
}

/** Has it removed a word that should stay, or as something else? */
function removesWrongly(system: TransitionSystem, c: Configuration, gold: GoldTree): boolean {
  const removed = system.description.leftOut?.(c);
  if (!removed) return false;
  for (let d = 1; d <= c.length; d++) if (removed[d]! > 0 && removed[d] !== gold.leftOut?.[d]) return true;
  return false;
}
