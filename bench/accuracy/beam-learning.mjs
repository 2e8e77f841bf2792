// Training of linear models that parse with a beam: from single steps or whole derivations.
// node bench/accuracy/beam-learning.mjs [--sentences 400] [--epochs 6] [--beam 8] [--system arc-standard] [--seeds 1,2]
// [--kinds steps,whole] [--units 1] TREEBANK… (all five main ones by default). Trains on the first sentences of the
// training part and parses the development part: gold tags, whole labels, the model after the last epoch. Kinds:
//   steps      single steps; parsed greedily and with the beam, whose scores are logarithms of probabilities
//   whole      whole derivations
//   both       whole derivations and single steps
//   lowest, rare, long   whole derivations with the lowest loss as target, with every feature from its first update on,
//              and with twice the epochs
// --units: what the unit of the logarithms is multiplied by; 0 for sums of scores as they are. The last column but one is
// LAS on the first 400 training sentences.
import { parseArgs } from "node:util";
import { ParserModel } from "../../packages/core/dist/index.js";
import { defaultTemplates } from "../../packages/core/dist/systems.js";
import { attachment, Training } from "../../packages/core/dist/training.js";
import { EXPLORING, trainAndDev } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "400" },
    epochs: { type: "string", default: "6" },
    beam: { type: "string", default: "8" },
    system: { type: "string", default: "arc-standard" },
    seeds: { type: "string", default: "1,2" },
    kinds: { type: "string", default: "steps,whole" },
    units: { type: "string", default: "1" },
  },
});
const beam = Number(values.beam);
const epochs = Number(values.epochs);
const units = values.units.split(",").map(Number);
const KINDS = {
  steps: { globalEpochs: 0 },
  whole: {},
  both: { singleSteps: true },
  lowest: { lowestLoss: true },
  rare: { minUpdates: 1 },
  long: { epochs: 2 * epochs },
};

console.log("| treebank | seed | learned from | parsed | UAS | LAS | LAS, training | training, CPU (s) |");
console.log("| --- | ---: | --- | --- | ---: | ---: | ---: | ---: |");
const treebanks = positionals.length > 0 ? positionals : ["en_ewt", "el_gdt", "eu_bdt", "tr_imst", "zh_gsd"];
for (const { treebank, sentences, dev } of trainAndDev(treebanks, Number(values.sentences))) {
  for (const seed of values.seeds.split(",").map(Number)) {
    for (const kind of values.kinds.split(",")) {
      const before = process.cpuUsage().user;
      const training = new Training(sentences, {
        system: values.system,
        root: "last",
        ...EXPLORING,
        templates: defaultTemplates(values.system),
        epochs,
        seed,
        beam,
        ...KINDS[kind],
      });
      while (training.epoch < training.options.epochs) training.runEpoch();
      const seconds = ((process.cpuUsage().user - before) / 1e6).toFixed(0);
      const model = training.model();
      const report = (how, parsing, options) => {
        const parse = { createParser: () => parsing.createParser(options) };
        const { uas, las } = attachment(parse, dev);
        // More would say nothing else.
        const known = attachment(parse, sentences.slice(0, 400)).las;
        const scores = [uas, las, known].map((score) => (100 * score).toFixed(2));
        console.log(`| ${[treebank, seed, kind, how, ...scores, seconds].join(" | ")} |`);
      };
      if (kind !== "steps") report(`beam ${beam}`, model, {});
      else {
        report("greedily", model, { beam: 1 });
        for (const unit of units) {
          const { logUnit, ...header } = model.header;
          const name = `beam ${beam}${unit === 1 ? "" : unit ? `, unit × ${unit}` : ", sums of scores"}`;
          const changed = unit ? { ...header, logUnit: unit * logUnit } : header;
          report(name, new ParserModel(changed, model.weights), {});
        }
      }
    }
  }
}
