// The treebanks of a language: found, checked and divided into what is learned from and what is held out.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readTreebank } from "../packages/core/dist/index.js";
import { UNIVERSAL_RELATIONS, universalRelation } from "../packages/core/dist/treebank/universal.js";

/**
 * @typedef {object} TreebankEntry
 * @property {string} name as the files begin: de_gsd
 * @property {string[]} parts train, dev, test (of a PUD treebank)
 * @property {string} licence
 * @property {string} [release] of UD
 * @property {string} [commit] of its repository, if it is known
 * @property {false} [spaces] it does not tell where its text has spaces
 * @property {true} [posts] its sentences are posts: those that hold several sentences are left out
 * @property {number} [weight] how often each sentence is used
 */

/** Wrong data: what was found, what was expected. */
export class DataError extends Error {}

/**
 * Licences under which a model may be published again: of the texts as READMEs of treebanks write them. Terms that
 * forbid commercial use or changes are not among them.
 */
const ALLOWED =
  /^(CC[ -]?0|public domain|CC[ -]BY(-SA)?([ -]\d\.\d)?|LGPL-LR|(L?GPL|GNU GPL)[ -]?(v|version )?\d?(\.\d)?|MIT|Apache(-2\.0| 2\.0)?)$/i;

/** @param {string} licence */
export const isAllowed = (licence) => ALLOWED.test(licence.trim());

/**
 * @param {string} name
 * @param {string} licence
 */
export function checkLicence(name, licence) {
  if (isAllowed(licence)) return;
  throw new DataError(
    `${name}: licence ${licence === "" ? "not given" : licence} ` +
      "(expected one that lets a model be published: CC0, CC BY, CC BY-SA, LGPL-LR, GPL, MIT, Apache-2.0)",
  );
}

/** @typedef {{ lines: string[], words: number }} Block a sentence of CoNLL-U, and how many words it has */

/**
 * The file of a part of a treebank in one of several folders.
 *
 * @param {string} name
 * @param {string} part
 * @param {readonly string[]} folders
 */
export function partFile(name, part, folders) {
  const places = folders.flatMap((folder) =>
    ["", ".gz"].map((ending) => join(folder, `${name}-ud-${part}.conllu${ending}`)),
  );
  const found = places.find((path) => existsSync(path));
  if (found === undefined)
    throw new DataError(`${name}: no ${name}-ud-${part}.conllu (looked for it in ${folders.join(", ")})`);
  return found;
}

/**
 * @param {string} path
 * @returns {Block[]}
 */
export function readBlocks(path) {
  const bytes = readFileSync(path);
  let text;
  try {
    text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (error) {
    throw new DataError(`${path}: cannot be unpacked: ${/** @type {Error} */ (error).message} (expected a whole file)`);
  }
  return text
    .replaceAll("\r\n", "\n")
    .split(/\n(?:[ \t]*\n)+/)
    .map((block) => block.split("\n").filter((line) => line !== ""))
    .map((lines) => ({ lines, words: lines.filter((line) => /^\d+\t/.test(line)).length }))
    .filter(({ words }) => words > 0);
}

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** A comma stands at the word before it, in every script that has spaces. */
const CLINGS = /^[,.;:!?؟،]$/;

/**
 * Refuses sentences of another scheme, and such as do not tell where their text has spaces.
 *
 * @param {string} source
 * @param {readonly Block[]} blocks
 * @param {{ spaces?: false | undefined }} entry
 */
export function checkBlocks(source, blocks, { spaces } = {}) {
  if (blocks.length === 0) throw new DataError(`${source}: no sentences (expected CoNLL-U)`);
  /** @type {Map<string, number>} */
  const foreign = new Map();
  let [clinging, apart, spaceless] = [0, 0, 0];
  for (const { lines } of blocks) {
    let before = "";
    for (const line of lines) {
      const columns = line.split("\t");
      if (!/^\d+$/.test(columns[0] ?? "")) continue;
      if (columns.length !== 10)
        throw new DataError(`${source}: ${columns.length} columns: ${line.slice(0, 60)} (expected the 10 of CoNLL-U)`);
      const [, form = "", , , , , , deprel = "", , misc = ""] = columns;
      const relation = universalRelation(deprel);
      if (!UNIVERSAL_RELATIONS.has(relation)) foreign.set(relation, (foreign.get(relation) ?? 0) + 1);
      if (CLINGS.test(form) && before !== "") before.includes("SpaceAfter=No") ? clinging++ : apart++;
      if (SPACELESS.test(form)) spaceless++;
      before = misc;
    }
  }
  if (foreign.size > 0) {
    const found = [...foreign]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 5)
      .map(([label, count]) => `${label} (${count})`);
    const version = ["dobj", "nsubjpass", "auxpass", "mwe", "neg"].some((label) => foreign.has(label))
      ? "labels of UD 1"
      : "labels that are none of UD 2's";
    throw new DataError(`${source}: ${version}: ${found.join(", ")} (expected UD 2 in all treebanks of a language)`);
  }
  const isMissing = spaceless === 0 && apart > 20 && clinging < 0.1 * apart;
  if (isMissing && spaces !== false)
    throw new DataError(
      `${source}: ${apart} of ${apart + clinging} commas and stops have a space before them: SpaceAfter is missing ` +
        '(expected it recorded, or "spaces": false in the table, which puts it where punctuation has none)',
    );
}

const LEFT = /^([,.;:!?%)\]}»”’…]|\.\.\.|؟|،)$/;
const RIGHT = /^[([{«“¿¡]$/;

/**
 * A sentence of a treebank that does not record spaces, with those that punctuation has.
 *
 * @param {Block} block
 * @returns {Block}
 */
export function withSpaces({ lines, words }) {
  const rows = lines.map((line) => line.split("\t"));
  /** @type {{ first: number, last: number, row: string[] }[]} */
  const tokens = [];
  for (const row of rows) {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(row[0] ?? "") ?? [];
    if (first === undefined || Number(first) <= (tokens.at(-1)?.last ?? 0)) continue;
    tokens.push({ first: Number(first), last: Number(last ?? first), row });
  }
  tokens.forEach(({ row }, i) => {
    const next = tokens[i + 1];
    if (!next || !(LEFT.test(next.row[1] ?? "") || RIGHT.test(row[1] ?? "")) || row[9]?.includes("SpaceAfter=No"))
      return;
    row[9] = row[9] === "_" || row[9] === undefined ? "SpaceAfter=No" : `${row[9]}|SpaceAfter=No`;
  });
  const text = tokens
    .map(({ row }) => row[1] + (row[9]?.includes("SpaceAfter=No") ? "" : " "))
    .join("")
    .trim();
  return {
    words,
    lines: rows.map((row) => row.join("\t")).map((line) => (/^# text = /.test(line) ? `# text = ${text}` : line)),
  };
}

/**
 * Whether a sentence can be learned from: a word that is its own head, say, makes training refuse it.
 *
 * @param {Block} block
 */
function isTree(block) {
  try {
    readTreebank(textOfBlocks([block]));
    return true;
  } catch {
    return false;
  }
}

/** A mark that ends a sentence, then a capital. */
const ENDS_INSIDE = /^# text = .*[.!?…]["”»’)]*\s+["“«‘(]*\p{Lu}/u;

/**
 * Whether a post has several sentences: from such ones a segmenter would learn that sentences do not end there.
 *
 * @param {Block} block
 */
const hasSeveral = ({ lines }) => lines.some((line) => ENDS_INSIDE.test(line));

/**
 * The sentences of a language, without those that are no trees, and posts of several sentences (`leftOut`). Where a treebank has a training and a development part, the latter is held out;
 * otherwise the last sentences of each part are.
 *
 * @param {readonly TreebankEntry[]} treebanks
 * @param {number} share of a file that is held out, if it has no development part
 * @param {readonly string[]} folders
 */
export function goldOf(treebanks, share, folders) {
  /** @type {{ name: string, train: Block[], weight: number }[]} */
  const train = [];
  /** @type {Block[]} */
  const held = [];
  /** @type {{ file: string, sha256: string, sentences: number, words: number }[]} */
  const sources = [];
  /** @type {{ file: string, sentences: number }[]} */
  const leftOut = [];
  for (const entry of treebanks) {
    checkLicence(entry.name, entry.licence);
    const hasDev = entry.parts.includes("train") && entry.parts.includes("dev");
    for (const part of entry.parts) {
      const file = partFile(entry.name, part, folders);
      let blocks = readBlocks(file);
      checkBlocks(file, blocks, entry);
      const all = blocks.length;
      blocks = blocks.filter((block) => isTree(block) && !(entry.posts && hasSeveral(block)));
      if (blocks.length < all) leftOut.push({ file: `${entry.name}-ud-${part}`, sentences: all - blocks.length });
      if (entry.spaces === false) blocks = blocks.map(withSpaces);
      const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex");
      sources.push({ file: `${entry.name}-ud-${part}`, sha256, sentences: blocks.length, words: wordsIn(blocks) });
      const cut = hasDev ? (part === "train" ? blocks.length : 0) : Math.round((1 - share) * blocks.length);
      train.push({ name: `${entry.name}-${part}`, train: blocks.slice(0, cut), weight: entry.weight ?? 1 });
      held.push(...blocks.slice(cut));
    }
  }
  if (held.length === 0) throw new DataError("nothing is held out (expected a share above 0, or development parts)");
  return { train: train.filter((one) => one.train.length > 0), held, sources, leftOut };
}

/** @param {readonly Block[]} blocks */
export const wordsIn = (blocks) => blocks.reduce((sum, { words }) => sum + words, 0);

/** @param {readonly Block[]} blocks */
export const textOfBlocks = (blocks) => blocks.map(({ lines }) => `${lines.join("\n")}\n\n`).join("");
