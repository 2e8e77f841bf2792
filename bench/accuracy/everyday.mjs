// English as people type it: node bench/accuracy/everyday.mjs [options] [MODEL ...] (after npm run build; the models that
// ship if none is given). Scores on the everyday sentences (bench/data/everyday), by half and class, each sentence a
// paragraph of its own: tokens, sentences, UPOS and LAS from raw text, and LAS from gold tokens with tags predicted. Then
// shares: contractions that are split, made-up sentences "X verb Name …" that are cut, emoji that are SYM, and UPOS of the
// sentences of en_ewt's development set with an apostrophe, in each of its forms.
//   --half develop|report (both if not given)  --made-up N (2,800)  --brief (no classes)  --dist FOLDER (another build)
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { madeUpSentences } from "../data/everyday/made-up.mjs";

/** @typedef {import("../../packages/core/dist/index.js").Sentence} Sentence */
/** @typedef {import("../../packages/core/dist/index.js").Pipeline} Pipeline */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: "string" },
    "made-up": { type: "string", default: "2800" },
    brief: { type: "boolean", default: false },
    dist: { type: "string" },
  },
});
const dist = values.dist ? pathToFileURL(`${values.dist}/`) : new URL("../../packages/core/dist/", import.meta.url);
const from = (/** @type {string} */ path) => import(new URL(path, dist).href);
await from("encoder.js");
const { evaluate } = await from("evaluation.js");
const { load, readTreebank } = await from("index.js");

const MODELS = ["model-en/en", "model-en-small/en-small", "model-en-large/en-large"];
const HALVES = values.half === undefined ? ["develop", "report"] : [values.half];
const APOSTROPHES = { straight: "'", "U+2019": "\u2019", "U+02BC": "\u02bc", "U+0060": "`" };
const PARTS =
  "I'm I've I'll I'd you're you've you'll you'd he's he'll he'd she's she'll she'd it's it'll we're we've we'll we'd they're they've they'll they'd that's there's what's who's don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't haven't hasn't hadn't Tom's dog's".split(
    " ",
  );

/** @param {number} share */
const percent = (share) => (100 * share).toFixed(1).padStart(9);
/** @param {readonly string[]} cells */
const row = ([first = "", ...cells]) => console.log(first.padEnd(28) + cells.map((cell) => cell.padStart(9)).join(""));

for (const file of positionals.length > 0 ? positionals : MODELS.map((path) => `packages/${path}.stemma`)) {
  const pipeline = await load(readFileSync(file));
  console.log(`${basename(file)}`);
  row(["", "tokens", "sents", "UPOS", "LAS raw", "LAS gold"]);
  /** @type {[number, number]} */
  const emoji = [0, 0];
  for (const half of HALVES) {
    /** @type {Sentence[]} */
    const gold = readTreebank(readFileSync(new URL(`../data/everyday/${half}.conllu`, import.meta.url)));
    const parsed = gold.map((sentence) => ({ gold: sentence, ...parses(pipeline, sentence) }));
    for (const { gold: sentence, tokens } of parsed) {
      for (let i = 1; i <= sentence.length; i++) {
        if (!/\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(sentence.form(i))) continue;
        emoji[1]++;
        if (tokens.upos(i) === "SYM" && tokens.deprel(i) === "discourse") emoji[0]++;
      }
    }
    const classes = [...new Set(gold.map((sentence) => sentence.comment("class") ?? ""))];
    for (const name of values.brief ? [""] : [...classes, ""]) {
      const chosen = parsed.filter(({ gold: sentence }) => name === "" || sentence.comment("class") === name);
      const of = (/** @type {Sentence[]} */ system) =>
        evaluate(
          chosen.map((sentence) => sentence.gold),
          system,
          { breakdowns: false },
        ).scores;
      const raw = of(chosen.flatMap((sentence) => sentence.raw));
      const tokens = of(chosen.map((sentence) => sentence.tokens));
      row([
        `${half} ${name || "all"} (${chosen.length})`,
        ...[raw.tokens, raw.sentences, raw.upos, raw.las, tokens.las].map(({ f1 }) => percent(f1)),
      ]);
    }
  }
  console.log(`emoji that are SYM and discourse, gold tokens: ${emoji[0]} of ${emoji[1]}`);
  for (const [name, mark] of Object.entries(APOSTROPHES)) {
    const split = PARTS.filter((part) => isSplit(pipeline, part.replace("'", mark)));
    console.log(`contractions that are split, ${name}: ${split.length} of ${PARTS.length}`);
  }
  const madeUp = madeUpSentences(Number(values["made-up"]));
  const cut = madeUp.filter((text) => [...pipeline.parse(text)].length > 1);
  console.log(`made-up sentences that are cut: ${percent(cut.length / madeUp.length).trim()} % of ${madeUp.length}`);
  if (cut.length > 0) console.log(`  such as: ${cut.slice(0, 3).join(" ")}`);
  apostropheTags(pipeline);
}

/**
 * A sentence as the pipeline parses it, from its text and from its tokens.
 *
 * @param {Pipeline} pipeline
 * @param {Sentence} gold
 */
function parses(pipeline, gold) {
  const raw = [...pipeline.parse(gold.text)].map((sentence) => readTreebank(sentence.toConllu())[0]);
  return { raw, tokens: pipeline.annotate(gold, { retag: true }) };
}

/**
 * Whether a contraction becomes two words at the beginning of a sentence and in the middle of one.
 *
 * @param {Pipeline} pipeline
 * @param {string} form
 */
function isSplit(pipeline, form) {
  return [`${form[0]?.toUpperCase()}${form.slice(1)} here.`, `Now ${form} here.`].every((text) =>
    [...pipeline.parse(text)].some((sentence) =>
      sentence.multiWordTokens.some((token) => token.form.toLowerCase() === form.toLowerCase()),
    ),
  );
}

/**
 * UPOS of the sentences with an apostrophe, from gold tokens.
 *
 * @param {Pipeline} pipeline
 */
function apostropheTags(pipeline) {
  const dev = new URL("../../../shared/treebanks/en_ewt-ud-dev.conllu", import.meta.url);
  if (!existsSync(dev)) return console.log("en_ewt: skipped: ../shared/treebanks does not have it");
  /** @type {Sentence[]} */
  const gold = readTreebank(readFileSync(dev), { allowNonTrees: true });
  const chosen = gold.filter((sentence) => sentence.multiWordTokens.some(({ form }) => /\p{L}'\p{L}/u.test(form)));
  for (const [name, mark] of Object.entries(APOSTROPHES)) {
    let right = 0;
    let words = 0;
    for (const sentence of chosen) {
      const copy = sentence.copy();
      for (let i = 1; i <= copy.length; i++) copy.set("form", i, copy.form(i).replace(/(?<=^|\p{L})'(?=\p{L})/u, mark));
      const tagged = pipeline.annotate(copy, { retag: true, parse: false });
      for (let i = 1; i <= copy.length; i++) if (tagged.upos(i) === sentence.upos(i)) right++;
      words += copy.length;
    }
    console.log(
      `UPOS of ${chosen.length} sentences of en_ewt with contractions, ${name}: ${percent(right / words).trim()}`,
    );
  }
}
