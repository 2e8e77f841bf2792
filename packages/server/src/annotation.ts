// The work of a thread on a piece of a text or treebank, for the command line and the server; not for others.
export { Annotator } from "./annotation/annotator.js";
export { readPieces } from "./annotation/batches.js";
export { documentStart, faultyDocument } from "./annotation/documents/document-json.js";
export {
  DEFAULT_FIELDS,
  type DocumentFields,
  type DocumentLine,
  furtherFields,
  LONGEST_LINE,
  readDocument,
  SENTENCES,
} from "./annotation/documents/document-line.js";
export { type Line, readLinesOf } from "./annotation/documents/lines.js";
export { membersOf, withoutMembers } from "./annotation/documents/object-members.js";
export { InOrder } from "./annotation/in-order.js";
export { jsonMembers } from "./annotation/json-members.js";
export { commentText, sentenceId } from "./annotation/names.js";
export { conlluOf, jsonOf } from "./annotation/numbered.js";
export {
  type AnnotatedSentence,
  type AnnotationOptions,
  type DocumentsInput,
  type OutputName,
  type Piece,
  type PieceInput,
  type PieceProblem,
  type PieceResult,
  TEXT_FORMATS,
  type TextFormat,
  type TextInput,
} from "./annotation/piece.js";
export {
  newDocumentComment,
  newDocumentOf,
  type SentenceTable,
  sentenceOfRows,
  sentenceTable,
  WORD_COLUMNS,
  type WordColumn,
  type WordRow,
} from "./annotation/word-table.js";
