// The table by which languages are told: node models/profiles.mjs [--check] (after npm run build).
// It counts strings of letters in ../shared/text and ../shared/treebanks (from the latter only under licences that allow
// it; see docs/licences.md), four fifths of the paragraphs of each file, and writes
// packages/core/src/languages/profiles.ts. With --check nothing is written: the table as it is built is tried on the last
// fifth, and what it gets wrong, and is unsure of, is printed. A paragraph is as many sentences in a row as have 200
// characters (100 where words have no spaces between them).
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { gramsOf, lettersOf } from "../packages/core/dist/languages/grams.js";
import { COST_STEP, identifyLanguage, MOST_COST } from "../packages/core/dist/languages/identify.js";
import { misfit } from "../packages/core/dist/languages/misfit.js";
import { scriptsOf } from "../packages/core/dist/languages/scripts.js";

const SHARED = fileURLToPath(new URL("../../shared/", import.meta.url));
const OUT = fileURLToPath(new URL("../packages/core/src/languages/profiles.ts", import.meta.url));
/** Strings of letters that a profile has. */
const GRAMS = 800;
/** Paragraphs of a file that are counted. */
const MOST_PARAGRAPHS = 500;
/** These have text of their own, and are under licences that forbid commercial use. */
const NOT_COUNTED = /^(eu_bdt|el_gdt|tr_imst)/;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** @typedef {{ file: string, language: string, counted: string[], kept: string[] }} Source */

/**
 * The paragraphs of all languages, those to count and those to try.
 *
 * @param {string} folder
 * @param {RegExp} wanted names of files
 * @param {number} last characters at the end of each that are looked at
 * @returns {Source[]}
 */
export function sourcesIn(folder = SHARED, wanted = /./, last = Number.POSITIVE_INFINITY) {
  /** @type {Source[]} */
  const sources = [];
  const add = (
    /** @type {string} */ path,
    /** @type {string} */ file,
    /** @type {string} */ language,
    /** @type {(text: string) => string[]} */ cut,
  ) => {
    if (!wanted.test(file)) return;
    const bytes = readFileSync(join(path, file));
    const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    const all = paragraphs(cut(text.slice(-last)));
    const at = Math.floor(0.8 * all.length);
    sources.push({ file, language, counted: NOT_COUNTED.test(file) ? [] : all.slice(0, at), kept: all.slice(at) });
  };
  const texts = join(folder, "text/more");
  for (const file of readdirSync(texts)) add(texts, file, file.slice(0, 2), (text) => text.split(/\n\s*\n/));
  const english = join(folder, "text");
  if (existsSync(join(english, "en-open.txt.gz")))
    add(english, "en-open.txt.gz", "en", (text) => text.split("\n").filter((line) => !line.startsWith("#")));
  for (const path of [join(folder, "treebanks"), join(folder, "treebanks/more")]) {
    for (const file of readdirSync(path).filter((name) => /\.conllu(\.gz)?$/.test(name))) {
      const language = /^no_/.test(file) ? (/nynorsk/.test(file) ? "nn" : "nb") : file.slice(0, 2);
      add(path, file, language, sentencesOf);
    }
  }
  return sources;
}

/** @param {string} conllu */
function sentencesOf(conllu) {
  return conllu.split("\n\n").map((block) => {
    const [, text] = /^# text = (.*)$/m.exec(block) ?? [];
    return (
      text ??
      block
        .split("\n")
        .flatMap((line) => (/^\d+\t/.test(line) ? [line.split("\t")[1]] : []))
        .join(" ")
    );
  });
}

/** @param {readonly string[]} sentences */
function paragraphs(sentences) {
  const all = [];
  let one = "";
  for (const sentence of sentences) {
    if (sentence.trim() === "") continue;
    one += (one === "" ? "" : " ") + sentence.trim();
    if (one.length < (SPACELESS.test(one) ? 100 : 200)) continue;
    all.push(one);
    one = "";
  }
  return all;
}

/**
 * A profile for each language and each script that it is written in.
 *
 * @param {readonly Source[]} sources
 */
export function profilesOf(sources) {
  /** @type {Record<string, { script: string, limit: number, grams: string }>} */
  const profiles = {};
  for (const language of [...new Set(sources.map((source) => source.language))].sort()) {
    const own = sources.filter((source) => source.language === language);
    const some = own.flatMap(({ counted }) => counted.slice(0, MOST_PARAGRAPHS));
    /** @type {Map<string, string[]>} */
    const byScript = new Map();
    for (const paragraph of some) {
      const [script = "none"] = scriptsOf(paragraph);
      byScript.set(script, [...(byScript.get(script) ?? []), paragraph]);
    }
    // Paragraphs in another language are among them, in English above all.
    const written = [...byScript].filter(([, found]) => found.length >= 0.05 * some.length);
    written.sort((a, b) => b[1].length - a[1].length);
    for (const [k, [script, found]] of written.entries())
      profiles[k === 0 ? language : `${language}-${script}`] = { script, ...profileOf(found) };
  }
  return profiles;
}

/** @param {readonly string[]} paragraphs */
function profileOf(paragraphs) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  let all = 0;
  for (const paragraph of paragraphs) {
    for (const gram of gramsOf(lettersOf(paragraph))) {
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
      all++;
    }
  }
  const costs = [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, GRAMS)
    .map(([gram, count]) => /** @type {const} */ ([gram, Math.round(-Math.log(count / all) / COST_STEP)]));
  const last = Math.max(...costs.map(([, step]) => step));
  const steps = Array.from({ length: last + 1 }, () => /** @type {string[]} */ ([]));
  for (const [gram, step] of costs) steps[step]?.push(gram);
  const cost = new Map(costs.map(([gram, step]) => [gram, step * COST_STEP]));
  const means = paragraphs.map((paragraph) => {
    const grams = [...gramsOf(lettersOf(paragraph))];
    return grams.reduce((sum, gram) => sum + (cost.get(gram) ?? MOST_COST), 0) / Math.max(1, grams.length);
  });
  const limit = means.sort((a, b) => a - b)[Math.floor(0.995 * means.length)] ?? MOST_COST;
  return {
    limit: Math.round(100 * limit) / 100,
    grams: steps.map((grams) => grams.sort().join(" ")).join("|"),
  };
}

function write() {
  const profiles = profilesOf(sourcesIn());
  const [head] = readFileSync(OUT, "utf8").split("export const PROFILES");
  const entries = Object.entries(profiles).map(
    ([name, { script, limit, grams }]) =>
      `  ${/-/.test(name) ? JSON.stringify(name) : name}: {\n    script: ${JSON.stringify(script)},\n    limit: ${limit},\n` +
      `    grams:\n      ${JSON.stringify(grams)},\n  },\n`,
  );
  writeFileSync(
    OUT,
    `${head}export const PROFILES: Readonly<Record<string, StoredProfile>> = {\n${entries.join("")}};\n`,
  );
  console.log(`${OUT}: ${entries.length} profiles`);
}

/**
 * How often the table is right about paragraphs that it has not counted, by language.
 *
 * @param {readonly Source[]} sources
 * @param {number} most paragraphs of a file
 */
export function tryProfiles(sources, most) {
  /** @type {Map<string, { all: number, right: number, unsure: number, surelyWrong: number }>} */
  const byLanguage = new Map();
  /** @type {Map<string, number>} */
  const errors = new Map();
  for (const { file, language, kept } of sources) {
    const step = Math.max(1, Math.floor(kept.length / most));
    const counts = byLanguage.get(language) ?? { all: 0, right: 0, unsure: 0, surelyWrong: 0 };
    for (let i = 0; i < kept.length; i += step) {
      const guess = identifyLanguage(kept[i] ?? "");
      counts.all++;
      if (guess.language === language) counts.right++;
      else errors.set(`${file}: ${guess.language}`, (errors.get(`${file}: ${guess.language}`) ?? 0) + 1);
      if (!guess.isSure) counts.unsure++;
      else if (guess.language !== language) counts.surelyWrong++;
    }
    byLanguage.set(language, counts);
  }
  return { byLanguage, errors };
}

function tryAll() {
  const { byLanguage, errors } = tryProfiles(sourcesIn(), 40);
  const sum = { all: 0, right: 0, unsure: 0, surelyWrong: 0 };
  console.log("| language | paragraphs | right | unsure | wrong, but sure |\n| --- | ---: | ---: | ---: | ---: |");
  const row = (/** @type {string} */ name, /** @type {typeof sum} */ { all, right, unsure, surelyWrong }) =>
    console.log(`| ${name} | ${all} | ${((100 * right) / all).toFixed(2)} % | ${unsure} | ${surelyWrong} |`);
  for (const [language, counts] of [...byLanguage].sort()) {
    for (const name of /** @type {const} */ (["all", "right", "unsure", "surelyWrong"])) sum[name] += counts[name];
    row(language, counts);
  }
  row("all", sum);
  for (const [error, count] of [...errors].sort((a, b) => b[1] - a[1])) console.log(`${count} of ${error}`);
  tryWarnings();
}

/** How often a short text, the first words of a paragraph, is said not to be for a model. */
function tryWarnings() {
  const share = (/** @type {string[]} */ texts, /** @type {string} */ model) =>
    `${((100 * texts.filter((text) => misfit(text, model)).length) / texts.length).toFixed(1)} %`;
  const sources = sourcesIn(SHARED, /-(dev|test)\.conllu/);
  const texts = (/** @type {(language: string) => boolean} */ wanted) =>
    sources.filter(({ language }) => wanted(language)).flatMap(({ kept }) => kept.map((text) => firstWords(text, 60)));
  console.log("\n| model | of its own language | of others |\n| --- | ---: | ---: |");
  for (const model of ["en", "de", "es", "nl"]) {
    const [own, others] = [texts((language) => language === model), texts((language) => language !== model)];
    console.log(`| ${model} | ${share(own, model)} of ${own.length} | ${share(others, model)} of ${others.length} |`);
  }
}

/**
 * @param {string} text
 * @param {number} most characters, about
 */
function firstWords(text, most) {
  const end = text.indexOf(" ", most);
  return end < 0 ? text.slice(0, 2 * most) : text.slice(0, end);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--check")) tryAll();
  else write();
}
