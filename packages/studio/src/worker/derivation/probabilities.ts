import { confidenceOf, type Parser } from "@stemma/core";
import type { Configuration } from "@stemma/core/systems";

const temperatures = new WeakMap<object, number>();

/**
 * Scores divided by this are logarithms: those of networks are, those of linear models as was fitted to
 * their mistakes.
 */
function temperatureOf({ model, decider }: Parser): number {
  if (decider.scorer.logUnit) return decider.scorer.logUnit;
  let temperature = temperatures.get(model);
  if (temperature === undefined) {
    ({ temperature } = confidenceOf(model));
    temperatures.set(model, temperature);
  }
  return temperature;
}

/**
 * Probabilities of scores in a configuration that was decided: all transitions that are permitted, with all their
 * labels, share 1 in proportion to e^(score / temperature).
 */
export function sharesIn(parser: Parser, c: Configuration): (score: number) => number {
  const { decider } = parser;
  const { classes, moves, count } = decider;
  const temperature = temperatureOf(parser);
  const all: number[] = [];
  for (let m = 0; m < count; m++) {
    const scores = classes.perMove ? decider.rescore(c, m) : decider.scores;
    const group = classes.groupOf(moves[m]!);
    for (let k = classes.from[group]!; k < classes.from[group + 1]!; k++) all.push(scores[k]!);
  }
  const most = all.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const sum = all.reduce((total, score) => total + Math.exp((score - most) / temperature), 0);
  return (score) => Math.exp((score - most) / temperature) / sum;
}
