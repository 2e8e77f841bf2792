// Semantic roles on the development part of the English data: node bench/roles.mjs [options] [MODEL ...] (after npm run
// build). Each MODEL, made by stemma train --roles, parses the gold tokens: predicted tags and trees. With --gold-trees
// a labeller is trained and tested on gold tags and trees; with --add-to MODEL as by stemma train --roles --add-to, on
// predicted ones, and if the model has an encoder with a network as well. Speed is then that of the labeller alone;
// it is in words per second of processor time.
// Scores as in the CoNLL-2009 shared task, senses included.
//   --epochs N (5)  --seed N (1)  --folds N (3)  --sentences N (of the training part)  --dev-sentences N
//   --beam N (with --gold-trees, may be repeated): the labeller of the last epoch with a beam as well
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { RoleScores } from "../packages/core/dist/evaluation/joint/role-scores.js";
import { load } from "../packages/core/dist/index.js";
import { RoleTraining } from "../packages/core/dist/learning/roles/role-training.js";
import { roleData } from "../packages/core/dist/pipeline/training/role-steps.js";
import { RoleLabeller } from "../packages/core/dist/roles.js";
import { readTreebank } from "../packages/core/dist/treebank.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "gold-trees": { type: "boolean" },
    epochs: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    sentences: { type: "string" },
    "dev-sentences": { type: "string" },
    "add-to": { type: "string", multiple: true, default: [] },
    folds: { type: "string", default: "3" },
    beam: { type: "string", multiple: true, default: [] },
  },
});

if (values.beam.length > 0 && !values["gold-trees"]) throw new Error("--beam needs --gold-trees");
const read = (/** @type {string} */ part) => {
  const file = new URL(`../../shared/treebanks/roles/en_ewt-roles-${part}.conll09.gz`, import.meta.url);
  return [...readTreebank(gunzipSync(readFileSync(file)), { format: "conll09" })];
};
const row = (/** @type {(string | number)[]} */ cells) =>
  console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(28) : String(cell).padStart(11))).join(""));
/** @type {(sentence: import("@stemma/core").Sentence) => import("@stemma/core").PredicateData[]} */
const dataOf = (sentence) => sentence.predicates.map((predicate) => predicate.toJSON());

const dev = read("dev").slice(0, values["dev-sentences"] ? Number(values["dev-sentences"]) : undefined);
/** The sentences of the training part. */
const training = () => read("train").slice(0, values.sentences ? Number(values.sentences) : undefined);
const options = { epochs: Number(values.epochs), seed: Number(values.seed) };
const words = dev.reduce((sum, { length }) => sum + length, 0);
row(["", "labelled", "unlabelled", "predicates", "senses", "arguments", "MB", "words/s"]);

/** @type {(name: string, bytes: number, label: (s: (typeof dev)[0], k: number) => ReturnType<typeof dataOf>) => void} */
function report(name, bytes, label) {
  const scores = new RoleScores();
  const found = [];
  const start = process.cpuUsage();
  for (const [k, sentence] of dev.entries()) found.push(label(sentence, k));
  const seconds = process.cpuUsage(start).user / 1e6;
  dev.forEach((sentence, k) => {
    const { length } = sentence;
    scores.add([{ length, predicates: dataOf(sentence) }], [{ length, predicates: found[k] ?? [] }]);
  });
  const percent = (/** @type {number} */ share) => (100 * share).toFixed(2);
  const { labelled, unlabelled, predicates, arguments: own, senseAccuracy } = scores;
  row([
    name,
    ...[labelled.f1, unlabelled.f1, predicates.f1, senseAccuracy, own.f1].map(percent),
    bytes === 0 ? "-" : (bytes / 1e6).toFixed(1),
    Math.round(words / seconds),
  ]);
}

if (values["gold-trees"]) {
  const treeOf = (/** @type {(typeof dev)[0]} */ s) => ({
    heads: s.heads,
    labels: ["", ...s.words.map(({ deprel }) => deprel)],
  });
  const learner = new RoleTraining(
    training().map((sentence) => ({ words: sentence, tree: treeOf(sentence), predicates: dataOf(sentence) })),
    options,
  );
  while (!learner.isOver) {
    for (const _ of learner.epochSteps());
    const labeller = new RoleLabeller(learner.model());
    report(`gold trees, epoch ${learner.epoch}`, 0, (sentence) => labeller.label(sentence, treeOf(sentence)));
  }
  for (const width of values.beam) {
    const labeller = new RoleLabeller(learner.model(Number(width)));
    report(`beam ${width}`, 0, (sentence) => labeller.label(sentence, treeOf(sentence)));
  }
}
for (const path of values["add-to"]) {
  const { model } = await load(path);
  const encoder = model.parser.network?.encoder;
  const { epochs, seed } = options;
  const steps = roleData(model, training(), { dev, seed, folds: Number(values.folds), encoder });
  let step = steps.next();
  for (; !step.done; step = steps.next());
  const { examples, test, predicted } = step.value;
  console.log(`${basename(path)}: ${(100 * predicted).toFixed(0)} % of the trees for training are predicted`);
  for (const network of encoder ? [undefined, encoder] : [undefined]) {
    const learner = new RoleTraining(examples, { epochs, seed }, network);
    while (!learner.isOver) {
      for (const _ of learner.epochSteps());
      const labeller = new RoleLabeller(learner.model());
      report(`${network ? "network" : "linear"}, epoch ${learner.epoch}`, 0, (_, k) => {
        const { words, tree, vectors } = /** @type {(typeof test)[0]} */ (test[k]);
        return labeller.label(words, tree, vectors);
      });
    }
  }
}
for (const path of positionals) {
  const parser = await load(path);
  report(basename(path), statSync(path).size, (sentence) => {
    return dataOf(parser.parseTokens(sentence.words.map(({ form }) => form)));
  });
}
