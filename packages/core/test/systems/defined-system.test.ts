// A transition system from outside the package, through what the package exports and nothing else: it is defined, and
// then does all that the systems that ship do.

import { readModel, readTreebank, TreeConstraints, toSVG, writeModel } from "@stemma/core";
import { evaluate } from "@stemma/core/evaluation";
import {
  Configuration,
  canBuild,
  countDerivations,
  createSystem,
  defaultTemplates,
  defaultView,
  defineSystem,
  describeSystem,
  dynamicOracle,
  GoldTree,
  NONE,
  oraclesOf,
  ownSettings,
  SHIFT,
  type SystemDescription,
  type SystemSetting,
  systemNames,
  systemSettings,
  traceDerivation,
} from "@stemma/core/systems";
import { attachment, NeuralTraining, Training, train } from "@stemma/core/training";
import { formatSentence } from "@stemma/core/treebank";
import { expect, test } from "vitest";
import { makeUp } from "../made-up-language.js";
import { ArcParking, FETCH, PARK, parked, parking } from "./arc-parking.js";

const CROSSING = [NONE, 3, 0, 2, 1];
const OPTIONS = {
  system: "arc-parking",
  root: "last" as const,
  oracle: "static" as const,
  exploreFrom: 2,
  exploreProbability: 0,
  lossBound: Number.POSITIVE_INFINITY,
  afterUpdate: "go-on" as const,
  templates: defaultTemplates("arc-parking"),
  epochs: 3,
  seed: 1,
};

test("it is known by its name, once", () => {
  expect(systemNames()).toContain("arc-parking");
  expect(describeSystem("arc-parking").title).toBe("Arc-parking");
  expect(() => defineSystem(parking)).toThrow("invalid name of a system: arc-parking (the name is taken)");
  expect(() => defineSystem({ ...parking, name: "Two words" })).toThrow("invalid name of a system: Two words");
  const { risks: _, ...silent } = parking;
  expect(() => defineSystem({ ...silent, name: "silent" } as SystemDescription)).toThrow(
    "invalid description of silent: risks: undefined (expected a function)",
  );
  expect(systemNames()).not.toContain("silent");
});

test("it has a setting of its own, and no others", () => {
  const gold = new GoldTree(CROSSING);
  expect(canBuild(createSystem("arc-parking", { room: 0 }), gold, new Configuration())).toBe(false);
  expect(canBuild(createSystem("arc-parking", { room: 3 }), gold, new Configuration())).toBe(true);
  expect(() => createSystem("arc-parking", { room: 10 })).toThrow(
    "invalid room of arc-parking: 10 (expected a whole number from 0 to 9)",
  );
  expect(() => createSystem("arc-parking", { degree: 3 })).toThrow(
    "unknown option of arc-parking: degree (expected one of root, singleRoot, room)",
  );
  expect(() => createSystem("arc-standard", { room: 3 })).toThrow("unknown option of arc-standard: room");
  expect(ownSettings("arc-parking", { room: 3, degree: 3, lazy: true })).toEqual({ room: 3 });
  expect(ownSettings("arc-parking", { room: 9 })).toEqual({});
  expect(systemSettings().find(({ name }) => name === "room")).toMatchObject({
    systems: ["arc-parking"],
    help: "arc-parking: the most words that are parked at once (default: 9)",
    expected: "a whole number from 0 to 9",
  });
});

test("a setting with a name that others have is of the same type, and complete", () => {
  const [room] = parking.settings;
  const define = (setting: object) => () =>
    defineSystem({ ...parking, name: "odd", settings: [{ ...room!, ...setting } as SystemSetting] });
  expect(define({ name: "lazy" })).toThrow(
    "invalid setting of odd: lazy (expected it to be true or false, as of arc-eager)",
  );
  expect(define({ name: "root" })).toThrow('invalid setting of odd: "root" (expected a name such as atOnce');
  expect(define({ name: "two words" })).toThrow('invalid setting of odd: "two words"');
  expect(define({ help: undefined })).toThrow('invalid setting of odd: "room" (expected');
  expect(systemNames()).not.toContain("odd");
});

test("a model is trained with its setting, and keeps it", async () => {
  const sentences = makeUp(30, 1, 0.3);
  const training = new Training(sentences, { ...OPTIONS, systemSettings: { room: 1 } });
  training.runEpoch();
  const { parser } = readModel(writeModel(training.model()));
  expect(parser.header).toMatchObject({ system: "arc-parking", systemSettings: { room: 1 } });
  expect(parser.description).toMatchObject({ system: "arc-parking", room: 1 });
  // Without room, trees with crossing arcs are out of reach.
  const without = new Training(sentences, { ...OPTIONS, systemSettings: { room: 0 } });
  expect(without.data.skipped).toBeGreaterThan(training.data.skipped);

  const request = { sentences, system: "arc-parking", epochs: 1 };
  const { model } = await train({ ...request, systemSettings: { room: 2 } });
  expect(model.parser.header).toMatchObject({ systemSettings: { room: 2 } });
  expect((await train(request)).model.parser.header).not.toHaveProperty("systemSettings");
  await expect(train({ ...request, systemSettings: { degree: 3 } })).rejects.toThrow(
    "unknown option of arc-parking: degree (expected one of root, singleRoot, room)",
  );
});

test("a static oracle is found by search, and traced", () => {
  const system = createSystem("arc-parking");
  const gold = new GoldTree(CROSSING);
  expect(canBuild(system, gold, new Configuration())).toBe(true);
  expect(canBuild(createSystem("arc-standard"), gold, new Configuration())).toBe(false);
  expect(oraclesOf(system)).toEqual(["static"]);
  expect(dynamicOracle(system)).toBeUndefined();
  const { steps, wrong } = traceDerivation(system, gold)!;
  expect(wrong).toEqual([]);
  expect(steps.map(({ transition }) => transition)).toContain("PARK");
  expect(steps.find(({ transition }) => transition === "PARK")!.lists!.parked).toHaveLength(1);
  expect(countDerivations(system, gold).count).toBeGreaterThan(0);
  expect(system.moveOf("PARK")).toBe(PARK);
  expect(system.moveOf("REDUCE")).toBe(-1);
});

test("copies have the second stack as well", () => {
  const system = createSystem("arc-parking");
  const c = new Configuration();
  const copy = new Configuration();
  system.initialize(c, 3);
  for (const move of [SHIFT, SHIFT, PARK]) system.apply(c, move);
  copy.copyFrom(c);
  expect(parked(copy)).toEqual([1]);
  system.apply(c, FETCH);
  expect([parked(c), parked(copy)]).toEqual([[], [1]]);
  createSystem("arc-hybrid").initialize(copy, 3);
  expect(copy.extra).toEqual([]);
});

test("a linear model is trained, written, read, parses greedily and with a beam, and is evaluated", () => {
  const training = new Training(makeUp(150, 1, 0.3), OPTIONS);
  expect(training.data.skipped).toBe(0);
  while (training.epoch < OPTIONS.epochs) training.runEpoch();
  const { parser: model } = readModel(writeModel(training.model()));
  const dev = makeUp(40, 2, 0.3);
  expect(attachment(model, dev).las).toBeGreaterThan(0.85);
  for (const options of [{ beam: 1 }, { beam: 4 }, { beam: 4, merge: false }]) {
    const parser = model.createParser(options);
    for (const sentence of dev) {
      const { heads } = parser.parse(sentence);
      expect(heads.filter((head) => head === 0)).toHaveLength(1);
    }
  }
  const scores = new Float64Array(dev[0]!.length + 1);
  model.createParser().parse(dev[0]!, { scores });
  for (let d = 1; d <= dev[0]!.length; d++) expect(scores[d]).toBeGreaterThan(0);
  const parsed = dev.map((sentence) => {
    const [copy] = readTreebank(formatSentence(sentence, "conllu"));
    const { heads, labels } = model.createParser().parse(sentence);
    for (let d = 1; d <= sentence.length; d++) copy!.setHead(d, heads[d]!);
    for (let d = 1; d <= sentence.length; d++) copy!.setDeprel(d, labels[d]!);
    return copy!;
  });
  expect(evaluate(dev, parsed).scores.las.f1).toBeGreaterThan(0.85);
  expect(toSVG({ forms: ["", "a", "b"], heads: [NONE, 2, 0], labels: ["", "x", "root"] })).toContain("<svg");
});

test("known heads are kept", () => {
  const training = new Training(makeUp(60, 1), OPTIONS);
  training.runEpoch();
  const parser = training.model().createParser();
  const [sentence] = makeUp(1, 7);
  const heads = new Int32Array(sentence!.length + 1).fill(NONE);
  heads[1] = sentence!.length;
  heads[2] = 0;
  const tree = parser.parse(sentence!, { constraints: { heads } });
  expect([tree.heads[1], tree.heads[2]]).toEqual([sentence!.length, 0]);
  const { knownHeads: _, ...without } = parking;
  defineSystem({
    ...without,
    name: "arc-parking-free",
    create: (options) =>
      new (class extends ArcParking {
        override readonly description = describeSystem("arc-parking-free");
      })(options),
  });
  expect(() => new TreeConstraints(createSystem("arc-parking-free"), ["root"], false)).toThrow(
    "invalid system for known heads: arc-parking-free",
  );
});

test("a network is trained", () => {
  const { templates: _, lossBound: __, afterUpdate: ___, ...options } = OPTIONS;
  const training = new NeuralTraining(makeUp(120, 1, 0.3), {
    ...options,
    templates: defaultView("arc-parking"),
    inputs: { word: 16, upos: 8 },
    layers: 1,
    width: 16,
    hidden: 32,
    dropout: { words: 0.2, inputs: 0, layers: 0, hidden: 0 },
    rate: 0.01,
  });
  while (training.epoch < OPTIONS.epochs) training.runEpoch();
  const dev = makeUp(30, 2, 0.3);
  expect(attachment(training.model(), dev).uas).toBeGreaterThan(0.5);
  const best = [...training.model().createParser({ beam: 3 }).parseBest(dev[0]!, 3)];
  expect(best.length).toBeGreaterThan(0);
});
