// How accurate are systems that build crossing arcs, on all arcs and on those that are not projective?
//
//   node bench/accuracy/non-projective.mjs [--sentences 800] [--dev 500] [--epochs 5] [--seeds 1] [--systems A,B]
//     [--results FILE] TREEBANK…
//
// Linear models, greedy, root last, with the oracle that each system is trained with for choice: a dynamic one where
// there is one. With --results a cell that is in the file is not trained again, so that a run can go on where another
// one was stopped; the tables are printed of all cells in it. Treebanks: eu_bdt, nl_lassysmall, tr_imst and el_gdt by
// default. The words per second are those of this process while it parses, of some use only on an idle machine.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Sentence } from "../../packages/core/dist/index.js";
import {
  Configuration,
  canBuild,
  createSystem,
  defaultTemplates,
  GoldTree,
  trainingOracle,
} from "../../packages/core/dist/systems.js";
import { Training } from "../../packages/core/dist/training.js";
import { nonProjectiveArcs, TreebankReader } from "../../packages/core/dist/treebank.js";
import { trainingFile } from "../data/treebanks.mjs";

/** The rows: a system, and whether trees are made projective for it. */
const ROWS = {
  projective: { system: "arc-hybrid" },
  "pseudo-projective": { system: "arc-hybrid", projectivize: "head" },
  swap: { system: "swap" },
  attardi: { system: "attardi" },
  "attardi-auxiliary": { system: "attardi-auxiliary" },
  covington: { system: "covington" },
  "two-planar": { system: "two-planar" },
  "arc-hybrid-swap": { system: "arc-hybrid-swap" },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "800" },
    dev: { type: "string", default: "500" },
    epochs: { type: "string", default: "5" },
    seeds: { type: "string", default: "1" },
    systems: { type: "string", default: Object.keys(ROWS).join() },
    results: { type: "string" },
  },
});
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
  for (const row of values.systems.split(",")) {
    if (!ROWS[row]) throw new RangeError(`invalid system: ${row} (expected some of ${Object.keys(ROWS).join(", ")})`);
    for (const seed of values.seeds.split(",")) {
      if (done.has(keyOf(treebank, row, seed))) continue;
      const cell = { treebank, row, seed, sizes, ...measured(ROWS[row], sentences, dev, Number(seed)) };
      keep(cell);
      if (values.results) appendFileSync(values.results, `${JSON.stringify(cell)}\n`);
    }
  }
  print(treebank);
}

function measured({ system: name, projectivize }, sentences, dev, seed) {
  const system = createSystem(name);
  const isDynamic = trainingOracle(system) !== undefined;
  const training = new Training(sentences, {
    system: name,
    root: "last",
    oracle: isDynamic ? "dynamic" : "static",
    exploreFrom: 2,
    exploreProbability: isDynamic ? 1 : 0,
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
    templates: defaultTemplates(name),
    epochs: Number(values.epochs),
    seed,
    ...(projectivize ? { projectivize } : {}),
  });
  while (training.epoch < Number(values.epochs)) training.runEpoch();
  const parser = training.model().createParser();
  const count = { words: 0, uas: 0, las: 0, gold: 0, found: 0, recalled: 0, precise: 0 };
  let time = 0;
  for (const sentence of dev) {
    const start = performance.now();
    const { heads, labels } = parser.parse(sentence);
    time += performance.now() - start;
    const isRight = (d) => heads[d] === sentence.heads[d] && labels[d] === sentence.deprel(d);
    for (let d = 1; d <= sentence.length; d++) {
      count.words++;
      if (heads[d] === sentence.heads[d]) count.uas++;
      if (isRight(d)) count.las++;
    }
    const wanted = nonProjectiveArcs(sentence.heads);
    const built = nonProjectiveArcs(heads);
    count.gold += wanted.length;
    count.found += built.length;
    count.recalled += wanted.filter(isRight).length;
    count.precise += built.filter(isRight).length;
  }
  const c = new Configuration();
  const covered = sentences.filter(({ heads }) => projectivize || canBuild(system, new GoldTree(heads), c)).length;
  return { ...count, coverage: covered / sentences.length, speed: count.words / (time / 1000) };
}

function print(treebank) {
  const share = (some, all) => (all === 0 ? "–" : ((100 * some) / all).toFixed(2));
  console.log(`\n${treebank}, ${sizes} (training sentences, development sentences, epochs)\n`);
  console.log("| system | coverage | UAS | LAS | non-projective: precision | recall | arcs, gold | built | words/s |");
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  for (const row of Object.keys(ROWS)) {
    const cells = values.seeds.split(",").flatMap((seed) => done.get(keyOf(treebank, row, seed)) ?? []);
    if (cells.length === 0) continue;
    const sum = (name) => cells.reduce((all, cell) => all + cell[name], 0);
    const columns = [
      share(sum("coverage"), cells.length),
      share(sum("uas"), sum("words")),
      share(sum("las"), sum("words")),
      share(sum("precise"), sum("found")),
      share(sum("recalled"), sum("gold")),
      Math.round(sum("gold") / cells.length),
      Math.round(sum("found") / cells.length),
      Math.round(sum("speed") / cells.length),
    ];
    console.log(`| ${[row, ...columns].join(" | ")} |`);
  }
}

/** The first sentences of a file that are trees. */
function read(file, most) {
  const reader = new TreebankReader({ requireTree: true });
  const all = [...reader.push(readFileSync(file)), ...reader.end()].filter((result) => result instanceof Sentence);
  return all.slice(0, most);
}
