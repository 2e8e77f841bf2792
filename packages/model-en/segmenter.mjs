// Trains the segmenter of a model alone and puts it into the file: node packages/model-en/segmenter.mjs MODEL TREEBANK...
// [--silver FILE] [--check] (after npm run build). All other parts stay as they are, byte for byte. The treebanks, those
// that the model was trained on, are read as one, as `stemma train` reads them (a weight is of no use: a segmenter reads
// each sentence once); seed, bound of weights and encoder are those of the model. The origin in the header says what the
// segmenter was trained on. With --check nothing is written: it says whether the model has this segmenter.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import "../core/dist/encoder.js";
import { loadModel, PipelineModel, readTreebank, writeModel } from "../core/dist/index.js";
import { withSpaces } from "../core/dist/training/preparation/prepare.js";
import { plainSentence, trainSegmenter } from "../core/dist/training.js";

/** @typedef {import("../core/dist/index.js").Sentence} Sentence */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { silver: { type: "string" }, check: { type: "boolean", default: false } },
});
const [path, ...treebanks] = positionals;
if (path === undefined || treebanks.length === 0) {
  console.error("usage: node packages/model-en/segmenter.mjs MODEL TREEBANK... [--silver FILE] [--check]");
  process.exit(2);
}
const before = readFileSync(path);
const { segmenter, tagger, lemmatizer, parser, steps } = await loadModel(before, path);
const { seed, partWeights } = /** @type {{ seed: number; partWeights?: number }} */ (parser.header.origin.options);
const read = (/** @type {string} */ file) =>
  /** @type {Sentence[]} */ (readTreebank(readFileSync(file), { allowNonTrees: true })).map(plainSentence);
const sentences = treebanks.flatMap(read);
const trained = trainSegmenter(sentences, {
  seed,
  mostWeights: partWeights,
  silver: withSpaces(values.silver ? read(values.silver) : [], sentences.length),
  encoder: segmenter?.guesser?.contextual.data,
});
if (values.check) {
  const own = written(segmenter);
  const isSame = Buffer.compare(own, written(trained)) === 0;
  console.log(`${path}: ${isSame ? "has this segmenter" : "has another segmenter"}`);
  process.exit(isSame ? 0 : 1);
}
parser.header.origin.segmenter = [...treebanks, ...(values.silver ? [values.silver] : [])].map((file) => ({
  name: basename(file),
  sha256: sha256(readFileSync(file)),
}));
const bytes = writeModel(new PipelineModel({ segmenter: trained, tagger, lemmatizer, parser, steps }));
writeFileSync(`${path}.new`, bytes);
renameSync(`${path}.new`, path);
console.log(`sha256 before ${sha256(before)}\nsha256 now    ${sha256(bytes)}`);

/**
 * The model with a segmenter, as a file has it.
 *
 * @param {typeof segmenter} part
 */
function written(part) {
  return writeModel(new PipelineModel({ segmenter: part, tagger, lemmatizer, parser, steps }));
}

/** @param {Uint8Array} bytes */
function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}
