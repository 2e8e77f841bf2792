// The sentences of a row group of a table of words, as patterns look at them: columns are read when one is looked at,
// and a sentence is made whole only if it is shown.
import type { Sentence } from "@stemma/core";
import type { IndexedColumn, IndexedTreebank, MatchableSentence } from "@stemma/core/search";
import { type Column, TreebankError } from "@stemma/core/treebank";
import { WORD_COLUMNS, type WordColumn, type WordRow } from "@stemma/server/annotation";
import { sentenceIn } from "../documents/parquet-reader.js";
import type { TableColumns } from "../documents/table-columns.js";
import { sourceName } from "../files/io.js";

const NAMES = Object.keys(WORD_COLUMNS) as WordColumn[];

/** A sentence of a table. */
class TableSentence implements MatchableSentence {
  private made: Sentence | TreebankError | undefined;

  constructor(
    private readonly group: TableSentences,
    /** Its first row in the group, from 0. */
    readonly row: number,
    readonly length: number,
  ) {}

  get heads(): Int32Array {
    return this.group.heads.subarray(this.row, this.row + this.length + 1);
  }

  /** With everything that the table has of it; throws what is wrong with its rows. */
  get whole(): Sentence {
    this.made ??= this.group.whole(this);
    if (this.made instanceof TreebankError) throw this.made;
    return this.made;
  }

  get comments(): readonly string[] {
    return this.whole.comments;
  }

  form(i: number): string {
    return this.value("form", i);
  }

  lemma(i: number): string {
    return this.value("lemma", i);
  }

  upos(i: number): string {
    return this.value("upos", i);
  }

  xpos(i: number): string {
    return this.value("xpos", i);
  }

  feats(i: number): string {
    return this.value("feats", i);
  }

  deprel(i: number): string {
    return this.value("deprel", i);
  }

  deps(i: number): string {
    return this.value("deps", i);
  }

  misc(i: number): string {
    return this.value("misc", i);
  }

  private value(column: Column, i: number): string {
    const { ids, texts } = this.group.column(column);
    return texts[ids[this.row + i]!]!;
  }
}

/** The sentences that begin in a row group, the last of which may end in the next one. */
export class TableSentences implements IndexedTreebank<TableSentence> {
  readonly sentences: readonly TableSentence[];
  readonly starts: Int32Array;
  private headsOfRows: Int32Array | undefined;
  /** The number of the first row of the group in the file, from 1. */
  readonly firstRow: number;
  /** Sentences whose numbers or heads are not those of a tree of so many words: `whole` says what is wrong. */
  readonly isIrregular: Uint8Array;
  private readonly columns = new Map<WordColumn, IndexedColumn>();
  private misc: IndexedColumn | undefined;
  private readonly rows: number;
  /** Rows of the groups that follow, which the last sentence goes on in. */
  private readonly tail: number;

  constructor(
    private readonly table: TableColumns,
    readonly group: number,
  ) {
    this.rows = table.rows(group);
    let first = 1;
    for (let g = 0; g < group; g++) first += table.rows(g);
    this.firstRow = first;
    const begins = this.beginnings(group);
    let tail = 0;
    for (let next = group + 1; begins.length > 0 && next < table.groups; next++) {
      const [begin] = this.beginnings(next, 1);
      tail += begin ?? table.rows(next);
      if (begin !== undefined) break;
    }
    this.tail = tail;
    this.starts = Int32Array.from(begins);
    this.sentences = begins.map((row, k) => new TableSentence(this, row, (begins[k + 1] ?? this.rows + tail) - row));
    this.isIrregular = table.isOwn ? new Uint8Array(begins.length) : this.irregular(this.numbers("id"));
  }

  /** Read when they are asked for: where nothing can match, they are not. */
  get heads(): Int32Array {
    this.headsOfRows ??= this.numbers("head") as Int32Array;
    return this.headsOfRows;
  }

  private irregular(ids: ArrayLike<number>): Uint8Array {
    const { heads, sentences } = this;
    const irregular = new Uint8Array(sentences.length);
    for (let k = 0; k < sentences.length; k++) {
      const { row, length } = sentences[k]!;
      for (let i = 1; i <= length; i++) {
        const head = heads[row + i]!;
        if (ids[row + i] !== i || head > length || head < -1 || head === i) irregular[k] = 1;
      }
    }
    return irregular;
  }

  /** The values of a column of words. */
  column(name: Column): IndexedColumn {
    // The table has measures apart from the rest of MISC.
    return name === "misc" && (this.table.has("start_offset") || this.table.has("score"))
      ? (this.misc ??= this.measured())
      : this.texts(name);
  }

  /** Values that words may have in a column, of which no more is read than the dictionaries. */
  valuesOf(name: Column): readonly string[] {
    // Those of MISC are not all there.
    if (name === "misc") return this.column(name).texts;
    const values = this.table.texts(this.group, name);
    if (this.tail === 0) return values;
    const groups: number[] = [];
    this.inTail((group) => groups.push(group));
    return [...values, ...[...new Set(groups)].flatMap((group) => this.table.texts(group, name))];
  }

  /** The document of a sentence. */
  documentOf({ row }: TableSentence): string | undefined {
    const { ids, texts } = this.texts("document");
    const id = ids[row + 1]!;
    return this.isNull("document", id) ? undefined : texts[id];
  }

  whole({ row, length }: TableSentence): Sentence | TreebankError {
    const rows: WordRow[] = Array.from({ length }, () => ({}));
    for (const name of NAMES) {
      if (!this.table.has(name)) continue;
      if (WORD_COLUMNS[name].type === "string") {
        const { ids, texts } = this.texts(name);
        for (let i = 0; i < length; i++) {
          const id = ids[row + i + 1]!;
          rows[i]![name] = this.isNull(name, id) ? null : texts[id]!;
        }
      } else {
        const numbers = this.numbers(name);
        for (let i = 0; i < length; i++) rows[i]![name] = numbers[row + i + 1] === -1 ? null : numbers[row + i + 1]!;
      }
    }
    const document = rows[0]!.document as string | null | undefined;
    const begins = rows[0]!.sentence === 1 || this.documentBefore(row) !== (document ?? undefined);
    const requirements = { allowNonTrees: true, source: sourceName(this.table.path), line: this.firstRow + row };
    return sentenceIn(rows, begins ? (document ?? undefined) : undefined, requirements);
  }

  /** The document of the row before; null before the first row. */
  private documentBefore(row: number): string | null | undefined {
    const [group, at] = row > 0 ? [this.group, row - 1] : [this.group - 1, undefined];
    if (group < 0) return null;
    const { ids, texts } = this.table.text(group, "document");
    const id = ids[(at ?? this.table.rows(group) - 1) + 1]!;
    return id === texts.length - 1 ? undefined : texts[id];
  }

  /** Rows in which sentences begin, up to so many: as readParquet has it, where document, sentence or words begin. */
  private beginnings(group: number, most = Number.POSITIVE_INFINITY): number[] {
    const { table } = this;
    const ids = table.numbers(group, "id");
    const rows = table.rows(group);
    const begins: number[] = [];
    if (table.isOwn) {
      for (let at = 1; at <= rows && begins.length < most; at++) if (ids[at] === 1) begins.push(at - 1);
      return begins;
    }
    const sentences = table.numbers(group, "sentence");
    const { ids: documents, texts } = table.text(group, "document");
    if (rows > 0 && (ids[1] === 1 || group === 0 || !this.continues(group, sentences[1]!, texts[documents[1]!]!))) {
      begins.push(0);
    }
    for (let at = 2; at <= rows && begins.length < most; at++) {
      if (ids[at] === 1 || sentences[at] !== sentences[at - 1] || documents[at] !== documents[at - 1])
        begins.push(at - 1);
    }
    return begins;
  }

  /** Whether the last row of the group before is of the same sentence. */
  private continues(group: number, sentence: number, document: string): boolean {
    const { table } = this;
    const last = table.rows(group - 1);
    const { ids, texts } = table.text(group - 1, "document");
    return table.numbers(group - 1, "sentence")[last] === sentence && texts[ids[last]!] === document;
  }

  /** Numbers of rows from 1, those of the tail included. */
  private numbers(name: WordColumn): Int32Array | Float64Array {
    const own = this.table.numbers(this.group, name);
    const isWhole = WORD_COLUMNS[name].type === "int";
    if (this.tail === 0 && (!isWhole || own instanceof Int32Array)) return own;
    const all = new (isWhole ? Int32Array : Float64Array)(own.length + this.tail);
    all.set(own);
    this.inTail((group, row, at) => {
      all[at] = this.table.numbers(group, name)[row]!;
    });
    return all;
  }

  private texts(name: WordColumn): IndexedColumn {
    let column = this.columns.get(name);
    if (column === undefined) {
      column = this.table.text(this.group, name);
      if (this.tail > 0) {
        const ids = new Int32Array(column.ids.length + this.tail);
        ids.set(column.ids);
        // Another row group has another dictionary: what it has here is added, null is where it was.
        const none = column.texts.length - 1;
        const texts = [...column.texts];
        this.inTail((group, row, at) => {
          const other = this.table.text(group, name);
          const id = other.ids[row]!;
          ids[at] = id === other.texts.length - 1 ? none : texts.push(other.texts[id]!) - 1;
        });
        column = { ids, texts };
      }
      this.columns.set(name, column);
    }
    return column;
  }

  private isNull(name: WordColumn, id: number): boolean {
    return id === this.table.texts(this.group, name).length - 1;
  }

  private inTail(take: (group: number, row: number, at: number) => void): void {
    for (let k = 1, group = this.group + 1, row = 1; k <= this.tail; k++, row++) {
      while (row > this.table.rows(group)) [group, row] = [group + 1, 1];
      take(group, row, this.rows + k);
    }
  }

  /** MISC as it is in CoNLL-U. */
  private measured(): IndexedColumn {
    const ids = new Int32Array(this.heads.length);
    const texts = ["_"];
    for (const [k, sentence] of this.sentences.entries()) {
      if (this.isIrregular[k] === 1) continue;
      const { whole, row, length } = sentence;
      for (let i = 1; i <= length; i++) ids[row + i] = texts.push(whole.misc(i)) - 1;
    }
    return { ids, texts };
  }
}
