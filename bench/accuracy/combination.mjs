// Several parsers that vote (Sagae & Lavie 2006) beside the best of them: LAS and speed, on five treebanks. Writes the
// figures of docs/experiments/combination.md, after the text that is there. After npm run build:
//   node bench/accuracy/combination.mjs                 measures what is missing, then writes the page
//   node bench/accuracy/combination.mjs --report        writes the page from what is there
//   --sentences N (200, the first of the training part)  --dev N (200, the first of the development part)
//   --results FILE (docs/experiments/combination/results.json)
//   and names of treebanks (en_ewt el_gdt tr_imst af_afribooms eu_bdt)
// Every treebank is kept as soon as it is measured, so that an interrupted run goes on where it was.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { combine } from "../../packages/core/dist/combination.js";
import { compareSystems, evaluate } from "../../packages/core/dist/evaluation.js";
import { Pipeline } from "../../packages/core/dist/index.js";
import { train } from "../../packages/core/dist/training.js";
import { percent, table } from "../data/markdown.mjs";
import { trainAndDev } from "../data/treebanks.mjs";

/** @type {Record<string, import("@stemma/core/training").TrainingSettings>} */
const MEMBERS = {
  "arc-hybrid": { system: "arc-hybrid", epochs: 5 },
  "arc-eager": { system: "arc-eager", epochs: 5 },
  graph: { system: "graph", epochs: 4 },
};
/** Whose votes count, by what they are called in the table. */
const VOTES = /** @type {Record<string, string[]>} */ ({
  "vote of all three": Object.keys(MEMBERS),
  "vote of three seeds": ["arc-hybrid", "arc-hybrid, seed 2", "arc-hybrid, seed 3"],
});
const TREEBANKS = ["en_ewt", "el_gdt", "tr_imst", "af_afribooms", "eu_bdt"];
/** The rest of the page, after it, is written here. */
const MARK = "<!-- node bench/accuracy/combination.mjs writes the rest -->";
const PAGE = fileURLToPath(new URL("../../docs/experiments/combination.md", import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "200" },
    dev: { type: "string", default: "200" },
    results: {
      type: "string",
      default: fileURLToPath(new URL("../../docs/experiments/combination/results.json", import.meta.url)),
    },
    report: { type: "boolean" },
  },
});
const treebanks = positionals.length > 0 ? positionals : TREEBANKS;

/**
 * @typedef {{ uas: number, las: number, wordsPerSecond: number }} Figures
 * @typedef {{ sentences: number, devWords: number, parsers: Record<string, Figures>, p: Record<string, number> }}
 *   Result
 * @type {Record<string, Result>}
 */
const results = existsSync(values.results) ? JSON.parse(readFileSync(values.results, "utf8")) : {};
/** @param {string} treebank */
const keyOf = (treebank) => `${treebank} ${values.sentences} ${values.dev}`;

if (!values.report) {
  const missing = treebanks.filter((treebank) => !results[keyOf(treebank)]);
  for (const { treebank, sentences, dev: all } of trainAndDev(missing, Number(values.sentences))) {
    const dev = all.slice(0, Number(values.dev));
    const devWords = dev.reduce((sum, { length }) => sum + length, 0);
    /** @type {Record<string, Pipeline>} */
    const pipelines = {};
    for (const [name, settings] of Object.entries(MEMBERS)) {
      pipelines[name] = new Pipeline((await train({ ...settings, sentences, seed: 1 })).model);
    }
    for (const seed of [2, 3]) {
      const { model } = await train({ ...MEMBERS["arc-hybrid"], sentences, seed });
      pipelines[`arc-hybrid, seed ${seed}`] = new Pipeline(model);
    }
    for (const [name, members] of Object.entries(VOTES)) {
      pipelines[name] = combine(members.map((member) => /** @type {Pipeline} */ (pipelines[member])));
    }
    /** @type {Record<string, Figures>} */
    const parsers = {};
    /** @type {Record<string, ReturnType<typeof evaluate>>} */
    const evaluations = {};
    for (const [name, pipeline] of Object.entries(pipelines)) {
      // Once for the compiler, once for the clock; processor time, since others may use the machine.
      for (const sentence of dev) pipeline.annotate(sentence);
      const start = process.cpuUsage();
      const parsed = dev.map((sentence) => pipeline.annotate(sentence));
      const { user, system } = process.cpuUsage(start);
      const evaluation = evaluate(dev, parsed, { labels: "full" });
      const { uas, las } = evaluation.scores;
      evaluations[name] = evaluation;
      parsers[name] = { uas: uas.f1, las: las.f1, wordsPerSecond: Math.round((1e6 * devWords) / (user + system)) };
      console.log(`${treebank}: ${name}: LAS ${percent(las.f1)}`);
    }
    /** @type {Record<string, number>} */
    const p = {};
    for (const [name, members] of Object.entries(VOTES)) {
      const best = bestOf(parsers, members);
      const counts = (/** @type {string} */ one) => /** @type {any} */ (evaluations[one]).counts;
      p[name] = compareSystems(counts(best), counts(name), "las").p;
    }
    results[keyOf(treebank)] = { sentences: sentences.length, devWords, parsers, p };
    mkdirSync(dirname(values.results), { recursive: true });
    writeFileSync(`${values.results}.new`, `${JSON.stringify(results, null, 2)}\n`);
    renameSync(`${values.results}.new`, values.results);
  }
}

/** @param {Record<string, Figures>} parsers @param {string[]} members */
function bestOf(parsers, members) {
  const las = (/** @type {string} */ name) => /** @type {Figures} */ (parsers[name]).las;
  return members.reduce((best, name) => (las(name) > las(best) ? name : best));
}

const rows = treebanks.flatMap((treebank) => {
  const result = results[keyOf(treebank)];
  if (!result) return [];
  const { parsers, p } = result;
  return Object.entries(VOTES).map(([name, members]) => {
    const best = bestOf(parsers, members);
    const [single, vote] = /** @type {[Figures, Figures]} */ ([parsers[best], parsers[name]]);
    const speed = (/** @type {Figures} */ { wordsPerSecond }) => wordsPerSecond.toLocaleString("en");
    const gain = 100 * (vote.las - single.las);
    return [
      ...[`\`${treebank}\``, best, name, percent(single.las), percent(vote.las)],
      ...[`${gain < 0 ? "−" : "+"}${Math.abs(gain).toFixed(2)}`, /** @type {number} */ (p[name]).toFixed(3)],
      ...[speed(single), speed(vote)],
    ];
  });
});
const head = ["treebank", "best single", "vote", "LAS, single", "LAS, vote", "gain", "p", "words/s, single"];
const lines = table([...head, "words/s, vote"], rows, 3);
console.log(`\n${lines}`);
if (existsSync(PAGE)) {
  const [before, after] = readFileSync(PAGE, "utf8").split(MARK);
  if (after === undefined) throw new Error(`${PAGE}: the line ${MARK} is not there`);
  writeFileSync(PAGE, `${before}${MARK}\n\n${lines}\n`);
}
