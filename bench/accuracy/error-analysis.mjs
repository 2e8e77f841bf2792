// Where the English models lose what they lose: writes the figures of docs/experiments/errors.md, after the text that is
// there, and its plots. After npm run build: node bench/accuracy/error-analysis.mjs [NAME=MODEL ...] [--treebank en_ewt]
// [--sentences N]. Without models those that ship. All figures are of the development part:
//   - a ladder: LAS with gold tokens and tags, with gold tokens, with gold sentences, from raw text; what each step
//     loses is what wrong tags, tokens and sentence boundaries cost;
//   - wrong heads and wrong labels, by label, by sentence length, by the length of the arc, by kind of text, for words
//     that the training part does not have, and for words with a wrong tag: what each group costs in points of LAS.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import "../../packages/core/dist/encoder.js";
import { evaluate, evaluationPlots } from "../../packages/core/dist/evaluation.js";
import { load, plainText, readTreebank, surfaceOf } from "../../packages/core/dist/index.js";
import { table as markdownTable, percent } from "../data/markdown.mjs";
import { trainingFile } from "../data/treebanks.mjs";

/** @typedef {import("../../packages/core/dist/index.js").Sentence} Sentence */
/** @typedef {{ words: number, wrong: number }} Group */

const MARK = "<!-- node bench/accuracy/error-analysis.mjs writes the rest -->";
const LABELS = 15;
const CONFUSIONS = 10;
const LENGTHS = [5, 10, 15, 20, 30, 40, Number.POSITIVE_INFINITY];
const DISTANCES = [1, 2, 3, 6, 10, Number.POSITIVE_INFINITY];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { treebank: { type: "string", default: "en_ewt" }, sentences: { type: "string", default: "1000000" } },
});
const files = new Map(
  positionals.length > 0
    ? positionals.map((given) => /** @type {[string, string]} */ ([given.split("=")[0], given.split("=").at(-1)]))
    : [
        ["model-en", "../../packages/model-en/en.stemma"],
        ["model-en-large", "../../packages/model-en-large/en-large.stemma"],
      ].map(([name, path]) => /** @type {[string, URL]} */ ([name, new URL(path, import.meta.url)])),
);
const devFile = trainingFile(values.treebank).replace("-train", "-dev");
if (!existsSync(devFile)) {
  console.log(`${values.treebank}: skipped: ../shared/treebanks does not have it`);
  process.exit(0);
}
const read = (/** @type {string} */ text) => readTreebank(text, { allowNonTrees: true });
const gold = read(readFileSync(devFile, "utf8")).slice(0, Number(values.sentences));
const known = new Set(read(readFileSync(trainingFile(values.treebank), "utf8")).flatMap((s) => [...formsOf(s)]));
const kinds = kindsOf(gold);

const models = [];
for (const [name, file] of files) {
  if (existsSync(file)) models.push(analysed(name, await load(file)));
  else console.log(`${name}: skipped: ${file} does not exist`);
}
writePage();

/** @param {Sentence} sentence */
function* formsOf(sentence) {
  for (let i = 1; i <= sentence.length; i++) yield sentence.form(i);
}

/**
 * Kinds of text, from the names of documents ("weblog-blogspot.com_..."); one if they have none.
 * @param {Sentence[]} sentences
 */
function kindsOf(sentences) {
  /** @type {Map<string, Sentence[]>} */
  const kinds = new Map();
  let kind = "all";
  for (const sentence of sentences) {
    const [, document] = /^# newdoc id = ([a-z]+)/m.exec(sentence.toString()) ?? [];
    kind = document ?? kind;
    kinds.set(kind, [...(kinds.get(kind) ?? []), sentence]);
  }
  return kinds;
}

/** @param {string} label */
function universal(label) {
  return label.split(":")[0] ?? label;
}

/** @param {string} name @param {import("../../packages/core/dist/index.js").Pipeline} pipeline */
function analysed(name, pipeline) {
  /** @param {readonly Sentence[]} sentences @param {boolean} tags */
  const reparsed = (sentences, tags) => sentences.map((sentence) => pipeline.annotate(sentence, { retag: tags }));
  /** @param {readonly Sentence[]} sentences */
  const fromText = (sentences) =>
    las(sentences, [...pipeline.parse(plainText(sentences.map(surfaceOf)).text)].map((s) => s.toConllu()).join(""));
  /** @param {readonly Sentence[]} sentences @param {string} conllu */
  const las = (sentences, conllu) => evaluate(sentences, read(conllu), { breakdowns: false }).scores.las.f1;
  const system = reparsed(gold, true);
  const evaluation = evaluate(gold, system);
  const text = (/** @type {Sentence} */ sentence) =>
    plainText([surfaceOf(sentence)])
      .text.replaceAll(/\s+/g, " ")
      .trim();
  const lines = [...pipeline.parse(gold.map(text).join("\n"), { input: "lines" })].map((s) => s.toConllu()).join("");
  const ladder = {
    tags: evaluate(gold, reparsed(gold, false), { breakdowns: false }).scores.las.f1,
    tokens: evaluation.scores.las.f1,
    sentences: las(gold, lines),
    text: fromText(gold),
  };
  const byKind = new Map(Array.from(kinds, ([kind, sentences]) => [kind, fromText(sentences)]));
  console.log(`${name}: LAS ${Object.values(ladder).map(percent).join(", ")}`);
  return { name, evaluation, ladder, byKind, words: wordsOf(system) };
}

/** Every word with what is known of it. @param {readonly Sentence[]} system */
function wordsOf(system) {
  const kindOf = new Map(
    Array.from(kinds, ([kind, sentences]) => sentences.map((s) => /** @type {const} */ ([s, kind]))).flat(),
  );
  return gold.flatMap((sentence, s) => {
    const parsed = /** @type {Sentence} */ (system[s]);
    return Array.from({ length: sentence.length }, (_, k) => {
      const i = k + 1;
      const [label, given] = [universal(sentence.deprel(i)), universal(parsed.deprel(i))];
      const head = sentence.head(i);
      const rightHead = parsed.head(i) === head;
      return {
        label,
        given,
        rightHead,
        right: rightHead && label === given,
        length: sentence.length,
        distance: head === 0 ? 0 : Math.abs(head - i),
        kind: kindOf.get(sentence) ?? "",
        known: known.has(sentence.form(i)),
        rightTag: parsed.upos(i) === sentence.upos(i),
      };
    });
  });
}

function writePage() {
  const folder = new URL("../../docs/experiments/", import.meta.url);
  const plots = new URL("errors/", folder);
  mkdirSync(plots, { recursive: true });
  const drawn = evaluationPlots(models);
  for (const [file, svg] of drawn) if (/^(length|sentence|label)/.test(file)) writeFileSync(new URL(file, plots), svg);
  const names = models.map(({ name }) => name);
  const columns = names.flatMap((name) => [`LAS, ${name}`, "costs"]);
  const total = models[0]?.words.length ?? 0;
  /** @typedef {ReturnType<typeof wordsOf>[number]} Word */
  /**
   * LAS of a group of words, and what its errors cost of the LAS of all.
   * @param {string} name
   * @param {(word: Word) => boolean} belongs
   */
  const row = (name, belongs) => {
    const groups = models.map(({ words }) => words.filter(belongs));
    const share = percent((groups[0]?.length ?? 0) / total);
    return [
      name,
      share,
      ...groups.flatMap((group) => {
        const wrong = group.filter(({ right }) => !right).length;
        return group.length === 0 ? ["–", "0.00"] : [percent(1 - wrong / group.length), percent(wrong / total)];
      }),
    ];
  };
  const bins = (/** @type {number[]} */ ends, /** @type {"length" | "distance"} */ what) =>
    ends.map((end, b) => {
      const from = b === 0 ? 1 : /** @type {number} */ (ends[b - 1]) + 1;
      const name =
        end === from ? `${from}` : end === Number.POSITIVE_INFINITY ? `${from} and more` : `${from} to ${end}`;
      return row(name, (word) => word[what] >= from && word[what] <= end);
    });
  const labels = [...count(models[0]?.words.map(({ label }) => label) ?? [])];
  const costly = labels.toSorted((a, b) => wrongOf(b[0]) - wrongOf(a[0])).slice(0, LABELS);
  const ladder = [
    ["gold tokens, tags and lemmas", (/** @type {any} */ l) => [l.tags, 0]],
    ["gold tokens: wrong tags and lemmas cost", (/** @type {any} */ l) => [l.tokens, l.tags - l.tokens]],
    ["gold sentences: wrong tokens cost", (/** @type {any} */ l) => [l.sentences, l.tokens - l.sentences]],
    ["raw text: wrong sentence boundaries cost", (/** @type {any} */ l) => [l.text, l.sentences - l.text]],
  ].map(([name, of]) => [name, ...models.flatMap(({ ladder }) => /** @type {any} */ (of)(ladder).map(percent))]);
  const kindRows = [...kinds.keys()].map((kind) => [
    ...row(kind, (word) => word.kind === kind),
    ...models.map(({ byKind }) => percent(byKind.get(kind) ?? 0)),
  ]);
  const confusions = models.map(({ name, words }) => {
    const wrong = words.filter(({ label, given }) => label !== given).map(({ label, given }) => `${label} → ${given}`);
    const most = [...count(wrong)].sort((a, b) => b[1] - a[1]).slice(0, CONFUSIONS);
    return `${name}: ${most.map(([pair, n]) => `${pair} (${n})`).join(", ")}.`;
  });
  const sections = [
    `${gold.length} sentences, ${total} words of the development part of ${values.treebank}. LAS is that of the CoNLL 2018 shared task; “costs” is how many points of LAS would be gained if there were no errors there.`,
    "## From gold to raw text",
    table(["what is given", ...columns], ladder),
    "## Heads and labels",
    "With gold tokens and predicted tags, as in all tables below.",
    table(
      ["words", "%", ...columns],
      [
        row("all", () => true),
        row("the training part has the form", (word) => word.known),
        row("unknown form", (word) => !word.known),
      ],
    ),
    table(
      ["errors, points of LAS", ...names],
      [
        ["wrong head", ...models.map(({ words }) => percent(words.filter((w) => !w.rightHead).length / total))],
        [
          "right head, wrong label",
          ...models.map(({ words }) => percent(words.filter((w) => w.rightHead && !w.right).length / total)),
        ],
        [
          "of all these: the word's UPOS is wrong",
          ...models.map(({ words }) => percent(words.filter((w) => !w.right && !w.rightTag).length / total)),
        ],
        [
          "LAS of words with a wrong UPOS",
          ...models.map(({ words }) => {
            const wrong = words.filter((w) => !w.rightTag);
            return percent(wrong.filter((w) => w.right).length / wrong.length);
          }),
        ],
      ],
    ),
    `## Labels\n\nThe ${LABELS} labels that cost most:`,
    table(
      ["label", "% of words", ...columns],
      costly.map(([label]) => row(label, (word) => word.label === label)),
    ),
    `What they are taken for, most frequent first. ${confusions.join("\n")}`,
    "## Sentence length",
    table(["words", "% of words", ...columns], bins(LENGTHS, "length")),
    "## Length of the arc",
    table(
      ["distance", "% of words", ...columns],
      [row("to the root", (w) => w.distance === 0), ...bins(DISTANCES, "distance")],
    ),
    ...[...drawn.keys()]
      .filter((file) => /^(length|sentence|label)/.test(file))
      .map((file) => `![${file.replace(".svg", "").replaceAll("-", " ")}](errors/${file})`),
    "## Kind of text",
    table(["kind", "% of words", ...columns, ...names.map((name) => `LAS from raw text, ${name}`)], kindRows),
  ];
  const page = new URL("errors.md", folder);
  const before = readFileSync(page, "utf8");
  writeFileSync(page, `${[before.slice(0, before.indexOf(MARK) + MARK.length), ...sections].join("\n\n")}\n`);
}

/** @param {string} label */
function wrongOf(label) {
  return models[0]?.words.filter((word) => word.label === label && !word.right).length ?? 0;
}

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  return markdownTable(head, rows, 1);
}

/** @param {readonly string[]} keys */
function count(keys) {
  const counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
