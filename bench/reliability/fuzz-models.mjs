// Damaged model files and checkpoints, a hundred thousand by default, in a process that is watched (watched.mjs):
//   node bench/reliability/fuzz-models.mjs [--runs 100000] [--from 0] [--seed 1]
// (after npm run build). Whatever is damaged has to be refused with a message. With checksums made to fit, a model is
// refused, or it parses: trees, in time, within the memory; a checkpoint is refused, or its training goes on.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { loadModel, ModelFileError, Pipeline, readTreebank } from "@stemma/core";
import { NeuralTraining, Training } from "@stemma/core/training";
import { loadCheckpoint, restoreState, saveCheckpoint } from "../../packages/cli/dist/files/checkpoint.js";
import { FileError } from "../../packages/cli/dist/files/io.js";
import { damaged, Numbers } from "./mutations.mjs";
import { runWatched } from "./watched.mjs";

const RUNS = 100_000;
const STEMMA = fileURLToPath(new URL("../../packages/cli/bin/stemma.js", import.meta.url));
const TEXT =
  "The old mill wheel turns slowly. She can't see him.\n\nNobody knew why.\n\nWe think that he saw the old wheel.\n\n";
/** Bytes of a model file before its first section. */
const PREAMBLE = 16;
const PIECES = [
  [0],
  [255],
  [255, 255, 255, 255],
  [0, 0, 0, 0],
  [128, 128, 128, 128, 128, 1],
  [127],
  [1],
  [0, 0, 128, 127],
].map((bytes) => Uint8Array.from(bytes));
const HEADER_PIECES = [
  "0",
  "-1",
  "1e9",
  "null",
  '"first"',
  "[]",
  "{}",
  '"s0.form"',
  "true",
  "4294967296",
  '"swap"',
  "8",
].map((text) => new TextEncoder().encode(text));
const KINDS = {
  "small linear": [],
  beam: ["--beam", "2", "--system", "arc-standard"],
  network: ["--network", "--layers", "1", "--width", "8", "--hidden", "8"],
  pipeline: ["--pipeline", "--folds", "2"],
  joint: ["--pipeline", "--joint", "tags", "--folds", "2"],
  projectivized: ["--projectivize", "head+path"],
};

/** Trains the models that are damaged. */
function trainModels() {
  const folder = mkdtempSync(join(tmpdir(), "stemma-fuzz-"));
  const run = (/** @type {string[]} */ args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [STEMMA, ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  writeFileSync(join(folder, "text.txt"), TEXT);
  writeFileSync(join(folder, "data.conllu"), run(["parse", join(folder, "text.txt")]));
  for (const [kind, options] of Object.entries(KINDS)) {
    run(["train", join(folder, "data.conllu"), "--epochs", "2", "--model", join(folder, `${kind}.stemma`), ...options]);
  }
  return folder;
}

/** @param {number} seed @param {{ folder: string }} settings */
export async function prepare(seed, { folder }) {
  const sentences = readTreebank(readFileSync(join(folder, "data.conllu")));
  const models = Object.keys(KINDS).map((kind) => readFileSync(join(folder, `${kind}.stemma`)));
  const trainings = [() => linearTraining(sentences), () => networkTraining(sentences)];
  /** @type {Buffer[]} */
  const checkpoints = [];
  const file = join(folder, `${process.pid}.checkpoint`);
  for (const make of trainings) {
    const training = make();
    training.runEpoch();
    await saveCheckpoint(file, { fingerprint: "same", state: training.save(), scores: [{ epoch: 1 }] });
    checkpoints.push(readFileSync(file));
  }
  return async (/** @type {number} */ index) => {
    const random = new Numbers(seed, index);
    const hurt = (/** @type {Uint8Array} */ bytes, pieces = PIECES, separators = /\0/) => {
      let made = bytes;
      // A byte here and there is what is most likely to be taken for good.
      if (pieces === PIECES && random.below(2) === 0) {
        made = Buffer.from(bytes);
        for (let times = random.below(3); times >= 0; times--) made[random.below(made.length)] = random.below(256);
        return made;
      }
      for (let times = random.below(3); times >= 0; times--) made = damaged(made, random, pieces, separators);
      return made;
    };
    if (index % 10 < 8) {
      const good = random.pick(models);
      const fits = index % 2 === 0;
      return checkModel(fits ? withDamagedSection(good, random, hurt) : hurt(good), good, fits, sentences);
    }
    const which = random.below(checkpoints.length);
    const good = /** @type {Buffer} */ (checkpoints[which]);
    const fits = index % 10 === 8;
    const made = fits ? withChecksum(good, hurt) : hurt(good);
    if (Buffer.from(made).equals(good)) return "nothing was changed";
    writeFileSync(file, made);
    return checkCheckpoint(file, fits, /** @type {() => Training} */ (trainings[which]));
  };
}

/** @param {Uint8Array} bytes @param {Buffer} good @param {boolean} fits @param {any[]} sentences */
async function checkModel(bytes, good, fits, sentences) {
  if (Buffer.from(bytes).equals(good)) return "nothing was changed";
  let model;
  try {
    model = await loadModel(bytes, "m");
  } catch (error) {
    if (!(error instanceof ModelFileError) || !error.message.startsWith("m: ")) throw error;
    return fits ? "model, checksums fit: refused" : "model: refused";
  }
  if (!fits) throw new Error("a damaged model was accepted");
  const pipeline = new Pipeline(model);
  for (const sentence of sentences) {
    const { heads } = pipeline.parser.parse(sentence);
    const roots = heads.filter((/** @type {number} */ head) => head === 0).length;
    if (roots < 1 || heads.length !== sentence.length + 1) throw new Error(`no tree: ${heads}`);
  }
  if (model.segmenter) for (const sentence of pipeline.parse(TEXT)) sentence.toString();
  return "model, checksums fit: parses";
}

/** @param {string} file @param {boolean} fits @param {() => Training} make */
async function checkCheckpoint(file, fits, make) {
  let saved;
  const training = make();
  try {
    saved = await loadCheckpoint(file, "same");
    if (!fits) throw new Error("a damaged checkpoint was accepted");
    restoreState(training, saved.state, file);
  } catch (error) {
    if (!(error instanceof FileError) || !error.message.startsWith(`${file}: `)) throw error;
    return fits ? "checkpoint, checksum fits: refused" : "checkpoint: refused";
  }
  training.runEpoch();
  try {
    training.model();
  } catch (error) {
    // The command says then that the training diverges.
    if (!(error instanceof RangeError)) throw error;
    return "checkpoint, checksum fits: diverges";
  }
  return "checkpoint, checksum fits: goes on";
}

/**
 * A model with one section damaged, and lengths and checksums that fit. @param {Buffer} good @param {Numbers} random
 * @param {(bytes: Uint8Array, pieces?: Uint8Array[], separators?: RegExp) => Uint8Array} hurt
 */
function withDamagedSection(good, random, hurt) {
  /** @type {Uint8Array[]} */
  const sections = [];
  for (let at = PREAMBLE; at < good.length; at += 8 + good.readUInt32LE(at)) {
    sections.push(good.subarray(at + 8, at + 8 + good.readUInt32LE(at)));
  }
  // The header is small, and everything depends on it.
  const which = random.below(3) === 0 ? 0 : random.below(sections.length);
  const section = /** @type {Uint8Array} */ (sections[which]);
  sections[which] = which === 0 ? hurt(section, HEADER_PIECES, /[,:{}[\]"]/) : hurt(section);
  const parts = sections.flatMap((data) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(data.length, 0);
    head.writeUInt32LE(crc32(data), 4);
    return [head, data];
  });
  const bytes = Buffer.concat([good.subarray(0, PREAMBLE), ...parts]);
  bytes.writeUInt32LE(bytes.length, 12);
  return bytes;
}

/**
 * A damaged checkpoint with a checksum that fits. @param {Buffer} good @param {(bytes: Uint8Array) => Uint8Array} hurt
 */
function withChecksum(good, hurt) {
  const start = good.indexOf(10) + 1;
  const data = hurt(good.subarray(start + 32));
  return Buffer.concat([good.subarray(0, start), createHash("sha256").update(data).digest(), data]);
}

const SHARED = /** @type {const} */ ({
  system: "arc-hybrid",
  root: "last",
  epochs: 2,
  seed: 1,
  oracle: "dynamic",
  exploreFrom: 1,
  exploreProbability: 0.9,
});

/** @param {any[]} sentences */
function linearTraining(sentences) {
  return new Training(sentences, {
    ...SHARED,
    templates: "s0.upos b0.upos; s0.form; b0.form; s0.upos s1.upos",
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
  });
}

/** @param {any[]} sentences */
function networkTraining(sentences) {
  return new NeuralTraining(sentences, {
    ...SHARED,
    templates: "s0.vector; b0.vector; s1.vector",
    inputs: { word: 8, upos: 8 },
    layers: 1,
    width: 8,
    hidden: 8,
    rate: 0.003,
    dropout: { words: 0.5, inputs: 0.2, layers: 0.2, hidden: 0.2 },
  });
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const folder = trainModels();
  try {
    await runWatched({
      module: import.meta.url,
      runs: RUNS,
      batch: 200,
      seconds: 5,
      megabytes: 800,
      settings: { folder },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
