// A graph-based parser as any other: trained, resumed, stored, read, run in threads, evaluated; and what it does not
// have is rejected.
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
  ["train", path("train.conllu"), "--dev", path("dev.conllu"), "--model", path(model), "--system", "graph"].concat(
    more,
  );
const NETWORK = ["--network", "--layers", "1", "--width", "16", "--hidden", "32"];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-graph-"));
  writeFileSync(path("train.conllu"), makeUp(60, 1, 0.3).join(""));
  writeFileSync(path("dev.conllu"), makeUp(30, 2, 0.3).join(""));
  writeFileSync(path("toy.conllu"), toyTreebank(60, 1).join(""));
  const trained = stemma(args("g.stemma", "--epochs", "2"));
  expect(trained.status, trained.err).toBe(0);
  expect(trained.err).toContain("graph, eisner, order 2, mira");
  expect(trained.err).toMatch(/\d+ trees have crossing arcs, which eisner does not build \(--decoder edmonds does/);
});

describe("stemma train --system graph", () => {
  it("writes a model that info describes and parse uses, with any number of threads", () => {
    const info = JSON.parse(stemma(["info", "--json", path("g.stemma")]).out);
    expect(info.parser).toEqual({ system: "graph", decoder: "eisner", order: 2, labels: expect.any(Number) });
    expect(info.origin.options).toMatchObject({ system: "graph", decoder: "eisner", order: 2, learner: "mira" });
    expect(info.does).toContain("says how sure it is");
    const [one, two] = ["1", "2"].map((threads) =>
      stemma(["parse", "--model", path("g.stemma"), "--threads", threads, "--threads", threads, path("dev.conllu")]),
    );
    expect(one!.status, one!.err).toBe(0);
    expect(two!.out).toBe(one!.out);
    writeFileSync(path("parsed.conllu"), one!.out);
    expect(stemma(["evaluate", path("dev.conllu"), path("parsed.conllu")]).out).toMatch(/LAS +[89]\d\.\d/);
    const scored = stemma(["parse", "--model", path("g.stemma"), "--scores", path("dev.conllu")]).out;
    expect(scored.match(/Score=[01](\.\d+)?/g)!.length).toBe(one!.out.match(/^\d+\t/gm)!.length);
    const whole = stemma(["parse", "--model", path("g.stemma"), "--keep", path("dev.conllu")]);
    expect([whole.status, whole.out]).toEqual([0, readFileSync(path("dev.conllu"), "utf8")]);
    // Eisner's algorithm cannot keep crossing arcs where it has labels to find.
    writeFileSync(path("heads.conllu"), whole.out.replace(/^((?:[^\t\n]*\t){7})[^\t\n]*/gm, "$1_"));
    const kept = stemma(["parse", "--model", path("g.stemma"), "--keep", path("heads.conllu")]);
    expect(kept.status).toBe(1);
    expect(kept.err).toContain("the arcs cross, and eisner cannot build that");
  });

  it("with a pipeline, from text to trees", () => {
    const toy = ["train", path("toy.conllu"), "--model", path("p.stemma"), "--system", "graph", "--pipeline"];
    const trained = stemma([...toy, "--folds", "2", "--epochs", "2"]);
    expect(trained.status, trained.err).toBe(0);
    const { status, out, err } = stemma([
      "parse",
      "--model",
      path("p.stemma"),
      "--json",
      "Mina sells maps. She sings.",
    ]);
    expect(status, err).toBe(0);
    const sentences = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(sentences).toHaveLength(2);
    for (const { words } of sentences) {
      expect(words.filter(({ head }: { head: number }) => head === 0)).toHaveLength(1);
    }
  });

  it.each([
    ["edmonds", ["--decoder", "edmonds"]],
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
    if (name === "network") expect(rest.err).toContain("graph, eisner, order 1, network");
    expect(readFileSync(path(resumed)).equals(readFileSync(path(whole)))).toBe(true);
  });

  it("several trees are written, best first", () => {
    const { status, out } = stemma(["parse", "--model", path("g.stemma"), "--k-best", "3", path("dev.conllu")]);
    expect(status).toBe(0);
    const scores = [...out.matchAll(/^# score = (.*)$/gm)].map(([, score]) => Number(score));
    expect(scores.length).toBeGreaterThan(3);
    expect(scores[0]!).toBeGreaterThanOrEqual(scores[1]!);
  });

  it("is served", async () => {
    const running = await startServer({ models: { g: path("g.stemma") }, threads: 1 });
    const tokens = [["a", "b"]];
    try {
      const one = await postJson(`${running.url}/v1/parse`, { tokens });
      expect([one.status, one.json().sentences[0].words.length]).toEqual([200, 2]);
      const several = await postJson(`${running.url}/v1/parse`, { tokens, trees: 2 });
      expect([several.status, several.json().sentences.length]).toEqual([200, 2]);
      const wide = await postJson(`${running.url}/v1/parse`, { tokens, beam: 2 });
      expect(wide.status).toBe(400);
      expect(wide.json().detail).toContain("invalid beam: 2: the model g cannot search with a beam: it is graph-based");
    } finally {
      await running.stop();
    }
  });

  it("is part of an experiment", () => {
    const treebanks = [{ name: "made-up", train: "train.conllu", dev: "dev.conllu" }];
    const systems = [
      { system: "arc-standard", oracles: ["static"] },
      "graph",
      { system: "graph", name: "any", decoder: "edmonds" },
    ];
    const spec = { treebanks, systems, options: { epochs: 1, order: 1, exploreFrom: 1 }, oracles: ["dynamic"] };
    const write = (text: object) => writeFileSync(path("spec.json"), JSON.stringify(text));
    write({ ...spec, systems: ["graph"] });
    const useless = stemma(["experiment", path("spec.json")]);
    expect(useless.status).toBe(2);
    expect(useless.err).toContain("needs a transition system, not --system graph");
    write({ ...spec, systems: [{ system: "graph", oracles: ["static"] }] });
    expect(stemma(["experiment", path("spec.json")]).err).toContain("none: graph is trained without an oracle");
    write({ ...spec, options: { epochs: 1, order: 1 } });
    const { status, err } = stemma(["experiment", path("spec.json"), "--jobs", "1"]);
    expect(status, err).toBe(0);
    const report = readFileSync(path("spec/report.md"), "utf8");
    expect(report).toMatch(/\| graph +\| none +\|/);
    expect(report).toMatch(/\| any +\| none +\|/);
    expect(report).toContain("arc-standard → graph");
    expect(report).toContain("graph → any");
  });
});

describe("rejected with what would work:", () => {
  const rejected = (...more: string[]) => {
    const { status, err } = stemma(args("none.stemma", ...more));
    expect(status).toBe(2);
    expect(existsSync(path("none.stemma"))).toBe(false);
    return err;
  };

  // The library's tests have all of them; here is how they are said.
  it("options of transition systems, and combinations that no algorithm has", () => {
    expect(rejected("--oracle", "dynamic")).toContain("--oracle needs a transition system, not --system graph");
    expect(rejected("--members", "2")).toContain("--members needs a linear model with a transition system");
    expect(rejected("--decoder", "edmonds", "--order", "2")).toContain("--order needs --decoder eisner for order 2");
    expect(rejected("--order", "3")).toContain("expected 1 or 2");
    const other = stemma(["train", path("train.conllu"), "--model", path("none.stemma"), "--order", "1"]);
    expect(other.err).toContain("--order needs --system graph");
  });

  it("a beam", () => {
    const { status, err } = stemma(["parse", "--model", path("g.stemma"), "--beam", "4", path("dev.conllu")]);
    expect(status).toBe(2);
    expect(err).toContain(
      "g.stemma: invalid --beam 4: this model cannot search with a beam: it is graph-based and looks at all trees",
    );
  });

  it("a sentence that is too long for its time and memory, which is skipped", () => {
    const words = Array.from({ length: 3001 }, (_, i) => `${i + 1}\tw\tw\tX\t_\t_\t_\t_\t_\t_\n`).join("");
    writeFileSync(path("long.conllu"), `${words}\n1\tw\tw\tX\t_\t_\t_\t_\t_\t_\n\n`);
    const { status, out, err } = stemma(["parse", "--model", path("g.stemma"), path("long.conllu")]);
    expect(status).toBe(1);
    expect(err).toContain("long.conllu:1:1: invalid number of words: 3001 (expected at most 3000 for this model");
    expect(out.match(/^\d+\t/gm)).toHaveLength(1);
  });
});
