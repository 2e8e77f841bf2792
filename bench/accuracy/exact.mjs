// Exact search against greedy search and beams with the same weights: how much do these lose?
//
//   node bench/accuracy/exact.mjs [--sentences 800] [--dev 300] [--epochs 5] [--seeds 1] [--systems arc-hybrid,arc-eager]
//     [--trained exact,beam] [--results FILE] TREEBANK…   (en_ewt, eu_bdt and el_gdt by default)
//
// Linear models with the templates two-words, trees made projective for training (head), gold tags, trained on whole
// derivations: with exact search, or with a beam of 8 and max-violation. Each model then parses the development
// sentences with every search. A search error is a sentence for which a search finds a derivation with a lower score
// than the best one; the gap is the difference in percent of the best score, over all sentences; exact matches are
// sentences whose tree is that of the best derivation. Words per second are by the time of the processor. The last row
// has a greedy parser with all default templates, trained step by step. With --results a cell that is in the file is
// not trained again.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { exact } from "../../packages/core/dist/exact.js";
import { Sentence } from "../../packages/core/dist/index.js";
import { defaultTemplates, featureTemplates } from "../../packages/core/dist/systems.js";
import { ExactTraining, Training } from "../../packages/core/dist/training.js";
import { TreebankReader } from "../../packages/core/dist/treebank.js";
import { EXPLORING, trainingFile } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "800" },
    dev: { type: "string", default: "300" },
    epochs: { type: "string", default: "5" },
    seeds: { type: "string", default: "1" },
    systems: { type: "string", default: "arc-hybrid,arc-eager" },
    trained: { type: "string", default: "exact,beam" },
    results: { type: "string" },
  },
});
const treebanks = positionals.length > 0 ? positionals : ["en_ewt", "eu_bdt", "el_gdt"];
const seeds = values.seeds.split(",");
const sizes = [values.sentences, values.dev, values.epochs].join("/");
const epochs = Number(values.epochs);

/** The searches, from the narrowest. */
const SEARCHES = {
  greedy: { beam: 1 },
  ...Object.fromEntries([2, 4, 8, 16, 32, 64].map((beam) => [`beam ${beam}`, { beam }])),
  exact: { merge: exact },
};

/** @type {Map<string, any>} */
const done = new Map();
const keyOf = (cell) => [cell.treebank, cell.system, cell.trained, cell.seed, cell.sizes].join(" ");
if (values.results && existsSync(values.results)) {
  for (const line of readFileSync(values.results, "utf8").split("\n").filter(Boolean)) keep(JSON.parse(line));
}

function keep(cell) {
  done.set(keyOf(cell), cell);
}

for (const treebank of treebanks) {
  const file = trainingFile(treebank);
  const sentences = read(file, Number(values.sentences));
  const dev = read(file.replace("-train", "-dev"), Number(values.dev));
  for (const system of values.systems.split(",")) {
    for (const trained of [...values.trained.split(","), "default templates"]) {
      for (const seed of seeds) {
        const name = { treebank, system, trained, seed, sizes };
        if (done.has(keyOf(name))) continue;
        const model = modelOf(sentences, system, trained, Number(seed));
        const searches = trained === "default templates" ? { greedy: { beam: 1 } } : SEARCHES;
        const cell = { ...name, rows: measured(model, dev, searches) };
        keep(cell);
        if (values.results) appendFileSync(values.results, `${JSON.stringify(cell)}\n`);
      }
      print(treebank, system, trained);
    }
  }
}

function modelOf(sentences, system, trained, seed) {
  const isDefault = trained === "default templates";
  const options = {
    ...{ system, root: "last", ...EXPLORING, epochs, seed, projectivize: "head" },
    templates: isDefault ? defaultTemplates(system) : featureTemplates(system, "two-words"),
    ...(isDefault ? {} : { beam: 8 }),
  };
  const training =
    trained === "exact"
      ? new ExactTraining(sentences, { ...options, merge: "exact" })
      : new Training(sentences, options);
  while (training.epoch < epochs) training.runEpoch();
  return training.model();
}

function measured(model, dev, searches) {
  const found = Object.entries(searches).map(([name, options]) => {
    const parser = model.createParser(options);
    const before = process.cpuUsage();
    const trees = dev.map((sentence) => parser.parseBest(sentence, 1)[0]);
    const { user, system } = process.cpuUsage(before);
    return { name, trees, seconds: (user + system) / 1e6 };
  });
  const best = found.at(-1).trees;
  return found.map(({ name, trees, seconds }) => {
    const count = { words: 0, uas: 0, las: 0, errors: 0, gap: 0, most: 0, same: 0 };
    for (const [i, sentence] of dev.entries()) {
      const { heads, labels, score } = trees[i];
      for (let d = 1; d <= sentence.length; d++) {
        count.words++;
        if (heads[d] !== sentence.heads[d]) continue;
        count.uas++;
        if (labels[d] === sentence.deprel(d)) count.las++;
      }
      if (score < best[i].score) count.errors++;
      count.gap += best[i].score - score;
      count.most += best[i].score;
      if (`${heads} ${labels}` === `${best[i].heads} ${best[i].labels}`) count.same++;
    }
    return { name, sentences: dev.length, seconds, ...count };
  });
}

function print(treebank, system, trained) {
  const cells = seeds.flatMap((seed) => done.get(keyOf({ treebank, system, trained, seed, sizes })) ?? []);
  console.log(`\n${treebank}, ${system}, trained: ${trained}, ${sizes}, ${cells.length} seeds\n`);
  console.log("| search | search errors | gap | same tree | UAS | LAS | words/s |");
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
  for (const [i, { name }] of cells[0].rows.entries()) {
    const sum = (field) => cells.reduce((all, { rows }) => all + rows[i][field], 0);
    const share = (some, all, digits = 2) => ((100 * some) / all).toFixed(digits);
    const columns = [
      `${share(sum("errors"), sum("sentences"), 1)} %`,
      `${share(sum("gap"), sum("most"), 3)} %`,
      `${share(sum("same"), sum("sentences"), 1)} %`,
      share(sum("uas"), sum("words")),
      share(sum("las"), sum("words")),
      Math.round(sum("words") / sum("seconds")),
    ];
    console.log(`| ${[name, ...columns].join(" | ")} |`);
  }
}

/** The first sentences of a file that are trees. */
function read(file, most) {
  const reader = new TreebankReader({ requireTree: true });
  const all = [...reader.push(readFileSync(file)), ...reader.end()].filter((result) => result instanceof Sentence);
  return all.slice(0, most);
}
