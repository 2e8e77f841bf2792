// Semantic roles on the command line: from CoNLL-2009 to a model, and from text to predicates.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shell, stemma } from "../stemma.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-roles-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eva"];
const VERBS = ["sells", "likes", "finds"];
const NOUNS = ["boats", "maps", "lamps"];

/** "Ana sells boats ." in CoNLL-2009. */
function conll09(): string {
  let text = "";
  for (const [i, name] of NAMES.entries()) {
    for (const [j, verb] of VERBS.entries()) {
      const noun = NOUNS[(i + j) % 3]!;
      const line = (id: number, form: string, lemma: string, pos: string, head: number, label: string, roles: string) =>
        `${[id, form, lemma, lemma, pos, pos, "_", "_", head, head, label, label, ...roles.split(" ")].join("\t")}\n`;
      text += line(1, name, name, "PROPN", 2, "nsubj", "_ _ ARG0");
      text += line(2, verb, verb.slice(0, -1), "VERB", 0, "root", `Y ${verb.slice(0, -1)}.01 _`);
      text += line(3, noun, noun.slice(0, -1), "NOUN", 2, "obj", "_ _ ARG1");
      text += `${line(4, ".", ".", "PUNCT", 2, "punct", "_ _ _")}\n`;
    }
  }
  return text;
}

beforeAll(() => {
  writeFileSync(at("train.conll09"), conll09());
  expect(stemma(["convert", "--from", "conll09", at("train.conll09"), "-o", at("train.conllu")]).status).toBe(0);
  const { status, err } = stemma([
    ...["train", at("train.conllu"), "--dev", at("train.conllu"), "--model", at("roles.stemma")],
    ...["--pipeline", "--folds", "2", "--epochs", "2", "--roles"],
  ]);
  expect(err).toMatch(/roles, epoch 6 of 6: labelled F1 \d+\.\d\d, unlabelled \d+\.\d\d, senses \d+\.\d\d/);
  expect(status).toBe(0);
});

test("CoNLL-U has predicates in MISC, and gives CoNLL-2009 back but for what was predicted", () => {
  const conllu = readFileSync(at("train.conllu"), "utf8");
  expect(conllu.split("\n")[1]).toBe("2\tsells\tsell\tVERB\tVERB\t_\t0\troot\t_\tPred=sell.01|Args=1:ARG0,3:ARG1");
  const { out } = stemma(["convert", "--to", "conll09", at("train.conllu")]);
  const gold = (text: string) =>
    text.replace(/^.+$/gm, (line) =>
      line
        .split("\t")
        .filter((_, i) => ![3, 5, 7, 9, 11].includes(i))
        .join("\t"),
    );
  expect(gold(out)).toBe(gold(conll09()));
});

test("a treebank in CoNLL-2009 is refused at once, with what to do", () => {
  const { status, err } = stemma(["train", at("train.conll09"), "--model", at("other.stemma"), "--roles"]);
  const path = at("train.conll09");
  const message = "a treebank in CoNLL-2009 (expected CoNLL-U: stemma convert --from conll09";
  expect(err.trim()).toBe(`${path}: ${message} ${path} -o NAME.conllu)`);
  expect(status).toBe(2);
});

test("text is parsed with its roles, in every format that has a place for them", () => {
  const parse = (to: string) =>
    shell(`echo 'Ana sells boats .' | $stemma parse -m "${at("roles.stemma")}" --from tokens --to ${to}`).out;
  expect(parse("conllu")).toContain("Pred=sell.01|Args=1:ARG0,3:ARG1");
  const predicates = [
    {
      word: 2,
      sense: "sell.01",
      arguments: [
        { word: 1, role: "ARG0" },
        { word: 3, role: "ARG1" },
      ],
    },
  ];
  expect(JSON.parse(parse("json")).predicates).toEqual(predicates);
  expect(parse("tree")).toMatch(/sells +VERB +root +sell\.01/);
  expect(parse("svg")).toContain(">sell.01</text>");
});

test("a treebank gets the model's predicates; --keep leaves those that it has", () => {
  const blind = readFileSync(at("train.conllu"), "utf8").replace(/Pred=\S+/g, "_");
  writeFileSync(at("blind.conllu"), blind);
  const parsed = stemma(["parse", "-m", at("roles.stemma"), "--from", "conllu", at("blind.conllu")]);
  writeFileSync(at("parsed.conllu"), parsed.out);
  const { out } = stemma(["evaluate", "--roles", "--json", at("train.conllu"), at("parsed.conllu")]);
  const [{ roles }] = JSON.parse(out).systems;
  expect(roles.labelled.f1).toBeGreaterThan(0.9);
  expect(roles.labelled.gold).toBe(45);
  writeFileSync(at("odd.conllu"), readFileSync(at("train.conllu"), "utf8").replace(/Pred=\S+/g, "Pred=odd.01"));
  const kept = stemma(["parse", "-m", at("roles.stemma"), "--from", "conllu", "--keep", at("odd.conllu")]);
  expect(kept.out.match(/Pred=odd\.01/g)).toHaveLength(15);
  const again = stemma(["parse", "-m", at("roles.stemma"), "--from", "conllu", at("odd.conllu")]);
  expect(again.out).not.toContain("odd.01");
  // CoNLL-2009 keeps its other columns, CoNLL-X has no place.
  const conll = stemma([
    "parse",
    "-m",
    at("roles.stemma"),
    "--from",
    "conll09",
    "--to",
    "conll09",
    at("train.conll09"),
  ]);
  expect(conll.out.split("\n")[0]!.split("\t").slice(0, 4)).toEqual(["1", "Ana", "Ana", "Ana"]);
  expect(conll.out.split("\n")[0]).toMatch(/\t_\t_\tARG0$/);
  writeFileSync(at("train.conllx"), stemma(["convert", "--to", "conllx", at("train.conllu")]).out);
  const conllx = ["parse", "-m", at("roles.stemma"), "--from", "conllx", at("train.conllx"), "--to"];
  expect(stemma([...conllx, "conllx"]).status).toBe(0);
  expect(stemma([...conllx, "conllu"]).out).toContain("Pred=sell.01");
});

test("tables of evaluate, stats, info and trace", () => {
  const { out } = stemma(["evaluate", "--roles", at("train.conllu"), at("train.conllu")]);
  expect(out).toMatch(
    /Semantic roles +gold +system +precision +recall +F1\n +labelled +45 +45 +100\.00 +100\.00 +100\.00/,
  );
  expect(out).toMatch(/By role \(labelled\)[\s\S]*ARG0 +15 +15/);
  expect(out).toMatch(/By distance from the predicate \(labelled\)[\s\S]* 1 +30 +30/);
  expect(stemma(["evaluate", at("train.conllu"), at("train.conllu")]).out).not.toContain("Semantic");
  const several = stemma(["evaluate", "--roles", at("train.conllu"), at("train.conllu"), at("blind.conllu")]).out;
  expect(several).toMatch(/Semantic roles \(F1\) +train +blind\n +labelled +100\.00 +0\.00/);
  const stats = stemma(["stats", at("train.conllu")]).out;
  expect(stats).toMatch(
    /Semantic roles\n +predicates +15\n[\s\S]*graphs that the semantic stack can build +15 +100\.00 %/,
  );
  const json = JSON.parse(stemma(["stats", "--json", at("train.conllu")]).out);
  expect(json.roles).toMatchObject({ predicates: 15, arguments: 30, senses: 3, roles: { ARG0: 15, ARG1: 15 } });
  expect(JSON.parse(stemma(["stats", "--json", at("blind.conllu")]).out).roles).toBeUndefined();
  expect(stemma(["info", at("roles.stemma")]).out).toMatch(
    /finds predicates and semantic roles[\s\S]*roles +labelled F1/,
  );
  const trace = stemma(["trace", "--system", "arc-hybrid", "--roles", "--sentence", "1", at("train.conllu")]);
  expect(trace.out).toMatch(/PRED sell\.01[\s\S]*SEM-LEFT-ARC ARG0[\s\S]*sells → Ana[\s\S]*SEM-RIGHT-ARC ARG1/);
  expect(stemma(["draw", "--no-roles", at("train.conllu")]).out).not.toContain("ARG0");
});

test("roles are added to a model that is there; the rest of it stays as it is", () => {
  const train = ["train", at("train.conllu"), "--roles", "--add-to", at("roles.stemma")];
  const { status, out } = stemma([...train, "--dev", at("train.conllu"), "--model", at("again.stemma"), "--json"]);
  expect(status).toBe(0);
  const { roles, roleEpochs } = JSON.parse(out);
  expect(roles.labelled).toBeGreaterThan(90);
  expect(roleEpochs).toHaveLength(6);
  // The same data and seed give the same roles.
  expect(readFileSync(at("again.stemma")).equals(readFileSync(at("roles.stemma")))).toBe(true);
});

test.each([
  [["--add-to", "m.stemma"], /--add-to needs --roles/],
  [["--part-weights", "9"], /--part-weights needs --pipeline or --roles/],
  [["--roles", "--add-to", "m.stemma", "--beam", "4"], /--beam needs a parser to train, without --add-to/],
  [["--roles", "--partial"], /--roles needs every head, without --partial/],
])("train %j is rejected", (options, message) => {
  const { status, err } = stemma(["train", at("train.conllu"), "--model", at("x.stemma"), ...options]);
  expect(err).toMatch(message);
  expect(status).toBe(2);
});

test("a treebank without predicates, and a system that reorders words, are rejected", () => {
  const args = ["--roles", "--add-to", at("roles.stemma"), "--model", at("x.stemma")];
  const { status, err } = stemma(["train", at("blind.conllu"), ...args]);
  expect([status, err]).toEqual([2, expect.stringMatching(/no predicate \(expected Pred and Args in MISC/)]);
  const whole = stemma(["train", at("blind.conllu"), "--roles", "--model", at("x.stemma")]);
  expect([whole.status, whole.err]).toEqual([2, expect.stringMatching(/^(?!.*epoch)[\s\S]*no predicate/)]);
  const trace = stemma(["trace", "--system", "swap", "--roles", at("train.conllu")]);
  expect([trace.status, trace.err]).toEqual([2, expect.stringMatching(/invalid system: swap/)]);
  const dynamic = stemma(["trace", "--system", "arc-eager", "--oracle", "dynamic", "--roles", at("train.conllu")]);
  expect([dynamic.status, dynamic.err]).toEqual([2, expect.stringMatching(/expected static with --roles/)]);
});

test("tree and roles together: trained, told of, parsed with; what does not go with it is refused", () => {
  const train = (...options: string[]) =>
    stemma(["train", at("train.conllu"), "--roles", "--joint", "roles", "--model", at("joint.stemma"), ...options]);
  const { err, status } = train("--dev", at("train.conllu"), "--epochs", "2", "--prune", "0", "--min-updates", "0");
  expect(err).toMatch(/arc-eager, dynamic oracle[\s\S]*epoch 2: .*LAS \d+\.\d\d, roles: labelled F1 \d+\.\d\d/);
  expect(status).toBe(0);
  expect(stemma(["info", at("joint.stemma")]).out).toMatch(
    /semantic roles together with parsing[\s\S]*roles +labelled F1 \d+/,
  );
  const parse = (...options: string[]) => stemma(["parse", "-m", at("joint.stemma"), at("train.conllu"), ...options]);
  expect(parse().out).toContain("Pred=sell.01|Args=1:ARG0,3:ARG1");
  expect(parse("--k-best", "1", "--keep").out).toContain("# tree = 1 of 1");
  for (const options of [
    ["--beam", "2"],
    ["--k-best", "2"],
    ["--merge", "stack-graph", "--beam", "2"],
  ]) {
    expect(parse(...options).err).toMatch(
      /invalid --\S+ \S+: this model cannot .*: it decides roles along with the tree, greedily/,
    );
  }
  expect(parse("--scores").err).toContain(
    "invalid --scores: this model cannot score its arcs: it decides roles along with the tree",
  );
  expect(train("--beam", "2").err).toContain("--beam needs no --joint roles");
  expect(train("--system", "swap").err).toContain("--joint needs --system arc-eager for roles, or none");
  const alone = stemma(["train", at("train.conllu"), "--joint", "roles", "--model", at("other.stemma")]);
  expect(alone.err).toContain("--joint needs --roles for roles");
  const added = ["train", at("train.conllu"), "--roles", "--add-to", at("joint.stemma"), "--model", at("other.stemma")];
  expect(stemma(added).err).toContain("its parser decides roles along with the tree (expected one without roles)");
});
