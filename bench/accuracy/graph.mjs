// A graph-based parser beside transition-based ones, all linear, with gold tags: node bench/accuracy/graph.mjs [options]
// [TREEBANK ...] (after npm run build). The same training part, the development part scored with punctuation and whole
// labels.
//   --epochs N (5)  --seed N (1)  --sentences N (of the training part)  --learner perceptron|mira
//   --decoders eisner-1,eisner-2,edmonds-1 (with their order)  --systems a,b
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { trainOptionsOf } from "../../packages/core/dist/training/learner-options.js";
import { completeSettings } from "../../packages/core/dist/training/settings.js";
import { attachment, GraphTraining, Training } from "../../packages/core/dist/training.js";
import { readTreebank } from "../../packages/core/dist/treebank.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    epochs: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    sentences: { type: "string" },
    decoders: { type: "string", default: "eisner-1,eisner-2,edmonds-1" },
    learner: { type: "string", default: "mira" },
    systems: { type: "string", default: "arc-standard,arc-eager" },
  },
});
const epochs = Number(values.epochs);
const seed = Number(values.seed);
const folder = new URL("../../../shared/treebanks/", import.meta.url);
const list = (/** @type {string} */ text) => text.split(",").filter(Boolean);
const row = (/** @type {(string | number)[]} */ cells) =>
  console.log(cells.map((cell, i) => (i < 2 ? String(cell).padEnd(26) : String(cell).padStart(10))).join(""));

row(["treebank", "parser", "UAS", "LAS", "train s", "words/s"]);
for (const treebank of positionals.length > 0 ? positionals : ["el_gdt"]) {
  const read = (/** @type {string} */ part) => {
    const file = new URL(`${treebank}-ud-${part}.conllu`, folder);
    return existsSync(file) ? [...readTreebank(readFileSync(file), { allowNonTrees: true })] : undefined;
  };
  const [all, dev] = [read("train"), read("dev")];
  if (!all || !dev) {
    console.log(`${treebank}: skipped: ../shared/treebanks does not have it`);
    continue;
  }
  const train = values.sentences ? all.slice(0, Number(values.sentences)) : all;
  for (const decoder of list(values.decoders)) {
    const started = performance.now();
    const [name, order] = decoder.split("-");
    const training = new GraphTraining(train, {
      decoder: /** @type {any} */ (name),
      order: /** @type {any} */ (Number(order)),
      learner: /** @type {any} */ (values.learner),
      epochs,
      seed,
    });
    for (let epoch = 0; epoch < epochs; epoch++) training.runEpoch();
    const seconds = (performance.now() - started) / 1000;
    const model = training.model();
    report(treebank, `${decoder}, ${values.learner}`, seconds, () => attachment(model, dev));
  }
  for (const system of list(values.systems)) {
    const started = performance.now();
    const settings = completeSettings({ system, epochs, seed });
    const training = new Training(train, trainOptionsOf(settings));
    for (let epoch = 0; epoch < epochs; epoch++) training.runEpoch();
    const model = training.model();
    report(treebank, `${system}, greedy`, (performance.now() - started) / 1000, () => attachment(model, dev));
  }
}

/**
 * @param {string} treebank
 * @param {string} parser
 * @param {number} seconds
 * @param {() => { words: number, uas: number, las: number }} measure
 */
function report(treebank, parser, seconds, measure) {
  const started = performance.now();
  const { words, uas, las } = measure();
  const speed = Math.round(words / ((performance.now() - started) / 1000));
  row([treebank, parser, (100 * uas).toFixed(2), (100 * las).toFixed(2), seconds.toFixed(0), speed]);
}
