// The gain of a parser from text that a committee of its own kind has parsed: node bench/accuracy/self-training.mjs
// [--sentences N] [--preset NAME] [--epochs N] [TREEBANK …] (after npm run build; tr_imst and af_afribooms if none is
// given). The first N sentences of the training set (500 if not given) are trained on; of the others only the text is
// used, a sentence a line. Three pipelines with different seeds parse it. A word's score is the mean of the scores that
// they give to its arc, 0 from those with another arc; of the three trees the one with the highest scores is kept.
// Scores are for the development set with gold tokens and predicted tags, full labels, after the last epoch.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readTreebank } from "../../packages/core/dist/index.js";
import { scoreOf, withoutScore, withScore } from "../../packages/core/dist/treebank.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "500" },
    preset: { type: "string", default: "fast" },
    epochs: { type: "string", default: "6" },
  },
});
const shared = fileURLToPath(new URL("../../../shared/treebanks", import.meta.url));
if (!existsSync(shared)) {
  console.log("skipped: ../shared/treebanks is not there");
  process.exit(0);
}
const stemma = fileURLToPath(new URL("../../packages/cli/bin/stemma.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stemma-self-training-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
const SEEDS = [11, 12, 13];
const OPTIONS = ["--pipeline", "--folds", "2", "--preset", values.preset, "--epochs", values.epochs];

/** @param {string[]} args */
function run(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [stemma, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`stemma ${args.join(" ")}: status ${status}\n${stderr}`);
  return stdout;
}

/**
 * The trees of a committee, with scores.
 *
 * @param {string[]} parsed what each member says of the same sentences
 */
function vote(parsed) {
  const members = parsed.map((text) => readTreebank(text));
  return (members[0] ?? []).map((_, s) => {
    const trees = members.map((sentences) => /** @type {import("@stemma/core").Sentence} */ (sentences[s]));
    const scores = trees.map((tree) =>
      Array.from({ length: tree.length }, (_, k) => {
        const agreeing = trees.filter((other) => hasArc(other, tree, k + 1));
        return agreeing.reduce((sum, other) => sum + (scoreOf(other.misc(k + 1)) ?? 0), 0) / trees.length;
      }),
    );
    const sums = scores.map((own) => own.reduce((sum, score) => sum + score, 0));
    const best = sums.indexOf(Math.max(...sums));
    const tree = /** @type {import("@stemma/core").Sentence} */ (trees[best]);
    scores[best]?.forEach((score, k) => {
      tree.set("misc", k + 1, withScore(withoutScore(tree.misc(k + 1)), Number(score.toFixed(3))));
    });
    return tree.toString();
  });
}

/**
 * Whether another tree has the arc of a word. Its tokens may be others: then it has none of the arcs.
 *
 * @param {import("@stemma/core").Sentence} other
 * @param {import("@stemma/core").Sentence} tree
 * @param {number} i
 */
function hasArc(other, tree, i) {
  return (
    other.length === tree.length &&
    other.form(i) === tree.form(i) &&
    other.heads[i] === tree.heads[i] &&
    other.deprel(i) === tree.deprel(i)
  );
}

console.log("| treebank | trained on | words | silver words | UPOS | LAS |\n| --- | --- | ---: | ---: | ---: | ---: |");
for (const name of positionals.length > 0 ? positionals : ["tr_imst", "af_afribooms"]) {
  const file = (/** @type {string} */ name) => join(folder, name);
  const whole = join(shared, `${name}-ud-train.conllu`);
  const sentences = readTreebank(readFileSync(whole));
  const gold = Number(values.sentences);
  writeFileSync(file("gold.conllu"), sentences.slice(0, gold).join(""));
  const text = sentences.slice(gold).map((sentence) => sentence.text.replace(/\s+/g, " "));
  writeFileSync(file("text.txt"), text.map((line) => `${line}\n`).join(""));

  let number = 0;
  /**
   * @param {string} what
   * @param {string} treebank
   * @param {string[]} options
   */
  const train = (what, treebank, options) => {
    const model = file(`${++number}.stemma`);
    const dev = ["--dev", join(shared, `${name}-ud-dev.conllu`)];
    const told = JSON.parse(run(["train", treebank, ...dev, "--model", model, "--json", ...OPTIONS, ...options]));
    const numbers = [told.data.words, told.silver?.words ?? 0].map((words) => words.toLocaleString("en"));
    const scores = [told.parts.upos, told.epochs.at(-1).las].map((score) => score.toFixed(2));
    console.log(`| \`${name}\` | ${[what, ...numbers, ...scores].join(" | ")} |`);
    return model;
  };
  const treebank = file("gold.conllu");
  const members = SEEDS.map((seed) => train(`gold, seed ${seed}`, treebank, ["--seed", String(seed)]));
  const parsed = members.map((model) =>
    run(["parse", "--model", model, "--from", "lines", "--to", "conllu", "--scores", file("text.txt")]),
  );
  writeFileSync(file("one.conllu"), parsed[0] ?? "");
  writeFileSync(file("committee.conllu"), vote(parsed).join(""));
  const silver = (/** @type {string} */ name, /** @type {string} */ least) => [
    ...["--seed", String(SEEDS[0]), "--silver", file(name), "--silver-confidence", least],
  ];
  train("gold and silver by one parser", treebank, silver("one.conllu", "0.5"));
  train("gold and silver by the committee, all of it", treebank, silver("committee.conllu", "0"));
  train("gold and silver by the committee", treebank, silver("committee.conllu", "0.5"));
  train("gold and silver by the committee, scores from 0.8", treebank, silver("committee.conllu", "0.8"));
  train("gold for everything", whole, ["--seed", String(SEEDS[0])]);
}
