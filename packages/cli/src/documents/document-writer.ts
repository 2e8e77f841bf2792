// Documents with their sentences, as they come, in each format that can hold them.
import { conlluOf, jsonOf } from "../annotation/numbered.js";
import type { AnnotatedSentence } from "../annotation/piece.js";
import type { Output } from "../output.js";
import { SENTENCES } from "./document-line.js";
import { withoutMembers } from "./json-members.js";
import { WordTableWriter } from "./parquet-writer.js";
import { newDocumentComment } from "./word-table.js";

/** The formats in which sentences belong to documents. */
export const DOCUMENT_FORMATS = ["jsonl", "parquet"] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** What is known of a document before its sentences. */
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
    await this.sentence(sentence, this.count, this.document.namesSentences ? undefined : this.sentenceId(this.count));
  }

  /** `id`: undefined for a sentence that brings its own. */
  protected abstract sentence(sentence: AnnotatedSentence, number: number, id: string | undefined): Promise<void>;

  async end(): Promise<void> {}

  /** After the last document. */
  async finish(): Promise<void> {}

  private sentenceId(number: number): string {
    return this.document.id === undefined ? String(number) : `${commentText(this.document.id)}-${number}`;
  }
}

/** A name as it can stand in a comment of CoNLL-U. */
export function commentText(name: string): string {
  return name.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** A document a line. */
export class JsonlWriter extends DocumentWriter {
  private isFirst = true;

  override async begin(document: DocumentStart): Promise<void> {
    await super.begin(document);
    const { id, json = id === undefined ? "{}" : JSON.stringify({ id }) } = document;
    const open = json.slice(0, json.lastIndexOf("}")).trimEnd();
    await this.out.write(`${open}${open === "{" ? "" : ","}"${SENTENCES}":[`);
    this.isFirst = true;
  }

  protected async sentence(sentence: AnnotatedSentence, _: number, id: string | undefined): Promise<void> {
    await this.out.write((this.isFirst ? "" : ",") + jsonOf(sentence, id));
    this.isFirst = false;
  }

  override async end(): Promise<void> {
    await this.out.write("]}\n");
  }

  /** A document that could not be read: its object, or else its line, with what is wrong with it. */
  async problem(line: string | undefined, field: string, message: string): Promise<void> {
    const error = `${JSON.stringify(field)}:${JSON.stringify(message)}`;
    const object = isObject(line) ? withoutMembers(line, [field]) : JSON.stringify({ line });
    const open = object === undefined ? "{" : object.slice(0, object.lastIndexOf("}")).trimEnd();
    await this.out.write(`${open}${open === "{" ? "" : ","}${error}}\n`);
  }
}

function isObject(json: string | undefined): json is string {
  try {
    const value: unknown = JSON.parse(json ?? "");
    return value !== null && typeof value === "object" && !Array.isArray(value);
  } catch {
    return false;
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

  /** What comes next is of another file. */
  async endFile(): Promise<void> {
    if (this.isOpen) await this.writer.end();
    this.isOpen = false;
    this.isNamed = false;
  }
}
