/**
 * Treebanks: reading and writing their formats, the sentence and its words, measures of trees, statistics, pseudo-projective transformation.
 *
 * @packageDocumentation
 */
export type { AttributeColumn, Attributes } from "./treebank/attributes.js";
export type { EmptyNode, Fields, MultiWordToken, ParsedText, SentenceColumns, TreeRank } from "./treebank/columns.js";
export { commentValue, rankComments } from "./treebank/comments.js";
export { Document, documentsOf, type Paragraph } from "./treebank/document.js";
export { TreebankError, type TreebankProblem } from "./treebank/errors.js";
export { countLosses, formatSentence } from "./treebank/formats/format-sentence.js";
export { SENTENCE_SCHEMA } from "./treebank/formats/json-schema.js";
export type { Column, Layout } from "./treebank/formats/layout.js";
export { FORMATS, type Format, type ReaderOptions, readTreebank, TreebankReader } from "./treebank/formats/reader.js";
export type { TreeRequirements } from "./treebank/formats/requirements.js";
export { type Block, BlockSplitter } from "./treebank/formats/split.js";
export type { ExtraJSON } from "./treebank/formats/to-json.js";
export {
  type AttributesJSON,
  type EmptyNodeJSON,
  JSON_VERSION,
  type MultiWordTokenJSON,
  type SentenceJSON,
  type WordJSON,
} from "./treebank/formats/to-json.js";
export type { ConlluOptions } from "./treebank/formats/write-conllu.js";
export type {
  ColumnsInput,
  EmptyNodeInput,
  Measures,
  MultiWordTokenInput,
  Optional,
  SentenceInput,
  SentenceOptions,
  WordInput,
} from "./treebank/list-columns.js";
export * from "./treebank/pseudo-projective.js";
export { Sentence } from "./treebank/sentence.js";
export { endsInParagraphBreak, isParagraphBreak, textOf } from "./treebank/spaces.js";
export { Span } from "./treebank/span.js";
export * from "./treebank/statistics.js";
export type { Token } from "./treebank/token.js";
export { withoutScore, withScore } from "./treebank/token-misc.js";
export * from "./treebank/tree.js";
export { Word } from "./treebank/word.js";
