/**
 * Treebanks: reading and writing their formats, the sentence and its words, measures of trees, statistics,
 * pseudo-projective transformation.
 *
 * @packageDocumentation
 */

export { fluentSentence } from "./disfluencies/fluent.js";
export { TreebankError, type TreebankProblem } from "./treebank/errors.js";
export { formatSentence } from "./treebank/formats/format-sentence.js";
export { SENTENCE_SCHEMA } from "./treebank/formats/json-schema.js";
export type { Column } from "./treebank/formats/layout.js";
export { type Format, type ReaderOptions, readTreebank, TreebankReader } from "./treebank/formats/reader.js";
export type { Block } from "./treebank/formats/split.js";
export type { SentenceJSON, WordJSON } from "./treebank/formats/to-json.js";
export type { ConlluOptions } from "./treebank/formats/write-conllu.js";
export {
  type Deprojectivized,
  deprojectivize,
  type Projectivized,
  projectivize,
  type Scheme,
} from "./treebank/pseudo-projective.js";
export { joinSentences, splitSentence } from "./treebank/restructuring/sentences.js";
export { joinWords, type SplitOptions, splitWord } from "./treebank/restructuring/words.js";
export type { Attributes } from "./treebank/sentence/attributes.js";
export type { EmptyNode, MultiWordToken } from "./treebank/sentence/columns.js";
export { Document, documentsOf, type Paragraph } from "./treebank/sentence/document.js";
export type {
  MultiWordTokenInput,
  SentenceInput,
  SentenceOptions,
  WordInput,
} from "./treebank/sentence/list-columns.js";
export { type Argument, Predicate } from "./treebank/sentence/semantics/predicate.js";
export type { PredicateData } from "./treebank/sentence/semantics/predicate-data.js";
export { Sentence } from "./treebank/sentence/sentence.js";
export { textOf, type WrittenWords } from "./treebank/sentence/spaces.js";
export { Span } from "./treebank/sentence/span.js";
export type { Token } from "./treebank/sentence/token.js";
export { Word } from "./treebank/sentence/word.js";
export {
  type CountableSentence,
  type StatisticsSummary,
  type TreeBuilder,
  TreebankStatistics,
} from "./treebank/statistics.js";
export {
  type Children,
  children,
  depth,
  edgeDegree,
  gapDegree,
  isProjective,
  isTree,
  isWellNested,
  nonProjectiveArcs,
  type Spans,
  spans,
} from "./treebank/tree.js";
export { repairedLines } from "./treebank/validation/repair.js";
export { validate } from "./treebank/validation/validate.js";
export { type ValidationOptions, Validator } from "./treebank/validation/validator.js";
export type { Violation } from "./treebank/validation/violation.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export type { DisfluencyStatistics } from "./disfluencies/disfluency-statistics.js";
/** @internal */
export { disfluentWords } from "./disfluencies/fluent.js";
/** @internal */
export { REMOVALS, removedWords, withRemoval } from "./disfluencies/removed-words.js";
/** @internal */
export {
  StatisticsWithDisfluencies,
  type SummaryWithDisfluencies,
} from "./disfluencies/statistics-with-disfluencies.js";
/** @internal */
export { countLosses } from "./treebank/formats/format-sentence.js";
/** @internal */
export type { Layout } from "./treebank/formats/layout.js";
/** @internal */
export { FORMATS } from "./treebank/formats/reader.js";
/** @internal */
export type { TreeRequirements } from "./treebank/formats/requirements.js";
/** @internal */
export { BlockSplitter } from "./treebank/formats/split.js";
/** @internal */
export { JSON_VERSION, sentenceToJSON } from "./treebank/formats/to-json.js";
/** @internal */
export { hasMark, SCHEMES } from "./treebank/pseudo-projective.js";
/** @internal */
export {
  addEmptyNode,
  changeGraphArc,
  type GraphArc,
  removeEmptyNode,
  setEmptyNode,
} from "./treebank/restructuring/nodes.js";
/** @internal */
export { repairedHeads } from "./treebank/restructuring/repair.js";
/** @internal */
export { withTree } from "./treebank/restructuring/tree.js";
/** @internal */
export type { Fields } from "./treebank/sentence/columns.js";
/** @internal */
export { endsInParagraphBreak, surfaceText } from "./treebank/sentence/spaces.js";
/** @internal */
export { scoreOf, withoutMeasures, withoutScore, withScore } from "./treebank/sentence/token-misc.js";
/** @internal */
export { byCount, Distribution, type DistributionSummary } from "./treebank/statistics.js";
/** @internal */
export {
  arcLengths,
  assertTree,
  depths,
  edgeDegrees,
  findCycle,
  gapDegrees,
  isAncestor,
  projectiveOrder,
} from "./treebank/tree.js";
/** @internal */
export { FIXABLE } from "./treebank/validation/repair.js";
/** @internal */
export { LEVELS, RULES, type Rule, type ValidationLevel } from "./treebank/validation/violation.js";
