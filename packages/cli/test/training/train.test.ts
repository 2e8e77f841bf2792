import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readModel } from "@stemma/core";
import { beforeAll, describe, expect, it } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import { killedAt, STEMMA } from "../stemma.js";

let folder: string;
let train: string;
let dev: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-train-"));
  train = join(folder, "train.conllu");
  dev = join(folder, "dev.conllu");
  writeFileSync(train, makeUp(150, 1, 0.2).join(""));
  writeFileSync(dev, makeUp(40, 2, 0.2).join(""));
});

const run = (...args: string[]) => spawnSync(process.execPath, [STEMMA, ...args], { encoding: "utf8" });
const options = (model: string, ...more: string[]) => [
  train,
  "--dev",
  dev,
  "--model",
  join(folder, model),
  "--epochs",
  "6",
  ...more,
];

/** Trains, and kills the process as soon as it has finished the given epoch. */
const killedAfter = (epoch: number, model: string) => killedAt(`epoch ${epoch + 1}:`, ["train", ...options(model)]);

describe("stemma train", () => {
  it("writes a model that parses, with where it comes from, and the same bytes every time", () => {
    const first = run("train", ...options("a.stemma", "--json", "--licence", "made up"));
    expect(first.status, first.stderr).toBe(0);
    const result = JSON.parse(first.stdout);
    expect(result.best.las).toBeGreaterThan(85);
    expect(result.epochs).toHaveLength(6);
    run("train", ...options("b.stemma", "--licence", "made up"));
    const bytes = readFileSync(join(folder, "a.stemma"));
    expect(readFileSync(join(folder, "b.stemma")).equals(bytes)).toBe(true);
    const { origin } = readModel(bytes);
    expect(origin).toMatchObject({ licence: "made up", treebank: { name: "train.conllu", sentences: 150 } });
    const parsed = run("parse", "--model", join(folder, "a.stemma"), dev);
    expect(parsed.status).toBe(0);
    expect(parsed.stdout.split("\n\n")).toHaveLength(41);
  });

  it("a killed run that is resumed ends with the same bytes, wherever it was killed", async () => {
    run("train", ...options("whole.stemma"));
    for (const epoch of [1, 3]) {
      const model = `killed${epoch}.stemma`;
      await killedAfter(epoch, model);
      expect(existsSync(join(folder, model))).toBe(false);
      expect(existsSync(join(folder, `${model}.checkpoint`))).toBe(true);
      const resumed = run("train", ...options(model, "--resume"));
      expect(resumed.stderr).toContain("resumed after epoch");
      expect(readFileSync(join(folder, model)).equals(readFileSync(join(folder, "whole.stemma")))).toBe(true);
      expect(existsSync(join(folder, `${model}.checkpoint`))).toBe(false);
    }
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("refuses a checkpoint of other options", async () => {
    await killedAfter(1, "other.stemma");
    const resumed = run("train", ...options("other.stemma", "--resume", "--seed", "9"));
    expect(resumed.status).toBe(2);
    expect(resumed.stderr).toContain("other.stemma.checkpoint: belongs to a run with other data or options");
  });

  it("says what is wrong with what it is given", () => {
    const empty = join(folder, "empty.conllu");
    writeFileSync(empty, "");
    expect(run("train", empty, "--model", join(folder, "x")).stderr).toContain(
      "empty.conllu: no sentences to train on",
    );
    const cycle = join(folder, "cycle.conllu");
    writeFileSync(cycle, "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n\n");
    const refused = run("train", cycle, "--model", join(folder, "x"));
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain("cycle.conllu:");
    const templates = join(folder, "templates.txt");
    writeFileSync(templates, "s0.form\nb0.colour\n");
    const bad = run("train", ...options("x", "--features", templates, "--pipeline"));
    expect(bad.status).toBe(2);
    expect(bad.stderr).toContain("templates.txt:2: invalid attribute: colour (expected one of form, ");
    expect(run("train", ...options("x", "--system", "swap", "--lazy", "--oracle", "dynamic")).stderr).toContain(
      "swap has no dynamic oracle with these settings (use static)",
    );
    for (const [name, said] of [
      [
        "default+shift",
        "invalid features: default+shift (expected default, zhang-nivre or huang-sagae, and after it any of +none",
      ],
      [
        "zhang-nivere",
        "zhang-nivere: no such file of feature templates (expected one, or default, zhang-nivre, huang-sagae, two-words, chen-manning)",
      ],
    ] as const) {
      const unknown = run("train", ...options("x", "--features", name, "--pipeline"));
      expect(unknown.stderr).toContain(said);
      expect(unknown.status).toBe(2);
    }
    for (const bound of ["0", "0%", "120%", "3.5", "x"]) {
      expect(run("train", ...options("x", "--loss-bound", bound)).stderr).toContain(
        `argument '${bound}' is invalid. expected a whole number from 1, or a percentage such as "20%"`,
      );
    }
    expect(run("train", ...options("x", "--epochs", "0")).status).toBe(2);
    // Before the segmenter and the tagger are trained, and kept.
    expect(readdirSync(folder).filter((name) => /^x(\.|$)/.test(name))).toEqual([]);
  });
});
