// Semantic roles on the development part of the English data: node bench/roles.mjs [options] [MODEL ...] (after npm run
// build). Each MODEL, made by stemma train --roles, parses the gold tokens: predicted tags and trees, or with
// --gold-trees a labeller is trained and tested on gold tags and trees. Scores as in the CoNLL-2009 shared task, senses
// included.
//   --gold-trees  --epochs N (5)  --seed N (1)  --sentences N (of the training part)
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { RoleScores } from "../packages/core/dist/evaluation/joint/role-scores.js";
import { load } from "../packages/core/dist/index.js";
import { RoleTraining } from "../packages/core/dist/learning/roles/role-training.js";
import { RoleLabeller } from "../packages/core/dist/roles.js";
import { readTreebank } from "../packages/core/dist/treebank.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "gold-trees": { type: "boolean" },
    epochs: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    sentences: { type: "string" },
  },
});

const read = (/** @type {string} */ part) => {
  const file = new URL(`../../shared/treebanks/roles/en_ewt-roles-${part}.conll09.gz`, import.meta.url);
  return [...readTreebank(gunzipSync(readFileSync(file)), { format: "conll09" })];
};
const row = (/** @type {(string | number)[]} */ cells) =>
  console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(28) : String(cell).padStart(11))).join(""));
/** @type {(sentence: import("@stemma/core").Sentence) => import("@stemma/core").PredicateData[]} */
const dataOf = (sentence) => sentence.predicates.map((predicate) => predicate.toJSON());

const dev = read("dev");
const words = dev.reduce((sum, { length }) => sum + length, 0);
row(["", "labelled", "unlabelled", "predicates", "senses", "arguments", "MB", "words/s"]);

/** @type {(name: string, bytes: number, label: (s: (typeof dev)[0]) => ReturnType<typeof dataOf>) => void} */
function report(name, bytes, label) {
  const scores = new RoleScores();
  const found = [];
  const start = performance.now();
  for (const sentence of dev) found.push(label(sentence));
  const seconds = (performance.now() - start) / 1000;
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
  const train = read("train").slice(0, values.sentences ? Number(values.sentences) : undefined);
  const training = new RoleTraining(
    train.map((sentence) => ({ words: sentence, tree: treeOf(sentence), predicates: dataOf(sentence) })),
    { epochs: Number(values.epochs), seed: Number(values.seed) },
  );
  while (!training.isOver) {
    for (const _ of training.epochSteps());
    const labeller = new RoleLabeller(training.model());
    report(`gold trees, epoch ${training.epoch}`, 0, (sentence) => labeller.label(sentence, treeOf(sentence)));
  }
}
for (const path of positionals) {
  const parser = await load(path);
  report(basename(path), statSync(path).size, (sentence) => {
    return dataOf(parser.parseTokens(sentence.words.map(({ form }) => form)));
  });
}
