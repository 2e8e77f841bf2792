// Trains the English model with semantic roles and enhanced dependencies again: npm run train:model-en-roles [FOLDER
// [TREEBANK]] (after npm ci). Both are added to packages/model-en/en.stemma, all other parts of which stay as they are,
// byte for byte. UD English EWT with the predicates and roles of PropBank is taken from the folder,
// ../shared/treebanks/roles if none is given; the enhanced dependencies from the treebank's training part,
// ../shared/treebanks/en_ewt-ud-train.conllu. The same data, options and version of the program give the same bytes; the
// card says which, and how long it takes.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);
const inRepository = (/** @type {string} */ path) => fileURLToPath(new URL(path, root));
const folder = process.argv[2] ?? inRepository("../shared/treebanks/roles");
const part = (/** @type {string} */ name) => join(folder, `en_ewt-roles-${name}.conll09.gz`);
if (!existsSync(part("train"))) {
  console.error(`${part("train")}: not there (expected UD English EWT with roles; give its folder as an argument)`);
  process.exit(2);
}
const treebank = process.argv[3] ?? inRepository("../shared/treebanks/en_ewt-ud-train.conllu");
if (!existsSync(treebank)) {
  console.error(`${treebank}: not there (expected the training part of UD English EWT, as the second argument)`);
  process.exit(2);
}
const OPTIONS = "--roles --part-weights 1600000 --seed 1";
const model = fileURLToPath(new URL("en-roles.stemma", import.meta.url));
const before = existsSync(model) ? sha256(model) : "none";
const temporary = mkdtempSync(join(tmpdir(), "stemma-roles-"));
try {
  const [train, dev] = ["train", "dev"].map((name) => {
    const converted = join(temporary, `en_ewt-roles-${name}.conllu`);
    stemma("convert", "--from", "conll09", part(name), "-o", converted);
    return converted;
  });
  const base = inRepository("packages/model-en/en.stemma");
  const withRoles = join(temporary, "with-roles.stemma");
  stemma("train", String(train), "--dev", String(dev), "--add-to", base, "--model", withRoles, ...OPTIONS.split(" "));
  stemma("train", treebank, "--enhanced", "--add-to", withRoles, "--model", model);
} finally {
  rmSync(temporary, { recursive: true });
}
console.log(`sha256 before ${before}\nsha256 now    ${sha256(model)}`);

/** @param {string[]} args */
function stemma(...args) {
  const { status } = spawnSync(process.execPath, [inRepository("packages/cli/bin/stemma.js"), ...args], {
    stdio: "inherit",
  });
  if (status === 0) return;
  rmSync(temporary, { recursive: true });
  process.exit(status ?? 2);
}

/** @param {string} path */
function sha256(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
