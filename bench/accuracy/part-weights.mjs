// The loss of a tagger when only its largest weights are kept (stemma train --part-weights):
// node bench/accuracy/part-weights.mjs
// [MODEL [TREEBANK]] (after npm run build). Without a model the English one that ships, without a treebank the
// development set of en_ewt. Bytes are those of the weights, their classes and features in the model file.
import { existsSync, readFileSync } from "node:fs";
import { loadModel, readTreebank } from "../../packages/core/dist/index.js";
import { TaggerModel } from "../../packages/core/dist/pipeline/tagger/tagger-model.js";
import { LinearModel } from "../../packages/core/dist/scoring/linear/linear-model.js";
import { predictTags } from "../../packages/core/dist/training.js";
import { largestWeights } from "../../packages/model-en/cut-tagger.mjs";

const [
  model = new URL("../../packages/model-en/en.stemma", import.meta.url),
  treebank = new URL("../../../shared/treebanks/en_ewt-ud-dev.conllu", import.meta.url),
] = process.argv.slice(2);
if (!existsSync(treebank)) {
  console.log("skipped: ../shared/treebanks is not there; give a model and a CoNLL-U file");
  process.exit(0);
}
const { tagger } = await loadModel(readFileSync(model), String(model));
if (!tagger) throw new Error(`${model}: no tagger`);
const whole = tagger.linear.entries();
const gold = [...readTreebank(readFileSync(treebank))];
console.log("| weights | bytes | UPOS | XPOS | FEATS |\n| ---: | ---: | ---: | ---: | ---: |");
for (const most of [whole.weights.length, 300_000, 200_000, 150_000, 100_000, 60_000]) {
  const entries = largestWeights(whole, most);
  const linear = LinearModel.build(entries);
  if (!linear) throw new Error("not all features find a place");
  const predicted = predictTags(gold, new TaggerModel(tagger.header, linear));
  const right = { upos: 0, xpos: 0, feats: 0 };
  let words = 0;
  gold.forEach((sentence, s) => {
    for (let i = 1; i <= sentence.length; i++) {
      words++;
      for (const column of /** @type {const} */ (["upos", "xpos", "feats"])) {
        if (predicted[s]?.[column](i) === sentence[column](i)) right[column]++;
      }
    }
  });
  const scores = Object.values(right).map((count) => ((100 * count) / words).toFixed(2));
  console.log(`| ${entries.weights.length} | ${sizeOf(entries)} | ${scores.join(" | ")} |`);
}

/**
 * The bytes of entries in a file.
 *
 * @param {import("../../packages/core/dist/scoring/linear/quantized-weights.js").Entries} entries
 */
function sizeOf({ features, from, weights }) {
  let bytes = 0;
  features.forEach((feature, f) => {
    bytes += 1 + lengthOf(feature - (features[f - 1] ?? -1) - 1);
    for (let e = from[f] ?? 0; e < (from[f + 1] ?? 0); e++) bytes += 1 + lengthOf(2 * Math.abs(weights[e] ?? 0) - 1);
  });
  return bytes;
}

/**
 * Bytes of a number in LEB128.
 *
 * @param {number} n
 */
function lengthOf(n) {
  return Math.max(1, Math.ceil(Math.log2(n + 1) / 7));
}
