// Text that a model annotates for another to learn from: node packages/model-en/silver.mjs TEACHER OUT [WORDS [TEXT]]
// (after npm ci). TEXT is tokenised, a sentence a line, "# doc NAME" before each document, gzipped:
// ../shared/text/en-open.txt.gz if none is given, whose documents are in random order. The first documents, WORDS words
// of them (1,000,000 if not given), become text again, with the line ends kept as the ends of sentences, and are parsed
// by the model TEACHER. The tokens of the text are not used: en_ewt parts words at hyphens, and joins "do" and "n't".
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** A sentence with more tokens is a table or a list of references. */
const LONGEST = 100;
const CLOSING = /^([),.;:!?%\]}”]|\.\.\.|n['’]t|['’](s|S|re|ve|m|ll|d|em))$/;
const OPENING = /^[([{$£€#“‘]$/;
/** Second halves of words that are written as one. */
const HALVES = /^(?:(?:gon|wan) na|got ta|can not)$/i;

/**
 * The text of tokens. Quotation marks that look the same on both sides open and close in turn.
 *
 * @param {readonly string[]} tokens
 */
export function textOf(tokens) {
  let text = "";
  let joined = true;
  /** @type {Set<string>} */
  const open = new Set();
  tokens.forEach((token, i) => {
    const before = tokens[i - 1] ?? "";
    let closes = CLOSING.test(token) || HALVES.test(`${before} ${token}`);
    let opens = OPENING.test(token);
    if (token === '"') {
      opens = !open.delete(token);
      if (opens) open.add(token);
      closes = !opens;
    } else if (token === "'" || token === "’") {
      // A mark after a plural ("the workers ' rights") belongs to it; others are quotation marks.
      closes = /s$/.test(before) || open.delete(token) || token === "’";
      opens = !closes;
      if (opens) open.add(token);
    }
    text += (joined || closes ? "" : " ") + token.replaceAll("\u00a0", " ");
    joined = opens;
  });
  return text;
}

/**
 * The first documents as sentences of text, as many as have so many words.
 *
 * @param {string} text
 * @param {number} most
 */
export function documentsOf(text, most) {
  /** @type {{ name: string; sentences: string[] }[]} */
  const documents = [];
  let words = 0;
  for (const line of text.split("\n")) {
    const [, name] = /^# doc (.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      if (words >= most) break;
      documents.push({ name, sentences: [] });
      continue;
    }
    // "[ 3 ]" is a reference to a note.
    const tokens = line.replace(/(^| )\[ \d+ \]/g, "").split(" ");
    if (tokens[0] === "" || tokens.length > LONGEST) continue;
    words += tokens.length;
    documents.at(-1)?.sentences.push(textOf(tokens));
  }
  return documents;
}

/**
 * Parses the sentences of documents with their scores, into a file.
 *
 * @param {string} model
 * @param {readonly { name: string; sentences: readonly string[] }[]} documents
 * @param {string} out
 */
export function parseInto(model, documents, out) {
  const folder = mkdtempSync(join(dirname(out), "stemma-silver-"));
  try {
    const lines = join(folder, "lines.txt");
    const parsed = join(folder, "parsed.conllu");
    writeFileSync(lines, documents.flatMap(({ sentences }) => sentences.map((sentence) => `${sentence}\n`)).join(""));
    const stemma = fileURLToPath(new URL("../cli/bin/stemma.js", import.meta.url));
    const args = ["parse", "--model", model, "--from", "lines", "--to", "conllu", "--scores", "--threads", "0", lines];
    const output = openSync(parsed, "w");
    const { status } = spawnSync(process.execPath, [stemma, ...args], { stdio: ["ignore", output, "inherit"] });
    closeSync(output);
    if (status !== 0) throw new Error(`stemma ${args.join(" ")}: status ${status}`);
    // A line is a sentence, so that documents can be told by counting.
    const blocks = readFileSync(parsed, "utf8").split("\n\n");
    if (blocks.at(-1) === "") blocks.pop();
    let next = 0;
    const written = documents.flatMap(({ name, sentences }) =>
      sentences.map((_, i) => `${i === 0 ? `# newdoc id = ${name}\n` : ""}${blocks[next++]}\n\n`),
    );
    if (next !== blocks.length) throw new Error(`${lines}: ${next} lines, but ${blocks.length} sentences`);
    const whole = join(folder, "silver.conllu");
    writeFileSync(whole, written.join(""));
    renameSync(whole, out);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [model, out, words = "1000000", text] = process.argv.slice(2);
  if (model === undefined || out === undefined || !/^\d+$/.test(words)) {
    console.error("usage: node packages/model-en/silver.mjs TEACHER OUT [WORDS [TEXT]]");
    process.exit(2);
  }
  const source = text ?? fileURLToPath(new URL("../../../shared/text/en-open.txt.gz", import.meta.url));
  const documents = documentsOf(gunzipSync(readFileSync(source)).toString("utf8"), Number(words));
  parseInto(model, documents, out);
  const count = documents.reduce((sum, { sentences }) => sum + sentences.length, 0);
  console.log(`${out}: ${documents.length} documents, ${count} sentences`);
}
