import { Doubts } from "../search/doubts.js";
import { LOG_UNIT } from "../search/log-sum.js";
import type { TreebankSentence } from "../training/train.js";
import type { ParserModel } from "./parser-model.js";

/**
 * From the doubt about an arc (see search/doubts.ts), taken at a temperature, to the probability that head and label are right. With p = e^−doubt, which is a
 * probability already, but as the model sees it, this is 1 / (1 + e^−(offset + low ln p − high ln(1 − p))): beta calibration (Kull, Silva Filho & Flach 2017).
 * It rises with p, since neither low nor high is below 0.
 */
export interface Confidence {
  offset: number;
  /** How steeply it falls where p comes near 0, and rises where p comes near 1. */
  low: number;
  high: number;
  temperature: number;
}

/** A model that was fitted to margins, before there were doubts, has their scale in place of a temperature. */
export interface OlderConfidence {
  offset: number;
  slope: number;
  scale: number;
}

export function isConfidence(value: unknown): value is Confidence | OlderConfidence {
  const { offset, low, high, temperature, slope, scale } = (value ?? {}) as Confidence & OlderConfidence;
  const isAbove = (least: number, number: unknown) => Number.isFinite(number) && (number as number) > least;
  if (!Number.isFinite(offset)) return false;
  if (temperature === undefined) return isAbove(0, slope) && isAbove(0, scale);
  return Number.isFinite(low) && low >= 0 && isAbove(0, high) && isAbove(0, temperature);
}

/** The probability for a doubt, from 0 to 1. */
export function sureness(doubt: number, { offset, low, high }: Confidence): number {
  return 1 / (1 + Math.exp(-(offset + low * logRight(doubt) + high * logOfWrong(doubt))));
}

/** Differences beyond these are none that a development treebank could show. */
const LEAST_DOUBT = 1e-6;
const MOST_DOUBT = 20;

/** ln p. */
function logRight(doubt: number): number {
  return -Math.min(doubt, MOST_DOUBT);
}

/** −ln(1 − p). */
function logOfWrong(doubt: number): number {
  return -Math.log(-Math.expm1(-Math.max(doubt, LEAST_DOUBT)));
}

/** What the model says about itself; for one that was not fitted, about what others were found to have. */
export function confidenceOf(model: ParserModel): Confidence {
  const { confidence } = model.header;
  if (confidence && "temperature" in confidence) return confidence;
  const temperature = temperatureOf(model);
  return model.network
    ? { offset: 0.9, low: 1.2, high: 0.65, temperature }
    : { offset: -0.3, low: 0.6, high: 0.5, temperature };
}

/** For a linear model: half the score that a weight of typical size for each template would give if their signs were random. */
function temperatureOf(model: ParserModel): number {
  const { header, network } = model;
  if (network) return rounded(Math.SQRT2 * LOG_UNIT);
  if (header.confidence && "scale" in header.confidence) return header.confidence.scale / 2;
  let squares = 0;
  let weights = 0;
  model.linear.forEach((_feature, _cls, weight) => {
    squares += weight * weight;
    weights++;
  });
  const templates = header.templates.split(/[;\n]/).length;
  return rounded(Math.sqrt((squares / Math.max(1, weights)) * templates) / 2) || 1;
}

/**
 * Fits a confidence to sentences that the model was not trained on: of some temperatures the one at which logistic regression makes what is right and wrong in
 * them most likely.
 */
export function fitConfidence(
  model: ParserModel,
  sentences: Iterable<TreebankSentence>,
  parser = model.createParser(),
): Confidence {
  const unfitted = confidenceOf(model);
  const temperatures = TEMPERATURES.map((factor) => rounded(factor * unfitted.temperature));
  const doubts = new Doubts(parser.decider, temperatures);
  const observed: number[][] = temperatures.map(() => []);
  const right: boolean[] = [];
  for (const sentence of sentences) {
    const { heads, labels } = parser.parse(sentence, { doubts });
    for (let d = 1; d <= sentence.length; d++) {
      for (let t = 0; t < temperatures.length; t++) observed[t]!.push(doubts.of(d, t));
      right.push(heads[d] === sentence.heads[d] && labels[d] === sentence.deprel(d));
    }
  }
  let best = { loss: Number.POSITIVE_INFINITY, confidence: unfitted };
  temperatures.forEach((temperature, t) => {
    const wrong = observed[t]!.map(logOfWrong);
    const start = [unfitted.offset, unfitted.high, unfitted.low];
    let { weights, loss } = regression([wrong, observed[t]!.map(logRight)], right, start);
    if (weights[2]! < 0) {
      ({ weights, loss } = regression([wrong], right, start.slice(0, 2)));
      weights.push(0);
    }
    const [offset, high, low] = weights.map(rounded) as [number, number, number];
    const confidence = { offset, low, high, temperature };
    if (loss < best.loss && isConfidence(confidence)) best = { loss, confidence };
  });
  return best.confidence;
}

const TEMPERATURES = [0.5, 0.7, 1, 1.4, 2, 2.8];

/** Logistic regression by Newton's method: the weights of a constant and of each variable, and −ln of the likelihood of what was observed. */
function regression(variables: readonly number[][], right: readonly boolean[], start: readonly number[]) {
  const size = variables.length + 1;
  const x = new Float64Array(size).fill(1);
  let weights = [...start];
  let loss = 0;
  for (let step = 0; step < STEPS; step++) {
    // A weak pull to where an unfitted model is keeps the solution finite when every word is right.
    const rows = weights.map((weight, i) => {
      const row = new Float64Array(size + 1);
      row[i] = PULL;
      row[size] = PULL * (start[i]! - weight);
      return row;
    });
    loss = 0;
    for (let i = 0; i < right.length; i++) {
      for (let v = 1; v < size; v++) x[v] = variables[v - 1]![i]!;
      let z = 0;
      for (let v = 0; v < size; v++) z += weights[v]! * x[v]!;
      const p = 1 / (1 + Math.exp(-z));
      loss += Math.log1p(Math.exp(right[i] ? -z : z));
      for (let v = 0; v < size; v++) {
        const row = rows[v]!;
        for (let u = 0; u < size; u++) row[u]! += p * (1 - p) * x[v]! * x[u]!;
        row[size]! += ((right[i] ? 1 : 0) - p) * x[v]!;
      }
    }
    const change = solve(rows);
    weights = weights.map((weight, i) => weight + change[i]!);
  }
  return { weights, loss };
}

const STEPS = 15;
const PULL = 1;

/** Solves linear equations with a positive definite matrix, each a row that ends in the right-hand side. */
function solve(rows: readonly Float64Array[]): number[] {
  const size = rows.length;
  rows.forEach((row, i) => {
    for (let j = size; j >= i; j--) row[j]! /= row[i]!;
    for (const other of rows) {
      if (other === row) continue;
      for (let j = size; j >= i; j--) other[j]! -= other[i]! * row[j]!;
    }
  });
  return rows.map((row) => row[size]!);
}

// Exp and log may differ in their last bits between machines; the model file must not.
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
