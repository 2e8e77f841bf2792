// The rows of a Parquet file as sentences, one row group at a time.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { Sentence } from "@stemma/core";
import { TreebankError, type TreeRequirements } from "@stemma/core/treebank";
import { sentenceOfRows, WORD_COLUMNS, type WordColumn, type WordRow } from "@stemma/server/annotation";
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetReadObjects,
  parquetSchema,
  parquetMetadata as readMetadata,
} from "hyparquet";
import { FileError, fileError, sourceName } from "../files/io.js";

const NAMES = Object.keys(WORD_COLUMNS) as WordColumn[];
const MAGIC = "PAR1";
const NEEDED: readonly WordColumn[] = ["id", "form"];

/**
 * Rows of a row group, which is read as a whole, about 350 bytes a row; a small file may claim any number of them.
 * DuckDB writes 122,880, Arrow 1,048,576.
 */
const MOST_ROWS = 1 << 21;

/** A sentence, or what is wrong with its rows, with the number of its first row from 1. */
export interface RowsRead {
  row: number;
  sentence: Sentence | TreebankError;
  document: string | undefined;
  /** It is the first one of its document. */
  begins: boolean;
  fields: string | undefined;
}

/** Whether a file is one, by its first bytes; false if it cannot be read, which is said later. */
export async function isParquet(path: string): Promise<boolean> {
  const info = path === "-" ? undefined : await stat(path).catch(() => undefined);
  if (!info?.isFile()) return false;
  const handle = await open(path).catch(() => undefined);
  const start = await handle?.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0).catch(() => undefined);
  await handle?.close();
  return start?.buffer.toString("latin1") === MAGIC;
}

/** The sentences of a file. Rows of a sentence stand together, in their order. */
export async function* readParquet(
  path: string,
  requirements: TreeRequirements = {},
  onRead?: (bytes: number) => void,
): AsyncGenerator<RowsRead, void, void> {
  if (path === "-") throw new FileError("<stdin>: cannot read: Parquet is read from its end (expected a file)");
  const { file, close } = await openParquet(path);
  try {
    yield* sentencesIn(path, file, requirements, onRead);
  } finally {
    await close();
  }
}

/** The end of a file, which says what is in it; the columns that a table needs are there. */
export function parquetMetadata(path: string): FileMetaData {
  const bytes = (from: number, to: number) => {
    const part = new Uint8Array(to - from);
    for (let done = 0; done < part.length; ) {
      const read = readSync(file, part, done, part.length - done, from + done);
      if (read === 0) throw new Error("it ends too early");
      done += read;
    }
    return part.buffer;
  };
  let file = -1;
  try {
    file = openSync(path, "r");
    const { size } = fstatSync(file);
    const length = size < 12 ? 0 : new DataView(bytes(size - 8, size)).getUint32(0, true);
    const metadata = readMetadata(bytes(Math.max(0, size - 8 - length), size));
    columnsOf(path, metadata);
    for (const [number, group] of metadata.row_groups.entries()) {
      if (group.num_rows > MOST_ROWS) {
        throw new FileError(
          `${path}: cannot read: row group ${number + 1} has ${group.num_rows} rows (expected at most ${MOST_ROWS}: write smaller ones)`,
        );
      }
    }
    return metadata;
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw (error as NodeJS.ErrnoException).code ? fileError("read", path, error) : parquetProblem(path, error);
  } finally {
    if (file >= 0) closeSync(file);
  }
}

async function openParquet(path: string): Promise<{ file: AsyncBuffer; close: () => Promise<void> }> {
  const handle = await open(path).catch((error) => {
    throw fileError("read", path, error);
  });
  const info = await handle.stat();
  if (!info.isFile()) {
    await handle.close();
    throw new FileError(`${path}: cannot read: Parquet is read from its end (expected a file)`);
  }
  const file: AsyncBuffer = {
    byteLength: info.size,
    async slice(start, end = info.size) {
      const length = Math.max(0, end - start);
      const bytes = new Uint8Array(length);
      let done = 0;
      while (done < length) {
        const { bytesRead } = await handle.read(bytes, done, length - done, start + done);
        if (bytesRead === 0) throw new Error("it ends too early");
        done += bytesRead;
      }
      return bytes.buffer;
    },
  };
  return { file, close: () => handle.close() };
}

async function* sentencesIn(
  path: string,
  file: AsyncBuffer,
  requirements: TreeRequirements,
  onRead: ((bytes: number) => void) | undefined,
): AsyncGenerator<RowsRead, void, void> {
  const metadata = parquetMetadata(path);
  const columns = columnsOf(path, metadata);
  const source = sourceName(path);
  let [rows, first, rowStart]: [WordRow[], number, number] = [[], 1, 0];
  let before: { document: string | undefined } | undefined;
  const take = (): RowsRead => {
    const [document, fields] = [rows[0]!.document ?? undefined, rows[0]!.fields ?? undefined] as (string | undefined)[];
    const begins = before === undefined || before.document !== document || rows[0]!.sentence === 1;
    before = { document };
    return {
      row: first,
      sentence: sentenceIn(rows, begins ? document : undefined, { ...requirements, source, line: first }),
      document,
      begins,
      fields,
    };
  };
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const read = (await library(path, () =>
      parquetReadObjects({ file, metadata, columns: [...columns], rowStart, rowEnd, compressors: COMPRESSORS }),
    )) as WordRow[];
    onRead?.(group.columns.reduce((sum, { meta_data }) => sum + Number(meta_data?.total_compressed_size ?? 0), 0));
    for (const [k, row] of read.entries()) {
      const last = rows[rows.length - 1];
      if (last && (last.sentence !== row.sentence || last.document !== row.document || row.id === 1)) {
        yield take();
        rows = [];
      }
      if (rows.length === 0) first = rowStart + k + 1;
      rows.push(row);
    }
    rowStart = rowEnd;
  }
  if (rows.length > 0) yield take();
}

/** The columns of ours that the file has. */
function columnsOf(path: string, metadata: FileMetaData): readonly WordColumn[] {
  const there = new Set(parquetSchema(metadata).children.map(({ element }) => element.name));
  for (const name of NEEDED) {
    if (!there.has(name)) {
      throw new FileError(
        `${path}: cannot read: no column "${name}" (expected a row for each word: see docs/corpora.md)`,
      );
    }
  }
  return NAMES.filter((name) => there.has(name));
}

/** Formats that the library unpacks by itself, and gzip; programs write these unless they are asked for others. */
export const COMPRESSORS = {
  // A page says how large it becomes; a few bytes may become gigabytes.
  GZIP: (bytes: Uint8Array, length: number) =>
    new Uint8Array(gunzipSync(bytes, { maxOutputLength: Math.max(1, length) })),
};

async function library<T>(path: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof FileError ? error : parquetProblem(path, error);
  }
}

/** The problem that the library, or whoever reads pages, has found in a file. */
export function parquetProblem(path: string, error: unknown): FileError {
  const message = error instanceof Error ? error.message : String(error);
  return new FileError(
    `${path}: cannot read: not a Parquet file that can be used: ${message.replace(/^parquet /, "")}`,
  );
}

/** The sentence of rows, or what is wrong with them; `begins`: the name of the document that it begins. */
export function sentenceIn(
  rows: readonly WordRow[],
  begins: string | undefined,
  options: TreeRequirements & { source: string; line: number },
): Sentence | TreebankError {
  const { source, line } = options;
  try {
    for (const [k, row] of rows.entries()) check(row, k + 1, { source, line: line + k });
    return Sentence.from(sentenceOfRows(rows, begins), options);
  } catch (error) {
    if (error instanceof TreebankError) {
      const { what, value, expected } = error;
      return new TreebankError(source, { what, value, expected, line: error.source === source ? error.line : line });
    }
    if (error instanceof SyntaxError) {
      const expected = `JSON in token_fields and empty_nodes: ${error.message}`;
      return new TreebankError(source, { what: "row", value: String(line), expected, line });
    }
    throw error;
  }
}

/** Other programs may have written other types. */
function check(row: WordRow, id: number, place: { source: string; line: number }): void {
  for (const name of NAMES) {
    let value: unknown = row[name];
    if (value === undefined || value === null) continue;
    if (typeof value === "bigint") {
      value = Number(value);
      row[name] = value as number;
    }
    const isText = WORD_COLUMNS[name].type === "string";
    if (typeof value !== (isText ? "string" : "number")) {
      fail(name, String(value), isText ? "a string" : "a number", place);
    }
  }
  if (row.id !== id) fail("id", String(row.id), `${id}: rows of a sentence stand together, in their order`, place);
  if (typeof row.form !== "string") fail("form", String(row.form), "a string", place);
}

function fail(what: string, value: string, expected: string, place: { source: string; line: number }): never {
  throw new TreebankError(place.source, { what, value, expected, line: place.line });
}
