// The columns of a table of words, each read when it is asked for, a row group at a time. Values of texts are numbers
// into the dictionary of the row group, as they are in the file: whoever compares values compares each of them once.
import { closeSync, openSync, readSync } from "node:fs";
import { WORD_COLUMNS, type WordColumn } from "@stemma/server/annotation";
import { type ColumnMetaData, type FileMetaData, snappyUncompress } from "hyparquet";
import { readColumn } from "hyparquet/src/column.js";
import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { getSchemaPath } from "hyparquet/src/schema.js";
import { deserializeTCompactProtocol } from "hyparquet/src/thrift.js";
import { FileError } from "../files/io.js";
import { COMPRESSORS, parquetMetadata, parquetProblem } from "./parquet-reader.js";

/** The text of null, as in CoNLL-U. */
const NULL_TEXT = "_";
/** Row groups whose columns are kept: a sentence may go on in the next one, or be of a document of the one before. */
const KEPT = 3;

/** A column of texts: row r of the group has texts[ids[r + 1]]; the last of the texts stands for null. */
export interface TextColumn {
  ids: Int32Array;
  texts: readonly string[];
}

type Column = ColumnMetaData & { texts?: readonly string[]; ids?: Int32Array; numbers?: Float64Array | Int32Array };

/** Numbers of pages and encodings in the format. */
const [DICTIONARY_PAGE, DATA_PAGE, DATA_PAGE_V2] = [2, 0, 3];
const DICTIONARY_ENCODINGS: readonly unknown[] = [2, 8];

export class TableColumns {
  private readonly kept = new Map<number, Map<string, Column>>();
  private readonly free: Int32Array[] = [];
  /** Bytes of columns that were read. */
  bytesRead = 0;

  private constructor(
    readonly path: string,
    private readonly file: number,
    private readonly metadata: FileMetaData,
  ) {}

  /** Opens a file; undefined if its columns are of other types than those that `stemma` writes, or nested. */
  static open(path: string): TableColumns | undefined {
    const metadata = parquetMetadata(path);
    for (const { name, type, num_children: children } of metadata.schema.slice(1)) {
      const known = Object.hasOwn(WORD_COLUMNS, name) ? WORD_COLUMNS[name as WordColumn] : undefined;
      if (children !== undefined || (known !== undefined && !TYPES[known.type].includes(type))) return undefined;
    }
    return new TableColumns(path, openSync(path, "r"), metadata);
  }

  close(): void {
    closeSync(this.file);
  }

  /** Whether Stemma has written the file, in which sentences are what they should be. */
  get isOwn(): boolean {
    return this.metadata.key_value_metadata?.some(({ key }) => key === "stemma.table") === true;
  }

  get groups(): number {
    return this.metadata.row_groups.length;
  }

  has(name: WordColumn): boolean {
    return this.metadata.schema.some((element) => element.name === name);
  }

  rows(group: number): number {
    return Number(this.metadata.row_groups[group]!.num_rows);
  }

  /** Numbers of values with the values. */
  text(group: number, name: WordColumn): TextColumn {
    const column = this.column(group, name);
    if (column === undefined) return { ids: new Int32Array(this.rows(group) + 1), texts: [NULL_TEXT] };
    column.ids ??= this.reading(() => this.decoded(group, column));
    return { ids: column.ids, texts: this.texts(group, name) };
  }

  /** The values of a column in a row group, of which only the dictionary is read if it has one. */
  texts(group: number, name: WordColumn): readonly string[] {
    const column = this.column(group, name);
    if (column === undefined) return [NULL_TEXT];
    if (column.texts === undefined) this.reading(() => this.readDictionary(group, column));
    return column.texts!;
  }

  private readDictionary(group: number, column: Column): void {
    const { dictionary_page_offset: from, data_page_offset: to, encodings } = column;
    // Programs that run out of room for a dictionary go on with plain values.
    const isWhole = encodings.every((encoding) => /DICTIONARY|RLE/.test(encoding));
    if (from && from < to && isWhole) this.pages(group, column, this.bytes(Number(from), Number(to)), undefined);
    if (column.texts === undefined) column.ids = this.decoded(group, column);
  }

  private reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw error instanceof FileError ? error : parquetProblem(this.path, error);
    }
  }

  /** Numbers of a column by row + 1; null is -1. */
  numbers(group: number, name: WordColumn): Int32Array | Float64Array {
    const column = this.column(group, name);
    if (column === undefined) return new Int32Array(this.rows(group) + 1).fill(-1);
    column.numbers ??= this.reading(() => this.decodedNumbers(group, column));
    return column.numbers;
  }

  private column(group: number, name: WordColumn): Column | undefined {
    let columns = this.kept.get(group);
    if (columns === undefined) {
      if (this.kept.size === KEPT) this.forget(Math.min(...this.kept.keys()));
      columns = new Map();
      for (const { meta_data: data } of this.metadata.row_groups[group]!.columns) {
        // One that is null throughout is as good as none.
        const isEmpty = data?.statistics?.null_count === data?.num_values;
        if (data?.path_in_schema.length === 1 && !isEmpty) columns.set(data.path_in_schema[0]!, { ...data });
      }
      this.kept.set(group, columns);
    }
    return columns.get(name);
  }

  private forget(group: number): void {
    for (const { ids, numbers } of this.kept.get(group)!.values()) {
      if (ids) this.free.push(ids);
      if (numbers instanceof Int32Array) this.free.push(numbers);
    }
    this.kept.delete(group);
  }

  /** Arrays of row groups that are no longer needed are used again: freeing takes longer than filling. */
  private array(length: number): Int32Array {
    const at = this.free.findIndex((array) => array.length === length);
    return at < 0 ? new Int32Array(length) : this.free.splice(at, 1)[0]!.fill(0);
  }

  private bytes(from: number, to: number): Uint8Array {
    const bytes = new Uint8Array(to - from);
    this.bytesRead += bytes.length;
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(this.file, bytes, done, bytes.length - done, from + done);
      if (read === 0) throw parquetProblem(this.path, "it ends too early");
      done += read;
    }
    return bytes;
  }

  private chunk({ dictionary_page_offset: dictionary, data_page_offset: data, ...column }: Column): Uint8Array {
    const from = Number(dictionary && dictionary < data ? dictionary : data);
    return this.bytes(from, from + Number(column.total_compressed_size));
  }

  private decoded(group: number, column: Column): Int32Array {
    const ids = this.array(this.rows(group) + 1);
    const bytes = this.chunk(column);
    if (this.pages(group, column, bytes, ids)) return ids;
    const numbers = new Map<string, number>();
    const texts: string[] = [];
    let row = 1;
    for (const value of this.values(group, column, bytes)) {
      let id = -1;
      if (value !== null && value !== undefined) {
        id = numbers.get(value as string) ?? texts.push(value as string) - 1;
        numbers.set(value as string, id);
      }
      ids[row++] = id;
    }
    for (row = 1; row < ids.length; row++) if (ids[row] === -1) ids[row] = texts.length;
    column.texts = [...texts, NULL_TEXT];
    return ids;
  }

  private decodedNumbers(group: number, column: Column): Int32Array | Float64Array {
    const bytes = this.chunk(column);
    const ids = this.array(this.rows(group) + 1);
    if (column.type === "INT32" && this.pages(group, column, bytes, ids)) {
      const values = Int32Array.from(column.texts!, (text) => (text === NULL_TEXT ? -1 : Number(text)));
      for (let row = 1; row < ids.length; row++) ids[row] = values[ids[row]!]!;
      return ids;
    }
    const numbers = new Float64Array(this.rows(group) + 1);
    let row = 1;
    for (const value of this.values(group, column, bytes)) {
      numbers[row++] = value === null || value === undefined ? -1 : Number(value);
    }
    return numbers;
  }

  /** Reads pages, for columns that are encoded with a dictionary throughout; false if this one is not. */
  private pages(group: number, column: Column, bytes: Uint8Array, ids: Int32Array | undefined): boolean {
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
    const isOptional = getSchemaPath(this.metadata.schema, column.path_in_schema).at(-1)!.element.repetition_type;
    const rows = this.rows(group) + 1;
    for (let row = 1; reader.offset < bytes.length && row < rows; ) {
      const header = deserializeTCompactProtocol(reader);
      const { field_1: type, field_2: size, field_3: packed } = header;
      const body = bytes.subarray(reader.offset, reader.offset + packed);
      reader.offset += packed;
      if (type === DICTIONARY_PAGE) {
        const page = unpacked(body, size, column.codec);
        if (page === undefined) return false;
        const values = column.type === "BYTE_ARRAY" ? texts(page, header.field_7.field_1) : integers(page);
        column.texts = [...values, NULL_TEXT];
      } else if (ids !== undefined && column.texts !== undefined && (type === DATA_PAGE || type === DATA_PAGE_V2)) {
        const page = dataPage(type, header, body, size, column.codec, isOptional === "OPTIONAL");
        if (page === undefined) return false;
        decodePage(page, column.texts.length - 1, ids, row);
        row += page.count;
      } else return false;
    }
    return column.texts !== undefined;
  }

  /** Any other encoding, by the library. */
  private *values(group: number, column: Column, bytes: Uint8Array): Generator<unknown> {
    const schemaPath = getSchemaPath(this.metadata.schema, column.path_in_schema);
    const { element } = schemaPath.at(-1)!;
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
    const select = { groupStart: 0, selectStart: 0, selectEnd: this.rows(group), groupRows: this.rows(group) };
    const { path_in_schema: pathInSchema, type, codec } = column;
    const how = { pathInSchema, type, codec, element, schemaPath, parsers: DEFAULT_PARSERS, compressors: COMPRESSORS };
    for (const values of readColumn(reader, select, how).data) yield* values as Iterable<unknown>;
  }
}

const TYPES: Readonly<Record<"string" | "int" | "double", readonly unknown[]>> = {
  string: ["BYTE_ARRAY"],
  int: ["INT32", "INT64"],
  double: ["DOUBLE", "FLOAT"],
};

function unpacked(bytes: Uint8Array, size: number, codec: string): Uint8Array | undefined {
  if (codec === "UNCOMPRESSED") return bytes;
  if (codec === "GZIP") return COMPRESSORS.GZIP(bytes, size);
  if (codec !== "SNAPPY") return undefined;
  const page = new Uint8Array(size);
  snappyUncompress(bytes, page);
  return page;
}

interface DataPage {
  /** Rows, of which so many are null. */
  count: number;
  nulls: number;
  levels: Uint8Array;
  values: Uint8Array;
}

/** A page of values as numbers into a dictionary; undefined if it is none. */
function dataPage(
  type: number,
  // biome-ignore lint/suspicious/noExplicitAny: so the library types what it reads
  header: { [field: `field_${number}`]: any },
  body: Uint8Array,
  size: number,
  codec: string,
  isOptional: boolean,
): DataPage | undefined {
  if (type === DATA_PAGE_V2) {
    const { field_1: count, field_2: nulls, field_4: encoding, field_5: length, field_6: repetition } = header.field_8;
    if (!DICTIONARY_ENCODINGS.includes(encoding) || repetition > 0) return undefined;
    const isPacked = header.field_8.field_7 !== false;
    const packed = body.subarray(length);
    const values = isPacked ? unpacked(packed, size - length, codec) : packed;
    return values && { count, nulls, levels: body.subarray(0, length), values };
  }
  const { field_1: count, field_2: encoding } = header.field_5;
  const page = DICTIONARY_ENCODINGS.includes(encoding) ? unpacked(body, size, codec) : undefined;
  if (page === undefined) return undefined;
  if (!isOptional) return { count, nulls: 0, levels: page.subarray(0, 0), values: page };
  const end = 4 + new DataView(page.buffer, page.byteOffset).getUint32(0, true);
  const levels = page.subarray(4, end);
  const there = hybrid(levels, 1, new Int32Array(count));
  return { count, nulls: count - there.reduce((sum, one) => sum + one, 0), levels, values: page.subarray(end) };
}

/** Writes the numbers of the values of a page from a row on. */
function decodePage({ count, nulls, levels, values }: DataPage, none: number, ids: Int32Array, row: number): void {
  const own = ids.subarray(row, row + count);
  if (nulls === count) {
    own.fill(none);
    return;
  }
  const [width, packed] = [values[0]!, values.subarray(1)];
  if (nulls === 0) {
    if (width > 0) hybrid(packed, width, own);
    return;
  }
  const there = hybrid(levels, 1, new Int32Array(count));
  const dense = new Int32Array(count - nulls);
  if (width > 0) hybrid(packed, width, dense);
  for (let k = 0, next = 0; k < count; k++) own[k] = there[k] === 1 ? dense[next++]! : none;
}

/** Runs and packed bits, https://parquet.apache.org/docs/file-format/data-pages/encodings: fills `out`. */
function hybrid(bytes: Uint8Array, width: number, out: Int32Array): Int32Array {
  const mask = (1 << width) - 1;
  let at = 0;
  for (let k = 0; k < out.length; ) {
    if (at >= bytes.length) throw new RangeError("a page ends too early");
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if ((header & 1) === 0) {
      let value = 0;
      for (let bits = 0; bits < width; bits += 8) value |= bytes[at++]! << bits;
      const end = Math.min(out.length, k + (header >>> 1));
      out.fill(value, k, end);
      k = end;
    } else {
      const end = Math.min(out.length, k + (header >>> 1) * 8);
      const next = at + (header >>> 1) * width;
      // The bits of a value, from whole bytes: up to seven of them are of the value before, so that 2²⁴ values fit.
      let bit = 8 * at;
      const near = 8 * (bytes.length - 3);
      for (; k < end && bit < near; k++, bit += width) {
        const from = bit >>> 3;
        const bits = bytes[from]! | (bytes[from + 1]! << 8) | (bytes[from + 2]! << 16) | (bytes[from + 3]! << 24);
        out[k] = (bits >>> (bit & 7)) & mask;
      }
      for (; k < end; k++, bit += width) {
        let bits = 0;
        for (let from = bit >>> 3, shift = 0; from < bytes.length; from++, shift += 8) bits |= bytes[from]! << shift;
        out[k] = (bits >>> (bit & 7)) & mask;
      }
      at = next;
    }
  }
  return out;
}

function texts(page: Uint8Array, count: number): string[] {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const whole = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  // Most values are ASCII, which is cut out of one string faster than it is decoded.
  const characters = whole.toString("latin1");
  const values: string[] = [];
  for (let k = 0, at = 0; k < count; k++) {
    const from = at + 4;
    const to = from + view.getUint32(at, true);
    let isAscii = true;
    for (let i = from; i < to && isAscii; i++) isAscii = page[i]! < 0x80;
    values.push(isAscii ? characters.slice(from, to) : whole.toString("utf8", from, to));
    at = to;
  }
  return values;
}

function integers(page: Uint8Array): string[] {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  return Array.from({ length: page.byteLength >> 2 }, (_, k) => String(view.getInt32(4 * k, true)));
}
