import { type Configuration, dynamicOracle, goldTreeOf, type Move, NONE } from "@stemma/core/systems";
import type { TwoReadings } from "../../protocol/derivation.js";
import type { Tree } from "../../protocol/sentence.js";
import { LabelNumbers, makeSystem, sentenceOf } from "../derivation/system.js";
import type { Scores } from "./beam-trace.js";

/** Probabilities before they are normalised: of what leads to the reading that looks better, to the other, to none. */
const BETTER = 0.6;
const WORSE = 0.35;
const NEITHER = 0.02;
/** Logarithms are in so many parts, and whole. */
const UNIT = 4096;

/**
 * In the place of a model, for the lesson about beam search: it knows two readings of the sentence and prefers the
 * wrong one, until there are only few words left; then whoever has lost the right one gets no further by it, and
 * anything is as good as anything else.
 */
export function twoReadings({ system: choice, rival, until }: TwoReadings, target: Tree): Scores {
  const system = makeSystem(choice);
  const names = new LabelNumbers([...target.labels.slice(1), ...rival.labels.slice(1), "root"]);
  const oracleOf = (tree: Tree) => {
    const oracle = dynamicOracle(system)!;
    oracle.bind(goldTreeOf(system, sentenceOf(tree)));
    return oracle;
  };
  const [right, wrong] = [oracleOf(target), oracleOf(rival)];
  const moves: Move[] = [];
  const weigh = (c: Configuration, move: Move) => {
    const [losesRight, losesWrong] = [right.loss(c) > 0, wrong.loss(c) > 0];
    if (losesRight && c.end - c.front <= until) return 1;
    let weight = NEITHER;
    if (!losesRight && right.cost(c, move) === 0) weight += losesWrong ? BETTER + WORSE : WORSE;
    if (!losesWrong && wrong.cost(c, move) === 0) weight += losesRight ? BETTER + WORSE : BETTER;
    return weight;
  };
  return {
    system,
    labels: names.list,
    unit: UNIT,
    logarithmic: true,
    of: (c) =>
      moves.slice(0, system.permitted(c, moves)).map((move) => {
        const dependent = system.dependent(c, move);
        const tree = system.head(c, move) === target.heads[dependent] ? target : rival;
        const label = dependent === NONE ? NONE : names.indexOf(tree.labels[dependent]!);
        return { move, label, value: Math.round(UNIT * Math.log(weigh(c, move))) };
      }),
  };
}
