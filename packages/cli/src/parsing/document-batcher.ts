import type { Segmenter } from "@stemma/core";
import { TreebankError } from "@stemma/core/treebank";
import type { DocumentsInput, Line } from "@stemma/server/annotation";
import { type DocumentFields, type DocumentLine, readDocument } from "@stemma/server/annotation";
import { PIECE, TextBatcher } from "../workers/text-batcher.js";

/** Documents of a batch, if they are very short, or wrong. */
const MOST_ITEMS = 1000;

/** A document, or a part of one that is long, or a line that is none. */
export interface BatchItem {
  document?: DocumentLine;
  /** The place of its line in the file, which it is called after if it has no name. */
  offset: number;
  /** Its text begins or ends here. */
  begins: boolean;
  ends: boolean;
  problem?: { error: TreebankError; line: string | undefined };
}

/** Some documents, with the texts to be parsed: one for each item that is not a problem. */
export interface DocumentBatch {
  items: BatchItem[];
  input: DocumentsInput;
}

/** Puts short documents together, so that a thread has enough to do, and cuts long ones. */
export class DocumentBatcher {
  private items: BatchItem[] = [];
  private texts: { text: string; offset: number; continues: boolean }[] = [];
  private size = 0;

  constructor(
    private readonly fields: DocumentFields,
    private readonly source: string,
    private readonly segmenter: Segmenter | undefined,
  ) {}

  *push(line: Line): Generator<DocumentBatch> {
    const { offset } = line;
    let document: DocumentLine;
    try {
      document = this.read(line);
    } catch (error) {
      if (!(error instanceof TreebankError)) throw error;
      this.items.push({ offset, begins: false, ends: false, problem: { error, line: line.text } });
      if (this.items.length >= MOST_ITEMS) yield* this.flush();
      return;
    }
    const text = document.text!;
    if (text.length <= PIECE) {
      this.add({ document, offset, begins: true, ends: true }, { text, offset: 0, continues: false });
      if (this.size >= PIECE || this.items.length >= MOST_ITEMS) yield* this.flush();
      return;
    }
    yield* this.flush();
    const cutter = new TextBatcher("text", this.segmenter);
    let begins = true;
    let last: { text: string; offset: number; continues: boolean } | undefined;
    const batcher = this;
    function* pass(ends: boolean): Generator<DocumentBatch> {
      if (last === undefined) return;
      batcher.add({ document, offset, begins, ends }, last);
      begins = false;
      last = undefined;
      yield* batcher.flush();
    }
    for (const pieces of [cutter.push(text), cutter.end()]) {
      for (const { text, offset, continues } of pieces) {
        yield* pass(false);
        last = { text, offset, continues };
      }
    }
    yield* pass(true);
  }

  /** The rest that has not been given yet. */
  *flush(): Generator<DocumentBatch> {
    if (this.items.length === 0) return;
    const { items, texts } = this;
    this.items = [];
    this.texts = [];
    this.size = 0;
    yield { items, input: { kind: "documents", texts } };
  }

  private add(item: BatchItem, text: { text: string; offset: number; continues: boolean }): void {
    this.items.push(item);
    this.texts.push(text);
    this.size += text.text.length;
  }

  private read(line: Line): DocumentLine {
    return readDocument(line, this.fields, this.source, "text");
  }
}
