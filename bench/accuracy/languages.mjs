// A pipeline for every treebank, by the same command: node bench/accuracy/languages.mjs [--keep FOLDER] [TREEBANK ...] (after
// npm run build). Trains each on its training set (stemma train --pipeline, nothing else) and prints a Markdown table
// of what bench/accuracy/pipeline.mjs measures on the development set. Treebanks that do not say where their text has spaces
// (Basque, Dutch, Chinese) are given it with a space between all tokens, which makes tokens trivial there;
// docs/segmentation.md has figures for text as it is written.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: "string" } } });
const TREEBANKS = ["af_afribooms", "el_gdt", "eu_bdt", "nl_lassysmall", "tr_imst", "zh_gsd"];
const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));
const folder = values.keep ?? mkdtempSync(join(tmpdir(), "stemma-languages-"));
mkdirSync(folder, { recursive: true });
const run = (/** @type {string[]} */ args) =>
  spawnSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 1 << 26 });

console.log(
  "| treebank | from | tokens | sentences | UPOS | XPOS | FEATS | lemmas | UAS | LAS | MB | words/s | training |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
for (const name of positionals.length > 0 ? positionals : TREEBANKS) {
  const [train, dev] = ["train", "dev"].map((part) => path(`../../../shared/treebanks/${name}-ud-${part}.conllu`));
  if (!train || !dev || !existsSync(dev)) {
    console.log(`| ${name} | skipped: ../shared/treebanks does not have it |`);
    continue;
  }
  const model = join(folder, `${name}.stemma`);
  const started = performance.now();
  if (!existsSync(model))
    run([path("../../packages/cli/bin/stemma.js"), "train", train, "--dev", dev, "--model", model, "--pipeline"]);
  const seconds = Math.round((performance.now() - started) / 1000);
  const { megabytes, tokensPerSecond, table } = JSON.parse(run([path("pipeline.mjs"), "--json", model, dev]).stdout);
  const row = (/** @type {"raw" | "tokens"} */ from) =>
    ["tokens", "sentences", "UPOS", "XPOS", "FEATS", "lemmas", "UAS", "LAS"]
      .map((score) => table.find((/** @type {any} */ line) => line.name === score)[from].toFixed(2))
      .join(" | ");
  console.log(`| ${name} | raw text | ${row("raw")} | ${megabytes} | ${tokensPerSecond} | ${seconds} s |`);
  console.log(`| | gold tokens | ${row("tokens")} | | | |`);
}
if (!values.keep) rmSync(folder, { recursive: true });
