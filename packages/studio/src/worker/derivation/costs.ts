import {
  Configuration,
  dynamicOracle,
  type GoldTree,
  labelledOracle,
  type Move,
  NONE,
  staticOracle,
  type TransitionSystem,
} from "@stemma/core/systems";
import type { SystemChoice } from "../../protocol/derivation.js";
import { MOST_STEPS, makeSystem } from "./system.js";

/**
 * Searches (swap, 2-planar) take exponential time: one looks at so many nodes of configurations, and after so many
 * milliseconds in all, costs are given up.
 */
const MOST_SEARCHED = 3_000;
/** Transitions that are looked at for a derivation with one root. */
const MOST_TRIED = 8_000;
const COST_BUDGET = 1500;

const BOUNDS =
  "Losses and costs may be too high: the system cannot build this tree, or the search for the lowest loss reached its limit.";

const MISSING =
  "Some costs are unknown (?): no fast way to compute them is known for this system, and the search through all derivations reached its limit.";
const MISSING_WITH_ONE_ROOT = `${MISSING} Without “One root only” there is a quick way.`;

/** Loss and costs with labels, whichever way the system knows them; undefined where they were not found in time. */
export interface Costs {
  loss(c: Configuration): number | undefined;
  cost(c: Configuration, move: Move, label: number): number | undefined;
}

export function costsOf(choice: SystemChoice, gold: GoldTree, notes: string[]): Costs {
  const system = makeSystem(choice);
  const say = (note: string) => !notes.includes(note) && notes.push(note);
  const withManyRoots = lossWithManyRoots(choice, system, gold, () => say(BOUNDS));
  const missing = withManyRoots ? MISSING_WITH_ONE_ROOT : MISSING;
  const oracle = labelledOracle(system, MOST_SEARCHED);
  oracle.bind(gold);
  let spent = 0;
  const inTime = (ask: () => number | undefined) => {
    const start = performance.now();
    const value = spent > COST_BUDGET ? undefined : ask();
    spent += performance.now() - start;
    if (value === undefined) say(missing);
    return value;
  };
  const noted = (value: number | undefined) => {
    if (value !== undefined && !oracle.exact) say(BOUNDS);
    return value;
  };
  if (withManyRoots || !dynamicOracle(system)) {
    return searchedCosts(system, gold, (c) => inTime(() => withManyRoots?.(c) ?? noted(oracle.loss(c))));
  }
  return {
    loss: (c) => inTime(() => noted(oracle.loss(c))),
    cost: (c, move, label) => inTime(() => noted(oracle.cost(c, move, label))),
  };
}

/**
 * The loss where one root only is permitted, if there is a quick way for any number of roots alone. With more roots no
 * less can be built; so the loss is theirs and what a derivation with one root costs beyond it, as they count costs.
 * Undefined if none is found soon.
 */
function lossWithManyRoots(
  choice: SystemChoice,
  system: TransitionSystem,
  gold: GoldTree,
  onBound: () => void,
): Costs["loss"] | undefined {
  if (!system.singleRoot || (dynamicOracle(system) && !system.description.leftOut)) return undefined;
  const free = makeSystem({ ...choice, singleRoot: false });
  if (!dynamicOracle(free)) return undefined;
  const oracle = labelledOracle(free);
  oracle.bind(gold);
  let tried = 0;
  /** Can the end be reached at this cost? */
  const ends = (c: Configuration, most: number): boolean => {
    if (system.isTerminal(c)) return true;
    const moves: Move[] = [];
    const count = system.permitted(c, moves);
    for (const move of moves.slice(0, count)) {
      if (++tried > MOST_TRIED) return false;
      const dependent = system.dependent(c, move);
      const label = dependent === NONE ? NONE : gold.labels![dependent]!;
      const cost = oracle.cost(c, move, label) ?? Number.POSITIVE_INFINITY;
      if (cost > most) continue;
      const after = copyOf(c);
      system.apply(after, move, label);
      if (ends(after, most - cost)) return true;
    }
    return false;
  };
  return (c) => {
    const least = oracle.loss(c);
    if (least === undefined) return undefined;
    const isExact = oracle.exact;
    tried = 0;
    for (let more = 0; tried <= MOST_TRIED; more++) {
      if (!ends(c, more)) continue;
      if (!isExact) onBound();
      return least + more;
    }
    return undefined;
  };
}

/** Costs as differences of losses, many of which need no search. */
function searchedCosts(system: TransitionSystem, gold: GoldTree, search: Costs["loss"]): Costs {
  const words = Array.from({ length: gold.length }, (_, i) => i + 1);
  const canonical = staticOracle(system);
  canonical.bind(gold);
  /** Nothing is lost where the static oracle gets to the gold tree; where it does not, that says nothing. */
  const leadsToGold = (from: Configuration) => {
    const c = copyOf(from);
    if (words.some((d) => c.heads[d] === gold.heads[d] && c.labels[d] !== gold.labels?.[d])) return false;
    for (let step = 0; step < MOST_STEPS && !system.isTerminal(c); step++) {
      const move = canonical.next(c);
      if (move < 0 || !system.permits(c, move)) return false;
      system.apply(c, move, NONE);
    }
    return system.isTerminal(c) && words.every((d) => isRight(c, d));
  };
  const isRight = (c: Configuration, d: number) => {
    const byConvention = system.root === "none" && c.heads[d] === NONE && gold.heads[d] === 0;
    return gold.agrees(d, byConvention ? 0 : c.heads[d]!, system.description.leftOut?.(c)[d] ?? NONE);
  };
  const lossOf = (c: Configuration) => (leadsToGold(c) ? 0 : search(c));
  let known: { c: Configuration; version: number; loss: number | undefined } | undefined;
  const loss = (c: Configuration) => {
    if (known?.c !== c || known.version !== c.version) known = { c, version: c.version, loss: lossOf(c) };
    return known.loss;
  };
  const cost = (c: Configuration, move: Move, label: number) => {
    const before = loss(c);
    if (before === undefined) return undefined;
    const after = copyOf(c);
    system.apply(after, move, label);
    const then = lossOf(after);
    return then === undefined ? undefined : then - before;
  };
  return { loss, cost };
}

function copyOf(c: Configuration): Configuration {
  const copy = new Configuration(c.length);
  copy.copyFrom(c);
  return copy;
}
