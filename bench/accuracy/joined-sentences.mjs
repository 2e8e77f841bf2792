// Sentence ends in plain text: node bench/accuracy/joined-sentences.mjs [--data DIR] [--sentences N] [LANGUAGE ...]
// (after npm run build). The last N (400 if not given) paragraphs of DIR/text/more/LANGUAGE.txt.gz (DIR is ../shared if
// not given) that are a single sentence are run together, and those that come out whole are counted; for the languages
// with a model in packages/ if none is given. The models learned from the first ones, parsed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { load } from "../../packages/core/dist/index.js";

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: "string", default: path("../../../shared") },
    sentences: { type: "string", default: "400" },
  },
});
const installed = readdirSync(path("../../packages")).flatMap((name) => /^model-([a-z]{2,3})$/.exec(name)?.[1] ?? []);
const END = /[.!?؟。！？]/u;
const WITHOUT_SPACES = /^(zh|ja|th)$/;

console.log("| language | sentences | whole |\n| --- | ---: | ---: |");
for (const code of positionals.length > 0 ? positionals : installed) {
  const text = `${values.data}/text/more/${code}.txt.gz`;
  if (!existsSync(text)) {
    console.log(`${code}: skipped, ${text} is not there`);
    continue;
  }
  const paragraphs = gunzipSync(readFileSync(text))
    .toString("utf8")
    .split(/\n\s*\n/);
  const single = paragraphs
    .map((one) => one.trim())
    .filter((one) => END.test(one.at(-1) ?? "") && !END.test(one.slice(0, -1)));
  const gold = single.slice(-Number(values.sentences));
  const parser = await load(readFileSync(path(`../../packages/model-${code}/${code}.stemma`)));
  const joined = gold.join(WITHOUT_SPACES.test(code) ? "" : " ");
  const found = new Set(Array.from(parser.parse(joined), (sentence) => sentence.text.trim()));
  console.log(`| ${code} | ${gold.length} | ${gold.filter((one) => found.has(one)).length} |`);
}
