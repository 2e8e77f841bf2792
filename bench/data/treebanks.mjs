import { existsSync, readFileSync } from "node:fs";
import { Sentence } from "../../packages/core/dist/index.js";
import { GoldTree } from "../../packages/core/dist/systems.js";
import { TreebankReader } from "../../packages/core/dist/treebank.js";

/** How `Training` learns with the dynamic oracle, as `stemma train` does if nothing else is said. */
export const EXPLORING = {
  oracle: "dynamic",
  exploreFrom: 2,
  exploreProbability: 1,
  lossBound: Number.POSITIVE_INFINITY,
  afterUpdate: "go-on",
};

const folder = new URL("../../../shared/treebanks/", import.meta.url).pathname;

/** Where the training file of a treebank such as en_ewt is expected. */
export function trainingFile(name) {
  return `${folder}${name}-ud-train.conllu`;
}

/** The sentences of a file. Those that are wrong (three in nl_lassysmall) are left out. */
function readSentences(file, options) {
  const reader = new TreebankReader(options);
  return [...reader.push(readFileSync(file)), ...reader.end()].filter((result) => result instanceof Sentence);
}

/** The trees of a file; undefined, with a message, if it is not there. Sentences that are no trees are left out. */
export function readTrees(file) {
  if (existsSync(file)) return readSentences(file, { requireTree: true }).map(({ heads }) => new GoldTree(heads));
  console.log(`${file}: not there, skipped`);
  return undefined;
}

/** The first sentences of training files and their development files; what is not there is skipped with a message. */
export function* trainAndDev(treebanks, most) {
  for (const treebank of treebanks) {
    const train = trainingFile(treebank);
    const dev = train.replace("-train", "-dev");
    const missing = [train, dev].find((file) => !existsSync(file));
    if (missing) console.log(`${missing}: not there, skipped`);
    else yield { treebank, sentences: readSentences(train).slice(0, most), dev: readSentences(dev) };
  }
}
