import type { TreebankSentence } from "../../learning/examples.js";
import { fitConfidence } from "../../learning/fit-confidence.js";
import type { NeuralTraining } from "../../learning/network/neural-training.js";
import { attachment, type Training } from "../../learning/training.js";
import { PipelineModel, type PipelineParts } from "../pipeline-model.js";

/** The scores after an epoch, in percent; there are none without a development set. */
export interface EpochScore {
  epoch: number;
  uas?: number;
  las?: number;
}

/** What epochs are tested on, and what the model contains besides the parser. */
export interface Assessment {
  /** The development data as the parser sees it. */
  test: readonly TreebankSentence[] | undefined;
  /** Its name. */
  devName?: string | undefined;
  prepared: Omit<PipelineParts, "parser"> | undefined;
  /** The origin that is recorded in the model. */
  origin: object;
}

/**
 * Tests the epoch that has just ended; the model is given if it is better than the best before, or if there is nothing
 * to test it on.
 */
export function assessEpoch(
  training: Training | NeuralTraining,
  { test, devName, prepared, origin }: Assessment,
  best: EpochScore | undefined,
): { score: EpochScore; model?: PipelineModel } {
  const model = training.model();
  const score: EpochScore = { epoch: training.epoch };
  if (test) {
    const { uas, las } = attachment(model, test);
    score.uas = percent(uas);
    score.las = percent(las);
  }
  if (best && test && score.las! <= best.las!) return { score };
  if (test) model.header.confidence = fitConfidence(model, test);
  const from = { ...origin, ...(test ? { dev: { name: devName, ...score } } : {}) };
  Object.assign(model.header.origin, JSON.parse(JSON.stringify(from)));
  return { score, model: new PipelineModel({ ...prepared, parser: model }) };
}

function percent(share: number): number {
  return Math.round(100 * (100 * share)) / 100;
}
