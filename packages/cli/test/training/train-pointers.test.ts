// A parser with pointers as any other: trained, resumed, stored, read, run in threads, evaluated, served; with an
// encoder; and what it does not have is rejected.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { tinyEncoder } from "../../../core/test/encoder/tiny-encoder.js";
import { makeUp } from "../../../core/test/made-up-language.js";
import { toyTreebank } from "../../../core/test/toy-pipeline.js";
import { postJson, startServer } from "../../../server/test/helpers.js";
import { start, stemma } from "../stemma.js";

let folder: string;
const path = (name: string) => join(folder, name);
const args = (model: string, ...more: string[]) => [
  ...["train", path("train.conllu"), "--dev", path("dev.conllu"), "--model", path(model), "--system", "pointers"],
  ...more,
];
const NETWORK = ["--network", "--layers", "1", "--width", "16", "--hidden", "32"];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-pointers-"));
  writeFileSync(path("train.conllu"), makeUp(120, 1, 0.3).join(""));
  writeFileSync(path("dev.conllu"), makeUp(30, 2, 0.3).join(""));
  writeFileSync(path("toy.conllu"), toyTreebank(60, 1).join(""));
  const trained = stemma(args("t.stemma", "--epochs", "3"));
  expect(trained.status, trained.err).toBe(0);
  expect(trained.err).toContain("; pointers, mira\n");
}, 120_000);

describe("stemma train --system pointers", () => {
  it("writes a model that info describes and parse uses, with any number of threads, trees and a beam", () => {
    const info = JSON.parse(stemma(["info", "--json", path("t.stemma")]).out);
    expect(info.parser).toEqual({ system: "pointers", labels: expect.any(Number) });
    expect(info.origin.options).toMatchObject({ system: "pointers", learner: "mira" });
    const parse = (...more: string[]) => {
      const { status, out, err } = stemma(["parse", "--model", path("t.stemma"), ...more, path("dev.conllu")]);
      expect(status, err).toBe(0);
      return out;
    };
    const one = parse("--threads", "1");
    expect(parse("--threads", "2")).toBe(one);
    writeFileSync(path("parsed.conllu"), one);
    expect(stemma(["evaluate", path("dev.conllu"), path("parsed.conllu")]).out).toMatch(/LAS +[89]\d\.\d/);
    expect(parse("--scores").match(/Score=[01](\.\d+)?/g)!.length).toBe(one.match(/^\d+\t/gm)!.length);
    const sentences = one.match(/^1\t/gm)!.length;
    expect(parse("--k-best", "3").match(/^1\t/gm)!.length).toBe(3 * sentences);
    expect(parse("--beam", "4").match(/^1\t/gm)!.length).toBe(sentences);
    // Its own trees are kept as they are.
    const kept = stemma(["parse", "--model", path("t.stemma"), "--keep", path("parsed.conllu")]);
    expect(kept.out).toBe(one);
  });

  it("with a pipeline, from text to trees; served; and a voter", async () => {
    const toy = ["train", path("toy.conllu"), "--model", path("p.stemma"), "--system", "pointers", "--pipeline"];
    const trained = stemma([...toy, "--folds", "2", "--epochs", "2"]);
    expect(trained.status, trained.err).toBe(0);
    const text = "Mina sells maps. She sings.";
    const { status, out, err } = stemma(["parse", "--model", path("p.stemma"), "--json", text]);
    expect(status, err).toBe(0);
    const sentences = out.trim().split("\n");
    expect(sentences).toHaveLength(2);
    for (const line of sentences) {
      expect(JSON.parse(line).words.filter(({ head }: { head: number }) => head === 0)).toHaveLength(1);
    }
    const running = await startServer({ models: { t: path("p.stemma") }, threads: 1 });
    try {
      const several = await postJson(`${running.url}/v1/parse`, { text, trees: 2 });
      // Two trees of each of two sentences.
      expect([several.status, several.json().sentences.length]).toEqual([200, 4]);
    } finally {
      await running.stop();
    }
    const vote = stemma(["parse", "--model", path("t.stemma"), "--model", path("t.stemma"), path("dev.conllu")]);
    const alone = stemma(["parse", "--model", path("t.stemma"), path("dev.conllu")]);
    expect([vote.status, vote.out.replaceAll("Score=1.000", "_")]).toEqual([0, alone.out]);
  });

  it.each([
    ["linear", []],
    ["network", NETWORK],
  ])("%s: a run that was interrupted gives the same bytes, also with another number of threads", async (name, more) => {
    const options = [...more, "--epochs", "3"];
    const [whole, resumed] = [`${name}.stemma`, `${name}-resumed.stemma`];
    expect(stemma(args(whole, ...options)).status).toBe(0);
    const child = start(...args(resumed, ...options));
    await new Promise<void>((resolve) => {
      let err = "";
      child.stderr.on("data", (chunk) => {
        err += chunk;
        if (err.includes("epoch 1:")) child.kill("SIGKILL");
      });
      child.on("close", () => resolve());
    });
    expect(existsSync(path(resumed))).toBe(false);
    const threads = name === "network" ? ["--threads", "2"] : [];
    const rest = stemma(args(resumed, ...options, ...threads, "--resume"));
    expect(rest.status, rest.err).toBe(0);
    expect(readFileSync(path(resumed)).equals(readFileSync(path(whole)))).toBe(true);
  });

  it("on an encoder", () => {
    const { onnx, tokenizer } = tinyEncoder();
    mkdirSync(path("encoder"));
    writeFileSync(path("encoder/tiny.onnx"), onnx);
    writeFileSync(path("encoder/tiny-tokenizer.json"), tokenizer);
    const encoder = ["--encoder", path("encoder"), "--encoder-layers", "1"];
    const trained = stemma(args("e.stemma", ...NETWORK, ...encoder, "--rate", "0.01", "--epochs", "3"));
    expect(trained.status, trained.err).toBe(0);
    expect(trained.err).toContain("pointers, network");
    const parsed = stemma(["parse", "--model", path("e.stemma"), path("dev.conllu")]);
    expect(parsed.status, parsed.err).toBe(0);
    writeFileSync(path("e.conllu"), parsed.out);
    expect(stemma(["evaluate", path("dev.conllu"), path("e.conllu")]).out).toMatch(/UAS +[6-9]\d\.\d/);
  });

  it("is part of an experiment", () => {
    const treebanks = [{ name: "made-up", train: "train.conllu", dev: "dev.conllu" }];
    const write = (text: object) => writeFileSync(path("spec.json"), JSON.stringify(text));
    write({ treebanks, systems: [{ system: "pointers", oracles: ["static"] }], options: { epochs: 1 } });
    expect(stemma(["experiment", path("spec.json")]).err).toContain("none: pointers is trained without an oracle");
    write({ treebanks, systems: ["graph", "pointers"], options: { epochs: 1 } });
    const { status, err } = stemma(["experiment", path("spec.json"), "--jobs", "1"]);
    expect(status, err).toBe(0);
    expect(readFileSync(path("spec/report.md"), "utf8")).toContain("graph → pointers");
  });
});

describe("rejected with what would work:", () => {
  it("options of transition systems and of other parsers", () => {
    const rejected = (...more: string[]) => {
      const { status, err } = stemma(args("none.stemma", ...more));
      expect(status).toBe(2);
      expect(existsSync(path("none.stemma"))).toBe(false);
      return err;
    };
    expect(rejected("--oracle", "dynamic")).toContain("--oracle needs a transition system, not --system pointers");
    expect(rejected("--beam", "4")).toContain("--beam needs a transition system, not --system pointers");
    expect(rejected("--decoder", "edmonds")).toContain("--decoder needs --system graph");
    expect(rejected("--encoding", "hexatags")).toContain("--encoding needs --system tags");
    expect(rejected("--projectivize", "head")).toContain("pointers build crossing arcs as they are");
    expect(rejected("--learner", "logistic")).toContain("mira or perceptron with --system graph and --system pointers");
  });

  it("merging hypotheses", () => {
    const merged = ["parse", "--model", path("t.stemma"), "--beam", "4", "--merge", "stack-graph", path("dev.conllu")];
    const { status, err } = stemma(merged);
    expect(status).toBe(2);
    expect(err).toContain("invalid --merge stack-graph: it has no transitions");
  });
});
