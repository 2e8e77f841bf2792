// Level 1: lines, columns and IDs, whatever they say.

import { at, COLUMNS, FORM, ID, LEMMA, MISC, Row, type Rows } from "./rows/rows.js";
import { isSpaceAt, REPEATED_SPACE, WHITE_SPACE } from "./rows/white-space.js";
import type { Report } from "./violation.js";

const WORD = /^[1-9][0-9]*$/;
const TOKEN = /^[1-9][0-9]*-[1-9][0-9]*$/;
const EMPTY_NODE = /^[0-9]+\.[1-9][0-9]*$/;

// Where the columns of the rows begin; reused by every call, and grown to the longest sentence.
let places = new Int32Array(1 << 12);

const [TAB, NEWLINE, SPACE, HASH, ZERO, NINE] = [9, 10, 32, 35, 48, 57];

/** White space above ASCII: two characters with only controls between them, and those from Ogham on. */
const [NEXT_LINE, NO_BREAK_SPACE, FURTHER_SPACES] = [0x85, 0xa0, 0x1680];

/**
 * The lines of a block of text, sorted and checked; undefined if what follows could say nothing sensible about them.
 * `line` is the number of its first line. The rows are good until the next call.
 */
export function readRows(text: string, line: number, report: Report): Rows | undefined {
  const comments: { text: string; line: number }[] = [];
  const rows: Row[] = [];
  const words: Row[] = [];
  const { length } = text;
  if (places.length < length + 2) places = new Int32Array(2 * length + 2);
  let kept = 0;
  // A line in the wrong place does not hinder the rest; lines without a meaning do.
  let isReadable = true;
  let mayHaveSpaces = false;
  let blank = 0;
  let number = line;
  for (let start = 0; start < length; number++) {
    const first = text.charCodeAt(start);
    if (first >= ZERO && first <= NINE) {
      const from = kept;
      places[kept++] = start;
      let k = start + 1;
      for (let code = 0; k < length; k++) {
        code = text.charCodeAt(k);
        if (code === TAB) {
          if (k + 1 - places[kept - 1]! === 1) mayHaveSpaces = true;
          places[kept++] = k + 1;
        } else if (code === NEWLINE) break;
        else if (code <= SPACE || (code >= NEXT_LINE && (code <= NO_BREAK_SPACE || code >= FURTHER_SPACES))) {
          mayHaveSpaces = true;
        }
      }
      if (k === places[kept - 1]) mayHaveSpaces = true;
      const columns = kept - from;
      places[kept++] = k + 1;
      start = k + 1;
      if (columns !== 10) {
        const message = `The line has ${columns} columns (expected 10, separated by tabs).`;
        report("number-of-columns", { line: number }, message);
        isReadable = false;
        continue;
      }
      const row = rowAt(text, from, number);
      if (row === undefined) {
        const id = text.slice(places[from], places[from + 1]! - 1);
        report("invalid-word-id", { line: number, column: 1 }, `${id} is no ID (expected 3, 3-4 or 3.1, say).`);
        isReadable = false;
        continue;
      }
      rows.push(row);
      if (row.kind === "word") words.push(row);
      continue;
    }
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? length : newline;
    const own = text.slice(start, end);
    start = end + 1;
    if (first === HASH) {
      if (rows.length > 0)
        report("misplaced-comment", { line: number }, "A comment stands before the words of a sentence.");
      else comments.push({ text: own, line: number });
    } else if (own.trim() === "") {
      if (own !== "") report("pseudo-empty-line", { line: number }, "The line has white space only, and is not empty.");
      if (start < length) {
        report("extra-empty-line", { line: number }, "One empty line follows a sentence, and none stands elsewhere.");
      } else blank++;
    } else {
      report("invalid-line", { line: number }, "A line begins with a digit or with #.");
      isReadable = false;
    }
  }
  const last = { line: Math.max(line, number - 1) };
  if (rows.length === 0 && isReadable) report("empty-sentence", last, "There are no words before the end.");
  else if (blank === 0 || !text.endsWith("\n")) {
    report("missing-empty-line", last, "No empty line follows the sentence.");
  }
  if (rows.length === 0) return undefined;
  checkCharacters(text, line, mayHaveSpaces || !isReadable, report);
  if (!isReadable) return undefined;
  return checkIds(rows, words, report) ? { comments, rows, words } : undefined;
}

/** The row whose columns are in places from `from` on; undefined if its ID is none. */
function rowAt(text: string, from: number, line: number): Row | undefined {
  const end = places[from + 1]! - 1;
  let number = 0;
  let k = places[from]!;
  if (text.charCodeAt(k) !== ZERO) {
    for (; k < end; k++) {
      const code = text.charCodeAt(k);
      if (code < ZERO || code > NINE) break;
      number = 10 * number + code - ZERO;
    }
  }
  if (k === end) return new Row(text, places, from, line, "word", number);
  const id = text.slice(places[from], end);
  const kind = TOKEN.test(id) ? "token" : EMPTY_NODE.test(id) ? "empty" : undefined;
  return kind && new Row(text, places, from, line, kind, 0);
}

/** Whether `text` may have characters that are not normalized. */
const COMBINED = /[\u0300-\uffff]/;
/** Decoders put it in place of bytes that are no UTF-8. */
const REPLACEMENT = "\ufffd";

function checkCharacters(text: string, line: number, mayHaveSpaces: boolean, report: Report): void {
  const isNormal = !COMBINED.test(text) || text.normalize("NFC") === text;
  const isWhole = !text.includes(REPLACEMENT);
  if (isNormal && isWhole && !mayHaveSpaces) return;
  text.split("\n").forEach((own, k) => {
    const columns = own.startsWith("#") ? [own] : own.split("\t");
    columns.forEach((value, column) => {
      const number = columns.length === 1 ? 0 : column + 1;
      const word = number > 0 && WORD.test(columns[ID]!) ? Number(columns[ID]) : 0;
      const place = { line: line + k, column: number, word };
      if (!isNormal && value.normalize("NFC") !== value) {
        report("unicode-normalization", place, `${value} is not normalized (expected NFC: ${value.normalize("NFC")}).`);
      }
      if (!isWhole && value.includes(REPLACEMENT)) {
        report("invalid-utf", place, `${value} has U+FFFD, which stands for bytes that were not UTF-8.`);
      }
      if (columns.length === 10)
        checkSpaces(value, column, columns[ID]!, (rule, message) => report(rule, place, message));
    });
  });
}

type Rule = Parameters<Report>[0];

function checkSpaces(value: string, column: number, id: string, tell: (rule: Rule, message: string) => void): void {
  const name = COLUMNS[column]!;
  const written = JSON.stringify(value);
  if (value === "") tell("empty-column", `${name} is empty (expected _).`);
  const isName = column === FORM || column === LEMMA;
  const isToken = isName && id.includes("-");
  const mayHave = column === MISC || (isName && !isToken);
  if (!mayHave && WHITE_SPACE.test(value)) {
    tell(isToken ? "invalid-whitespace-mwt" : "invalid-whitespace", `${name} has white space: ${written}.`);
    return;
  }
  if (isSpaceAt(value, 0)) tell("leading-whitespace", `${name} begins with white space: ${written}.`);
  if (isSpaceAt(value, value.length - 1)) tell("trailing-whitespace", `${name} ends with white space: ${written}.`);
  if (REPEATED_SPACE.test(value)) tell("repeated-whitespace", `${name} has white space twice: ${written}.`);
}

/** Words are numbered from 1; tokens precede their words; empty nodes follow the word that they are numbered after. */
function checkIds(rows: readonly Row[], words: readonly Row[], report: Report): boolean {
  let isRight = true;
  const wrong = (rule: Rule, row: Row, message: string) => {
    report(rule, at(row, ID), message);
    isRight = false;
  };
  const i = words.findIndex((row, i) => row.number !== i + 1);
  if (i >= 0) {
    wrong("word-id-sequence", words[i]!, `The word is number ${i + 1}, but its ID is ${words[i]!.columns[ID]}.`);
  }
  if (rows.length === words.length) return isRight;
  let word = 0;
  let empty = 0;
  let token: readonly [from: number, to: number] = [0, 0];
  for (const row of rows) {
    const id = row.kind === "word" ? "" : row.column(ID);
    if (row.kind === "word") {
      word = row.number;
      empty = 0;
    } else if (row.kind === "token") {
      const [from, to] = id.split("-").map(Number) as [number, number];
      if (to < from) wrong("reversed-word-interval", row, `The token ${id} ends before it begins.`);
      else if (from <= token[1])
        wrong("overlapping-word-intervals", row, `The token ${id} shares words with ${token.join("-")}.`);
      else if (from !== word + 1)
        wrong("misplaced-word-interval", row, `The token ${id} stands before its first word.`);
      else if (to > words.length)
        wrong("word-interval-out", row, `The token ${id} ends after the last word, ${words.length}.`);
      token = [from, to];
      empty = 0;
    } else {
      empty++;
      const expected = `${word}.${empty}`;
      if (id !== expected || token[0] > word) {
        wrong(
          "misplaced-empty-node",
          row,
          `The empty node ${id} stands in a wrong place (expected ${expected}, before a token).`,
        );
      }
    }
  }
  return isRight;
}
