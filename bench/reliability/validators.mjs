// Does `stemma validate` say what UD's own validator says? Sentences of treebanks without errors are damaged at random
// (cells, characters, lines, comments, arcs, rows), and both look at each. From the root of the workspace, after npm
// run build:
//
//   PYTHON=venv/bin/python node bench/reliability/validators.mjs [--runs 3000] [--seed 1] [TREEBANK ...]
//
// PYTHON has udtools 0.2.9 installed (a package of PyPI). Prints how often both find errors or both find none, how often
// the names of the rules are the same, and every damage on which the verdicts differ.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { UNIVERSAL_RELATIONS, UNIVERSAL_TAGS } from "../../packages/core/dist/treebank/universal.js";
import { BlockSplitter, Validator } from "../../packages/core/dist/treebank.js";
import { generator } from "../data/random.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "3000" }, seed: { type: "string", default: "1" } },
});
const folder = fileURLToPath(new URL("../../../shared/treebanks/", import.meta.url));
const files =
  positionals.length > 0 ? positionals : ["en_ewt", "el_gdt"].map((name) => `${folder}${name}-ud-dev.conllu`);
const missing = files.find((file) => !existsSync(file));
if (missing !== undefined) {
  console.log(`skipped: ${missing} is not there; give CoNLL-U files without errors`);
  process.exit(0);
}
const sentences = files.map((file) =>
  readFileSync(file, "utf8")
    .split("\n\n")
    .filter((text) => /^3\t/m.test(text) && text.length < 2500),
);

const random = generator(Number(values.seed));
const below = (/** @type {number} */ n) => Math.floor(random() * n);
/** @template T @param {readonly T[]} list @returns {T} */
const pick = (list) => /** @type {T} */ (list[below(list.length)]);

const LABELS = [...UNIVERSAL_RELATIONS, "nsubj:outer", "acl:relcl", "aux:pass"];
const TAGS = [...UNIVERSAL_TAGS];
const CHARACTERS = [..." \t\u00a0\u0301\u200b\u3000\r10|:=#-._,/aZё[]"];
const CELLS = [
  ..."_|0|1|3|99|-1|01|x|X|root|dep|fixed|goeswith|orphan|A=1|Number=Sing|Number=Sing,Plur|SpaceAfter=No|SpaceAfter=Yes".split(
    "|",
  ),
  ..."0:root 1:dep 2:ref 1:conj:and|2:x 1.1 1-2 1.1:dep Typo=Yes ExtPos=ADP Lang=en".split(" "),
  ...["", "\u00a0", "a b", " a", "b ", "e\u0301"],
];
const COMMENTS = [
  ...["sent_id = x y", "sent_id = a/b", "sent_id=q", "sent_id", "sent_id = ", "SENT_ID = a", " sent_id = abc"],
  ...[
    "text = a",
    "text_en = a",
    "text",
    "text =",
    "newdoc",
    "newdoc id = a",
    "newdoc x y",
    "newpar",
    "newpar id = b c",
  ],
  ...["note", "", "parallel_id = a/1", "parallel_id = A", "global.columns = ID"],
].map((text) => `#${text === "" ? "" : ` ${text}`}`);

/** Changes lines in place; says what it did. @param {string[]} lines @returns {string} */
function damage(lines) {
  const rows = lines.flatMap((line, i) => (/^\d/.test(line) ? [i] : []));
  const [kind, i] = [random(), pick(rows)];
  const cells = lines[i].split("\t");
  const head = () => below(rows.length + 1);
  if (kind < 0.45) {
    const c = below(cells.length);
    const [free, other] = [random() < 0.3, pick(rows)];
    if (free || c < 3 || c === 4 || c === 5 || c === 9) cells[c] = free ? pick(CELLS) : lines[other].split("\t")[c];
    else if (c === 3) cells[c] = pick(TAGS);
    else if (c === 6) cells[c] = `${head()}`;
    else if (c === 7) cells[c] = pick(LABELS);
    else cells[c] = `${random() < 0.4 ? `${cells[c]}|` : ""}${head()}:${pick(LABELS)}`;
    lines[i] = cells.join("\t");
    return `line ${i + 1}, column ${c + 1}: ${JSON.stringify(cells[c])}`;
  }
  if (kind < 0.65) {
    const [j, character] = [random() < 0.25 ? below(lines.length) : i, random() < 0.6 ? pick(CHARACTERS) : ""];
    const place = below(lines[j].length + 1);
    lines[j] = lines[j].slice(0, place) + character + lines[j].slice(character === "" ? place + 1 : place);
    return `line ${j + 1}, at ${place}: ${JSON.stringify(character)}`;
  }
  if (kind < 0.75) {
    const [j, k, how] = [below(lines.length), below(lines.length), pick(["deleted", "repeated", "exchanged"])];
    if (how === "deleted") lines.splice(j, 1);
    else if (how === "repeated") lines.splice(j, 0, lines[j]);
    else [lines[j], lines[k]] = [lines[k], lines[j]];
    return `line ${j + 1} ${how} (${k + 1})`;
  }
  if (kind < 0.87) {
    const j = Math.max(0, below(rows[0] + 1) - 1);
    lines.splice(j, random() < 0.5 ? 1 : 0, pick(COMMENTS));
    return `line ${j + 1}: ${lines[j]}`;
  }
  if (kind < 0.95) {
    cells.splice(6, 2, `${head()}`, pick(LABELS));
    if (random() < 0.4) cells[3] = pick(TAGS);
    lines[i] = cells.join("\t");
    return `line ${i + 1}: ${cells.slice(6, 8)}`;
  }
  const id = random() < 0.5 ? `${cells[0]}.1` : `${cells[0]}-${Number(cells[0]) + 1}`;
  const row = [id, "x", "_", "_", "_", "_", "_", "_", random() < 0.5 ? "_" : "1:dep", "_"];
  lines.splice(random() < 0.5 ? i : i + 1, 0, row.join("\t"));
  return `line ${i + 1}: row ${id}`;
}

/** The rules that a text goes against, errors only. @param {string} text @returns {Set<string>} */
function ours(text) {
  const validator = new Validator();
  const splitter = new BlockSplitter();
  const blocks = splitter.push(new TextEncoder().encode(text));
  const last = splitter.end();
  if (last !== undefined) blocks.push(last);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const found = blocks.flatMap((block) => validator.check(decoder.decode(block.bytes), block.line));
  return new Set([...found, ...validator.end()].flatMap(({ severity, rule }) => (severity === "error" ? [rule] : [])));
}

const THEIRS = `
import json, os, sys
from udtools.state import State
from udtools.validator import Validator
validator = Validator(lang="ud", level=3, output=None)
folder = sys.argv[1]
found = []
for text in json.load(open(os.path.join(folder, "texts.json"), encoding="utf-8")):
    path = os.path.join(folder, "text.conllu")
    with open(path, "w", encoding="utf-8", newline="") as out:
        out.write(text)
    state = State()
    try:
        validator.validate_file(path, state)
        validator.validate_end(state)
        found.append([i.testid for i in state.error_tracker if i.is_error()])
    except Exception as error:
        found.append(["failure"])
json.dump(found, sys.stdout)
`;

/** @param {readonly string[]} texts @returns {string[][]} */
function theirs(texts) {
  const temporary = mkdtempSync(join(tmpdir(), "stemma-validators-"));
  writeFileSync(join(temporary, "texts.json"), JSON.stringify(texts));
  const { status, stdout, stderr } = spawnSync(process.env.PYTHON ?? "python3", ["-c", THEIRS, temporary], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  rmSync(temporary, { recursive: true });
  if (status === 0) return JSON.parse(stdout);
  console.error(`${stderr}UD's validator did not run (expected PYTHON with udtools 0.2.9)`);
  return process.exit(1);
}

/** Its name for a rule, as we have it: families have one name, and relations are those of the universal list. */
const ourName = (/** @type {string} */ rule) =>
  rule.replace(/^(leaf|rel-upos|right-to-left)-.*/, "$1").replace(/^unknown-(e?)udeprel$/, "unknown-$1deprel");

const damages = Array.from({ length: Number(values.runs) }, (_, n) => {
  const lines = `${pick(sentences[n % sentences.length])}\n\n`.split("\n");
  const said = Array.from({ length: n % 4 === 3 ? 2 : 1 }, () => damage(lines));
  return { said, text: lines.join("\n") };
});
const verdicts = theirs(damages.map(({ text }) => text));
const counts = { verdict: 0, rules: 0, failures: 0, errors: 0 };
for (const [n, { said, text }] of damages.entries()) {
  const own = ours(text);
  const other = new Set(verdicts[n].map(ourName));
  if (other.has("failure")) counts.failures++;
  if (other.size > 0) counts.errors++;
  if (own.size > 0 === other.size > 0) counts.verdict++;
  else console.log(`${said.join("; ")}\n  ours: ${[...own].join(" ")}\n  UD's: ${[...other].join(" ")}\n${text}`);
  if (own.size === other.size && [...own].every((rule) => other.has(rule))) counts.rules++;
}
console.log(
  `${damages.length} damages, ${counts.errors} of them errors for UD's validator (${counts.failures} where it fails itself): ` +
    `the same verdict ${counts.verdict}, the same rules ${counts.rules}`,
);
