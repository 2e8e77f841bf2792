// The package of a model, like packages/model-en: typed, for Node and for bundlers, with a card.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../bench/data/markdown.mjs";

/**
 * @typedef {object} Card
 * @property {string} code
 * @property {string} version of the packages
 * @property {string} licence of the model, as SPDX calls it
 * @property {{ name: string, licence: string }[]} treebanks
 * @property {{ file: string, sentences: number, words: number, sha256: string }[]} sources
 * @property {{ source: string, licence: string } | undefined} text of the silver data, if there was any
 * @property {string | undefined} teacher
 * @property {string} sha256 of the model
 * @property {{ megabytes: number, table: { name: string, raw: number, tokens: number }[] }} scores
 * @property {{ sentences: number, words: number }} held
 */

/** @param {string} code */
const languageName = (code) => new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code;

/**
 * The licence under which a model of several sources can be given out: the one that asks for most.
 *
 * @param {readonly string[]} licences
 */
export function jointLicence(licences) {
  const has = (/** @type {RegExp} */ pattern) => licences.some((licence) => pattern.test(licence));
  if (has(/GPL/i)) return "LGPLLR";
  if (has(/BY-SA/i)) return "CC-BY-SA-4.0";
  return has(/BY/i) ? "CC-BY-4.0" : "CC0-1.0";
}

/**
 * Writes a package in place of the one that may be there, when all of it is written.
 *
 * @param {string} target
 * @param {string} model
 * @param {Card} card
 */
export function writePackage(target, model, card) {
  const [half, before] = [`${target}.part`, `${target}.before`];
  for (const left of [half, before]) rmSync(left, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  copyFileSync(model, join(half, `${card.code}.stemma`));
  for (const [name, content] of Object.entries(filesOf(card))) writeFileSync(join(half, name), content);
  if (existsSync(target)) renameSync(target, before);
  renameSync(half, target);
  rmSync(before, { recursive: true, force: true });
}

/**
 * @param {Card} card
 * @returns {Record<string, string>}
 */
function filesOf(card) {
  const { code, version, licence } = card;
  const language = languageName(code);
  const comment = `/** The bytes of the ${language} model, for \`load\` of @stemma/core. */\n`;
  const bytes = `${comment}declare const model: Uint8Array;\n`;
  const entry = (/** @type {string} */ types, /** @type {string} */ file) => ({ types, default: file });
  const manifest = {
    name: `@stemma/model-${code}`,
    version,
    description: `The ${language} model of Stemma: text to dependency trees.`,
    keywords: ["nlp", "dependency parsing", language.toLowerCase(), "model", "universal dependencies", "stemma"],
    type: "module",
    license: licence,
    sideEffects: false,
    engines: { node: ">=20" },
    main: "./node.cjs",
    types: "./node.d.cts",
    exports: {
      ".": {
        node: { import: entry("./node.d.ts", "./node.js"), require: entry("./node.d.cts", "./node.cjs") },
        default: entry("./index.d.ts", "./browser.js"),
      },
      [`./${code}.stemma`]: entry(`./${code}.stemma.d.ts`, `./${code}.stemma`),
      "./package.json": "./package.json",
    },
    files: ["*.js", "*.cjs", "*.d.ts", "*.d.cts", `${code}.stemma`, "NOTICES.md"],
    peerDependencies: { "@stemma/core": `^${version}` },
    publishConfig: { access: "public" },
  };
  return {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    "node.js":
      'import { readFile } from "node:fs/promises";\nimport { dirname, join } from "node:path";\n' +
      `import { fileURLToPath } from "node:url";\n\n${comment}` +
      `export default await readFile(join(dirname(fileURLToPath(import.meta.url)), "${code}.stemma"));\n`,
    "node.cjs":
      'const { readFileSync } = require("node:fs");\nconst { join } = require("node:path");\n\n' +
      `${comment}module.exports = readFileSync(join(__dirname, "${code}.stemma"));\n`,
    "browser.js":
      "/** The address of the model, for `load` of @stemma/core. */\n" +
      `export default new URL("./${code}.stemma", import.meta.url);\n`,
    "node.d.ts": `${bytes}export default model;\n`,
    "node.d.cts": `${bytes}export = model;\n`,
    "index.d.ts":
      `/** The ${language} model, for \`load\` of @stemma/core: its bytes in Node, its address in a page. */\n` +
      "declare const model: Uint8Array | { readonly href: string };\nexport default model;\n",
    [`${code}.stemma.d.ts`]:
      "/** The file as a bundler provides it, for `load` of @stemma/core: its address, or its bytes. */\n" +
      "declare const model: string | Uint8Array | ArrayBuffer;\nexport default model;\n",
    "README.md": cardText(card),
    "NOTICES.md": noticesText(card),
    LICENSE: licenceText(card),
  };
}

/** @type {Record<string, [name: string, address: string]>} */
const LICENCES = {
  "CC-BY-SA-4.0": [
    "Creative Commons Attribution-ShareAlike 4.0 International licence (CC BY-SA 4.0)",
    "https://creativecommons.org/licenses/by-sa/4.0/legalcode",
  ],
  "CC-BY-4.0": [
    "Creative Commons Attribution 4.0 International licence (CC BY 4.0)",
    "https://creativecommons.org/licenses/by/4.0/legalcode",
  ],
  "CC0-1.0": [
    "CC0 1.0 Universal public domain dedication",
    "https://creativecommons.org/publicdomain/zero/1.0/legalcode",
  ],
  LGPLLR: ["Lesser General Public License For Linguistic Resources", "https://spdx.org/licenses/LGPLLR.html"],
};

/** @param {Card} card */
function licenceText({ code, licence }) {
  const [name, address] = LICENCES[licence] ?? [licence, ""];
  return `The model ${code}.stemma is licensed under the ${name}:\n${address}\n\nNOTICES.md names the works that it was trained on, with their licences.\n`;
}

/** @param {Pick<Card, "treebanks" | "text" | "teacher">} card */
function worksOf({ treebanks, text, teacher }) {
  const works = treebanks.map(({ name, licence }) => {
    const [language, treebank = ""] = name.split("_");
    const address = `https://universaldependencies.org/treebanks/${name}/`;
    return `- Universal Dependencies ${languageName(language ?? "")} ${treebank.toUpperCase()}, <${address}>, by the authors named there, under ${licence}`;
  });
  if (text)
    works.push(
      `- Text of ${text.source} under ${text.licence}, parsed by a larger model (${teacher}); no text is in the model`,
    );
  return works;
}

/** @param {Card} card */
function noticesText(card) {
  const lines = [
    "# Notices",
    "",
    `The model in \`${card.code}.stemma\` is made of these works:`,
    "",
    ...worksOf(card),
    ...(card.teacher?.includes("bert-multi-cased")
      ? [
          "- The larger model contains the first layers of multilingual BERT, cased, by Google (Apache License 2.0). Nothing of it is in this model.",
        ]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Below this much in F1 the language-specific tags are those of several schemes. */
const TAGS_OF_ONE_SCHEME = 85;

/** @param {Card["treebanks"]} treebanks @param {Card["scores"]} scores */
function mixedTags(treebanks, { table }) {
  const xpos = table.find(({ name }) => name === "XPOS");
  if (treebanks.length < 2 || xpos === undefined || xpos.tokens >= TAGS_OF_ONE_SCHEME) return [];
  return ["", "XPOS mixes the tags of its treebanks, which differ: go by UPOS."];
}

/** @param {Card} card */
function cardText({ code, treebanks, sources, text, teacher, sha256, scores, held, licence }) {
  const count = (/** @type {number} */ number) => number.toLocaleString("en");
  const lines = [
    `# The ${languageName(code)} model of Stemma`,
    "",
    "```js",
    'import { load } from "@stemma/core";',
    `import model from "@stemma/model-${code}";`,
    "",
    "const parser = await load(model);",
    "```",
    "",
    `The package is used like [\`@stemma/model-en\`](../model-en/README.md); on the command line, \`stemma parse --model ${code}\` finds it where it is installed. [Languages](../../docs/languages.md) has the scores of all.`,
    "",
    "## Data",
    "",
    ...worksOf({ treebanks, text, teacher }),
    "",
    `The model is under ${licence} ([notices](NOTICES.md)). Files:`,
    "",
    ...sources.map(
      ({ file, sentences, words, sha256 }) =>
        `- \`${file}\`: ${count(sentences)} sentences, ${count(words)} words, SHA-256 \`${sha256}\``,
    ),
    "",
    "## Training",
    "",
    `\`node models/make.mjs ${code}\` makes it, with the same bytes each time: ${scores.megabytes} MB, SHA-256 \`${sha256}\`.`,
    "",
    "## Scores",
    "",
    `F1 in percent, as in the CoNLL 2018 shared task, on ${count(held.sentences)} sentences (${count(held.words)} words) that were held out. The epoch was chosen on them, so the figures are slightly optimistic.`,
    "",
    table(
      ["", "raw text", "gold tokens"],
      scores.table.map(({ name, raw, tokens }) => [name, raw.toFixed(2), tokens.toFixed(2)]),
      1,
    ),
    "",
    "## Limits",
    "",
    `It has learned from ${count(sources.reduce((sum, { words }) => sum + words, 0))} words of treebanks${text === undefined ? "" : ", and the mistakes of its teacher"}: rare constructions, other registers and names are often wrong.`,
    ...mixedTags(treebanks, scores),
  ];
  return `${lines.join("\n")}\n`;
}
