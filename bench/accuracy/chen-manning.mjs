// The network of Chen & Manning (2014), and what each of its parts is worth: cubes, pre-trained vectors and their
// training, tags, labels.
// node bench/accuracy/chen-manning.mjs [--vectors FILE] [--sentences 1000] [--epochs 8] [--hidden 200] [--seed 1] TREEBANK…
// (en_ewt by default). Trains on the first sentences of the training part and parses the development part: gold tags,
// whole labels, the model after the last epoch. Without a file of vectors the rows that need them are left out.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readTreebank } from "../../packages/core/dist/index.js";
import { viewTemplates } from "../../packages/core/dist/systems.js";
import { attachment, NeuralTraining, VectorReader, wordKey } from "../../packages/core/dist/training.js";
import { trainingFile } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    vectors: { type: "string" },
    sentences: { type: "string", default: "1000" },
    epochs: { type: "string", default: "8" },
    hidden: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
  },
});
const VIEW = viewTemplates("arc-standard", "chen-manning");
const TABLES = { word: 56, upos: 24, xpos: 32 };

console.log("| treebank | network | UAS | LAS | CPU (s) |");
console.log("| --- | --- | ---: | ---: | ---: |");
for (const treebank of positionals.length > 0 ? positionals : ["en_ewt"]) {
  const file = trainingFile(treebank);
  if (!existsSync(file)) {
    console.log(`${file}: not there, skipped`);
    continue;
  }
  const sentences = readTreebank(readFileSync(file, "utf8")).slice(0, Number(values.sentences));
  const dev = readTreebank(readFileSync(file.replace("-train", "-dev"), "utf8"));
  const vectors = values.vectors && vectorsOf(values.vectors, sentences);
  const rows = {
    ...(vectors
      ? {
          "as in the paper": { vectors, trainVectors: true },
          "vectors stay as they are": { vectors },
          "without vectors": {},
        }
      : { "as in the paper, without vectors": {} }),
    "rectified linear units": { activation: "relu", ...(vectors ? { vectors, trainVectors: true } : {}) },
    "without tags": { inputs: { word: TABLES.word }, ...(vectors ? { vectors, trainVectors: true } : {}) },
    "without labels": {
      templates: VIEW.split(/[;\n]/)
        .filter((part) => !part.includes(".label"))
        .join("\n"),
      ...(vectors ? { vectors, trainVectors: true } : {}),
    },
  };
  for (const [name, changes] of Object.entries(rows)) {
    const before = process.cpuUsage().user;
    const training = new NeuralTraining(sentences, {
      system: "arc-standard",
      root: "last",
      oracle: "static",
      exploreFrom: 1,
      exploreProbability: 0,
      templates: VIEW,
      epochs: Number(values.epochs),
      seed: Number(values.seed),
      inputs: TABLES,
      layers: 0,
      width: 8,
      hidden: Number(values.hidden),
      activation: "cube",
      dropout: { words: 0.25, inputs: 0, layers: 0, hidden: 0.5 },
      rate: 0.003,
      ...changes,
    });
    while (training.epoch < Number(values.epochs)) training.runEpoch();
    const seconds = (process.cpuUsage().user - before) / 1e6;
    const { uas, las } = attachment(training.model(), dev);
    const scores = [uas, las].map((score) => (100 * score).toFixed(2));
    console.log(`| ${[treebank, name, ...scores, seconds.toFixed(0)].join(" | ")} |`);
  }
}

function vectorsOf(path, sentences) {
  const wanted = new Set(sentences.flatMap((s) => Array.from({ length: s.length }, (_, i) => wordKey(s.form(i + 1)))));
  const reader = new VectorReader(path, 30_000, (key) => wanted.has(key));
  for (const line of readFileSync(path, "utf8").split("\n")) reader.push(line);
  return reader.end();
}
