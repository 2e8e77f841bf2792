// How accurate are systems that build crossing arcs, on all arcs and on those that are not projective? Writes the tables
// of docs/experiments/non-projective.md, after the text that is there. After npm run build:
//
//   node bench/accuracy/non-projective.mjs              measures what is missing, then writes the page
//   node bench/accuracy/non-projective.mjs --report     writes the page from what is there
//   --sentences N (300)  --dev N (500)  --epochs N (4)  --network-epochs N (15)  --seeds A,B (1,2,3)
//   --systems "A;B" (all rows)  --results FILE (docs/experiments/non-projective/results.jsonl)
//   --no-page prints the tables only  and names of treebanks; more/ga_idt is one of the packed ones
//
// Linear models, root last, greedy but for the rows of beams, with the oracle that each system is trained with for
// choice: a dynamic one where there is one. Rows of networks are trained as `stemma train --network` does. Every cell is
// kept as soon as it is measured. Words per second are by the time of the processor while it parses, the fastest of the
// seeds. p: approximate randomisation of LAS, a sentence exchanged with all its seeds at once, against the first row of
// linear models, or of networks.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
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
import { table } from "../data/markdown.mjs";
import { trainingFile } from "../data/treebanks.mjs";

/** Training step by step with a network. */
const STEPS = { network: true, oracle: "dynamic", root: "last" };

/**
 * The rows: what the tables call it, if not by its key; a system and its settings, whether trees are made projective for it, the width of a beam; or what `train`
 * is to be given.
 */
const ROWS = {
  projective: { title: "arc-hybrid", system: "arc-hybrid" },
  "pseudo-projective": { title: "arc-hybrid, pseudo-projective", system: "arc-hybrid", projectivize: "head" },
  swap: { system: "swap" },
  "swap, static": { title: "swap, static oracle", system: "swap", oracle: "static" },
  attardi: { title: "Attardi, degree 2", system: "attardi" },
  "attardi-auxiliary": { title: "Attardi, auxiliary stack", system: "attardi-auxiliary" },
  covington: { title: "Covington", system: "covington" },
  "covington, non-monotonic": {
    title: "Covington, non-monotonic",
    system: "covington",
    settings: { monotonic: false },
  },
  "two-planar": { title: "2-planar", system: "two-planar" },
  "arc-hybrid-swap": { title: "arc-hybrid with SWAP", system: "arc-hybrid-swap" },
  graph: { title: "graph-based, Chu-Liu/Edmonds", graph: "edmonds" },
  pointers: { train: { system: "pointers" } },
  tags: { title: "tags, two planes", train: { system: "tags" } },
  "tags, hierarchical": {
    title: "tags, hierarchical, pseudo-projective",
    train: { system: "tags", encoding: "hierarchical", projectivize: "head" },
  },
  "pseudo-projective, beam 8": {
    title: "arc-hybrid, pseudo-projective, beam 8",
    system: "arc-hybrid",
    projectivize: "head",
    beam: 8,
  },
  "swap, beam 8": { system: "swap", beam: 8 },
  "pointers, beam 8": { train: { system: "pointers" }, beam: 8 },
  "network: pseudo-projective": {
    title: "network: arc-hybrid, pseudo-projective",
    train: { ...STEPS, system: "arc-hybrid", projectivize: "head" },
  },
  "network: arc-hybrid-swap": {
    title: "network: arc-hybrid with SWAP",
    train: { ...STEPS, system: "arc-hybrid-swap" },
  },
  "network: graph": { title: "network: graph-based", train: { system: "graph", decoder: "edmonds", network: true } },
  "network: pointers": { train: { system: "pointers", network: true } },
  "network: tags": { title: "network: tags, two planes", train: { system: "tags", network: true } },
  // Projective ones, for tables of their own: --no-page --systems "arc-eager;arc-swift;lr-spines".
  "arc-eager": { system: "arc-eager", projectivize: "head", isAside: true },
  "arc-swift": { system: "arc-swift", projectivize: "head", isAside: true },
  "lr-spines": { system: "lr-spines", projectivize: "head", isAside: true },
  "arc-eager, static": { system: "arc-eager", projectivize: "head", oracle: "static", isAside: true },
  "arc-swift, static": { system: "arc-swift", projectivize: "head", oracle: "static", isAside: true },
};
const MAIN_ROWS = Object.keys(ROWS).filter((row) => !ROWS[row].isAside);

const TREEBANKS = ["eu_bdt", "nl_lassysmall", "el_gdt", "tr_imst", "more/ko_gsd", "more/ga_idt", "more/ru_taiga"];
/** The rest of the page, after it, is written here. */
const MARK = "<!-- node bench/accuracy/non-projective.mjs writes the rest -->";
const PAGE = fileURLToPath(new URL("../../docs/experiments/non-projective.md", import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "300" },
    dev: { type: "string", default: "500" },
    epochs: { type: "string", default: "4" },
    "network-epochs": { type: "string", default: "15" },
    seeds: { type: "string", default: "1,2,3" },
    systems: { type: "string", default: MAIN_ROWS.join(";") },
    results: {
      type: "string",
      default: fileURLToPath(new URL("../../docs/experiments/non-projective/results.jsonl", import.meta.url)),
    },
    report: { type: "boolean" },
    "no-page": { type: "boolean" },
  },
});
const rows = values.systems.split(";");
for (const row of rows) {
  if (!ROWS[row]) throw new RangeError(`invalid system: ${row} (expected some of ${Object.keys(ROWS).join(", ")})`);
}
const seeds = values.seeds.split(",");
const treebanks = positionals.length > 0 ? positionals : TREEBANKS;

/** @type {Map<string, any>} */
const done = new Map();
if (existsSync(values.results)) {
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

/** Of each treebank, how long the sentences are that are parsed. */
const lengths = new Map();
for (const treebank of treebanks) {
  const file = trainingFile(treebank);
  const dev = read(file.replace("-train", "-dev"), Number(values.dev));
  lengths.set(
    treebank,
    dev.map(({ length }) => length),
  );
  if (values.report) continue;
  const sentences = read(file, Number(values.sentences));
  for (const row of rows) {
    for (const seed of seeds) {
      if (done.has(keyOf(treebank, row, seed))) continue;
      const cell = {
        ...{ treebank, row, seed, sizes: sizesOf(row) },
        ...(await measured(row, sentences, dev, Number(seed))),
      };
      keep(cell);
      mkdirSync(dirname(values.results), { recursive: true });
      appendFileSync(values.results, `${JSON.stringify(cell)}\n`);
    }
  }
}

const text = [overview(), ...treebanks.map(ofTreebank)].join("\n\n");
console.log(`\n${text}`);
if (existsSync(PAGE) && !values["no-page"]) {
  const [before, after] = readFileSync(PAGE, "utf8").split(MARK);
  if (after === undefined) throw new Error(`${PAGE}: the line ${MARK} is not there`);
  writeFileSync(PAGE, `${before}${MARK}\n\n${text}\n`);
}

/** The model of a row. */
async function trained(row, sentences, seed) {
  const epochs = epochsOf(row);
  if (ROWS[row].train) return (await train({ ...ROWS[row].train, sentences, epochs, seed })).model.parser;
  const training = trainingOf(ROWS[row], sentences, epochs, seed);
  while (training.epoch < epochs) training.runEpoch();
  return training.model();
}

function trainingOf({ system: name, graph, projectivize, beam, settings, oracle }, sentences, epochs, seed) {
  if (graph) return new GraphTraining(sentences, { decoder: graph, order: 1, learner: "mira", epochs, seed });
  const isDynamic = oracle !== "static" && trainingOracle(createSystem(name, settings)) !== undefined;
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

function titleOf(row) {
  return ROWS[row].title ?? row;
}

function cellsOf(treebank, row) {
  return seeds.flatMap((seed) => done.get(keyOf(treebank, row, seed)) ?? []);
}

function total(cells, name) {
  return cells.reduce((all, cell) => all + cell[name], 0);
}

function share(some, all) {
  return all === 0 ? "–" : ((100 * some) / all).toFixed(2);
}

/** Mean and, of several seeds, standard deviation of LAS. */
function lasOf(cells) {
  const all = cells.map(({ las, words }) => (100 * las) / words);
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
  if (all.length === 1) return mean.toFixed(2);
  const squares = all.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return `${mean.toFixed(2)} ± ${Math.sqrt(squares / (all.length - 1)).toFixed(2)}`;
}

/** LAS on all treebanks side by side, and the arcs that are not projective of all of them together. */
function overview() {
  const lines = rows.flatMap((row) => {
    const all = treebanks.map((treebank) => cellsOf(treebank, row));
    if (all.every((cells) => cells.length === 0)) return [];
    const las = all.map((cells) => (cells.length === 0 ? "–" : share(total(cells, "las"), total(cells, "words"))));
    const mean = las.includes("–") ? "–" : (las.reduce((sum, one) => sum + Number(one), 0) / las.length).toFixed(2);
    // Each treebank counts once, however many seeds it has.
    const sum = (name) => all.reduce((so, cells) => so + total(cells, name) / cells.length, 0);
    const precision = share(sum("precise"), sum("found"));
    const recall = share(sum("recalled"), sum("gold"));
    return [[titleOf(row), ...las, mean, ...(mean === "–" ? ["–", "–"] : [precision, recall])]];
  });
  const names = treebanks.map((treebank) => `\`${treebank.replace("more/", "")}\``);
  const head = ["LAS", ...names, "mean", "np. precision, all", "recall, all"];
  return `## All treebanks\n\n${table(head, lines, 1)}`;
}

function ofTreebank(treebank) {
  const sizes = lengths.get(treebank);
  const words = sizes.reduce((sum, length) => sum + length, 0).toLocaleString("en");
  const some = rows.map((row) => cellsOf(treebank, row)).find((cells) => cells.length > 0);
  const gold = some ? `; ${some[0].gold} arcs of the gold trees are not projective` : "";
  const lines = rows.flatMap((row) => {
    const cells = cellsOf(treebank, row);
    if (cells.length === 0) return [];
    const isNetwork = (one) => Boolean(ROWS[one].train?.network);
    const reference = rows.find((one) => isNetwork(one) === isNetwork(row));
    const first = cellsOf(treebank, reference).filter(({ seed }) => cells.some((cell) => cell.seed === seed));
    const columns = [
      cells.length,
      share(total(cells, "coverage"), cells.length),
      share(total(cells, "uas"), total(cells, "words")),
      lasOf(cells),
      first.length < cells.length || row === reference ? "–" : significance(first, cells, sizes),
      share(total(cells, "precise"), total(cells, "found")),
      share(total(cells, "recalled"), total(cells, "gold")),
      Math.round(total(cells, "found") / cells.length),
      (100 * Math.round(Math.max(...cells.map(({ speed }) => speed)) / 100)).toLocaleString("en"),
    ];
    return [[titleOf(row), ...columns]];
  });
  const head = ["system", "seeds", "trees it can build, %", "UAS", "LAS", "p", "np. precision", "recall", "built"];
  const title = `## ${treebank.replace("more/", "")}\n\n${sizes.length} sentences, ${words} words${gold}.`;
  return `${title}\n\n${table([...head, "words/s"], lines, 1)}`;
}

/** How likely a difference of LAS as large as that between rows would be by chance. */
function significance(first, second, sizes) {
  const counts = (cells) => {
    const gold = sizes.map((length) => length * cells.length);
    const las = sizes.map((_, i) => cells.reduce((sum, { right }) => sum + right[i], 0));
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
