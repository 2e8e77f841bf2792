// The use of the auxiliary stack of Attardi's system: how many trees need it and how often the static oracle uses
// it, and accuracy beside swap and plain Attardi, with either oracle, greedy and with a beam:
// node bench/accuracy/auxiliary-stack.mjs [--sentences 1000] [--epochs 4] [--beam 4] [--root last] [--trees-only] TREEBANK…
// (eu_bdt by default). Trains on the first sentences of the training part and parses the development part.
import { parseArgs } from "node:util";
import {
  Configuration,
  canBuild,
  createSystem,
  defaultTemplates,
  GoldTree,
  staticOracle,
} from "../../packages/core/dist/systems.js";
import { attachment, Training } from "../../packages/core/dist/training.js";
import { readTrees, trainAndDev, trainingFile } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "1000" },
    epochs: { type: "string", default: "4" },
    beam: { type: "string", default: "4" },
    root: { type: "string", default: "last" },
    "trees-only": { type: "boolean", default: false },
  },
});
const treebanks = positionals.length > 0 ? positionals : ["eu_bdt"];
const { root } = values;

console.log("| treebank | trees | out of Attardi's reach | EXTRACT in each of those | SWAP in each, eager | lazy |");
console.log("| --- | ---: | ---: | ---: | ---: | ---: |");
for (const treebank of treebanks) {
  const trees = readTrees(trainingFile(treebank));
  if (!trees) continue;
  const attardi = createSystem("attardi", { root });
  const c = new Configuration();
  const hard = trees.filter((gold) => !canBuild(attardi, gold, c));
  const means = [
    [createSystem("attardi-auxiliary", { root }), "EXTRACT"],
    [createSystem("swap", { root }), "SWAP"],
    [createSystem("swap", { root, lazy: true }), "SWAP"],
  ].map(([system, name]) => (uses(system, name, hard) / hard.length).toFixed(2));
  console.log(`| ${[treebank, trees.length, hard.length, ...means].join(" | ")} |`);
}

/** How often the canonical derivations of the trees have a transition. */
function uses(system, name, trees) {
  const oracle = staticOracle(system);
  const c = new Configuration();
  let count = 0;
  for (const gold of trees) {
    oracle.bind(new GoldTree(gold.heads.subarray(0, gold.length + 1)));
    system.initialize(c, gold.length);
    while (!system.isTerminal(c)) {
      const move = oracle.next(c);
      if (system.nameOf(move) === name) count++;
      system.apply(c, move);
    }
  }
  return count;
}

const ORACLES = [
  ["attardi", "dynamic"],
  ["attardi-auxiliary", "static"],
  ["attardi-auxiliary", "dynamic"],
  ["swap", "static"],
  ["swap", "dynamic"],
];
if (!values["trees-only"]) {
  console.log("\n| treebank | search | system | oracle | UAS | LAS | transitions per word |");
  console.log("| --- | --- | --- | --- | ---: | ---: | ---: |");
  for (const { treebank, sentences, dev } of trainAndDev(treebanks, Number(values.sentences))) {
    for (const beam of [undefined, Number(values.beam)]) {
      for (const [system, oracle] of ORACLES) {
        const training = new Training(sentences, {
          system,
          root,
          oracle,
          exploreFrom: 2,
          exploreProbability: oracle === "dynamic" ? 1 : 0,
          lossBound: Number.POSITIVE_INFINITY,
          afterUpdate: "go-on",
          templates: defaultTemplates(system),
          epochs: Number(values.epochs),
          seed: 1,
          beam,
        });
        while (training.epoch < Number(values.epochs)) training.runEpoch();
        const model = training.model();
        const { uas, las } = attachment(model, dev);
        const steps = beam ? "–" : stepsPerWord(model, dev).toFixed(2);
        const scores = [uas, las].map((score) => (100 * score).toFixed(2));
        const row = [treebank, beam ? `beam ${beam}` : "greedy", system, oracle, ...scores, steps];
        console.log(`| ${row.join(" | ")} |`);
      }
    }
  }
}

/** How many transitions greedy parsing takes. */
function stepsPerWord(model, dev) {
  const { record } = Configuration.prototype;
  let steps = 0;
  let words = 0;
  Configuration.prototype.record = function count(move, label) {
    steps++;
    record.call(this, move, label);
  };
  const parser = model.createParser();
  for (const sentence of dev) {
    parser.parse(sentence);
    words += sentence.length;
  }
  Configuration.prototype.record = record;
  return steps / words;
}
