// Sentences that were parsed before, with the documents that they are of.
import type { Sentence } from "@stemma/core";
import { TreebankError, TreebankReader, type TreeRequirements } from "@stemma/core/treebank";
import {
  commentText,
  DEFAULT_FIELDS,
  type DocumentFields,
  furtherFields,
  newDocumentComment,
  newDocumentOf,
  readDocument,
  readLinesOf,
  SENTENCES,
} from "@stemma/server/annotation";
import { FileError, ReadReport, readBytes, sourceName } from "../files/io.js";
import { warn } from "../terminal/messages.js";
import type { DocumentFormat, DocumentStart } from "./document-writer.js";
import { readParquet } from "./parquet-reader.js";

/** Bytes of a line of JSON with sentences in it: a text of a few megabytes, parsed. */
const LONGEST_PARSED = 1 << 28;

export interface ReadDocumentsOptions extends TreeRequirements {
  strict?: boolean | undefined;
  report?: ReadReport;
  /** Documents without sentences come as texts, instead of being wrong. */
  texts?: boolean | undefined;
  fields?: DocumentFields | undefined;
  /** The bytes of the file, if some of them were read. */
  chunks?: AsyncIterable<Uint8Array> | undefined;
}

/** A sentence; with what its document is, if it is the first; without a sentence for a document that has none. */
export interface DocumentSentence {
  begins?: DocumentStart;
  sentence?: Sentence;
  text?: string;
  /** Line or row. */
  place: number;
}

/** The sentences of documents in a file; what is wrong is said and left out, or thrown if that is asked for. */
export async function* readDocumentSentences(
  path: string,
  format: DocumentFormat,
  options: ReadDocumentsOptions = {},
): AsyncGenerator<DocumentSentence, void, void> {
  const {
    strict,
    report = new ReadReport(),
    texts,
    fields: where = DEFAULT_FIELDS,
    requireTree,
    singleRoot,
    allowNonTrees,
  } = options;
  const requirements = { requireTree, singleRoot, allowNonTrees };
  const skip = (error: TreebankError, what: "sentence" | "document") => {
    if (strict) throw error;
    if (what === "sentence") report.skipped++;
    else report.skippedDocuments++;
    warn(`${error.message}: ${what} skipped`);
  };
  if (format === "parquet") {
    for await (const { sentence, row, begins, document, fields } of readParquet(path, requirements)) {
      const start = begins ? { begins: { id: document, json: objectOf(document, fields), fields } } : {};
      if (begins) report.documents++;
      if (sentence instanceof TreebankError) {
        skip(sentence, "sentence");
        // The sentences that follow are of the document all the same.
        if (begins) yield { ...start, place: row };
      } else {
        report.read++;
        yield { ...start, sentence, place: row };
      }
    }
    return;
  }
  const source = sourceName(path);
  for await (const lines of readLinesOf(options.chunks ?? readBytes(path), LONGEST_PARSED)) {
    for (const line of lines) {
      let document: ReturnType<typeof readDocument>;
      try {
        document = readDocument(line, where, source, "either");
        if (!document.sentences && !texts) throw unparsed(source, line.line);
      } catch (error) {
        if (!(error instanceof TreebankError)) throw error;
        skip(error, "document");
        continue;
      }
      const { json, id, text, sentences } = document;
      report.documents++;
      if (!sentences) {
        yield { begins: { id }, text: text!, place: line.line };
        continue;
      }
      let begins: DocumentStart | undefined = { id, json, fields: furtherFields(json, where) };
      for (const each of sentences) {
        const reader = new TreebankReader({ format: "json", source, line: line.line, ...requirements });
        for (const sentence of [...reader.push(Buffer.from(JSON.stringify(each))), ...reader.end()]) {
          if (sentence instanceof TreebankError) skip(sentence, "sentence");
          else {
            report.read++;
            if (begins && id !== undefined && !newDocumentOf(sentence.comments)) {
              sentence.comments = [newDocumentComment(commentText(id)), ...sentence.comments];
            }
            yield { ...(begins ? { begins } : {}), sentence, place: line.line };
            begins = undefined;
          }
        }
      }
      if (begins) yield { begins, place: line.line };
    }
  }
}

/** The object that a document of a table is in JSON. */
function objectOf(id: string | undefined, fields: string | undefined): string {
  const own = id === undefined ? "" : `"id":${JSON.stringify(id)}`;
  if (fields === undefined || !/^\s*\{/.test(fields)) return `{${own}}`;
  try {
    JSON.parse(fields);
  } catch {
    throw new FileError(`invalid fields: ${fields.slice(0, 60)} (expected a JSON object in the column "fields")`);
  }
  const rest = fields.trim().slice(1);
  return `{${own}${own === "" || rest.trim() === "}" ? "" : ","}${rest}`;
}

function unparsed(source: string, line: number): TreebankError {
  const expected = "an array: stemma parse --from jsonl parses the text";
  return new TreebankError(source, { what: `field "${SENTENCES}"`, value: "missing", expected, line });
}
