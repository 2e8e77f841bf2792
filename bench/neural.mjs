// Speed of parsers with a network, on one core (after npm run build), by the time of the processor:
//   node bench/neural.mjs MODEL [FILE]         a model on a treebank
//   node bench/neural.mjs --random [FILE] [layers=1 width=64 hidden=128 word=64 vector=0 beam=1 length=16 …]
//                                              a network of random numbers, on the words of the treebank in sentences
//                                              of so many words
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseTemplates } from "../packages/core/dist/features/templates.js";
import inference from "../packages/core/dist/kernels/inference.generated.js";
import { readModel, writeModel } from "../packages/core/dist/model-file/model-file.js";
import { classesOf } from "../packages/core/dist/parser/model-header.js";
import { ParserModel } from "../packages/core/dist/parser/parser.js";
import { inputKeys, MOST_KEYS } from "../packages/core/dist/scoring/network/inputs.js";
import { neuralModel } from "../packages/core/dist/scoring/network/neural-model.js";
import { networkView, tensorsOf } from "../packages/core/dist/scoring/network/shape.js";
import { Decider } from "../packages/core/dist/search/decider.js";
import { GreedyParser } from "../packages/core/dist/search/greedy-parser.js";
import { readTreebank } from "../packages/core/dist/treebank/formats/reader.js";
import { generator } from "./random.mjs";

// The best counts, not the mean: other work on the machine only ever makes a run slower.
const RUNS = 12;
const PLAIN_RUNS = 2;
const MOST_WORDS = 30_000;

const sizes = new Map(process.argv.slice(2).flatMap((arg) => (arg.includes("=") ? [arg.split("=")] : [])));
const [modelPath, given] = process.argv.slice(2).filter((arg) => !arg.includes("="));
const file = given ?? fileURLToPath(new URL("../../shared/treebanks/en_ewt-ud-dev.conllu", import.meta.url));
if (!modelPath || !existsSync(file)) {
  console.log(modelPath ? "skipped: ../shared/treebanks is not there; give a file" : "give a model, or --random");
  process.exit(0);
}
const size = (/** @type {string} */ name, /** @type {number} */ otherwise) => Number(sizes.get(name) ?? otherwise);
const treebank = readTreebank(readFileSync(file));
const isRandom = modelPath === "--random";
const bytes = isRandom ? writeModel(randomModel()) : readFileSync(modelPath);
const sentences = isRandom ? regrouped(size("length", 16)) : treebank;
const words = sentences.reduce((sum, { length }) => sum + length, 0);
console.log(`${basename(file)}: ${sentences.length} sentences, ${words} words; the best of ${RUNS} runs`);

const loading = runs(RUNS, () => readModel(bytes, modelPath));
const { parser: model } = readModel(bytes, modelPath);
const { network, header } = model;
if (!network) {
  console.log(`${modelPath} has no network`);
  process.exit(0);
}
const { inputs, layers, width, hidden } = network.header;
const { nodes, atoms } = network.view;
const tables = inputs.map(({ kind, dim, rows }) => `${kind} ${rows} × ${dim}`).join(", ");
console.log(`${header.system}; ${tables}; ${layers} layers of ${width}, hidden ${hidden}`);
console.log(`${nodes.length} nodes, ${atoms.length} atoms, ${network.classes} classes; beam ${size("beam", 1)}`);
const kB = (/** @type {number} */ count) => `${(count / 1e3).toFixed(1)} kB`;
console.log(`file ${(bytes.length / 1e6).toFixed(2)} MB; kernel ${kB(inference.length)} of base64`);
console.log(`load ${loading.first.toFixed(0)} ms, when compiled ${loading.best.toFixed(0)} ms`);
const making = runs(RUNS, () => model.createParser());
console.log(`make a parser ${making.first.toFixed(1)} ms, when compiled ${making.best.toFixed(1)} ms`);

const parser = model.createParser({ beam: size("beam", 1) });
const binding = runs(RUNS, () => sentences.forEach((sentence) => void parser.decider.bind(sentence)));
const parsing = runs(RUNS, () => sentences.forEach((sentence) => void parser.parse(sentence)));
const rate = (/** @type {number} */ ms) =>
  `${Math.round((1000 * words) / ms)} words/s, ${((1000 * ms) / words).toFixed(1)} µs a word`;
console.log(`parse   ${rate(parsing.best)}`);
console.log(`encode  ${rate(binding.best)}`);
const templates = parseTemplates(header.templates, "model", header.system === "lr-spines");
const plain = new GreedyParser(new Decider(model.system, model.classes, network.scorer(templates, true)));
const slowly = runs(PLAIN_RUNS, () => sentences.forEach((sentence) => void plain.parse(sentence)));
const greedy = model.createParser({ beam: 1 });
const fast = runs(RUNS, () => sentences.forEach((sentence) => void greedy.parse(sentence)));
console.log(`greedy without WebAssembly ${rate(slowly.best)}: ${(slowly.best / fast.best).toFixed(1)} times as long`);

/** Milliseconds of the processor: of the first run, and of the best. */
function runs(/** @type {number} */ count, /** @type {() => unknown} */ work) {
  const times = Array.from({ length: count }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return { first: times[0] ?? 0, best: Math.min(...times) };
}

/** The words of the treebank in sentences of one length. */
function regrouped(/** @type {number} */ length) {
  const all = treebank.flatMap((sentence) =>
    Array.from({ length: sentence.length }, (_, i) => ({ sentence, i: i + 1 })),
  );
  return Array.from({ length: Math.floor(all.length / length) }, (_, s) => {
    const at = (/** @type {number} */ i) => all[s * length + i - 1];
    /** @typedef {"form" | "lemma" | "upos" | "xpos" | "feats"} Column */
    const column = (/** @type {Column} */ name) => {
      const values = Array.from({ length }, (_, i) => at(i + 1)?.sentence[name](at(i + 1)?.i ?? 1) ?? "");
      return (/** @type {number} */ i) => values[i - 1] ?? "";
    };
    return {
      length,
      form: column("form"),
      lemma: column("lemma"),
      upos: column("upos"),
      xpos: column("xpos"),
      feats: column("feats"),
    };
  });
}

/** A parser with tables for the words of the treebank and random numbers. */
function randomModel() {
  const random = generator(1);
  const kinds = /** @type {const} */ ({ word: 64, lemma: 0, upos: 16, xpos: 24, feats: 24, affixes: 32, vector: 0 });
  const inputs = [];
  const keys = [];
  const out = new Int32Array(MOST_KEYS);
  for (const [name, usual] of Object.entries(kinds)) {
    const kind = /** @type {keyof typeof kinds} */ (name);
    const dim = size(kind, usual);
    if (dim === 0) continue;
    const found = new Set();
    for (const sentence of treebank) {
      for (let i = 1; i <= sentence.length && found.size < MOST_WORDS; i++) {
        const count = inputKeys(kind, sentence, i, out);
        for (let k = 0; k < count; k++) found.add((out[k] ?? 0) >>> 0);
      }
    }
    keys.push(Uint32Array.from(found).sort());
    inputs.push({ kind, dim, rows: 2 + found.size });
  }
  const network = { inputs, layers: size("layers", 1), width: size("width", 64), hidden: size("hidden", 128) };
  const labels = ["root", ...Array.from({ length: size("labels", 42) - 1 }, (_, i) => `label${i}`)];
  const all = labels.map((_, i) => i);
  const header = {
    system: String(sizes.get("system") ?? "arc-hybrid"),
    root: /** @type {const} */ ("last"),
    templates: `s0.vector; s1.vector; s2.vector; b0.vector; b1.vector; s0l.vector; s0r.vector; b0l.vector
      s0l.label; s0r.label; s1l.label; s1r.label; b0l.label; s0.lval; s0.rval; b0.lval; dist(s0,b0); dist(s1,s0)`,
    labels,
    leftLabels: all,
    rightLabels: all,
    network,
    origin: { data: "made up" },
  };
  const view = networkView(parseTemplates(header.templates), labels.length);
  const classes = classesOf(header).size;
  const tensors = tensorsOf(network, view, classes).map(({ name, rows, columns }) => {
    const most = /^(layer|positions|output)/.test(name) ? 1 / Math.sqrt(rows) : 1;
    return Float32Array.from({ length: rows * columns }, () => most * (2 * random() - 1));
  });
  return new ParserModel(header, neuralModel({ header: network, keys, tensors }, view, classes));
}
