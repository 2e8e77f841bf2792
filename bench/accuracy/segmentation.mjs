// How well and how fast text is cut into sentences and tokens: node bench/accuracy/segmentation.mjs [options] [TREEBANK ...]
// (after npm run build). Trains on the training set and segments the text of the development set, made by the rule:
// blank lines only between documents (# newdoc), a space between everything else unless SpaceAfter=No. Treebanks that
// do not say where their text has spaces are also measured on text without the spaces that are not written ("spaces
// guessed").
//   --epochs N  --seed N  --prune X  --errors (print wrong sentence ends and tokens)  --dist FOLDER (another build of
//   core)
import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";

const TREEBANKS = ["en_ewt", "el_gdt", "eu_bdt", "tr_imst", "zh_gsd", "af_afribooms", "nl_lassysmall", "fr_sequoia"];
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    epochs: { type: "string" },
    seed: { type: "string" },
    prune: { type: "string" },
    dist: { type: "string" },
    errors: { type: "boolean", default: false },
  },
});
const dist = options.dist ? pathToFileURL(`${options.dist}/`) : new URL("../../packages/core/dist/", import.meta.url);
const load = (/** @type {string} */ path) => import(new URL(path, dist).href);
const { readTreebank } = await load("treebank/formats/reader.js");
const { Sentence } = await load("treebank/sentence/sentence.js");
const { align, TokenSpans } = await load("evaluation/alignment.js");
const { Segmenter } = await load("pipeline/segmenter/segmenter.js");
const { trainSegmenter } = await load("training/segmenter/segmenter-training.js");
const { guessSpaces, knowsSpaces, plainText, surfaceOf } = await load("pipeline/segmenter/segment-text.js");

const folder = new URL("../../../shared/treebanks/", import.meta.url);
const SPEED_CHARACTERS = 3e6;
const cells = (/** @type {(string | number)[]} */ row) =>
  console.log(row.map((cell, i) => (i === 0 ? String(cell).padEnd(30) : String(cell).padStart(10))).join(""));
cells(["development set", "tokens", "words", "sentences", "entries", "kB", "train s", "Mchar/s"]);
for (const name of positionals.length > 0 ? positionals : TREEBANKS) {
  const read = (/** @type {string} */ part) => {
    const file = new URL(`${name}-ud-${part}.conllu`, folder);
    const packed = new URL(`more/${name}-ud-${part}.conllu.gz`, folder);
    if (existsSync(file)) return readTreebank(readFileSync(file), { allowNonTrees: true });
    return existsSync(packed) ? readTreebank(gunzipSync(readFileSync(packed)), { allowNonTrees: true }) : undefined;
  };
  const [train, dev] = [read("train"), read("dev")];
  if (train === undefined || dev === undefined) {
    console.log(`${name}: skipped: ../shared/treebanks does not have it`);
    continue;
  }
  const started = performance.now();
  const model = trainSegmenter(train, {
    ...(options.epochs && { epochs: Number(options.epochs) }),
    ...(options.seed && { seed: Number(options.seed) }),
    ...(options.prune && { prune: Number(options.prune) }),
  });
  const seconds = (performance.now() - started) / 1000;
  let entries = 0;
  model.linear.forEach(() => {
    entries++;
  });
  const kilobytes = Math.round((3 * entries + JSON.stringify(model.header).length) / 1000);
  const segmenter = new Segmenter(model);
  const surfaces = dev.map(surfaceOf);
  const guesses = knowsSpaces(dev) ? [false] : [false, true];
  for (const guess of guesses) {
    const { text } = plainText(guess ? surfaces.map(guessSpaces) : surfaces);
    const [tokens, words, sentences] = score(dev, [...segmenter.segment(text)]);
    const long = text.repeat(Math.ceil(SPEED_CHARACTERS / text.length));
    let best = 0;
    for (let run = 0; run < 3; run++) {
      // Time of the processor, not of the clock: others may use the machine.
      const start = process.cpuUsage();
      let count = 0;
      for (const sentence of segmenter.segment(long)) count += sentence.tokens.length;
      const { user, system } = process.cpuUsage(start);
      if (count > 0) best = Math.max(best, long.length / (user + system));
    }
    const label = guesses.length > 1 ? `${name} (spaces ${guess ? "guessed" : "everywhere"})` : name;
    cells([label, tokens, words, sentences, entries, kilobytes, seconds.toFixed(1), best.toFixed(2)]);
  }
}

/**
 * F1 of tokens, words and sentences.
 * @param {any[]} gold
 * @param {any[]} cut
 */
function score(gold, cut) {
  const [goldSpans, spans] = [new TokenSpans(), new TokenSpans()];
  for (const sentence of gold) goldSpans.add(sentence, "gold");
  for (const { tokens } of cut) spans.add(toSentence(tokens), "system");
  if (goldSpans.text !== spans.text) throw new Error("the texts differ");
  const alignment = align(goldSpans, spans);
  if (options.errors) printErrors(goldSpans, spans);
  const f1 = (/** @type {number} */ same, /** @type {number} */ a, /** @type {number} */ b) =>
    ((200 * same) / (a + b)).toFixed(2);
  return [
    f1(alignment.sameTokens, alignment.goldTokens, alignment.systemTokens),
    f1(alignment.alignedWords, goldSpans.forms.length, spans.forms.length),
    f1(alignment.sameSentences.length, gold.length, cut.length),
  ];
}

/** @param {any[]} tokens */
function toSentence(tokens) {
  const words = [];
  const multiWordTokens = [];
  for (const { form, words: parts } of tokens) {
    const from = words.length + 1;
    if (parts) multiWordTokens.push({ from, to: words.length + parts.length, form });
    for (const part of parts ?? [form]) words.push({ form: part });
  }
  return Sentence.from({ words, multiWordTokens });
}

/**
 * Sentence ends and tokens that are only on one side, in their surroundings: missed with "-", wrong with "+".
 * @param {any} gold
 * @param {any} system
 */
function printErrors(gold, system) {
  const differences = (/** @type {number[]} */ a, /** @type {number[]} */ b) => {
    const others = new Set(b);
    return a.filter((place) => !others.has(place));
  };
  const spaced = (/** @type {number} */ place, /** @type {any} */ side) => {
    const at = side.tokenStarts.findIndex((/** @type {number} */ start) => start >= place);
    const part = (/** @type {number} */ from, /** @type {number} */ to) =>
      side.tokenStarts
        .slice(Math.max(0, from), to)
        .map((/** @type {number} */ start, /** @type {number} */ i) =>
          side.text.slice(start, side.tokenEnds[Math.max(0, from) + i]),
        )
        .join(" ");
    return `${part(at - 8, at)} ‖ ${part(at, at + 8)}`;
  };
  for (const [sign, a, b] of [
    ["-", gold, system],
    ["+", system, gold],
  ]) {
    for (const place of differences(a.sentenceStarts, b.sentenceStarts)) console.log(`S${sign} ${spaced(place, gold)}`);
    for (const place of differences(a.tokenStarts, b.tokenStarts)) console.log(`T${sign} ${spaced(place, a)}`);
  }
}
