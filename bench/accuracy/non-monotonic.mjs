// Do arcs that repair others pay? Arc-eager or Covington's system with and without them (`monotonic: false`), greedy
// and with a beam: node bench/accuracy/non-monotonic.mjs [--system arc-eager] [--sentences 1000] [--epochs 4] [--beam 4] (0 for
// none) [--root last] [--seed 1] TREEBANK… (af_afribooms eu_bdt by default). Trains on the first sentences of the
// training part and parses the development part. Replaced are the heads that arcs took from words in greedy parsing, by
// what was right before and after.
import { parseArgs } from "node:util";
import { Configuration, defaultTemplates } from "../../packages/core/dist/systems.js";
import { attachment, Training } from "../../packages/core/dist/training.js";
import { EXPLORING, trainAndDev } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    system: { type: "string", default: "arc-eager" },
    seed: { type: "string", default: "1" },
    sentences: { type: "string", default: "1000" },
    epochs: { type: "string", default: "4" },
    beam: { type: "string", default: "4" },
    root: { type: "string", default: "last" },
  },
});
console.log("| treebank | search | arcs | UAS | LAS | replaced | wrong → right | right → wrong | wrong → wrong |");
console.log("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
const treebanks = positionals.length > 0 ? positionals : ["af_afribooms", "eu_bdt"];
for (const { treebank, sentences, dev } of trainAndDev(treebanks, Number(values.sentences))) {
  for (const beam of Number(values.beam) > 0 ? [undefined, Number(values.beam)] : [undefined]) {
    for (const monotonic of [true, false]) {
      const training = new Training(sentences, {
        system: values.system,
        root: values.root,
        systemSettings: { monotonic },
        ...EXPLORING,
        templates: defaultTemplates(values.system),
        epochs: Number(values.epochs),
        seed: Number(values.seed),
        beam,
      });
      while (training.epoch < Number(values.epochs)) training.runEpoch();
      const model = training.model();
      const { uas, las } = attachment(model, dev);
      const repairs = monotonic || beam ? undefined : repairsOf(model, dev);
      const counts = repairs
        ? [repairs.total, repairs.mended, repairs.spoilt, repairs.total - repairs.mended - repairs.spoilt]
        : ["–", "–", "–", "–"];
      const scores = [uas, las].map((score) => (100 * score).toFixed(2));
      const search = beam ? `beam ${beam}` : "greedy";
      console.log(
        `| ${[treebank, search, monotonic ? "stay" : "can be replaced", ...scores, ...counts].join(" | ")} |`,
      );
    }
  }
}

/** How many heads greedy parsing replaces, from wrong to right and from right to wrong. */
function repairsOf(model, dev) {
  const count = { total: 0, mended: 0, spoilt: 0 };
  const { removeArc, addArc } = Configuration.prototype;
  let gold;
  // The last one: to break a cycle another head is taken away before.
  let removed;
  Configuration.prototype.removeArc = function remove(dependent) {
    removed = { dependent, head: this.heads[dependent] };
    removeArc.call(this, dependent);
  };
  Configuration.prototype.addArc = function add(head, dependent, label) {
    if (removed?.dependent === dependent) {
      count.total++;
      if (head === gold[dependent]) count.mended++;
      else if (removed.head === gold[dependent]) count.spoilt++;
    }
    removed = undefined;
    addArc.call(this, head, dependent, label);
  };
  const parser = model.createParser();
  for (const sentence of dev) {
    gold = sentence.heads;
    parser.parse(sentence);
  }
  Object.assign(Configuration.prototype, { removeArc, addArc });
  return count;
}
