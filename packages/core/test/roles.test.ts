import { beforeAll, describe, expect, test } from "vitest";
import { load, Pipeline, type PipelineModel, readModel, type Sentence, writeModel } from "../src/index.js";
import { checkRolesHeader } from "../src/parser/roles/roles-model.js";
import { RoleLabeller, RolesModel } from "../src/roles.js";
import { type ModelWithRoles, type RoleOptions, type RoleStep, roleSteps } from "../src/training.js";
import { attachModel, shareModel } from "../src/workers/shared-model.js";
import { toyPipeline, toyTreebank } from "./toy-pipeline.js";

/** Who does it, what it is done to, and whether it is done at all, which for one verb decides the sense. */
function withRoles(sentences: Sentence[]): Sentence[] {
  for (const sentence of sentences) {
    const root = sentence.root!;
    const [object] = sentence.find("obj");
    const isSecond = root.lemma === "paint" && sentence.find("advmod").length > 0;
    const own = [
      { word: 1, role: "ARG0" },
      ...sentence.find("advmod").map(({ index }) => ({ word: index, role: "ARGM-NEG" })),
      { word: object!.index, role: "ARG1" },
    ];
    sentence.setPredicates([{ word: root.index, sense: `${root.lemma}.0${isSecond ? 2 : 1}`, arguments: own }]);
  }
  return sentences;
}

function run(model: PipelineModel, sentences: Sentence[], options: RoleOptions): ModelWithRoles & { names: string[] } {
  const names = new Set<string>();
  const steps = roleSteps(model, sentences, options);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return { ...step.value, names: [...names] };
    names.add((step.value as RoleStep).name);
  }
}

describe("semantic roles, learned and found", () => {
  let base: PipelineModel;
  let trained: ReturnType<typeof run>;
  const data = () => withRoles(toyTreebank(200, 2));

  beforeAll(() => {
    base = toyPipeline();
    trained = run(base, data(), { dev: withRoles(toyTreebank(50, 3)), epochs: 2, folds: 2 });
  }, 60_000);

  test("from a treebank, in steps", () => {
    const { best, epochs, names, model } = trained;
    expect(names).toEqual([
      ...["trees, fold 1 of 2", "trees, fold 2 of 2", "trees of the development data"],
      ...["roles, epoch 1 of 2", "roles, epoch 2 of 2"],
    ]);
    expect(epochs).toHaveLength(2);
    expect(best.labelled).toBeGreaterThan(97);
    expect(best.senses).toBeGreaterThan(97);
    expect(model.roles!.header.origin).toMatchObject({ treebank: { sentences: 200, predicates: 200 }, dev: best });
    // The other parts are the same.
    expect(model.parser).toBe(base.parser);
    expect(model.roles!.header.roles).toEqual(["ARG0", "ARG1", "ARGM-NEG"]);
    expect(model.roles!.header.lemmas.paint).toEqual(["paint.01", "paint.02"]);
  });

  test("the same seed gives the same bytes, and they give the same model", async () => {
    const again = run(base, data(), { dev: withRoles(toyTreebank(50, 3)), epochs: 2, folds: 2 });
    const bytes = writeModel(trained.model);
    expect(writeModel(again.model)).toEqual(bytes);
    expect(writeModel(readModel(bytes))).toEqual(bytes);
    const parser = await load(bytes);
    const [sentence] = parser.parse("Rek doesn't paint old maps.");
    expect(sentence!.predicates.map((predicate) => predicate.toJSON())).toEqual([
      {
        word: 4,
        sense: "paint.02",
        arguments: [
          { word: 1, role: "ARG0" },
          { word: 3, role: "ARGM-NEG" },
          { word: 6, role: "ARG1" },
        ],
      },
    ]);
    expect(sentence!.predicates[0]!.argument("ARG1")!.span.text).toBe("old maps");
    expect(sentence!.misc(4)).toBe("Pred=paint.02|Args=1:ARG0,3:ARGM-NEG,6:ARG1");
    expect(sentence!.toJSON().predicates).toHaveLength(1);
    const tokens = parser.parseTokens(["Mina", "sells", "boats", "."]);
    expect(String(tokens.predicates[0])).toBe("sell.01");
  });

  test("threads share them", () => {
    const pipeline = new Pipeline(attachModel(shareModel(trained.model, 2), 1));
    expect(pipeline.parseTokens(["Lopa", "likes", "ponds", "!"]).predicates.map(String)).toEqual(["like.01"]);
  });

  test("a new lemma has its first sense, if its part of speech may be a predicate", () => {
    const { model } = trained;
    expect(model.roles!.header.openTags).toEqual(["VERB"]);
    const labeller = new RoleLabeller(model.roles!);
    const [sentence] = toyTreebank(1, 9);
    const verb = sentence!.root!;
    verb.lemma = "knit down";
    const labels = ["", ...sentence!.words.map(({ deprel }) => deprel)];
    const found = () => labeller.label(sentence!, { heads: sentence!.heads, labels }).map(({ sense }) => sense);
    expect(found()).toEqual(["knit_down.01"]);
    verb.upos = "X";
    expect(found()).toEqual([]);
  });

  test("without development data the last epoch is kept", () => {
    const { best, epochs } = run(base, data().slice(0, 20), { epochs: 1, folds: 2, seed: 5 });
    expect(best).toEqual({ epoch: 1 });
    expect(epochs).toEqual([best]);
  });

  test("there are as many mistakes in the trees that are learned from as in those of the model", () => {
    const predicted = (dev: Sentence[] | undefined) => {
      const { model } = run(base, data().slice(0, 8), { dev, epochs: 1, folds: 2 });
      return model.roles!.header.origin.predicted as number;
    };
    const dev = withRoles(toyTreebank(30, 3));
    // Parsers of four sentences are worse than the model's, whose trees are right.
    expect(predicted(dev)).toBeLessThan(0.5);
    for (const word of dev.flatMap(({ words }) => words)) word.deprel = "other";
    expect(predicted(dev)).toBe(1);
    expect(predicted(undefined)).toBe(1);
  });

  test("with a beam, which the model keeps", () => {
    const options = { dev: withRoles(toyTreebank(10, 3)), epochs: 1, folds: 2, beam: 4 };
    const { model } = run(base, data().slice(0, 40), options);
    const bytes = writeModel(model);
    expect(writeModel(run(base, data().slice(0, 40), options).model)).toEqual(bytes);
    const { header, linear } = readModel(bytes).roles!;
    expect(header.beam).toEqual({ width: 4, unit: expect.any(Number) });
    expect(trained.model.roles!.header.beam).toBeUndefined();
    const [sentence] = toyTreebank(1, 9);
    const labels = ["", ...sentence!.words.map(({ deprel }) => deprel)];
    const found = new RoleLabeller(new RolesModel(header, linear)).label(sentence!, { heads: sentence!.heads, labels });
    expect(found.map(({ word }) => word)).toEqual([sentence!.root!.index]);
    for (const beam of [0, 1.5, "4"] as number[]) {
      expect(() => roleSteps(base, data(), { beam })).toThrow(/invalid beam of roleSteps: .*expected/);
    }
  });

  test("a network needs an encoder", () => {
    expect(() => roleSteps(base, data(), { network: true })).toThrow(/invalid network of roleSteps: true/);
  });

  test("a treebank without predicates, or with fewer sentences than folds, is an error", () => {
    expect(() => roleSteps(base, toyTreebank(5, 1))).toThrow(/no predicate \(expected Pred and Args in MISC/);
    expect(() => roleSteps(base, data().slice(0, 2))).toThrow(/2 sentences \(expected at least 3, one a fold\)/);
  });

  test.each([
    [{ roles: ["A", "A"] }, /roles: roles \(expected a list of distinct names\)/],
    [{ roles: undefined }, /roles: roles/],
    [{ lemmas: { go: "go.01" } }, /roles: lemmas\.go/],
    [{ lemmas: null }, /lemmas of the roles/],
    [{ openTags: [1] }, /roles: openTags/],
    [{ beam: 4 }, /beam of the roles/],
    [{ beam: { width: 1, unit: 10 } }, /width of the roles' beam/],
    [{ beam: { width: 4, unit: 0 } }, /unit of the roles' beam/],
  ])("a header with %j is rejected", (wrong, message) => {
    const { header, linear } = trained.model.roles!;
    const other = { ...header, ...wrong } as typeof header;
    expect(() => new RoleLabeller(new RolesModel(checkRolesHeader(other), linear))).toThrow(message);
  });
});
