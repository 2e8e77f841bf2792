// Scores that are remembered are those that would be computed, for all contexts that share the memory.
import { expect, test } from "vitest";
import { parseTemplates } from "../../src/features/templates.js";
import { createSystem } from "../../src/registry/systems.js";
import { CachedScorer } from "../../src/scoring/cached-scorer.js";
import { Configuration } from "../../src/systems/configuration.js";
import { noiseWords } from "./noise-model.js";

const SIZE = 7;
const templates = parseTemplates("s0.form b0.form\ns1.form\nb1.form");
const system = createSystem("arc-eager", { root: "last" });
const [shift, reduce] = [system.moveOf("SHIFT"), system.moveOf("REDUCE")];

const scoreOf = (values: Int32Array, k: number) => values.reduce((sum, value) => Math.imul(sum, 31) + value, k);

function scorerOf() {
  const scores = new Int32Array(SIZE);
  const scorer: CachedScorer = new CachedScorer(
    templates,
    scores,
    ({ values }) => {
      runs++;
      for (let k = 0; k < SIZE; k++) scores[k] = scoreOf(values, k);
    },
    SIZE,
  );
  let runs = 0;
  /** Are the scores of a configuration those that would be computed? */
  const isRight = (c: Configuration, move = shift) => {
    scores.fill(-1);
    scorer.score(c, move);
    return scores.every((score, k) => score === (scoreOf(scorer.extractor.values, k) | 0));
  };
  /** The same after some words were shifted. */
  const at = (shifted: number, words: number, move = shift) => {
    const c = new Configuration();
    system.initialize(c, words);
    for (let i = 0; i < shifted; i++) system.apply(c, shift);
    expect(isRight(c, move)).toBe(true);
  };
  return { scorer, at, isRight, runs: () => runs };
}

test("a context is scored once in a sentence", () => {
  const { scorer, at, runs } = scorerOf();
  scorer.bind(noiseWords(6, 1));
  at(2, 6);
  at(2, 6, reduce);
  expect(runs()).toBe(1);
  at(3, 6);
  expect(runs()).toBe(2);
  // The same numbers stand for other words in another sentence.
  scorer.bind(noiseWords(6, 2));
  at(2, 6);
  expect(runs()).toBe(3);
});

test("contexts that take each other's places have their own scores", () => {
  const { scorer, isRight, runs } = scorerOf();
  const words = 2000;
  const forms = Array.from({ length: words + 1 }, (_, i) => `w${i}`);
  scorer.bind({ ...noiseWords(words, 3), form: (i) => forms[i]! });
  for (let round = 0; round < 2; round++) {
    const c = new Configuration();
    system.initialize(c, words);
    for (let shifted = 0; shifted < words; shifted++) {
      if (!isRight(c) || !isRight(c)) expect.fail(`round ${round}, ${shifted} words on the stack`);
      system.apply(c, shift);
    }
  }
  // Some are remembered from the first round, others were taken over; right after each other they are all remembered.
  expect(runs()).toBeGreaterThan(words);
  expect(runs()).toBeLessThan(2 * words);
});
