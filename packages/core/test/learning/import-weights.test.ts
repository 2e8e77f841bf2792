// Weights learned elsewhere from the output of `Instances`, read from a model file of LIBLINEAR.
import { describe, expect, test } from "vitest";
import { Instances } from "../../src/learning/instances/instances.js";
import { LiblinearReader } from "../../src/learning/instances/liblinear.js";
import { attachment } from "../../src/learning/training.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { SYSTEM_NAMES } from "../../src/registry/systems.js";
import { defaultTemplates } from "../../src/registry/training.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { makeUp } from "../made-up-language.js";

function read(...lines: string[]) {
  const reader = new LiblinearReader("weights.txt");
  for (const line of lines) reader.push(line);
  const entries: [number, number, number][] = [];
  reader.end()((feature, cls, weight) => entries.push([feature, cls, weight]));
  return { entries, features: reader.features, classes: reader.classes };
}

const THREE = ["solver_type MCSVM_CS", "nr_class 3", "label 2 1 3", "nr_feature 2", "bias -1", "w"];

describe("a model file of LIBLINEAR", () => {
  test("has a line for each feature with a weight for each class", () => {
    expect(read(...THREE, "0.5 -1 0 ", "0 0 1e-3 ", "")).toEqual({
      entries: [
        [1, 2, 0.5],
        [1, 1, -1],
        [2, 3, 0.001],
      ],
      features: 2,
      classes: [2, 1, 3],
    });
  });

  test("two classes share their weights, unless the solver is that of Crammer & Singer", () => {
    const two = ["nr_class 2", "label 1 2", "nr_feature 1", "bias -1", "w"];
    expect(read("solver_type L2R_LR", ...two, "0.5").entries).toEqual([
      [1, 1, 0.5],
      [1, 2, -0.5],
    ]);
    expect(read("solver_type MCSVM_CS", ...two, "0.5 2").entries).toEqual([
      [1, 1, 0.5],
      [1, 2, 2],
    ]);
  });

  test.each([
    [[...THREE.slice(0, 4), "bias 1", "w"], "weights.txt:6: invalid bias: 1 (expected -1: train without -B)"],
    [
      ["solver_type L2R_L2LOSS_SVR", ...THREE.slice(1)],
      "weights.txt:6: invalid solver_type: L2R_L2LOSS_SVR (expected a classifier)",
    ],
    [[...THREE, "1 2"], "weights.txt:7: invalid weights: 1 2 (expected 3 numbers)"],
    [[...THREE, "1 2 x"], "weights.txt:7: invalid weight: x (expected a number)"],
    [[...THREE, "1 2 3"], "weights.txt:7: invalid model: 1 lines of weights (expected 2, one for each feature)"],
    [[...THREE, "1 2 3", "1 2 3", "1 2 3"], "weights.txt:9: invalid line: 1 2 3 (expected 2 lines of weights)"],
    [THREE.slice(0, 5), "weights.txt:5: invalid model: no weights"],
    [["w"], "weights.txt:1: invalid model: no solver_type"],
    [["svm_type c_svc"], "weights.txt:1: invalid line: svm_type c_svc (expected one of solver_type"],
    [
      ["nr_class 3", "label 1 1 2", ...THREE.filter((line) => !/label|nr_class/.test(line))],
      "weights.txt:6: invalid label: 1 1 2",
    ],
    [[], "weights.txt:1: invalid model: no weights"],
  ])("%j: %s", (lines, message) => {
    expect(() => read(...lines)).toThrow(message);
  });
});

/** The model of a perceptron over instances, as LIBLINEAR would write it: so many rounds. */
function learned(lines: [number, number[]][], features: number, classes: number): string[] {
  const weights = Array.from({ length: features + 1 }, () => new Float64Array(classes + 1));
  for (let round = 0; round < 6; round++) {
    for (const [cls, active] of lines) {
      let best = 1;
      const scores = new Float64Array(classes + 1);
      for (const f of active) for (let k = 1; k <= classes; k++) scores[k]! += weights[f]![k]!;
      for (let k = 2; k <= classes; k++) if (scores[k]! > scores[best]!) best = k;
      if (best === cls) continue;
      for (const f of active) {
        weights[f]![cls]!++;
        weights[f]![best]!--;
      }
    }
  }
  const order = Array.from({ length: classes }, (_, i) => classes - i);
  return [
    ...[
      "solver_type MCSVM_CS",
      `nr_class ${classes}`,
      `label ${order.join(" ")}`,
      `nr_feature ${features}`,
      "bias -1",
      "w",
    ],
    ...weights.slice(1).map((row) => order.map((k) => row[k]).join(" ")),
  ];
}

test.each(SYSTEM_NAMES.filter((name) => name !== "lr-spines"))("%s: weights come back as a parser", (system) => {
  const instances = new Instances({ system, root: "last", templates: defaultTemplates(system) });
  const lines: [number, number[]][] = [];
  for (const sentence of makeUp(120, 1)) instances.add(sentence, (cls, features) => lines.push([cls, [...features]]));
  const reader = new LiblinearReader("weights.txt");
  for (const line of learned(lines, instances.featureCount, instances.classes.length)) reader.push(line);
  const model = instances.model(reader.end(), { learner: "LIBLINEAR" });
  const read = readModel(writeModel(model)).parser;
  expect(read.header.origin).toEqual({ learner: "LIBLINEAR" });
  expect(attachment(read, makeUp(40, 2)).las).toBeGreaterThan(0.9);
});

test("in LR-spines, where each line has the features of the right move alone", () => {
  const instances = new Instances({ system: "lr-spines", root: "last", templates: defaultTemplates("lr-spines") });
  const lines: [number, number[]][] = [];
  for (const sentence of makeUp(120, 1)) instances.add(sentence, (cls, features) => lines.push([cls, [...features]]));
  const reader = new LiblinearReader("weights.txt");
  for (const line of learned(lines, instances.featureCount, instances.classes.length)) reader.push(line);
  expect(attachment(instances.model(reader.end()), makeUp(40, 2)).las).toBeGreaterThan(0.7);
});

describe("a model of instances", () => {
  const sentence = Sentence.from({
    words: [
      { form: "ta", upos: "DET", head: 2, deprel: "det" },
      { form: "tor", upos: "NOUN", head: 3, deprel: "nsubj" },
      { form: "kara", upos: "VERB", head: 0, deprel: "root" },
    ],
  });
  const make = (system: string, root: "last" | "none") => {
    const instances = new Instances({ system, root, templates: "s0.upos; s1.upos" });
    instances.add(sentence, () => {});
    return instances;
  };

  test("ranks classes that no instance has below all others", () => {
    // LEFT-ARC-2 occurs nowhere, but with its labels it is a class of Attardi's parser.
    const instances = make("attardi", "last");
    const model = instances.model((visit) => {
      // Everything that was seen speaks against itself.
      for (let f = 1; f <= instances.featureCount; f++) {
        for (let k = 1; k <= instances.classes.length; k++) visit(f, k, -k);
      }
    });
    const { linear } = model;
    const weights = new Map<number, number[]>();
    linear.forEach((feature, cls, weight) => {
      const row = weights.get(feature) ?? [];
      row[cls] = weight;
      weights.set(feature, row);
    });
    const least = Math.min(...[...weights.values()].flat());
    const counts = [...weights.values()].map((row) => row.filter((weight) => weight === least).length);
    // One class of those that were seen has it, all the others are those that were not.
    const classes = model.createParser().decider.classes.size;
    for (const count of counts) expect(count).toBe(classes - instances.classes.length + 1);
  });

  test("knows the label of words that are left for 0", () => {
    expect(make("arc-eager", "none").model(() => {}).header.labels).toContain("root");
  });

  test("rejects weights of other instances", () => {
    expect(() => make("arc-standard", "last").model((visit) => visit(99, 1, 1))).toThrow(
      "invalid weight of feature 99 for class 1 (expected one of",
    );
    expect(() => make("arc-standard", "last").model((visit) => visit(1, 9, 1))).toThrow("feature 1 for class 9");
    const none = new Instances({ system: "arc-standard", root: "last", templates: "s0.upos" });
    expect(() => none.model(() => {})).toThrow("no instances to make a parser of");
  });
});
