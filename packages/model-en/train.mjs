// Trains the English model again: npm run train:model-en (after npm ci, with UD English EWT in ../shared/treebanks or in the folder given as
// an argument). The same data, options and version of the program give the same bytes; the card says which. About ten minutes.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);
const folder = process.argv[2] ?? fileURLToPath(new URL("../shared/treebanks", root));
const part = (/** @type {string} */ name) => `${folder}/en_ewt-ud-${name}.conllu`;
if (!existsSync(part("train"))) {
  console.error(`${part("train")}: not there (expected UD English EWT; give its folder as an argument)`);
  process.exit(2);
}
const model = fileURLToPath(new URL("en.stemma", import.meta.url));
const before = existsSync(model) ? sha256(model) : "none";
const stemma = fileURLToPath(new URL("packages/cli/bin/stemma.js", root));
const OPTIONS = ["--pipeline", "--members", "3", "--epochs", "6", "--prune", "2", "--seed", "1"];
const licence = "CC BY-SA 4.0, as UD English EWT: https://creativecommons.org/licenses/by-sa/4.0/";
const args = [stemma, "train", part("train"), "--dev", part("dev"), "--model", model, ...OPTIONS, "--licence", licence];
const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 2);
console.log(`sha256 before ${before}\nsha256 now    ${sha256(model)}`);

/** @param {string} path */
function sha256(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
