import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readModel } from "@stemma/core";
import { beforeAll, describe, expect, it } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import { killedAt, STEMMA } from "../stemma.js";

let folder: string;
let train: string;
let dev: string;
/** A few sentences, where only what is said of the settings counts. */
let few: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-network-"));
  train = join(folder, "train.conllu");
  dev = join(folder, "dev.conllu");
  writeFileSync(train, makeUp(150, 1, 0.2).join(""));
  few = join(folder, "few.conllu");
  writeFileSync(dev, makeUp(30, 2, 0.2).join(""));
  writeFileSync(few, makeUp(8, 1, 0.2).join(""));
});

const SMALL = [
  "--network",
  "--system",
  "arc-hybrid",
  "--layers",
  "1",
  "--width",
  "16",
  "--hidden",
  "32",
  "--rate",
  "0.004",
];
const path = (name: string) => join(folder, name);
const run = (...args: string[]) => spawnSync(process.execPath, [STEMMA, ...args], { encoding: "utf8" });
const options = (model: string, ...more: string[]) =>
  ["train", train, "--dev", dev, "--model", path(model), "--epochs", "4", ...SMALL].concat(more);

describe("stemma train --network", () => {
  it("gives the same bytes with one thread and with several, and a model that parses", () => {
    const first = run(...options("a.stemma", "--json"));
    expect(first.status, first.stderr).toBe(0);
    expect(JSON.parse(first.stdout).best.las).toBeGreaterThan(70);
    const other = run(...options("a3.stemma", "--threads", "3"));
    expect(other.status, other.stderr).toBe(0);
    expect(readFileSync(path("a3.stemma")).equals(readFileSync(path("a.stemma")))).toBe(true);
    const { parser } = readModel(readFileSync(path("a.stemma")));
    expect(parser.header.network).toMatchObject({ layers: 1, width: 16, hidden: 32 });
    expect(parser.header.origin).toMatchObject({ options: { network: true, width: 16 } });
    const trees = ["1", "2"].map((threads) => run("parse", "--model", path("a.stemma"), "--threads", threads, dev));
    expect(trees[0]!.status).toBe(0);
    expect(trees[1]!.stdout).toBe(trees[0]!.stdout);
    expect(run("parse", "--model", path("a.stemma"), "--beam", "1", dev).stdout).toBe(trees[0]!.stdout);
  });

  it("says so when the training diverges", () => {
    const { status, stderr } = run(...options("far.stemma"), "--rate", "1e9");
    expect(stderr).toMatch(/^(stemma: )?training diverged: .* \(use a smaller --rate than 1000000000\)$/m);
    expect(status).toBe(2);
  });

  it("a killed run that is resumed ends with the same bytes", async () => {
    await killedAt("epoch 2:", options("killed.stemma"));
    const resumed = run(...options("killed.stemma", "--resume", "--threads", "2"));
    expect(resumed.stderr).toContain("resumed after epoch");
    expect(readFileSync(path("killed.stemma")).equals(readFileSync(path("a.stemma")))).toBe(true);
  });

  it("takes vectors, of which the file is named when they cannot be read", () => {
    writeFileSync(path("vectors.txt"), "the 1 0 2\nold 0 1 2\nmill 2 2 0\n");
    const good = run(...options("v.stemma", "--epochs", "1", "--vectors", path("vectors.txt")));
    expect(good.status, good.stderr).toBe(0);
    const { inputs } = readModel(readFileSync(path("v.stemma"))).parser.header.network!;
    expect(inputs.find(({ kind }) => kind === "vector")?.rows).toBeGreaterThan(2);
    writeFileSync(path("bad.txt"), "the 1 0 2\nold 0 1\n");
    const bad = run(...options("w.stemma", "--vectors", path("bad.txt")));
    expect(bad.status).toBe(2);
    expect(bad.stderr).toContain("bad.txt:2: 2 numbers (expected 3, as in the lines before)");
  });

  it("learns with a beam in the last epochs: the same bytes with several threads, and after a kill", async () => {
    const beam = (model: string, ...more: string[]) => options(model, "--beam", "4", "--global-epochs", "2", ...more);
    const whole = run(...beam("beam.stemma", "--json"));
    expect(whole.status, whole.stderr).toBe(0);
    expect(whole.stderr).toContain("network, beam 4 in the last 2 epochs");
    expect(JSON.parse(whole.stdout).best.las).toBeGreaterThan(70);
    await killedAt("epoch 3:", beam("beam-killed.stemma", "--threads", "2"));
    const resumed = run(...beam("beam-killed.stemma", "--resume"));
    expect(resumed.stderr).toContain("resumed after epoch");
    expect(readFileSync(path("beam-killed.stemma")).equals(readFileSync(path("beam.stemma")))).toBe(true);
    const { parser } = readModel(readFileSync(path("beam.stemma")));
    expect(parser.header.origin).toMatchObject({ options: { beam: 4, globalEpochs: 2 } });
    const said = (model: string, ...more: string[]) =>
      run("train", few, "--model", path(model), ...SMALL, "--beam", "4", ...more);
    const forParsing = said("parsing.stemma", "--epochs", "2", "--global-epochs", "0");
    expect(forParsing.stderr).toContain("network, beam 4 for parsing");
    // As many as a third of the epochs, if not told.
    const byDefault = said("default.stemma", "--epochs", "3");
    expect(byDefault.stderr).toContain("network, beam 4 in the last epoch\n");
  });

  it.each([
    [["--global-epochs", "1"], "--global-epochs needs --beam, with --network above 1"],
    [["--global-epochs", "1", "--beam", "1"], "--global-epochs needs --beam, with --network above 1"],
    [["--global-epochs", "5", "--beam", "4"], "--global-epochs needs at least as many --epochs"],
    [
      ["--global-epochs", "2", "--beam", "4", "--update", "early"],
      "--update needs --beam and --global-epochs, without --network",
    ],
  ])("rejects %j", (args, message) => {
    const { status, stderr } = run(...options("x.stemma", ...args));
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it("says which options do not belong to networks", () => {
    const { status, stderr } = run(...options("x.stemma", "--members", "3"));
    expect(status).toBe(2);
    expect(stderr).toContain(
      "invalid --members 3: it would have no effect (--members needs a linear model with a transition system, or --pipeline)",
    );
    expect(run(...options("x.stemma", "--width", "12")).stderr).toContain("a multiple of 8 from 8");
    writeFileSync(path("view.txt"), "s0.form; s1.vector");
    expect(run(...options("x.stemma", "--features", path("view.txt"))).stderr).toContain(
      "a network sees words as .vector, not .form",
    );
  });
});

it("presets stand in for options that are not given", () => {
  const args = [
    "train",
    train,
    "--model",
    path("preset.stemma"),
    "--preset",
    "accurate",
    "--width",
    "8",
    "--epochs",
    "1",
  ];
  const { status, stderr } = run(...args);
  expect(status, stderr).toBe(0);
  const { header } = readModel(readFileSync(path("preset.stemma"))).parser;
  expect(header.network?.width).toBe(8);
  expect(run("train", train, "--model", path("y.stemma"), "--preset", "slow").stderr).toContain("Allowed choices are");
});
