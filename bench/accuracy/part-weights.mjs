// The loss of a tagger when only its largest weights are kept (stemma train --part-weights):
// node bench/accuracy/part-weights.mjs
// [MODEL [TREEBANK]] (after npm run build). Without a model the English one that ships, without a treebank the
// development set of en_ewt. Bytes are those of the weights, their classes and features in the model file.
import { existsSync, readFileSync } from "node:fs";
import { loadModel, readTreebank } from "../../packages/core/dist/index.js";
import { TaggerModel } from "../../packages/core/dist/pipeline/tagger/tagger-model.js";
import { LinearModel } from "../../packages/core/dist/scoring/linear/linear-model.js";
import { predictTags } from "../../packages/core/dist/training.js";

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
const sizes = Int32Array.from(whole.weights, Math.abs).sort().reverse();
console.log("| weights | bytes | UPOS | XPOS | FEATS |\n| ---: | ---: | ---: | ---: | ---: |");
for (const most of [whole.weights.length, 300_000, 200_000, 150_000, 100_000, 60_000]) {
  const least = sizes[Math.min(most, sizes.length) - 1] ?? 0;
  const { entries, bytes } = largest(least);
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
  console.log(`| ${entries.weights.length} | ${bytes} | ${scores.join(" | ")} |`);
}

/**
 * The weights from a size on.
 *
 * @param {number} least
 */
function largest(least) {
  const features = [];
  const from = [0];
  const classes = [];
  const weights = [];
  let bytes = 0;
  let previous = -1;
  whole.features.forEach((feature, f) => {
    const before = classes.length;
    for (let e = whole.from[f] ?? 0; e < (whole.from[f + 1] ?? 0); e++) {
      const weight = whole.weights[e] ?? 0;
      if (Math.abs(weight) < least) continue;
      classes.push(whole.classes[e] ?? 0);
      weights.push(weight);
      bytes += 1 + lengthOf(2 * Math.abs(weight) - 1);
    }
    if (classes.length === before) return;
    bytes += 1 + lengthOf(feature - previous - 1);
    previous = feature;
    features.push(feature);
    from.push(classes.length);
  });
  const entries = {
    bits: whole.bits,
    features: Uint32Array.from(features),
    from: Uint32Array.from(from),
    classes: Uint16Array.from(classes),
    weights: Int16Array.from(weights),
  };
  return { entries, bytes };
}

/**
 * Bytes of a number in LEB128.
 *
 * @param {number} n
 */
function lengthOf(n) {
  return Math.max(1, Math.ceil(Math.log2(n + 1) / 7));
}
