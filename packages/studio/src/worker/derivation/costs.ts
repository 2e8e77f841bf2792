import {
  type Configuration,
  type GoldTree,
  labelledOracle,
  type Move,
  type TransitionSystem,
} from "@stemma/core/systems";

/**
 * Searches over long sentences (swap, 2-planar) take exponential time: one looks at so many configurations, and after
 * so many that found nothing, or so many milliseconds, costs are given up.
 */
const MOST_SEARCHED = 5000;
const MOST_IN_VAIN = 8;
const COST_BUDGET = 1500;

const BOUNDS =
  "Losses and costs may be too high: the system cannot build this tree, or the search for the lowest loss reached its limit.";

const MISSING = "Some costs are missing: computing them takes too long for a sentence of this length.";
const MISSING_WITH_ONE_ROOT = `${MISSING} Without “One root only” there is a quick way.`;

/** Loss and costs with labels, whichever way the system knows them; undefined where they were not found in time. */
export interface Costs {
  loss(c: Configuration): number | undefined;
  cost(c: Configuration, move: Move, label: number): number | undefined;
}

export function costsOf(system: TransitionSystem, gold: GoldTree, notes: string[]): Costs {
  const exact = labelledOracle(system, MOST_SEARCHED);
  exact.bind(gold);
  const missing = system.singleRoot && system.description.leftOut ? MISSING_WITH_ONE_ROOT : MISSING;
  let spent = 0;
  let inVain = 0;
  const isGivenUp = () => spent > COST_BUDGET || inVain >= MOST_IN_VAIN;
  const inTime = (ask: () => number | undefined) => {
    if (isGivenUp()) return undefined;
    const start = performance.now();
    const value = ask();
    spent += performance.now() - start;
    if (value === undefined) inVain++;
    else if (!exact.exact && !notes.includes(BOUNDS)) notes.push(BOUNDS);
    if ((value === undefined || isGivenUp()) && !notes.includes(missing)) notes.push(missing);
    return value;
  };
  return {
    loss: (c) => inTime(() => exact.loss(c)),
    cost: (c, move, label) => inTime(() => exact.cost(c, move, label)),
  };
}
