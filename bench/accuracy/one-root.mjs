// Does it help to permit in training, too, only what leads to one root, as in parsing? Trains greedy linear models both
// ways and prints UAS, LAS and the time of training: node bench/accuracy/one-root.mjs [--sentences 1000] [--epochs 4] [--seeds
// 2] TREEBANK… (eu_bdt el_gdt by default)
import { parseArgs } from "node:util";
import { defaultTemplates } from "../../packages/core/dist/systems.js";
import { attachment, Training } from "../../packages/core/dist/training.js";
import { EXPLORING, trainAndDev } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "1000" },
    epochs: { type: "string", default: "4" },
    seeds: { type: "string", default: "2" },
    systems: { type: "string", default: "arc-standard,arc-eager,arc-hybrid" },
  },
});
console.log(
  "| treebank | system | constraint in training | UAS | LAS | seconds |\n| --- | --- | --- | --- | --- | --- |",
);
const treebanks = positionals.length > 0 ? positionals : ["eu_bdt", "el_gdt"];
for (const { treebank, sentences, dev } of trainAndDev(treebanks, Number(values.sentences))) {
  for (const system of values.systems.split(",")) {
    for (const oneRootInTraining of [false, true]) {
      const mean = { uas: 0, las: 0, seconds: 0 };
      for (let seed = 1; seed <= Number(values.seeds); seed++) {
        const training = new Training(sentences, {
          system,
          root: "last",
          ...EXPLORING,
          templates: defaultTemplates(system),
          epochs: Number(values.epochs),
          seed,
          oneRootInTraining,
        });
        const start = process.cpuUsage();
        while (training.epoch < Number(values.epochs)) training.runEpoch();
        mean.seconds += process.cpuUsage(start).user / 1e6 / Number(values.seeds);
        const { uas, las } = attachment(training.model(), dev);
        mean.uas += (100 * uas) / Number(values.seeds);
        mean.las += (100 * las) / Number(values.seeds);
      }
      console.log(
        `| ${treebank} | ${system} | ${oneRootInTraining ? "yes" : "no"} | ${mean.uas.toFixed(2)} | ${mean.las.toFixed(2)} | ${mean.seconds.toFixed(1)} |`,
      );
    }
  }
}
