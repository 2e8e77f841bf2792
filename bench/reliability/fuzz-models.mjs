// Damaged model files and checkpoints, a hundred thousand by default, in a process that is watched (watched.mjs):
//   node bench/reliability/fuzz-models.mjs [--runs 100000] [--from 0] [--seed 1]
// (after npm run build). Whatever is damaged has to be refused with a message. With checksums made to fit, a model is
// refused, or it starts as in a worker and parses: trees, CoNLL-U that can be read, in time, within the memory; a
// checkpoint is refused, or its training goes on. There is a model of every kind, and of every transition system.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { attachModel, loadModel, ModelFileError, Pipeline, readTreebank, shareModel, writeModel } from "@stemma/core";
import { combineModels } from "@stemma/core/combination";
import { systemNames } from "@stemma/core/systems";
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
/** Bytes by which one is known. */
const MAGIC = 8;
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
/** Values that fields of headers are replaced by. */
const VALUES = [0, 1, -1, 2, 8, 0.5, 1e8, 1e9, 2 ** 32, -(2 ** 31), 1e300, null, true, [], {}, "", "a", "a\tb", "a\nb"]
  .concat([" ", "_", "a|b", "0:root", "\u2028", "\ud800", "__proto__", "s0.form", "swap", "first", "x".repeat(1e6)])
  .concat([[0], ["a"], ["a\tb"], [[]], { a: 0 }, { a: "b" }, { __proto__: null, constructor: 1 }]);
const NETWORK = ["--network", "--layers", "1", "--width", "8", "--hidden", "8"];
const PIPELINE = ["--pipeline", "--folds", "2"];
const KINDS = {
  ...Object.fromEntries(systemNames().map((system) => [system, ["--system", system]])),
  beam: ["--beam", "2", "--system", "arc-standard"],
  network: NETWORK,
  pipeline: PIPELINE,
  "joint tags": [...PIPELINE, "--joint", "tags"],
  projectivized: ["--projectivize", "head+path"],
  eisner: ["--system", "graph"],
  edmonds: ["--system", "graph", "--decoder", "edmonds", "--order", "1"],
  encoder: [...NETWORK, ...PIPELINE, "--encoder", "ENCODER", "--encoder-layers", "1"],
  roles: [...PIPELINE, "--roles"],
  "roles of a network": [...NETWORK, ...PIPELINE, "--roles"],
  "joint roles": [...PIPELINE, "--roles", "--joint", "roles"],
  enhanced: [...PIPELINE, "--enhanced"],
  "joint morphology": [...PIPELINE, "--joint", "morphology"],
  "joint disfluencies": [...PIPELINE, "--joint", "disfluencies"],
  "network with a beam": [...NETWORK, "--beam", "2"],
  biaffine: [...NETWORK, "--system", "graph"],
  pointers: ["--system", "pointers"],
  "pointers of a network": [...NETWORK, "--system", "pointers"],
  tags: ["--system", "tags"],
};
/** Models that vote, of which those after the first are files within the file. */
const COMBINED = ["pipeline", "eisner", "network"];

/** Trains the models that are damaged. */
async function trainModels() {
  const folder = mkdtempSync(join(tmpdir(), "stemma-fuzz-"));
  const run = (/** @type {string[]} */ args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [STEMMA, ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  writeFileSync(join(folder, "text.txt"), TEXT);
  writeFileSync(join(folder, "data.conllu"), annotated(run(["parse", join(folder, "text.txt")])));
  writeEncoder(folder);
  for (const [kind, options] of Object.entries(KINDS)) {
    const args = options.map((option) => (option === "ENCODER" ? join(folder, "encoder") : option));
    run(["train", join(folder, "data.conllu"), "--epochs", "2", "--model", join(folder, `${kind}.stemma`), ...args]);
  }
  const members = COMBINED.map((kind) => loadModel(readFileSync(join(folder, `${kind}.stemma`))));
  writeFileSync(join(folder, "combination.stemma"), writeModel(combineModels(await Promise.all(members))));
  return folder;
}

/** With predicates and their arguments, enhanced dependencies and a filler, so that all kinds have something to learn. */
function annotated(/** @type {string} */ conllu) {
  const sentences = conllu.trim().split("\n\n");
  const withLayers = sentences.map((sentence) => {
    const rows = sentence.split("\n").map((line) => line.split("\t"));
    const words = rows.filter(([id = ""]) => /^\d+$/.test(id));
    for (const row of words) {
      row[8] = `${row[6]}:${row[7]}`;
      const args = words.filter(([, , , , , , head, label = ""]) => head === row[0] && /^(nsubj|obj)/.test(label));
      if (row[3] !== "VERB") continue;
      const list = args.map(([id, , , , , , , label]) => `${id}:${label === "obj" ? "ARG1" : "ARG0"}`);
      row[9] = `${row[9] === "_" ? "" : `${row[9]}|`}Pred=${row[2]}.01${list.length > 0 ? `|Args=${list}` : ""}`;
    }
    return rows.map((row) => row.join("\t")).join("\n");
  });
  const filler = [
    "1\tuh\tuh\tINTJ\t_\t_\t3\tdiscourse:filler\t3:discourse:filler\t_",
    "2\twe\twe\tPRON\t_\t_\t3\tnsubj\t3:nsubj\t_",
    "3\tgo\tgo\tVERB\t_\t_\t0\troot\t0:root\tPred=go.01|Args=2:ARG0",
  ];
  return `${[...withLayers, `# text = uh we go\n${filler.join("\n")}`].join("\n\n")}\n\n`;
}

/** A tiny encoder of random numbers, as the tests have it. */
function writeEncoder(/** @type {string} */ folder) {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const bundled = join(folder, "tiny-encoder.mjs");
  const source = join(root, "packages/core/test/encoder/tiny-encoder.ts");
  const rolldown = join(root, "node_modules/.bin/rolldown");
  const { status, stderr } = spawnSync(rolldown, [source, "-o", bundled], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  mkdirSync(join(folder, "encoder"));
  const write = `import { writeFileSync } from "node:fs"; import { tinyEncoder } from ${JSON.stringify(bundled)};
    const { onnx, tokenizer } = tinyEncoder(); writeFileSync("tiny.onnx", onnx);
    writeFileSync("tiny-tokenizer.json", tokenizer);`;
  const made = spawnSync(process.execPath, ["--input-type=module", "-e", write], { cwd: join(folder, "encoder") });
  if (made.status !== 0) throw new Error(String(made.stderr));
}

/** @param {number} seed @param {{ folder: string }} settings */
export async function prepare(seed, { folder }) {
  const sentences = readTreebank(readFileSync(join(folder, "data.conllu")));
  const models = [...Object.keys(KINDS), "combination"].map((kind) => readFileSync(join(folder, `${kind}.stemma`)));
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
  const pipeline = new Pipeline(await attachModel(shareModel(model, 1), 0));
  for (const sentence of sentences) {
    const { heads } = pipeline.parser.parse(sentence);
    const roots = heads.filter((/** @type {number} */ head) => head === 0).length;
    if (roots < 1 || heads.length !== sentence.length + 1) throw new Error(`no tree: ${heads}`);
  }
  const words = (/** @type {any} */ sentence) =>
    Array.from({ length: sentence.length }, (_, i) => ({ form: sentence.form(i + 1), upos: sentence.upos(i + 1) }));
  const parsed = model.segmenter
    ? [...pipeline.parse(TEXT)]
    : sentences.map((sentence) => pipeline.parseTokens(words(sentence)));
  const written = parsed.map((sentence) => sentence.toConllu());
  const again = readTreebank(new TextEncoder().encode(written.join("")));
  if (again.length !== written.length) throw new Error(`${written.length} sentences became ${again.length}`);
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
  const section = /** @type {Buffer} */ (sections[which]);
  const isModel = section.subarray(0, MAGIC).equals(good.subarray(0, MAGIC));
  if (isModel) sections[which] = withDamagedSection(section, random, hurt);
  else if (which > 0) sections[which] = hurt(section);
  else if (random.below(3) === 0) sections[which] = hurt(section, HEADER_PIECES, /[,:{}[\]"]/);
  else sections[which] = withOtherValue(section, random);
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

/** A header with another value somewhere. @param {Uint8Array} section @param {Numbers} random */
function withOtherValue(section, random) {
  const header = JSON.parse(Buffer.from(section).toString());
  let at = header;
  for (;;) {
    const key = random.pick(Object.keys(at));
    const inner = at[key];
    // Deep values are many, and of a kind; those above them decide more.
    if (typeof inner === "object" && inner !== null && Object.keys(inner).length > 0 && random.below(8) > 0) {
      at = inner;
      continue;
    }
    const value = random.pick(VALUES);
    const kind = random.below(8);
    if (kind === 0) delete at[key];
    else if (kind === 1 && Array.isArray(at)) at.push(value);
    else if (kind === 1) at[random.pick(["a", "", "__proto__", "keep", "a\tb", "x".repeat(1e6)])] = value;
    else at[key] = value;
    return Buffer.from(JSON.stringify(header));
  }
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
  const folder = await trainModels();
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
