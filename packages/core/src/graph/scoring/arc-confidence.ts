import type { CommonHeader } from "../../parser/model-header.js";
import type { WeightedModel } from "../../parser/weighted-model.js";
import { type Confidence, rounded } from "../../search/confidence/confidence.js";
import { typicalWeights } from "./linear-graph-scorer.js";

/** Features of an arc that typically speak for or against it. */
const TYPICAL_FEATURES = 50;

/** How doubts of a model that scores arcs become probabilities: as was fitted, or else by what is typical. */
export function arcConfidence(model: WeightedModel<CommonHeader>): Confidence {
  if (model.header.confidence) return model.header.confidence;
  if (model.network) return { offset: 0.9, low: 1.2, high: 0.65, temperature: 1 };
  const temperature = rounded((typicalWeights(model.linear).arc * Math.sqrt(TYPICAL_FEATURES)) / 2) || 1;
  return { offset: -0.3, low: 0.6, high: 0.5, temperature };
}
