// Semantic roles on the development part of the English data: node bench/accuracy/roles.mjs [options] [MODEL ...] (after npm run
// build). Each MODEL, made by stemma train --roles, parses the gold tokens: predicted tags and trees. Of one without roles
// there are only size and speed, to compare with: tagging, parsing and roles together. With --gold-trees
// a labeller is trained and tested on gold tags and trees; with --add-to MODEL as by stemma train --roles --add-to, on
// those of the model. It is a linear one, and a network as well if the model can have one: --labellers linear, network or
// both. --learn-from gold: it learns from gold tags and trees, but is tested on those of the model. Speed is then that of
// the labeller alone, in words per second of processor time. Scores as in the CoNLL-2009 shared task, senses included;
// --strict: whole senses, and joined roles as one.
//   --epochs N (5)  --seed N (1)  --sentences N (of the training part)  --dev-sentences N  --part-weights N,… (in the last
//   epoch also with so many weights at most)  --beam N (with --gold-trees, may be repeated: in the last epoch also so wide)
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { load, PipelineModel, writeModel } from "../../packages/core/dist/index.js";
import { roleExamples, roleVectors } from "../../packages/core/dist/roles/learning/role-steps.js";
import { RoleTraining } from "../../packages/core/dist/roles/learning/role-training.js";
import { RoleScores } from "../../packages/core/dist/roles/role-scores.js";
import { RoleLabeller, rolesOf } from "../../packages/core/dist/roles.js";
import { readTreebank } from "../../packages/core/dist/treebank.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    strict: { type: "boolean", default: false },
    "gold-trees": { type: "boolean" },
    epochs: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    sentences: { type: "string" },
    "dev-sentences": { type: "string" },
    "add-to": { type: "string", multiple: true, default: [] },
    labellers: { type: "string", default: "linear,network" },
    "learn-from": { type: "string", default: "model" },
    "part-weights": { type: "string" },
    beam: { type: "string", multiple: true, default: [] },
  },
});

if (values.beam.length > 0 && !values["gold-trees"]) throw new Error("--beam needs --gold-trees");
const read = (/** @type {string} */ part) => {
  const file = new URL(`../../../shared/treebanks/roles/en_ewt-roles-${part}.conll09.gz`, import.meta.url);
  return [...readTreebank(gunzipSync(readFileSync(file)), { format: "conll09" })];
};
const row = (/** @type {(string | number)[]} */ cells) =>
  console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(36) : String(cell).padStart(11))).join(""));
/** @type {(sentence: import("@stemma/core").Sentence) => import("@stemma/core").PredicateData[]} */
const dataOf = (sentence) => sentence.predicates.map((predicate) => predicate.toJSON());

const dev = read("dev").slice(0, values["dev-sentences"] ? Number(values["dev-sentences"]) : undefined);
/** The sentences of the training part. */
const training = () => read("train").slice(0, values.sentences ? Number(values.sentences) : undefined);
const options = { epochs: Number(values.epochs), seed: Number(values.seed) };
const words = dev.reduce((sum, { length }) => sum + length, 0);
row(["", "labelled", "unlabelled", "predicates", "senses", "arguments", "MB", "words/s"]);

/**
 * @param {string} name
 * @param {number} bytes
 * @param {(sentence: (typeof dev)[0], k: number) => ReturnType<typeof dataOf>} label
 * @param {boolean} [hasRoles]
 */
function report(name, bytes, label, hasRoles = true) {
  const scores = new RoleScores({ strict: values.strict });
  const found = [];
  const start = process.cpuUsage();
  for (const [k, sentence] of dev.entries()) found.push(label(sentence, k));
  const { user, system } = process.cpuUsage(start);
  dev.forEach((sentence, k) => {
    const { length } = sentence;
    scores.add([{ length, predicates: dataOf(sentence) }], [{ length, predicates: found[k] ?? [] }]);
  });
  const percent = (/** @type {number} */ share) => (100 * share).toFixed(2);
  const { labelled, unlabelled, predicates, arguments: own, senseAccuracy } = scores;
  row([
    name,
    ...[labelled.f1, unlabelled.f1, predicates.f1, senseAccuracy, own.f1].map(hasRoles ? percent : () => "-"),
    bytes === 0 ? "-" : (bytes / 1e6).toFixed(1),
    Math.round((1e6 * words) / (user + system)),
  ]);
}

const treeOf = (/** @type {(typeof dev)[0]} */ s) => ({
  heads: s.heads,
  labels: ["", ...s.words.map(({ deprel }) => deprel)],
});
if (values["gold-trees"]) {
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
    const labeller = new RoleLabeller(learner.model({ width: Number(width) }));
    report(`beam ${width}`, 0, (sentence) => labeller.label(sentence, treeOf(sentence)));
  }
}
/** The return value of a generator. @template T @param {Generator<unknown, T, void>} steps */
function lastOf(steps) {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
/** @param {import("../../packages/core/dist/roles/learning/role-training.js").RoleExample[]} seen @param {typeof dev} gold */
function wrongArcs(seen, gold) {
  let [wrong, all] = [0, 0];
  gold.forEach((sentence, k) => {
    const { heads, labels } = /** @type {(typeof seen)[0]} */ (seen[k]).tree;
    for (let i = 1; i <= sentence.length; i++, all++)
      if (heads[i] !== sentence.head(i) || labels[i] !== sentence.deprel(i)) wrong++;
  });
  return `${((100 * wrong) / all).toFixed(1)} %`;
}
const limits = [undefined, ...(values["part-weights"]?.split(",").map(Number) ?? [])];
for (const path of values["add-to"]) {
  const { model } = await load(path);
  const vectors = roleVectors(model);
  const sentences = training();
  const own = lastOf(roleExamples(model, sentences, vectors));
  const examples =
    values["learn-from"] === "gold"
      ? own.map((example, k) => ({ ...example, words: sentences[k], tree: treeOf(sentences[k]) }))
      : own;
  const test = lastOf(roleExamples(model, dev, vectors));
  console.log(
    `wrong heads or labels: ${wrongArcs(examples, sentences)} in training, ${wrongArcs(test, dev)} in the test`,
  );
  for (const kind of values.labellers.split(",")) {
    if (kind === "network" && !vectors) continue;
    const learner = new RoleTraining(examples, options, kind === "network" ? vectors : undefined);
    while (!learner.isOver) {
      for (const _ of learner.epochSteps());
      for (const limit of learner.isOver ? limits : [undefined]) {
        const roles = learner.model({ most: limit });
        const labeller = new RoleLabeller(roles);
        const bytes = writeModel(new PipelineModel({ ...model, roles })).length;
        const name = `${basename(path, ".stemma")} ${kind}, epoch ${learner.epoch}`;
        report(limit === undefined ? name : `${name}, ${limit}`, bytes, (_, k) => {
          const { words, tree, vectors } = /** @type {(typeof test)[0]} */ (test[k]);
          return labeller.label(words, tree, vectors);
        });
      }
    }
  }
}
for (const path of positionals) {
  const parser = await load(path);
  const label = (/** @type {(typeof dev)[0]} */ sentence) =>
    dataOf(parser.parseTokens(sentence.words.map(({ form }) => form)));
  // Compiling and filling caches is not part of the speed.
  for (const sentence of dev.slice(0, 200)) label(sentence);
  report(basename(path), statSync(path).size, label, rolesOf(parser.model) !== undefined);
}
