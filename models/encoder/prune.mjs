// An encoder without the pieces of other languages: node models/encoder/prune.mjs ENCODER OUT TEXT ...
// (after npm run build). ENCODER is a folder with model.safetensors, tokenizer.json and config.json, as
// bench/data/fetch-encoder.mjs writes it; the texts are words with white space between them, or treebanks (.conllu), and
// may be gzipped. Pieces stay that a word of the texts has, and those of single characters of the texts: every word of
// the texts is divided as before, since longer pieces never matched it.
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { readTokenizer } from "../../packages/core/dist/encoder/learning/tokenizer-json.js";
import { WordPieces } from "../../packages/core/dist/encoder/word-pieces.js";
import { readTensors, safetensorsParts } from "./safetensors.mjs";

const TABLE = "embeddings.word_embeddings.weight";
/** An encoder that does not know more of the words than this lacks the script. */
const MOST_UNKNOWN = 0.05;

/**
 * The words of a text or of a treebank.
 *
 * @param {string} path
 * @returns {string[]}
 */
export function wordsOfFile(path) {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  if (!/\.conllu(\.gz)?$/.test(path)) return text.split(/\s+/).filter((word) => word !== "");
  return text.split("\n").flatMap((line) => (/^\d+(-\d+)?\t/.test(line) ? [line.split("\t")[1] ?? ""] : []));
}

/**
 * The numbers of the pieces to keep, in their order.
 *
 * @param {string} tokenizer the text of tokenizer.json
 * @param {Iterable<string>} words
 * @returns {{ numbers: number[], vocabulary: string[] }}
 */
export function piecesOf(tokenizer, words) {
  const { pieces, vocabulary } = readTokenizer(tokenizer);
  const cut = new WordPieces(pieces, vocabulary);
  const numberOf = new Map(vocabulary.map((piece, number) => [piece, number]));
  const kept = new Set([...pieces.special, pieces.unknown, pieces.begin, pieces.end]);
  let [all, unknown] = [0, 0];
  /** @type {Map<string, number>} */
  const unknownLetters = new Map();
  const seen = new Map();
  for (const word of words) seen.set(word, (seen.get(word) ?? 0) + 1);
  for (const [word, count] of seen) {
    const own = cut.of(word);
    for (const piece of own) kept.add(piece);
    for (const letter of word) {
      for (const piece of [letter, pieces.prefix + letter]) {
        const number = numberOf.get(piece);
        if (number !== undefined) kept.add(number);
      }
    }
    if (!/\p{L}/u.test(word)) continue;
    all += count;
    if (!own.includes(pieces.unknown)) continue;
    unknown += count;
    for (const letter of word.match(/\p{L}/gu) ?? [])
      if (!numberOf.has(letter) && !numberOf.has(pieces.prefix + letter))
        unknownLetters.set(letter, (unknownLetters.get(letter) ?? 0) + count);
  }
  if (unknown > MOST_UNKNOWN * all) {
    const letters = [...unknownLetters]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 8)
      .map(([letter]) => letter);
    throw new RangeError(
      `the encoder cannot read ${((100 * unknown) / all).toFixed(1)} % of the words: its vocabulary lacks ` +
        `${letters.join(" ") || "their letters"} (expected at most ${100 * MOST_UNKNOWN} %: another encoder, or none)`,
    );
  }
  const numbers = [...kept].sort((a, b) => a - b);
  return { numbers, vocabulary: numbers.map((number) => vocabulary[number] ?? "") };
}

/**
 * @param {string} encoder
 * @param {string} out
 * @param {readonly string[]} texts
 * @returns {number} how many pieces are left
 */
export function pruneEncoder(encoder, out, texts) {
  const weights = join(encoder, "model.safetensors");
  if (!existsSync(weights))
    throw new RangeError(`${weights}: not there (expected an encoder as fetch-encoder.mjs writes it)`);
  const tokenizer = readFileSync(join(encoder, "tokenizer.json"), "utf8");
  const { numbers, vocabulary } = piecesOf(tokenizer, texts.flatMap(wordsOfFile));
  const tensors = readTensors(readFileSync(weights));
  const table = tensors.get(TABLE);
  if (!table) throw new RangeError(`${weights}: no ${TABLE}`);
  const row = 4 * table.shape[1];
  const rows = new Uint8Array(numbers.length * row);
  for (const [k, number] of numbers.entries())
    rows.set(table.bytes.subarray(number * row, (number + 1) * row), k * row);
  tensors.set(TABLE, { shape: [numbers.length, table.shape[1]], bytes: rows });
  const number = new Map(vocabulary.map((piece, k) => [piece, k]));
  const json = JSON.parse(tokenizer);
  json.model.vocab = Object.fromEntries(number);
  for (const added of json.added_tokens ?? []) added.id = number.get(added.content);
  // Complete or not there.
  const half = `${out}.part`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  writeParts(join(half, "model.safetensors"), safetensorsParts(tensors));
  writeParts(join(half, "tokenizer.json"), [Buffer.from(JSON.stringify(json))]);
  copyFileSync(join(encoder, "config.json"), join(half, "config.json"));
  rmSync(out, { recursive: true, force: true });
  renameSync(half, out);
  return numbers.length;
}

/**
 * @param {string} path
 * @param {readonly Uint8Array[]} parts
 */
export function writeParts(path, parts) {
  const file = openSync(path, "w");
  for (const part of parts)
    for (let at = 0; at < part.length; ) at += writeSync(file, part, at, Math.min(1 << 28, part.length - at));
  closeSync(file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [encoder, out, ...texts] = process.argv.slice(2);
  if (encoder === undefined || out === undefined || texts.length === 0) {
    console.error("usage: node models/encoder/prune.mjs ENCODER OUT TEXT ...");
    process.exit(2);
  }
  try {
    console.log(`${out}: ${pruneEncoder(encoder, out, texts)} pieces`);
  } catch (error) {
    console.error(`${encoder}: ${/** @type {Error} */ (error).message}`);
    process.exit(2);
  }
}
