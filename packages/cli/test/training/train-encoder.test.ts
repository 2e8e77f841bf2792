import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "@stemma/core";
import { beforeAll, describe, expect, it } from "vitest";
import { tinyEncoder } from "../../../core/test/encoder/tiny-encoder.js";
import { makeUp } from "../../../core/test/made-up-language.js";
import { STEMMA } from "../stemma.js";

let folder: string;
const path = (...names: string[]) => join(folder, ...names);
const run = (...args: string[]) => spawnSync(process.execPath, [STEMMA, ...args], { encoding: "utf8" });
const train = (model: string, ...more: string[]) =>
  run(
    ...["train", path("train.conllu"), "--dev", path("dev.conllu"), "--model", path(model), "--epochs", "3"],
    ...["--layers", "1", "--width", "16", "--hidden", "32", "--system", "arc-hybrid", "--rate", "0.01", ...more],
  );

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-encoder-"));
  writeFileSync(path("train.conllu"), makeUp(150, 1).join(""));
  writeFileSync(path("dev.conllu"), makeUp(40, 2).join(""));
  const { onnx, safetensors, tokenizer, config } = tinyEncoder();
  mkdirSync(path("onnx"));
  writeFileSync(path("onnx", "tiny.onnx"), onnx);
  writeFileSync(path("onnx", "tiny-tokenizer.json"), tokenizer);
  mkdirSync(path("both"));
  writeFileSync(path("both", "model.onnx"), onnx);
  writeFileSync(path("both", "model.safetensors"), safetensors);
  writeFileSync(path("both", "tokenizer.json"), tokenizer);
  writeFileSync(path("both", "config.json"), config);
  mkdirSync(path("bare"));
  writeFileSync(path("bare", "model.onnx"), onnx);
});

describe("stemma train --encoder", () => {
  it("trains a model that has the encoder in it, the same with one thread and with two", async () => {
    const first = train("a.stemma", "--network", "--encoder", path("onnx"), "--encoder-layers", "1", "--json");
    expect(first.status, first.stderr).toBe(0);
    expect(first.stderr).toMatch(/encoder: 1 layers of 32 units, \d+ words/);
    expect(JSON.parse(first.stdout).best.las).toBeGreaterThan(80);
    const { model } = await load(readFileSync(path("a.stemma")));
    expect(model.parser.network!.contextual!.description).toMatchObject({ layers: 1, mixed: 1, size: 32 });
    expect(model.origin).toMatchObject({ options: { encoder: { name: "tiny.onnx", layers: 1 } } });
    const other = train(
      "b.stemma",
      ...["--network", "--encoder", path("both", "model.onnx"), "--encoder-layers", "1", "--threads", "2"],
    );
    expect(other.status, other.stderr).toBe(0);
    const renamed = (file: string) =>
      readFileSync(path(file), "latin1").slice(16).replace("tiny.onnx", "?").replace("model.onnx", "?");
    // Headers with other names have another length and checksum, which stand before them.
    expect(renamed("b.stemma").slice(8)).toBe(renamed("a.stemma").slice(8));
    const trees = ["1", "2"].map((threads) =>
      run("parse", "--model", path("a.stemma"), "--threads", threads, path("dev.conllu")),
    );
    expect(trees[0]!.status, trees[0]!.stderr).toBe(0);
    expect(trees[1]!.stdout).toBe(trees[0]!.stdout);
    expect(run("info", path("a.stemma")).stdout).toMatch(/^encoder +layers 1, size 32, heads 2, pieces \d+$/m);
    const beam = run("parse", "--model", path("a.stemma"), "--beam", "4", path("dev.conllu"));
    expect(beam.status, beam.stderr).toBe(0);
  });

  it("encodes silver data as well", () => {
    writeFileSync(path("silver.conllu"), makeUp(50, 3).join(""));
    const silver = ["--silver", path("silver.conllu"), "--json"];
    const { status, stdout, stderr } = train("s.stemma", "--network", "--encoder", path("onnx"), ...silver);
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout).silver.sentences).toBe(50);
  });

  it("with --pipeline the segmenter and the tagger use the encoder too", async () => {
    const result = train("p.stemma", "--pipeline", "--folds", "2", "--network", "--encoder", path("onnx"));
    expect(result.status, result.stderr).toBe(0);
    const { model } = await load(readFileSync(path("p.stemma")));
    expect(model.tagger!.guesser!.contextual).toBe(model.parser.network!.contextual);
    expect(model.segmenter!.guesser!.contextual).toBe(model.parser.network!.contextual);
    const parsed = run("parse", "--model", path("p.stemma"), "--threads", "2", "ta tor kara ala rek. mina simi.");
    expect(parsed.status, parsed.stderr).toBe(0);
    expect(parsed.stdout).toContain("\tkara\t_\tVERB\t");
  });

  it("says what is wrong with an encoder", () => {
    const wrong = (...args: string[]) => {
      const { status, stderr } = run("train", path("train.conllu"), "--model", path("w.stemma"), ...args);
      expect(status).toBe(2);
      return stderr;
    };
    expect(wrong("--encoder", path("onnx"))).toContain("--encoder needs --network");
    expect(wrong("--network", "--encoder-layers", "2")).toContain("--encoder-layers needs --network, and --encoder");
    expect(wrong("--network", "--encoder", path("none"))).toMatch(/cannot read .*none|none: cannot read|none: no such/);
    expect(wrong("--network", "--encoder", path("both"))).toContain("several encoders: model.onnx, model.safetensors");
    expect(wrong("--network", "--encoder", folder)).toContain("no weights of an encoder");
    expect(wrong("--network", "--encoder", path("bare"))).toContain("model.onnx: no tokenizer.json beside it");
    expect(wrong("--network", "--encoder", path("train.conllu"))).toContain("no tokenizer.json beside it");
    expect(wrong("--network", "--encoder", path("onnx"), "--encoder-layers", "9")).toContain(
      "tiny.onnx: invalid number of layers: 9 (expected 1 to 2",
    );
  });
});
