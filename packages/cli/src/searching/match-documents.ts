import { readTreebank } from "@stemma/core";
import { annotated, documentWriter } from "../documents/annotated.js";
import type { DocumentFormat, DocumentWriter } from "../documents/document-writer.js";
import type { Output } from "../files/output.js";

/** Writes sentences that were found as documents: those of one document together, others each by itself. */
export class MatchDocuments {
  private readonly writer: DocumentWriter;
  private current: { id: string | undefined } | undefined;

  constructor(
    private readonly to: DocumentFormat,
    out: Output,
  ) {
    this.writer = documentWriter(to, out);
  }

  /** `conllu`: a sentence; `document`: the name of its document, if that is known. */
  async write(conllu: string, document: string | undefined): Promise<void> {
    const isSame = this.current !== undefined && this.current.id === document;
    // A table keeps sentences apart by their numbers; a line of all of them could grow without end.
    if (!isSame || (document === undefined && this.to === "jsonl")) {
      await this.end();
      this.current = { id: document };
      await this.writer.begin({ id: document, namesSentences: true });
    }
    for (const sentence of readTreebank(conllu, { allowNonTrees: true })) {
      await this.writer.write({ ...annotated(sentence, this.to), rank: 1 });
    }
  }

  private async end(): Promise<void> {
    if (this.current) await this.writer.end();
    this.current = undefined;
  }

  async finish(): Promise<void> {
    await this.end();
    await this.writer.finish();
  }
}
