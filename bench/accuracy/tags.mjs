// Parsing as tagging beside greedy arc-hybrid, on the same data with gold tags: which trees each encoding covers, LAS and
// speed. Writes the tables of docs/tags.md, after the text that is there. After npm run build:
//   node bench/accuracy/tags.mjs [TREEBANK ...]           measures what is missing, then writes the page
//   node bench/accuracy/tags.mjs --network [TREEBANK ...] with networks instead of linear models; --encoder FOLDER gives
//                                                         them an encoder (bench/data/fetch-encoder.mjs)
//   node bench/accuracy/tags.mjs --report                 writes the page from what is there
//   --sentences N (500, the first of the training part)  --dev N (300, the first of the development part)
//   --epochs N (5; with networks 10)  --layers N (6, of the encoder)
//   --results FILE (docs/experiments/tags/results.json)
// Every cell is kept as soon as it is measured, so that an interrupted run goes on where it was.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readEncoder } from "../../packages/core/dist/encoder/learning/read-encoder.js";
import { loadModel, writeModel } from "../../packages/core/dist/index.js";
import { ENCODINGS, encodingOf } from "../../packages/core/dist/tags/encodings/encodings.js";
import { train } from "../../packages/core/dist/training.js";
import { isTree } from "../../packages/core/dist/treebank/tree.js";
import { percent, table } from "../data/markdown.mjs";
import { trainAndDev } from "../data/treebanks.mjs";

/** @type {Record<string, import("@stemma/core/training").TrainingSettings>} */
const PARSERS = {
  "arc-hybrid, greedy": { system: "arc-hybrid" },
  brackets: { system: "tags", encoding: "brackets" },
  "two-planes": { system: "tags", encoding: "two-planes" },
  "hierarchical, pseudo-projective": { system: "tags", encoding: "hierarchical", projectivize: "head" },
  hexatags: { system: "tags", encoding: "hexatags" },
  "hexatags, pseudo-projective": { system: "tags", encoding: "hexatags", projectivize: "head" },
};
/** Parses of the development part for the speed, of which the fastest counts. */
const RUNS = 5;
const TREEBANKS = ["el_gdt", "eu_bdt", "nl_lassysmall", "tr_imst"];
/** The rest of the page, after it, is written here. */
const MARK = "<!-- node bench/accuracy/tags.mjs writes the rest -->";
const PAGE = fileURLToPath(new URL("../../docs/tags.md", import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    network: { type: "boolean" },
    encoder: { type: "string" },
    layers: { type: "string", default: "6" },
    sentences: { type: "string", default: "500" },
    dev: { type: "string", default: "300" },
    epochs: { type: "string" },
    results: {
      type: "string",
      default: fileURLToPath(new URL("../../docs/experiments/tags/results.json", import.meta.url)),
    },
    report: { type: "boolean" },
  },
});
const isNetwork = values.network || values.encoder !== undefined;
const kind = values.encoder === undefined ? (isNetwork ? "network" : "linear") : "encoder";
const epochs = Number(values.epochs ?? (isNetwork ? 10 : 5));
const size = `${values.sentences} sentences, ${values.dev} for development, ${epochs} epochs`;

/**
 * @typedef {{ kind: string, treebank: string, parser: string, size: string, uas: number, las: number, tags?: number,
 *   wordsPerSecond: number, withoutEncoder?: number }} Cell
 * @typedef {{ treebank: string, trees: number, covered: Record<string, number> }} Coverage
 * @type {{ cells: Cell[], coverage: Coverage[] }}
 */
const results = existsSync(values.results)
  ? JSON.parse(readFileSync(values.results, "utf8"))
  : { cells: [], coverage: [] };

function keep() {
  mkdirSync(dirname(values.results), { recursive: true });
  writeFileSync(`${values.results}.new`, `${JSON.stringify(results, null, 2)}\n`);
  renameSync(`${values.results}.new`, values.results);
}

/** @param {string} treebank @param {string} parser */
const found = (treebank, parser) =>
  results.cells.find(
    (cell) => cell.kind === kind && cell.size === size && cell.treebank === treebank && cell.parser === parser,
  );

if (!values.report) {
  const treebanks = positionals.length > 0 ? positionals : values.encoder === undefined ? TREEBANKS : ["en_ewt"];
  for (const { treebank, sentences: all, dev: wholeDev } of trainAndDev(treebanks, Number.POSITIVE_INFINITY)) {
    if (!results.coverage.some((one) => one.treebank === treebank)) {
      const trees = all.map(({ heads }) => heads).filter((heads) => isTree(heads));
      const covered = ENCODINGS.map((name) => [name, trees.filter((heads) => encodingOf(name).encode(heads)).length]);
      results.coverage.push({ treebank, trees: trees.length, covered: Object.fromEntries(covered) });
      keep();
    }
    const sentences = all.filter(({ heads }) => isTree(heads)).slice(0, Number(values.sentences));
    const dev = wholeDev.slice(0, Number(values.dev));
    for (const [parser, settings] of Object.entries(PARSERS)) {
      if (found(treebank, parser)) continue;
      const encoder =
        values.encoder &&
        readEncoder(
          {
            weights: readFileSync(join(values.encoder, "model.onnx")),
            tokenizer: readFileSync(join(values.encoder, "tokenizer.json"), "utf8"),
          },
          { layers: Number(values.layers) },
        );
      const { model } = await train({
        ...settings,
        ...(isNetwork ? { network: true } : {}),
        ...(encoder ? { encoder } : {}),
        ...{ sentences, epochs, seed: 1 },
      });
      // After training an encoder remembers what it has said of sentences; read from a file it does not.
      const fresh = encoder ? await loadModel(writeModel(model)) : model;
      const { uas, las, speed } = measure(fresh.parser, dev);
      results.cells.push({
        ...{ kind, treebank, parser, size, uas, las },
        ...("tags" in model.parser.header ? { tags: /** @type {string[]} */ (model.parser.header.tags).length } : {}),
        wordsPerSecond: speed,
        ...(encoder ? { withoutEncoder: measure(model.parser, dev).speed } : {}),
      });
      keep();
      console.log(`${kind}: ${treebank}: ${parser}: LAS ${percent(las)}, ${speed} words/s`);
    }
  }
}

/**
 * @param {import("../../packages/core/dist/index.js").PipelineModel["parser"]} model
 * @param {import("@stemma/core").Sentence[]} dev
 */
function measure(model, dev) {
  const parser = model.createParser();
  const trees = dev.map((sentence) => parser.parse(sentence));
  // Processor time, and the best of some runs, since others may use the machine.
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const start = process.cpuUsage();
    for (const sentence of dev) parser.parse(sentence);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, user + system);
  }
  let [words, heads, both] = [0, 0, 0];
  dev.forEach((sentence, s) => {
    const tree = /** @type {import("@stemma/core").ParsedTree} */ (trees[s]);
    for (let d = 1; d <= sentence.length; d++) {
      words++;
      if (tree.heads[d] !== sentence.heads[d]) continue;
      heads++;
      if (tree.labels[d] === sentence.deprel(d)) both++;
    }
  });
  return { uas: heads / words, las: both / words, speed: Math.round((1e6 * words) / least) };
}

const speed = (/** @type {number | undefined} */ words) => words?.toLocaleString("en") ?? "";
const coverage = table(
  ["treebank", "trees", ...ENCODINGS.map((name) => `${name}, %`)],
  results.coverage.map(({ treebank, trees, covered }) => [
    ...[`\`${treebank}\``, trees.toLocaleString("en")],
    ...ENCODINGS.map((name) => percent((covered[name] ?? 0) / trees)),
  ]),
  1,
);
const placeOf = (/** @type {Cell} */ { parser }) => Object.keys(PARSERS).indexOf(parser);
const TITLES = { linear: "Linear models", network: "Networks", encoder: "Networks on an encoder" };
const tables = Object.entries(TITLES).flatMap(([kind, title]) => {
  const sizes = [...new Set(results.cells.filter((cell) => cell.kind === kind).map(({ size }) => size))];
  return sizes.map((size) => {
    const rows = results.cells
      .filter((cell) => cell.kind === kind && cell.size === size)
      .sort((a, b) => (a.treebank < b.treebank ? -1 : a.treebank > b.treebank ? 1 : placeOf(a) - placeOf(b)))
      .map(({ treebank, parser, tags, uas, las, wordsPerSecond, withoutEncoder }) => [
        ...[`\`${treebank}\``, parser, tags ?? "", percent(uas), percent(las), speed(wordsPerSecond)],
        ...(kind === "encoder" ? [speed(withoutEncoder)] : []),
      ]);
    const head = [
      "treebank",
      "parser",
      "tags",
      "UAS",
      "LAS",
      "words/s",
      ...(kind === "encoder" ? ["without the encoder"] : []),
    ];
    return `### ${title}: ${size}\n\n${table(head, rows, 2)}`;
  });
});
const rest = [`### Trees of the training part that are covered\n\n${coverage}`, ...tables].join("\n\n");
console.log(`\n${rest}`);
if (existsSync(PAGE)) {
  const [before, after] = readFileSync(PAGE, "utf8").split(MARK);
  if (after === undefined) throw new Error(`${PAGE}: the line ${MARK} is not there`);
  writeFileSync(PAGE, `${before}${MARK}\n\n${rest}\n`);
}
