import type { Sentence } from "@stemma/core";
import type { AnnotatedSentence } from "@stemma/server/annotation";
import { jsonMembers, newDocumentOf, sentenceTable } from "@stemma/server/annotation";
import type { Output } from "../files/output.js";
import { type DocumentFormat, type DocumentWriter, JsonlWriter, TableWriter } from "./document-writer.js";

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
