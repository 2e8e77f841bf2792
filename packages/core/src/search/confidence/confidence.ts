import { check, type Expectation, NUMBER } from "../../checks/options.js";

/**
 * From the doubt about an arc (see arc-doubts.ts), taken at a temperature, to the probability that head and label are
 * right. With p = e^−doubt, which is a probability already, but as the model sees it, this is 1 / (1 + e^−(offset + low
 * ln p − high ln(1 − p))): beta calibration (Kull, Silva Filho & Flach 2017). It rises with p, since neither low nor
 * high is below 0.
 */
export interface Confidence {
  /** By how much all probabilities are raised. */
  offset: number;
  /** How steeply it falls where p comes near 0. */
  low: number;
  /** How steeply it rises where p comes near 1. */
  high: number;
  /** The divisor of scores before doubts are taken. */
  temperature: number;
}

export function isConfidence(value: unknown): value is Confidence {
  const { offset, low, high, temperature } = (value ?? {}) as Confidence;
  return [offset, low, high, temperature].every(Number.isFinite) && low >= 0 && high > 0 && temperature > 0;
}

const CONFIDENCE: Expectation = { expected: "what confidenceOf gives", accepts: () => false };

/** The probability, from 0 to 1, that an arc about which there is this doubt has the right head and label. */
export function arcProbability(doubt: number, confidence: Confidence): number {
  check("doubt", doubt, NUMBER);
  if (!isConfidence(confidence)) check("confidence", confidence, CONFIDENCE);
  const { offset, low, high } = confidence;
  return 1 / (1 + Math.exp(-(offset + low * logRight(doubt) + high * logOfWrong(doubt))));
}

/** Differences beyond these are none that a development treebank could show. */
const LEAST_DOUBT = 1e-6;
const MOST_DOUBT = 20;

/** ln p. */
export function logRight(doubt: number): number {
  return -Math.min(doubt, MOST_DOUBT);
}

/** −ln(1 − p). */
export function logOfWrong(doubt: number): number {
  return -Math.log(-Math.expm1(-Math.max(doubt, LEAST_DOUBT)));
}

// Exp and log may differ in their last bits between machines; the model file must not.
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
