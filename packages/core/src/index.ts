/**
 * Parsing text and looking at its trees: `load` gives a `Pipeline`, which gives `Sentence`s of `Word`s;
 * trees are drawn and searched. Treebanks, transition systems, evaluation, training and the language of patterns have
 * entries of their own (`@stemma/core/treebank`, `/systems`, `/evaluation`, `/training`, `/search`).
 *
 * @packageDocumentation
 */

export { type LatexOptions, latexDocument, toLatex } from "./drawing/latex.js";
export type { Direction, Drawable, DrawablePredicate } from "./drawing/layout.js";
export { type SVGOptions, toStackedSVG, toSVG } from "./drawing/svg.js";
export { type TextOptions, toText } from "./drawing/text.js";
export { useWebAssembly, type WebAssemblyModules } from "./kernels/kernel.js";
export type { Pattern } from "./matching/language/pattern.js";
export { PatternError } from "./matching/language/pattern-error.js";
export { MatchValue } from "./matching/match-value.js";
export type { MatchableSentence } from "./matching/matchable-sentence.js";
export { Match, match } from "./matching/matcher.js";
export { type BlobLike, load, type ModelSource, type ResponseLike, type URLLike } from "./model-file/load.js";
export { type ReadModelOptions, readModel, writeModel } from "./model-file/model-file.js";
export { ModelFileError } from "./model-file/open-model.js";
export type { Merging } from "./parser/merging.js";
export type { CommonHeader } from "./parser/model-header.js";
export { ParserModel } from "./parser/parser.js";
export type { LaterPart, ParserOptions, TreeParserModel } from "./parser/tree-parser.js";
export type { GivenToken, GivenWord } from "./pipeline/given-word.js";
export type { LemmatizerModel } from "./pipeline/lemmatizer/lemmatizer.js";
export {
  type AbortSignalLike,
  type AnnotateOptions,
  MAX_WORDS,
  type ParseOptions,
  SentenceTooLong,
  type TextKind,
} from "./pipeline/parse-options.js";
export { Pipeline } from "./pipeline/pipeline.js";
export { PipelineModel, type PipelineParts } from "./pipeline/pipeline-model.js";
export type { PipelineOptions } from "./pipeline/pipeline-options.js";
export { type RawSentence, type RawToken, Segmenter } from "./pipeline/segmenter/segmenter.js";
export type { SegmenterModel } from "./pipeline/segmenter/segmenter-model.js";
export { SegmenterStream } from "./pipeline/segmenter/segmenter-stream.js";
export type { TokenExceptions } from "./pipeline/segmenter/token-exceptions.js";
export type { GivenTags } from "./pipeline/tagger/agreeing-analyses.js";
export type { TaggerModel } from "./pipeline/tagger/tagger-model.js";
export type { ReadableStreamLike, TextChunk, TextSource } from "./pipeline/text-stream.js";
export type { NetworkHeader } from "./scoring/network/shape.js";
export type { Confidence } from "./search/confidence/confidence.js";
export { ImpossibleConstraints } from "./search/constraints/impossible-constraints.js";
export type { PartialTree } from "./search/constraints/tree-constraints.js";
export type { Part, Program } from "./storage/part.js";
export { type ReaderOptions, readTreebank } from "./treebank/formats/reader.js";
export {
  type AttributesJSON,
  type EmptyNodeJSON,
  JSON_VERSION,
  type MultiWordTokenJSON,
  type SentenceJSON,
  type WordJSON,
} from "./treebank/formats/to-json.js";
export type { ConlluOptions } from "./treebank/formats/write-conllu.js";
export type { Attributes } from "./treebank/sentence/attributes.js";
export type { Clause } from "./treebank/sentence/clauses.js";
export type { EmptyNode, MultiWordToken, SentencePart, TreeRank } from "./treebank/sentence/columns.js";
export { Document, documentsOf, type Paragraph } from "./treebank/sentence/document.js";
export type {
  ColumnsInput,
  EmptyNodeInput,
  MultiWordTokenInput,
  SentenceInput,
  SentenceOptions,
  WordInput,
} from "./treebank/sentence/list-columns.js";
export type { Annotation, ParsedTree } from "./treebank/sentence/parsed-tree.js";
export { type Argument, Predicate } from "./treebank/sentence/semantics/predicate.js";
export type { ArgumentData, PredicateData } from "./treebank/sentence/semantics/predicate-data.js";
export { type ParsedSentence, Sentence } from "./treebank/sentence/sentence.js";
export { textOf } from "./treebank/sentence/spaces.js";
export { Span } from "./treebank/sentence/span.js";
export type { Token } from "./treebank/sentence/token.js";
export { Word } from "./treebank/sentence/word.js";
export type { Upos } from "./treebank/universal.js";
export {
  createWorkerParser,
  type ParseAllOptions,
  type ParsedDocument,
  type WorkerParser,
  type WorkerParserOptions,
} from "./workers/worker-parser.js";
export type { WorkerLike } from "./workers/worker-queue.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { type Ability, type Limits, refusal } from "./checks/abilities.js";
/** @internal */
export { cellWidth, printable } from "./drawing/characters.js";
/** @internal */
export { escapeLatex } from "./drawing/latex.js";
/** @internal */
export { arcLevels, roleRows } from "./drawing/layout.js";
/** @internal */
export type { GraphModel } from "./graph/graph-model.js";
/** @internal */
export type { CandidateFinder } from "./joint-tagging/candidate-finder.js";
/** @internal */
export type { TagChoices } from "./joint-tagging/tag-choices.js";
/** @internal */
export { loadModel, type NamedSearch, namedSearch, searchNamed } from "./model-file/load.js";
/** @internal */
export { MODEL_FORMAT_VERSION } from "./model-file/open-model.js";
/** @internal */
export { confidenceOf } from "./parser/default-confidence.js";
/** @internal */
export type { ModelHeader } from "./parser/model-header.js";
/** @internal */
export { Parser, type Search } from "./parser/parser.js";
/** @internal */
export type { TreeParser, TreeStep } from "./parser/tree-parser.js";
/** @internal */
export { Lemmatizer } from "./pipeline/lemmatizer/lemmatizer.js";
/** @internal */
export { PARTS } from "./pipeline/pipeline-model.js";
/** @internal */
export { paragraphEnd } from "./pipeline/segmenter/characters/paragraphs.js";
/** @internal */
export type { Split } from "./pipeline/segmenter/segment-multiword.js";
/** @internal */
export { plainText, surfaceOf } from "./pipeline/segmenter/segment-text.js";
/** @internal */
export type { Analyses } from "./pipeline/tagger/analyses.js";
/** @internal */
export { Tagger } from "./pipeline/tagger/tagger.js";
/** @internal */
export type { Classes } from "./scoring/classes.js";
/** @internal */
export type { ConfigurationScorer } from "./scoring/scorer.js";
/** @internal */
export type { ArcDoubts } from "./search/confidence/arc-doubts.js";
/** @internal */
export { arcProbability } from "./search/confidence/confidence.js";
/** @internal */
export { type Constraints, TreeConstraints } from "./search/constraints/tree-constraints.js";
/** @internal */
export type { Decider } from "./search/decider.js";
/** @internal */
export type { Start } from "./workers/messages.js";
/** @internal */
export { attachModel, type SharedModel, shareModel } from "./workers/shared-model.js";
