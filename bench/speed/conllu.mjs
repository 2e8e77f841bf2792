// Speed of reading, writing and validating CoNLL-U, checks included, per second of processor time, and of stemma convert
// by the clock: node bench/speed/conllu.mjs [FILE] (after npm run build).
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { BlockSplitter, TreebankError, TreebankReader, Validator } from "../../packages/core/dist/treebank.js";

const RUNS = 7;
const CHUNK = 1 << 18;
const file =
  process.argv[2] ?? fileURLToPath(new URL("../../../shared/treebanks/en_ewt-ud-train.conllu", import.meta.url));
if (!existsSync(file)) {
  console.log("skipped: ../shared/treebanks is not there; give a CoNLL-U file");
  process.exit(0);
}
const bytes = readFileSync(file);

/** @param {(sentence: import("../../packages/core/dist/index.js").Sentence) => void} use */
function read(use) {
  const reader = new TreebankReader({ source: file });
  const pass = (/** @type {ReturnType<typeof reader.end>} */ results) => {
    for (const result of results) {
      if (result instanceof TreebankError) console.error(result.message);
      else use(result);
    }
  };
  for (let at = 0; at < bytes.length; at += CHUNK) pass(reader.push(bytes.subarray(at, at + CHUNK)));
  pass(reader.end());
}

/** @param {(sentence: import("../../packages/core/dist/index.js").Sentence) => void} change */
function readAndWrite(change) {
  let buffer = "";
  let written = 0;
  read((sentence) => {
    change(sentence);
    buffer += sentence.toString();
    if (buffer.length < 1 << 16) return;
    written += Buffer.from(buffer).length;
    buffer = "";
  });
  return written + Buffer.from(buffer).length;
}

/** @param {1 | 2 | 3} level */
function validate(level) {
  const validator = new Validator({ level });
  const splitter = new BlockSplitter();
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; at += CHUNK) {
    for (const block of splitter.push(bytes.subarray(at, at + CHUNK))) {
      validator.check(decoder.decode(block.bytes), block.line);
    }
  }
}

/** Milliseconds of processor time, all threads together: other programs do not count. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** @param {string} name @param {() => void} run @param {() => number} [clock] */
function measure(name, run, size = bytes.length, clock = processorTime) {
  const speeds = Array.from({ length: RUNS }, () => {
    const start = clock();
    run();
    return size / 1000 / (clock() - start);
  }).sort((a, b) => b - a);
  const [best, median] = [speeds[0], speeds[RUNS >> 1]].map((speed) => speed?.toFixed(0).padStart(4));
  console.log(`${name.padEnd(34)} best ${best} MB/s   median ${median} MB/s`);
}

/** @param {string[]} args @param {Uint8Array} [input] */
function convert(args, input) {
  const stemma = fileURLToPath(new URL("../../packages/cli/bin/stemma.js", import.meta.url));
  const options = { input, maxBuffer: 1 << 30, stdio: /** @type {any} */ (["pipe", "ignore", "inherit"]) };
  if (spawnSync(process.execPath, [stemma, "convert", ...args], options).status === 2) process.exit(2);
}

console.log(`${file.replace(/.*[\\/]/, "")}: ${(bytes.length / 1e6).toFixed(1)} MB, ${RUNS} runs`);
measure("read", () => read(() => {}));
for (const level of /** @type {const} */ ([1, 2, 3])) measure(`validate, level ${level}`, () => validate(level));
measure("read + write", () => readAndWrite(() => {}));
measure("read + set HEAD, DEPREL + write", () =>
  readAndWrite((sentence) => {
    for (let i = 1; i <= sentence.length; i++) {
      sentence.setHead(i, i - 1);
      sentence.setDeprel(i, "dep");
    }
  }),
);
const elapsed = () => performance.now();
measure("stemma convert FILE", () => convert([file]), bytes.length, elapsed);
const large = Buffer.concat(Array.from({ length: 10 }, () => bytes));
measure("stemma convert, 10 times the file", () => convert(["-"], large), large.length, elapsed);
const packed = gzipSync(bytes);
measure("stemma convert, gzipped", () => convert(["-"], packed), bytes.length, elapsed);
