// Is it worth training networks with a beam (Andor et al. 2016)? Networks that learn from single steps and networks that
// in their last epochs also learn from whole derivations, both parsing greedily and with a beam.
// node bench/accuracy/beam-networks.mjs [--sentences 1500] [--epochs 12] [--global-epochs 4] [--beam 8] [--system arc-hybrid]
// [--oracle dynamic] [--layers 1] [--width 48] [--hidden 96] [--seeds 1,2] TREEBANK… (tr_imst and eu_bdt by default).
// Trains on the first sentences of the training part and parses the development part: gold tags, whole labels, the model
// after the last epoch.
import { parseArgs } from "node:util";
import { viewTemplates } from "../../packages/core/dist/systems.js";
import { attachment, NeuralTraining } from "../../packages/core/dist/training.js";
import { trainAndDev } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "1500" },
    epochs: { type: "string", default: "12" },
    "global-epochs": { type: "string", default: "4" },
    beam: { type: "string", default: "8" },
    system: { type: "string", default: "arc-hybrid" },
    oracle: { type: "string", default: "dynamic" },
    layers: { type: "string", default: "1" },
    width: { type: "string", default: "48" },
    hidden: { type: "string", default: "96" },
    seeds: { type: "string", default: "1,2" },
  },
});
const beam = Number(values.beam);
const epochs = Number(values.epochs);
const nameOf = (width) => (width === 1 ? "greedily" : `beam ${width}`);

console.log("| treebank | seed | trained | parsed | UAS | LAS | training, CPU (s) |");
console.log("| --- | ---: | --- | --- | ---: | ---: | ---: |");
const treebanks = positionals.length > 0 ? positionals : ["tr_imst", "eu_bdt"];
for (const { treebank, sentences, dev } of trainAndDev(treebanks, Number(values.sentences))) {
  for (const seed of values.seeds.split(",").map(Number)) {
    for (const globalEpochs of [0, Number(values["global-epochs"])]) {
      const before = process.cpuUsage().user;
      const training = new NeuralTraining(sentences, {
        system: values.system,
        root: "last",
        oracle: values.oracle,
        exploreFrom: 2,
        exploreProbability: 1,
        templates: viewTemplates(values.system, "default"),
        epochs,
        seed,
        beam,
        globalEpochs,
        inputs: { word: 64, lemma: 32, upos: 16, xpos: 24, feats: 32, affixes: 32 },
        layers: Number(values.layers),
        width: Number(values.width),
        hidden: Number(values.hidden),
        dropout: { words: 0.5, inputs: 0.2, layers: 0.2, hidden: 0.2 },
        rate: 0.003,
      });
      while (training.epoch < epochs) training.runEpoch();
      const seconds = ((process.cpuUsage().user - before) / 1e6).toFixed(0);
      const model = training.model();
      const trained = nameOf(globalEpochs === 0 ? 1 : beam);
      for (const width of [1, beam]) {
        const { uas, las } = attachment({ createParser: () => model.createParser({ beam: width }) }, dev);
        const scores = [uas, las].map((score) => (100 * score).toFixed(2));
        console.log(`| ${[treebank, seed, trained, nameOf(width), ...scores, seconds].join(" | ")} |`);
      }
    }
  }
}
