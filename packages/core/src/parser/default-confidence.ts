import { check } from "../checks/options.js";
import { holding } from "../checks/shapes.js";
import { LinearModel } from "../scoring/linear/linear-model.js";
import { LOG_UNIT } from "../scoring/log-scores.js";
import { type Confidence, rounded } from "../search/confidence/confidence.js";
import type { TrainedParser } from "./model-header.js";

/** The confidence of the model; for one that was not fitted, typical values of other models. */
export function confidenceOf(model: TrainedParser): Confidence {
  check("model", model, holding("a ParserModel", "header", "weights"));
  const { confidence } = model.header;
  if (confidence) return confidence;
  const temperature = temperatureOf(model);
  return model.weights instanceof LinearModel
    ? { offset: -0.3, low: 0.6, high: 0.5, temperature }
    : { offset: 0.9, low: 1.2, high: 0.65, temperature };
}

/**
 * For a linear model: half the score that a weight of typical size for each template would give if their signs were
 * random.
 */
function temperatureOf(model: TrainedParser): number {
  const { header, weights: linear } = model;
  if (!(linear instanceof LinearModel)) return rounded(Math.SQRT2 * LOG_UNIT);
  let squares = 0;
  let weights = 0;
  linear.forEach((_feature, _cls, weight) => {
    squares += weight * weight;
    weights++;
  });
  const templates = header.templates.split(/[;\n]/).length;
  return rounded(Math.sqrt((squares / Math.max(1, weights)) * templates) / 2) || 1;
}
