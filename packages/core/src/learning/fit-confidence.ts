import { check } from "../checks/options.js";
import { checkedList, having } from "../checks/shapes.js";
import type { TreeParserModel } from "../parser/tree-parser.js";
import { type Confidence, isConfidence, logOfWrong, logRight, rounded } from "../search/confidence/confidence.js";
import type { TreebankSentence } from "./examples.js";
import { TREEBANK_SENTENCE } from "./option-checks.js";

/**
 * Fits a confidence to sentences that the model was not trained on: of some temperatures the one at which logistic
 * regression makes what is right and wrong in them most likely.
 * @param model the model
 * @param sentences sentences that the model was not trained on
 * @param parser a parser with the model, if there is one already
 */
export function fitConfidence(
  model: TreeParserModel,
  sentences: Iterable<TreebankSentence>,
  parser = model?.createParser?.(),
): Confidence {
  check("model", model, having("a ParserModel", "createParser"));
  check("parser", parser, having("a Parser", "parseBest"));
  const unfitted = model.confidence;
  const temperatures = TEMPERATURES.map((factor) => rounded(factor * unfitted.temperature));
  const doubting = parser.doubting(temperatures);
  const observed: number[][] = temperatures.map(() => []);
  const right: boolean[] = [];
  for (const sentence of checkedList("sentences", sentences, ...TREEBANK_SENTENCE)) {
    const { heads, labels } = doubting.parse(sentence);
    for (let d = 1; d <= sentence.length; d++) {
      for (let t = 0; t < temperatures.length; t++) observed[t]!.push(doubting.of(d, t));
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

/**
 * Logistic regression by Newton's method: the weights of a constant and of each variable, and −ln of the likelihood of
 * what was observed.
 */
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
