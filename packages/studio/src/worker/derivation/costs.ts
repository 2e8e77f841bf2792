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
import { MOST_STEPS } from "./system.js";

/**
 * Searches (swap, 2-planar) take exponential time: one looks at so many nodes of configurations, and after so many
 * milliseconds in all, costs are given up.
 */
const MOST_SEARCHED = 3_000;
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

export function costsOf(system: TransitionSystem, gold: GoldTree, notes: string[]): Costs {
  const missing = system.singleRoot && system.description.leftOut ? MISSING_WITH_ONE_ROOT : MISSING;
  let spent = 0;
  const inTime = (ask: () => number | undefined) => {
    const start = performance.now();
    const value = spent > COST_BUDGET ? undefined : ask();
    spent += performance.now() - start;
    if (value === undefined && !notes.includes(missing)) notes.push(missing);
    return value;
  };
  const oracle = labelledOracle(system, MOST_SEARCHED);
  oracle.bind(gold);
  if (!dynamicOracle(system)) return searchedCosts(system, gold, (c) => inTime(() => oracle.loss(c)));
  const noted = (value: number | undefined) => {
    if (!oracle.exact && !notes.includes(BOUNDS)) notes.push(BOUNDS);
    return value;
  };
  return {
    loss: (c) => inTime(() => noted(oracle.loss(c))),
    cost: (c, move, label) => inTime(() => noted(oracle.cost(c, move, label))),
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
  const isRight = (c: Configuration, d: number) =>
    c.heads[d] === gold.heads[d] || (gold.heads[d] === 0 && c.heads[d] === NONE && system.root === "none");
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
