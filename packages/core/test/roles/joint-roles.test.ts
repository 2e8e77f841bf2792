import { beforeAll, describe, expect, test, vi } from "vitest";
import { load, Pipeline, readModel, type Sentence, writeModel } from "../../src/index.js";
import { RoleFeatures } from "../../src/roles/features/role-features.js";
import { FoundPredicates } from "../../src/roles/found-predicates.js";
import { JointTraining } from "../../src/roles/learning/joint-training.js";
import { roles } from "../../src/roles/program.js";
import type { RoleWalk } from "../../src/roles/role-walk.js";
import { JointRolesModel, rolesOf, SEMANTIC_MOVES, traceRoles } from "../../src/roles.js";
import { stackGraph } from "../../src/stack-graph.js";
import { createSystem, GoldTree } from "../../src/systems.js";
import { roleSteps, type TrainedModel, type TrainOptions, type TrainRequest, train } from "../../src/training.js";
import { isTree, readTreebank } from "../../src/treebank.js";
import { attachModel, shareModel } from "../../src/workers/shared-model.js";
import { toyTreebank } from "../toy-pipeline.js";

const templates = "s0.form; b0.form; s0.form b0.form; s0.upos b0.upos; b0.upos b1.upos; s0l.label s0.upos b0.upos";

/** Who does it and what it is done to: another role if it is described, which the tree says. */
function withRoles(sentences: Sentence[]): Sentence[] {
  for (const sentence of sentences) {
    const { index, lemma } = sentence.root!;
    const isDescribed = sentence.find("amod").length > 0;
    const object = { word: sentence.find("obj")[0]!.index, role: isDescribed ? "ARG2" : "ARG1" };
    sentence.setPredicates([{ word: index, sense: `${lemma}.01`, arguments: [{ word: 1, role: "ARG0" }, object] }]);
  }
  return sentences;
}

const dataOf = (sentence: Sentence) => sentence.predicates.map((predicate) => predicate.toJSON());

const OPTIONS: TrainOptions = {
  ...{ system: "arc-eager", root: "last", oracle: "dynamic", templates, epochs: 3, seed: 1, exploreFrom: 2 },
  ...{ exploreProbability: 1, lossBound: Number.POSITIVE_INFINITY, afterUpdate: "go-on", prune: 0 },
};

test("of a long sentence only so many words are looked at again with each new one", () => {
  const [sentence] = withRoles(toyTreebank(1, 5)) as [Sentence];
  const training = new JointTraining([sentence], { ...OPTIONS, epochs: 1 }, () => dataOf(sentence));
  training.runEpoch();
  const parser = training.model().createParser();
  const see = vi.spyOn(
    RoleFeatures.prototype as unknown as { see(tree: object, n: number, from?: number): void },
    "see",
  );
  const [form, none] = [() => "a", () => "_"];
  const words = { length: 700, form, lemma: form, upos: () => "NOUN", xpos: none, feats: none };
  expect(isTree(parser.parse(words).heads)).toBe(true);
  const seen = see.mock.calls.map(([, n, from = 1]) => n - from + 1);
  see.mockRestore();
  expect(seen.length).toBeGreaterThanOrEqual(700);
  expect(Math.max(...seen)).toBe(256);
});

test("a model that has learned a sentence derives it as the oracle does", () => {
  const [sentence] = readTreebank(`1	Mary	Mary	PROPN	_	_	2	nsubj	_	_
2	wanted	want	VERB	_	_	0	root	_	Pred=want.01|Args=1:ARG0,4:ARG1
3	to	to	PART	_	_	4	mark	_	_
4	sing	sing	VERB	_	_	2	xcomp	_	Pred=sing.01|Args=1:ARG0

`) as [Sentence];
  const training = new JointTraining(
    [sentence],
    { ...OPTIONS, oracle: "static", epochs: 15, minUpdates: 0, wordDropout: 0, featureDropout: 0 },
    () => dataOf(sentence),
    { minUpdates: 0, prune: 0 },
  );
  for (let epoch = 0; epoch < 15; epoch++) training.runEpoch();
  const model = training.model();
  const parser = model.createParser();
  const { walk } = (parser as unknown as { turns: { walk: RoleWalk } }).turns;
  const { roles } = model.roles.header;
  const steps: string[] = [];
  const { system } = parser.decider;
  const take = vi.spyOn(system, "take");
  take.mockImplementation((c, move, label) => {
    const isArc = system.dependent(c, move) > 0;
    steps.push(`${system.nameOf(move)}${isArc ? ` ${model.header.labels[label]}` : ""}`);
    system.apply(c, move, label);
  });
  const half = walk.system;
  const apply = half.apply.bind(half);
  vi.spyOn(half, "apply").mockImplementation((c, move, label) => {
    const name = SEMANTIC_MOVES[move]!;
    steps.push(
      name === "PRED" ? `PRED ${walk.lexicon.names[label!]}` : name.endsWith("ARC") ? `${name} ${roles[label!]}` : name,
    );
    apply(c, move, label);
  });
  const { heads, labels, annotations } = parser.parse(sentence);
  expect([...heads]).toEqual([...sentence.heads]);
  expect(labels).toEqual(["", "nsubj", "root", "mark", "xcomp"]);
  expect(annotations[0].predicates).toEqual(dataOf(sentence));
  const trace = traceRoles(createSystem("arc-eager"), new GoldTree(sentence.heads), dataOf(sentence))!;
  expect(steps).toEqual(
    trace.steps.map(({ transition, label, arc }) => {
      const name = label ?? (arc ? labels[arc[1]] : undefined);
      return name ? `${transition} ${name}` : transition;
    }),
  );
  // docs/semantic-roles.md has the 22 of them.
  expect(steps).toHaveLength(22);
});

describe("trees and roles together", () => {
  const request = (): TrainRequest => ({
    ...{ sentences: withRoles(toyTreebank(120, 2)), dev: withRoles(toyTreebank(40, 3)), templates },
    ...{ roles: true, joint: "roles", pipeline: true, folds: 2, epochs: 3, minUpdates: 0, prune: 0 },
  });
  let trained: TrainedModel;
  let bytes: Uint8Array;

  beforeAll(async () => {
    trained = await train(request());
    bytes = writeModel(trained.model);
  });

  test("are learned from a treebank", () => {
    const { best, model, roles } = trained;
    expect(best.las).toBeGreaterThan(97);
    expect(best.labelled).toBeGreaterThan(97);
    expect(roles).toBeUndefined();
    expect(model.parser.header).toMatchObject({ system: "arc-eager" });
    expect(model.parser.header.confidence).toBeUndefined();
    expect(rolesOf(model)!.header.origin).toMatchObject({ dev: { epoch: best.epoch, labelled: best.labelled } });
    expect(model.origin.options).toMatchObject({ roles: true });
  });

  test("the same seed gives the same bytes, and they give the same model", async () => {
    expect(writeModel((await train(request())).model)).toEqual(bytes);
    expect(writeModel(readModel(bytes, { programs: [roles] }))).toEqual(bytes);
    const parser = await load(bytes);
    const [sentence] = parser.parse("Rek doesn't paint old maps.");
    const own = [
      { word: 1, role: "ARG0" },
      { word: 6, role: "ARG2" },
    ];
    const found = [{ word: 4, sense: "paint.01", arguments: own }];
    expect(dataOf(sentence!)).toEqual(found);
    expect(sentence!.misc(4)).toBe("Pred=paint.01|Args=1:ARG0,6:ARG2");
    const shared = new Pipeline(await attachModel(shareModel(trained.model, 2), 1));
    expect(dataOf([...shared.parse("Rek doesn't paint old maps.")][0]!)).toEqual(found);
  });

  test("a run that goes on from a saved epoch ends with the same bytes", () => {
    const sentences = withRoles(toyTreebank(40, 4));
    const start = () => new JointTraining(sentences, OPTIONS, (sentence) => dataOf(sentence as Sentence));
    const finish = (training: JointTraining) => {
      while (training.epoch < 3) training.runEpoch();
      return writeModel(training.model());
    };
    const [first, second] = [start(), start()];
    first.runEpoch();
    second.restore(structuredClone(first.save()));
    expect(second.epoch).toBe(1);
    expect(finish(second)).toEqual(finish(start()));
    expect(() => start().restore({ epoch: 1, members: [] })).toThrow(/invalid state/);
  });

  test("trees stay trees with one root, whatever the words", () => {
    const pipeline = new Pipeline(trained.model);
    for (const { words } of toyTreebank(30, 11)) {
      const forms = [...words, ...words].map(({ form }) => form).reverse();
      const { heads } = pipeline.parseTokens(forms);
      expect(isTree(heads)).toBe(true);
      expect([...heads].slice(1).filter((head) => head === 0)).toHaveLength(1);
    }
  });

  test("known heads are kept, and the roles are those of the tree that has them", () => {
    const pipeline = new Pipeline(trained.model);
    const sentence = pipeline.parseTokens(["Rek", "paints", { form: "old", head: 2, deprel: "obj" }, "maps", "."]);
    expect([sentence.head(3), sentence.deprel(3)]).toEqual([2, "obj"]);
    const [gold] = withRoles(toyTreebank(1, 5)) as [Sentence];
    const labels = ["", ...gold.words.map(({ deprel }) => deprel)];
    const { annotations } = pipeline.parser.parse(gold, { constraints: { heads: gold.heads, labels } });
    expect(annotations).toEqual([new FoundPredicates(dataOf(gold))]);
  });

  test("one tree can be asked for, with its score", () => {
    const pipeline = new Pipeline(trained.model);
    const words = ["Rek", "paints", "old", "maps", "."];
    const [best] = pipeline.parseTokensBest(words, 1);
    expect(dataOf(best!)).toEqual(dataOf(pipeline.parseTokens(words)));
    expect(best!.comments.join()).toMatch(/score = \d+/);
  });

  test("what they cannot do is refused", () => {
    const { model } = trained;
    const pipeline = new Pipeline(model);
    const words = ["Rek", "paints", "maps"];
    for (const search of [{ beam: 2 }, { merge: stackGraph }]) {
      expect(() => new Pipeline(model, search)).toThrow(/cannot search with a beam: it decides roles/);
    }
    expect(() => pipeline.parseTokens(words, { scores: true })).toThrow(/cannot score its arcs: it decides roles/);
    expect(() => pipeline.parseTokensBest(words, 2)).toThrow(/invalid number of trees: 2 \(expected 1 to 1/);
    expect(() => pipeline.parser.doubting([1])).toThrow(/cannot score its arcs/);
    const { header, linear, roles } = model.parser as JointRolesModel;
    expect(() => new JointRolesModel({ ...header, system: "swap" }, linear, roles)).toThrow(
      /system: swap \(expected one that takes the words in their order/,
    );
    expect(() => roleSteps(model, withRoles(toyTreebank(9, 1)))).toThrow(/decides roles along with the tree/);
  });

  test.each<[Partial<TrainRequest>, RegExp]>([
    [{ roles: undefined }, /invalid joint of train: "roles".*expected roles for roles/],
    [{ system: "swap" }, /invalid joint of train: "roles".*system arc-eager for roles, or none/],
    [{ network: true, templates: undefined, minUpdates: undefined, prune: undefined }, /a linear model for roles/],
    [{ preset: "best", templates: undefined, minUpdates: undefined, prune: undefined }, /a linear model for roles/],
    [{ beam: 4 }, /invalid beam of train: 4/],
    [{ learner: "logistic" }, /invalid learner of train: "logistic"/],
    [{ members: 2 }, /invalid members of train: 2/],
    [{ silver: toyTreebank(2, 1) }, /invalid silver of train/],
  ])("so are options that do not go with it: %#", async (options, message) => {
    await expect(train({ ...request(), ...options })).rejects.toThrow(message);
  });

  test("their program is needed", () => {
    expect(() => readModel(bytes)).toThrow("the model needs roles: use load(), or import { roles }");
  });
});
