import { describe, expect, test } from "vitest";
import { BeamJudge } from "../../src/learning/beam-judge.js";
import { UPDATES } from "../../src/learning/linear/beam-violation.js";
import { STRUCTURED } from "../../src/learning/linear/structured.js";
import { attachment, Training, type TrainOptions } from "../../src/learning/training.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { type Parser, ParserModel } from "../../src/parser/parser.js";
import { dynamicOracle } from "../../src/registry/oracles.js";
import { createSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { featureTemplates } from "../../src/registry/templates/feature-sets.js";
import { oraclesOf } from "../../src/registry/trace.js";
import { defaultTemplates } from "../../src/registry/training.js";
import type { ForEachWeight } from "../../src/scoring/linear/quantized-weights.js";
import type { DerivationStep } from "../../src/search/beam/beam-history.js";
import { BeamParser } from "../../src/search/beam/beam-parser.js";
import { BeamSearch } from "../../src/search/beam/beam-search.js";
import { StackGraphTraining } from "../../src/stack-graph/learning/stack-graph-training.js";
import { StackViolation } from "../../src/stack-graph/learning/stack-violation.js";
import { stackGraph } from "../../src/stack-graph/stack-graph.js";
import { StackSearch } from "../../src/stack-graph/stack-search.js";
import { Configuration } from "../../src/systems/configuration.js";
import type { OracleName } from "../../src/systems/oracles/oracle.js";
import { makeUp } from "../made-up-language.js";
import { noiseModel } from "../scoring/noise-model.js";

const TRAIN = makeUp(60, 1);
/** For what is compared and not learned. */
const FEW = makeUp(25, 1);
const TEST = makeUp(60, 2);

function options(changes: Partial<TrainOptions> = {}): TrainOptions {
  const system = changes.system ?? "arc-standard";
  return {
    system,
    root: "last",
    oracle: dynamicOracle(createSystem(system)) ? "dynamic" : "static",
    exploreFrom: 2,
    exploreProbability: 1,
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
    templates: defaultTemplates(system),
    epochs: 4,
    seed: 1,
    beam: 4,
    ...changes,
  };
}

function trained(changes: Partial<TrainOptions> = {}, sentences = TRAIN): Training {
  const training = new Training(sentences, options(changes));
  while (training.epoch < training.options.epochs) training.runEpoch();
  return training;
}

describe("the structured perceptron", () => {
  const oraclesFor = (system: string): readonly OracleName[] =>
    system === "attardi" ? ["static", "dynamic"] : oraclesOf(createSystem(system));
  // Where derivations are compared does not depend on the oracle: one of them has to do for the second way.
  const cases = SYSTEM_NAMES.flatMap((system) =>
    oraclesFor(system).flatMap((oracle, i, { length }) =>
      UPDATES.slice(0, i + 1 === length ? 2 : 1).map((update) => [system, oracle, update] as const),
    ),
  );

  test.each(cases)("learns with %s, %s oracle, %s", (system, oracle, update) => {
    const model = trained({ system, oracle, update }).model();
    expect(model.header.beam).toBe(4);
    // Where words can be removed, it has to learn besides that none are to be.
    expect(attachment(model, TEST).las).toBeGreaterThan(model.system.description.leftOut ? 0.9 : 0.97);
  });

  test.each(["first", "none"] as const)("learns derivations of different length (arc-eager, root %s)", (root) => {
    expect(attachment(trained({ system: "arc-eager", root }).model(), TEST).las).toBeGreaterThan(0.97);
  });

  test.each(UPDATES)("learns from the hypothesis that has lost least (%s)", (update) => {
    expect(attachment(trained({ update, lowestLoss: true, beam: 2 }).model(), TEST).las).toBeGreaterThan(0.97);
    const swap = { system: "swap", update, lowestLoss: true, beam: 2 };
    expect(attachment(trained(swap).model(), TEST).las).toBeGreaterThan(0.97);
  });

  test("learns from single steps as well, and ends with the same bytes when it is taken up again", () => {
    const changes = { singleSteps: true, epochs: 3 };
    const bytes = writeModel(trained(changes).model());
    expect(bytes).not.toEqual(writeModel(trained({ epochs: 3 }).model()));
    expect(attachment(readModel(bytes).parser, TEST).las).toBeGreaterThan(0.97);
    const killed = new Training(TRAIN, options(changes));
    killed.runEpoch();
    const resumed = new Training(TRAIN, options(changes));
    resumed.restore(structuredClone(killed.save()));
    while (resumed.epoch < 3) resumed.runEpoch();
    expect(writeModel(resumed.model())).toEqual(bytes);
  });

  test("single steps first, whole derivations in the last epochs: the same bytes when it is taken up again", () => {
    const changes = { globalEpochs: 2, epochs: 3 };
    const model = trained(changes).model();
    const bytes = writeModel(model);
    expect(model.header.logUnit).toBeUndefined();
    for (const globalEpochs of [0, 3]) {
      expect(writeModel(trained({ ...changes, globalEpochs }).model())).not.toEqual(bytes);
    }
    expect(attachment(readModel(bytes).parser, TEST).las).toBeGreaterThan(0.97);
    const killed = new Training(TRAIN, options(changes));
    killed.runEpoch();
    // Until then the beam compares logarithms.
    expect(killed.model().header.logUnit).toBeGreaterThan(0);
    const resumed = new Training(TRAIN, options(changes));
    resumed.restore(structuredClone(killed.save()));
    while (resumed.epoch < 3) resumed.runEpoch();
    expect(writeModel(resumed.model())).toEqual(bytes);
  });

  test.each([
    [{ globalEpochs: 5 }, "invalid globalEpochs: 5 (expected at most 4, the number of epochs)"],
    [{ globalEpochs: 1, beam: undefined }, "invalid globalEpochs: 1 (expected 0 without a beam)"],
    [
      { globalEpochs: 1, learner: "logistic" as const },
      "invalid globalEpochs: 1 (expected 0: only the perceptron learns from whole derivations)",
    ],
  ])("rejects %j", (changes, message) => {
    expect(() => new Training(TRAIN, options(changes))).toThrow(message);
  });

  test("learns from trees that the system cannot build", () => {
    const model = trained({}, makeUp(160, 3, 0.3)).model();
    expect(attachment(model, TEST).las).toBeGreaterThan(0.95);
    const lifted = trained({ projectivize: "head+path" }, makeUp(160, 3, 0.3)).model();
    expect(attachment(lifted, makeUp(60, 4, 0.3)).las).toBeGreaterThan(0.95);
  });

  test("gives the same bytes for the same seed, also when it is taken up again, with several members", () => {
    const whole = trained({ members: 2 }, FEW);
    const bytes = writeModel(whole.model());
    expect(writeModel(trained({ members: 2 }, FEW).model())).toEqual(bytes);
    const first = new Training(FEW, options({ members: 2 }));
    first.runEpoch();
    first.runEpoch();
    const state = structuredClone(first.save());
    const second = new Training(FEW, options({ members: 2 }));
    second.restore(state);
    while (second.epoch < whole.epoch) second.runEpoch();
    expect(writeModel(second.model())).toEqual(bytes);
    expect(writeModel(trained({ members: 2, seed: 2 }, FEW).model())).not.toEqual(bytes);
  });

  test("the margin: what is right has to win by more, which takes more updates; not 0 by default", () => {
    const updates = (margin: number | undefined): number => {
      const how = { margin, epochs: 8, wordDropout: 0, featureDropout: 0, minUpdates: 1 };
      return trained(how, makeUp(20, 5)).trainers[0]!.updates;
    };
    const [none, usual, much] = [updates(0), updates(STRUCTURED.margin), updates(10 * STRUCTURED.margin)];
    expect(none).toBeGreaterThan(0);
    expect(usual).toBeGreaterThan(none);
    expect(much).toBeGreaterThan(usual);
    expect(updates(undefined)).toBe(usual);
  });

  test("a model remembers its beam, and another can be asked for", () => {
    const model = readModel(writeModel(trained({}, FEW).model())).parser;
    expect(model.createParser().beam).toBe(4);
    expect(model.createParser({ beam: 16 }).beam).toBe(16);
    expect(model.createParser({ beam: 1 }).beam).toBe(1);
  });
});

describe("a beam for a perceptron that learned step by step", () => {
  // The first two words of a sentence: all derivations fit into the beam.
  const words = Object.assign(Object.create(TEST[0]!), { length: 2 });

  // Derivations of different length, too.
  test.each([0, 0.7, 2])("adds up logarithms of probabilities (margin %d)", (margin) => {
    for (const [system, root] of [["arc-standard", "last"] as const, ["arc-eager", "none"] as const]) {
      const model = trained({ system, root, margin, beam: 8, globalEpochs: 0, epochs: 2 }).model();
      const { decider } = readModel(writeModel(model)).parser.createParser({ beam: 8, merge: false }) as Parser;
      let sum = 0;
      for (const { score } of new BeamParser(decider, 5000).parseAll(words, 0)) {
        sum += Math.exp(score / decider.scorer.logUnit!);
      }
      expect(sum, system).toBeGreaterThan(0.99);
      expect(sum, system).toBeLessThan(1.01);
    }
  });

  test("the weights are those that are learned without a beam", () => {
    const wide = trained({ beam: 8, globalEpochs: 0, epochs: 2 }).model();
    const greedy = trained({ beam: undefined, epochs: 2 }).model();
    const { beam, ...header } = wide.header;
    expect(beam).toBe(8);
    expect(writeModel(new ParserModel(header, wide.linear))).toEqual(writeModel(greedy));
  });

  test("the unit grows with the margin, beside the scores", () => {
    const unit = (margin: number) => {
      const training = trained({ beam: 8, globalEpochs: 0, epochs: 2, margin, prune: 0 });
      const model = training.model();
      // How much larger the weights are in the model.
      const largest = (forEach: ForEachWeight) => {
        let most = 0;
        forEach((_feature, _cls, weight) => {
          most = Math.max(most, weight);
        });
        return most;
      };
      const most = largest(training.trainers[0]!.averages);
      const mostInModel = largest((visit) => model.linear.forEach(visit));
      return (model.header.logUnit! * most) / mostInModel;
    };
    expect(unit(0.7)).toBeCloseTo(3.8 * unit(0), 0);
    expect(unit(1.4)).toBeCloseTo(6.6 * unit(0), 0);
  });
});

test("a correct hypothesis that has ended before it leaves the beam has ended beside it, too", () => {
  // Sentences of three words, whose derivations are longer with SWAP.
  const sentences = makeUp(600, 3).filter(({ length }) => length === 3);
  let left = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const { decider } = noiseModel({ system: "swap", root: "last", labels: 1, seed });
    const search = new BeamSearch(decider, 16);
    const judge = new BeamJudge(decider.system, decider.classes, "static", 0);
    search.judge = judge;
    for (const sentence of sentences) {
      judge.bind(sentence.heads, new Int32Array(sentence.length + 1));
      search.begin(sentence);
      let before = false;
      while (search.step()) {
        if (search.aside && before) left++;
        before = search.live.slice(0, search.size).some(({ correct, finished }) => correct && finished);
        if (search.aside) expect(search.aside.finished).toBe(decider.system.isTerminal(search.aside.c));
      }
    }
  }
  expect(left).toBeGreaterThan(5);
});

describe("merging in a graph-structured stack in training", () => {
  const stackTrained = (changes: Partial<TrainOptions>) => {
    const training = new StackGraphTraining(TRAIN, { ...options(changes), merge: "stack-graph" });
    while (training.epoch < training.options.epochs) training.runEpoch();
    return training;
  };

  test.each([
    ["arc-standard", "default", "dynamic"],
    ["arc-standard", "huang-sagae", "static"],
    ["arc-hybrid", "huang-sagae", "dynamic"],
  ] as const)("learns with %s, templates %s, %s oracle", (system, features, oracle) => {
    const templates = featureTemplates(system, features);
    const model = stackTrained({ system, oracle, templates }).model();
    const parser = model.createParser({ beam: 4, merge: stackGraph });
    let [words, right] = [0, 0];
    for (const sentence of TEST) {
      const { heads, labels } = parser.parse(sentence);
      for (let d = 1; d <= sentence.length; d++) {
        words++;
        if (heads[d] === sentence.heads[d] && labels[d] === sentence.deprel(d)) right++;
      }
    }
    expect(right / words).toBeGreaterThan(0.95);
    expect(writeModel(model)).not.toEqual(writeModel(trained({ system, oracle, templates }).model()));
  });

  test.each([
    [{ beam: 1 }, "a beam of 1 (expected at least 2)"],
    [{ system: "arc-eager" }, "the system arc-eager (expected arc-hybrid or arc-standard)"],
    [{ templates: "s0.tag t0.move" }, "the template value t0.move"],
    [{ update: "early" }, "update early (expected max-violation)"],
    [{ lowestLoss: true }, "lowestLoss (expected neither"],
    [{ lossBound: 3 }, "lossBound 3 (expected neither"],
  ] as const)("%o is refused", (changes, found) => {
    expect(() => new StackGraphTraining(TRAIN, { ...options(changes), merge: "stack-graph" })).toThrow(
      `invalid merge: stack-graph, with ${found}`,
    );
  });

  test.each(["arc-standard", "arc-hybrid"])("%s: of what it learns from, the wrong derivation is ahead", (system) => {
    let found = 0;
    for (let seed = 0; seed < 40; seed++) {
      const templates = featureTemplates(system, seed % 2 === 0 ? "huang-sagae" : "default");
      const model = noiseModel({ system, root: "last", seed, range: 50, labels: 2, templates });
      const { decider, classes } = model;
      const margin = 100 * (seed % 3);
      const judge = new BeamJudge(model.system, classes, "dynamic", margin);
      const [words] = makeUp(1, seed);
      const gold = words!.heads;
      const labels = Int32Array.from(gold, (_, i) => i % 2);
      judge.bind(gold, labels);
      const search = new StackSearch(decider, 8, model.templates, model.scorer.extractor.columns);
      const violation = new StackViolation(search, judge);
      violation.begin(words!);
      if (!violation.find()) continue;
      found++;
      const { right, wrong } = violation;
      expect(right).toHaveLength(wrong.length);
      const of = (steps: readonly DerivationStep[]) => {
        const c = new Configuration();
        model.system.initialize(c, words!.length);
        let [score, errors] = [0, 0];
        for (const { move, cls } of steps) {
          expect(model.system.permits(c, move)).toBe(true);
          model.scorer.score(c, move);
          score += model.scorer.scores[cls]!;
          const head = model.system.head(c, move);
          const dependent = model.system.dependent(c, move);
          const label = classes.labels[cls]!;
          if (dependent > 0 && (gold[dependent] !== head || labels[dependent] !== label)) errors++;
          model.system.take(c, move, label);
        }
        return { score: score + margin * errors, errors };
      };
      expect(of(right).errors).toBe(0);
      expect(of(wrong).errors).toBeGreaterThan(0);
      expect(of(wrong).score).toBeGreaterThanOrEqual(of(right).score);
    }
    expect(found).toBeGreaterThan(20);
  });
});
