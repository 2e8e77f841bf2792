import type { Weights } from "../../learning/linear/weights.js";
import type { JointDecider } from "../search/joint-decider.js";
import type { TagChoices } from "../tag-choices.js";

/** The margin for each template. */
const TAG_MARGIN = 0.7;

/**
 * Visits the classes of a candidate, counted from that of the first tag, that another one does not have: of analyses
 * with the same tag, the parts in which they differ.
 */
export function forOwnClasses(
  choices: TagChoices,
  candidate: number,
  other: number,
  visit: (number: number) => void,
): void {
  const { tags, parts, partsFrom } = choices;
  if (!choices.has(other, tags[candidate]!)) visit(tags[candidate]!);
  for (let p = partsFrom[candidate]!; p < partsFrom[candidate + 1]!; p++) {
    if (!choices.has(other, parts[p]!)) visit(parts[p]!);
  }
}

/** Let the right candidate gain and the best wrong one lose, unless that is far enough below it. */
export function learnChoice(
  decider: JointDecider,
  weights: Weights,
  word: number,
  right: number,
  features: Int32Array,
  time: number,
): void {
  const rival = decider.bestTag(word, right);
  if (decider.tagScore(right) - decider.tagScore(rival) > TAG_MARGIN * features.length) return;
  changeChoice(decider, weights, right, rival, features, 1, time);
}

/** Let what only one candidate has gain `step` for every feature, and what only the other has lose it. */
export function changeChoice(
  { choices, classes }: JointDecider,
  weights: Weights,
  right: number,
  rival: number,
  features: Int32Array,
  step: number,
  time: number,
): void {
  forOwnClasses(choices!, right, rival, (k) => weights.update(features, classes.firstTag + k, step, time));
  forOwnClasses(choices!, rival, right, (k) => weights.update(features, classes.firstTag + k, -step, time));
}
