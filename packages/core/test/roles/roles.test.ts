import { beforeAll, describe, expect, test } from "vitest";
import { load, Pipeline, type PipelineModel, readModel, type Sentence, writeModel } from "../../src/index.js";
import { checkRolesHeader } from "../../src/roles/roles-header.js";
import { RoleLabeller, RolesModel, roles, rolesOf } from "../../src/roles.js";
import { type ModelWithRoles, type RoleOptions, type RoleStep, roleSteps, train } from "../../src/training.js";
import { attachModel, shareModel } from "../../src/workers/shared-model.js";
import { toyPipeline, toyTreebank } from "../toy-pipeline.js";

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
    trained = run(base, data(), { dev: withRoles(toyTreebank(50, 3)), epochs: 2 });
  });

  test("from a treebank, in steps", () => {
    const { best, epochs, names, model } = trained;
    expect(names).toEqual([...["trees for roles", "roles, epoch 1 of 2", "roles, epoch 2 of 2"]]);
    expect(epochs).toHaveLength(2);
    expect(best.labelled).toBeGreaterThan(97);
    expect(best.senses).toBeGreaterThan(97);
    expect(rolesOf(model)!.header.origin).toMatchObject({ treebank: { sentences: 200, predicates: 200 }, dev: best });
    // The other parts are the same.
    expect(model.parser).toBe(base.parser);
    expect(rolesOf(model)!.header.roles).toEqual(["ARG0", "ARG1", "ARGM-NEG"]);
    expect(rolesOf(model)!.header.lemmas.paint).toEqual(["paint.01", "paint.02"]);
  });

  test("the same seed gives the same bytes, and they give the same model", async () => {
    const again = run(base, data(), { dev: withRoles(toyTreebank(50, 3)), epochs: 2 });
    const bytes = writeModel(trained.model);
    expect(writeModel(again.model)).toEqual(bytes);
    expect(writeModel(readModel(bytes, { programs: [roles] }))).toEqual(bytes);
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

  test("threads share them", async () => {
    const pipeline = new Pipeline(await attachModel(shareModel(trained.model, 2), 1));
    expect(pipeline.parseTokens(["Lopa", "likes", "ponds", "!"]).predicates.map(String)).toEqual(["like.01"]);
  });

  test("a new lemma has its first sense, if its part of speech may be a predicate", () => {
    const { model } = trained;
    expect(rolesOf(model)!.header.openTags).toEqual(["VERB"]);
    const labeller = new RoleLabeller(rolesOf(model)!);
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
    const { best, epochs } = run(base, data().slice(0, 20), { epochs: 1, seed: 5 });
    expect(best).toEqual({ epoch: 1 });
    expect(epochs).toEqual([best]);
  });

  test("they are learned from the trees of the model, not from those of the treebank", () => {
    const plain = run(base, data().slice(0, 40), { epochs: 1 });
    const sentences = data().slice(0, 40);
    for (const word of sentences.flatMap(({ words }) => words)) word.deprel = "other";
    expect(writeModel(run(base, sentences, { epochs: 1 }).model)).toEqual(writeModel(plain.model));
  });

  test("with a beam, which the model keeps", () => {
    const options = { dev: withRoles(toyTreebank(10, 3)), epochs: 1, beam: 4 };
    const { model } = run(base, data().slice(0, 40), options);
    const bytes = writeModel(model);
    expect(writeModel(run(base, data().slice(0, 40), options).model)).toEqual(bytes);
    const { header, linear } = rolesOf(readModel(bytes, { programs: [roles] }))!;
    expect(header.beam).toEqual({ width: 4, unit: expect.any(Number) });
    expect(rolesOf(trained.model)!.header.beam).toBeUndefined();
    const [sentence] = toyTreebank(1, 9);
    const labels = ["", ...sentence!.words.map(({ deprel }) => deprel)];
    const found = new RoleLabeller(new RolesModel(header, linear)).label(sentence!, { heads: sentence!.heads, labels });
    expect(found.map(({ word }) => word)).toEqual([sentence!.root!.index]);
    for (const beam of [0, 1.5, "4"] as number[]) {
      expect(() => roleSteps(base, data(), { beam })).toThrow(/invalid beam of roleSteps: .*expected/);
    }
  });

  test("a limit of weights", () => {
    const { linear } = rolesOf(run(base, data(), { epochs: 1, partWeights: 50 }).model)!;
    const { length } = linear.entries().weights;
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(50);
  });

  test("a network needs an encoder, or a parser with layers", () => {
    expect(() => roleSteps(base, data(), { network: true })).toThrow(/invalid network of roleSteps: true/);
  });

  test("a treebank without predicates is an error", () => {
    expect(() => roleSteps(base, toyTreebank(5, 1))).toThrow(/no predicate \(expected Pred and Args in MISC/);
  });

  test.each([
    [{ roles: ["A", "A"] }, /roles: roles \(expected a list of distinct names\)/],
    [{ roles: undefined }, /roles: roles/],
    [{ lemmas: { go: "go.01" } }, /roles: lemmas\.go/],
    [{ lemmas: null }, /roles.lemmas: null/],
    [{ openTags: [1] }, /roles: openTags/],
    [{ beam: 4 }, /roles.beam: 4/],
    [{ beam: { width: 1, unit: 10 } }, /roles.beam.width: 1/],
    [{ beam: { width: 4, unit: 0 } }, /roles.beam.unit: 0/],
  ])("a header with %j is rejected", (wrong, message) => {
    const { header, linear } = rolesOf(trained.model)!;
    const other = { ...header, ...wrong } as typeof header;
    expect(() => new RoleLabeller(new RolesModel(checkRolesHeader(other), linear))).toThrow(message);
  });
});

describe("a network on the layers of the parser", () => {
  const dev = () => withRoles(toyTreebank(50, 3));
  const learn = async (system: string) => {
    const sizes = { network: true, layers: 1, width: 8, hidden: 8, epochs: 1 };
    return train({
      sentences: withRoles(toyTreebank(150, 2)),
      dev: dev(),
      pipeline: true,
      system,
      ...sizes,
      roles: true,
    });
  };
  let file: Uint8Array;
  let model: PipelineModel;
  beforeAll(async () => {
    const trained = await learn("arc-hybrid");
    model = trained.model;
    file = writeModel(model);
    expect(trained.roles!.labelled).toBeGreaterThan(90);
  });
  const parsed = (pipeline: Pipeline) => dev().map(({ words }) => String(pipeline.parseTokens(words.map(String))));

  test("is in the file, which gives the same roles, in other threads as well", async () => {
    expect(rolesOf(model)!.probe!.header.inputs).toBe(16);
    expect(rolesOf(model)!.probe!.contextual).toBeUndefined();
    expect(writeModel(readModel(file, { programs: [roles] }))).toEqual(file);
    const expected = parsed(new Pipeline(model));
    expect(expected.join("")).toContain("Pred=");
    expect(parsed(await load(file))).toEqual(expected);
    expect(parsed(new Pipeline(await attachModel(structuredClone(shareModel(model, 1)), 0)))).toEqual(expected);
  });

  test("sees the vectors of the sentence that was parsed last", () => {
    const { header, linear, probe } = rolesOf(model)!;
    const pipeline = new Pipeline(model);
    const sentence = pipeline.parseTokens(["Mina", "sells", "boats", "."]);
    const vectors = pipeline.parser.vectors(4)!;
    expect(vectors).toHaveLength(4 * 16);
    pipeline.parseTokens(["Rek", "likes", "old", "maps", "!"]);
    expect(pipeline.parser.vectors(4)).not.toEqual(vectors);
    const tree = { heads: sentence.heads, labels: ["", ...sentence.words.map(({ deprel }) => deprel)] };
    const labeller = new RoleLabeller(rolesOf(model)!);
    expect(labeller.label(sentence, tree, vectors)).toEqual(sentence.predicates.map((found) => found.toJSON()));
    expect(() => labeller.label(sentence, tree)).toThrow("invalid vectors: no numbers (expected 64)");
    // A network that is against every sense, whatever the linear model holds.
    const { floats, integers } = probe!.numbers;
    const numbers = { floats: floats.slice().fill(1e3), integers: integers.slice().fill(-1) };
    const stern = new RoleLabeller(new RolesModel(header, linear, { ...probe!, numbers }));
    expect(stern.label(sentence, tree, vectors)).toEqual([]);
  });

  test("with numbers that are not its own is rejected", () => {
    const { header, linear, probe } = rolesOf(model)!;
    const other = (wrong: object) => () =>
      new RoleLabeller(new RolesModel(header, linear, { ...probe!, header: { ...probe!.header, ...wrong } }));
    expect(other({ inputs: 24 })).toThrow(/roles\.probe: \d+ numbers \(expected \d+\)/);
    expect(other({ hidden: 7 })).toThrow("roles.probe.hidden: 7");
  });

  test("or of a graph-based one", async () => {
    const trained = await learn("graph");
    expect(rolesOf(trained.model)!.probe!.header.inputs).toBe(16);
    const pipeline = await load(writeModel(trained.model));
    expect(parsed(pipeline)).toEqual(parsed(new Pipeline(trained.model)));
    expect(pipeline.parser.vectors(5)!.some((value) => value !== 0)).toBe(true);
  });
});

describe("a header with names that cannot be written", () => {
  const header = { roles: ["ARG0"], lemmas: { sell: ["sell.01"] }, openTags: ["VERB"], origin: {} };
  const wrong: [string, object][] = [
    ['roles: roles: "_"', { roles: ["_"] }],
    ["roles: roles (expected", { roles: [""] }],
    ["roles: roles (expected", { roles: ["A\tB"] }],
    ["roles: roles (expected", { roles: ["A", "A"] }],
    ["roles: lemmas.keep (expected", { lemmas: { keep: 0 } }],
    ["roles: lemmas.keep (expected", { lemmas: { keep: ["a\nb"] } }],
    ["roles.beam.width: 100000000", { beam: { width: 1e8, unit: 1 } }],
  ];
  test.each(wrong)("%s", (message, change) => {
    expect(checkRolesHeader(header)).toEqual(header);
    expect(() => checkRolesHeader({ ...header, ...change })).toThrow(message);
  });
});
