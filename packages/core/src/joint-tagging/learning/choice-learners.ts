import * as logistic from "../../learning/linear/logistic.js";
import type { LearnerName } from "../../learning/linear/online.js";
import * as aggressive from "../../learning/linear/passive-aggressive.js";
import type { Weights } from "../../learning/linear/weights.js";
import { NO_FEATURE } from "../../math/hash.js";
import { softmax } from "../../math/softmax.js";
import type { JointDecider } from "../search/joint-decider.js";
import { changeChoice, forOwnClasses, learnChoice } from "./choice-update.js";

/** Learns that, of the candidates of a word for which `decider.untagged` asked, one is right. */
export type LearnChoice = (word: number, right: number, features: Int32Array, time: number) => void;

/** The weight of a tagger's score of typical size, as a score. */
export const TRUST: Readonly<Record<LearnerName, number>> = {
  perceptron: 200,
  logistic: 4 * logistic.SCALE,
  "passive-aggressive": 2 * aggressive.SCALE,
};

/** How a learner of moves learns tags; `step` is its rate or its aggressiveness. */
export function choiceLearner(
  learner: LearnerName,
  decider: JointDecider,
  weights: Weights,
  step: number,
): LearnChoice {
  if (learner === "logistic") return logisticChoice(decider, weights, step);
  if (learner === "passive-aggressive") return aggressiveChoice(decider, weights, step);
  return (word, right, features, time) => learnChoice(decider, weights, word, right, features, time);
}

function aggressiveChoice(decider: JointDecider, weights: Weights, aggressiveness: number): LearnChoice {
  const { SCALE } = aggressive;
  return (word, right, features, time) => {
    const { choices } = decider;
    const rival = decider.bestTag(word, right);
    const lack = SCALE + decider.tagScore(rival) - decider.tagScore(right);
    // Each differs from the other in so many classes, and in all features of each.
    let differing = 0;
    forOwnClasses(choices!, right, rival, () => differing++);
    forOwnClasses(choices!, rival, right, () => differing++);
    let size = 0;
    for (let t = 0; t < features.length; t++) if (features[t] !== NO_FEATURE) size += differing;
    const step = Math.round(Math.min(aggressiveness * SCALE, lack / Math.max(1, size)));
    if (step > 0) changeChoice(decider, weights, right, rival, features, step, time);
  };
}

function logisticChoice(decider: JointDecider, weights: Weights, rate: number): LearnChoice {
  const { SCALE, FARTHEST, LEAST_GRADIENT } = logistic;
  const classes = new Int32Array(decider.classes.size);
  const gradients = new Float32Array(decider.classes.size);
  return (word, right, features, time) => {
    const choices = decider.choices!;
    const { from, tags, parts, partsFrom } = choices;
    const { firstTag } = decider.classes;
    const first = from[word]!;
    const last = from[word + 1]!;
    const top = decider.tagScore(decider.bestTag(word));
    const values = Float64Array.from(
      { length: last - first },
      (_, k) => Math.max(decider.tagScore(first + k) - top, -FARTHEST) / SCALE,
    );
    softmax(values);
    if (values[right - first]! > 1 - LEAST_GRADIENT) return;
    // A class that several candidates have is learned from all of them, and one that all have not at all.
    const allHave = (number: number) => {
      for (let k = first; k < last; k++) if (!choices.has(k, number)) return false;
      return true;
    };
    let size = 0;
    const add = (number: number, gradient: number) => {
      if (allHave(number)) return;
      let at = 0;
      while (at < size && classes[at] !== firstTag + number) at++;
      if (at === size) {
        classes[size] = firstTag + number;
        gradients[size++] = 0;
      }
      gradients[at]! += gradient;
    };
    for (let candidate = first; candidate < last; candidate++) {
      const gradient = values[candidate - first]! - (candidate === right ? 1 : 0);
      add(tags[candidate]!, gradient);
      for (let p = partsFrom[candidate]!; p < partsFrom[candidate + 1]!; p++) add(parts[p]!, gradient);
    }
    weights.descend(features, classes, gradients, size, rate * SCALE, time);
  };
}
