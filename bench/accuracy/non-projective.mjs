// How accurate are systems that build crossing arcs, on all arcs and on those that are not projective?
//
//   node bench/accuracy/non-projective.mjs [--sentences 800] [--dev 500] [--epochs 5] [--network-epochs 15] [--seeds 1]
//     [--systems "A;B"] [--results FILE] TREEBANK…
//
// Linear models, root last, greedy but for the rows of beams, with the oracle that each system is trained with for
// choice: a dynamic one where there is one. Rows of networks are trained as `stemma train --network` does. With --results a cell that is in the file is not trained again, so that a
// run can go on where another one was stopped; the tables are printed of all cells in it. Treebanks: eu_bdt,
// nl_lassysmall, tr_imst and el_gdt by default; more/ga_idt for one of the packed ones. Words per second are by the time
// of the processor while it parses. p: approximate randomisation of LAS over the sentences of all seeds, against the
// first row of linear models, or of networks.
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
import { encodingOf } from "../../packages/core/dist/tags/encodings/encodings.js";
import { GraphTraining, Training, train } from "../../packages/core/dist/training.js";
import { nonProjectiveArcs, TreebankReader } from "../../packages/core/dist/treebank.js";
import { trainingFile } from "../data/treebanks.mjs";

/** Training step by step with a network. */
const STEPS = { network: true, oracle: "dynamic", root: "last" };

/**
 * The rows: a system and its settings, whether trees are made projective for it, the width of a beam; or what `train`
 * is to be given.
 */
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
  pointers: { train: { system: "pointers" } },
  tags: { train: { system: "tags" } },
  "tags, hierarchical": { train: { system: "tags", encoding: "hierarchical", projectivize: "head" } },
  "pseudo-projective, beam 8": { system: "arc-hybrid", projectivize: "head", beam: 8 },
  "swap, beam 8": { system: "swap", beam: 8 },
  "pointers, beam 8": { train: { system: "pointers" }, beam: 8 },
  "network: pseudo-projective": { train: { ...STEPS, system: "arc-hybrid", projectivize: "head" } },
  "network: arc-hybrid-swap": { train: { ...STEPS, system: "arc-hybrid-swap" } },
  "network: graph": { train: { system: "graph", decoder: "edmonds", network: true } },
  "network: pointers": { train: { system: "pointers", network: true } },
  "network: tags": { train: { system: "tags", network: true } },
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
    "network-epochs": { type: "string", default: "15" },
    seeds: { type: "string", default: "1" },
    systems: { type: "string", default: MAIN_ROWS.join(";") },
    results: { type: "string" },
  },
});
const rows = values.systems.split(";");
const treebanks = positionals.length > 0 ? positionals : ["eu_bdt", "nl_lassysmall", "tr_imst", "el_gdt"];

/** @type {Map<string, any>} */
const done = new Map();
if (values.results && existsSync(values.results)) {
  for (const line of readFileSync(values.results, "utf8").split("\n").filter(Boolean)) keep(JSON.parse(line));
}

function keep(cell) {
  done.set(keyOf(cell.treebank, cell.row, cell.seed, cell.sizes), cell);
}

function keyOf(treebank, row, seed, of = sizesOf(row)) {
  return [treebank, row, seed, of].join(" ");
}

/** How long a row is trained, and on how much. */
function epochsOf(row) {
  return Number(ROWS[row].train?.network ? values["network-epochs"] : values.epochs);
}

function sizesOf(row) {
  return [values.sentences, values.dev, epochsOf(row)].join("/");
}

for (const treebank of treebanks) {
  const file = trainingFile(treebank);
  const sentences = read(file, Number(values.sentences));
  const dev = read(file.replace("-train", "-dev"), Number(values.dev));
  for (const row of rows) {
    if (!ROWS[row]) throw new RangeError(`invalid system: ${row} (expected some of ${Object.keys(ROWS).join(", ")})`);
    for (const seed of values.seeds.split(",")) {
      if (done.has(keyOf(treebank, row, seed))) continue;
      const cell = {
        ...{ treebank, row, seed, sizes: sizesOf(row) },
        ...(await measured(row, sentences, dev, Number(seed))),
      };
      keep(cell);
      if (values.results) appendFileSync(values.results, `${JSON.stringify(cell)}\n`);
    }
  }
  print(
    treebank,
    dev.map(({ length }) => length),
  );
}

/** The model of a row. */
async function trained(row, sentences, seed) {
  const epochs = epochsOf(row);
  if (ROWS[row].train) return (await train({ ...ROWS[row].train, sentences, epochs, seed })).model.parser;
  const training = trainingOf(ROWS[row], sentences, epochs, seed);
  while (training.epoch < epochs) training.runEpoch();
  return training.model();
}

function trainingOf({ system: name, graph, projectivize, beam, settings }, sentences, epochs, seed) {
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

async function measured(row, sentences, dev, seed) {
  const { beam } = ROWS[row];
  const parser = (await trained(row, sentences, seed)).createParser(beam ? { beam } : {});
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
  return { ...count, coverage: coverage(ROWS[row], sentences), speed: count.words / ((user + inSystem) / 1e6), right };
}

function coverage({ system: name, projectivize, settings, train }, sentences) {
  if (train?.system === "tags" && !train.projectivize) {
    const { encoding = "two-planes" } = train;
    return sentences.filter(({ heads }) => encodingOf(encoding).encode(heads)).length / sentences.length;
  }
  if (!name || projectivize) return 1;
  const system = createSystem(name, settings);
  const c = new Configuration();
  return sentences.filter(({ heads }) => canBuild(system, new GoldTree(heads), c)).length / sentences.length;
}

function print(treebank, lengths) {
  const share = (some, all) => (all === 0 ? "–" : ((100 * some) / all).toFixed(2));
  const epochs = `${values.epochs} epochs, of networks ${values["network-epochs"]}`;
  console.log(`\n${treebank}, ${values.sentences} training and ${values.dev} development sentences, ${epochs}\n`);
  console.log("| system | seeds | coverage | UAS | LAS | p | np. precision | recall | gold | built | words/s |");
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  const seeds = values.seeds.split(",");
  const cellsOf = (row, of) => of.flatMap((seed) => done.get(keyOf(treebank, row, seed)) ?? []);
  for (const row of rows) {
    const cells = cellsOf(row, seeds);
    if (cells.length === 0) continue;
    const isNetwork = (one) => Boolean(ROWS[one].train?.network);
    const reference = rows.find((one) => isNetwork(one) === isNetwork(row));
    const first = cellsOf(reference, seeds).filter(({ seed }) => cells.some((cell) => cell.seed === seed));
    const sum = (name) => cells.reduce((all, cell) => all + cell[name], 0);
    const columns = [
      cells.length,
      share(sum("coverage"), cells.length),
      share(sum("uas"), sum("words")),
      share(sum("las"), sum("words")),
      first.length < cells.length || row === reference ? "–" : significance(first, cells, lengths),
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
