// Documents with their sentences, as they come, in each format that can hold them.

import type { AnnotatedSentence } from "@stemma/server/annotation";
import {
  commentText,
  conlluOf,
  documentStart,
  faultyDocument,
  jsonOf,
  newDocumentComment,
  sentenceId,
  type WordColumn,
} from "@stemma/server/annotation";
import type { Output } from "../files/output.js";
import { WordTableWriter } from "./parquet-writer.js";

/** The formats in which sentences belong to documents. */
export const DOCUMENT_FORMATS = ["jsonl", "parquet"] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];
/** Additional output of `stemma parse` for documents. */
export const PARSED_FORMATS = [...DOCUMENT_FORMATS, "columns"] as const;
export type ParsedFormat = (typeof PARSED_FORMATS)[number];

/** Information on a document before its sentences. */
export interface DocumentStart {
  id: string | undefined;
  /** The object that it came in, which it keeps. */
  json?: string | undefined;
  /** The fields of that object but for text and name, where they are wanted. */
  fields?: string | undefined;
  /** Its sentences have names already. */
  namesSentences?: boolean | undefined;
}

/** Writes documents one after the other. */
export abstract class DocumentWriter {
  protected document: DocumentStart = { id: undefined };
  private count = 0;

  constructor(protected readonly out: Output) {}

  async begin(document: DocumentStart): Promise<void> {
    this.document = document;
    this.count = 0;
  }

  async write(sentence: AnnotatedSentence): Promise<void> {
    if (sentence.rank === 1) this.count++;
    await this.sentence(
      sentence,
      this.count,
      this.document.namesSentences ? undefined : sentenceId(this.document.id, this.count),
    );
  }

  /** `id`: undefined for a sentence that brings its own. */
  protected abstract sentence(sentence: AnnotatedSentence, number: number, id: string | undefined): Promise<void>;

  async end(): Promise<void> {}

  /**
   * A document that could not be read: its object, or else its line, with what is wrong with it in a field. Returns
   * false where there is no place for it.
   */
  async problem(_line: string | undefined, _field: string, _message: string): Promise<boolean> {
    return false;
  }

  /** After the last document. */
  async finish(): Promise<void> {}
}

/** A document a line. */
export class JsonlWriter extends DocumentWriter {
  private isFirst = true;

  override async begin(document: DocumentStart): Promise<void> {
    await super.begin(document);
    const { id, json = id === undefined ? "{}" : JSON.stringify({ id }) } = document;
    await this.out.write(documentStart(json));
    this.isFirst = true;
  }

  protected async sentence(sentence: AnnotatedSentence, _: number, id: string | undefined): Promise<void> {
    await this.out.write((this.isFirst ? "" : ",") + jsonOf(sentence, id));
    this.isFirst = false;
  }

  override async end(): Promise<void> {
    await this.out.write("]}\n");
  }

  override async problem(line: string | undefined, field: string, message: string): Promise<boolean> {
    await this.out.write(faultyDocument(line, field, JSON.stringify(message)));
    return true;
  }
}

/** CoNLL-U, in which documents begin with a comment. */
export class ConlluWriter extends DocumentWriter {
  protected async sentence(sentence: AnnotatedSentence, number: number, id: string | undefined): Promise<void> {
    const { id: document } = this.document;
    const begins = number === 1 && sentence.rank === 1 && document !== undefined;
    await this.out.write((begins ? `${newDocumentComment(commentText(document))}\n` : "") + conlluOf(sentence, id));
  }
}

/** A sentence a line, without its document. */
export class SentenceWriter extends DocumentWriter {
  protected async sentence(sentence: AnnotatedSentence, _: number, id: string | undefined): Promise<void> {
    await this.out.write(`${jsonOf(sentence, id)}\n`);
  }
}

/** A row a word. */
export class TableWriter extends DocumentWriter {
  private readonly table: WordTableWriter;

  constructor(out: Output) {
    super(out);
    this.table = new WordTableWriter(out);
  }

  protected async sentence({ table }: AnnotatedSentence, number: number, id: string | undefined): Promise<void> {
    await this.table.write(this.document, number, id === undefined ? table! : { ...table!, sentId: id });
  }

  override async finish(): Promise<void> {
    await this.table.finish();
  }
}

/** A document a line with the columns of its words: a table that other programs read fast, and as it comes. */
export class ColumnsWriter extends DocumentWriter {
  private columns = new Map<WordColumn, unknown[]>();
  private rows = 0;
  /** The fields that all words of a sentence share, once. */
  private sentences: Record<"sent_id" | "text" | "comments", (string | null)[]> = emptySentences();

  override async begin(document: DocumentStart): Promise<void> {
    await super.begin(document);
    this.columns = new Map();
    this.rows = 0;
    this.sentences = emptySentences();
  }

  protected async sentence({ table }: AnnotatedSentence, number: number, id: string | undefined): Promise<void> {
    const { text, comments, sentId, rows } = table!;
    this.sentences.sent_id.push(id ?? sentId ?? null);
    this.sentences.text.push(text ?? null);
    this.sentences.comments.push(comments ?? null);
    for (const row of rows) {
      this.column("sentence").push(number);
      for (const [name, value] of Object.entries(row)) if (value !== null) this.column(name as WordColumn).push(value);
      this.rows++;
      for (const column of this.columns.values()) if (column.length < this.rows) column.push(null);
    }
  }

  /** With nulls for the rows before the first value. */
  private column(name: WordColumn): unknown[] {
    let column = this.columns.get(name);
    if (column === undefined) {
      column = new Array<null>(this.rows).fill(null);
      this.columns.set(name, column);
    }
    return column;
  }

  override async end(): Promise<void> {
    const { id: document, fields } = this.document;
    const { rows, sentences } = this;
    const columns = Object.fromEntries(this.columns);
    await this.out.write(`${JSON.stringify({ document, fields, rows, sentences, columns })}\n`);
  }

  override async problem(line: string | undefined, field: string, message: string): Promise<boolean> {
    await this.out.write(`${JSON.stringify({ line, [field]: message })}\n`);
    return true;
  }
}

function emptySentences() {
  return { sent_id: [], text: [], comments: [] };
}

/**
 * Passes on the sentences of a treebank: documents begin where it says so; before the first that begins, every sentence
 * is a document by itself, so that no line grows without end (`separate`), or all are one that has no name.
 */
export class TreebankDocuments {
  private isOpen = false;
  private isNamed = false;

  constructor(
    private readonly writer: DocumentWriter,
    private readonly separate: boolean,
    /** The name of what is before the first document. */
    private readonly name?: string | undefined,
  ) {}

  async write(sentence: AnnotatedSentence): Promise<void> {
    const { newDocument, rank } = sentence;
    if (rank === 1) {
      if (newDocument) await this.begin(newDocument.id);
      else if (this.separate && !this.isNamed) await this.begin(undefined);
      else if (!this.isOpen) await this.begin(this.name);
      if (newDocument) this.isNamed = true;
    }
    await this.writer.write(sentence);
  }

  private async begin(id: string | undefined): Promise<void> {
    await this.endFile();
    this.isOpen = true;
    await this.writer.begin({ id, namesSentences: true });
  }

  /** The sentences that follow are of another file. */
  async endFile(): Promise<void> {
    if (this.isOpen) await this.writer.end();
    this.isOpen = false;
    this.isNamed = false;
  }
}
