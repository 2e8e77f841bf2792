/**
 * What parsing text and looking at its trees takes: `load` gives a `Pipeline`, which gives `Sentence`s of `Word`s;
 * trees are drawn and searched. Treebanks, transition systems, evaluation, training and the language of patterns have
 * entries of their own (`@stemma/core/treebank`, `/systems`, `/evaluation`, `/training`, `/search`).
 *
 * @packageDocumentation
 */

export { type Ability, type Limits, refusal } from "./checks/abilities.js";
export { cellWidth, printable } from "./drawing/characters.js";
export { escapeLatex, type LatexOptions, latexDocument, toLatex } from "./drawing/latex.js";
export { arcLevels, type Direction, type Drawable, type DrawablePredicate, roleRows } from "./drawing/layout.js";
export { type SVGOptions, toStackedSVG, toSVG } from "./drawing/svg.js";
export { type TextOptions, toText } from "./drawing/text.js";
export type { GraphHeader } from "./graph/graph-header.js";
export type { GraphModel } from "./graph/graph-model.js";
export type { GraphParser } from "./graph/graph-parser.js";
export type { CandidateFinder } from "./joint-tagging/candidate-finder.js";
export type { JointTagging } from "./joint-tagging/joint-header.js";
export type { TagChoices } from "./joint-tagging/tag-choices.js";
export type { Pattern } from "./matching/language/pattern.js";
export { PatternError } from "./matching/language/pattern-error.js";
export { MatchValue } from "./matching/match-value.js";
export type { MatchableSentence } from "./matching/matchable-sentence.js";
export { Match, match } from "./matching/matcher.js";
export {
  type BlobLike,
  load,
  loadModel,
  type ModelSource,
  type NamedSearch,
  namedSearch,
  type ResponseLike,
  searchNamed,
  type URLLike,
} from "./model-file/load.js";
export {
  MODEL_FORMAT_VERSION,
  ModelFileError,
  type ReadModelOptions,
  readModel,
  writeModel,
} from "./model-file/model-file.js";
export { confidenceOf } from "./parser/default-confidence.js";
export type { Merging } from "./parser/merging.js";
export type { CommonHeader, ModelHeader, TrainedParser } from "./parser/model-header.js";
export { Parser, ParserModel, type Search } from "./parser/parser.js";
export type {
  DoubtingParser,
  LaterPart,
  ParserOptions,
  ScoredTree,
  TreeOptions,
  TreeParser,
  TreeParserModel,
  TreeStep,
} from "./parser/tree-parser.js";
export type { GivenWord } from "./pipeline/given-word.js";
export { Lemmatizer, type LemmatizerHeader, type LemmatizerModel } from "./pipeline/lemmatizer/lemmatizer.js";
export {
  type AbortSignalLike,
  MAX_WORDS,
  type ParseOptions,
  SentenceTooLong,
  type TextKind,
} from "./pipeline/parse-options.js";
export { Pipeline } from "./pipeline/pipeline.js";
export { PARTS, type PartName, PipelineModel, type PipelineParts } from "./pipeline/pipeline-model.js";
export { paragraphEnd } from "./pipeline/segmenter/characters/paragraphs.js";
export type { MultiWordRules, Split } from "./pipeline/segmenter/segment-multiword.js";
export { type MarkedText, plainText, type Surface, surfaceOf } from "./pipeline/segmenter/segment-text.js";
export {
  type RawSentence,
  type RawToken,
  Segmenter,
} from "./pipeline/segmenter/segmenter.js";
export type { SegmenterHeader, SegmenterModel } from "./pipeline/segmenter/segmenter-model.js";
export { SegmenterStream } from "./pipeline/segmenter/segmenter-stream.js";
export type { GivenTags } from "./pipeline/tagger/agreeing-analyses.js";
export type { Analyses } from "./pipeline/tagger/analyses.js";
export { type TagCandidate, Tagger } from "./pipeline/tagger/tagger.js";
export type { TaggerHeader } from "./pipeline/tagger/tagger-header.js";
export type { TaggerModel } from "./pipeline/tagger/tagger-model.js";
export type { ReadableStreamLike, TextChunk, TextSource } from "./pipeline/text-stream.js";
export type { Classes } from "./scoring/classes.js";
export type { ContextualVectors } from "./scoring/network/network-data.js";
export type { NetworkHeader } from "./scoring/network/shape.js";
export type { ConfigurationScorer } from "./scoring/scorer.js";
export type { ArcDoubts } from "./search/confidence/arc-doubts.js";
export { arcProbability, type Confidence } from "./search/confidence/confidence.js";
export { ImpossibleConstraints } from "./search/constraints/impossible-constraints.js";
export { type Constraints, type PartialTree, TreeConstraints } from "./search/constraints/tree-constraints.js";
export type { Decider } from "./search/decider.js";
export type { Codec, Part, Program } from "./storage/part.js";
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
export { Sentence } from "./treebank/sentence/sentence.js";
export { textOf } from "./treebank/sentence/spaces.js";
export { Span } from "./treebank/sentence/span.js";
export type { Token } from "./treebank/sentence/token.js";
export { Word } from "./treebank/sentence/word.js";
export type { Start } from "./workers/messages.js";
export { attachModel, type SharedModel, shareModel } from "./workers/shared-model.js";
export {
  createWorkerParser,
  type WorkerParser,
  type WorkerParserOptions,
} from "./workers/worker-parser.js";
export type { WorkerLike } from "./workers/worker-queue.js";
