// Accuracy of learners and ways of training linear models:
// node bench/accuracy/learners.mjs [--compare learners|averaging|after-error|loss-bound] [--system arc-eager] [--sentences 600]
//   [--epochs 4] [--root last] [--seed 1] TREEBANK… (en_ewt eu_bdt by default)
// Trains on the first sentences of the training part and parses the development part: gold tags, whole labels, the model
// after the last epoch. --options '{"margin": 0}' tries options of `Training` instead of a comparison.
import { parseArgs } from "node:util";
import { writeModel } from "../../packages/core/dist/index.js";
import { defaultTemplates } from "../../packages/core/dist/systems.js";
import { attachment, Training } from "../../packages/core/dist/training.js";
import { EXPLORING, trainAndDev } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    compare: { type: "string", default: "learners" },
    system: { type: "string", default: "arc-eager" },
    sentences: { type: "string", default: "600" },
    epochs: { type: "string", default: "4" },
    root: { type: "string", default: "last" },
    seed: { type: "string", default: "1" },
    options: { type: "string" },
  },
});

const PA = { learner: "passive-aggressive" };
const STATIC = { oracle: "static" };
const AMBIGUOUS = { oracle: "dynamic", exploreProbability: 0 };
const COMPARISONS = {
  learners: {
    perceptron: {},
    "perceptron without a margin": { margin: 0 },
    logistic: { learner: "logistic" },
    "passive-aggressive": PA,
    "passive-aggressive, prediction-based costs": { ...PA, costSensitive: "prediction-based" },
    "passive-aggressive, max-loss costs": { ...PA, costSensitive: "max-loss" },
  },
  averaging: {
    "perceptron, weighted": {},
    "perceptron, plain": { averaging: "plain" },
    "logistic, weighted": { learner: "logistic" },
    "logistic, plain": { learner: "logistic", averaging: "plain" },
    "beam 4, weighted": { beam: 4 },
    "beam 4, plain": { beam: 4, averaging: "plain" },
  },
  "after-error": {
    static: STATIC,
    "non-deterministic, the best": { oracle: "non-deterministic" },
    "non-deterministic, one at random": { oracle: "non-deterministic", afterError: "random" },
    "dynamic without exploration, the best": AMBIGUOUS,
    "dynamic without exploration, one at random": { ...AMBIGUOUS, afterError: "random" },
    "dynamic, exploring with p = 0.9, the best": { exploreProbability: 0.9 },
    "dynamic, exploring with p = 0.9, one at random": { exploreProbability: 0.9, afterError: "random" },
  },
  "loss-bound": {
    "greedy, none": {},
    "greedy, 3": { lossBound: 3 },
    "greedy, 10%": { lossBound: "10%" },
    "greedy, 30%": { lossBound: "30%" },
    "beam 4, none": { beam: 4 },
    "beam 4, 1": { beam: 4, lossBound: 1 },
    "beam 4, 10%": { beam: 4, lossBound: "10%" },
    "beam 4, 30%": { beam: 4, lossBound: "30%" },
    "beam 4, lowest loss": { beam: 4, lowestLoss: true },
    "beam 4, lowest loss, 10%": { beam: 4, lowestLoss: true, lossBound: "10%" },
  },
};

const rows = values.options ? { [values.options]: JSON.parse(values.options) } : COMPARISONS[values.compare];
const epochs = Number(values.epochs);
console.log("| treebank | training | UAS | LAS | model (kB) | CPU (s) |");
console.log("| --- | --- | ---: | ---: | ---: | ---: |");
const treebanks = positionals.length > 0 ? positionals : ["en_ewt", "eu_bdt"];
for (const { treebank, sentences, dev } of trainAndDev(treebanks, Number(values.sentences))) {
  for (const [name, options] of Object.entries(rows)) {
    const before = process.cpuUsage().user;
    const training = new Training(sentences, {
      system: values.system,
      root: values.root,
      ...EXPLORING,
      templates: defaultTemplates(values.system),
      epochs,
      seed: Number(values.seed),
      ...options,
    });
    while (training.epoch < epochs) training.runEpoch();
    const seconds = (process.cpuUsage().user - before) / 1e6;
    const model = training.model();
    const { uas, las } = attachment(model, dev);
    const scores = [uas, las].map((score) => (100 * score).toFixed(2));
    const size = (writeModel(model).length / 1000).toFixed(0);
    console.log(`| ${[treebank, name, ...scores, size, seconds.toFixed(0)].join(" | ")} |`);
  }
}
