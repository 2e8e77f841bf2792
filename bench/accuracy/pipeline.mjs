// Accuracy and speed of a pipeline: node bench/accuracy/pipeline.mjs [--json] [--runs n] [MODEL [TREEBANK]] (after npm
// run build). Without a model the English one that ships, without a treebank the development set of en_ewt. Scores are
// those of the CoNLL 2018 shared task (F1 with alignment): from raw text, made by the rule that blank lines are only
// between documents (# newdoc) and everything else is joined by a space unless SpaceAfter=No; and from gold tokens,
// with tags predicted. LAS with full labels is given beside.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import "../../packages/core/dist/encoder.js";
import { evaluate } from "../../packages/core/dist/evaluation.js";
import { load, plainText, readTreebank, surfaceOf } from "../../packages/core/dist/index.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, runs: { type: "string", default: "8" } },
});
const modelFile = positionals[0] ?? new URL("../../packages/model-en/en.stemma", import.meta.url);
const treebank = positionals[1] ?? new URL("../../../shared/treebanks/en_ewt-ud-dev.conllu", import.meta.url);
if (!existsSync(treebank)) {
  console.log("skipped: ../shared/treebanks is not there; give a model and a CoNLL-U file");
  process.exit(0);
}
const bytes = readFileSync(modelFile);
const started = performance.now();
const pipeline = await load(bytes);
const loading = performance.now() - started;
const gold = readTreebank(readFileSync(treebank), { allowNonTrees: true });
const { text } = plainText(gold.map(surfaceOf));

const parsed = [...pipeline.parse(text)];
const raw = evaluate(gold, readTreebank(parsed.map((sentence) => sentence.toConllu()).join("")), { breakdowns: false });
const tagged = gold.map((sentence) => pipeline.annotate(sentence, { retag: true }));
const tokens = evaluate(gold, tagged, { breakdowns: false });

// Processor time of the best of some runs: other work on the machine only ever makes a run slower.
let best = 0;
for (let run = 0; run < Number(values.runs); run++) {
  const start = process.cpuUsage();
  let words = 0;
  let length = 0;
  for (const sentence of pipeline.parse(text)) {
    words += sentence.length;
    length += sentence.toConllu().length;
  }
  const { user, system } = process.cpuUsage(start);
  if (length > 0) best = Math.max(best, (1e6 * words) / (user + system));
}

const NAMES = /** @type {const} */ ([
  ["tokens", "tokens"],
  ["sentences", "sentences"],
  ["words", "words"],
  ["UPOS", "upos"],
  ["XPOS", "xpos"],
  ["FEATS", "ufeats"],
  ["lemmas", "lemmas"],
  ["UAS", "uas"],
  ["LAS", "las"],
  ["LAS, full labels", "lasFull"],
  ["CLAS", "clas"],
]);
const percent = (/** @type {number} */ share) => Number((100 * share).toFixed(2));
const table = NAMES.map(([name, key]) => ({
  name,
  raw: percent(raw.scores[key].f1),
  tokens: percent(tokens.scores[key].f1),
}));
const figures = {
  megabytes: Number((bytes.length / 1e6).toFixed(2)),
  loadMs: Math.round(loading),
  tokensPerSecond: Math.round(best),
  table,
};
if (values.json) console.log(JSON.stringify(figures));
else {
  console.log(
    `${figures.megabytes} MB, loaded in ${figures.loadMs} ms; from text to CoNLL-U ${figures.tokensPerSecond} words/s (one core)`,
  );
  console.log(`${"F1".padEnd(20)}${"raw text".padStart(10)}${"gold tokens".padStart(13)}`);
  for (const row of table)
    console.log(row.name.padEnd(20) + row.raw.toFixed(2).padStart(10) + row.tokens.toFixed(2).padStart(13));
}
