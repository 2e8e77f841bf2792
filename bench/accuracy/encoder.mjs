// Encoders on one core (after npm run build; an encoder comes by bench/data/fetch-encoder.mjs), by the time of the processor:
//   node bench/accuracy/encoder.mjs FOLDER [TREEBANK] [layers=6] [sentences=200]
//       words a second on the sentences of a treebank, and what attention costs in sentences of 10, 100, 500 words;
//       side by side with onnxruntime-node on the same layers and one thread, and how far the vectors are apart, where
//       that is installed: npm install --no-save --ignore-scripts onnxruntime-node@1.20.1
//   node bench/accuracy/encoder.mjs --pieces FOLDER [TREEBANK …]
//       the pieces of all words and sentences against the package tokenizers of PyPI (PYTHON names the Python to use)
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Encoder } from "../../packages/core/dist/encoder/encoder.js";
import { readEncoder } from "../../packages/core/dist/encoder/learning/read-encoder.js";
import { WordPieces } from "../../packages/core/dist/encoder/word-pieces.js";
import { readTreebank } from "../../packages/core/dist/treebank/formats/reader.js";

const RUNS = 5;
const args = process.argv.slice(2);
const settings = new Map(args.flatMap((arg) => (arg.includes("=") ? [arg.split("=")] : [])));
const [folder, ...given] = args.filter((arg) => !arg.includes("=") && arg !== "--pieces");
const shared = fileURLToPath(new URL("../../../shared/treebanks/en_ewt-ud-dev.conllu", import.meta.url));
const files = given.length > 0 ? given : [shared];
if (folder === undefined || !files.every((file) => existsSync(file))) {
  console.log(folder === undefined ? "give the folder of an encoder" : "skipped: no treebank there; give one");
  process.exit(0);
}
const weights = readFileSync(join(folder, "model.onnx"));
const tokenizer = readFileSync(join(folder, "tokenizer.json"), "utf8");
const layers = Number(settings.get("layers") ?? 6);
const data = readEncoder({ weights, tokenizer }, { layers, mixed: 1 });
const { size, pieces: pieceSettings } = data.header;
const pieces = new WordPieces(pieceSettings, data.vocabulary);
if (args.includes("--pieces")) comparePieces();
else await compareVectors();

/** Processor time of what a function does, in seconds: the best of some runs. */
async function timed(/** @type {() => unknown} */ run) {
  let best = Number.POSITIVE_INFINITY;
  for (let k = 0; k < RUNS; k++) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1e6);
  }
  return best;
}

async function compareVectors() {
  const file = files[0];
  const sentences = readTreebank(readFileSync(file))
    .slice(0, Number(settings.get("sentences") ?? 200))
    .map((sentence) => Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1)));
  const all = sentences.flat();
  const lengths = [10, 100, 500];
  const groups = [
    { name: basename(file), sentences },
    ...lengths.map((length) => ({
      name: `sentences of ${length} words`,
      sentences: Array.from({ length: Math.ceil(1000 / length) }, (_, k) =>
        Array.from({ length }, (_, i) => all[(k * length + i) % all.length]),
      ),
    })),
  ];
  const encoder = new Encoder(data);
  const other = await onnxRuntime();
  if (other) {
    let [product, own, theirs, worst] = [0, 0, 0, 1];
    for (const forms of sentences.slice(0, 100)) {
      const expected = await other(forms);
      const vectors = encoder.encode(forms);
      for (let word = 0; word < forms.length; word++) {
        let [p, a, b] = [0, 0, 0];
        for (let j = word * size; j < (word + 1) * size; j++) {
          p += vectors[j] * expected[j];
          a += vectors[j] ** 2;
          b += expected[j] ** 2;
        }
        worst = Math.min(worst, p / Math.sqrt(a * b));
        product += p;
        own += a;
        theirs += b;
      }
    }
    const cosine = product / Math.sqrt(own * theirs);
    console.log(`vectors: cosine ${cosine.toFixed(5)} on the whole, ${worst.toFixed(5)} for the worst word`);
  }
  for (const { name, sentences } of groups) {
    const words = sentences.reduce((sum, { length }) => sum + length, 0);
    const speed = (/** @type {number} */ seconds) => Math.round(words / seconds);
    const one = await timed(() => {
      for (const forms of sentences) encoder.encode(forms);
    });
    const together = await timed(() => encoder.encodeAll(sentences));
    const line = `${name}: ${speed(one)} words/s, several sentences together ${speed(together)}`;
    if (!other) {
      console.log(line);
      continue;
    }
    const theirs = await timed(async () => {
      for (const forms of sentences) await other(forms);
    });
    console.log(`${line}; onnxruntime ${speed(theirs)}: ${(theirs / one).toFixed(2)} of its speed`);
  }
}

/** The same layers by onnxruntime-node, where it is installed: the means of words' pieces. */
async function onnxRuntime() {
  let ort;
  try {
    ort = (await import(/** @type {string} */ ("onnxruntime-node"))).default;
  } catch {
    console.log("not compared: onnxruntime-node is not installed (see above)");
    return undefined;
  }
  const name = `/encoder/layer.${layers - 1}/output/LayerNorm/Add_1_output_0`;
  const session = await ort.InferenceSession.create(endingAt(weights, name), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: "all",
  });
  return async (/** @type {string[]} */ forms) => {
    const cut = forms.map((form) => {
      const found = pieces.of(form);
      return found.length > 0 ? found : [pieceSettings.unknown];
    });
    // Beyond its window it knows no positions.
    const ids = [pieceSettings.begin, ...cut.flat().slice(0, data.header.window - 2), pieceSettings.end];
    const tensor = (/** @type {number[]} */ values) =>
      new ort.Tensor("int64", BigInt64Array.from(values, BigInt), [1, ids.length]);
    const zeros = ids.map(() => 0);
    const inputs = {
      input_ids: tensor(ids),
      attention_mask: tensor(ids.map(() => 1)),
      token_type_ids: tensor(zeros),
    };
    const { data: rows } = (await session.run(inputs))[name];
    const vectors = new Float32Array(forms.length * size);
    let at = 1;
    cut.forEach(({ length }, word) => {
      for (let j = 0; j < size; j++) {
        let sum = 0;
        for (let k = 0; k < length; k++) sum += rows[(at + k) * size + j] ?? 0;
        vectors[word * size + j] = sum / length;
      }
      at += length;
    });
    return vectors;
  };
}

/** An ONNX file with another output: what comes after it is left out by the runtime. */
function endingAt(/** @type {Buffer} */ bytes, /** @type {string} */ output) {
  const GRAPH = 7;
  const OUTPUT = 12;
  const field = (/** @type {number} */ number, /** @type {Buffer} */ content) =>
    Buffer.concat([varint(8 * number + 2), varint(content.length), content]);
  const graph = Buffer.concat([
    ...[...fieldsOf(bytes)]
      .filter(({ number }) => number === GRAPH)
      .flatMap(({ content }) => [...fieldsOf(content)].filter(({ number }) => number !== OUTPUT).map(({ all }) => all)),
    field(OUTPUT, field(1, Buffer.from(output))),
  ]);
  const rest = [...fieldsOf(bytes)].filter(({ number }) => number !== GRAPH).map(({ all }) => all);
  return Buffer.concat([...rest, field(GRAPH, graph)]);
}

function varint(/** @type {number} */ value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

/** The fields of a message, each with its bytes. */
function* fieldsOf(/** @type {Buffer} */ bytes) {
  let at = 0;
  const number = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const from = at;
    const key = number();
    const length = key % 8 === 2 ? number() : 0;
    if (key % 8 === 0) number();
    const content = bytes.subarray(at, at + length);
    at += length;
    yield { number: Math.floor(key / 8), content, all: bytes.subarray(from, at) };
  }
}

function comparePieces() {
  const script = `
import sys, json
from tokenizers import Tokenizer
tokenizer = Tokenizer.from_file(sys.argv[1])
tokenizer.no_truncation()
tokenizer.no_padding()
strings = json.load(open(sys.argv[2], encoding="utf-8"))
print(json.dumps([e.tokens for e in tokenizer.encode_batch(strings, add_special_tokens=False)]))
`;
  const work = mkdtempSync(join(tmpdir(), "stemma-pieces-"));
  try {
    for (const file of files) {
      const strings = new Set();
      for (const sentence of readTreebank(readFileSync(file))) {
        strings.add(sentence.text);
        for (let i = 1; i <= sentence.length; i++) strings.add(sentence.form(i));
      }
      const list = join(work, "strings.json");
      writeFileSync(list, JSON.stringify([...strings]));
      const python = process.env.PYTHON ?? "python3";
      const output = execFileSync(python, ["-c", script, join(folder, "tokenizer.json"), list], { maxBuffer: 1 << 30 });
      const expected = JSON.parse(output.toString("utf8"));
      const own = (/** @type {string} */ text) => pieces.of(text).map((piece) => data.vocabulary[piece]);
      const wrong = [...strings].filter((text, k) => JSON.stringify(own(text)) !== JSON.stringify(expected[k]));
      console.log(`${basename(file)}: ${strings.size} words and sentences, ${wrong.length} with other pieces`);
      for (const text of wrong.slice(0, 5)) console.log(`  ${JSON.stringify(text)}`);
      if (wrong.length > 0) process.exitCode = 1;
    }
  } finally {
    rmSync(work, { recursive: true });
  }
}
