// Whether one system is better than another, tested by sentences: words of one sentence are not independent.

import {
  check,
  checkOptions,
  checkRequired,
  type Expectation,
  oneOf,
  WHOLE_NUMBER,
  wholeNumber,
} from "../../checks/options.js";
import { NUMBERS } from "../../checks/shapes.js";
import { ratio } from "../scores.js";

/** For each gold sentence: its words, the system's words that start in it, and how many of them are right. */
export interface SentenceCounts {
  /** Words of the gold standard. */
  readonly gold: readonly number[];
  /** Words of the parser. */
  readonly system: readonly number[];
  /** Right heads. */
  readonly uas: readonly number[];
  /** Right heads and labels. */
  readonly las: readonly number[];
}

/** The tests that `compareSystems` knows. */
export const SIGNIFICANCE_TESTS = ["randomisation", "bootstrap"] as const;
/** One of `SIGNIFICANCE_TESTS`. */
export type SignificanceTest = (typeof SIGNIFICANCE_TESTS)[number];

/** Options of `compareSystems`. */
export interface SignificanceOptions {
  /** `randomisation` by default. */
  test?: SignificanceTest | undefined;
  /** 10,000 by default. */
  samples?: number | undefined;
  /** A whole number; the same seed gives the same result. */
  seed?: number | undefined;
}

/** The difference between two systems. */
export interface Significance {
  /** The name of the test. */
  test: SignificanceTest;
  /** How many samples were drawn. */
  samples: number;
  /** F1 of the second system minus F1 of the first; F1 is the accuracy when the words are the same. */
  difference: number;
  /** Two-sided: how likely a difference at least as large is if the systems are equally good. */
  p: number;
  /** With the bootstrap: the interval of the difference that holds 95 % of the samples. */
  interval?: [low: number, high: number];
}

const COUNTS: Readonly<Record<keyof SentenceCounts, Expectation>> = {
  gold: NUMBERS,
  system: NUMBERS,
  uas: NUMBERS,
  las: NUMBERS,
};
const OPTIONS: Readonly<Record<keyof SignificanceOptions, Expectation>> = {
  test: oneOf(...SIGNIFICANCE_TESTS),
  samples: wholeNumber(1),
  seed: WHOLE_NUMBER,
};

const SAMPLES = 10_000;
const SEED = 1;
// Differences that are equal but summed in another order may differ in the last bits.
const ROUNDING = 1e-12;

/**
 * Tests whether the F1 of two systems on the same gold treebank differ by more than chance. O(samples · sentences).
 * @param first counts of one parser, sentence by sentence
 * @param second those of the other, on the same sentences
 * @param metric what is compared
 * @param options the test, its samples and its seed
 */
export function compareSystems(
  first: SentenceCounts,
  second: SentenceCounts,
  metric: "uas" | "las",
  options: SignificanceOptions = {},
): Significance {
  checkRequired("the first system", first, COUNTS, Object.keys(COUNTS));
  checkRequired("the second system", second, COUNTS, Object.keys(COUNTS));
  check("metric", metric, oneOf("uas", "las"));
  checkOptions("compareSystems", options, OPTIONS);
  const { test = "randomisation", samples = SAMPLES, seed = SEED } = options;
  if (first.gold.length !== second.gold.length) {
    const found = `${first.gold.length} and ${second.gold.length}`;
    throw new RangeError(`invalid sentences: ${found} (expected the same gold treebank for both systems)`);
  }
  const pair: Pair = { first, second, metric };
  const run = test === "bootstrap" ? pairedBootstrap : approximateRandomisation;
  return { test, samples, ...run(pair, samples, randomBits(seed)) };
}

interface Pair {
  first: SentenceCounts;
  second: SentenceCounts;
  metric: "uas" | "las";
}

type Outcome = Pick<Significance, "difference" | "p" | "interval">;

function f1(correct: number, gold: number, system: number): number {
  return ratio(2 * correct, gold + system);
}

/**
 * Approximate randomisation (Noreen 1989; Yeh 2000): the outputs for each sentence are exchanged between the systems at
 * random; p is the share of samples, the observed one among them, whose difference is at least as large.
 */
function approximateRandomisation({ first, second, metric }: Pair, samples: number, random: () => number): Outcome {
  const gold = sum(first.gold);
  const correct = [sum(first[metric]), sum(second[metric])] as const;
  const system = [sum(first.system), sum(second.system)] as const;
  const difference = f1(correct[1], gold, system[1]) - f1(correct[0], gold, system[0]);
  // The gain of the first system when a sentence is exchanged; sentences that change nothing need no coin.
  const gains: number[] = [];
  const growths: number[] = [];
  for (let i = 0; i < first.gold.length; i++) {
    const gain = second[metric][i]! - first[metric][i]!;
    const growth = second.system[i]! - first.system[i]!;
    if (gain === 0 && growth === 0) continue;
    gains.push(gain);
    growths.push(growth);
  }
  const gain = Int32Array.from(gains);
  const growth = Int32Array.from(growths);
  const sameWords = growth.every((value) => value === 0);
  const limit = Math.abs(difference) - ROUNDING;
  let extreme = 0;
  for (let sample = 0; sample < samples; sample++) {
    let gained = 0;
    let grown = 0;
    let bits = 0;
    for (let i = 0; i < gain.length; i++) {
      if ((i & 31) === 0) bits = random();
      const mask = -(bits & 1);
      gained += gain[i]! & mask;
      if (!sameWords) grown += growth[i]! & mask;
      bits >>>= 1;
    }
    const a = f1(correct[0] + gained, gold, system[0] + grown);
    const b = f1(correct[1] - gained, gold, system[1] - grown);
    if (Math.abs(b - a) >= limit) extreme++;
  }
  return { difference, p: (extreme + 1) / (samples + 1) };
}

/**
 * Paired bootstrap (Efron & Tibshirani 1993; Berg-Kirkpatrick et al. 2012): sentences are drawn with replacement; p is
 * the share of samples whose difference is at least as far from the observed one as that is from 0.
 */
function pairedBootstrap({ first, second, metric }: Pair, samples: number, random: () => number): Outcome {
  const sentences = first.gold.length;
  const rows = new Int32Array(5 * sentences);
  for (let i = 0; i < sentences; i++) {
    rows.set([first.gold[i]!, first.system[i]!, second.system[i]!, first[metric][i]!, second[metric][i]!], 5 * i);
  }
  const observed = f1(sum(second[metric]), sum(first.gold), sum(second.system));
  const difference = observed - f1(sum(first[metric]), sum(first.gold), sum(first.system));
  const differences = new Float64Array(samples);
  let extreme = 0;
  for (let sample = 0; sample < samples; sample++) {
    let gold = 0;
    let systemA = 0;
    let systemB = 0;
    let correctA = 0;
    let correctB = 0;
    for (let draw = 0; draw < sentences; draw++) {
      const at = 5 * Math.floor((random() / 2 ** 32) * sentences);
      gold += rows[at]!;
      systemA += rows[at + 1]!;
      systemB += rows[at + 2]!;
      correctA += rows[at + 3]!;
      correctB += rows[at + 4]!;
    }
    const value = f1(correctB, gold, systemB) - f1(correctA, gold, systemA);
    differences[sample] = value;
    if (Math.abs(value - difference) >= Math.abs(difference) - ROUNDING) extreme++;
  }
  differences.sort();
  const at = (share: number) => differences[Math.min(samples - 1, Math.floor(share * samples))]!;
  return { difference, p: (extreme + 1) / (samples + 1), interval: [at(0.025), at(0.975)] };
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** 32 random bits at each call, from 0 to 2³² - 1: the generator sfc32 of Chris Doty-Humphrey's PractRand. */
function randomBits(seed: number): () => number {
  let a = seed | 0;
  let b = Math.floor(seed / 2 ** 32) | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;
  const next = () => {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    c |= 0;
    return result >>> 0;
  };
  for (let i = 0; i < 16; i++) next();
  return next;
}
