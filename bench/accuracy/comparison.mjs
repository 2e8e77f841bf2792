// Where greedy, beam, network and graph-based parsers make their errors (McDonald & Nivre 2007): writes the figures of
// docs/experiments/comparison.md, after the text that is there, and its plots. After npm run build:
//   node bench/accuracy/comparison.mjs                 trains what is missing, then writes the page
//   node bench/accuracy/comparison.mjs --report        writes the page from what is there
//   --sentences N (1000, the first of the training part and of the development part)  --parsers a,b  --results FOLDER (tmp/comparison)
//   and names of treebanks (en_ewt el_gdt eu_bdt)
// Each parser's trees of the development part are kept in a file, so that an interrupted run goes on where it was.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  compareSystems,
  evaluate,
  evaluationPlots,
  inBins,
  LENGTH_BINS,
  plotSVG,
  ROOT_DISTANCE_BINS,
} from "../../packages/core/dist/evaluation.js";
import { train } from "../../packages/core/dist/training.js";
import { readTreebank } from "../../packages/core/dist/treebank.js";
import { percent, table } from "../data/markdown.mjs";
import { trainingFile } from "../data/treebanks.mjs";

/** @type {Record<string, { title: string, settings: import("@stemma/core/training").TrainingSettings }>} */
const PARSERS = {
  greedy: { title: "greedy", settings: { system: "arc-hybrid", epochs: 8 } },
  beam: { title: "beam 8", settings: { system: "arc-standard", beam: 8, epochs: 8 } },
  network: { title: "network, greedy", settings: { system: "arc-hybrid", network: true, epochs: 10 } },
  graph: { title: "graph", settings: { system: "graph", epochs: 4 } },
  "graph-network": { title: "graph, network", settings: { system: "graph", network: true, epochs: 10 } },
};
const LANGUAGES = /** @type {Record<string, string>} */ ({ en_ewt: "English", el_gdt: "Greek", eu_bdt: "Basque" });
/** Trees with crossing arcs are frequent here: transition-based parsers and Eisner's algorithm get them back. */
const PROJECTIVIZE = ["eu_bdt"];
const LABELS = 10;
const PLOTS = [
  { file: "length-precision.svg", alt: "precision by the length of the arc" },
  { file: "root-distance-precision.svg", alt: "precision by the distance to the root" },
];

/** The rest of the page, after it, is written here. */
const MARK = "<!-- node bench/accuracy/comparison.mjs writes the rest -->";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "1000" },
    parsers: { type: "string", default: Object.keys(PARSERS).join() },
    results: { type: "string", default: fileURLToPath(new URL("../../tmp/comparison", import.meta.url)) },
    report: { type: "boolean" },
  },
});
const treebanks = positionals.length > 0 ? positionals : Object.keys(LANGUAGES);
const limit = Number(values.sentences);
mkdirSync(values.results, { recursive: true });

for (const treebank of treebanks) {
  if (!existsSync(trainingFile(treebank))) {
    console.log(`${treebank}: skipped: ../shared/treebanks does not have it`);
    process.exit(0);
  }
}
if (!values.report) {
  for (const treebank of treebanks) for (const name of values.parsers.split(",")) await run(treebank, name);
}
writePage();

/** @param {string} treebank @param {string} name */
function resultFile(treebank, name) {
  return `${values.results}/${treebank}-${limit}-${name}.json`;
}

/** @param {string} file */
function read(file) {
  return readTreebank(readFileSync(file)).slice(0, limit);
}

/**
 * Trains a parser and keeps its trees of the development part.
 * @param {string} treebank
 * @param {string} name
 */
async function run(treebank, name) {
  const file = resultFile(treebank, name);
  if (existsSync(file)) return;
  const parser = PARSERS[name];
  if (!parser) throw new RangeError(`unknown parser: ${name} (expected ${Object.keys(PARSERS).join(", ")})`);
  const sentences = read(trainingFile(treebank));
  const dev = read(trainingFile(treebank).replace("-train", "-dev"));
  const projectivize = PROJECTIVIZE.includes(treebank) ? /** @type {const} */ ("head") : undefined;
  const started = performance.now();
  const { model, data } = await train({ ...parser.settings, projectivize, sentences });
  const seconds = (performance.now() - started) / 1000;
  const parse = model.parser.createParser();
  const trees = dev.map((sentence) => {
    const { heads, labels } = parse.parse(sentence);
    return { heads: [...heads], labels };
  });
  console.log(`${treebank} ${name}: ${seconds.toFixed(0)} s`);
  const result = { treebank, name, settings: { ...parser.settings, projectivize }, data, trees };
  writeFileSync(`${file}.new`, JSON.stringify(result));
  renameSync(`${file}.new`, file);
}

/**
 * The development part, and the same with the trees of a parser.
 * @param {string} treebank
 * @param {{ heads: number[], labels: string[] }[]} trees
 */
function evaluated(treebank, trees) {
  const file = trainingFile(treebank).replace("-train", "-dev");
  const system = read(file);
  system.forEach((sentence, s) => {
    const { heads, labels } = trees[s];
    for (let d = 1; d <= sentence.length; d++) {
      sentence.setHead(d, heads[d]);
      sentence.setDeprel(d, labels[d]);
    }
  });
  return evaluate(read(file), system, { labels: "full" });
}

function writePage() {
  const folder = new URL("../../docs/experiments/", import.meta.url);
  const plots = new URL("comparison/", folder);
  mkdirSync(plots, { recursive: true });
  const rows = [];
  const sections = [];
  for (const treebank of treebanks) {
    const language = LANGUAGES[treebank] ?? treebank;
    const systems = Object.keys(PARSERS).flatMap((name) => {
      const file = resultFile(treebank, name);
      if (!existsSync(file)) return [];
      const result = JSON.parse(readFileSync(file, "utf8"));
      return [{ ...result, title: PARSERS[name].title, evaluation: evaluated(treebank, result.trees) }];
    });
    if (systems.length === 0) continue;
    for (const { title, evaluation, data } of systems) {
      const { uas, las } = evaluation.scores;
      const size = `${data.sentences} / ${data.words}`;
      rows.push([language, title, percent(uas.f1), percent(las.f1), size]);
    }
    const named = systems.map(({ title, evaluation }) => ({ name: title, evaluation }));
    const drawn = evaluationPlots(named);
    for (const { file } of PLOTS) writeFileSync(new URL(`${treebank}-${file}`, plots), drawn.get(file));
    writeFileSync(new URL(`${treebank}-labels.svg`, plots), labelPlot(named));
    sections.push(sectionOf(treebank, language, systems));
  }
  const overview = table(["treebank", "parser", "UAS", "LAS", "training sentences / words"], rows, 2);
  const page = new URL("comparison.md", folder);
  const text = readFileSync(page, "utf8");
  const kept = text.slice(0, text.indexOf(MARK) + MARK.length);
  writeFileSync(page, `${[kept, overview, ...sections].join("\n\n")}\n`);
}

/**
 * @param {string} treebank
 * @param {string} language
 * @param {any[]} systems
 */
function sectionOf(treebank, language, systems) {
  const titles = systems.map(({ title }) => title);
  const binned = (/** @type {"length" | "rootDistance"} */ name, /** @type {any} */ bins) => {
    const all = systems.map(({ evaluation }) => new Map(inBins(evaluation.breakdowns[name], bins)));
    return bins.flatMap(({ name: bin }) =>
      all.every((groups) => groups.has(bin))
        ? [[bin, all[0].get(bin).gold, ...all.map((groups) => percent(groups.get(bin).labelled.precision))]]
        : [],
    );
  };
  const labels = systems[0].evaluation.breakdowns.label.byCount().slice(0, LABELS);
  const byLabel = labels.map(([label, { gold }]) => [
    label,
    gold,
    ...systems.map(({ evaluation }) => percent(evaluation.breakdowns.label.of(label).labelled.precision)),
  ]);
  return [
    `## ${language}`,
    ...PLOTS.map(({ file, alt }) => `![${language}: ${alt}](comparison/${treebank}-${file})`),
    `![${language}: precision of the ${LABELS} most frequent labels](comparison/${treebank}-labels.svg)`,
    "Labelled precision by the length of the arc:",
    table(["length", "gold arcs", ...titles], binned("length", LENGTH_BINS), 1),
    "By the distance to the root:",
    table(["distance", "gold arcs", ...titles], binned("rootDistance", ROOT_DISTANCE_BINS), 1),
    "By label:",
    table(["label", "gold arcs", ...titles], byLabel, 1),
    `Differences in LAS to the ${titles[0]} parser: ${differences(systems)}.`,
  ].join("\n\n");
}

/** @param {any[]} systems */
function differences([first, ...others]) {
  return others
    .map(({ title, evaluation }) => {
      const { difference, p } = compareSystems(first.evaluation.counts, evaluation.counts, "las");
      const shown = `${difference < 0 ? "−" : "+"}${Math.abs(100 * difference).toFixed(2)}`;
      return `${title} ${shown} (p ${p < 0.001 ? "< 0.001" : `= ${p.toFixed(3)}`})`;
    })
    .join(", ");
}

/** @param {{ name: string, evaluation: any }[]} named */
function labelPlot(named) {
  const labels = named[0].evaluation.breakdowns.label.byCount().slice(0, LABELS);
  return plotSVG(
    {
      title: "Precision by label",
      x: { label: `labels by frequency: ${labels.map(([label]) => label).join(", ")}` },
      y: { label: "labelled precision (%)", max: 100 },
      series: named.map(({ name, evaluation }) => ({
        name,
        points: labels.map(([label], i) => ({
          x: i + 1,
          y: 100 * evaluation.breakdowns.label.of(label).labelled.precision,
        })),
      })),
    },
    { standalone: true, width: 760 },
  );
}
