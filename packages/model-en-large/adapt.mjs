// Adapts the encoder of the large English model, and writes the silver data of the smaller ones on the way:
//   PYTHON=venv/bin/python node packages/model-en-large/adapt.mjs FOLDER [--treebanks DIR] [--text FILE] [--words N]
// FOLDER/adapted is then for train.mjs here, FOLDER/silver-1.conllu.gz for model-en/train.mjs --silver. Python has what
// integrations/encoder/requirements.txt asks for, and onnx. What is finished stays in FOLDER: the same command goes on
// from there. A quarter of an hour on a GPU; two hours or so on two cores. The last digits depend on the machine.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { Pipeline, readModel } from "@stemma/core";
import { documentsOf } from "../model-en/silver.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    treebanks: { type: "string" },
    text: { type: "string" },
    words: { type: "string", default: "1600000" },
  },
});
const inRepository = (/** @type {string} */ path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const [folder] = positionals;
if (folder === undefined) {
  console.error("expected a folder: node packages/model-en-large/adapt.mjs FOLDER");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const inFolder = (/** @type {string} */ name) => join(folder, name);
const part = (/** @type {string} */ name) =>
  join(values.treebanks ?? inRepository("../shared/treebanks"), `en_ewt-ud-${name}.conllu`);

once("encoder", (out) => run(process.execPath, inRepository("bench/data/fetch-encoder.mjs"), "e5-small-v2", out));
once("augmented.conllu", (out) =>
  run(process.execPath, inRepository("packages/model-en/augment.mjs"), part("train"), out, "--share", "0.03"),
);
once("text.txt", (out) => {
  const text = gunzipSync(readFileSync(values.text ?? inRepository("../shared/text/en-open.txt.gz"))).toString("utf8");
  writeFileSync(out, tokens(documentsOf(text, Number(values.words)).flatMap(({ sentences }) => sentences)));
});
const treebanks = [part("train"), inFolder("augmented.conllu")].flatMap((path) => ["--treebank", path]);
const encoder = inFolder("encoder");
run(
  process.env.PYTHON ?? "python3",
  ...[inRepository("integrations/encoder/adapt.py"), "--encoder", encoder, "--layers", "6", "--teacher", encoder],
  ...[...treebanks, "--dev", part("dev"), "--text", inFolder("text.txt"), "--words", values.words],
  ...["--epochs", "5", "--text-epochs", "1", "--treebank-weight", "3", "--batch", "2500", "--least", "8"],
  ...["--work", inFolder("work"), "--silver", inFolder("silver.conllu.gz"), "--out", inFolder("adapted")],
);

/**
 * Sentences as the segmenter of the small model divides them, a line each, with spaces between words.
 *
 * @param {readonly string[]} sentences
 */
function tokens(sentences) {
  const parser = new Pipeline(readModel(readFileSync(inRepository("packages/model-en-small/en-small.stemma"))));
  const lines = sentences.map((sentence) =>
    [...parser.parse(sentence, { parse: false })]
      .flatMap(({ words }) => words)
      .map(({ form }) => form.replace(/\s/g, "\u00a0"))
      .join(" "),
  );
  return `${lines.join("\n")}\n`;
}

/**
 * A step whose result appears when it is whole, and is not made twice.
 *
 * @param {string} name
 * @param {(out: string) => void} make
 */
function once(name, make) {
  if (existsSync(inFolder(name))) return;
  make(inFolder(`${name}.part`));
  renameSync(inFolder(`${name}.part`), inFolder(name));
}

/** @param {[string, ...string[]]} command */
function run(...[command, ...args]) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (error) console.error(`${command}: ${error.message} (PYTHON=… names another Python)`);
  if (status !== 0) process.exit(status ?? 2);
}
