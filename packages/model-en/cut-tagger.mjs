// Leaves a tagger its largest weights, so that the file of a model gets smaller: node packages/model-en/cut-tagger.mjs MODEL
// WEIGHTS (after npm run build). bench/accuracy/part-weights.mjs tells what that costs.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadModel, PipelineModel, writeModel } from "../core/dist/index.js";
import { TaggerModel } from "../core/dist/pipeline/tagger/tagger-model.js";
import { LinearModel } from "../core/dist/scoring/linear/linear-model.js";

/** @typedef {import("../core/dist/scoring/linear/quantized-weights.js").Entries} Entries */

/**
 * The entries with the largest weights: as many as are asked for, and those as large as the last of them.
 *
 * @param {Entries} whole
 * @param {number} most
 * @returns {Entries}
 */
export function largestWeights(whole, most) {
  const sizes = Int32Array.from(whole.weights, Math.abs).sort().reverse();
  const least = sizes[Math.min(most, sizes.length) - 1] ?? 0;
  /** @type {number[]} */
  const features = [];
  const from = [0];
  /** @type {number[]} */
  const classes = [];
  /** @type {number[]} */
  const weights = [];
  whole.features.forEach((feature, f) => {
    for (let e = whole.from[f] ?? 0; e < (whole.from[f + 1] ?? 0); e++) {
      const weight = whole.weights[e] ?? 0;
      if (Math.abs(weight) < least) continue;
      classes.push(whole.classes[e] ?? 0);
      weights.push(weight);
    }
    if (classes.length === from.at(-1)) return;
    features.push(feature);
    from.push(classes.length);
  });
  return {
    bits: whole.bits,
    features: Uint32Array.from(features),
    from: Uint32Array.from(from),
    classes: Uint16Array.from(classes),
    weights: Int16Array.from(weights),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path, most = ""] = process.argv.slice(2);
  if (path === undefined || !/^\d+$/.test(most)) {
    console.error("usage: node packages/model-en/cut-tagger.mjs MODEL WEIGHTS");
    process.exit(2);
  }
  const { segmenter, tagger, lemmatizer, parser, steps } = await loadModel(readFileSync(path), path);
  if (!tagger) throw new Error(`${path}: no tagger`);
  const linear = LinearModel.build(largestWeights(tagger.linear.entries(), Number(most)));
  if (!linear) throw new Error(`${path}: not all features of the tagger find a place`);
  const cut = new TaggerModel(tagger.header, linear, tagger.guesser);
  const bytes = writeModel(new PipelineModel({ segmenter, tagger: cut, lemmatizer, parser, steps }));
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
  console.log(`${path}: ${(bytes.length / 1e6).toFixed(2)} MB`);
}
