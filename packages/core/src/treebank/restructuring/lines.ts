// A CoNLL-U sentence as its lines, for changes that add, remove or renumber them. What is not touched keeps its bytes.

/** The lines of a sentence: what stands before those of words (comments, mostly), their columns, the blank line. */
export interface SentenceLines {
  before: string;
  /** Of words, multiword tokens and empty nodes. */
  rows: string[][];
  after: string;
  /** How a line ends. */
  end: string;
}

const ID = 0;
const HEAD = 6;
const DEPS = 8;
const MISC = 9;

export function linesOf(text: string): SentenceLines {
  // Comments, blank lines and a byte order mark may come before the words.
  const before = /^\ufeff?(?:[ \t]*\r?\n|#[^\n]*\n)*/.exec(text)![0];
  const rest = text.slice(before.length);
  const body = /^(?:\d[^\n]*(?:\n|$))*/.exec(rest)![0];
  const end = body.includes("\r\n") ? "\r\n" : "\n";
  const rows = body
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));
  return { before, rows, after: rest.slice(body.length), end };
}

export function textOfLines({ before, rows, after, end }: SentenceLines): string {
  return before + rows.map((columns) => columns.join("\t") + end).join("") + after;
}

/** Is it the line of a word, and not of a multiword token or an empty node? */
export function isWord(columns: readonly string[]): boolean {
  return /^\d+$/.test(columns[ID]!);
}

/** First and last word of a multiword token; undefined for other lines. */
export function rangeOfLine(columns: readonly string[]): [from: number, to: number] | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(columns[ID]!) ?? [];
  return from === undefined ? undefined : [Number(from), Number(to)];
}

/**
 * For every word and empty node its new ID, given the new number of each word, undefined for those that go. Empty nodes
 * follow the last word before them that stays.
 */
export function newIds(
  rows: readonly (readonly string[])[],
  numberOf: (word: number) => number | undefined,
): Map<string, string> {
  const ids = new Map([["0", "0"]]);
  let word = 0;
  let empty = 0;
  for (const columns of rows) {
    const id = columns[ID]!;
    if (id.includes(".")) {
      ids.set(id, `${word}.${++empty}`);
    } else if (isWord(columns)) {
      const number = numberOf(Number(id));
      if (number === undefined) continue;
      ids.set(id, String(number));
      // Of words that become one, the empty nodes are counted on.
      if (number !== word) empty = 0;
      word = number;
    }
  }
  return ids;
}

/**
 * The line with its ID, HEAD, DEPS and the arguments of its predicate numbered anew; arcs of DEPS from what is gone go
 * as well, and so do arguments.
 */
export function renumbered(columns: readonly string[], ids: ReadonlyMap<string, string>): string[] {
  const line = [...columns];
  const [from, to] = line[ID]!.split("-") as [string, string?];
  line[ID] = (ids.get(from) ?? from) + (to === undefined ? "" : `-${ids.get(to) ?? to}`);
  if (line[HEAD] !== "_" && line[HEAD] !== "0") line[HEAD] = ids.get(line[HEAD]!) ?? line[HEAD]!;
  if (line[DEPS] !== undefined && line[DEPS] !== "_") line[DEPS] = renumberedArcs(line[DEPS]!, ids);
  if (line[MISC]?.includes("Args=")) line[MISC] = renumberedArguments(line[MISC]!, ids);
  return line;
}

function renumberedArcs(deps: string, ids: ReadonlyMap<string, string>): string {
  const arcs = deps.split("|").flatMap((arc) => {
    const colon = arc.indexOf(":");
    const head = ids.get(arc.slice(0, colon));
    return head === undefined ? [] : [head + arc.slice(colon)];
  });
  return arcs.join("|") || "_";
}

function renumberedArguments(misc: string, ids: ReadonlyMap<string, string>): string {
  const items = misc.split("|").flatMap((item) => {
    if (!/^Args=\d+:/.test(item)) return [item];
    const seen = new Set<string>();
    const own = item
      .slice("Args=".length)
      .split(",")
      .flatMap((argument) => {
        const colon = argument.indexOf(":");
        const word = ids.get(argument.slice(0, colon));
        // Words that become one have one role.
        if (word === undefined || seen.has(word)) return [];
        seen.add(word);
        return [word + argument.slice(colon)];
      });
    return own.length > 0 ? [`Args=${own.join(",")}`] : [];
  });
  return items.join("|") || "_";
}
