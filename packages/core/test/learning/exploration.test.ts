// The configurations of a parser in training: exploration and its limits, seen in the transitions that are applied.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NeuralTraining } from "../../src/learning/network/neural-training.js";
import { Training } from "../../src/learning/training.js";
import { dynamicOracle } from "../../src/registry/oracles.js";
import { defaultTemplates, defaultView } from "../../src/registry/training.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import type { OracleName } from "../../src/systems/oracles/oracle.js";
import type { TransitionSystem } from "../../src/systems/system.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { projectiveTree } from "../systems/random-projective-trees.js";

interface Exploring {
  oracle?: OracleName;
  exploreFrom?: number;
  exploreProbability?: number;
  lossBound?: number;
}

const COMMON = { system: "arc-hybrid", root: "last", oracle: "dynamic", exploreFrom: 2, epochs: 3, seed: 3 } as const;

// Trees without rule or reason, so that there are mistakes in every epoch; one of each length, which tells which it is.
const TREES = Array.from({ length: 20 }, (_, i) => {
  const [heads] = fc.sample(projectiveTree(i + 5, i + 5, true), { seed: i, numRuns: 1 });
  return heads!;
});
const SENTENCES = TREES.map((heads) =>
  Sentence.from({
    words: heads.slice(1).map((head, i) => ({ form: `w${i % 7}`, upos: `T${i % 3}`, head, deprel: "dep" })),
  }),
);
const GOLD = new Map(TREES.map((heads) => [heads.length - 1, new GoldTree(heads)]));

interface Trainer {
  readonly system: TransitionSystem;
  runEpoch(): void;
}

function linear(exploring: Exploring): Trainer {
  return new Training(SENTENCES, {
    ...COMMON,
    exploreProbability: 1,
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
    templates: defaultTemplates(COMMON.system),
    ...exploring,
  });
}

function network(exploring: Exploring): Trainer {
  const training = new NeuralTraining(SENTENCES, {
    ...COMMON,
    exploreProbability: 1,
    templates: defaultView(COMMON.system),
    inputs: { word: 8, upos: 8 },
    layers: 1,
    width: 8,
    hidden: 16,
    dropout: { words: 0.25, inputs: 0.1, layers: 0.1, hidden: 0.1 },
    rate: 0.01,
    ...exploring,
  });
  return { system: training.learner.system, runEpoch: () => training.runEpoch() };
}

/** For each epoch: how much was lost before each transition that cost something. */
function mistakes(trainer: Trainer): number[][] {
  const { system } = trainer;
  const oracle = dynamicOracle(system)!;
  const { apply } = system;
  const epochs: number[][] = [];
  system.apply = (c, move, label) => {
    oracle.bind(GOLD.get(c.length)!);
    if (oracle.cost(c, move) > 0) epochs.at(-1)!.push(oracle.loss(c));
    apply.call(system, c, move, label);
  };
  for (let epoch = 1; epoch <= COMMON.epochs; epoch++) {
    epochs.push([]);
    trainer.runEpoch();
  }
  return epochs;
}

const counts = (epochs: number[][]) => epochs.map((losses) => losses.length);

describe.each([
  ["linear", linear],
  ["network", network],
])("%s", (_, trainer) => {
  test("mistakes are followed from the epoch that was asked for on, not before", () => {
    const [first, second, third] = counts(mistakes(trainer({})));
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(20);
    expect(third).toBeGreaterThan(20);
    const [none, nor, late] = counts(mistakes(trainer({ exploreFrom: 3 })));
    expect([none, nor]).toEqual([0, 0]);
    expect(late).toBeGreaterThan(20);
  });

  test("they are followed as often as the probability says", () => {
    const [, always] = counts(mistakes(trainer({})));
    const [, seldom] = counts(mistakes(trainer({ exploreProbability: 0.25 })));
    expect(seldom).toBeGreaterThan(0);
    expect(seldom).toBeLessThan(0.6 * always!);
    expect(counts(mistakes(trainer({ exploreProbability: 0 })))).toEqual([0, 0, 0]);
  });

  test.each(["static", "non-deterministic"] as const)("none is followed with a %s oracle", (oracle) => {
    expect(counts(mistakes(trainer({ oracle, exploreFrom: 1 })))).toEqual([0, 0, 0]);
  });
});

test("no further mistake is followed once the loss has reached the bound", () => {
  const unbounded = mistakes(linear({})).flat();
  expect(Math.max(...unbounded)).toBeGreaterThan(3);
  for (const lossBound of [1, 3]) {
    const bounded = mistakes(linear({ lossBound })).flat();
    expect(bounded.length).toBeGreaterThan(20);
    expect(Math.max(...bounded)).toBe(lossBound - 1);
  }
  expect(counts(mistakes(linear({ lossBound: 0 })))).toEqual([0, 0, 0]);
});
