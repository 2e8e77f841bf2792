import {
  type Configuration,
  type DynamicOracle,
  dynamicOracle,
  ExhaustiveOracle,
  type GoldTree,
  type Move,
  type TransitionSystem,
} from "@stemma/core/systems";

/** Costs are given up after so many milliseconds: searches over long sentences (swap) take exponential time. */
const COST_BUDGET = 600;

const BOUNDS =
  "Losses and costs may be too high: the system cannot build this tree, or the search for the lowest loss reached its limit.";

/** Loss and costs, whichever way the system knows them; undefined where they were not found in time. */
export interface Costs {
  loss(c: Configuration): number | undefined;
  cost(c: Configuration, move: Move): number | undefined;
}

export function costsOf(system: TransitionSystem, gold: GoldTree, notes: string[]): Costs {
  const exact: DynamicOracle | ExhaustiveOracle = dynamicOracle(system) ?? new ExhaustiveOracle(system);
  exact.bind(gold);
  let spent = 0;
  const inTime = (ask: () => number | undefined) => {
    if (spent > COST_BUDGET) return undefined;
    const start = performance.now();
    const value = ask();
    spent += performance.now() - start;
    if (value !== undefined && !exact.exact && !notes.includes(BOUNDS)) notes.push(BOUNDS);
    if (spent > COST_BUDGET)
      notes.push("Some costs are missing: computing them takes too long for a sentence of this length.");
    return value;
  };
  return { loss: (c) => inTime(() => exact.loss(c)), cost: (c, move) => inTime(() => exact.cost(c, move)) };
}
