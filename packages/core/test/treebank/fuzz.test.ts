import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TreebankError } from "../../src/treebank/errors.js";
import { formatSentence } from "../../src/treebank/formats/format-sentence.js";
import { FORMATS, readTreebank, TreebankReader } from "../../src/treebank/formats/reader.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { EXHAUSTIVE } from "../systems/exhaustive.js";

/** The seed is another one in every run. */
const MUTATIONS = EXHAUSTIVE ? 100_000 : 40_000;
const seed = Number(process.env.STEMMA_SEED) || 1 + (Date.now() % 1e9);

const MADE_UP = `# sent_id = 1
# text = Öl isn't cheap.
1	Öl	Öl	NOUN	NN	Number=Sing	4	nsubj	4:nsubj	_
2-3	isn't	_	_	_	_	_	_	_	_
2	is	be	AUX	VBZ	_	4	cop	4:cop	_
3	n't	not	PART	RB	_	4	advmod	4:advmod	_
3.1	very	very	ADV	RB	_	_	_	4:advmod	_
4	cheap	cheap	ADJ	JJ	Degree=Pos	0	root	0:root	SpaceAfter=No
5	.	.	PUNCT	.	_	4	punct	4:punct	_

`;

let state = seed;
/** A whole number from 0 to n - 1 (xorshift32). */
function random(n: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % n;
}
const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;

/** Sentences of up to 2,000 bytes, from each treebank that is there. */
function samples(): Uint8Array[] {
  const encoder = new TextEncoder();
  const folder = new URL("../../../../../shared/treebanks/", import.meta.url);
  const texts = [MADE_UP];
  if (existsSync(folder)) {
    for (const name of readdirSync(folder).filter((file) => file.endsWith("-dev.conllu"))) {
      const sentences = readFileSync(new URL(name, folder), "utf8")
        .split("\n\n")
        .filter((text) => text.length < 2000);
      for (let i = 0; i < 100; i++) texts.push(`${pick(sentences)}\n\n`);
    }
  } else {
    console.log("the mutations start from a made-up sentence: ../shared/treebanks is not there");
  }
  return texts.map((text) => encoder.encode(text));
}

const PIECES = [
  "\t",
  "\n",
  "\r",
  "\r\n",
  " ",
  "#",
  "_",
  "-",
  ".",
  "0",
  "1",
  "2",
  "99999999999",
  "\n\n",
  "\ufeff",
  "\0",
  "é",
  "|",
]
  .map((text) => new TextEncoder().encode(text))
  .concat([0xc3, 0xff, 0x80, 0xed].map((byte) => Uint8Array.of(byte)));

function splice(bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length - removed + added.length);
  result.set(bytes.subarray(0, at));
  result.set(added, at);
  result.set(bytes.subarray(at + removed), at + added.length);
  return result;
}

function mutate(bytes: Uint8Array): Uint8Array {
  const at = random(bytes.length);
  const lineStart = bytes.lastIndexOf(10, at) + 1;
  const lineLength = bytes.indexOf(10, at) + 1 - lineStart;
  const line = bytes.subarray(lineStart, lineStart + Math.max(0, lineLength));
  switch (random(7)) {
    case 0:
      return splice(bytes, at, 1, new Uint8Array(0));
    case 1:
      return splice(bytes, at, 0, pick(PIECES));
    case 2:
      return splice(bytes, at, 1, pick(PIECES));
    case 3:
      return splice(bytes, lineStart, line.length, new Uint8Array(0));
    case 4:
      return splice(bytes, lineStart, 0, line);
    case 5: {
      // A column of one place goes to another: numbers into HEAD, words into ID.
      const end = bytes.indexOf(9, at);
      const other = random(bytes.length);
      const otherEnd = bytes.indexOf(9, other);
      if (end < 0 || otherEnd < 0) return bytes.subarray(0, at);
      return splice(bytes, at, end - at, bytes.subarray(other, otherEnd));
    }
    default:
      return splice(bytes, at, 1, Uint8Array.of(random(256)));
  }
}

function check(bytes: Uint8Array): { read: number; errors: number } {
  const reader = new TreebankReader({ source: "fuzz.conllu" });
  const cut = random(bytes.length + 1);
  const results = [...reader.push(bytes.subarray(0, cut)), ...reader.push(bytes.subarray(cut)), ...reader.end()];
  let lines = 1;
  for (const byte of bytes) if (byte === 10) lines++;
  let errors = 0;
  for (const result of results) {
    if (result instanceof Sentence) continue;
    errors++;
    const { message, source, line, column, value, expected } = result;
    const located = line >= 1 && line <= lines && (column === undefined || column >= 1);
    const place = column === undefined ? `${source}:${line}: ` : `${source}:${line}:${column}: `;
    const whole = source === "fuzz.conllu" && typeof value === "string" && expected !== "" && message.startsWith(place);
    if (!located || !whole || !(result instanceof TreebankError)) throw new Error(`not located: ${message}`);
  }
  if (errors === 0) {
    // Nothing was skipped, so everything must be there.
    const written = new TextEncoder().encode(results.join("") + reader.trailer);
    if (Buffer.compare(written, bytes) !== 0) throw new Error("not the same bytes");
  }
  for (const sentence of results) {
    if (!(sentence instanceof Sentence)) continue;
    const raw = sentence.toString();
    const [again] = readTreebank(raw);
    if (again!.toString() !== raw || again!.length !== sentence.length)
      throw new Error(`not the same sentence: ${raw}`);
    for (let i = 1; i <= sentence.length; i++) {
      sentence.setHead(i, sentence.heads[i]!);
      sentence.set("misc", i, sentence.misc(i).replace(/\r/g, ""));
    }
    if (!raw.includes("\r") && sentence.toString() !== raw) throw new Error(`not the same when set: ${raw}`);
  }
  return { read: results.length - errors, errors };
}

test(`${MUTATIONS} mutations (STEMMA_SEED=${seed})`, () => {
  console.log(`fuzz: STEMMA_SEED=${seed}`);
  const start = process.cpuUsage();
  const texts = samples();
  let read = 0;
  let errors = 0;
  for (let i = 0; i < MUTATIONS; i++) {
    let bytes = pick(texts);
    for (let times = random(3); times >= 0 && bytes.length > 0; times--) bytes = mutate(bytes);
    try {
      const counts = check(bytes);
      read += counts.read;
      errors += counts.errors;
    } catch (error) {
      throw new Error(`mutation ${i}, STEMMA_SEED=${seed}, ${JSON.stringify(new TextDecoder().decode(bytes))}`, {
        cause: error,
      });
    }
  }
  console.log(`fuzz: ${read} sentences read, ${errors} errors`);
  expect(Math.min(read, errors)).toBeGreaterThan(MUTATIONS / 10);
  // Of the processor: on a busy machine the clock says nothing.
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(40);
});

test(`mutations of the other formats (STEMMA_SEED=${seed})`, () => {
  const [sentence] = readTreebank(MADE_UP);
  for (const format of FORMATS) {
    const text = new TextEncoder().encode(formatSentence(sentence!, format));
    for (let i = 0; i < 5000; i++) {
      const bytes = mutate(text);
      const reader = new TreebankReader({ format, source: "fuzz" });
      for (const result of [...reader.push(bytes), ...reader.end()]) {
        // Compared by hand: a hundred thousand calls of expect() take seconds.
        if (result instanceof TreebankError) {
          const isWhole = /^fuzz:[1-9]\d*(:[1-9]\d*)?: invalid .+\(expected .+\)$/s.test(result.message);
          if (!isWhole) expect.fail(`${format}: ${result.message}`);
        } else
          for (const to of FORMATS) if (formatSentence(result, to) === "") expect.fail(`${format} as ${to}: nothing`);
      }
    }
  }
});
