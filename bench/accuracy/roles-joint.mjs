// Pipeline against joint on the English data with semantic roles, with gold tags: node bench/accuracy/roles-joint.mjs [options]
// (after npm run build). The pipeline parses first and finds roles in its trees, which it learns as stemma train --roles
// does; the joint model decides both in one derivation (stemma train --roles --joint roles). Both parse greedily with
// the same system. Arguments are those with their role, of which "left" and "right" are those on either side of the
// predicate. From "gold" on: the same models when the tree is given, which the joint model is made to build; sentences
// whose tree has crossing arcs are left out there. LAS with punctuation, semantic scores as in the CoNLL-2009 shared
// task (labelled F1 with senses), all on the development part, in percent.
//   --sentences N (2000, of the training part)  --dev-sentences N (all)  --epochs N (8)  --role-epochs N (6)
//   --seed N (1)  --system NAME (arc-eager)  --only pipeline|joint  --every (a row for each epoch, not the last alone)
//   --strict (whole senses, and joined roles as one)
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { Training } from "../../packages/core/dist/learning/training.js";
import { PipelineModel } from "../../packages/core/dist/pipeline/pipeline-model.js";
import { JointTraining } from "../../packages/core/dist/roles/learning/joint-training.js";
import { roleExamples } from "../../packages/core/dist/roles/learning/role-steps.js";
import { RoleTraining } from "../../packages/core/dist/roles/learning/role-training.js";
import { RoleScores } from "../../packages/core/dist/roles/role-scores.js";
import { RoleLabeller } from "../../packages/core/dist/roles.js";
import { trainOptionsOf } from "../../packages/core/dist/training/learner-options.js";
import { completeSettings } from "../../packages/core/dist/training/settings.js";
import { isProjective } from "../../packages/core/dist/treebank/tree.js";
import { readTreebank } from "../../packages/core/dist/treebank.js";

const { values } = parseArgs({
  options: {
    sentences: { type: "string", default: "2000" },
    "dev-sentences": { type: "string" },
    epochs: { type: "string", default: "8" },
    "role-epochs": { type: "string", default: "6" },
    seed: { type: "string", default: "1" },
    system: { type: "string", default: "arc-eager" },
    only: { type: "string" },
    every: { type: "boolean" },
    strict: { type: "boolean", default: false },
  },
});

/** @typedef {import("@stemma/core").Sentence} Sentence */
/** @typedef {import("@stemma/core").PredicateData} PredicateData */
/** @typedef {{ heads: ArrayLike<number>, labels: string[] }} Tree */
const read = (/** @type {string} */ part, /** @type {string | undefined} */ most) => {
  const file = new URL(`../../../shared/treebanks/roles/en_ewt-roles-${part}.conll09.gz`, import.meta.url);
  const sentences = [...readTreebank(gunzipSync(readFileSync(file)), { format: "conll09" })];
  return sentences.slice(0, most === undefined ? undefined : Number(most));
};
const train = read("train", values.sentences);
const dev = read("dev", values["dev-sentences"]);
const seed = Number(values.seed);
const settings = completeSettings({ system: values.system, epochs: Number(values.epochs), seed });
const options = trainOptionsOf(settings);
const predicates = new Map([...train, ...dev].map((s) => [s, s.predicates.map((predicate) => predicate.toJSON())]));
const labelsOf = (/** @type {Sentence} */ s) => ["", ...s.words.map(({ deprel }) => deprel)];
const row = (/** @type {(string | number)[]} */ cells) =>
  console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(22) : String(cell).padStart(11))).join(""));
row([
  "",
  "UAS",
  "LAS",
  "labelled",
  "predicates",
  "senses",
  "arguments",
  "left",
  "right",
  "gold",
  "senses",
  "arguments",
]);

/** Predicates with the arguments on one side of them. */
const side = (/** @type {readonly PredicateData[]} */ list, /** @type {number} */ sign) =>
  list.map((one) => ({ ...one, arguments: one.arguments.filter(({ word }) => sign * (word - one.word) > 0) }));

/**
 * @param {string} name
 * @param {(sentence: Sentence) => { tree: Tree, found: PredicateData[] }} parse
 * @param {(sentence: Sentence, tree: Tree) => PredicateData[]} label
 */
function report(name, parse, label) {
  const percent = (/** @type {number} */ share) => (100 * share).toFixed(2);
  const [scores, left, right, gold] = Array.from({ length: 4 }, () => new RoleScores({ strict: values.strict }));
  let [words, heads, labels] = [0, 0, 0];
  for (const sentence of dev) {
    const { length } = sentence;
    const own = predicates.get(sentence) ?? [];
    const { tree, found } = parse(sentence);
    for (let i = 1; i <= length; i++) {
      words++;
      if (tree.heads[i] !== sentence.head(i)) continue;
      heads++;
      if (tree.labels[i] === sentence.deprel(i)) labels++;
    }
    scores.add([{ length, predicates: own }], [{ length, predicates: found }]);
    left.add([{ length, predicates: side(own, -1) }], [{ length, predicates: side(found, -1) }]);
    right.add([{ length, predicates: side(own, 1) }], [{ length, predicates: side(found, 1) }]);
    if (!isProjective(sentence.heads)) continue;
    const given = label(sentence, { heads: sentence.heads, labels: labelsOf(sentence) });
    gold.add([{ length, predicates: own }], [{ length, predicates: given }]);
  }
  const { labelled, predicates: own, arguments: roles, senseAccuracy } = scores;
  row([
    name,
    ...[heads / words, labels / words, labelled.f1, own.f1, senseAccuracy, roles.f1].map(percent),
    ...[left.arguments.f1, right.arguments.f1, gold.labelled.f1, gold.senseAccuracy, gold.arguments.f1].map(percent),
  ]);
}

if (values.only !== "joint") {
  const training = new Training(train, options);
  while (training.epoch < settings.epochs) training.runEpoch();
  const model = training.model();
  const parser = model.createParser();
  const steps = roleExamples(new PipelineModel({ parser: model }), train, undefined);
  let step = steps.next();
  for (; !step.done; step = steps.next());
  const roles = new RoleTraining(step.value, { epochs: Number(values["role-epochs"]), seed });
  while (!roles.isOver) {
    for (const _ of roles.epochSteps());
    if (!values.every && !roles.isOver) continue;
    const labeller = new RoleLabeller(roles.model());
    const parse = (/** @type {Sentence} */ sentence) => {
      const tree = parser.parse(sentence);
      return { tree, found: labeller.label(sentence, tree) };
    };
    report(`pipeline, epoch ${roles.epoch}`, parse, (sentence, tree) => labeller.label(sentence, tree));
  }
}
if (values.only !== "pipeline") {
  const training = new JointTraining(train, options, (sentence) => predicates.get(/** @type {any} */ (sentence)) ?? []);
  while (training.epoch < settings.epochs) {
    training.runEpoch();
    if (!values.every && training.epoch < settings.epochs) continue;
    const parser = training.model().createParser();
    const parse = (/** @type {Sentence} */ sentence) => {
      const tree = parser.parse(sentence);
      return { tree, found: tree.annotations[0].predicates };
    };
    const label = (/** @type {Sentence} */ sentence, /** @type {{ heads: Int32Array, labels: string[] }} */ tree) =>
      parser.parse(sentence, { constraints: tree }).annotations[0].predicates;
    report(`joint, epoch ${training.epoch}`, parse, label);
  }
}
