// Corpora in parts, in figures (after npm run build):
//   node bench/speed/corpus.mjs speed [--documents 400] [--rounds 3] [--spark python3]
//       words a second with one and two processes, threads and Spark executors; start-up, memory, bytes a word
//   node bench/speed/corpus.mjs kill [--shards 4] [--kills 12] [--seed 1] [--script slurm]
//       shards as processes that are killed with SIGKILL at random moments until they are through, and then compared
//       with an undisturbed run; again, until there were so many kills; with --script through
//       deploy/corpus/slurm-array.sh
//   node bench/speed/corpus.mjs formats [--documents 400] [--rounds 3]
//       seconds of CPU of one process from JSON Lines to Parquet beside those of stemma parse, from text to CoNLL-U
//   node bench/speed/corpus.mjs search [--copies 40]
//       seconds of CPU of stemma search in a treebank and in its table of words, less those of the start
// Works on text of the English treebank's training part, or else on made-up sentences.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    documents: { type: "string", default: "400" },
    rounds: { type: "string", default: "3" },
    spark: { type: "string" },
    shards: { type: "string", default: "4" },
    kills: { type: "string", default: "12" },
    seed: { type: "string", default: "1" },
    script: { type: "string" },
    copies: { type: "string", default: "40" },
  },
});
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const STEMMA = join(ROOT, "packages/cli/bin/stemma.js");
const TREEBANK = join(ROOT, "../shared/treebanks/en_ewt-ud-train.conllu");
const folder = mkdtempSync(join(tmpdir(), "stemma-corpus-"));

/** Texts of about the length of a web page. @returns {string[]} */
function texts() {
  if (!existsSync(TREEBANK)) return ["The old mill wheel turns slowly in the spring. Nobody stops it. ".repeat(20)];
  const documents = readFileSync(TREEBANK, "utf8")
    .split(/^# newdoc.*$/m)
    .slice(1);
  return documents.map((document) => [...document.matchAll(/^# text = (.*)$/gm)].map(([, text]) => text).join(" "));
}

/** @param {string} name @param {number} count */
function writeCorpus(name, count) {
  const all = texts();
  const lines = Array.from({ length: count }, (_, i) => JSON.stringify({ id: `d${i}`, text: all[i % all.length] }));
  writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
}

const USAGE = fileURLToPath(new URL("../reliability/report-usage.cjs", import.meta.url));
let runs = 0;

/**
 * Runs a command; seconds of the clock, of the processor, and its largest memory in MB (of programs of Node).
 * @param {string[]} command
 * @returns {Promise<{ seconds: number, cpu: number, memory: number, status: number | null, out: string }>}
 */
function timed([program, ...args]) {
  const started = performance.now();
  const usage = join(folder, `usage${runs++}`);
  return new Promise((resolve) => {
    const own = program === process.execPath ? ["--require", USAGE, ...args] : args;
    const env = { ...process.env, USAGE_FILE: usage };
    const child = spawn(program, own, { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
    let out = "";
    child.stdout.on("data", (text) => (out += text));
    child.on("close", (status) => {
      const seconds = (performance.now() - started) / 1000;
      const { seconds: cpu = 0, megabytes: memory = 0 } = existsSync(usage)
        ? JSON.parse(readFileSync(usage, "utf8"))
        : {};
      resolve({ seconds, cpu, memory, status, out });
    });
  });
}

const parse = (/** @type {string} */ out, /** @type {string[]} */ ...args) => [
  ...[process.execPath, STEMMA, "parse", "corpus.jsonl", "--part-size", "64k", "--to", "parquet"],
  ...["--output-dir", out, "--quiet", ...args],
];

/** @param {string} out @returns {{ documents: number, words: number }} */
function counts(out) {
  const { stdout } = spawnSync(process.execPath, [STEMMA, "corpus", "check", out, "--json"], {
    cwd: folder,
    encoding: "utf8",
  });
  const report = JSON.parse(stdout);
  if (!report.complete) throw new Error(report.problems.join("\n"));
  return report;
}

async function speed() {
  writeCorpus("corpus.jsonl", Number(values.documents));
  writeCorpus("one.jsonl", 1);
  /** @type {Record<string, number[]>} */
  const rates = {};
  const add = (/** @type {string} */ name, /** @type {number} */ rate) => (rates[name] ??= []).push(rate);
  let words = 0;
  let memory = 0;
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const name of readdirSync(folder)) if (/^out/.test(name)) rmSync(join(folder, name), { recursive: true });
    const start = await timed([process.execPath, STEMMA, "parse", "one.jsonl", "--quiet", "-o", "out.jsonl"]);
    add("start-up: seconds of CPU for one document", start.cpu);
    const one = await timed(parse("out1"));
    ({ words } = counts("out1"));
    memory = Math.max(memory, one.memory);
    add("one process, words/s of CPU", words / one.cpu);
    add("one process, words/s", words / one.seconds);
    const begun = performance.now();
    const two = await Promise.all([0, 1].map((i) => timed(parse("out2", "--shard", `${i}/2`))));
    const seconds = (performance.now() - begun) / 1000;
    counts("out2");
    add("two processes, words/s", words / seconds);
    add("two processes, words/s of CPU", words / (two[0].cpu + two[1].cpu));
    add("two processes: efficiency", one.seconds / seconds / 2);
    add("two processes: efficiency by CPU", one.cpu / (two[0].cpu + two[1].cpu));
    const threads = await timed(parse("out3", "--threads", "2"));
    add("two threads: efficiency", one.seconds / threads.seconds / 2);
    add("two threads: efficiency by CPU", one.cpu / threads.cpu);
    if (values.spark) {
      const job = await timed([values.spark, join(ROOT, "integrations/spark/bench.py"), join(folder, "corpus.jsonl")]);
      if (job.status !== 0) throw new Error(`integrations/spark/bench.py ended with status ${job.status}`);
      for (const [name, value] of Object.entries(JSON.parse(job.out.trim().split("\n").pop() ?? "{}"))) {
        add(`Spark: ${name}`, Number(value));
      }
    }
  }
  const size = (/** @type {string} */ name) => statSync(join(folder, name)).size;
  const parts = readdirSync(join(folder, "out1")).filter((name) => name.endsWith(".parquet"));
  const bytes = parts.reduce((sum, name) => sum + size(join("out1", name)), 0);
  for (const [name, list] of Object.entries(rates)) {
    const sorted = list.toSorted((a, b) => a - b);
    const shown = (/** @type {number} */ value) =>
      value > 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
    console.log(
      `${name}: ${shown(sorted[sorted.length >> 1])} (${shown(sorted[0])} to ${shown(sorted[sorted.length - 1])})`,
    );
  }
  console.log(`memory of a process: ${Math.round(memory)} MB`);
  console.log(
    `words: ${words.toLocaleString("en")}; bytes a word: ${(size("corpus.jsonl") / words).toFixed(1)} in, ${(bytes / words).toFixed(1)} out`,
  );
}

/** The same words as text and as documents, by turns. */
async function formats() {
  const count = Number(values.documents);
  writeCorpus("corpus.jsonl", count);
  const all = texts();
  writeFileSync(join(folder, "corpus.txt"), Array.from({ length: count }, (_, i) => all[i % all.length]).join("\n\n"));
  /** @type {{ text: number, table: number }[]} */
  const rounds = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const text = await timed([process.execPath, STEMMA, "parse", "corpus.txt", "--quiet", "-o", "out.conllu"]);
    const table = await timed([
      process.execPath,
      STEMMA,
      "parse",
      "corpus.jsonl",
      "--quiet",
      "--to",
      "parquet",
      "-o",
      "out.parquet",
    ]);
    rounds.push({ text: text.cpu, table: table.cpu });
  }
  const shares = rounds.map(({ text, table }) => text / table).toSorted((a, b) => a - b);
  const seconds = (/** @type {"text" | "table"} */ name) => rounds.map((round) => round[name].toFixed(1)).join(", ");
  console.log(`text to CoNLL-U: ${seconds("text")} s of CPU; JSON Lines to Parquet: ${seconds("table")} s`);
  console.log(
    `speed of JSON Lines to Parquet: ${shares[shares.length >> 1].toFixed(2)} of that (${shares[0].toFixed(2)} to ${shares.at(-1)?.toFixed(2)})`,
  );
}

/** Names and checksums of all files. @param {string} out @returns {string} */
function fingerprint(out) {
  const names = readdirSync(join(folder, out), { recursive: true, encoding: "utf8" }).toSorted();
  const files = names.filter((name) => statSync(join(folder, out, name)).isFile() && !name.endsWith(".tmp"));
  const sums = files.map(
    (name) =>
      `${name} ${createHash("sha256")
        .update(readFileSync(join(folder, out, name)))
        .digest("hex")}`,
  );
  return sums.join("\n");
}

async function kill() {
  const shards = Number(values.shards);
  writeCorpus("corpus.jsonl", 80);
  const begun = performance.now();
  spawnSync(process.execPath, parse("whole").slice(1), { cwd: folder });
  const time = performance.now() - begun;
  const expected = fingerprint("whole");
  let state = Number(values.seed);
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const script = join(ROOT, "deploy/corpus/slurm-array.sh");
  const environment = { ...process.env, STEMMA: `${process.execPath} ${STEMMA}`, STEMMA_OPTIONS: "--part-size 64k" };
  let kills = 0;
  let rounds = 0;
  let different = 0;
  // A run ends before it can be killed as often as that.
  for (; rounds === 0 || kills < Number(values.kills); rounds++) {
    const out = `killed${rounds}`;
    await Promise.all(
      Array.from({ length: shards }, async (_, i) => {
        for (;;) {
          const slurm = { SLURM_ARRAY_TASK_ID: String(i), SLURM_ARRAY_TASK_COUNT: String(shards) };
          // A group of its own, so that a kill takes all of it, as that of a scheduler does.
          const child = values.script
            ? spawn("bash", [script, "corpus.jsonl", out], {
                cwd: folder,
                detached: true,
                env: { ...environment, ...slurm },
              })
            : spawn(process.execPath, parse(out, "--shard", `${i}/${shards}`, "--resume").slice(1), {
                cwd: folder,
                detached: true,
              });
          const isLeft = kills >= Number(values.kills);
          const timer = setTimeout(
            () => {
              if (isLeft) return;
              kills++;
              process.kill(-(child.pid ?? 0), "SIGKILL");
            },
            (random() * time) / shards,
          );
          const status = await new Promise((resolve) => child.on("close", resolve));
          clearTimeout(timer);
          if (status === 0) return;
          if (status !== null) throw new Error(`shard ${i} ended with status ${status}`);
        }
      }),
    );
    counts(out);
    if (fingerprint(out) !== expected) different++;
  }
  console.log(`${shards} shards, ${rounds} runs, ${kills} kills: complete, ${different} with other bytes`);
  if (different > 0) process.exitCode = 1;
}

/** CPU of one search in a treebank and in its table; the same file is given again and again. */
async function search() {
  const source = existsSync(TREEBANK) ? readFileSync(TREEBANK, "utf8") : undefined;
  if (source === undefined) throw new Error(`${TREEBANK} is not there`);
  const copies = Number(values.copies);
  writeFileSync(join(folder, "bank.conllu"), source.repeat(10));
  writeFileSync(join(folder, "one.conllu"), `${source.split("\n\n", 1)[0]}\n\n`);
  for (const name of ["bank", "one"]) {
    const command = [STEMMA, "convert", `${name}.conllu`, "--to", "parquet", "--output", `${name}.parquet`];
    spawnSync(process.execPath, command, { cwd: folder });
  }
  for (const pattern of ["{upos:VERB}=v >obj {}", "{lemma:drink} >obj {}", "{lemma:zymurgy}"]) {
    /** @type {{ cpu: number, out: string }[]} */
    const runs = [];
    for (const ending of ["conllu", "parquet"]) {
      const files = Array.from({ length: Math.ceil(copies / 10) }, () => `bank.${ending}`);
      const start = await timed([process.execPath, STEMMA, "search", pattern, "--count", `one.${ending}`]);
      const run = await timed([process.execPath, STEMMA, "search", pattern, "--count", ...files]);
      runs.push({ cpu: run.cpu - start.cpu, out: run.out.trim() });
    }
    const [treebank, table] = runs;
    if (treebank.out !== table.out) throw new Error(`${pattern}: ${treebank.out} and ${table.out} matches`);
    const ratio = treebank.cpu / table.cpu;
    console.log(
      `${pattern}: ${table.out} matches, ${treebank.cpu.toFixed(2)} s CoNLL-U, ${table.cpu.toFixed(2)} s Parquet: ${ratio.toFixed(1)} times as fast`,
    );
  }
}

try {
  const [action = "speed"] = positionals;
  const actions = { speed, formats, kill, search };
  if (!(action in actions)) throw new Error(`unknown: ${action} (expected ${Object.keys(actions).join(", ")})`);
  await actions[/** @type {keyof typeof actions} */ (action)]();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
