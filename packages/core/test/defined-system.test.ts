// A transition system from outside the package, through what the package exports and nothing else: it is defined, and
// then does all that the systems that ship do. It has transitions of its own, a second stack and marks on words.

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
  FIRST_FREE_KIND,
  FixedMovesSystem,
  GoldTree,
  LEFT_ARC,
  type Move,
  NONE,
  oraclesOf,
  RIGHT_ARC,
  SearchedKnownHeads,
  SHIFT,
  type SystemDescription,
  systemNames,
  traceDerivation,
} from "@stemma/core/systems";
import { attachment, NeuralTraining, Training } from "@stemma/core/training";
import { formatSentence } from "@stemma/core/treebank";
import { expect, test } from "vitest";
import { makeUp } from "./made-up-language.js";

const PARK = FIRST_FREE_KIND;
const FETCH = FIRST_FREE_KIND + 1;

const parking: SystemDescription = {
  name: "arc-parking",
  title: "Arc-parking",
  reference: "this test",
  settings: [],
  create: (options) => new ArcParking(options),
  attachesToSpines: false,
  reordersWords: true,
  leavesHeadless: false,
  extraArrays: 2,
  lists: (c) => ({ parked: parked(c) }),
  risks(system, c, move, arcs) {
    const dependent = system.dependent(c, move);
    if (dependent > 0) arcs.loseDependents(dependent);
  },
  knownHeads: (system) => new SearchedKnownHeads(system),
};

/** The second stack, from the bottom; place 0 of the array holds the place of its top, -1 if it is empty. */
function parked(c: Configuration): number[] {
  return Array.from(c.extra[0]!.subarray(1, c.extra[0]![0]! + 2));
}

/**
 * Arc-standard with a second stack (σ, β, π, A), which builds all trees:
 *   PARK   (σ|t|s, β, π, A) ⇒ (σ|s, β, π|t, A)    t ≠ 0 and t was not parked before
 *   FETCH  (σ, β, π|t, A)   ⇒ (σ|t, β, π, A)
 */
class ArcParking extends FixedMovesSystem {
  readonly description = parking;
  readonly moves: readonly Move[] = [LEFT_ARC, RIGHT_ARC, SHIFT, PARK, FETCH];

  override nameOf(move: Move): string {
    return move === PARK ? "PARK" : move === FETCH ? "FETCH" : super.nameOf(move);
  }

  isTerminal(c: Configuration): boolean {
    return c.bufferSize === 0 && c.stackSize <= 1 && parked(c).length === 0;
  }

  permits(c: Configuration, move: Move): boolean {
    const isLast = c.bufferSize === 0 && parked(c).length === 0;
    switch (move) {
      case SHIFT:
        return c.bufferSize > 0 && !(this.singleRoot && c.b(0) === 0 && (c.stackSize > 1 || parked(c).length > 0));
      case LEFT_ARC:
        return c.stackSize > 1 && c.s(1) !== 0;
      case RIGHT_ARC:
        return c.stackSize > 1 && c.s(0) !== 0 && !(this.singleRoot && c.s(1) === 0 && !(isLast && c.stackSize === 2));
      case PARK:
        return c.stackSize > 1 && c.s(1) > 0 && c.extra[1]![c.s(1)] === NONE;
      default:
        return parked(c).length > 0;
    }
  }

  apply(c: Configuration, move: Move, label = NONE): void {
    const [side, marks] = c.extra as [Int32Array, Int32Array];
    switch (move) {
      case SHIFT:
        c.shift();
        break;
      case PARK:
        side[++side[0]! + 1] = c.s(1);
        marks[c.s(1)] = 1;
        c.remove(1);
        break;
      case FETCH:
        c.push(side[side[0]!-- + 1]!);
        break;
      default:
        c.addArc(this.head(c, move), this.dependent(c, move), label);
        c.remove(move === LEFT_ARC ? 1 : 0);
    }
  }

  head(c: Configuration, move: Move): number {
    return move === LEFT_ARC ? c.s(0) : move === RIGHT_ARC ? c.s(1) : NONE;
  }

  dependent(c: Configuration, move: Move): number {
    return move === LEFT_ARC ? c.s(1) : move === RIGHT_ARC ? c.s(0) : NONE;
  }
}

defineSystem(parking);

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
