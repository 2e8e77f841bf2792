import { SCORE_UNIT } from "../neural/plain-network.js";
import type { TreebankSentence } from "../training/train.js";
import type { ParserModel } from "./parser-model.js";

/**
 * From the margin m of the transition that attached a word to the probability that its head and label are right:
 * 1 / (1 + e^−(offset + slope ln(1 + m / scale))). Margins vary over orders of magnitude, and even large ones can be wrong, hence
 * the logarithm.
 */
export interface Confidence {
  offset: number;
  slope: number;
  scale: number;
}

export function isConfidence(value: unknown): value is Confidence {
  const { offset, slope, scale } = (value ?? {}) as Confidence;
  return Number.isFinite(offset) && Number.isFinite(slope) && slope > 0 && Number.isFinite(scale) && scale > 0;
}

/** The probability for a margin, from 0 to 1. */
export function sureness(margin: number, { offset, slope, scale }: Confidence): number {
  return 1 / (1 + Math.exp(-(offset + slope * Math.log1p(margin / scale))));
}

/**
 * What the model says about itself. For one that was not fitted: 0.5 for no margin, and 0.8 for the one that a weight of typical
 * size for each template would give if their signs were random.
 */
export function confidenceOf(model: ParserModel): Confidence {
  const { header, network } = model;
  if (header.confidence) return header.confidence;
  // Margins of a network are differences of logarithms of probabilities: at ln 4 one is four times as likely as the other.
  if (network) return { offset: 0, slope: 2, scale: rounded(SCORE_UNIT * Math.log(4)) };
  let squares = 0;
  let weights = 0;
  model.linear.forEach((_feature, _cls, weight) => {
    squares += weight * weight;
    weights++;
  });
  const templates = header.templates.split(/[;\n]/).length;
  return { offset: 0, slope: 2, scale: rounded(Math.sqrt((squares / Math.max(1, weights)) * templates)) || 1 };
}

/** Fits a confidence to sentences that the model was not trained on (logistic regression by Newton's method). */
export function fitConfidence(model: ParserModel, sentences: Iterable<TreebankSentence>): Confidence {
  const parser = model.createParser();
  const unfitted = confidenceOf(model);
  const x: number[] = [];
  const right: boolean[] = [];
  let margins = new Int32Array(64);
  for (const sentence of sentences) {
    if (margins.length <= sentence.length) margins = new Int32Array(2 * sentence.length);
    const { heads, labels } = parser.parse(sentence, { margins });
    for (let d = 1; d <= sentence.length; d++) {
      x.push(Math.log1p(margins[d]! / unfitted.scale));
      right.push(heads[d] === sentence.heads[d] && labels[d] === sentence.deprel(d));
    }
  }
  let offset = 0;
  let slope = 0;
  for (let step = 0; step < STEPS; step++) {
    // A weak pull to where an unfitted model is keeps the solution finite when every word is right.
    let [g0, g1, h00, h01, h11] = [-PULL * offset, PULL * (unfitted.slope - slope), PULL, 0, PULL];
    for (let i = 0; i < x.length; i++) {
      const p = 1 / (1 + Math.exp(-(offset + slope * x[i]!)));
      const error = (right[i] ? 1 : 0) - p;
      const w = p * (1 - p);
      g0 += error;
      g1 += error * x[i]!;
      h00 += w;
      h01 += w * x[i]!;
      h11 += w * x[i]! * x[i]!;
    }
    const determinant = h00 * h11 - h01 * h01;
    offset += (h11 * g0 - h01 * g1) / determinant;
    slope += (h00 * g1 - h01 * g0) / determinant;
  }
  const fitted = { offset: rounded(offset), slope: rounded(slope), scale: unfitted.scale };
  return isConfidence(fitted) ? fitted : unfitted;
}

const STEPS = 12;
const PULL = 1;

// Exp and log may differ in their last bits between machines; the model file must not.
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
