// From a treebank with disfluencies to a model that removes them, and what the commands do with it.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { postJson, startServer } from "../../../server/test/helpers.js";
import { stemma } from "../stemma.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-disfluencies-"));
const file = (name: string) => join(folder, name);

/** A sentence of words "form upos head deprel". */
function sentence(...words: string[]): string {
  const forms = words.map((word) => word.split(" ")[0]);
  const lines = words.map((word, i) => {
    const [form, upos, head, deprel] = word.split(" ");
    return [i + 1, form, form!.toLowerCase(), upos, "_", "_", head, deprel, "_", "_"].join("\t");
  });
  return `# text = ${forms.join(" ")}\n${lines.join("\n")}\n\n`;
}

/** They want, uh, a flight to X, I mean, to Y: with and without each of the disfluencies. */
function treebank(): string {
  const cities = ["Boston", "Denver", "Oslo", "Rome"];
  return cities
    .flatMap((taken) => cities.map((meant) => [taken, meant] as const))
    .flatMap(([taken, meant]) => [
      sentence("we PRON 2 nsubj", "want VERB 0 root", "it PRON 2 obj"),
      sentence("uh INTJ 3 discourse:filler", "we PRON 3 nsubj", "want VERB 0 root", `${meant} PROPN 3 obj`),
      sentence(
        ...[
          "we PRON 2 nsubj",
          "want VERB 0 root",
          "flights NOUN 2 obj",
          "to ADP 5 case",
          `${taken} PROPN 9 reparandum`,
        ],
        ...["uh INTJ 9 discourse:filler", "mean VERB 9 parataxis:discourse", "to ADP 9 case", `${meant} PROPN 3 nmod`],
      ),
      sentence("we PRON 2 nsubj", "want VERB 0 root", "flights NOUN 2 obj", "to ADP 5 case", `${meant} PROPN 3 nmod`),
    ])
    .join("");
}

beforeAll(() => {
  writeFileSync(file("train.conllu"), treebank());
  const args = ["train", file("train.conllu"), "--joint", "disfluencies", "--epochs", "8", "--model", file("m.stemma")];
  expect(stemma(args)).toMatchObject({ status: 0 });
});

test("removed words are marked in MISC and attached, so that the output is a tree", () => {
  const { status, out } = stemma(["parse", "--model", file("m.stemma"), file("train.conllu")]);
  expect(status).toBe(0);
  const rows = out.split("\n\n")[2]!.split("\n").slice(1);
  const columns = rows.map((row) => row.split("\t")).map((row) => [row[1], row[6], row[7], row[9]].join(" "));
  expect(columns.slice(4, 7)).toEqual([
    "Boston 9 reparandum Removed=RP",
    "uh 9 discourse:filler Removed=IJ",
    "mean 9 parataxis:discourse Removed=DM",
  ]);
  writeFileSync(file("parsed.conllu"), out);
  const evaluated = stemma(["evaluate", file("train.conllu"), file("parsed.conllu"), "--disfluencies", "--json"]);
  const { disfluencies } = JSON.parse(evaluated.out).systems[0];
  expect(disfluencies.reparanda).toMatchObject({ gold: 32, f1: 1 });
  expect(disfluencies.interjections).toMatchObject({ gold: 32, f1: 1 });
  expect(disfluencies.markers).toMatchObject({ gold: 16, f1: 1 });
  expect(disfluencies.las.f1).toBe(1);
});

test("--fluent leaves them out, and numbers what is left anew", () => {
  const { out } = stemma(["parse", "--model", file("m.stemma"), "--fluent", file("train.conllu")]);
  const [, second, third] = out.split("\n\n");
  expect(second).toContain("# text = we want Boston\n1\twe\t");
  expect(third).toContain("# text = we want flights to Boston\n");
  expect(third!.split("\n").slice(1)).toHaveLength(5);
  expect(out).not.toContain("Removed");
  writeFileSync(file("empty.conllu"), "");
  const empty = stemma(["parse", "--model", file("m.stemma"), "--fluent", file("empty.conllu")]);
  expect(empty).toMatchObject({ status: 0, out: "" });
});

test("a model says that it removes words", () => {
  expect(JSON.parse(stemma(["info", file("m.stemma"), "--json"]).out).does).toEqual([
    "parses",
    "removes disfluent words",
  ]);
});

test("trees with scores, a beam, and the same bytes for the same seed", () => {
  const best = stemma(["parse", "--model", file("m.stemma"), "--k-best", "2", file("train.conllu")]);
  expect(best.out).toContain("# tree = 1 of 2");
  const again = [
    "train",
    file("train.conllu"),
    "--joint",
    "disfluencies",
    "--epochs",
    "8",
    "--model",
    file("n.stemma"),
  ];
  stemma(again);
  expect(readFileSync(file("n.stemma")).equals(readFileSync(file("m.stemma")))).toBe(true);
});

const REFUSED = {
  scores: "score its arcs: it removes words, and arcs with them",
  keep: "keep heads that are known beforehand: it removes words, and arcs with them",
};

test("a server says what such a model cannot do", async () => {
  const running = await startServer({ models: { m: file("m.stemma") }, threads: 1 });
  const conllu = readFileSync(file("train.conllu"), "utf8");
  try {
    expect((await postJson(`${running.url}/v1/parse`, { conllu })).status).toBe(200);
    for (const [option, what] of Object.entries(REFUSED)) {
      const answer = await postJson(`${running.url}/v1/parse`, { conllu, [option]: true });
      expect([answer.status, answer.json().detail]).toEqual([
        400,
        `invalid ${option}: true: the model m cannot ${what} (use a model that removes none)`,
      ]);
    }
  } finally {
    await running.stop();
  }
});

test("what such a model cannot do is rejected, and so are options that do not go together", () => {
  for (const [option, what] of Object.entries(REFUSED)) {
    const { status, err } = stemma(["parse", "--model", file("m.stemma"), `--${option}`, file("train.conllu")]);
    expect(status).toBe(2);
    expect(err).toContain(`invalid --${option}: this model cannot ${what}`);
  }
  const swap = [
    "train",
    file("train.conllu"),
    "--system",
    "swap",
    "--joint",
    "disfluencies",
    "--model",
    file("x.stemma"),
  ];
  expect(stemma(swap)).toMatchObject({ status: 2, err: expect.stringContaining("--joint needs --system arc-eager") });
  const other = stemma(["train", file("train.conllu"), "--model", file("x.stemma"), "--joint", "words"]);
  expect(other.err).toContain("Allowed choices are tags, morphology, disfluencies");
});

test("stemma stats counts them, stemma oracle knows what they cost", () => {
  const { total } = JSON.parse(stemma(["stats", "--json", file("train.conllu")]).out);
  expect(total.disfluencies).toMatchObject({
    sentences: 32,
    IJ: { words: 32 },
    DM: { words: 16 },
    RP: { words: 32, spans: 16, lengths: { 2: 16 } },
    nested: 0,
    discontinuous: 0,
  });
  const query = {
    system: "disfluencies",
    heads: [2, 0, 2],
    removed: ["", "", "IJ"],
    history: ["SHIFT", "LEFT-ARC", "SHIFT"],
  };
  const { loss, costs } = JSON.parse(stemma(["oracle"], { input: JSON.stringify(query) }).out);
  expect([loss, costs["IJ-1"], costs["DM-1"], costs.SHIFT]).toEqual([0, 0, 1, 1]);
  const wrong = stemma(["oracle"], { input: JSON.stringify({ ...query, removed: ["XX", "", ""] }) });
  expect(wrong.out).toContain('expected 3 values, each \\"IJ\\", \\"DM\\", \\"RP\\" or \\"\\"');
});
