// Does `stemma validate` say what UD's own validator says? Sentences of treebanks without errors are damaged at random
// (cells, characters, lines, comments, arcs, rows, features, tokens, broken words, names), and both look at each, at one
// of the three levels; one in sixteen is any sentence as it is, and one in four is a text of several sentences. From the
// root of the workspace, after npm run build:
//
//   PYTHON=venv/bin/python node bench/reliability/validators.mjs [--runs 3000] [--seed 1] [TREEBANK ...]
//
// PYTHON has udtools 0.2.9 installed (a package of PyPI). TREEBANK is a file in CoNLL-U, also gzipped; en_ewt and el_gdt
// by default. Prints how often both find errors or both find none, how often the names of the rules are the same, and
// every damage on which the verdicts differ.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
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
const treebanks = files.flatMap((file) => {
  const bytes = readFileSync(file);
  const all = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes)
    .toString()
    .split("\n\n")
    .filter((text) => /^3\t/m.test(text) && text.length < 2500);
  const right = all.filter((text) => ours(`${text}\n\n`, 3).size === 0);
  if (right.length === 0) console.log(`${file}: no sentence is without errors`);
  return right.length === 0 ? [] : [{ all, right }];
});

const random = generator(Number(values.seed));
const below = (/** @type {number} */ n) => Math.floor(random() * n);
/** @template T @param {readonly T[]} list @returns {T} */
const pick = (list) => /** @type {T} */ (list[below(list.length)]);

const LABELS = [...UNIVERSAL_RELATIONS, "nsubj:outer", "acl:relcl", "aux:pass"];
const TAGS = [...UNIVERSAL_TAGS];
const CHARACTERS = [
  ..." \t\u00a0\u0301\u200b\u3000\r10|:=#-._,/aZё[]\u0085\u001c\u001f\u000b\ufeff\ufffd\u2028\u212b\uf900\u0660\u{1d15e}",
  ...["\u1100\u1161", "\ud83d\ude00"],
];
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
  ...[
    "sent_id_old = 1",
    "sent_ids",
    " sent_id a",
    "\tsent_id = abc",
    "sent_id = é",
    "parallel_id_old = a/1",
    "text_id = 1",
  ],
  ...["a/1/alt1", "a/1/alt2", "a/1/part1", "a/1/alt1part2", "a/1/", "a/1/part0", "a/b_c", "1/a"].map(
    (id) => `parallel_id = ${id}`,
  ),
].map((text) => `#${text === "" ? "" : ` ${text}`}`);

const FEATURES =
  "ExtPos=ADP ExtPos=PRON Polarity=Neg Poss=Yes Typo=Yes A=1 Case=Nom,Acc Case=Acc,Nom Case=Acc,Acc".split(" ");
const ITEMS = [
  ..."CorrectSpaceAfter=No SpacesAfter=\\s NoSpaceAfter=Yes spaceafter=No Lang=en Lang Gloss=a Subject=Outer =a".split(
    " ",
  ),
  ..."SpaceAfter=No|SpaceAfter=No Ref=1|Ref=2 SpaceAfter=Yes SpaceAfter XSpaceAfter=No".split(" "),
  ...["", "Gloss=a b", "Gloss= a", " Lang=en", "Gloss=a  b"],
];

/** Changes lines in place; says what it did. @param {string[]} lines @returns {string} */
function damage(lines) {
  const rows = lines.flatMap((line, i) => (/^\d/.test(line) ? [i] : []));
  return random() < 0.3 ? structure(lines, rows) : anything(lines, rows);
}

/** Changes that only some rules notice. @param {string[]} lines @param {number[]} rows @returns {string} */
function structure(lines, rows) {
  const k = below(rows.length);
  const i = rows[k];
  const cells = lines[i].split("\t");
  const next = lines[rows[k + 1]]?.split("\t");
  const head = () => `${below(rows.length + 1)}`;
  const kind = pick(["feature", "misc", "token", "empty", "goeswith", "relation", "swap", "tag", "edge"]);
  const added = (/** @type {string} */ value, /** @type {string} */ item) =>
    value === "_" ? item : `${value}|${item}`;
  if (kind === "feature") {
    cells[5] = random() < 0.3 ? "_" : added(cells[5], pick(FEATURES));
    if (random() < 0.7) cells[5] = cells[5].split("|").sort().join("|");
    if (random() < 0.5) cells[7] = pick(LABELS);
  } else if (kind === "misc") cells[9] = added(random() < 0.4 ? "_" : cells[9], pick(ITEMS));
  else if (kind === "token" && next !== undefined) {
    const row = new Array(10).fill("_");
    row[0] = `${cells[0]}-${random() < 0.8 ? next[0] : Number(next[0]) + 1}`;
    row[1] = cells[9].includes("SpaceAfter=No") ? cells[1] + next[1] : cells[1];
    if (random() < 0.7) row[9] = next[9];
    if (random() < 0.3) row[5] = pick(["Typo=Yes", "Number=Sing"]);
    if (random() < 0.7) cells[9] = next[9] = "_";
    if (random() < 0.1) next[9] = pick(ITEMS);
    lines[rows[k + 1]] = next.join("\t");
    lines[i] = `${row.join("\t")}\n${cells.join("\t")}`;
    return `line ${i + 1}: token ${row[0]}`;
  } else if (kind === "empty") {
    const row = [`${cells[0]}.1`, ...new Array(9).fill("_")];
    row[8] = `${head()}:${pick(LABELS)}`;
    if (random() < 0.2) row[3] = pick(TAGS);
    if (random() < 0.1) row[9] = pick(["SpaceAfter=No", "CorrectSpaceAfter=No"]);
    if (random() < 0.4) cells[8] = `${cells[0]}.1:${pick(LABELS)}`;
    lines[i] = `${cells.join("\t")}\n${row.join("\t")}`;
    return `line ${i + 1}: empty node ${row[8]}`;
  } else if (kind === "goeswith" && next !== undefined) {
    next.splice(2, 6, "_", "X", "_", "_", cells[0], "goeswith");
    if (random() < 0.9) next[8] = next[8] === "_" ? "_" : `${cells[0]}:goeswith`;
    if (random() < 0.8) cells[5] = added(cells[5], "Typo=Yes").split("|").sort().join("|");
    if (random() < 0.8) cells[9] = "_";
    if (random() < 0.2) next[below(10)] = pick(CELLS);
    lines[rows[k + 1]] = next.join("\t");
  } else if (kind === "relation") cells[7] = pick(LABELS);
  else if (kind === "tag") cells[3] = pick(TAGS);
  else if (kind === "edge") {
    cells[8] = cells[8]
      .split("|")
      .map((arc) =>
        random() < 0.5 ? arc : `${arc}:${pick(["a", "στο", "in_to", "_a", "a__b", "A", "acc:gen", "的"])}`,
      )
      .join("|");
    if (random() < 0.3) cells[8] = cells[8].split("|").reverse().join("|");
  } else if (next !== undefined) {
    // The same two words, each where the other was.
    [cells[6], next[6]] = [next[6], cells[6]];
    [cells[7], next[7]] = [next[7], cells[7]];
    lines[rows[k + 1]] = next.join("\t");
  }
  lines[i] = cells.join("\t");
  return `line ${i + 1}: ${kind} ${lines[i]}`;
}

/** @param {string[]} lines @param {number[]} rows @returns {string} */
function anything(lines, rows) {
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

/** @typedef {1 | 2 | 3} Level */

/** The rules that a text goes against, errors only. @param {string} text @param {Level} level @returns {Set<string>} */
function ours(text, level) {
  const validator = new Validator({ level });
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
validators = [Validator(lang="ud", level=level, output=None) for level in (1, 2, 3)]
folder = sys.argv[1]
found = []
for text, level in json.load(open(os.path.join(folder, "texts.json"), encoding="utf-8")):
    validator = validators[level - 1]
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

/** @param {readonly (readonly [text: string, level: Level])[]} texts @returns {string[][]} */
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

/** Damage between sentences. @param {string[]} texts @returns {string} */
function between(texts) {
  const kind = pick(["id", "parallel", "document", "DEPS", "nothing"]);
  const k = below(texts.length);
  const all = (/** @type {(text: string) => string} */ change) => {
    for (let i = 0; i < texts.length; i++) texts[i] = change(texts[i]);
  };
  if (kind === "id")
    texts[k] = texts[k].replace(/# sent_id = .*/, /# sent_id = .*/.exec(texts[0])?.[0] ?? "# sent_id = 1");
  else if (kind === "parallel") {
    all(
      (text) =>
        `# parallel_id = a/${pick(["1", "2", "1/alt1", "1/alt2", "1/part1", "1/part2", "1/alt1part1"])}\n${text}`,
    );
  } else if (kind === "document") {
    texts[k] = texts[k].replace(/\t_$/, random() < 0.5 ? "\tSpaceAfter=No" : "\t_");
    if (texts[k + 1] !== undefined)
      texts[k + 1] = `${pick(["# newpar", "# newdoc", "# newpar a", "#newdoc  b"])}\n${texts[k + 1]}`;
  } else if (kind === "DEPS") texts[k] = texts[k].replace(/^(\d+(?:\t[^\t]*){7}\t)[^\t]*/gm, "$1_");
  return `${kind} of ${k + 1}`;
}

const damages = Array.from({ length: Number(values.runs) }, (_, n) => {
  const { all, right } = treebanks[n % treebanks.length];
  const level = /** @type {Level} */ (n % 5 === 1 ? 1 : n % 5 === 2 ? 2 : 3);
  if (random() < 0.25) {
    const texts = Array.from({ length: 2 + below(2) }, () => pick(right));
    const said = [between(texts)];
    return { level, said, text: texts.map((text) => `${text}\n\n`).join("") };
  }
  const isWhole = random() < 1 / 12;
  const lines = `${pick(isWhole ? all : right)}\n\n`.split("\n");
  const said = Array.from({ length: isWhole ? 0 : n % 4 === 3 ? 2 : 1 }, () => damage(lines));
  return { level, said, text: lines.join("\n") };
});
const verdicts = theirs(damages.map(({ text, level }) => [text, level]));
const counts = { verdict: 0, rules: 0, failures: 0, errors: 0 };
for (const [n, { said, level, text }] of damages.entries()) {
  const own = ours(text, level);
  const other = new Set(verdicts[n].map(ourName));
  if (other.has("failure")) counts.failures++;
  if (other.size > 0) counts.errors++;
  if (own.size > 0 === other.size > 0) counts.verdict++;
  else {
    console.log(
      `${said.join("; ")}, level ${level}\n  ours: ${[...own].join(" ")}\n  UD's: ${[...other].join(" ")}\n${text}`,
    );
  }
  if (own.size === other.size && [...own].every((rule) => other.has(rule))) counts.rules++;
}
console.log(
  `${damages.length} damages, ${counts.errors} of them errors for UD's validator (${counts.failures} where it fails itself): ` +
    `the same verdict ${counts.verdict}, the same rules ${counts.rules}`,
);
