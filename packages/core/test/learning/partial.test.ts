// Training on trees in which some words have no head, and the oracles that this needs.

import { describe, expect, test } from "vitest";
import type { TreebankSentence } from "../../src/learning/examples.js";
import { attachment, Training, type TrainOptions } from "../../src/learning/training.js";
import { Random } from "../../src/math/random.js";
import { dynamicOracle } from "../../src/registry/oracles.js";
import { createSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { defaultTemplates } from "../../src/registry/training.js";
import { NONE } from "../../src/systems/configuration.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import { makeUp } from "../made-up-language.js";
import * as brute from "../systems/brute-force.js";
import { reachablePairs, systemOf } from "../systems/walk.js";

const SEED = Number(process.env.SEED ?? 20264);
const RUNS = Number(process.env.RUNS ?? 25);
console.log(`partial.test.ts: seed ${SEED}, ${RUNS} partial trees each (SEED=… RUNS=… for others)`);

const OPTIONS: Omit<TrainOptions, "system" | "templates"> = {
  root: "last",
  oracle: "dynamic",
  exploreFrom: 2,
  exploreProbability: 0.9,
  lossBound: Number.POSITIVE_INFINITY,
  afterUpdate: "go-on",
  epochs: 5,
  seed: 3,
  prune: 0,
};

const WITH_ORACLE: Omit<brute.Options, "root">[] = [
  { system: "arc-standard" },
  { system: "arc-eager" },
  { system: "arc-hybrid" },
  { system: "attardi" },
  { system: "attardi", degree: 3 },
  { system: "lr-spines" },
];
const VARIANTS = WITH_ORACLE.flatMap((options) =>
  brute.ROOTS.flatMap((root) => [false, true].map((singleRoot): brute.Options => ({ ...options, root, singleRoot }))),
);
const named = (options: brute.Options) =>
  `${options.system}${options.degree ?? ""}, root ${options.root}${options.singleRoot ? ", single root" : ""}`;

/** The sentences without some of their heads: each word loses its own with this probability. */
function withoutHeads(sentences: TreebankSentence[], probability: number, seed: number): TreebankSentence[] {
  const random = new Random(seed);
  return sentences.map((sentence) => {
    const heads = Int32Array.from(sentence.heads, (h, d) => (d > 0 && random.next() < probability ? NONE : h));
    return {
      length: sentence.length,
      heads,
      form: (i) => sentence.form(i),
      lemma: (i) => sentence.lemma(i),
      upos: (i) => sentence.upos(i),
      xpos: (i) => sentence.xpos(i),
      feats: (i) => sentence.feats(i),
      deprel: (i) => (heads[i] === NONE ? "_" : sentence.deprel(i)),
    };
  });
}

function trained(sentences: TreebankSentence[], options: TrainOptions): Training {
  const training = new Training(sentences, options);
  while (training.epoch < options.epochs) training.runEpoch();
  return training;
}

describe("dynamic oracles on partial trees, every configuration of 4 words", () => {
  test.each(VARIANTS.map((options) => [named(options), options] as const))("%s", (name, options) => {
    const system = systemOf(options);
    const oracle = dynamicOracle(system)!;
    const truth = new brute.BruteForce(options, 4);
    const pairs = [...reachablePairs(options, 4)];
    const trees = brute.allTrees(4);
    const random = new Random(SEED);
    let differs = 0;
    for (let run = 0; run < RUNS; run++) {
      const tree = trees[Math.floor(random.next() * trees.length)]!;
      // In the brute force -2 is a head that no word can get: it is always lost.
      const gold = tree.map((h, d) => (d > 0 && random.next() < 0.4 ? -2 : h));
      const free = gold.filter((h) => h === -2).length;
      oracle.bind(new GoldTree(gold.map((h) => Math.max(h, NONE))));
      for (const { state, c } of pairs) {
        if (oracle.loss(c) !== truth.loss(state, gold) - free) differs++;
        for (const [move, cost] of Object.entries(truth.costs(state, gold))) {
          if (oracle.isOptimal(c, system.moveOf(move)) !== (cost === 0)) differs++;
        }
      }
    }
    expect(`${name}: ${differs} of ${RUNS * pairs.length}`).toBe(`${name}: 0 of ${RUNS * pairs.length}`);
  });
});

describe.each(SYSTEM_NAMES.filter((name) => dynamicOracle(createSystem(name))))("%s", (system) => {
  test("learns the made-up language from trees without a third of their heads", () => {
    const training = trained(withoutHeads(makeUp(150, 1), 1 / 3, 9), {
      ...OPTIONS,
      system,
      templates: defaultTemplates(system),
    });
    expect(training.labels).not.toContain("_");
    expect(training.data.partial).toBeGreaterThan(125);
    expect(attachment(training.model(), makeUp(60, 2)).las).toBeGreaterThan(0.92);
  });
});

test("a whole tree is no partial one", () => {
  const options: TrainOptions = { ...OPTIONS, system: "arc-hybrid", templates: defaultTemplates("arc-hybrid") };
  expect(new Training(makeUp(5, 1), options).data).not.toHaveProperty("partial");
});

test("heads without labels can be learned from", () => {
  const sentences = withoutHeads(makeUp(40, 1), 0.2, 9).map((sentence) => ({ ...sentence, deprel: () => "_" }));
  const options: TrainOptions = { ...OPTIONS, system: "arc-hybrid", templates: defaultTemplates("arc-hybrid") };
  const training = trained(sentences, options);
  expect(training.labels).toEqual(["_"]);
  expect(training.model().createParser().parse(sentences[0]!).labels.slice(1)).toEqual(
    new Array(sentences[0]!.length).fill("_"),
  );
});

test("only the dynamic oracle learns from partial trees", () => {
  const sentences = withoutHeads(makeUp(20, 1), 0.3, 1);
  for (const oracle of ["static", "non-deterministic"] as const) {
    const options: TrainOptions = {
      ...OPTIONS,
      system: "arc-hybrid",
      templates: defaultTemplates("arc-hybrid"),
      oracle,
    };
    expect(() => new Training(sentences, options)).toThrow(
      new RegExp(
        `^invalid tree for ${oracle} training: word \\d+ has no head \\(expected one, or dynamic training\\)$`,
      ),
    );
  }
  const options: TrainOptions = {
    ...OPTIONS,
    system: "two-planar",
    templates: defaultTemplates("two-planar"),
    oneRootInTraining: true,
  };
  expect(() => new Training(sentences, options)).toThrow("two-planar has no dynamic oracle");
});
