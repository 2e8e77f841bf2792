import { existsSync, readFileSync } from "node:fs";
import { readTreebank, Sentence } from "../packages/core/dist/index.js";
import { GoldTree } from "../packages/core/dist/systems.js";
import { TreebankReader } from "../packages/core/dist/treebank.js";

const folder = new URL("../../shared/treebanks/", import.meta.url).pathname;

/** Where the training file of a treebank such as en_ewt is expected. */
export function trainingFile(name) {
  return `${folder}${name}-ud-train.conllu`;
}

/** The trees of a file; undefined, with a message, if it is not there. Sentences that are no trees are left out. */
export function readTrees(file) {
  if (existsSync(file)) {
    const reader = new TreebankReader({ requireTree: true });
    const results = [...reader.push(readFileSync(file)), ...reader.end()];
    return results.filter((result) => result instanceof Sentence).map(({ heads }) => new GoldTree(heads));
  }
  console.log(`${file}: not there, skipped`);
  return undefined;
}

/** The first sentences of training files and their development files; what is not there is skipped with a message. */
export function* trainAndDev(treebanks, most) {
  for (const treebank of treebanks) {
    const file = trainingFile(treebank);
    if (existsSync(file)) {
      const read = (path) => readTreebank(readFileSync(path, "utf8"));
      yield { treebank, sentences: read(file).slice(0, most), dev: read(file.replace("-train", "-dev")) };
    } else console.log(`${file}: not there, skipped`);
  }
}
