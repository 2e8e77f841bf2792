// The package of a model, like packages/model-en: typed, for Node and for bundlers, with a card.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} Card
 * @property {string} code
 * @property {string} version of the packages
 * @property {string} licence of the model, as SPDX calls it
 * @property {{ name: string, licence: string }[]} treebanks
 * @property {{ file: string, sentences: number, words: number, sha256: string }[]} sources
 * @property {string | undefined} text its licence, if there was silver data
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
    files: ["*.js", "*.cjs", "*.d.ts", "*.d.cts", `${code}.stemma`],
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
  };
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
    "## Data",
    "",
    ...treebanks.map(
      ({ name, licence }) =>
        `- UD ${name}, <https://universaldependencies.org/treebanks/${name}/>, by the authors named there, under ${licence}`,
    ),
    ...(text === undefined
      ? []
      : [`- Text under ${text}, parsed by a larger model (${teacher}); no text is in the model`]),
    "",
    `The model is under ${licence}. Files:`,
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
    "| | raw text | gold tokens |",
    "| --- | ---: | ---: |",
    ...scores.table.map(({ name, raw, tokens }) => `| ${name} | ${raw.toFixed(2)} | ${tokens.toFixed(2)} |`),
    "",
    "## Limits",
    "",
    `It has learned from ${count(sources.reduce((sum, { words }) => sum + words, 0))} words of treebanks${text === undefined ? "" : ", and the mistakes of its teacher"}: rare constructions, other registers and names are often wrong.`,
  ];
  return `${lines.join("\n")}\n`;
}
