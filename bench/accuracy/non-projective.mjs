// How accurate are systems that build crossing arcs, on all arcs and on those that are not projective?
//
//   node bench/accuracy/non-projective.mjs [--sentences 800] [--dev 500] [--epochs 5] [--seeds 1] [--systems "A;B"]
//     [--results FILE] TREEBANK…
//
// Linear models, root last, greedy but for the rows of beams, with the oracle that each system is trained with for
// choice: a dynamic one where there is one. With --results a cell that is in the file is not trained again, so that a
// run can go on where another one was stopped; the tables are printed of all cells in it. Treebanks: eu_bdt,
// nl_lassysmall, tr_imst and el_gdt by default; more/ga_idt for one of the packed ones. Words per second are by the time
// of the processor while it parses. p: approximate randomisation of LAS over the sentences of all seeds, against the
// first row.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { compareSystems } from "../../packages/core/dist/evaluation.js";
import { Sentence } from "../../packages/core/dist/index.js";
import {
  Configuration,
  canBuild,
  createSystem,
  defaultTemplates,
  GoldTree,
  trainingOracle,
} from "../../packages/core/dist/systems.js";
import { GraphTraining, Training } from "../../packages/core/dist/training.js";
import { nonProjectiveArcs, TreebankReader } from "../../packages/core/dist/treebank.js";
import { trainingFile } from "../data/treebanks.mjs";

/** The rows: a system and its settings, whether trees are made projective for it, the width of a beam. */
const ROWS = {
  projective: { system: "arc-hybrid" },
  "pseudo-projective": { system: "arc-hybrid", projectivize: "head" },
  swap: { system: "swap" },
  attardi: { system: "attardi" },
  "attardi-auxiliary": { system: "attardi-auxiliary" },
  covington: { system: "covington" },
  "covington, non-monotonic": { system: "covington", settings: { monotonic: false } },
  "two-planar": { system: "two-planar" },
  "arc-hybrid-swap": { system: "arc-hybrid-swap" },
  graph: { graph: "edmonds" },
  "pseudo-projective, beam 8": { system: "arc-hybrid", projectivize: "head", beam: 8 },
  "swap, beam 8": { system: "swap", beam: 8 },
  // Projective ones, for tables of their own: --systems "arc-eager;arc-swift;lr-spines".
  "arc-eager": { system: "arc-eager", projectivize: "head", isAside: true },
  "arc-swift": { system: "arc-swift", projectivize: "head", isAside: true },
  "lr-spines": { system: "lr-spines", projectivize: "head", isAside: true },
};
const MAIN_ROWS = Object.keys(ROWS).filter((row) => !ROWS[row].isAside);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "800" },
    dev: { type: "string", default: "500" },
    epochs: { type: "string", default: "5" },
    seeds: { type: "string", default: "1" },
    systems: { type: "string", default: MAIN_ROWS.join(";") },
    results: { type: "string" },
  },
});
const rows = values.systems.split(";");
const treebanks = positionals.length > 0 ? positionals : ["eu_bdt", "nl_lassysmall", "tr_imst", "el_gdt"];
const sizes = [values.sentences, values.dev, values.epochs].join("/");

/** @type {Map<string, any>} */
const done = new Map();
if (values.results && existsSync(values.results)) {
  for (const line of readFileSync(values.results, "utf8").split("\n").filter(Boolean)) keep(JSON.parse(line));
}

function keep(cell) {
  done.set(keyOf(cell.treebank, cell.row, cell.seed, cell.sizes), cell);
}

function keyOf(treebank, row, seed, of = sizes) {
  return [treebank, row, seed, of].join(" ");
}

for (const treebank of treebanks) {
  const file = trainingFile(treebank);
  const sentences = read(file, Number(values.sentences));
  const dev = read(file.replace("-train", "-dev"), Number(values.dev));
  for (const row of rows) {
    if (!ROWS[row]) throw new RangeError(`invalid system: ${row} (expected some of ${Object.keys(ROWS).join(", ")})`);
    for (const seed of values.seeds.split(",")) {
      if (done.has(keyOf(treebank, row, seed))) continue;
      const cell = { treebank, row, seed, sizes, ...measured(ROWS[row], sentences, dev, Number(seed)) };
      keep(cell);
      if (values.results) appendFileSync(values.results, `${JSON.stringify(cell)}\n`);
    }
  }
  print(
    treebank,
    dev.map(({ length }) => length),
  );
}

function trained({ system: name, graph, projectivize, beam, settings }, sentences, seed) {
  const epochs = Number(values.epochs);
  if (graph) return new GraphTraining(sentences, { decoder: graph, order: 1, learner: "mira", epochs, seed });
  const isDynamic = trainingOracle(createSystem(name, settings)) !== undefined;
  return new Training(sentences, {
    system: name,
    root: "last",
    oracle: isDynamic ? "dynamic" : "static",
    exploreFrom: 2,
    exploreProbability: isDynamic ? 1 : 0,
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
    templates: defaultTemplates(name),
    epochs,
    seed,
    ...(settings ? { systemSettings: settings } : {}),
    ...(projectivize ? { projectivize } : {}),
    // The same training, with a beam in parsing alone.
    ...(beam ? { beam, globalEpochs: 0 } : {}),
  });
}

function measured(row, sentences, dev, seed) {
  const training = trained(row, sentences, seed);
  while (training.epoch < Number(values.epochs)) training.runEpoch();
  const parser = training.model().createParser();
  const count = { words: 0, uas: 0, las: 0, gold: 0, found: 0, recalled: 0, precise: 0 };
  const started = process.cpuUsage();
  const trees = dev.map((sentence) => parser.parse(sentence));
  const { user, system: inSystem } = process.cpuUsage(started);
  /** Sentence by sentence, for the test of significance. */
  const right = [];
  for (const [i, sentence] of dev.entries()) {
    const { heads, labels } = trees[i];
    const before = count.las;
    const isRight = (d) => heads[d] === sentence.heads[d] && labels[d] === sentence.deprel(d);
    for (let d = 1; d <= sentence.length; d++) {
      count.words++;
      if (heads[d] === sentence.heads[d]) count.uas++;
      if (isRight(d)) count.las++;
    }
    right.push(count.las - before);
    const wanted = nonProjectiveArcs(sentence.heads);
    const built = nonProjectiveArcs(heads);
    count.gold += wanted.length;
    count.found += built.length;
    count.recalled += wanted.filter(isRight).length;
    count.precise += built.filter(isRight).length;
  }
  return { ...count, coverage: coverage(row, sentences), speed: count.words / ((user + inSystem) / 1e6), right };
}

function coverage({ system: name, projectivize, settings }, sentences) {
  if (!name || projectivize) return 1;
  const system = createSystem(name, settings);
  const c = new Configuration();
  return sentences.filter(({ heads }) => canBuild(system, new GoldTree(heads), c)).length / sentences.length;
}

function print(treebank, lengths) {
  const share = (some, all) => (all === 0 ? "–" : ((100 * some) / all).toFixed(2));
  console.log(`\n${treebank}, ${sizes} (training sentences, development sentences, epochs)\n`);
  console.log("| system | seeds | coverage | UAS | LAS | p | np. precision | recall | gold | built | words/s |");
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  const seeds = values.seeds.split(",");
  const cellsOf = (row, of) => of.flatMap((seed) => done.get(keyOf(treebank, row, seed)) ?? []);
  for (const row of rows) {
    const cells = cellsOf(row, seeds);
    if (cells.length === 0) continue;
    const first = cellsOf(rows[0], seeds).filter(({ seed }) => cells.some((cell) => cell.seed === seed));
    const sum = (name) => cells.reduce((all, cell) => all + cell[name], 0);
    const columns = [
      cells.length,
      share(sum("coverage"), cells.length),
      share(sum("uas"), sum("words")),
      share(sum("las"), sum("words")),
      first.length < cells.length || row === rows[0] ? "–" : significance(first, cells, lengths),
      share(sum("precise"), sum("found")),
      share(sum("recalled"), sum("gold")),
      Math.round(sum("gold") / cells.length),
      Math.round(sum("found") / cells.length),
      Math.round(sum("speed") / cells.length),
    ];
    console.log(`| ${[row, ...columns].join(" | ")} |`);
  }
}

/** How likely a difference of LAS as large as that between rows would be by chance. */
function significance(first, second, lengths) {
  const counts = (cells) => {
    const gold = cells.flatMap(() => lengths);
    const las = cells.flatMap(({ right }) => right);
    return { gold, system: gold, uas: las, las };
  };
  const { p } = compareSystems(counts(first), counts(second), "las");
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

/** The first sentences of a file that are trees. */
function read(file, most) {
  const reader = new TreebankReader({ requireTree: true });
  const bytes = existsSync(file) ? readFileSync(file) : gunzipSync(readFileSync(`${file}.gz`));
  const all = [...reader.push(bytes), ...reader.end()].filter((result) => result instanceof Sentence);
  return all.slice(0, most);
}
