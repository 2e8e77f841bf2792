// stemma train --silver, from what stemma parse --scores has written.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readModel } from "@stemma/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toyTreebank } from "../../../core/test/toy-pipeline.js";
import { killedAt, stemma } from "../stemma.js";

let folder: string;
const path = (name: string) => join(folder, name);
const args = (model: string, ...more: string[]) => [
  ...["train", path("train.conllu"), "--dev", path("dev.conllu"), "--model", path(model)],
  ...["--epochs", "2", ...more],
];
const silver = (...more: string[]) => ["--silver", path("silver.conllu"), ...more];
const PIPELINE = ["--pipeline", "--folds", "2"];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-silver-"));
  const file = (name: string, text: string) => writeFileSync(path(name), text);
  file("train.conllu", toyTreebank(5, 1).join(""));
  file("dev.conllu", toyTreebank(30, 2).join(""));
  file("large.conllu", toyTreebank(200, 3).join(""));
  file(
    "text.txt",
    toyTreebank(60, 4)
      .map((sentence) => `${sentence.text}\n`)
      .join(""),
  );
  const teacher = path("teacher.stemma");
  const large = ["train", path("large.conllu"), "--dev", path("dev.conllu"), "--model", teacher, "--epochs", "2"];
  expect(stemma([...large, ...PIPELINE]).status).toBe(0);
  const parsed = stemma([
    "parse",
    "--model",
    teacher,
    "--from",
    "lines",
    "--to",
    "conllu",
    "--scores",
    path("text.txt"),
  ]);
  expect(parsed.status, parsed.err).toBe(0);
  const blocks = parsed.out.split("\n\n");
  expect(blocks.join("").match(/Score=/g)!.length).toBeGreaterThan(240);
  // The language is too easy for doubts.
  const doubted = blocks.map((block, k) => (k % 6 === 3 ? block.replace(/Score=.*/g, "Score=0.300") : block));
  file("silver.conllu", doubted.join("\n\n"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("stemma train --silver", () => {
  it("learns from a larger model, says from how much, and gives the same bytes again", () => {
    const alone = stemma(args("alone.stemma", "--json", ...PIPELINE));
    const run = stemma(args("a.stemma", "--json", ...PIPELINE, ...silver()));
    expect(run.status, run.err).toBe(0);
    expect(run.err).toMatch(/^5 sentences, \d+ words, and silver: \d+ sentences, \d+ words; \d+ labels; arc-standard/m);
    const [result, before] = [JSON.parse(run.out), JSON.parse(alone.out)];
    expect(result.best.las).toBeGreaterThan(before.best.las + 5);
    expect(result.data).toEqual(before.data);
    expect(result.silver).toMatchObject({ sentences: 50, doubtful: 10 });
    const { origin } = readModel(readFileSync(path("a.stemma")));
    expect(origin).toMatchObject({
      silver: { name: "silver.conllu" },
      options: { silverWeight: 1, silverConfidence: 0.5 },
    });
    expect(origin.treebank).toMatchObject({ name: "train.conllu", sentences: 5 });
    expect(stemma(args("b.stemma", ...PIPELINE, ...silver())).status).toBe(0);
    expect(readFileSync(path("b.stemma")).equals(readFileSync(path("a.stemma")))).toBe(true);
    expect(run.err).toMatch(/; 10 silver sentences left out because their scores are low$/m);
  });

  it("takes up a killed run, but not one with other silver data or another weight", async () => {
    const options = args("killed.stemma", ...PIPELINE, ...silver());
    options[options.indexOf("2")] = "16";
    await killedAt("epoch 2:", options);
    for (const other of [
      ["--silver-weight", "2"],
      ["--silver-confidence", "0.4"],
      ["--silver", path("large.conllu")],
    ]) {
      const { status, err } = stemma([...options, "--resume", ...other]);
      expect(err).toMatch(/killed\.stemma\.checkpoint\.part-1: belongs to a run with other data or options/);
      expect(status).toBe(2);
    }
    const resumed = stemma([...options, "--resume"]);
    expect(resumed.err).toMatch(/resumed after epoch \d/);
    expect(resumed.status, resumed.err).toBe(0);
    options[options.indexOf(path("killed.stemma"))] = path("whole.stemma");
    expect(stemma(options).status).toBe(0);
    expect(readFileSync(path("killed.stemma")).equals(readFileSync(path("whole.stemma")))).toBe(true);
  });

  it("reads its options from a file, relative to its folder", () => {
    const config = { train: "train.conllu", dev: "dev.conllu", silver: "silver.conllu", silverWeight: 0.5, epochs: 1 };
    writeFileSync(path("config.json"), JSON.stringify(config));
    const run = stemma(["train", "--config", path("config.json"), "--model", path("config.stemma")]);
    expect(run.status, run.err).toBe(0);
    const { origin } = readModel(readFileSync(path("config.stemma")));
    expect(origin).toMatchObject({ silver: { name: "silver.conllu" }, options: { silverWeight: 0.5 } });
    writeFileSync(path("config.json"), JSON.stringify({ ...config, silverWeight: 0 }));
    expect(stemma(["train", "--config", path("config.json"), "--model", path("config.stemma")]).err).toContain(
      "invalid silverWeight: 0 (expected a number above 0, at most 1000)",
    );
  });

  it("is part of an experiment", () => {
    writeFileSync(path("one.conllu"), toyTreebank(1, 1).join(""));
    const treebank = { name: "toy", train: "one.conllu", dev: "dev.conllu" };
    const spec = (silver: object, options: object) => {
      const both = { treebanks: [{ ...treebank, ...silver }], systems: ["arc-standard"], oracles: ["dynamic"] };
      writeFileSync(path("experiment.json"), JSON.stringify({ ...both, options: { epochs: 2, ...options } }));
      return stemma(["experiment", path("experiment.json"), "--output", path("report")]);
    };
    const las = () => JSON.parse(readFileSync(path("report/report.json"), "utf8")).entries[0].las.mean as number;
    expect(spec({}, {}).status).toBe(0);
    const before = las();
    const run = spec({ silver: "silver.conllu" }, { silverConfidence: 0 });
    expect(run.status, run.err).toBe(0);
    expect(las()).toBeGreaterThan(before);
    expect(readFileSync(path("report/report.md"), "utf8")).toMatch(/1 \/ \d+ \+ silver 60 \/ \d+/);
    expect(spec({}, { silverWeight: 2 }).err).toContain(
      "invalid options.silverWeight: 2 (expected an option that has an effect: as in stemma train, --silver-weight " +
        "needs --silver)",
    );
    expect(spec({ silver: "none.conllu" }, {}).status).toBe(2);
  });

  it.each<[string[], string]>([
    [["--silver-weight", "2"], "--silver-weight needs --silver"],
    [["--silver-confidence", "0.2"], "--silver-confidence needs --silver"],
    [["--silver", "none.conllu"], "none.conllu: "],
    [["--silver", "empty.conllu"], "empty.conllu: no sentences to train on"],
    [["--silver", "dev.conllu", "--silver-weight", "0"], "expected a number above 0, at most 1000"],
    [["--silver", "doubtful.conllu"], "no silver data is left of 1 sentences: 1 have a mean score below 0.5"],
    [["--vocabulary", "10"], "--vocabulary needs --network"],
  ])("%j", (given, message) => {
    writeFileSync(path("empty.conllu"), "");
    writeFileSync(path("doubtful.conllu"), "1\ta\ta\tX\t_\t_\t0\troot\t_\tScore=0.1\n\n");
    const { status, err } = stemma(args("never.stemma", ...given.map((arg) => (arg.endsWith("u") ? path(arg) : arg))));
    expect(err).toContain(message);
    expect(status).toBe(2);
  });

  it("does not write its model over its silver data", () => {
    const { status, err } = stemma(args("silver.conllu", ...silver()));
    expect(err).toMatch(/silver\.conllu/);
    expect(status).toBe(2);
    expect(readFileSync(path("silver.conllu"), "utf8")).toContain("Score=");
  });
});
