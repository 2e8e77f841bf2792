// Words as rows of a Parquet file, in row groups, so that memory does not grow with the file.

import { type SentenceTable, WORD_COLUMNS, type WordColumn } from "@stemma/server/annotation";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Output } from "../files/output.js";
import { VERSION } from "../files/version.js";

/** Rows of a row group: as many as DuckDB makes them, small enough for the memory of one process. */
const ROW_GROUP = 122_880;
/** The version of the columns; it changes when what is written can no longer be read as before. */
const TABLE_VERSION = 1;

type Value = Uint8Array | number | null;

const NAMES = Object.keys(WORD_COLUMNS) as WordColumn[];
const TYPES = { string: "BYTE_ARRAY", int: "INT32", double: "DOUBLE" } as const;
/** Numbers that grow slowly: differences take less room than anything else. */
const GROWING: readonly WordColumn[] = ["start_offset", "end_offset"];

const SCHEMA = [
  { name: "root", num_children: NAMES.length },
  ...NAMES.map((name) => {
    const { type, required } = { required: false, ...WORD_COLUMNS[name] };
    return {
      name,
      type: TYPES[type],
      repetition_type: required ? ("REQUIRED" as const) : ("OPTIONAL" as const),
      ...(type === "string" ? { converted_type: "UTF8" as const, logical_type: { type: "STRING" as const } } : {}),
    };
  }),
];

/** Which document a sentence is of. */
export interface TableDocument {
  id: string | undefined;
  /** Its other fields, as JSON. */
  fields?: string | undefined;
}

/** Writes sentences as they come; the same rows give the same bytes. */
export class WordTableWriter {
  private readonly bytes = new ByteWriter();
  private readonly parquet: ParquetWriter;
  private columns = emptyColumns();
  private rows = 0;
  /** Bytes of the texts of a row group, each once: the library compares strings in another order than readers do. */
  private strings = new Map<string, Uint8Array>();
  private readonly encoder = new TextEncoder();

  constructor(private readonly out: Output) {
    this.parquet = new ParquetWriter({
      writer: this.bytes,
      schema: SCHEMA,
      kvMetadata: [
        { key: "stemma", value: VERSION },
        { key: "stemma.table", value: String(TABLE_VERSION) },
      ],
    });
  }

  /** `number`: of the sentence in its document, from 1. */
  async write(document: TableDocument, number: number, sentence: SentenceTable): Promise<void> {
    const shared: [WordColumn, Value][] = [
      ["document", this.stringValue(document.id)],
      ["fields", this.stringValue(document.fields)],
      ["sentence", number],
      ["sent_id", this.stringValue(sentence.sentId)],
      ["text", this.stringValue(sentence.text)],
      ["comments", this.stringValue(sentence.comments)],
    ];
    for (const row of sentence.rows) {
      for (const [name, value] of shared) this.columns[name].push(value);
      for (let c = shared.length; c < NAMES.length; c++) {
        const name = NAMES[c]!;
        const value = row[name] ?? null;
        this.columns[name].push(typeof value === "string" ? this.stringValue(value) : value);
      }
      if (++this.rows === ROW_GROUP) await this.flush();
    }
  }

  private stringValue(text: string | undefined): Uint8Array | null {
    if (text === undefined) return null;
    let bytes = this.strings.get(text);
    if (bytes === undefined) {
      bytes = this.encoder.encode(text);
      this.strings.set(text, bytes);
    }
    return bytes;
  }

  private async flush(): Promise<void> {
    if (this.rows === 0) return;
    const columnData = NAMES.map((name) => ({
      name,
      data: this.columns[name],
      encoding: GROWING.includes(name) ? ("DELTA_BINARY_PACKED" as const) : ("RLE_DICTIONARY" as const),
    }));
    this.parquet.write({ columnData, rowGroupSize: this.rows });
    this.columns = emptyColumns();
    this.strings = new Map();
    this.rows = 0;
    await this.pass();
  }

  private async pass(): Promise<void> {
    const bytes = this.bytes.getBytes().slice();
    this.bytes.index = 0;
    await this.out.write(bytes);
  }

  /** Writes the rows that are left, and the footer. */
  async finish(): Promise<void> {
    await this.flush();
    this.parquet.finish();
    await this.pass();
  }
}

function emptyColumns(): Record<WordColumn, Value[]> {
  return Object.fromEntries(NAMES.map((name) => [name, []])) as unknown as Record<WordColumn, Value[]>;
}
