import { TreebankError, type TreebankProblem } from "../errors.js";
import { columnName, type Layout } from "./layout.js";
import { checkHeads, type TreeRequirements } from "./requirements.js";

/** One sentence, taken apart: where the columns of its words are, and its heads. */
export interface Scan {
  /** Columns per word; word i has the offsets [(i - 1) * (columns + 1) …], the last one past its line's end by one. */
  readonly columns: number;
  readonly offsets: Int32Array;
  /** Offsets of the lines of multiword tokens and empty nodes. */
  readonly extras: readonly number[];
  readonly heads: Int32Array;
  /** Lines before the first that is not blank. */
  readonly blankLines: number;
}

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const HASH = 35;
const UNDERSCORE = 95;
const BOM = 0xfeff;

// Reused by every call: grown to the longest sentence, copied from when a sentence is complete.
let offsets = new Int32Array(1 << 14);
let heads = new Int32Array(1 << 12);

/**
 * Finds the columns of the text of one sentence and checks it, in one pass over its characters and O(n) for the tree.
 * Throws a TreebankError for the first thing wrong; `line` is the line number of the start of the text.
 */
export function scan(text: string, layout: Layout, source: string, line: number, require: TreeRequirements): Scan {
  // Each offset kept belongs to a tab or a line, so the text cannot have more of them than characters (plus the end).
  if (offsets.length < text.length + 2) offsets = new Int32Array(2 * text.length + 2);
  const firstLine = line;
  const extras: number[] = [];
  const end = text.length;
  const head = layout.head;
  let columns = 0;
  let kept = 0;
  let n = 0;
  let rangeEnd = 0;
  let rangeLine = 0;
  let rangeId = "";
  let empties = 0;
  let blankLines = -1;
  const fail = (problem: Omit<TreebankProblem, "line"> & { line?: number }): never => {
    throw new TreebankError(source, { line, ...problem });
  };

  for (let at = text.charCodeAt(0) === BOM ? 1 : 0; at < end; line++) {
    const start = at;
    const first = text.charCodeAt(at);
    if (first === HASH || isBlankLine(text, at)) {
      if (first === HASH && blankLines < 0) blankLines = line - firstLine;
      const newline = text.indexOf("\n", at);
      at = newline < 0 ? end : newline + 1;
      continue;
    }
    if (blankLines < 0) blankLines = line - firstLine;

    const row = kept;
    kept = scanLine(text, start, row);
    const found = kept - row - 1;
    const lineEnd = offsets[kept - 1]! - 1;
    at = text.charCodeAt(lineEnd) === RETURN ? lineEnd + 2 : lineEnd + 1;

    if (columns === 0 ? found < layout.fewest || found > layout.most : found !== columns) {
      fail(
        columnCount(text.slice(start, lineEnd), columns || layout.fewest, columns === 0 && layout.most > layout.fewest),
      );
    }
    columns = found;
    for (let i = 0; i < found; i++) {
      if (offsets[row + i + 1]! - offsets[row + i]! > 1) continue;
      fail({ what: columnName(layout, i), column: i + 1, value: "", expected: "a value, or _ for none" });
    }

    const idEnd = offsets[row + 1]! - 1;
    if (wholeNumber(text, start, idEnd) === n + 1) {
      n++;
      empties = 0;
      if (heads.length <= n) heads = grown(heads);
      const from = offsets[row + head]!;
      const to = offsets[row + head + 1]! - 1;
      const value = wholeNumber(text, from, to);
      if (value < 0 && !(to === from + 1 && text.charCodeAt(from) === UNDERSCORE)) {
        const expected = "a word number, 0 for the root or _ for none";
        fail({ what: columnName(layout, head), column: head + 1, value: text.slice(from, to), expected });
      }
      heads[n] = value;
      continue;
    }

    const id = text.slice(start, idEnd);
    const [, from, to] = (layout.ranges && /^([1-9]\d{0,8})-([1-9]\d{0,8})$/.exec(id)) || [];
    const badId = (expected: string) => fail({ what: "ID", column: 1, value: id, expected });
    if (from !== undefined) {
      if (n < rangeEnd) badId(`${n + 1}: the multiword token ${rangeId} of line ${rangeLine} is not complete`);
      if (Number(from) !== n + 1) badId(`a multiword token that starts at ${n + 1}, the next word`);
      if (Number(to) < Number(from)) badId("a multiword token that ends after its start");
      rangeEnd = Number(to);
      rangeLine = line;
      rangeId = id;
    } else if (layout.ranges && id.includes(".")) {
      if (id !== `${n}.${empties + 1}`) badId(`${n}.${empties + 1} for an empty node here`);
      empties++;
    } else {
      const value = wholeNumber(text, start, idEnd);
      badId(value > 0 && value <= n ? `${n + 1}: ${id} is repeated, or a blank line is missing` : `${n + 1}`);
    }
    extras.push(start);
    kept = row;
  }

  if (n < rangeEnd) {
    const expected = `the words up to ${rangeEnd}: the sentence ends at ${n}`;
    fail({ what: "ID", column: 1, value: rangeId, expected, line: rangeLine });
  }
  if (n === 0) fail({ what: "sentence", value: "", expected: "a line for at least one word", line: firstLine });
  const scanned: Scan = {
    columns,
    offsets: offsets.slice(0, kept),
    extras,
    heads: heads.slice(0, n + 1),
    blankLines,
  };
  scanned.heads[0] = -1;

  const wrong = checkHeads(scanned.heads, require);
  if (wrong !== undefined) {
    const { word, expected } = wrong;
    const at = scanned.offsets[(word - 1) * (columns + 1)]!;
    const value = scanned.heads[word]! < 0 ? "_" : String(scanned.heads[word]);
    fail({ what: columnName(layout, head), column: head + 1, value, expected, line: firstLine + newlines(text, at) });
  }
  return scanned;
}

/**
 * Keeps the offset of each column of the line, and past its end by one, in offsets[kept …]; returns the next free
 * place. A function of its own, small, because it takes most of the time: it is compiled within the first sentences.
 */
function scanLine(text: string, at: number, kept: number): number {
  const start = at;
  const end = text.length;
  offsets[kept++] = at;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > NEWLINE) continue;
    if (code === TAB) offsets[kept++] = at + 1;
    else if (code === NEWLINE) break;
  }
  const lineEnd = at > start && text.charCodeAt(at - 1) === RETURN ? at - 1 : at;
  offsets[kept++] = lineEnd + 1;
  return kept;
}

function columnCount(line: string, expected: number, orMore: boolean): Omit<TreebankProblem, "line"> {
  const columns = line.split("\t");
  const found = `${expected}${orMore ? " or more" : ""} columns separated by tabs, found ${columns.length}`;
  const spaced = columns.findIndex((column) => column.includes(" "));
  if (columns.length < expected && spaced >= 0) {
    return {
      what: "columns",
      value: line,
      column: spaced + 1,
      expected: `${found}, with spaces in column ${spaced + 1}`,
    };
  }
  const hint = !orMore && columns.length >= 14 ? " as in CoNLL-2009" : "";
  return { what: "columns", value: line, column: Math.min(columns.length, expected + 1), expected: found + hint };
}

/** The value of the digits in text[from … to), or -1 for anything else, such as a sign, a leading zero or no digit. */
function wholeNumber(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  const leadingZero = to - from > 1 && text.charCodeAt(from) === 48;
  return to === from || to - from > 9 || leadingZero ? -1 : value;
}

function isBlankLine(text: string, at: number): boolean {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE) return true;
    if (code !== SPACE && code !== TAB && code !== RETURN) return false;
  }
  return true;
}

/** Number of line ends in text[0 … at). */
export function newlines(text: string, at: number): number {
  let count = 0;
  for (let i = text.indexOf("\n"); i >= 0 && i < at; i = text.indexOf("\n", i + 1)) count++;
  return count;
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
