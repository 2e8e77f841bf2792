// Trees with two subjects or two objects of one word, which UD's guidelines forbid, and which a beam puts after the best
// tree without: node bench/accuracy/double-arguments.mjs [--beam N] [MODEL [TREEBANK]] (after npm run build;
// @stemma/model-en and the development set of en_ewt if none are given). Gold tokens, own tags: the trees with the highest
// scores, and those that come first.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import "../../packages/core/dist/encoder.js";
import { evaluate } from "../../packages/core/dist/evaluation.js";
import { load, readTreebank } from "../../packages/core/dist/index.js";

/** @typedef {import("../../packages/core/dist/index.js").Sentence} Sentence */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { beam: { type: "string", default: "8" } },
});
const model = positionals[0] ?? new URL("../../packages/model-en/en.stemma", import.meta.url);
const treebank = positionals[1] ?? new URL("../../../shared/treebanks/en_ewt-ud-dev.conllu", import.meta.url);
if (!existsSync(treebank)) {
  console.log("skipped: ../shared/treebanks is not there; give a model and a CoNLL-U file");
  process.exit(0);
}
const beam = Number(values.beam);
const pipeline = await load(readFileSync(model), { beam });
const gold = readTreebank(readFileSync(treebank), { allowNonTrees: true });
const trees = gold.map((sentence) => pipeline.annotate(sentence, { retag: true, trees: beam }));
const highest = trees.map((own) =>
  own.reduce((best, tree) => ((tree.tree?.score ?? 0) > (best.tree?.score ?? 0) ? tree : best)),
);
const first = trees.map(([best]) => /** @type {Sentence} */ (best));

console.log("| tree | sentences with double arguments | LAS, full labels |\n| --- | ---: | ---: |");
for (const [name, sentences] of Object.entries({ gold, "highest score": highest, first })) {
  const las = evaluate(gold, sentences, { breakdowns: false }).scores.lasFull.f1;
  console.log(`| ${name} | ${sentences.filter(isDoubled).length} | ${(100 * las).toFixed(2)} |`);
}

/** @param {Sentence} sentence */
function isDoubled(sentence) {
  const found = sentence.words.flatMap(({ deprel }, i) => {
    const [kind] = /^[nc]subj(?!.*:outer)|^obj(?=:|$)/.exec(deprel) ?? [];
    return kind === undefined ? [] : [`${sentence.heads[i + 1]} ${kind.replace(/^[nc]s/, "s")}`];
  });
  return new Set(found).size < found.length;
}
