// Three ways to deal with disfluencies: node bench/accuracy/disfluencies.mjs [--epochs 10] [--beam 8] [--network] [--rows …]
// [--sentences N] [--gold-tags] TREEBANK… (no_nynorsklia sl_sst by default).
//   labels     a parser that labels them as what they are, discourse and reparandum, and removes nothing (arc-eager)
//   pipeline   a tagger marks them, they are removed, and a parser of fluent sentences (arc-eager) parses what is left
//   joint      the parser removes them itself (--joint disfluencies)
// each greedy and, but for the pipeline, with a beam. Tokens are gold, tags predicted, or with --gold-tags those of the
// treebank. --sentences trains on the first N. LAS of all is that of whole trees.
// Evaluated is the development part; sl_sst has none: there every fifth sentence is for evaluation and no part of
// training. Speed is that of the parser alone, on tagged sentences, in a thread: the best of five rounds, in turn with
// the parser of the row labels with the same search, which the last column compares it with.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { attachRemoved } from "../../packages/core/dist/disfluencies/attach-removed.js";
import { DisfluencyScores, evaluate } from "../../packages/core/dist/evaluation.js";
import { Pipeline, readTreebank, Sentence } from "../../packages/core/dist/index.js";
import { train } from "../../packages/core/dist/training.js";
import { disfluentWords, fluentSentence, REMOVALS } from "../../packages/core/dist/treebank.js";
import { trainingFile } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    epochs: { type: "string" },
    beam: { type: "string", default: "8" },
    folds: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    sentences: { type: "string", default: "Infinity" },
    "gold-tags": { type: "boolean", default: false },
    network: { type: "boolean", default: false },
    rows: { type: "string", default: "labels,pipeline,joint,labels-beam,joint-beam" },
  },
});
const rows = values.rows.split(",");
const goldTags = values["gold-tags"];
const settings = {
  ...(goldTags ? {} : { pipeline: true, folds: Number(values.folds) }),
  seed: Number(values.seed),
  ...(values.epochs ? { epochs: Number(values.epochs) } : {}),
  ...(values.network ? { network: true } : {}),
};

console.log(
  "| treebank | how | search | removed F1 | IJ | DM | RP | UAS of the rest | LAS of the rest | LAS of all | words/s of the parser | of labels |",
);
console.log("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
for (const treebank of positionals.length > 0 ? positionals : ["no_nynorsklia", "sl_sst"]) {
  const file = trainingFile(treebank);
  if (!existsSync(file)) {
    console.log(`${file}: not there, skipped`);
    continue;
  }
  const all = readTreebank(readFileSync(file, "utf8"));
  const devFile = file.replace("-train", "-dev");
  const isSplit = !existsSync(devFile);
  const sentences = (isSplit ? all.filter((_, i) => i % 5 !== 4) : all).slice(0, Number(values.sentences));
  const dev = isSplit ? all.filter((_, i) => i % 5 === 4) : readTreebank(readFileSync(devFile, "utf8"));
  const plain = {};
  for (const row of rows) {
    const [how, isBeam] = row.split("-");
    const beam = isBeam ? { beam: Number(values.beam) } : {};
    const { parsed, parser } = await results(how, sentences, dev, beam);
    const scores = new DisfluencyScores();
    const { las } = evaluate(dev, parsed, { also: [scores], breakdowns: false }).scores;
    const { removed, interjections, markers, reparanda } = scores;
    const cells = [removed, interjections, markers, reparanda, scores.uas, scores.las, las];
    const search = isBeam ? `beam ${values.beam}` : "greedy";
    const numbers = cells.map(({ f1 }) => (100 * f1).toFixed(2));
    if (how === "labels") plain[search] = parser;
    const [speed, speedOfLabels] = speeds([parser, plain[search]], dev);
    const wordsInASecond = (Math.round(speed / 100) * 100).toLocaleString("en-US");
    const ratio = speedOfLabels ? (speed / speedOfLabels).toFixed(2) : "–";
    console.log(`| ${[treebank, how, search, ...numbers, wordsInASecond, ratio].join(" | ")} |`);
  }
}

async function results(how, sentences, dev, beam) {
  if (how === "pipeline") return inSteps(sentences, dev, beam);
  const system = how === "joint" ? { joint: "disfluencies" } : { system: "arc-eager" };
  const { model } = await train({ sentences, ...settings, ...system, ...beam });
  const pipeline = new Pipeline(model);
  const parsed = dev.map((sentence) => pipeline.parseTokens(wordsOf(sentence)));
  return { parsed, parser: pipeline.parser };
}

/** A tagger whose XPOS is the way in which a word is removed; then a parser of what remains. */
async function inSteps(sentences, dev, beam) {
  const marked = sentences.map((sentence) => {
    const copy = readTreebank(sentence.toString())[0];
    const kinds = disfluentWords(sentence);
    for (let i = 1; i <= copy.length; i++) copy.set("xpos", i, REMOVALS[kinds?.[i] ?? 0] || "FLUENT");
    return copy;
  });
  // Only its tagger is of use.
  const { network: _, ...linear } = settings;
  const tagger = new Pipeline(
    (await train({ sentences: marked, ...linear, pipeline: true, folds: 1, epochs: 1 })).model,
  );
  const fluent = sentences.map((sentence) => fluentSentence(sentence)).filter(Boolean);
  const { model } = await train({ sentences: fluent, ...settings, system: "arc-eager", ...beam });
  const parser = new Pipeline(model);
  const parsed = dev.map((sentence) => {
    const words = wordsOf(sentence);
    const tagged = tagger.parseTokens(goldTags ? words.map(({ form, upos }) => ({ form, upos })) : words);
    const removed = new Uint8Array(words.length + 1);
    for (let i = 1; i <= words.length; i++) removed[i] = Math.max(0, REMOVALS.indexOf(tagged.xpos(i)));
    const kept = words.map((_, i) => i + 1).filter((i) => removed[i] === 0);
    // Something has to stay.
    if (kept.length === 0) {
      removed.fill(0);
      kept.push(...words.map((_, i) => i + 1));
    }
    const rest = parser.parseTokens(kept.map((i) => words[i - 1]));
    const heads = new Int32Array(words.length + 1).fill(-1);
    const labels = new Array(words.length + 1).fill("");
    kept.forEach((word, k) => {
      heads[word] = rest.heads[k + 1] === 0 ? 0 : kept[rest.heads[k + 1] - 1];
      labels[word] = rest.deprel(k + 1);
    });
    attachRemoved(heads, labels, removed);
    return Sentence.from({
      words: words.map((_, i) => ({ form: sentence.form(i + 1), head: heads[i + 1], deprel: labels[i + 1] })),
    });
  });
  return { parsed, parser: parser.parser };
}

/** The words of a sentence as a parser gets them: forms, or with their tags. */
function wordsOf(sentence) {
  return Array.from({ length: sentence.length }, (_, k) => {
    const i = k + 1;
    if (!goldTags) return sentence.form(i);
    const [form, lemma, upos] = [sentence.form(i), sentence.lemma(i), sentence.upos(i)];
    return { form, lemma, upos, xpos: sentence.xpos(i), feats: sentence.feats(i) };
  });
}

/** Words in a second that each parser takes, with the tags that the sentences have. */
function speeds(parsers, sentences) {
  const words = sentences.reduce((sum, { length }) => sum + length, 0);
  const best = parsers.map(() => 0);
  for (let round = 0; round < 5; round++) {
    parsers.forEach((parser, i) => {
      if (!parser) return;
      const start = process.cpuUsage();
      for (const sentence of sentences) parser.parse(sentence);
      const { user, system } = process.cpuUsage(start);
      best[i] = Math.max(best[i], (1e6 * words) / (user + system));
    });
  }
  return best;
}
