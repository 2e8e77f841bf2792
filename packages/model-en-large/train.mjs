// Trains the large English model again: npm run train:model-en-large [FOLDER [ENCODER]] (after npm ci). UD English EWT
// is taken from the folder, ../shared/treebanks if none is given, and sentences made of it (model-en/augment.mjs) are
// added; without the folder of an adapted encoder, adapt.mjs makes one first (needs Maven and Python). The same data,
// encoder, options and version of the program give the same bytes; the card says which, and how long it takes.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);
const inRepository = (/** @type {string} */ path) => fileURLToPath(new URL(path, root));
const folder = process.argv[2] ?? inRepository("../shared/treebanks");
const part = (/** @type {string} */ name) => `${folder}/en_ewt-ud-${name}.conllu`;
if (!existsSync(part("train"))) {
  console.error(`${part("train")}: not there (expected UD English EWT; give its folder as an argument)`);
  process.exit(2);
}
const OPTIONS =
  "--pipeline --folds 2 --network --system arc-hybrid --layers 2 --width 128 --hidden 192 --epochs 4 --seed 1 --threads 0 --part-weights 280000";
const LICENCE = "CC BY-SA 4.0, as UD English EWT: https://creativecommons.org/licenses/by-sa/4.0/; encoder: MIT";
const model = fileURLToPath(new URL("en-large.stemma", import.meta.url));
const before = existsSync(model) ? sha256(model) : "none";
const temporary = mkdtempSync(join(tmpdir(), "stemma-encoder-"));
let status;
try {
  const encoder = process.argv[3] ?? join(temporary, "adapted");
  status =
    process.argv[3] === undefined
      ? run(inRepository("packages/model-en-large/adapt.mjs"), temporary, "--treebanks", folder)
      : 0;
  const augmented = join(temporary, "augmented.conllu");
  if (status === 0)
    status = run(inRepository("packages/model-en/augment.mjs"), part("train"), augmented, "--share", "0.04");
  const data = [part("train"), augmented, "--dev", part("dev"), "--model", model];
  const args = [...data, ...OPTIONS.split(" "), "--encoder", encoder, "--encoder-layers", "6", "--licence", LICENCE];
  if (status === 0) status = run(inRepository("packages/cli/bin/stemma.js"), "train", ...args);
} finally {
  rmSync(temporary, { recursive: true });
}
if (status !== 0) process.exit(status ?? 2);
console.log(`sha256 before ${before}\nsha256 now    ${sha256(model)}`);

/** @param {string[]} args */
function run(...args) {
  return spawnSync(process.execPath, args, { stdio: "inherit" }).status;
}

/** @param {string} path */
function sha256(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
