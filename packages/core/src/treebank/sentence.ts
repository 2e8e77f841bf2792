import { TreebankError } from "./errors.js";
import { CONLLU, type Column, columnName, type Layout } from "./formats/layout.js";
import { newlines, type Scan, scan, type TreeRequirements } from "./formats/scan.js";

/** The columns after ID, as they are written ("_" for none). */
export interface Fields extends Record<Column, string> {
  head: string;
}

/** A surface token, such as "don't", that stands for the words `from` to `to`. */
export interface MultiWordToken extends Fields {
  from: number;
  to: number;
}

/** A node of the enhanced graph that is not a word; `id` is "3.1" for the first one after word 3. */
export interface EmptyNode extends Fields {
  id: string;
}

type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/** A word to build a sentence from; what is left out is "_". */
export interface WordInput extends Optional<Record<Column, string>> {
  form: string;
  head?: number | null | undefined;
}

/** What Sentence.from builds a sentence from; comments may leave out their "# ". */
export interface SentenceInput {
  words: readonly WordInput[];
  comments?: readonly string[] | undefined;
  multiWordTokens?: readonly ({ from: number; to: number; form: string } & Optional<Fields>)[] | undefined;
  emptyNodes?: readonly ({ id: string } & Optional<Fields>)[] | undefined;
}

/** Where a sentence comes from, for errors, and what it must be. */
export interface SentenceOptions extends TreeRequirements {
  source?: string | undefined;
  line?: number | undefined;
}

/**
 * One sentence of a treebank. It keeps its text and where the columns are in it: columns are cut out when asked for,
 * and writing gives the text back with only the columns that were set replaced.
 */
export class Sentence {
  /** Number of syntactic words; multi-word tokens and empty nodes do not count. */
  readonly length: number;
  /** The head of each word 1 … n: 0 for the root, -1 for none; heads[0] is -1. Change it with setHead. */
  readonly heads: Int32Array;
  /** Line of its first line that is not blank in the file, from 1. */
  readonly line: number;
  readonly layout: Layout;
  /** Columns of each line. */
  readonly columns: number;
  private readonly raw: string;
  private readonly rawLine: number;
  private readonly offsets: Int32Array;
  private readonly extras: readonly number[];
  /** By column, then by word: what replaces the text. */
  private readonly edits: (string | undefined)[][] = [];

  /** For readers: `scanned` must come from scan(raw, layout); others use Sentence.from. */
  constructor(raw: string, layout: Layout, scanned: Scan, line = 1) {
    this.raw = raw;
    this.rawLine = line;
    this.layout = layout;
    this.columns = scanned.columns;
    this.offsets = scanned.offsets;
    this.extras = scanned.extras;
    this.heads = scanned.heads;
    this.length = scanned.heads.length - 1;
    this.line = line + scanned.blankLines;
  }

  /** Builds a CoNLL-U sentence; throws a TreebankError when it is not one. */
  static from(input: SentenceInput, options: SentenceOptions = {}): Sentence {
    const { source = "sentence", line = 1 } = options;
    const raw = compose(input, source, line);
    return new Sentence(raw, CONLLU, scan(raw, CONLLU, source, line, options), line);
  }

  form(i: number): string {
    return this.column(i, this.layout.form);
  }
  lemma(i: number): string {
    return this.column(i, this.layout.lemma);
  }
  upos(i: number): string {
    return this.column(i, this.layout.upos);
  }
  xpos(i: number): string {
    return this.column(i, this.layout.xpos);
  }
  feats(i: number): string {
    return this.column(i, this.layout.feats);
  }
  deprel(i: number): string {
    return this.column(i, this.layout.deprel);
  }
  deps(i: number): string {
    return this.column(i, this.layout.deps);
  }
  misc(i: number): string {
    return this.column(i, this.layout.misc);
  }

  /** Column `index` (0 is ID) of word i as it is written in the sentence's own format; "_" if it has no such column. */
  column(i: number, index: number): string {
    if (index < 0 || index >= this.columns) return "_";
    if (!(i >= 1 && i <= this.length)) throw new RangeError(`invalid word: ${i} (expected 1 to ${this.length})`);
    const at = (i - 1) * (this.columns + 1) + index;
    return this.edits[index]?.[i] ?? this.raw.slice(this.offsets[at], this.offsets[at + 1]! - 1);
  }

  /** Sets the head of word i: 0 for the root, -1 for none. Trees are not checked again. */
  setHead(i: number, head: number): void {
    if (!(Number.isInteger(head) && head >= -1 && head <= this.length && head !== i)) {
      throw new RangeError(`invalid HEAD: ${head} of word ${i} (expected -1 to ${this.length}, not the word itself)`);
    }
    this.edit(this.layout.head, i, head < 0 ? "_" : String(head));
    this.heads[i] = head;
  }

  setDeprel(i: number, label: string): void {
    this.set("deprel", i, label);
  }

  /** Sets a column of word i; "" is written as "_". A column that the format lacks is an error. */
  set(column: Column, i: number, value: string): void {
    const index = this.layout[column];
    if (index < 0) throw new RangeError(`invalid column: ${column} (${this.layout.name} does not have it)`);
    if (/[\t\n\r]/.test(value)) {
      const name = columnName(this.layout, index);
      throw new RangeError(`invalid ${name}: ${JSON.stringify(value)} of word ${i} (expected no tab or line end)`);
    }
    this.edit(index, i, value || "_");
  }

  private edit(index: number, i: number, value: string): void {
    if (!(i >= 1 && i <= this.length)) throw new RangeError(`invalid word: ${i} (expected 1 to ${this.length})`);
    (this.edits[index] ??= [])[i] = value;
  }

  /** The comment lines, with their "#". */
  get comments(): string[] {
    const lines: string[] = [];
    for (let at = this.raw.startsWith("\ufeff") ? 1 : 0; at < this.raw.length; ) {
      const end = lineEnd(this.raw, at);
      if (this.raw[at] === "#") lines.push(this.raw.slice(at, end).replace(/\r$/, ""));
      at = end + 1;
    }
    return lines;
  }

  /** The value of the comment `# sent_id = …`. */
  get id(): string | undefined {
    return commentValue(this.comments, "sent_id");
  }

  /** The value of the comment `# text = …`. */
  get text(): string | undefined {
    return commentValue(this.comments, "text");
  }

  get multiWordTokens(): MultiWordToken[] {
    const tokens: MultiWordToken[] = [];
    for (const [id, fields] of this.extraLines()) {
      const [from, to] = id.split("-").map(Number);
      if (to !== undefined) tokens.push({ from: from!, to, ...fields });
    }
    return tokens;
  }

  get emptyNodes(): EmptyNode[] {
    const nodes: EmptyNode[] = [];
    for (const [id, fields] of this.extraLines()) if (id.includes(".")) nodes.push({ id, ...fields });
    return nodes;
  }

  private extraLines(): [id: string, fields: Fields][] {
    return this.extras.map((start) => {
      const line = this.raw.slice(start, lineEnd(this.raw, start)).replace(/\r$/, "");
      const [id, form, lemma, upos, xpos, feats, head, deprel, deps, misc] = line.split("\t") as [string, ...string[]];
      return [id, { form, lemma, upos, xpos, feats, head, deprel, deps, misc } as Fields];
    });
  }

  /** The line of word i in the file, for errors. */
  lineOf(i: number): number {
    return this.rawLine + newlines(this.raw, this.offsets[(i - 1) * (this.columns + 1)]!);
  }

  /** The sentence in its own format, with the blank line after it: the bytes that were read, but for what was set. */
  toString(): string {
    const { raw, offsets, edits, columns } = this;
    if (edits.length === 0) return raw;
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

/** The value of the first comment `# key = value` (or `#key=value`). */
export function commentValue(comments: readonly string[], key: string): string | undefined {
  for (const comment of comments) {
    const equals = comment.indexOf("=");
    if (equals > 0 && comment.slice(1, equals).trim() === key) return comment.slice(equals + 1).trim();
  }
  return undefined;
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline < 0 ? text.length : newline;
}

function compose(input: SentenceInput, source: string, line: number): string {
  const fail = (what: string, value: string, expected: string): never => {
    throw new TreebankError(source, { what, value, expected, line });
  };
  const row = (id: number | string, fields: Optional<Record<Column, string>>, head: string | undefined): string => {
    const { form, lemma, upos, xpos, feats, deprel, deps, misc } = fields;
    const values = [String(id), form, lemma, upos, xpos, feats, head, deprel, deps, misc].map((value) => value || "_");
    const bad = values.findIndex((value) => typeof value !== "string" || /[\t\n\r]/.test(value));
    if (bad >= 0) fail(`${CONLLU.columns[bad]} of ${id}`, String(values[bad]), "a string without tab or line end");
    return `${values.join("\t")}\n`;
  };
  const { words, comments = [], multiWordTokens = [], emptyNodes = [] } = input;
  let text = "";
  for (const comment of comments) {
    if (/[\n\r]/.test(comment)) fail("comment", comment, "no line end");
    text += comment.startsWith("#") ? `${comment}\n` : `# ${comment}\n`;
  }
  const n = words.length;
  for (const { from, to } of multiWordTokens) {
    if (!(Number.isInteger(from) && from >= 1 && from <= n)) fail("ID", `${from}-${to}`, `a start from 1 to ${n}`);
  }
  for (const { id } of emptyNodes) {
    const known = /^(0|[1-9]\d*)\.\d+$/.test(id) && Number.parseInt(id, 10) <= n;
    if (!known) fail("ID", id, `the id of an empty node, 0.1 to ${n}.1 and up`);
  }
  const emptyAfter = (i: number) => {
    for (const node of emptyNodes) if (node.id.startsWith(`${i}.`)) text += row(node.id, node, node.head);
  };
  emptyAfter(0);
  words.forEach((word, index) => {
    const i = index + 1;
    for (const token of multiWordTokens) {
      if (token.from === i) text += row(`${token.from}-${token.to}`, token, token.head);
    }
    text += row(i, word, (word.head ?? -1) === -1 ? "_" : String(word.head));
    emptyAfter(i);
  });
  return `${text}\n`;
}
