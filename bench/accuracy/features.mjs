// Accuracy by feature templates. With --compare groups the groups of Zhang & Nivre (2011), added one after the other
// as in table 4 of their paper, and the default set; with --compare sets the sets that ship, and what can be added to
// them. Greedy and with a beam:
// node bench/accuracy/features.mjs [--compare groups] [--system arc-eager] [--sets default,zhang-nivre] [--sentences 1500]
//   [--epochs 4] [--beam 4] [--root last] [--seed 1] TREEBANK… (en_ewt eu_bdt by default)
// Trains on the first sentences of the training part and parses the development part: gold tags, whole labels.
import { parseArgs } from "node:util";
import {
  createSystem,
  dynamicOracle,
  featureTemplates,
  ZHANG_NIVRE_GROUPS,
  zhangNivreTemplates,
} from "../../packages/core/dist/systems.js";
import { attachment, parseTemplates, Training } from "../../packages/core/dist/training.js";
import { trainAndDev } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    compare: { type: "string", default: "groups" },
    system: { type: "string", default: "arc-eager" },
    sets: { type: "string", default: "default,zhang-nivre" },
    sentences: { type: "string", default: "1500" },
    epochs: { type: "string", default: "4" },
    beam: { type: "string", default: "4" },
    root: { type: "string", default: "last" },
    seed: { type: "string", default: "1" },
  },
});
const { system, root } = values;
const beam = Number(values.beam);
const epochs = Number(values.epochs);
const oracle = dynamicOracle(createSystem(system)) ? "dynamic" : "static";
const searches = beam > 0 ? [undefined, beam] : [undefined];

const rows =
  values.compare === "groups"
    ? [
        ...ZHANG_NIVRE_GROUPS.map((group, i) => [
          i === 0 ? group : `+ ${group}`,
          zhangNivreTemplates(system, ZHANG_NIVRE_GROUPS.slice(0, i + 1)),
        ]),
        ["default set", featureTemplates(system, "default")],
      ]
    : values.sets.split(",").map((set) => [set, featureTemplates(system, set)]);

const names = searches.map((width) => (width ? `beam ${width}` : "greedy"));
const columns = names.flatMap((name) => [`${name}: UAS`, "LAS", "gain"]);
console.log(`| treebank | features | templates | ${columns.join(" | ")} |`);
console.log(`| --- | --- | ---: |${" ---: |".repeat(columns.length)}`);
const treebanks = positionals.length > 0 ? positionals : ["en_ewt", "eu_bdt"];
for (const { treebank, sentences, dev } of trainAndDev(treebanks, Number(values.sentences))) {
  const last = searches.map(() => undefined);
  for (const [name, templates] of rows) {
    const { context } = createSystem(system).description;
    const cells = [treebank, name, parseTemplates(templates, name, context).templates.length];
    searches.forEach((width, s) => {
      const { uas, las } = scores(sentences, dev, templates, width);
      const gain = last[s] === undefined ? "" : signed(las - last[s]);
      cells.push((100 * uas).toFixed(2), (100 * las).toFixed(2), gain);
      // Each group is compared with what it was added to, a set with the first.
      if (values.compare === "groups" || last[s] === undefined) last[s] = las;
    });
    console.log(`| ${cells.join(" | ")} |`);
  }
}

function scores(sentences, dev, templates, width) {
  const training = new Training(sentences, {
    system,
    root,
    oracle,
    exploreFrom: 2,
    exploreProbability: 1,
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
    templates,
    epochs,
    seed: Number(values.seed),
    beam: width,
  });
  while (training.epoch < epochs) training.runEpoch();
  return attachment(training.model(), dev);
}

function signed(difference) {
  const points = (100 * difference).toFixed(2);
  return difference < 0 ? points.replace("-", "−") : `+${points}`;
}
