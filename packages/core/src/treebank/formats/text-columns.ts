import {
  type EmptyNode,
  type Fields,
  fieldsLine,
  type MultiWordToken,
  type SentenceColumns,
} from "../sentence/columns.js";
import type { PredicateData } from "../sentence/semantics/predicate-data.js";
import { FILLPRED, predicateColumns, predicatesInColumns } from "./conll09-predicates.js";
import { CONLL09, type Layout } from "./layout.js";
import { newlines, type Scan, scan } from "./scan.js";

/**
 * A sentence of a treebank file. It keeps its text and where the columns are in it: columns are cut out when asked for,
 * and writing gives the text back with only what was set replaced.
 */
export class TextColumns implements SentenceColumns {
  readonly length: number;
  readonly line: number;
  columns: number;
  private raw: string;
  private offsets: Int32Array;
  private extras: readonly number[];
  private readonly heads: Int32Array;
  /** By column, then by word: what replaces the text; undefined as long as nothing does. */
  private edits: (string | undefined)[][] | undefined;

  /** `scanned` must come from scan(raw, layout). */
  constructor(
    raw: string,
    readonly layout: Layout,
    scanned: Scan,
    private readonly rawLine = 1,
  ) {
    this.raw = raw;
    this.columns = scanned.columns;
    this.offsets = scanned.offsets;
    this.extras = scanned.extras;
    this.heads = scanned.heads;
    this.length = scanned.heads.length - 1;
    this.line = rawLine + scanned.blankLines;
  }

  copy(): TextColumns {
    const { raw, layout, columns, offsets, extras, heads, rawLine, edits } = this;
    // Nothing writes into the places of the columns: they are found anew when lines change.
    const scanned = { columns, offsets, extras, heads: heads.slice(), blankLines: this.line - rawLine };
    const copied = new TextColumns(raw, layout, scanned, rawLine);
    copied.edits = edits?.map((column) => column && [...column]);
    return copied;
  }

  head(i: number): number {
    return this.heads[i]!;
  }

  setHead(i: number, head: number): void {
    this.setColumn(i, this.layout.head, head < 0 ? "_" : String(head));
    this.heads[i] = head;
  }

  column(i: number, index: number): string {
    const at = (i - 1) * (this.columns + 1) + index;
    const edited = this.edits === undefined ? undefined : this.edits[index]?.[i];
    return edited ?? this.raw.slice(this.offsets[at], this.offsets[at + 1]! - 1);
  }

  setColumn(i: number, index: number, value: string): void {
    this.edits ??= [];
    (this.edits[index] ??= [])[i] = value;
  }

  comments(): string[] {
    const lines: string[] = [];
    for (let at = this.raw.startsWith("\ufeff") ? 1 : 0; at < this.raw.length; ) {
      const end = lineEnd(this.raw, at);
      if (this.raw[at] === "#") lines.push(this.raw.slice(at, end).replace(/\r$/, ""));
      at = end + 1;
    }
    return lines;
  }

  // The common beginning and end of the old and the new comments keep their places, also between the words.
  setComments(comments: readonly string[]): void {
    const old = this.comments();
    let first = 0;
    while (first < old.length && old[first] === comments[first]) first++;
    let same = 0;
    const most = Math.min(old.length, comments.length) - first;
    while (same < most && old[old.length - 1 - same] === comments[comments.length - 1 - same]) same++;
    if (first === old.length && first === comments.length) return;
    this.rewrite((lines, end) => {
      const places = lines.flatMap((line, at) => (line.startsWith("#") ? [at] : []));
      const removed = old.length - same - first;
      const words = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("#"));
      // An added comment stands before the words, also if other comments stand between them.
      const added = comments.slice(first, comments.length - same).map((comment) => comment + end);
      const at =
        removed > 0 ? places[first]! : Math.min(first > 0 ? places[first - 1]! + 1 : (places[0] ?? words), words);
      const gone = new Set(places.slice(first, first + removed));
      return lines.flatMap((line, k) => [...(k === at ? added : []), ...(gone.has(k) ? [] : [line])]);
    });
  }

  multiWordTokens(): MultiWordToken[] {
    const tokens: MultiWordToken[] = [];
    for (const [id, fields] of this.extraLines()) {
      const [from, to] = id.split("-").map(Number);
      if (to !== undefined) tokens.push({ from: from!, to, ...fields });
    }
    return tokens;
  }

  setMultiWordTokens(tokens: readonly MultiWordToken[]): void {
    const wanted = new Map(tokens.map((token) => [fieldsLine(`${token.from}-${token.to}`, token, ""), token]));
    this.rewrite((lines, end) => {
      const kept = lines.filter((line) => {
        const token = /^\d+-\d+\t/.test(line) ? line.replace(/\r?\n?$/, "") : undefined;
        return token === undefined || wanted.delete(token);
      });
      const added = new Map([...wanted].map(([line, token]) => [String(token.from), line + end]));
      return kept.flatMap((line) => {
        const id = line.slice(0, line.indexOf("\t"));
        return line.startsWith("#") || !added.has(id) ? [line] : [added.get(id)!, line];
      });
    });
  }

  emptyNodes(): EmptyNode[] {
    const nodes: EmptyNode[] = [];
    for (const [id, fields] of this.extraLines()) if (id.includes(".")) nodes.push({ id, ...fields });
    return nodes;
  }

  setEmptyNodes(nodes: readonly EmptyNode[]): void {
    this.rewrite((lines, end) => {
      const kept = lines.filter((line) => !/^\d+\.\d+\t/.test(line));
      const after = (word: string) =>
        nodes.filter(({ id }) => id.startsWith(`${word}.`)).map((node) => fieldsLine(node.id, node, end));
      const first = kept.findIndex((line) => /^\d/.test(line));
      return kept.flatMap((line, k) => {
        const word = /^\d+(?=\t)/.exec(line)?.[0];
        return [...(k === first ? after("0") : []), line, ...(word === undefined ? [] : after(word))];
      });
    });
  }

  private extraLines(): [id: string, fields: Fields][] {
    return this.extras.map((start) => {
      const line = this.raw.slice(start, lineEnd(this.raw, start)).replace(/\r$/, "");
      const [id, form, lemma, upos, xpos, feats, head, deprel, deps, misc] = line.split("\t") as [string, ...string[]];
      return [id, { form, lemma, upos, xpos, feats, head, deprel, deps, misc } as Fields];
    });
  }

  /** Changes lines other than those of words, each with its end. */
  private rewrite(change: (lines: string[], end: string) => string[]): void {
    const text = this.toString();
    const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
    const lines = text.slice(mark.length).split(/(?<=\n)/);
    this.raw = mark + change(lines, /\r\n/.test(text) ? "\r\n" : "\n").join("");
    this.edits = undefined;
    // The words are what they were; whether they are a tree is not asked again.
    const found = scan(this.raw, this.layout, "sentence", this.rawLine, { allowNonTrees: true });
    this.offsets = found.offsets;
    this.extras = found.extras;
    this.columns = found.columns;
  }

  predicates(): PredicateData[] {
    return this.layout === CONLL09 ? predicatesInColumns(this) : [];
  }

  setPredicates(predicates: readonly PredicateData[]): void {
    const rows = predicateColumns(this.length, predicates);
    let i = 0;
    this.rewrite((lines) =>
      lines.map((line) => {
        const [, text, end] = /^(.*?)(\r?\n?)$/s.exec(line)!;
        if (line.startsWith("#") || text!.trim() === "") return line;
        const kept = text!.split("\t").slice(0, FILLPRED);
        while (kept.length < FILLPRED) kept.push("_");
        return [...kept, ...rows[++i]!].join("\t") + end;
      }),
    );
  }

  lineOf(i: number): number {
    return this.rawLine + newlines(this.raw, this.offsets[(i - 1) * (this.columns + 1)]!);
  }

  /** The bytes that were read, with the blank line after them, but for what was set. */
  toString(): string {
    const { raw, offsets, edits, columns } = this;
    if (edits === undefined) return raw;
    const edited = Object.keys(edits).map(Number);
    let text = "";
    let done = 0;
    for (let i = 1; i <= this.length; i++) {
      const row = (i - 1) * (columns + 1);
      for (const index of edited) {
        const value = edits[index]![i];
        if (value === undefined) continue;
        text += raw.slice(done, offsets[row + index]) + value;
        done = offsets[row + index + 1]! - 1;
      }
    }
    return text + raw.slice(done);
  }
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline < 0 ? text.length : newline;
}
