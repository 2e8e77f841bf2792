// Learners and options of training beside the perceptron of training.test.ts and logistic.test.ts.
import { describe, expect, test } from "vitest";
import { parseTemplates } from "../../src/features/templates.js";
import { Correctness } from "../../src/learning/correctness.js";
import { lossBoundOf } from "../../src/learning/linear/online.js";
import { COST_SENSITIVE, PassiveAggressive } from "../../src/learning/linear/passive-aggressive.js";
import { AVERAGING, Weights } from "../../src/learning/linear/weights.js";
import { isPercentage } from "../../src/learning/settings/steps.js";
import { attachment, Training, type TrainOptions } from "../../src/learning/training.js";
import { Random } from "../../src/math/random.js";
import { dynamicOracle } from "../../src/registry/oracles.js";
import { createSystem, describeSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { defaultTemplates } from "../../src/registry/training.js";
import { Classes } from "../../src/scoring/classes.js";
import { FeatureScorer } from "../../src/scoring/feature-scorer.js";
import { Decider } from "../../src/search/decider.js";
import { Configuration } from "../../src/systems/configuration.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import { makeUp } from "../made-up-language.js";

const OPTIONS: TrainOptions = {
  system: "arc-hybrid",
  root: "last",
  oracle: "dynamic",
  exploreFrom: 2,
  exploreProbability: 0.9,
  lossBound: Number.POSITIVE_INFINITY,
  afterUpdate: "go-on",
  templates: defaultTemplates("arc-hybrid"),
  epochs: 3,
  seed: 3,
  prune: 0,
};

function trained(options: Partial<TrainOptions>, sentences = makeUp(80, 1)): Training {
  const training = new Training(sentences, { ...OPTIONS, ...options });
  while (training.epoch < training.options.epochs) training.runEpoch();
  return training;
}

function weightsOf(training: Training): string {
  const { features, classes, weights } = training.model().linear.entries();
  return JSON.stringify([features, classes, weights].map((array) => Array.from(array)));
}

/** A learner over a few templates, with labels 0, 1 and 2, and what it takes to ask it. */
function learnerOf(name: string, costSensitive: (typeof COST_SENSITIVE)[number] | undefined, aggressiveness = 1e6) {
  const system = createSystem(name, { root: "last" });
  const { context } = describeSystem(name);
  const text =
    name === "lr-spines" ? "s1.form; s2.form; gp.form; s1.form s2.form" : "s0.form; s1.form; b0.form; s0.form b0.form";
  const classes = new Classes(system, 3, [0, 1, 2], [0, 1, 2]);
  const weights = new Weights(0, classes.size);
  const scores = new Int32Array(classes.size);
  const scorer = new FeatureScorer(parseTemplates(text, "templates", context), scores, (extractor) => {
    scores.fill(0);
    weights.score(extractor.hash(), scores);
  });
  const decider = new Decider(system, classes, scorer);
  const correctness = new Correctness(system, classes, decider, "dynamic");
  const learner = new PassiveAggressive(
    weights,
    decider,
    scorer.extractor,
    correctness,
    scorer.extractor.features,
    aggressiveness,
    costSensitive,
  );
  return { system, classes, decider, correctness, learner };
}

describe.each(["arc-standard", "arc-eager", "lr-spines"])("passive-aggressive, %s", (name) => {
  /** For each configuration on random ways through sentences: what a step changed. */
  function steps(costSensitive: (typeof COST_SENSITIVE)[number] | undefined, aggressiveness?: number) {
    const { system, classes, decider, correctness, learner } = learnerOf(name, costSensitive, aggressiveness);
    const random = new Random(7);
    const c = new Configuration();
    const oracle = dynamicOracle(system)!;
    const seen: { lack: number; after: number; isWrong: boolean }[] = [];
    for (const [s, sentence] of makeUp(12, 4).entries()) {
      const labels = Int32Array.from(sentence.heads, (_, d) => (d + s) % 3);
      correctness.bind(sentence.heads, labels);
      const gold = new GoldTree(sentence.heads);
      oracle.bind(gold);
      decider.bind(sentence);
      system.initialize(c, sentence.length);
      for (let time = 1; !system.isTerminal(c); time++) {
        const predicted = decider.decide(c);
        const correct = correctness.best(c, predicted);
        const correctClass = correctness.classOf(c, correct);
        const isWrong = correct !== predicted || correctClass !== decider.bestClass[predicted];
        /** How far every class is from its margin, by the definitions. */
        const lacks = () => {
          const score = (i: number, k: number) => {
            decider.scorer.score(c, decider.moves[i]!);
            return decider.scores[k]! * learner.unit;
          };
          const right = score(correct, correctClass);
          const all: { move: number; cls: number; lack: number }[] = [];
          for (let i = 0; i < decider.count; i++) {
            const move = decider.moves[i]!;
            const group = classes.groupOf(move);
            const isGold = gold.has(system.head(c, move), system.dependent(c, move));
            for (let k = classes.from[group]!; k < classes.from[group + 1]!; k++) {
              const label = isGold && classes.labels[k] !== labels[system.dependent(c, move)] ? 1 : 0;
              const cost = oracle.cost(c, move) + label;
              expect(correctness.cost(c, i, k)).toBe(cost);
              const margin = costSensitive === undefined ? 1 : Math.sqrt(cost);
              if (cost > 0) all.push({ move: i, cls: k, lack: score(i, k) - right + margin });
            }
          }
          return all;
        };
        const before = lacks();
        const worst =
          costSensitive === "prediction-based"
            ? before.find(({ move, cls }) => isWrong && move === predicted && cls === decider.bestClass[predicted])
            : before.reduce((a, b) => (b.lack > a.lack ? b : a), { move: -1, cls: -1, lack: 0 });
        decider.decide(c);
        expect(learner.learn(c, predicted, correct, correctClass, time) || !isWrong).toBe(true);
        const lack = worst && worst.move >= 0 ? worst.lack : 0;
        const after = lacks().find(({ move, cls }) => move === worst?.move && cls === worst.cls)?.lack ?? 0;
        seen.push({ lack, after, isWrong });
        decider.decide(c);
        const move = decider.moves[Math.floor(random.next() * decider.count)]!;
        system.take(c, move, Math.floor(random.next() * 3));
      }
    }
    return seen;
  }

  test.each([undefined, ...COST_SENSITIVE])(
    "costs %s: a step makes up for what the worst class lacks",
    (costSensitive) => {
      const seen = steps(costSensitive);
      expect(seen.filter(({ lack }) => lack > 0).length).toBeGreaterThan(20);
      for (const { lack, after, isWrong } of seen) {
        if (costSensitive === "prediction-based" && !isWrong) expect(lack).toBe(0);
        // Rounding: each feature by less than one unit.
        if (lack > 0) expect(Math.abs(after)).toBeLessThan(1e-4);
      }
    },
  );

  test("no weight changes by more than the aggressiveness", () => {
    const seen = steps(undefined, 0.01);
    for (const { lack, after } of seen) {
      expect(lack - after).toBeLessThanOrEqual(0.01 * 8 + 1e-4);
      if (lack > 0) expect(after).toBeLessThan(lack);
    }
  });
});

describe.each(SYSTEM_NAMES.filter((name) => dynamicOracle(createSystem(name))))("%s", (system) => {
  test.each([undefined, ...COST_SENSITIVE])("learns the made-up language, costs %s", (costSensitive) => {
    const templates = defaultTemplates(system);
    const training = trained({ system, templates, learner: "passive-aggressive", costSensitive });
    expect(attachment(training.model(), makeUp(60, 2)).las).toBeGreaterThan(0.93);
  });
});

test.each(AVERAGING)("%s averages", (averaging) => {
  const random = new Random(2);
  const weights = new Weights(0, 4, false, averaging);
  const now = new Map<number, number>();
  const sums = new Map<number, number>();
  let total = 0;
  const last = 50;
  for (let time = 1; time <= last; time++) {
    // The weights from this time until the next count for the time, or for all times the same.
    const feature = 1 + Math.floor(random.next() * 3);
    const change = Math.floor(random.next() * 7) - 3;
    weights.update(Int32Array.of(feature), 0, change, time);
    now.set(feature, (now.get(feature) ?? 0) + change);
    const share = averaging === "plain" ? 1 : (time + 1) ** 2 - time ** 2;
    if (time === last) break;
    for (const [key, weight] of now) sums.set(key, (sums.get(key) ?? 0) + share * weight);
    total += share;
  }
  // Before time 1 all weights are 0.
  weights.forEachAverage(last, (feature, _cls, average) => {
    expect(average).toBeCloseTo(sums.get(feature)! / (total + 1), 10);
  });
  expect(sums.size).toBe(3);
});

test.each(["perceptron", "logistic", "passive-aggressive"] as const)(
  "%s: the plain average is another, as good",
  (learner) => {
    const [weighted, plain] = AVERAGING.map((averaging) => trained({ learner, averaging }));
    expect(weightsOf(weighted!)).toBe(weightsOf(trained({ learner })));
    expect(weightsOf(plain!)).not.toBe(weightsOf(weighted!));
    expect(attachment(plain!.model(), makeUp(60, 2)).las).toBeGreaterThan(0.9);
  },
);

test("with a beam, too", () => {
  const weighted = trained({ beam: 4 });
  const plain = trained({ beam: 4, averaging: "plain" });
  expect(weightsOf(plain)).not.toBe(weightsOf(weighted));
});

describe("a random correct move after an error", () => {
  const how: Partial<TrainOptions> = { system: "arc-standard", templates: defaultTemplates("arc-standard") };

  test("gives other weights, the same for the same seed", () => {
    const best = weightsOf(trained({ ...how, exploreProbability: 0 }));
    const random = weightsOf(trained({ ...how, exploreProbability: 0, afterError: "random" }));
    expect(weightsOf(trained({ ...how, exploreProbability: 0, afterError: "best" }))).toBe(best);
    expect(random).not.toBe(best);
    expect(weightsOf(trained({ ...how, exploreProbability: 0, afterError: "random" }))).toBe(random);
  });

  test.each(["non-deterministic", "dynamic"] as const)("%s: only correct moves are followed", (name) => {
    let isOther = 0;
    for (const sentence of makeUp(30, 3)) {
      const derivations = (["best", "random"] as const).map((afterError) => {
        const options = { ...OPTIONS, ...how, oracle: name, exploreProbability: 0, afterError };
        const training = new Training([sentence], options);
        const { system } = training;
        const oracle = dynamicOracle(system)!;
        oracle.bind(new GoldTree(sentence.heads));
        const moves: number[] = [];
        system.take = (c, move, label) => {
          expect(oracle.cost(c, move)).toBe(0);
          moves.push(move);
          system.apply(c, move, label);
          c.record(move, label);
        };
        training.runEpoch();
        return moves.join();
      });
      if (derivations[0] !== derivations[1]) isOther++;
    }
    expect(isOther).toBeGreaterThan(3);
  });
});

describe("a bound on the loss", () => {
  test("is a number of arcs, or a share of the words and at least one arc", () => {
    expect(lossBoundOf(3, 100)).toBe(3);
    expect(lossBoundOf("20%", 12)).toBeCloseTo(2.4, 12);
    expect(lossBoundOf("12.5%", 40)).toBe(5);
    expect(lossBoundOf("1%", 5)).toBe(1);
    for (const text of ["20%", "0.5%", "100%"]) expect(isPercentage(text)).toBe(true);
    for (const text of ["0%", "101%", "20", "-3%", "%", "1e1%", " 20%"]) expect(isPercentage(text)).toBe(false);
    expect(() => new Training(makeUp(5, 1), { ...OPTIONS, lossBound: "0%" })).toThrow(
      'invalid lossBound of Training: "0%" (expected a number from 0, or a percentage such as "20%")',
    );
  });

  test("a share gives what the number gives that it comes to", () => {
    // Sentences of the language have at most eleven words.
    const bound = (lossBound: TrainOptions["lossBound"]) => weightsOf(trained({ lossBound, exploreFrom: 1 }));
    expect(bound("1%")).toBe(bound(1));
    expect(bound("30%")).not.toBe(bound(1));
    expect(bound("100%")).toBe(bound(Number.POSITIVE_INFINITY));
  });

  test("with a beam: 1 ends a sentence where the last correct hypothesis leaves it, more later", () => {
    const early: Partial<TrainOptions> = { beam: 2, update: "early" };
    const sentences = makeUp(80, 1);
    const one = weightsOf(trained({ ...early, lossBound: 1 }, sentences));
    expect(one).toBe(weightsOf(trained(early, sentences)));
    expect(weightsOf(trained({ ...early, lossBound: 2 }, sentences))).not.toBe(one);
    const most: Partial<TrainOptions> = { beam: 2, update: "max-violation" };
    expect(weightsOf(trained({ ...most, lossBound: 100 }, sentences))).toBe(weightsOf(trained(most, sentences)));
    // The step at which all are lost counts, too: where the correct one leaves at once, it is the only one.
    const learned = trained({ ...most, lossBound: 1 }, makeUp(150, 1));
    expect(attachment(learned.model(), makeUp(60, 2)).las).toBeGreaterThan(0.8);
    expect(weightsOf(trained({ ...most, lossBound: "10%" }, sentences))).not.toBe(weightsOf(trained(most, sentences)));
  });
});
