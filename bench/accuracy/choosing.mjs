// Accuracy against speed of every configuration (docs/choosing.md): node bench/accuracy/choosing.mjs [--keep FOLDER] [--systems
// a,b] [--kinds linear,beam,network] TREEBANK ... Trains what is not in the folder yet (stemma train, seed 1, on the
// training set), parses the development set with several widths of the beam, and writes
// docs/experiments/choosing/TREEBANK.json: for each LAS and UAS (gold tokens and tags, full labels, punctuation
// included) and words a second on one core, the best of several runs after one that does not count. --report only draws
// what is there: tables to standard output, plots to docs/images.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { plotSVG } from "../../packages/core/dist/evaluation.js";
import { readModel, readTreebank } from "../../packages/core/dist/index.js";
import { SYSTEM_NAMES } from "../../packages/core/dist/systems.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: "string" },
    systems: { type: "string" },
    kinds: { type: "string" },
    vectors: { type: "string" },
    threads: { type: "string", default: "2" },
    runs: { type: "string", default: "3" },
    report: { type: "boolean" },
  },
});
const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));
const results = path("../../docs/experiments/choosing");
const threads = ["--threads", values.threads];

/**
 * Trainings: options of stemma train besides the system, and the widths of the beam to parse with.
 * @type {Record<string, { name: string, options: string[], beams: number[], systems?: string[] }>}
 */
const KINDS = {
  linear: { name: "linear, greedy", options: [], beams: [1] },
  beam: {
    name: "linear, beam",
    options: ["--beam", "8", "--epochs", "6", "--global-epochs", "6"],
    beams: [2, 4, 8, 16, 32, 64],
  },
  committee: {
    name: "linear, beam, mean of three",
    options: ["--beam", "8", "--epochs", "5", "--global-epochs", "5", "--members", "3"],
    beams: [2, 4, 8, 16, 32, 64],
    systems: ["arc-standard"],
  },
  small: {
    name: "network, small",
    options: ["--network", "--layers", "1", "--width", "64", "--hidden", "128", ...threads],
    beams: [1, 4, 8],
    systems: ["arc-hybrid"],
  },
  network: { name: "network, accurate", options: ["--preset", "accurate", ...threads], beams: [1, 4, 8] },
  best: {
    name: "network, best",
    options: ["--preset", "best", ...threads],
    beams: [1, 4, 8, 16],
    systems: ["arc-hybrid"],
  },
  vectors: {
    name: "network, best, vectors",
    options: ["--preset", "best", ...threads, "--vectors", values.vectors ?? ""],
    beams: [1, 4, 8, 16],
    systems: ["arc-hybrid"],
  },
};

/**
 * @typedef {{ kind: string, system: string, beam: number, las: number, uas: number, wordsPerSecond: number, megabytes:
 * number, trainingSeconds: number }} Row
 */

mkdirSync(results, { recursive: true });
if (!values.report) {
  const folder = values.keep ?? mkdtempSync(join(tmpdir(), "stemma-choosing-"));
  mkdirSync(folder, { recursive: true });
  const systems = values.systems?.split(",") ?? SYSTEM_NAMES;
  const kinds = values.kinds?.split(",") ?? Object.keys(KINDS).filter((kind) => kind !== "vectors" || values.vectors);
  for (const treebank of positionals) {
    for (const kind of kinds) {
      for (const system of KINDS[kind]?.systems ?? systems) measure(treebank, kind, system, folder);
    }
  }
}
for (const file of readdirSync(results).filter((name) => name.endsWith(".json"))) report(file.replace(".json", ""));

/**
 * @param {string} treebank
 * @param {string} kind
 * @param {string} system
 * @param {string} folder
 */
function measure(treebank, kind, system, folder) {
  const [train, dev] = ["train", "dev"].map((part) => path(`../../../shared/treebanks/${treebank}-ud-${part}.conllu`));
  const known = KINDS[kind];
  if (!train || !dev || !known || !existsSync(dev)) {
    console.error(
      `${treebank} ${kind}: skipped (expected a treebank in ../shared/treebanks and a kind of ${Object.keys(KINDS)})`,
    );
    return;
  }
  const model = join(folder, `${treebank}-${kind}-${system}.stemma`);
  const log = `${model}.json`;
  if (!existsSync(log)) {
    // Swap has no dynamic oracle; most systems cannot build crossing arcs (Attardi only some), so these are lifted, but
    // in English (0.2 %) that brings only labels.
    const oracle = system === "swap" ? ["--oracle", "static"] : [];
    const crosses = system === "swap" || system === "attardi";
    const lift = crosses || treebank === "en_ewt" ? [] : ["--projectivize", "head"];
    const args = ["train", train, "--dev", dev, "--model", model, "--system", system, ...oracle, ...lift, "--json"];
    const { stdout, status } = spawnSync(
      process.execPath,
      [path("../../packages/cli/bin/stemma.js"), ...args, ...known.options],
      { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
    );
    if (status !== 0) {
      console.error(`${treebank} ${kind} ${system}: training failed`);
      return;
    }
    writeFileSync(log, stdout);
  }
  const { seconds } = JSON.parse(readFileSync(log, "utf8"));
  const bytes = readFileSync(model);
  const loaded = readModel(bytes).parser;
  const sentences = readTreebank(readFileSync(dev, "utf8"));
  /** @type {Row[]} */
  const rows = [];
  for (const beam of known.beams) {
    const parser = loaded.createParser({ beam });
    let [words, uas, las] = [0, 0, 0];
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run <= Number(values.runs); run++) {
      [words, uas, las] = [0, 0, 0];
      const started = performance.now();
      const trees = sentences.map((sentence) => parser.parse(sentence));
      if (run > 0) best = Math.min(best, performance.now() - started);
      sentences.forEach((sentence, s) => {
        const { heads, labels } = /** @type {(typeof trees)[0]} */ (trees[s]);
        for (let d = 1; d <= sentence.length; d++) {
          words++;
          if (heads[d] !== sentence.heads[d]) continue;
          uas++;
          if (labels[d] === sentence.deprel(d)) las++;
        }
      });
    }
    const row = {
      kind,
      system,
      beam,
      las: Math.round((1e4 * las) / words) / 100,
      uas: Math.round((1e4 * uas) / words) / 100,
      wordsPerSecond: Math.round((1000 * words) / best),
      megabytes: Math.round(statSync(model).size / 1e4) / 100,
      trainingSeconds: Math.round(seconds),
    };
    rows.push(row);
    console.error(treebank, JSON.stringify(row));
  }
  const file = join(results, `${treebank}.json`);
  /** @type {Row[]} */
  const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  const others = before.filter((row) => row.kind !== kind || row.system !== system);
  const order = (/** @type {Row} */ row) =>
    1e4 * Object.keys(KINDS).indexOf(row.kind) +
    1e2 * SYSTEM_NAMES.indexOf(/** @type {never} */ (row.system)) +
    row.beam;
  const all = [...others, ...rows].sort((a, b) => order(a) - order(b));
  writeFileSync(file, `[\n${all.map((row) => `  ${JSON.stringify(row)}`).join(",\n")}\n]\n`);
}

/** @param {string} treebank */
function report(treebank) {
  /** @type {Row[]} */
  const rows = JSON.parse(readFileSync(join(results, `${treebank}.json`), "utf8"));
  console.log(`\n| ${treebank} | system | beam | LAS | UAS | words/s | MB | training, s |`);
  console.log("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
  for (const { kind, system, beam, las, uas, wordsPerSecond, megabytes, trainingSeconds } of rows) {
    const columns = [KINDS[kind]?.name, system, beam, las.toFixed(2), uas.toFixed(2), wordsPerSecond, megabytes];
    console.log(`| ${columns.join(" | ")} | ${trainingSeconds} |`);
  }
  const svg = plotSVG(
    {
      title: `${treebank}: accuracy against speed`,
      x: { label: "words a second on one core", log: true },
      y: { label: "LAS, development set, gold tags" },
      series: Object.entries(KINDS).flatMap(([kind, { name }]) => {
        const systems = [...new Set(rows.filter((row) => row.kind === kind).map((row) => row.system))];
        return systems.map((system) => ({
          name: `${name}, ${system}`,
          points: rows
            .filter((row) => row.kind === kind && row.system === system)
            .map(({ wordsPerSecond: x, las: y, beam }) => ({ x, y, label: beam > 1 ? String(beam) : undefined })),
        }));
      }),
    },
    { width: 900, height: 640, standalone: true },
  );
  writeFileSync(path(`../../docs/images/choosing-${treebank}.svg`), svg);
}
