// Linear models: greedy training, training with a beam, and both (`singleSteps`), each parsing as it was trained.
// node bench/single-steps.mjs [--sentences 400] [--epochs 6] [--beam 8] [--system arc-standard] [--seeds 1,2] TREEBANK…
// (eu_bdt, tr_imst and zh_gsd by default). Trains on the first sentences of the training part and parses the development
// part: gold tags, whole labels, the model after the last epoch.
import { parseArgs } from "node:util";
import { defaultTemplates } from "../packages/core/dist/systems.js";
import { attachment, Training } from "../packages/core/dist/training.js";
import { trainAndDev } from "./treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "400" },
    epochs: { type: "string", default: "6" },
    beam: { type: "string", default: "8" },
    system: { type: "string", default: "arc-standard" },
    seeds: { type: "string", default: "1,2" },
  },
});
const beam = Number(values.beam);
const epochs = Number(values.epochs);
const kinds = {
  greedy: {},
  [`beam ${beam}`]: { beam },
  [`beam ${beam}, single steps`]: { beam, singleSteps: true },
};

console.log("| treebank | seed | trained | UAS | LAS | training, CPU (s) |");
console.log("| --- | ---: | --- | ---: | ---: | ---: |");
const treebanks = positionals.length > 0 ? positionals : ["eu_bdt", "tr_imst", "zh_gsd"];
for (const { treebank, sentences, dev } of trainAndDev(treebanks, Number(values.sentences))) {
  for (const seed of values.seeds.split(",").map(Number)) {
    for (const [kind, changes] of Object.entries(kinds)) {
      const before = process.cpuUsage().user;
      const training = new Training(sentences, {
        system: values.system,
        root: "last",
        regime: "dynamic",
        exploreFrom: 2,
        exploreProbability: 1,
        lossBound: Number.POSITIVE_INFINITY,
        afterUpdate: "go-on",
        templates: defaultTemplates(values.system),
        epochs,
        seed,
        ...changes,
      });
      while (training.epoch < epochs) training.runEpoch();
      const seconds = ((process.cpuUsage().user - before) / 1e6).toFixed(0);
      const { uas, las } = attachment(training.model(), dev);
      const scores = [uas, las].map((score) => (100 * score).toFixed(2));
      console.log(`| ${[treebank, seed, kind, ...scores, seconds].join(" | ")} |`);
    }
  }
}
