// Damaged CoNLL-U, JSON and text, a million by default, in a process that is watched (watched.mjs):
//   node bench/reliability/fuzz-inputs.mjs [--runs 1000000] [--from 0] [--seed 1]
// (after npm run build). Nothing may crash, hang or be accepted in silence although it is invalid: what CoNLL-U is, is
// decided by a second, simple reader here, and what JSON is, by docs/sentence.schema.json. Of a text no character may
// be lost, and each of its sentences must be a tree.
import { readFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { load, readTreebank, Sentence } from "@stemma/core";
import { formatSentence, TreebankError, TreebankReader } from "@stemma/core/treebank";
import { damaged, Numbers } from "./mutations.mjs";
import { runWatched } from "./watched.mjs";

const RUNS = 1_000_000;
/** Of a hundred cases so many are CoNLL-U, so many JSON; the others are text, which takes longest. */
const CONLLU = 60;
const JSON_LINES = 30;

const SAMPLE = `# sent_id = 1
# text = Öl isn't cheap.
1	Öl	Öl	NOUN	NN	Number=Sing	4	nsubj	4:nsubj	_
2-3	isn't	_	_	_	_	_	_	_	_
2	is	be	AUX	VBZ	_	4	cop	4:cop	_
3	n't	not	PART	RB	_	4	advmod	4:advmod	_
3.1	very	very	ADV	RB	_	_	_	4:advmod	_
4	cheap	cheap	ADJ	JJ	Degree=Pos	0	root	0:root	SpaceAfter=No
5	.	.	PUNCT	.	_	4	punct	4:punct	_

1	Nobody	nobody	PRON	NN	_	2	nsubj	_	_
2	knew	know	VERB	VBD	_	0	root	_	TokenRange=20:24|Score=0.5
3	why	why	ADV	WRB	_	2	advmod	_	SpaceAfter=No
4	.	.	PUNCT	.	_	2	punct	_	_

`;
const TEXT = `The old mill wheel turns slowly in the spring. She can't see him — “why?” he asked.

Mr. O'Neill's e-mail (http://example.org/a?b=c) cost $3.50…\tNobody knew why! 👩‍👩‍👧 日本語 naïve Ωμέγα

* a list - of 1,000 things; etc.`;

const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
const CONLLU_PIECES = [
  ...["\t", "\n", "\r", "\r\n", " ", "#", "_", "-", ".", "0", "1", "2", "01", "-1", "1e3", "99999999999", "2147483648"],
  ...["\n\n", "\ufeff", "\0", "é", "|", "=", ":", "1-2", "0.1", "1.1", "__proto__", "\u2028", "3-3", "5-9"],
].map(bytes);
const BROKEN_UTF8 = [0xc3, 0xff, 0x80, 0xed].map((byte) => Uint8Array.of(byte));
const JSON_PIECES = [
  ...[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "null",
    "true",
    "-1",
    "0",
    "1.5",
    "1e999",
    "99999999999",
    '""',
    '"_"',
    "{}",
    "[]",
  ],
  ...[
    '"\\t"',
    '"\\n"',
    '"\\ud800"',
    "\\u0000",
    '"1.1"',
    '"id"',
    '"head"',
    '"__proto__"',
    '"words"',
    "\n",
    "\ufeff",
    "[[[[",
  ],
].map(bytes);
const TEXT_PIECES = [
  ...[
    "\n",
    "\n\n",
    "\r",
    "\t",
    " ",
    "\u00a0",
    "\u2028",
    "\u0000",
    "\u200b",
    "\ufeff",
    "\u0301",
    "👩‍👩‍👧",
    "\u202e",
    ".",
    "...",
    "’",
    '"',
  ],
  ...[
    "#",
    "1\t",
    "_",
    "'s",
    "n't",
    "http://",
    "@",
    "\u3002",
    "مرحبا",
    "ﬁ",
    "a".repeat(300),
    "- ".repeat(50),
    "\ue000",
    "\uffff",
  ],
].map(bytes);

/** @param {number} seed */
export async function prepare(seed) {
  const conllu = SAMPLE.split(/(?<=\n\n)/).flatMap((sentence) => [bytes(sentence), bytes(SAMPLE)]);
  const json = readTreebank(SAMPLE).map((sentence) => bytes(formatSentence(sentence, "json")));
  json.push(
    bytes(
      `{"sentences":[${readTreebank(SAMPLE)
        .map((sentence) => JSON.stringify(sentence))
        .join(",")}]}\n`,
    ),
  );
  const pipeline = await load(new URL("../../packages/model-en/en.stemma", import.meta.url));
  const text = TEXT.split(/(?<=[.!]) /).map(bytes);
  const schema = JSON.parse(readFileSync(new URL("../../docs/sentence.schema.json", import.meta.url), "utf8"));
  // A comment may leave out its "#" when it is read.
  delete schema.properties.comments.items.pattern;
  return (/** @type {number} */ index) => {
    const random = new Numbers(seed, index);
    const kind = index % 100;
    /** @type {(samples: Uint8Array[], pieces: Uint8Array[], separators: RegExp) => Uint8Array} */
    const make = (samples, pieces, separators) => {
      let made = random.pick(samples);
      for (let times = random.below(3); times >= 0; times--) made = damaged(made, random, pieces, separators);
      return made;
    };
    if (kind < CONLLU) return checkConllu(make(conllu, [...CONLLU_PIECES, ...BROKEN_UTF8], /[\t\n]/), random);
    if (kind < CONLLU + JSON_LINES) return checkJson(make(json, [...JSON_PIECES, ...BROKEN_UTF8], /[,:{}[\]]/), schema);
    return checkText(make(text, TEXT_PIECES, /[ .\n]/), pipeline, random);
  };
}

/** @param {Uint8Array} input @param {Numbers} random */
function checkConllu(input, random) {
  const reader = new TreebankReader({ source: "fuzz" });
  const cut = random.below(input.length + 1);
  const results = [...reader.push(input.subarray(0, cut)), ...reader.push(input.subarray(cut)), ...reader.end()];
  const found = results.map((result) => result instanceof Sentence);
  const expected = conlluBlocks(input).map(isConllu);
  if (String(found) !== String(expected)) fail(`sentences are ${found}, not ${expected}`, input);
  for (const result of results) if (result instanceof TreebankError) checkMessage(result, input);
  if (found.includes(false)) return "CoNLL-U: refused with its place";
  const written = results.join("") + reader.trailer;
  if (!Buffer.from(written).equals(Buffer.from(input))) fail("other bytes than were read", input);
  return "CoNLL-U: valid, and the same bytes again";
}

/** @param {Uint8Array} input @param {any} schema */
function checkJson(input, schema) {
  const reader = new TreebankReader({ source: "fuzz", format: "json" });
  const results = [...reader.push(input), ...reader.end()];
  /** @type {unknown[]} */
  const objects = [];
  const lines = Buffer.from(input)
    .toString("latin1")
    .split("\n")
    .filter((line) => line.trim() !== "" && line.trim() !== "ï»¿");
  for (const line of lines) {
    const value = parsedLine(Buffer.from(line, "latin1"));
    if (Array.isArray(value?.sentences) && value.words === undefined) objects.push(...value.sentences);
    else objects.push(value);
  }
  if (objects.length !== results.length) fail(`${results.length} results for ${objects.length} objects`, input);
  results.forEach((result, i) => {
    if (result instanceof TreebankError) {
      checkMessage(result, input);
      return;
    }
    const object = objects[i];
    const problem = object === undefined ? "not JSON" : schemaProblem(object, schema, schema);
    if (problem !== undefined) fail(`accepted in silence: ${problem}`, input);
    const [again] = readTreebank(formatSentence(result, "json"), { format: "json" });
    if (formatSentence(/** @type {Sentence} */ (again), "conllu") !== formatSentence(result, "conllu"))
      fail("another sentence when written", input);
    if (!isConllu(Buffer.from(formatSentence(result, "conllu")))) fail("not CoNLL-U when written", input);
    const { words } = /** @type {any} */ (object);
    words.forEach((/** @type {any} */ word, /** @type {number} */ at) => {
      if ((word.head ?? -1) !== result.heads[at + 1]) fail(`head ${word.head} became ${result.heads[at + 1]}`, input);
    });
  });
  return results.some((result) => result instanceof TreebankError)
    ? "JSON: refused with its place"
    : "JSON: valid, and the same sentences again";
}

/** @param {Buffer} line */
function parsedLine(line) {
  try {
    return JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line).replace(/^\s*\ufeff/, ""),
    );
  } catch {
    return undefined;
  }
}

/** @param {Uint8Array} input @param {import("@stemma/core").Pipeline} pipeline @param {Numbers} random */
function checkText(input, pipeline, random) {
  // Half of a pair of UTF-16 can be in a string, though not in a file.
  const text = new TextDecoder().decode(input) + (random.below(20) === 0 ? "\ud800" : "");
  const kind = random.pick(/** @type {const} */ (["text", "text", "lines", "tokens"]));
  let at = 0;
  for (const sentence of pipeline.parse(text, { input: kind, scores: random.below(2) === 0 })) {
    for (const { start, end } of sentence.tokens) {
      if (!/^\s*$/u.test(visible(text.slice(at, start)))) fail(`lost: ${JSON.stringify(text.slice(at, start))}`, input);
      if (start < at || end <= start) fail(`a token from ${start} to ${end} after ${at}`, input);
      at = end;
    }
    const written = formatSentence(sentence, "conllu");
    if (!isConllu(Buffer.from(written))) fail(`not CoNLL-U: ${written}`, input);
    if (sentence.heads.filter((head) => head === 0).length !== 1) fail(`not one root: ${sentence.heads}`, input);
    const [again] = readTreebank(formatSentence(sentence, "json"), { format: "json", requireTree: true });
    if (again?.length !== sentence.length) fail("another sentence as JSON", input);
  }
  if (!/^\s*$/u.test(visible(text.slice(at)))) fail(`lost at the end: ${JSON.stringify(text.slice(at))}`, input);
  return `text as ${kind}: trees, and no character lost`;
}

/**
 * Without the characters that stand for nothing, which are left out where there is nothing else. @param {string} text
 */
function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "");
}

/** The lines of each sentence. @param {Uint8Array} input */
function conlluBlocks(input) {
  const lines = Buffer.from(input)
    .toString("latin1")
    .split(/(?<=\n)/);
  /** @type {Buffer[]} */
  const blocks = [];
  let [block, hasWords] = ["", false];
  lines.forEach((line, i) => {
    block += line;
    const inside = (i === 0 ? line.replace("ï»¿", "") : line).replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
    if (inside !== "" && !inside.startsWith("#")) hasWords = true;
    if (inside !== "" || !hasWords) return;
    blocks.push(Buffer.from(block, "latin1"));
    [block, hasWords] = ["", false];
  });
  if (hasWords) blocks.push(Buffer.from(block, "latin1"));
  // The rest has no words, but has to be text.
  else if (block !== "" && decoded(Buffer.from(block, "latin1")) === undefined)
    blocks.push(Buffer.from(block, "latin1"));
  return blocks;
}

/** @param {Buffer} block */
function decoded(block) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(block);
  } catch {
    return undefined;
  }
}

/** The definition of CoNLL-U once more, as plainly as can be. @param {Buffer} block */
function isConllu(block) {
  const text = decoded(block)?.replace(/^\ufeff/, "");
  if (text === undefined) return false;
  const rows = text
    .split("\n")
    .filter((line) => !line.startsWith("#") && line.replace(/[ \t\r]/g, "") !== "")
    .map((line) => line.replace(/\r$/, "").split("\t"));
  if (rows.some((row) => row.length !== 10 || row.includes(""))) return false;
  const ids = rows.map((row) => /** @type {string} */ (row[0]));
  const words = rows.filter(([id]) => /^[1-9]\d*$/.test(/** @type {string} */ (id)));
  if (words.length === 0) return false;
  // The order of the ids follows from which multiword tokens and empty nodes there are.
  let [word, empty, covered] = [0, 0, 0];
  for (const id of ids) {
    const [, from, to] = /^(\d+)-(\d+)$/.exec(id) ?? [];
    if (id === String(word + 1)) [word, empty] = [word + 1, 0];
    else if (id === `${word}.${empty + 1}`) empty++;
    else if (from === String(word + 1) && to === String(Number(to)) && covered <= word && Number(to) >= word + 1) {
      covered = Number(to);
    } else return false;
  }
  if (covered > word) return false;
  const heads = words.map((row) => /** @type {string} */ (row[6]));
  if (
    heads.some((head) => head !== "_" && (head !== String(Number(head)) || !/^\d+$/.test(head) || Number(head) > word))
  )
    return false;
  if (!heads.includes("0") && !heads.includes("_")) return false;
  return heads.every((_, i) => {
    let at = i + 1;
    for (let steps = 0; steps <= word; steps++) {
      const head = heads[at - 1];
      if (head === "0" || head === "_") return true;
      at = Number(head);
    }
    return false;
  });
}

/**
 * Why a value does not follow a schema, for the words of JSON Schema that the schema uses; fields may be missing.
 * @param {any} value @param {any} schema @param {any} root @returns {string | undefined}
 */
function schemaProblem(value, schema, root) {
  if (schema.$ref) return schemaProblem(value, root.$defs[schema.$ref.split("/").at(-1)], root);
  if (schema.anyOf) {
    const problems = schema.anyOf.map((/** @type {any} */ one) => schemaProblem(value, one, root));
    return problems.includes(undefined) ? undefined : problems.join(" and ");
  }
  const shown = JSON.stringify(value)?.slice(0, 80);
  if (schema.const !== undefined && value !== schema.const) return `${shown} is not ${schema.const}`;
  const type =
    value === null ? "null" : Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;
  if (schema.type && type !== schema.type && !(schema.type === "number" && type === "integer"))
    return `${shown} is not ${schema.type}`;
  if (value < schema.minimum || value > schema.maximum) return `${shown} is out of range`;
  if (schema.pattern && !new RegExp(schema.pattern).test(value)) return `${shown} is not ${schema.pattern}`;
  if (type === "array") return first(value, (item) => schema.items && schemaProblem(item, schema.items, root));
  if (type !== "object") return undefined;
  return first(Object.entries(value), ([name, item]) => {
    // Null is as good as nothing.
    if (item === null) return undefined;
    const own =
      schema.properties && Object.hasOwn(schema.properties, name)
        ? schema.properties[name]
        : schema.additionalProperties;
    const problem =
      (schema.propertyNames && schemaProblem(name, schema.propertyNames, root)) ??
      (own && schemaProblem(item, own, root));
    return problem && `${name}: ${problem}`;
  });
}

/** @template T @param {T[]} items @param {(item: T) => string | undefined} problem */
function first(items, problem) {
  for (const item of items) {
    const found = problem(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param {TreebankError} error @param {Uint8Array} input */
function checkMessage({ message, line }, input) {
  let lines = 1;
  for (const byte of input) if (byte === 10) lines++;
  if (!/^fuzz:[1-9]\d*(:[1-9]\d*)?: invalid .+\(expected .+\)$/s.test(message) || line > lines)
    fail(`message: ${message}`, input);
}

/** @param {string} what @param {Uint8Array} input @returns {never} */
function fail(what, input) {
  throw new Error(`${what}\n${JSON.stringify(Buffer.from(input).toString("latin1"))}`);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  await runWatched({ module: import.meta.url, runs: RUNS, batch: 1000, seconds: 2, megabytes: 600 });
}
