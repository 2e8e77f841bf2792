import { fork, spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultTemplates } from "@stemma/core/systems";
import { beforeAll, describe, expect, it } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import type { CellResult, Job, Message } from "../../src/experiment/cell.js";
import { parseSpec } from "../../src/experiment/spec.js";
import { STEMMA } from "../stemma.js";

let folder: string;
/** The results of the first grid. */
let gridFiles: string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-experiment-"));
  writeFileSync(join(folder, "a-train.conllu"), makeUp(60, 1, 0.2).join(""));
  writeFileSync(join(folder, "a-dev.conllu"), makeUp(30, 2, 0.2).join(""));
  writeFileSync(join(folder, "b-train.conllu"), makeUp(40, 3).join(""));
});

const run = (...args: string[]) => spawnSync(process.execPath, [STEMMA, "experiment", ...args], { encoding: "utf8" });

const SPEC = {
  title: "Made up",
  treebanks: [
    { name: "a", train: "a-train.conllu", dev: "a-dev.conllu" },
    { name: "b", train: "b-train.conllu", folds: 2 },
  ],
  systems: ["arc-standard", { system: "arc-hybrid", epochs: 3 }] as unknown[],
  oracles: ["static", "dynamic"],
  seeds: [1, 2],
  options: { epochs: 2 },
};

function written(name: string, spec: unknown = SPEC): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(spec));
  return path;
}

interface ReportData {
  missing: number;
  entries: {
    treebank: string;
    system: string;
    oracle: string;
    seeds: { seed: number; uas: number; las: number; uem: number }[];
    las: { mean: number; deviation?: number };
    uas: { mean: number };
    wordLas: { mean: number };
    curve: { epoch: number; las: number }[];
  }[];
  comparisons: {
    treebank: string;
    first: { system: string; oracle: string };
    second: { system: string; oracle: string };
    las: { difference: number; p: number };
  }[];
}

const report = (name: string) => JSON.parse(readFileSync(join(folder, name, "report.json"), "utf8")) as ReportData;
const resultsOf = (name: string) => readdirSync(join(folder, name, "results"));

describe("stemma experiment", () => {
  it("runs a grid, keeps every result, and trains nothing the second time", () => {
    const spec = written("grid");
    const first = run(spec, "--jobs", "2");
    expect(first.status, first.stderr).toBe(0);
    // (1 + 2 folds) · 2 systems · 2 oracles · 2 seeds
    expect(first.stderr).toContain("24 of 24 training runs: 0 already there, 24 new, 0 failed");
    const files = resultsOf("grid");
    gridFiles = files;
    expect(files).toHaveLength(24);
    expect(files.every((name) => /^[0-9a-f]{24}-[0-9a-f]{12}\.json$/.test(name))).toBe(true);
    const times = files.map((name) => statSync(join(folder, "grid", "results", name)).mtimeMs);
    const before = readFileSync(join(folder, "grid", "report.md"), "utf8");

    const second = run(spec);
    expect(second.stderr).toContain("24 of 24 training runs: 24 already there, 0 new, 0 failed");
    expect(files.map((name) => statSync(join(folder, "grid", "results", name)).mtimeMs)).toEqual(times);
    expect(readFileSync(join(folder, "grid", "report.md"), "utf8")).toBe(before);
  });

  it("has tables that follow from the scores of the seeds", () => {
    const { entries, comparisons, missing } = report("grid");
    expect(missing).toBe(0);
    expect(entries).toHaveLength(8);
    const markdown = readFileSync(join(folder, "grid", "report.md"), "utf8");
    const rows = markdown.slice(markdown.indexOf("## LAS"), markdown.indexOf("## UAS")).split("\n");
    for (const treebank of ["a", "b"]) {
      const own = entries.filter((entry) => entry.treebank === treebank);
      const best = Math.max(...own.map((entry) => Number((100 * entry.las.mean).toFixed(2))));
      for (const { system, oracle, seeds, las, curve } of own) {
        const [x, y] = seeds.map((seed) => seed.las) as [number, number];
        expect(las.mean).toBeCloseTo((x + y) / 2, 12);
        expect(las.deviation).toBeCloseTo(Math.abs(x - y) / Math.SQRT2, 12);
        expect(curve.map(({ epoch }) => epoch)).toEqual(system === "arc-hybrid" ? [1, 2, 3] : [1, 2]);
        expect(curve.at(-1)!.las).toBeCloseTo(las.mean, 12);
        const number = (100 * las.mean).toFixed(2);
        const shown = `${Number(number) === best ? `**${number}**` : number} ± ${(100 * las.deviation!).toFixed(2)}`;
        const row = rows.find((line) => new RegExp(`\\| ${system} +\\| ${oracle} +\\|`).test(line))!;
        expect(row.split("|")[treebank === "a" ? 3 : 4]!.trim()).toBe(shown);
      }
    }
    // On a, b and all: 2 pairs of oracles and 2 pairs of systems.
    expect(comparisons).toHaveLength(12);
    for (const { treebank, first, second, las } of comparisons) {
      expect(las.p).toBeGreaterThan(0);
      expect(las.p).toBeLessThanOrEqual(1);
      if (treebank === "all") continue;
      const of = ({ system, oracle }: { system: string; oracle: string }) =>
        entries.find((one) => one.treebank === treebank && one.system === system && one.oracle === oracle)!.las.mean;
      expect(las.difference).toBeCloseTo(of(second) - of(first), 12);
    }
    for (const name of ["las-arc-hybrid.svg", "las-arc-hybrid@a.svg", "las-arc-standard@b.svg"]) {
      expect(readFileSync(join(folder, "grid", name), "utf8")).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    }
    expect(markdown).toContain("](las-arc-hybrid.svg)");
  });

  it("has the scores that stemma train gives", () => {
    const files = [join(folder, "a-train.conllu"), "--dev", join(folder, "a-dev.conllu")];
    const more = [
      "--system",
      "arc-hybrid",
      "--model",
      join(folder, "x.stemma"),
      "--epochs",
      "3",
      "--seed",
      "2",
      "--json",
    ];
    const args = [STEMMA, "train", ...files, ...more];
    const { epochs } = JSON.parse(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout) as {
      epochs: { las: number; uas: number }[];
    };
    const { entries } = report("grid");
    const entry = entries.find(
      (one) => one.treebank === "a" && one.system === "arc-hybrid" && one.oracle === "dynamic",
    )!;
    const seed = entry.seeds.find((one) => one.seed === 2)!;
    expect([100 * seed.las, 100 * seed.uas].map((score) => score.toFixed(2))).toEqual(
      [epochs[2]!.las, epochs[2]!.uas].map((score) => score.toFixed(2)),
    );
  });

  it("a changed experiment trains only what is new", () => {
    const systems = ["arc-standard", { system: "swap", oracles: ["static"] }];
    const treebanks = SPEC.treebanks.slice(0, 1);
    // Exploration does not concern static oracles.
    const changed = { ...SPEC, treebanks, systems, seeds: [2, 3], options: { epochs: 2, exploreFrom: 1 } };
    const { stderr, status } = run(written("changed", changed), "--results", join(folder, "grid", "results"));
    expect(status, stderr).toBe(0);
    expect(stderr).toContain("6 of 6 training runs: 1 already there, 5 new");
  });

  it("a result that is lost or damaged is trained again; --report-only trains nothing", () => {
    const [lost, damaged] = gridFiles;
    const before = report("grid");
    const own = join(folder, "own");
    const path = written("own");
    mkdirSync(join(own, "results"), { recursive: true });
    const only = run(path, "--report-only");
    expect(only.stderr).toContain("0 of 24 training runs");
    expect(only.status).toBe(0);
    expect(readFileSync(join(own, "report.md"), "utf8")).toMatch(
      /Not finished: 24 of 24[\s\S]*## Missing[\s\S]*\| arc-hybrid +\| dynamic +\| 2 of 2 \| 2 of 2 \|[\s\S]*nothing is computed yet/,
    );
    const results = ["--results", join(folder, "grid", "results")];
    rmSync(join(folder, "grid", "results", lost!));
    const text = readFileSync(join(folder, "grid", "results", damaged!), "utf8");
    writeFileSync(join(folder, "grid", "results", damaged!), text.slice(0, text.length / 2));
    const some = run(path, "--report-only", ...results);
    expect(some.stderr).toContain("22 of 24 training runs");
    expect(readFileSync(join(own, "report.md"), "utf8")).toContain("Not finished: 2 of 24");
    const status = run(path, "--status", ...results);
    const missing = status.stdout.split("\n").filter((line) => line.startsWith("missing: "));
    expect([status.stdout.split("\n")[0], missing.length]).toEqual([`${path}: 22 of 24 training runs are finished`, 2]);
    const again = run(path, ...results);
    expect(again.stderr).toContain("24 of 24 training runs: 22 already there, 2 new");
    const scores = ({ entries }: ReportData) => entries.map(({ treebank, seeds }) => [treebank, seeds]);
    expect(scores(report("own"))).toEqual(scores(before));
  });

  it("has test sets, groups of sentences, each left out in turn, and what others have published", () => {
    const dev = makeUp(30, 2, 0.2);
    const bodies = dev.map(String).map((text) => text.replace(/^#.*\n/gm, ""));
    const texts = bodies.map((text, i) => `# sent_id = ${i % 3 ? "news" : "chat"}-${i}\n${text}`);
    writeFileSync(join(folder, "ids.conllu"), texts.join(""));
    writeFileSync(join(folder, "first.conllu"), texts.slice(0, 15).join(""));
    writeFileSync(join(folder, "second.conllu"), texts.slice(15).join(""));
    const sets = { first: "first.conllu", second: "second.conllu" };
    const path = written("sets", {
      title: "Sets",
      about: ["One.", "Two."],
      verdict: "holds",
      baseline: "arc-hybrid",
      published: [{ source: "P, table 1", metric: "uas", treebank: "a", scores: { "arc-hybrid": { static: 71.5 } } }],
      treebanks: [
        { name: "a", train: "a-train.conllu", dev: sets },
        { name: "b", train: "ids.conllu", leaveOut: "groups", groups: "^[a-z]+" },
        { name: "c", train: "ids.conllu", folds: 2, groups: "^([a-z]+)-" },
      ],
      systems: ["arc-standard", "arc-hybrid", { name: "eager", system: "arc-eager", oracles: ["dynamic"] }],
      oracles: ["static"],
      options: { epochs: 1 },
    });
    const { stderr, status } = run(path, "--jobs", "2");
    expect(status, stderr).toBe(0);
    // A file, two groups and two folds for each system.
    expect(stderr).toContain("15 of 15 training runs");
    expect(stderr).toContain("b arc-hybrid static seed 1 without chat");
    const { entries, comparisons } = report("sets") as ReportData & {
      comparisons: { errorReduction: number }[];
    };
    const of = (treebank: string, system = "arc-hybrid") =>
      entries.find((one) => one.treebank === treebank && one.system === system)!;
    const words = (from: number, to: number, isOwn: (i: number) => boolean = () => true) =>
      bodies.reduce((sum, text, i) => sum + (i >= from && i < to && isOwn(i) ? text.trim().split("\n").length : 0), 0);
    const [first, second] = [words(0, 15), words(15, 30)];
    const whole = (first * of("a/first").las.mean + second * of("a/second").las.mean) / (first + second);
    expect(of("a").las.mean).toBeCloseTo(whole, 12);
    const chat = (i: number) => i % 3 === 0;
    for (const name of ["b", "c"]) {
      const [chats, news] = [words(0, 30, chat), words(0, 30, (i) => !chat(i))];
      const mean = (chats * of(`${name}/chat`).las.mean + news * of(`${name}/news`).las.mean) / (chats + news);
      expect(of(name).las.mean).toBeCloseTo(mean, 12);
    }
    // Pairs with the baseline only, on three treebanks, six sets and all together.
    expect(comparisons).toHaveLength(20);
    for (const { treebank, first, second, errorReduction } of comparisons) {
      expect(first.system).toBe("arc-hybrid");
      if (treebank === "all") continue;
      const [before, after] = [of(treebank).las.mean, of(treebank, second.system).las.mean];
      expect(errorReduction).toBeCloseTo((after - before) / (1 - before), 12);
    }
    const markdown = readFileSync(join(folder, "sets", "report.md"), "utf8");
    const [, here] = /\| arc-hybrid \| static \| +71\.50 \| +([\d.]+) \| +1 \|/.exec(markdown)!;
    expect(here).toBe((100 * of("a").uas.mean).toFixed(2));
    expect(markdown).toMatch(/\| static +\| arc-hybrid → eager, dynamic +\|/);
    expect(markdown).toContain("One.\n\nTwo.\n\n**Verdict:** holds");
    const results = resultsOf("sets").map(
      (name) => JSON.parse(readFileSync(join(folder, "sets", "results", name), "utf8")) as CellResult,
    );
    const result = results.find(({ cell }) => cell === "a arc-hybrid static seed 1")!;
    // Every sentence ends in a full stop.
    expect(result.goldWords).toEqual(result.gold.map((words) => words - 1));
    const stops = result.last.las.map((right, i) => right - result.last.wordLas[i]!);
    expect(stops.every((right) => right === 0 || right === 1) && stops.includes(1)).toBe(true);
    const total = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
    expect(of("a").wordLas.mean).toBeCloseTo(total(result.last.wordLas) / total(result.goldWords), 12);
    expect(result).toMatchObject({ command: "stemma experiment sets.json", cell: expect.stringContaining("seed 1") });
    expect(Date.parse(result.time)).toBeGreaterThan(Date.now() - 600_000);
  }, 120_000);

  it("takes results of another build only with --any-build", () => {
    const results = join(folder, "builds");
    mkdirSync(results);
    for (const name of gridFiles) {
      const other = `${name.slice(0, name.indexOf("-"))}-000000000000.json`;
      copyFileSync(join(folder, "grid", "results", name), join(results, other));
    }
    const path = written("builds");
    const none = run(path, "--results", results, "--report-only");
    expect(none.stderr).toContain("24 training runs have results from other builds");
    expect(none.stderr).toContain("0 of 24 training runs: 0 already there");
    expect(run(path, "--results", results, "--any-build").stderr).toContain("24 already there, 0 new");
  });

  it("trains networks, beams, pipelines and graph-based parsers by the settings of stemma train", {
    timeout: 60_000,
  }, () => {
    const sizes = { network: true, layers: 1, width: 8, hidden: 8 };
    const spec = written("kinds", {
      ...SPEC,
      treebanks: SPEC.treebanks.slice(0, 1),
      systems: [
        { name: "network", system: "arc-hybrid", ...sizes },
        { name: "beam", system: "arc-eager", beam: 2, globalEpochs: 1 },
        { name: "pipeline", system: "arc-standard", pipeline: true, folds: 2, joint: "tags" },
        { name: "graph", system: "graph", learner: "perceptron" },
        { name: "biaffine", system: "graph", ...sizes },
      ],
      oracles: ["static"],
      seeds: [1],
      options: { epochs: 1, maxLength: 40, margin: 0.5 },
    });
    const { stderr, status } = run(spec, "--jobs", "2");
    expect(status, stderr).toBe(0);
    expect(stderr).toContain("5 of 5 training runs: 0 already there, 5 new, 0 failed");
    const results = resultsOf("kinds").map(
      (name) => JSON.parse(readFileSync(join(folder, "kinds", "results", name), "utf8")) as CellResult,
    );
    const { options } = results.find(({ key }) => key.options.beam === 2)!.key;
    expect(options).toMatchObject({ system: "arc-eager", globalEpochs: 1, margin: 0.5, maxLength: 40 });
    // A setting without effect does not make another cell.
    for (const { key } of results) expect("margin" in key.options).toBe(key.options.learner === "perceptron");
  });

  it("stops in order and goes on", async () => {
    const path = written("stopped", { ...SPEC, treebanks: SPEC.treebanks.slice(0, 1) });
    const child = spawn(process.execPath, [STEMMA, "experiment", path, "--jobs", "1"]);
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
      if (said.includes("[2/8]") && !child.killed) child.kill("SIGINT");
    });
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(130);
    expect(said).toMatch(/stopped: \d+ of 8 training runs are finished/);
    const there = resultsOf("stopped");
    expect(there.length).toBeGreaterThanOrEqual(2);
    expect(there.length).toBeLessThan(8);
    expect(there.every((name) => name.endsWith(".json"))).toBe(true);
    const rest = run(path);
    expect(rest.stderr).toContain(`${there.length} already there, ${8 - there.length} new`);
  });

  it("a training run that is killed goes on at its checkpoint", async () => {
    const results = join(folder, "grid", "results");
    const whole = gridFiles
      .map((name) => JSON.parse(readFileSync(join(results, name), "utf8")) as CellResult)
      .find(({ key }) => key.dev && key.options.system === "arc-hybrid" && key.options.oracle === "dynamic")!;
    const job: Job = {
      train: join(folder, "a-train.conllu"),
      dev: [join(folder, "a-dev.conllu")],
      key: whole.key,
      build: whole.build,
      command: whole.command,
      cell: whole.cell,
      templates: defaultTemplates("arc-hybrid"),
      inputs: {},
      result: join(folder, "killed.json"),
      checkpoint: join(folder, "killed.checkpoint"),
      checkpointEvery: 0,
    };
    const worker = (killedAt?: number) =>
      new Promise<number[]>((resolve) => {
        const child = fork(fileURLToPath(new URL("../../dist/experiment/cell-worker.js", import.meta.url)));
        const epochs: number[] = [];
        child.on("message", (message: Message) => {
          if (!("epoch" in message)) return;
          epochs.push(message.epoch);
          if (message.epoch === killedAt) child.kill("SIGKILL");
        });
        child.on("close", () => resolve(epochs));
        child.send(job);
      });
    await worker(2);
    // The kill may come too late to find it still at work.
    if (!existsSync(job.result)) expect((await worker())[0]).toBeGreaterThan(1);
    const { last, best, epochs, data } = JSON.parse(readFileSync(job.result, "utf8")) as CellResult;
    expect({ last, best, epochs, data }).toEqual({
      last: whole.last,
      best: whole.best,
      epochs: whole.epochs,
      data: whole.data,
    });
    expect(existsSync(job.checkpoint)).toBe(false);
  });

  it("leaves out sentences that cannot be read and says so once, with its place", () => {
    const bad = "1\ttor\t_\tNOUN\t_\t_\t1\troot\t_\t_\n\n";
    writeFileSync(join(folder, "bad.conllu"), bad + makeUp(20, 6).join(""));
    const treebanks = [{ name: "d", train: "bad.conllu", folds: 2 }];
    const path = written("bad", { ...SPEC, treebanks, systems: ["arc-hybrid"], oracles: ["static"], seeds: [1] });
    const { stderr, status } = run(path);
    expect(stderr.match(/bad\.conllu:1:7: invalid HEAD/g)).toHaveLength(1);
    expect(stderr).toContain("2 of 2 training runs");
    expect(status).toBe(1);
    expect(run(path, "--strict").stderr).not.toContain("training runs");
  });

  it("a training run that fails does not stop the others", () => {
    // Every tree has crossing arcs, which arc-standard cannot build.
    const crossing = makeUp(200, 5, 1).filter((sentence) => sentence.heads[sentence.length - 1] !== 0);
    writeFileSync(join(folder, "crossing.conllu"), crossing.join(""));
    const treebanks = [{ name: "c", train: "crossing.conllu", holdOut: 10 }];
    const path = written("failing", {
      ...SPEC,
      treebanks,
      systems: ["arc-standard"],
      seeds: [1],
      options: { epochs: 1 },
    });
    const { stderr, status } = run(path);
    expect(stderr).toContain("c arc-standard static seed 1: failed: no sentences to train on");
    expect(stderr).toContain("1 of 2 training runs: 0 already there, 1 new, 1 failed");
    expect(status).toBe(1);
    expect(readFileSync(join(folder, "failing", "report.md"), "utf8")).toContain("Not finished: 1 of 2");
  });

  it.each([
    [
      { ...SPEC, seed: 1 },
      "unknown field: seed (expected title, about, verdict, published, results, baseline, report, treebanks,",
    ],
    [{ ...SPEC, oracles: ["static", "dinamic"] }, 'invalid oracles[1]: "dinamic" (expected one of static,'],
    [
      { ...SPEC, oracles: ["static", "non-deterministic"], systems: ["two-planar"] },
      'invalid systems[0]: "two-planar" (expected a system with a non-deterministic oracle; or give',
    ],
    [
      { ...SPEC, systems: ["arc-hybrid", "arc-hybrid"] },
      'invalid systems[1].name: nothing (expected a unique name: "arc-hybrid" is taken)',
    ],
    [
      { ...SPEC, systems: [{ system: "attardi", degree: 33 }] },
      "invalid systems[0].degree: 33 (expected a whole number from 2 to 32)",
    ],
    [{ ...SPEC, seeds: [1, 1] }, "invalid seeds: [1,1] (expected each seed once)"],
    [{ ...SPEC, options: { epochs: 0 } }, "invalid options.epochs: 0 (expected a whole number from 1)"],
    [
      { ...SPEC, treebanks: [{ name: "a", train: "a-train.conllu" }] },
      "expected exactly one of dev, folds, holdOut and leaveOut",
    ],
    [
      { ...SPEC, treebanks: [{ name: "a", train: "x", folds: 2, groups: "(" }] },
      'invalid treebanks[0].groups: "(" (expected a regular expression',
    ],
    [
      { ...SPEC, treebanks: [{ name: "a", train: "x", leaveOut: "groups" }] },
      "invalid treebanks[0].groups: nothing (expected what to look for in a sent_id)",
    ],
    [{ ...SPEC, treebanks: [{ name: "a", train: "x", dev: {} }] }, "invalid treebanks[0].dev: {} (expected a file, or"],
    [{ ...SPEC, baseline: "swap" }, 'invalid baseline: "swap" (expected one of arc-standard, arc-hybrid)'],
    [
      { ...SPEC, published: [{ source: "x", metric: "las", scores: { "arc-hybrid": { static: "high" } } }] },
      'invalid published[0].scores.arc-hybrid.static: "high" (expected a score in percent)',
    ],
    [
      { ...SPEC, published: [{ source: "x", metric: "las", scores: { swap: {} } }] },
      "unknown field: published[0].scores.swap (expected arc-standard, arc-hybrid)",
    ],
    [{ ...SPEC, treebanks: [{ name: "a/b", train: "x", folds: 2 }] }, 'invalid treebanks[0].name: "a/b"'],
  ])("refuses what is wrong: %#", (spec, message) => {
    expect(() => parseSpec(JSON.stringify(spec), "wrong.json")).toThrow(message);
  });

  it.each([
    ["[1", "not JSON"],
    ["{}", "invalid systems: nothing (expected a list that is not empty)"],
    [{ ...SPEC, treebanks: [{ name: "a", train: "a-train.conllu", folds: 99 }] }, "60 sentences (expected at least 99"],
    [
      { ...SPEC, treebanks: [{ name: "a", train: "a-train.conllu", folds: 2, groups: "^nowhere" }] },
      'a-train.conllu: "groups": "^nowhere" matches no sent_id',
    ],
    [{ ...SPEC, systems: [{ system: "arc-standard", features: "gone" }] }, "wrong.json: systems[0]: "],
    [{ ...SPEC, treebanks: [{ name: "a", train: "gone.conllu", folds: 2 }] }, "gone.conllu: cannot read: no such file"],
  ])("ends with status 2 for what is wrong: %#", (spec, message) => {
    const path = join(folder, "wrong.json");
    writeFileSync(path, typeof spec === "string" ? spec : JSON.stringify(spec));
    const { stderr, status } = run(path);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});
