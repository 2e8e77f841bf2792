// A parser by tags as any other: trained, resumed, stored, read, run in threads, evaluated, served; and what it does
// not have is rejected.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import { toyTreebank } from "../../../core/test/toy-pipeline.js";
import { postJson, startServer } from "../../../server/test/helpers.js";
import { killedAt, stemma } from "../stemma.js";

let folder: string;
const path = (name: string) => join(folder, name);
const args = (model: string, ...more: string[]) =>
  ["train", path("train.conllu"), "--dev", path("dev.conllu"), "--model", path(model), "--system", "tags"].concat(more);
const NETWORK = ["--network", "--layers", "1", "--width", "16", "--hidden", "32"];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-tags-"));
  writeFileSync(path("train.conllu"), makeUp(120, 1, 0.3).join(""));
  writeFileSync(path("dev.conllu"), makeUp(30, 2, 0.3).join(""));
  writeFileSync(path("toy.conllu"), toyTreebank(60, 1).join(""));
  const trained = stemma(args("t.stemma", "--encoding", "hexatags", "--epochs", "3"));
  expect(trained.status, trained.err).toBe(0);
  expect(trained.err).toContain("tags, hexatags, perceptron");
  expect(trained.err).toMatch(/\d+ trees left out because hexatags cannot build them/);
});

describe("stemma train --system tags", () => {
  it("writes a model that info describes and parse uses, with any number of threads", () => {
    const info = JSON.parse(stemma(["info", "--json", path("t.stemma")]).out);
    expect(info.parser).toEqual({ system: "tags", encoding: "hexatags", tags: 9, labels: expect.any(Number) });
    expect(info.origin.options).toMatchObject({ system: "tags", encoding: "hexatags", learner: "perceptron" });
    expect(info.does).toContain("says how sure it is");
    const [one, two] = ["1", "2"].map((threads) =>
      stemma(["parse", "--model", path("t.stemma"), "--threads", threads, path("dev.conllu")]),
    );
    expect(one!.status, one!.err).toBe(0);
    expect(two!.out).toBe(one!.out);
    writeFileSync(path("parsed.conllu"), one!.out);
    expect(stemma(["evaluate", path("dev.conllu"), path("parsed.conllu")]).out).toMatch(/LAS +[789]\d\.\d/);
    const scored = stemma(["parse", "--model", path("t.stemma"), "--scores", path("dev.conllu")]).out;
    expect(scored.match(/Score=[01](\.\d+)?/g)!.length).toBe(one!.out.match(/^\d+\t/gm)!.length);
  });

  it("with a pipeline, from text to trees; served; and a voter", async () => {
    const toy = ["train", path("toy.conllu"), "--model", path("p.stemma"), "--system", "tags", "--pipeline"];
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
      const one = await postJson(`${running.url}/v1/parse`, { text });
      expect([one.status, one.json().sentences.length]).toEqual([200, 2]);
      const wide = await postJson(`${running.url}/v1/parse`, { text, beam: 2 });
      expect(wide.status).toBe(400);
      expect(wide.json().detail).toContain(
        "invalid beam: 2: the model t cannot search with a beam: it gives each word",
      );
      const several = await postJson(`${running.url}/v1/parse`, { text, trees: 2 });
      expect(several.status).toBe(400);
      expect(several.json().detail).toContain("the model t cannot find several trees: it gives each word a tag");
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
  ])("%s: the same seed gives the same bytes; a run that was interrupted, too", async (name, more) => {
    const options = [...more, "--epochs", "3"];
    const [whole, resumed] = [`${name}.stemma`, `${name}-resumed.stemma`];
    expect(stemma(args(whole, ...options)).status).toBe(0);
    await killedAt("epoch 1:", args(resumed, ...options));
    expect(existsSync(path(resumed))).toBe(false);
    // With another number of threads, which must not matter to networks.
    const threads = name === "network" ? ["--threads", "2"] : [];
    const rest = stemma(args(resumed, ...options, ...threads, "--resume"));
    expect(rest.status, rest.err).toBe(0);
    if (name === "network") expect(rest.err).toContain("tags, two-planes, network");
    expect(readFileSync(path(resumed)).equals(readFileSync(path(whole)))).toBe(true);
  });

  it("is part of an experiment", () => {
    const treebanks = [{ name: "made-up", train: "train.conllu", dev: "dev.conllu" }];
    const systems = [{ system: "arc-standard", oracles: ["static"] }, "tags"];
    const write = (text: object) => writeFileSync(path("spec.json"), JSON.stringify(text));
    write({ treebanks, systems: [{ system: "tags", oracles: ["static"] }], options: { epochs: 1 } });
    expect(stemma(["experiment", path("spec.json")]).err).toContain("none: tags is trained without an oracle");
    write({ treebanks, systems, options: { epochs: 1 } });
    const { status, err } = stemma(["experiment", path("spec.json"), "--jobs", "1"]);
    expect(status, err).toBe(0);
    const report = readFileSync(path("spec/report.md"), "utf8");
    expect(report).toMatch(/\| tags +\| none +\|/);
    expect(report).toContain("arc-standard → tags");
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
    expect(rejected("--oracle", "dynamic")).toContain("--oracle needs a transition system, not --system tags");
    expect(rejected("--order", "2")).toContain("--order needs --system graph");
    expect(rejected("--encoding", "morse")).toContain("brackets, two-planes, hierarchical, hexatags");
    const other = stemma(["train", path("train.conllu"), "--model", path("none.stemma"), "--encoding", "hexatags"]);
    expect(other.err).toContain("--encoding needs --system tags");
  });

  it("a beam, several trees, and heads that are known", () => {
    const refused = (...more: string[]) => {
      const { status, err } = stemma(["parse", "--model", path("t.stemma"), ...more, path("dev.conllu")]);
      expect(status).toBe(2);
      return err;
    };
    const why = "it gives each word a tag, and the tags are its tree (use a model with a transition system)";
    expect(refused("--beam", "4")).toContain(`invalid --beam 4: this model cannot search with a beam: ${why}`);
    expect(refused("--k-best", "2")).toContain(`this model cannot find several trees: ${why}`);
    expect(refused("--keep")).toContain(`this model cannot keep heads that are known beforehand: ${why}`);
  });
});
