// Sentences of 10,000 words and texts of 1,000,000 characters without what usually divides them: time and memory as
// they grow.
//   node bench/reliability/long-inputs.mjs [--most 1] [--only text]
// (after npm run build). Each input comes in two sizes, one twice the other; the growth is what the time is multiplied
// by between them, without the time for a very small input: 2 is linear, 4 is quadratic. --most 0.1: a tenth of the
// sizes. Status 1 if words are lost or the memory passes the limit.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { most: { type: "string", default: "1" }, only: { type: "string", default: "" } },
});
const STEMMA = fileURLToPath(new URL("../../packages/cli/bin/stemma.js", import.meta.url));
const USAGE = fileURLToPath(new URL("report-usage.cjs", import.meta.url));
const MEGABYTES = 1200;
const WORDS = 10_000;
const CHARACTERS = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), "stemma-long-"));
const STORY = "the old mill wheel turns slowly in the spring and she saw him there ".split(" ").slice(0, -1);

/** @param {number} n */
const words = (n) => Array.from({ length: n }, (_, i) => /** @type {string} */ (STORY[i % STORY.length]));
/** A sentence in CoNLL-U. @param {number} n @param {(i: number) => number} head */
const sentence = (n, head) =>
  `${words(n)
    .map(
      (form, i) =>
        `${i + 1}\t${form}\t${form}\tNOUN\tNN\t_\t${head(i + 1)}\t${head(i + 1) === 0 ? "root" : "dep"}\t_\t_\n`,
    )
    .join("")}\n`;
const chain = (/** @type {number} */ i) => i - 1;
const star = (/** @type {number} */ i) => (i === 1 ? 0 : 1);

/**
 * Name, how it is made for a size, the arguments, the largest size. @type {[string, (n: number) => string, string[],
 * number][]}
 */
const INPUTS = [
  ["words of a sentence, parse", (n) => sentence(n, chain), ["parse", "--from", "conllu"], WORDS],
  ["words of a sentence, parse --retag", (n) => sentence(n, chain), ["parse", "--from", "conllu", "--retag"], WORDS],
  ["words of a sentence, convert to JSON", (n) => sentence(n, star), ["convert", "--to", "json"], WORDS],
  ["words of a line, parse --from tokens", (n) => `${words(n).join(" ")}\n`, ["parse", "--from", "tokens"], WORDS],
  [
    "characters of text without sentence ends",
    (n) => chars(n, `${STORY.join(" ")} `),
    ["parse", "--from", "text"],
    CHARACTERS / 10,
  ],
  [
    "characters of text without sentence ends, --beam 1",
    (n) => chars(n, `${STORY.join(" ")} `),
    ["parse", "--from", "text", "--beam", "1"],
    CHARACTERS,
  ],
  ["characters of text without spaces", (n) => chars(n, STORY.join("")), ["parse", "--from", "text"], CHARACTERS],
  ["characters of text: one letter", (n) => chars(n, "a"), ["parse", "--from", "text"], CHARACTERS],
  ["characters of text: full stops", (n) => chars(n, "."), ["parse", "--from", "text"], CHARACTERS],
  [
    "characters of text: line ends, --beam 1",
    (n) => chars(n, "word\n"),
    ["parse", "--from", "text", "--beam", "1"],
    CHARACTERS,
  ],
  ["characters of white space", (n) => `${chars(n, " ")}end.\n`, ["parse", "--from", "text"], CHARACTERS],
  [
    "characters of usual text",
    (n) => chars(n, "The old mill wheel turns. She saw him.\n\n"),
    ["parse", "--from", "text"],
    CHARACTERS,
  ],
  [
    "characters of one word in CoNLL-U",
    (n) => `1\t${chars(n, "x")}\t_\t_\t_\t_\t0\troot\t_\t_\n\n`,
    ["parse", "--from", "conllu"],
    CHARACTERS,
  ],
  [
    "characters of a comment",
    (n) => `# ${chars(n, "x")}\n${sentence(3, chain)}`,
    ["parse", "--from", "conllu"],
    CHARACTERS,
  ],
];

/** @param {number} n @param {string} piece */
function chars(n, piece) {
  return piece.repeat(Math.ceil(n / piece.length)).slice(0, n);
}

/** @param {string} input @param {string[]} args */
function run(input, args) {
  const [path, out, usage] = ["input", "output", "usage.json"].map((name) => join(folder, name));
  writeFileSync(/** @type {string} */ (path), input);
  const all = ["--require", USAGE, STEMMA, ...args, "-o", out, path];
  const env = { ...process.env, USAGE_FILE: usage };
  const { status, stderr } = spawnSync(process.execPath, /** @type {string[]} */ (all), { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")}: status ${status}: ${stderr}`);
  return {
    .../** @type {{ seconds: number, megabytes: number }} */ (
      JSON.parse(readFileSync(/** @type {string} */ (usage), "utf8"))
    ),
    output: readFileSync(/** @type {string} */ (out), "utf8"),
  };
}

/**
 * The characters that are not white space, in the forms of the output. @param {string} output @param {boolean} isJson
 */
function formsOf(output, isJson) {
  if (isJson)
    return JSON.parse(output)
      .words.map((/** @type {{ form: string }} */ word) => word.form)
      .join("");
  // Words of a multiword token are not in the text.
  let [forms, skip] = ["", 0];
  for (const line of output.split("\n")) {
    const [id = "", form = ""] = line.split("\t");
    if (!/^\d/.test(id)) continue;
    const [, from, to] = /^(\d+)-(\d+)$/.exec(id) ?? [];
    if (from !== undefined) skip = Number(to) - Number(from) + 1;
    else if (skip > 0 && skip--) continue;
    forms += form;
  }
  return forms.replace(/\s/g, "");
}

let failed = false;
console.log("| input | size | seconds | growth | MB |\n| --- | ---: | ---: | ---: | ---: |");
for (const [name, make, args, largest] of INPUTS) {
  if (!name.includes(values.only)) continue;
  const most = Math.round(largest * Number(values.most));
  const nothing = run(make(Math.min(12, most)), args).seconds;
  const [half, whole] = [most / 2, most].map((n) => run(make(n), args));
  if (!half || !whole) throw new Error();
  const growth = (whole.seconds - nothing) / Math.max(half.seconds - nothing, 0.001);
  console.log(
    `| ${name} | ${most.toLocaleString("en")} | ${whole.seconds.toFixed(1)} | ${growth.toFixed(1)} | ${whole.megabytes.toFixed(0)} |`,
  );
  const input = make(most);
  const isColumns = args.includes("conllu") || args.includes("convert");
  const expected = isColumns ? formsOf(input, false) : input.replace(/\s/g, "");
  if (formsOf(whole.output, args.includes("json")) !== expected) {
    failed = true;
    console.log(`FAILED ${name}: not all characters are in the output`);
  }
  if (whole.megabytes > MEGABYTES) {
    failed = true;
    console.log(`FAILED ${name}: ${whole.megabytes.toFixed(0)} MB (limit ${MEGABYTES} MB)`);
  }
}
rmSync(folder, { recursive: true });
process.exitCode = failed ? 1 : 0;
