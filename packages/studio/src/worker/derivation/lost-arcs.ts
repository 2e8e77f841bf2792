import {
  Configuration,
  type GoldTree,
  goldTreeOf,
  labelledOracle,
  NONE,
  type TransitionSystem,
} from "@stemma/core/systems";
import type { LostRequest, Taken } from "../../protocol/derivation.js";
import { costsOf } from "./costs.js";
import { LabelNumbers, makeSystem, sentenceOf } from "./system.js";

/** Nodes of configurations of a search, and milliseconds for all of a request; after that nothing more is named. */
const MOST_SEARCHED = 20_000;
const BUDGET = 800;

/**
 * The words whose gold arcs transitions lose; more than a transition costs where it is not decided which of them go,
 * undefined where that was not found in time.
 *
 * A word belongs to a smallest set of lost arcs exactly if the loss is smaller by 1 when any head will do for it. What
 * was lost before is taken out first, as one such set. So this takes as many losses as there are words.
 */
export function lostArcs(
  { system: choice, target, questions }: LostRequest,
  budget = BUDGET,
): (number[] | undefined)[] {
  const system = makeSystem(choice);
  const names = new LabelNumbers([...target.labels.slice(1), "root"]);
  const gold = goldTreeOf(
    system,
    sentenceOf(target),
    target.labels.map((label) => names.indexOf(label)),
  );
  const oracle = labelledOracle(system, MOST_SEARCHED);
  // Quick where nothing is lost yet.
  const costs = costsOf(choice, gold, []);
  const end = performance.now() + budget;
  const lossOf = (tree: GoldTree, c: Configuration) => {
    if (performance.now() > end) return undefined;
    oracle.bind(tree);
    return oracle.loss(c);
  };
  return questions.map(({ before, taken }) => {
    const c = run(system, gold.length, before, names);
    const after = run(system, gold.length, [...before, taken], names);
    const remaining = costs.loss(c) === 0 ? gold : withoutLost(gold, c, lossOf);
    const loss = remaining && lossOf(remaining, after);
    const words = loss === undefined ? [] : freed(remaining!, after, loss, lossOf);
    return words.length > 0 ? words : undefined;
  });
}

type LossOf = (tree: GoldTree, c: Configuration) => number | undefined;

/** The words for which the loss is smaller if any head will do. */
function freed(tree: GoldTree, c: Configuration, loss: number, lossOf: LossOf, most = tree.length): number[] {
  const found: number[] = [];
  for (let d = 1; d <= tree.length && found.length < most; d++) {
    if (tree.heads[d] === NONE) continue;
    // Where a search does not end in time, the word is not named.
    if ((lossOf(tree.without([d]), c) ?? loss) < loss) found.push(d);
  }
  return found;
}

/** The tree without arcs that are lost in a configuration, as few as possible. */
function withoutLost(gold: GoldTree, c: Configuration, lossOf: LossOf): GoldTree | undefined {
  let tree = gold;
  for (;;) {
    const loss = lossOf(tree, c);
    if (loss === undefined) return undefined;
    const word = loss === 0 ? [] : freed(tree, c, loss, lossOf, 1);
    // Words that are removed wrongly are lost, too, but have no arc.
    if (word.length === 0) return tree;
    tree = tree.without(word);
  }
}

function run(system: TransitionSystem, length: number, taken: readonly Taken[], names: LabelNumbers): Configuration {
  const c = new Configuration(length);
  system.initialize(c, length);
  for (const { move, label } of taken) {
    system.apply(c, system.moveOf(move), label === undefined ? NONE : names.indexOf(label));
  }
  return c;
}
