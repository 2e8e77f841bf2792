import type { Sentence } from "@stemma/core";
import type { AnnotatedSentence } from "@stemma/server/annotation";
import { jsonMembers, newDocumentOf, sentenceTable } from "@stemma/server/annotation";
import type { Output } from "../files/output.js";
import {
  type DocumentFormat,
  type DocumentWriter,
  JsonlWriter,
  TableWriter,
  TreebankDocuments,
} from "./document-writer.js";
import type { DocumentSentence } from "./read-documents.js";

/** A sentence that has been read, as writers of documents take it. */
export function annotated(sentence: Sentence, to: DocumentFormat): AnnotatedSentence {
  return {
    body: to === "jsonl" ? jsonMembers(sentence) : "",
    ...(to === "parquet" ? { table: sentenceTable(sentence) } : {}),
    newParagraph: false,
    rank: sentence.tree?.rank ?? 1,
    newDocument: newDocumentOf(sentence.comments),
  };
}

export function documentWriter(to: DocumentFormat, out: Output): DocumentWriter {
  return to === "jsonl" ? new JsonlWriter(out) : new TableWriter(out);
}

/** `areDocuments`: the sentences say of which they are; otherwise their comments do. */
export async function writeDocuments(
  sentences: AsyncIterable<DocumentSentence>,
  areDocuments: boolean,
  to: DocumentFormat,
  out: Output,
): Promise<void> {
  const writer = documentWriter(to, out);
  const treebank = new TreebankDocuments(writer, to === "jsonl");
  let isOpen = false;
  for await (const { begins, sentence } of sentences) {
    if (begins) {
      if (isOpen) await writer.end();
      isOpen = true;
      await writer.begin({ ...begins, namesSentences: true });
    }
    if (sentence) await (areDocuments ? writer : treebank).write(annotated(sentence, to));
  }
  if (isOpen) await writer.end();
  await treebank.endFile();
  await writer.finish();
}
