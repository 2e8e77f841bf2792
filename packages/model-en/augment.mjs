// More of what en_ewt has little of: node packages/model-en/augment.mjs TREEBANK OUT [--seed N] [--share X]. Makes further
// sentences of those of a treebank in the style of en_ewt, X (0.1 if not given) for each of it and each kind, and some
// from lists of words; always the same for a seed. They come in random order, in documents of up to nine, so that a
// segmenter learns where they end as well as where they go on; those with emoji end a document, since what follows an
// emoji would not be like text. The everyday sentences of bench/data are left out: they are there to measure by.
// Other typography is not made: `stemma train` and `stemma parse` read it as the plain one.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { lexiconOf, madeSentence, shortSentences } from "./short-sentences.mjs";

/**
 * A word; head 0 is the root.
 *
 * @typedef {{ form: string; lemma: string; upos: string; xpos: string; feats: string; head: number; deprel: string;
 *   glued: boolean }} Word
 *
 * @typedef {{ from: number; to: number; form: string; glued: boolean }} Token
 *
 * @typedef {{ words: Word[]; tokens: Token[] }} Tree words from 0, but heads and tokens count from 1
 */

const NAMES =
  "Adam Aisha Alma Amir Andrea Boris Bruno Cara Chloe Cyrus Diana Elias Elif Erik Felix Fiona George Gita Hana Hugo Ines Ivan Jana Jonas Kofi Lara Laura Leila Linus Luis Maja Mehmet Mila Nils Nora Oscar Petra Ravi Rita Robin Sana Simon Stella Theo Ursula Viktor Wanda Yara Zara".split(
    " ",
  );
const EMOJI =
  "😀 😂 🙂 😉 😍 😎 😢 😡 🤔 🙄 😴 🎉 🎁 🔥 ✨ 💯 👍 👎 👏 🙏 💪 👋 ❤️ 💔 ☀️ 🌧️ 🐱 🐶 🍕 ☕ 🚀 👍🏽 👋🏿 🙏🏻 👩‍💻 👨‍👩‍👧 🇩🇪 🇮🇳 🇧🇷".split(
    " ",
  );
/** Names of programs and the like, files, addresses, with their XPOS. */
const TECHNICAL = /** @type {const} */ ([
  [
    "PROPN",
    "NNP",
    "Node.js React.js C++ C# .NET ASP.NET Python GitHub Linux Docker Windows AT&T R&D PostgreSQL iOS H&M R X B Q #launchday #news #goals2030",
  ],
  [
    "PROPN",
    "ADD",
    "https://example.com/x1 http://www.example.org/about.html www.example.net info@example.org @dev_ann @lee22",
  ],
  ["NOUN", "NN", "index.html notes.txt setup.exe photo.jpg data.csv app.py config.json archive.tar.gz"],
]);
const CURRENCIES = "$ € £".split(" ");
const UNITS = "M:million m:million k:thousand K:thousand B:billion".split(" ");
const PRONOUNS = new Set(["he", "she", "him", "her", "me", "us", "them", "you"]);
/** Relations of what may be cut from a clause, and of what a short clause keeps. */
const DROPPED = /^(punct|cc|conj|advcl|parataxis|discourse|mark|vocative|dep|orphan|reparandum|dislocated)\b/;
const KEPT = /^(nsubj|obj|iobj|aux|compound:prt|obl|advmod|cop)\b/;
const LONGEST_PART = 5;
const LONGEST_CLAUSE = 10;
/** Sentences of a document, without those with emoji. */
const LONGEST_DOCUMENT = 9;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" }, share: { type: "string", default: "0.1" } },
});
const [source, out] = positionals;
if (source === undefined || out === undefined) {
  console.error("expected a treebank and a file to write: node packages/model-en/augment.mjs TREEBANK OUT");
  process.exit(2);
}
const random = generator(Number(values.seed));
const one = (/** @type {readonly string[]} */ list) => list[Math.floor(random() * list.length)] ?? "";
const treebank = readFileSync(source, "utf8").trim().split(/\n\n+/).map(readTree);
const known = new Set(["develop", "report"].flatMap(textsOf));

const KINDS = { capitals, small, unmarked, named, clause, pictured, technical, amount };
/**
 * Sums of money are in so few sentences that the same would come too often.
 *
 * @type {Record<string, number>}
 */
const RARE = { amount: 0.3 };
/** @type {{ kind: string; rows: string }[]} */
const written = [];
const add = (/** @type {string} */ kind, /** @type {Tree | undefined} */ tree) => {
  if (tree === undefined || known.has(textOf(tree))) return;
  known.add(textOf(tree));
  // A space follows.
  for (const last of [tree.words.at(-1), tree.tokens.find(({ to }) => to === tree.words.length)]) {
    if (last) last.glued = false;
  }
  const rows = `# sent_id = augmented-${kind}-${written.length + 1}\n# text = ${textOf(tree)}\n${rowsOf(tree)}\n\n`;
  written.push({ kind, rows });
};
for (const [kind, make] of Object.entries(KINDS)) {
  const wanted = written.length + Math.round((RARE[kind] ?? 1) * Number(values.share) * treebank.length);
  // Not every sentence has what a kind needs: others are tried, but not without end.
  for (let tries = 0; tries < 20 * treebank.length && written.length < wanted; tries++) {
    add(kind, make(structuredClone(/** @type {Tree} */ (treebank[Math.floor(random() * treebank.length)]))));
  }
}
const shortOnes = Math.round(5 * Number(values.share) * treebank.length);
for (const words of shortSentences(random, shortOnes, lexiconOf(treebank))) add("short", madeSentence(words));
writeFileSync(out, documents().join(""));
console.error(`${written.length} sentences of ${treebank.length}`);

/** What was made, as documents. */
function documents() {
  const sentences = written.filter(({ kind }) => kind !== "pictured");
  for (let i = sentences.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const item = /** @type {(typeof sentences)[number]} */ (sentences[i]);
    [sentences[i], sentences[j]] = [sentences[j] ?? item, item];
  }
  /** @type {string[][]} */
  const all = [];
  for (let at = 0; at < sentences.length; ) {
    const length = 1 + Math.floor(random() * LONGEST_DOCUMENT);
    all.push(sentences.slice(at, at + length).map(({ rows }) => rows));
    at += length;
  }
  written
    .filter(({ kind }) => kind === "pictured")
    .forEach(({ rows }, i) => {
      all[i % all.length]?.push(rows);
    });
  return all.map((rows) => `# newdoc\n${rows.join("")}`);
}

/** @param {Tree} tree */
function capitals(tree) {
  return recased(tree, (form) => form.toUpperCase());
}

/** @param {Tree} tree */
function small(tree) {
  return recased(tree, (form) => form.toLowerCase());
}

/**
 * @param {Tree} tree
 * @param {(form: string) => string} change
 */
function recased(tree, change) {
  for (const item of [...tree.words, ...tree.tokens]) {
    if (/[@/]|\.\w/.test(item.form)) return undefined;
    item.form = change(item.form);
  }
  return tree;
}

/**
 * Without the mark at its end.
 *
 * @param {Tree} tree
 */
function unmarked(tree) {
  const last = tree.words.at(-1);
  const isLeaf = tree.words.every(({ head }) => head !== tree.words.length);
  if (last?.deprel !== "punct" || !isLeaf || tree.words.length < 3 || tree.words.length > 20) return undefined;
  tree.words.pop();
  const before = tree.words.at(-1);
  return before?.upos === "PUNCT" ? undefined : tree;
}

/**
 * With a name in place of a pronoun or of another name.
 *
 * @param {Tree} tree
 */
function named(tree) {
  const isInToken = (/** @type {number} */ i) => tree.tokens.some(({ from, to }) => i >= from && i <= to);
  const places = tree.words.flatMap((word, i) => {
    const isAlone = !isInToken(i + 1) && tree.words.every(({ head }) => head !== i + 1);
    const isObject = /^(i?obj|nsubj|obl)$/.test(word.deprel) && word.xpos !== "WP";
    const isThird = /^s?he$/i.test(word.form) || (PRONOUNS.has(word.form) && word.deprel !== "nsubj");
    return isAlone && isObject && (isThird || (word.xpos === "NNP" && /^\p{Lu}\p{Ll}+$/u.test(word.form))) ? [i] : [];
  });
  if (places.length === 0 || tree.words.length > 25) return undefined;
  for (const i of places) {
    const name = one(NAMES);
    tree.words[i] = { ...at(tree, i), form: name, lemma: name, upos: "PROPN", xpos: "NNP", feats: "Number=Sing" };
  }
  return tree;
}

/**
 * A clause with subject, verb and what belongs to it, in the present tense mostly.
 *
 * @param {Tree} tree
 */
function clause(tree) {
  const verbs = tree.words.flatMap(({ upos, xpos }, i) =>
    upos === "VERB" && (/^VB[ZP]$/.test(xpos) || (xpos === "VBD" && random() < 0.3)) ? [i] : [],
  );
  const verb = verbs[Math.floor(random() * verbs.length)];
  if (verb === undefined) return undefined;
  const own = tree.words.flatMap((word, i) => (word.head === verb + 1 ? [i] : []));
  const kept = own.filter((i) => KEPT.test(at(tree, i).deprel));
  const isComplete = own.every((i) => KEPT.test(at(tree, i).deprel) || DROPPED.test(at(tree, i).deprel));
  const subject = kept.find((i) => at(tree, i).deprel === "nsubj");
  if (!isComplete || subject === undefined || subject > verb) return undefined;
  const parts = kept
    .map((i) => subtree(tree, i))
    .filter((part) => part.length <= LONGEST_PART || part.includes(subject));
  const chosen = [verb, ...parts.flat()].sort((a, b) => a - b);
  const isOdd = chosen.some((i) => /PronType=(Rel|Int)|^X$/.test(`${at(tree, i).feats}${at(tree, i).upos}`));
  if (isOdd || chosen.length > LONGEST_CLAUSE || chosen.length < 2 || at(tree, chosen[0] ?? 0).upos === "PUNCT")
    return undefined;
  return sentenceOf(tree, chosen, verb);
}

/**
 * The chosen words as a sentence with a full stop.
 *
 * @param {Tree} tree
 * @param {number[]} chosen
 * @param {number} root
 * @returns {Tree | undefined}
 */
function sentenceOf(tree, chosen, root) {
  const numbers = new Map(chosen.map((i, k) => [i + 1, k + 1]));
  const cut = tree.tokens.filter(({ from, to }) => numbers.has(from) || numbers.has(to));
  if (
    cut.some(
      ({ from, to }) => numbers.get(to) === undefined || numbers.get(from) !== (numbers.get(to) ?? 0) - (to - from),
    )
  ) {
    return undefined;
  }
  const words = chosen.map((i, k) => {
    const word = at(tree, i);
    const next = chosen[k + 1];
    const glued = next === undefined || (word.glued && next === i + 1);
    const head = i === root ? 0 : (numbers.get(word.head) ?? 0);
    return { ...word, head, deprel: i === root ? "root" : word.deprel, glued };
  });
  const tokens = cut.map((token) => {
    const to = numbers.get(token.to) ?? 0;
    return { ...token, from: numbers.get(token.from) ?? 0, to, glued: to === words.length || token.glued };
  });
  const [first] = words;
  if (first) first.form = capital(first.form);
  const [token] = tokens;
  if (token?.from === 1) token.form = capital(token.form);
  const stop = {
    form: ".",
    lemma: ".",
    upos: "PUNCT",
    xpos: ".",
    feats: "_",
    head: numbers.get(root + 1) ?? 1,
    deprel: "punct",
    glued: false,
  };
  return { words: [...words, stop], tokens };
}

/**
 * With emoji at the end, or at the beginning.
 *
 * @param {Tree} tree
 */
function pictured(tree) {
  if (tree.words.length > 20) return undefined;
  const root = tree.words.findIndex(({ head }) => head === 0) + 1;
  const word = () => {
    const form = one(EMOJI);
    return { form, lemma: form, upos: "SYM", xpos: "NFP", feats: "_", head: root, deprel: "discourse", glued: false };
  };
  if (random() < 0.15) {
    for (const other of tree.words) if (other.head > 0) other.head++;
    for (const token of tree.tokens) {
      token.from++;
      token.to++;
    }
    return { ...tree, words: [{ ...word(), head: root + 1 }, ...tree.words] };
  }
  const bare = random() < 0.5 ? (unmarked(structuredClone(tree)) ?? tree) : tree;
  const last = bare.words.at(-1);
  const lastToken = bare.tokens.at(-1);
  if (last) last.glued = false;
  if (lastToken?.to === bare.words.length) lastToken.glued = false;
  const more = random() < 0.3 ? [{ ...word(), glued: true }, word()] : [word()];
  return { ...bare, words: [...bare.words, ...more] };
}

/**
 * With the name of a program, a file or an address in place of a name or a noun that stands alone.
 *
 * @param {Tree} tree
 */
function technical(tree) {
  const places = tree.words.flatMap((word, i) => {
    const isAlone =
      tree.words.every(({ head, deprel }) => head !== i + 1 || /^(case|punct|cc|conj)$/.test(deprel)) &&
      !tree.tokens.some(({ from, to }) => i + 1 >= from && i + 1 <= to);
    return isAlone && /^(NNP|NN)$/.test(word.xpos) && /^(i?obj|nsubj|obl|nmod|conj)$/.test(word.deprel) ? [i] : [];
  });
  // Before the full stop half of the time: "We work at AT&T." does not end in an abbreviation.
  const place = random() < 0.5 ? places.at(-1) : places[Math.floor(random() * places.length)];
  if (place === undefined || tree.words.length > 25) return undefined;
  const [upos, xpos, forms] = TECHNICAL[Math.floor(random() * TECHNICAL.length)] ?? TECHNICAL[0];
  const form = one(forms.split(" "));
  tree.words[place] = {
    ...at(tree, place),
    form,
    lemma: form,
    upos,
    xpos,
    feats: xpos === "ADD" ? "_" : "Number=Sing",
  };
  return tree;
}

/**
 * With another sum of money in place of one: "€7.5M", "£300".
 *
 * @param {Tree} tree
 */
function amount(tree) {
  const place = tree.words.findIndex((word, i) => {
    const next = tree.words[i + 1];
    return word.form === "$" && word.glued && next?.deprel === "nummod" && next.head === i + 1 && /^\d/.test(next.form);
  });
  const isJoined = tree.tokens.some(({ to }) => to > place);
  if (place < 0 || isJoined || tree.words.some(({ head }) => head === place + 2)) return undefined;
  const sign = at(tree, place);
  const number = at(tree, place + 1);
  sign.form = one(CURRENCIES);
  sign.lemma = sign.form;
  number.form = random() < 0.5 ? String(1 + Math.floor(random() * 900)) : (random() * 50).toFixed(1);
  number.lemma = number.form;
  if (random() < 0.4) return tree;
  const [unit = "", lemma = ""] = one(UNITS).split(":");
  for (const other of tree.words) if (other.head > place + 2) other.head++;
  const after = { ...number, form: unit, lemma, feats: "Abbr=Yes|NumForm=Word|NumType=Card" };
  tree.words.splice(place + 2, 0, after);
  tree.words[place + 1] = { ...number, head: place + 3, deprel: "compound", glued: true };
  return tree;
}

/**
 * @param {Tree} tree
 * @param {number} i
 * @returns {Word}
 */
function at(tree, i) {
  return /** @type {Word} */ (tree.words[i]);
}

/**
 * A word and all below it, punctuation at its ends left out, in order.
 *
 * @param {Tree} tree
 * @param {number} top
 * @returns {number[]}
 */
function subtree(tree, top) {
  const found = tree.words.flatMap((word, i) =>
    word.head === top + 1 && word.deprel !== "punct" ? subtree(tree, i) : [],
  );
  return [top, ...found].sort((a, b) => a - b);
}

/** @param {string} form */
function capital(form) {
  return form.charAt(0).toUpperCase() + form.slice(1);
}

/**
 * @param {string} block
 * @returns {Tree}
 */
function readTree(block) {
  /** @type {Tree} */
  const tree = { words: [], tokens: [] };
  for (const line of block.split("\n")) {
    const [id = "", form = "", lemma = "", upos = "", xpos = "", feats = "", head = "", deprel = "", , misc = ""] =
      line.split("\t");
    const glued = /(^|\|)SpaceAfter=No/.test(misc);
    const [, from, to] = /^(\d+)-(\d+)$/.exec(id) ?? [];
    if (from !== undefined) tree.tokens.push({ from: Number(from), to: Number(to), form, glued });
    else if (/^\d+$/.test(id)) tree.words.push({ form, lemma, upos, xpos, feats, head: Number(head), deprel, glued });
  }
  return tree;
}

/** @param {Tree} tree */
function textOf({ words, tokens }) {
  let text = "";
  for (let i = 1; i <= words.length; i++) {
    const token = tokens.find(({ from }) => from === i);
    const item = token ?? /** @type {Word} */ (words[i - 1]);
    text += item.form + (item.glued ? "" : " ");
    i = token?.to ?? i;
  }
  return text.trim();
}

/** @param {Tree} tree */
function rowsOf({ words, tokens }) {
  /** @type {string[]} */
  const rows = [];
  let inside = 0;
  words.forEach((word, i) => {
    const token = tokens.find(({ from }) => from === i + 1);
    if (token) {
      rows.push(`${token.from}-${token.to}\t${token.form}\t${"_\t".repeat(7)}${token.glued ? "SpaceAfter=No" : "_"}`);
      inside = token.to;
    }
    const misc = word.glued && i + 1 > inside ? "SpaceAfter=No" : "_";
    const { form, lemma, upos, xpos, feats, head, deprel } = word;
    rows.push([i + 1, form, lemma, upos, xpos, feats, head, deprel, "_", misc].join("\t"));
  });
  return rows.join("\n");
}

/**
 * The texts of a half of the everyday sentences.
 *
 * @param {string} half
 * @returns {string[]}
 */
function textsOf(half) {
  const file = new URL(`../../bench/data/everyday/${half}.conllu`, import.meta.url);
  return existsSync(file)
    ? [...readFileSync(file, "utf8").matchAll(/^# text = (.*)$/gm)].map(([, text = ""]) => text)
    : [];
}

/**
 * mulberry32.
 *
 * @param {number} seed
 */
function generator(seed) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
