// Level 1: lines, columns and IDs, whatever they say.

import { at, COLUMNS, FORM, ID, LEMMA, MISC, type Row, type Rows } from "./rows.js";
import type { Report } from "./violation.js";

const WORD = /^[1-9][0-9]*$/;
const TOKEN = /^[1-9][0-9]*-[1-9][0-9]*$/;
const EMPTY_NODE = /^[0-9]+\.[1-9][0-9]*$/;

/**
 * The lines of a block of text, sorted and checked; undefined if what follows could say nothing sensible about them.
 * `line` is the number of its first line.
 */
export function readRows(text: string, line: number, report: Report): Rows | undefined {
  const lines = text.split("\n");
  const isEnded = lines.at(-1) === "";
  if (isEnded) lines.pop();
  const comments: { text: string; line: number }[] = [];
  const rows: Row[] = [];
  const words: Row[] = [];
  // A line in the wrong place does not hinder the rest; lines without a meaning do.
  let isReadable = true;
  let blank = 0;
  for (let k = 0; k < lines.length; k++) {
    const place = { line: line + k };
    const own = lines[k]!;
    const first = own.charCodeAt(0);
    if (first >= 48 && first <= 57) {
      const columns = own.split("\t");
      if (columns.length !== 10) {
        report("number-of-columns", place, `The line has ${columns.length} columns (expected 10, separated by tabs).`);
        isReadable = false;
        continue;
      }
      const id = columns[ID]!;
      const kind = WORD.test(id) ? "word" : TOKEN.test(id) ? "token" : EMPTY_NODE.test(id) ? "empty" : undefined;
      if (kind === undefined) {
        report("invalid-word-id", { ...place, column: 1 }, `${id} is no ID (expected 3, 3-4 or 3.1, say).`);
        isReadable = false;
        continue;
      }
      const row = { columns, line: line + k, kind } as const;
      rows.push(row);
      if (kind === "word") words.push(row);
    } else if (first === 35) {
      if (rows.length > 0) report("misplaced-comment", place, "A comment stands before the words of a sentence.");
      else comments.push({ text: own, line: line + k });
    } else if (own.trim() === "") {
      if (own !== "") report("pseudo-empty-line", place, "The line has white space only, and is not empty.");
      if (k < lines.length - 1) {
        report("extra-empty-line", place, "One empty line follows a sentence, and none stands elsewhere.");
      } else blank++;
    } else {
      report("invalid-line", place, "A line begins with a digit or with #.");
      isReadable = false;
    }
  }
  const last = { line: line + Math.max(0, lines.length - 1) };
  if (rows.length === 0 && isReadable) report("empty-sentence", last, "There are no words before the end.");
  else if (blank === 0 || !isEnded) report("missing-empty-line", last, "No empty line follows the sentence.");
  if (rows.length === 0) return undefined;
  checkCharacters(text, lines, line, report);
  if (!isReadable) return undefined;
  return checkIds(rows, words, report) ? { comments, rows, words } : undefined;
}

/** Whether `text` may have characters that are not normalized, or white space in columns. */
const COMBINED = /[\u0300-\uffff]/;
const SPACE = /[^\S\t\n\r]/;

function checkCharacters(text: string, lines: readonly string[], line: number, report: Report): void {
  const isNormal = !COMBINED.test(text) || text.normalize("NFC") === text;
  const body = text.slice(text.startsWith("#") ? Math.max(0, text.search(/\n[^#]/)) : 0);
  const hasSpaces = SPACE.test(body) || /\t[\t\n]/.test(body) || /\t$/.test(body);
  if (isNormal && !hasSpaces) return;
  lines.forEach((own, k) => {
    const columns = own.startsWith("#") ? [own] : own.split("\t");
    columns.forEach((value, column) => {
      const number = columns.length === 1 ? 0 : column + 1;
      const word = number > 0 && WORD.test(columns[ID]!) ? Number(columns[ID]) : 0;
      const place = { line: line + k, column: number, word };
      if (!isNormal && value.normalize("NFC") !== value) {
        report("unicode-normalization", place, `${value} is not normalized (expected NFC: ${value.normalize("NFC")}).`);
      }
      if (columns.length === 10)
        checkSpaces(value, column, columns[ID]!, (rule, message) => report(rule, place, message));
    });
  });
}

type Rule = Parameters<Report>[0];

function checkSpaces(value: string, column: number, id: string, tell: (rule: Rule, message: string) => void): void {
  const name = COLUMNS[column]!;
  if (value === "") tell("empty-column", `${name} is empty (expected _).`);
  if (!/\s/.test(value)) return;
  const mayHave = column === MISC || ((column === FORM || column === LEMMA) && !id.includes("-"));
  if (!mayHave) {
    tell("invalid-whitespace", `${name} has white space: ${JSON.stringify(value)}.`);
    return;
  }
  if (/^\s/.test(value)) tell("leading-whitespace", `${name} begins with white space: ${JSON.stringify(value)}.`);
  if (/\s$/.test(value)) tell("trailing-whitespace", `${name} ends with white space: ${JSON.stringify(value)}.`);
  if (/\s\s/.test(value)) tell("repeated-whitespace", `${name} has white space twice: ${JSON.stringify(value)}.`);
}

/** Words are numbered from 1; tokens precede their words; empty nodes follow the word that they are numbered after. */
function checkIds(rows: readonly Row[], words: readonly Row[], report: Report): boolean {
  let isRight = true;
  const wrong = (rule: Rule, row: Row, message: string) => {
    report(rule, at(row, ID), message);
    isRight = false;
  };
  const isSequence = words.every((row, i) => Number(row.columns[ID]) === i + 1);
  if (!isSequence) {
    const i = words.findIndex((row, i) => Number(row.columns[ID]) !== i + 1);
    wrong("word-id-sequence", words[i]!, `The word is number ${i + 1}, but its ID is ${words[i]!.columns[ID]}.`);
  }
  if (rows.length === words.length) return isRight;
  let word = 0;
  let empty = 0;
  let token: readonly [from: number, to: number] = [0, 0];
  for (const row of rows) {
    const id = row.columns[ID]!;
    if (row.kind === "word") {
      word = Number(id);
      empty = 0;
    } else if (row.kind === "token") {
      const [from, to] = id.split("-").map(Number) as [number, number];
      if (from <= token[1])
        wrong("overlapping-word-intervals", row, `The token ${id} shares words with ${token.join("-")}.`);
      else if (from !== word + 1)
        wrong("misplaced-word-interval", row, `The token ${id} stands before its first word.`);
      else if (to < from) wrong("reversed-word-interval", row, `The token ${id} ends before it begins.`);
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
