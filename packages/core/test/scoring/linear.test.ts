import fc from "fast-check";
import { expect, test } from "vitest";
import { ABSENT } from "../../src/features/columns.js";
import { templateProgram } from "../../src/features/program.js";
import { parseTemplates } from "../../src/features/templates.js";
import { meanOf } from "../../src/learning/linear/mixture.js";
import { Weights } from "../../src/learning/linear/weights.js";
import { Random } from "../../src/math/random.js";
import { LinearModel } from "../../src/scoring/linear/linear-model.js";
import { type ForEachWeight, quantized, scaleOf } from "../../src/scoring/linear/quantized-weights.js";

const FEATURES = 3000;
const program = templateProgram(
  parseTemplates(
    "s0.form; s0.upos; b0.form; b0.upos; s0.form b0.form; s0.upos b0.upos b1.upos; s0.form dist(s0,b0) b0.upos s0.rval",
  ),
);

/** Values of atoms that come up again, so that the features made from them have weights; some are not there. */
function randomValues(random: Random, values: Int32Array): void {
  for (let i = 0; i < program.valueCount - 1; i++)
    values[i] = random.next() < 0.1 ? ABSENT : Math.floor(random.next() * 5);
}

/** A model for all features of such values, with rows of every length. */
function randomModel(seed: number, classes: number): LinearModel {
  const random = new Random(seed);
  const scorer = LinearModel.from(() => {}).scorer(program, true);
  const rows = new Map<number, Map<number, number>>();
  for (let i = 0; i < FEATURES; i++) {
    randomValues(random, scorer.values);
    program.hash(scorer.values, scorer.features);
    for (const feature of scorer.features.subarray(0, program.size)) {
      if (feature === 0 || rows.has(feature)) continue;
      const row = new Map<number, number>();
      const share = random.next();
      for (let k = 0; k < classes; k++) if (random.next() < share) row.set(k, 200 * random.next() - 100);
      rows.set(feature, row);
    }
  }
  return LinearModel.from((visit) => {
    for (const [feature, row] of rows) for (const [cls, weight] of row) visit(feature, cls, weight);
  });
}

test.each([1, 7, 32, 33, 85, 300])("WebAssembly and JavaScript give the same scores: %i classes", (classes) => {
  const model = randomModel(classes, classes);
  const fast = model.scorer(program);
  const shared = new LinearModel(model.shared(3).memory, model.layout, 2).scorer(program);
  const random = new Random(5);
  let different = 0;
  for (let i = 0; i < 500; i++) {
    randomValues(random, fast.values);
    shared.values.set(fast.values);
    const plain = model.scorer(program, true);
    plain.score();
    const expected = plain.scores.slice(0, classes);
    if (expected.some((score) => score !== 0)) different++;
    fast.score();
    expect(fast.scores.slice(0, classes)).toEqual(expected);
    shared.score();
    expect(shared.scores.slice(0, classes)).toEqual(expected);
    program.hash(fast.values, fast.features);
    fast.scoreFeatures(program.size);
    expect(fast.scores.slice(0, classes)).toEqual(expected);
  }
  expect(different).toBeGreaterThan(400);
});

test.each([7, 33, 300])(
  "a model has the weights that it is made of, in long rows and short ones: %i classes",
  (classes) => {
    const random = new Random(classes);
    const weights: [feature: number, cls: number, weight: number][] = [];
    for (let f = 1; f <= 400; f++) {
      const share = f % 2 === 0 ? 0.05 : random.next();
      for (let k = 0; k < classes; k++)
        if (random.next() < share) weights.push([f * 104729 + 0x20000, k, 200 * random.next() - 100]);
    }
    const given = quantized(
      (visit) => {
        for (const one of weights) visit(...one);
      },
      0,
      256,
    );
    const model = LinearModel.build(given)!;
    expect(model.entries()).toEqual(given);
    const scorer = model.scorer(program);
    const scores = new Int32Array(classes);
    for (let f = 0; f < program.size; f++) {
      scorer.features[f] = given.features[f]!;
      for (let e = given.from[f]!; e < given.from[f + 1]!; e++) scores[given.classes[e]!]! += given.weights[e]!;
    }
    scorer.scoreFeatures(program.size);
    expect(Array.from(scorer.scores.slice(0, classes))).toEqual(Array.from(scores));
  },
);

test("no sum of as many weights as can be there at once leaves 16 bits", () => {
  const active = 40;
  const model = LinearModel.from(
    (visit) => {
      for (let f = 1; f <= 500; f++) for (let k = 0; k < 3; k++) visit(f, k, f % 7 === 0 ? 1e6 : -3 * f);
    },
    0,
    active,
  );
  const byClass: number[][] = [[], [], []];
  model.forEach((_feature, cls, weight) => void byClass[cls]!.push(Math.abs(weight)));
  for (const weights of byClass) {
    const largest = weights.sort((a, b) => b - a).slice(0, active);
    const sum = largest.reduce((total, weight) => total + weight, 0);
    expect(sum).toBeLessThanOrEqual(32767);
    expect(sum).toBeGreaterThan(32000);
  }
});

test("weights learned in WebAssembly are those of the definition", () => {
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom(0, 3, 90), fc.constantFrom(0, 3), (seed, classes, minUpdates) => {
      const random = new Random(seed);
      const weights = new Weights(minUpdates, classes);
      const size = classes || 90;
      const truth = new Map<number, { updates: number; weight: number[]; sum: number[] }>();
      for (let time = 1; time <= 400; time++) {
        const features = Int32Array.from({ length: 5 }, () => Math.floor(random.next() * 60));
        const cls = Math.floor(random.next() * size);
        const change = random.next() < 0.5 ? 1 : -1;
        weights.update(features, cls, change, time);
        for (const feature of features) {
          if (feature === 0) continue;
          const row = truth.get(feature) ?? { updates: 0, weight: Array(size).fill(0), sum: Array(size).fill(0) };
          truth.set(feature, row);
          row.updates++;
          row.weight[cls] += change;
          row.sum[cls] += change * time * time;
        }
      }
      const features = Int32Array.from({ length: 30 }, (_, i) => i);
      const scores = new Int32Array(size);
      weights.score(features, scores);
      const expected = new Int32Array(size);
      for (const [feature, { updates, weight }] of truth) {
        if (feature < 30 && updates >= minUpdates) weight.forEach((w, k) => void (expected[k]! += w));
      }
      expect(scores).toEqual(expected);
      const averages = new Map<string, number>();
      weights.forEachAverage(401, (feature, cls, average) => averages.set(`${feature} ${cls}`, average));
      const wanted = new Map<string, number>();
      for (const [feature, { updates, weight, sum }] of truth) {
        if (updates < minUpdates) continue;
        weight.forEach((w, k) => {
          if (w !== 0 || sum[k] !== 0) wanted.set(`${feature} ${k}`, w - sum[k]! / (401 * 401));
        });
      }
      // A weight that came back to exactly nothing may or may not be visited.
      for (const [key, average] of averages) if (average === 0) averages.delete(key);
      expect(averages).toEqual(wanted);
    }),
    { numRuns: 60 },
  );
});

test("the mean of models has the mean of every weight", () => {
  const model =
    (...entries: [number, number, number][]): ForEachWeight =>
    (visit) => {
      for (const [feature, cls, weight] of entries) visit(feature, cls, weight);
    };
  const mean = meanOf([model([5, 0, 3], [5, 2, 1], [-7, 1, 4]), model([-7, 1, 2], [9, 0, 8], [5, 2, 1])]);
  const found: Record<string, number> = {};
  mean((feature, cls, weight) => {
    found[`${feature} ${cls}`] = weight;
  });
  expect(found).toEqual({ "5 0": 1.5, "5 2": 1, "-7 1": 3, "9 0": 4 });
});

test("weights are rounded to the nearest whole number of their unit, those below 0 like those above", () => {
  const random = new Random(3);
  const weights = Array.from({ length: 200 }, () => 20 * random.next() + 1);
  // Each weight and its negative, of features next to each other.
  const forEach: ForEachWeight = (visit) => {
    weights.forEach((weight, i) => {
      visit(2 * i + 1, 0, weight);
      visit(2 * i + 2, 0, -weight);
    });
  };
  // So many at once that a unit is about a tenth: that is seen in the numbers.
  const active = 400;
  const scale = scaleOf(forEach, active);
  const found = quantized(forEach, 0, active);
  expect(found.weights).toHaveLength(2 * weights.length);
  weights.forEach((weight, i) => {
    const [above, below] = [found.weights[2 * i]!, found.weights[2 * i + 1]!];
    expect(Math.abs(above - weight * scale)).toBeLessThanOrEqual(0.5);
    expect(below).toBe(-above);
  });
});
