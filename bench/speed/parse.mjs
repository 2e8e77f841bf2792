// Speed of parsing, from CoNLL-U in to CoNLL-U out: node bench/speed/parse.mjs [MODEL [FILE]] (after npm run build).
// Without a model one is trained first (three epochs). Other parsers are measured where they are found: MALTPARSER is
// the path of its jar; UDPIPE_MODEL a model for `udpipe`; SPACY_MODEL a model for Python's spacy.
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encoder } from "../../packages/core/dist/encoder.js";
import { graph } from "../../packages/core/dist/graph.js";
import { readModel, readTreebank } from "../../packages/core/dist/index.js";
import { roles } from "../../packages/core/dist/roles.js";
import { formatSentence, TreebankReader } from "../../packages/core/dist/treebank.js";
import { Annotator } from "../../packages/server/dist/annotation/annotator.js";

// The best counts, not the mean: other work on the machine only ever makes a run slower.
const RUNS = 12;
const LENGTHS = [10, 100, 1000, 2000, 5000];
const stemma = fileURLToPath(new URL("../../packages/cli/bin/stemma.js", import.meta.url));
const treebank = (/** @type {string} */ part) =>
  fileURLToPath(new URL(`../../../shared/treebanks/en_ewt-ud-${part}.conllu`, import.meta.url));
const file = process.argv[3] ?? treebank("dev");
if (!existsSync(file)) {
  console.log("skipped: ../shared/treebanks is not there; give a model and a CoNLL-U file");
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), "stemma-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const modelPath = process.argv[2] ?? trained();
const bytes = readFileSync(file);
const sentences = readTreebank(bytes);
const words = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
console.log(`${file.replace(/.*[\\/]/, "")}: ${sentences.length} sentences, ${words} words; the best of ${RUNS} runs`);

// Loading.
const modelBytes = readFileSync(modelPath);
const options = { source: modelPath, programs: [encoder, graph, roles] };
const [first, ...later] = times(() => readModel(modelBytes, options));
console.log(
  `load ${(modelBytes.length / 1e6).toFixed(1)} MB              ${first?.toFixed(0)} ms, when compiled ${least(later).toFixed(0)} ms`,
);
const model = readModel(modelBytes, options);

// In this process, and what it is made of.
const annotator = new Annotator(model);
const parser = model.parser.createParser();
const CONLLU = /** @type {const} */ ("conllu");
const annotate = (/** @type {Uint8Array} */ bytes) =>
  annotator.run({
    input: { kind: "treebank", source: file, line: 1, from: CONLLU, bytes },
    options: { to: CONLLU },
  });
const whole = least(times(() => annotate(bytes)));
const reading = least(
  times(() => {
    const reader = new TreebankReader({ source: file });
    return [reader.push(bytes), reader.end()];
  }),
);
const columns = least(times(() => sentences.forEach((sentence) => void parser.decider.bind(sentence))));
const parsing = least(times(() => sentences.forEach((sentence) => void parser.parse(sentence))));
for (const sentence of sentences) {
  const { heads, labels } = parser.parse(sentence);
  for (let i = 1; i <= sentence.length; i++) {
    sentence.setHead(i, /** @type {number} */ (heads[i]));
    sentence.setDeprel(i, /** @type {string} */ (labels[i]));
    sentence.set("deps", i, "_");
  }
}
const writing = least(times(() => sentences.map((sentence) => formatSentence(sentence, "conllu")).join("").length));
report("in this process", words, whole);
const each = (/** @type {number} */ ms) => `${((1000 * ms) / words).toFixed(2)} µs`;
console.log(
  `  a word: reading ${each(reading)}, columns ${each(columns)}, transitions ${each(parsing - columns)}, ` +
    `writing ${each(writing)}, all ${each(whole)}`,
);

// As a process: what many more copies take, without starting and loading.
const long = join(folder, "long.conllu");
const COPIES = Math.max(2, Math.ceil(1_000_000 / words));
writeFileSync(long, Buffer.concat(Array.from({ length: COPIES }, () => bytes)));
for (const threads of [1, 2]) {
  const args = [stemma, "parse", "--model", modelPath, "--threads", String(threads)];
  const short = run(process.execPath, [...args, file]);
  const all = run(process.execPath, [...args, long]);
  const name = `stemma parse --threads ${threads}`;
  report(
    name,
    (COPIES - 1) * words,
    all - short,
    ` (${short.toFixed(0)} ms for the file itself, with start and model)`,
  );
}

// Time against length: sentences of the file, one after the other as one sentence.
const lines = bytes
  .toString()
  .split("\n")
  .filter((line) => /^\d+\t/.test(line));
for (const length of LENGTHS) {
  const copies = Math.max(1, Math.floor(10_000 / length));
  const one = lines
    .slice(0, length)
    .map((line, i) => line.replace(/^\d+((?:\t[^\t]*){5}).*/, `${i + 1}$1\t_\t_\t_\t_`));
  const input = Buffer.from(`${one.join("\n")}\n\n`.repeat(copies));
  const ms = least(times(() => annotate(input)));
  console.log(
    `sentences of ${String(length).padStart(4)} words       ${((1000 * ms) / copies / one.length).toFixed(2)} µs a word`,
  );
}

others();

/** Other parsers on the same words. */
function others() {
  const jar = process.env.MALTPARSER;
  if (jar && existsSync(jar)) {
    const conllx = (/** @type {string} */ from, /** @type {string} */ name) => {
      const to = join(folder, name);
      spawnSync(process.execPath, [stemma, "convert", "--to", "conllx", "--output", to, from], { stdio: "ignore" });
      return to;
    };
    const malt = (/** @type {string[]} */ args) =>
      run("java", ["-Xmx2g", "-jar", jar, "-w", folder, "-c", "malt", ...args], false);
    malt(["-m", "learn", "-i", conllx(treebank("train"), "train.conll"), "-a", "nivreeager", "-l", "liblinear"]);
    const parse = (/** @type {string} */ from) =>
      malt(["-m", "parse", "-i", conllx(from, "in.conll"), "-o", join(folder, "out.conll")]);
    const short = parse(file);
    report("MaltParser nivreeager", (COPIES - 1) * words, parse(long) - short);
  } else console.log("MaltParser: skipped (set MALTPARSER to its jar)");

  const udpipe = process.env.UDPIPE_MODEL;
  if (udpipe && spawnSync("udpipe", ["--version"]).status === 0) {
    const parse = (/** @type {string} */ from) => run("udpipe", ["--parse", "--input=conllu", udpipe, from]);
    const short = parse(file);
    report("UDPipe", (COPIES - 1) * words, parse(long) - short);
  } else console.log("UDPipe: skipped (set UDPIPE_MODEL to a model, with udpipe in the PATH)");

  const spacy = process.env.SPACY_MODEL;
  if (spacy && spawnSync("python3", ["-c", "import spacy"]).status === 0) {
    const script = `import sys, time, spacy
from spacy.tokens import Doc
nlp = spacy.load(sys.argv[1])
docs, forms = [], []
for line in open(sys.argv[2], encoding="utf-8"):
    if line == "\\n":
        docs.append(forms); forms = []
    elif line[0].isdigit() and line.split("\\t")[0].isdigit():
        forms.append(line.split("\\t")[1])
docs = [Doc(nlp.vocab, words=forms) for forms in docs]
start = time.time()
for doc in nlp.pipe(docs): pass
print(time.time() - start)`;
    const { stdout } = spawnSync("python3", ["-c", script, spacy, file], { encoding: "utf8" });
    report("spaCy, all components", words, 1000 * Number(stdout));
  } else console.log("spaCy: skipped (set SPACY_MODEL to a model, with spacy installed for python3)");
}

function trained() {
  const path = join(folder, "en.stemma");
  const args = [stemma, "train", treebank("train"), "--dev", treebank("dev"), "--model", path, "--epochs", "3"];
  if (spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] }).status !== 0) process.exit(2);
  return path;
}

/** Milliseconds of each run. @param {() => unknown} work */
function times(work) {
  return Array.from({ length: RUNS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
}

/** @param {number[]} values */
function least(values) {
  return Math.min(...values);
}

/**
 * Milliseconds of a process that writes to a file, the least of three runs. @param {string} program @param {string[]}
 * args
 */
function run(program, args, capture = true) {
  const output = join(folder, "out");
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const out = openSync(output, "w");
    const start = performance.now();
    const { status } = spawnSync(program, args, { stdio: ["ignore", capture ? out : "ignore", "inherit"] });
    best = Math.min(best, performance.now() - start);
    closeSync(out);
    if (status !== 0 || (capture && statSync(output).size === 0)) process.exit(2);
  }
  return best;
}

/** @param {string} name @param {number} count @param {number} ms */
function report(name, count, ms, more = "") {
  console.log(`${name.padEnd(26)} ${Math.round((1000 * count) / ms).toLocaleString("en")} words/s${more}`);
}
