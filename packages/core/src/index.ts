/**
 * Parsing text and looking at its trees: `load` gives a `Pipeline`, which gives `Sentence`s of `Word`s;
 * trees are drawn and searched. Treebanks, transition systems, evaluation, training and the language of patterns have
 * entries of their own (`@stemma/core/treebank`, `/systems`, `/evaluation`, `/training`, `/search`).
 *
 * @packageDocumentation
 */

export { type LatexOptions, toLatex } from "./drawing/latex.js";
export type { Drawable } from "./drawing/layout.js";
export { type SVGOptions, toSVG } from "./drawing/svg.js";
export { type TextOptions, toText } from "./drawing/text.js";
export { useWebAssembly, type WebAssemblyModules } from "./kernels/kernel.js";
export type { Pattern } from "./matching/language/pattern.js";
export { PatternError } from "./matching/language/pattern-error.js";
export type { MatchableSentence } from "./matching/matchable-sentence.js";
export { Match, type Matcher, match } from "./matching/matcher.js";
export { load, type ModelSource } from "./model-file/load.js";
export { type ReadModelOptions, readModel, writeModel } from "./model-file/model-file.js";
export { ModelFileError } from "./model-file/open-model.js";
export type { TreeParserModel } from "./parser/tree-parser.js";
export type { GivenToken, GivenWord } from "./pipeline/given-word.js";
export { type AnnotateOptions, MAX_WORDS, type ParseOptions, SentenceTooLong } from "./pipeline/parse-options.js";
export { Pipeline } from "./pipeline/pipeline.js";
export { PipelineModel, type PipelineParts } from "./pipeline/pipeline-model.js";
export type { PipelineOptions } from "./pipeline/pipeline-options.js";
export type { TextSource } from "./pipeline/text-stream.js";
export { ImpossibleConstraints } from "./search/constraints/impossible-constraints.js";
export type { Column } from "./treebank/formats/layout.js";
export { type ReaderOptions, readTreebank } from "./treebank/formats/reader.js";
export type { SentenceJSON, WordJSON } from "./treebank/formats/to-json.js";
export type { ConlluOptions } from "./treebank/formats/write-conllu.js";
export type { Attributes } from "./treebank/sentence/attributes.js";
export type { Clause } from "./treebank/sentence/clauses.js";
export { Document, documentsOf, type Paragraph } from "./treebank/sentence/document.js";
export type {
  MultiWordTokenInput,
  SentenceInput,
  SentenceOptions,
  WordInput,
} from "./treebank/sentence/list-columns.js";
export { type Argument, Predicate } from "./treebank/sentence/semantics/predicate.js";
export type { PredicateData } from "./treebank/sentence/semantics/predicate-data.js";
export { type ParsedSentence, Sentence } from "./treebank/sentence/sentence.js";
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
export { escapeLatex, latexDocument } from "./drawing/latex.js";
/** @internal */
export type { DrawablePredicate } from "./drawing/layout.js";
/** @internal */
export { arcLevels, roleRows } from "./drawing/layout.js";
/** @internal */
export { toStackedSVG } from "./drawing/svg.js";
/** @internal */
export type { GraphModel } from "./graph/graph-model.js";
/** @internal */
export type { CandidateFinder } from "./joint-tagging/candidate-finder.js";
/** @internal */
export type { TagChoices } from "./joint-tagging/tag-choices.js";
/** @internal */
export { MatchValue } from "./matching/match-value.js";
/** @internal */
export { loadModel, type NamedSearch, namedSearch, searchNamed } from "./model-file/load.js";
/** @internal */
export { MODEL_FORMAT_VERSION } from "./model-file/open-model.js";
/** @internal */
export { confidenceOf } from "./parser/default-confidence.js";
/** @internal */
export type { ModelHeader } from "./parser/model-header.js";
/** @internal */
export { Parser, ParserModel, type Search } from "./parser/parser.js";
/** @internal */
export type { ParserOptions, TreeParser, TreeStep } from "./parser/tree-parser.js";
/** @internal */
export { Lemmatizer } from "./pipeline/lemmatizer/lemmatizer.js";
/** @internal */
export { PARTS } from "./pipeline/pipeline-model.js";
/** @internal */
export { paragraphEnd } from "./pipeline/segmenter/characters/paragraphs.js";
/** @internal */
export type { Split } from "./pipeline/segmenter/segment-multiword.js";
/** @internal */
export { plainText, SENTENCE_END, surfaceOf } from "./pipeline/segmenter/segment-text.js";
/** @internal */
export { type RawSentence, Segmenter } from "./pipeline/segmenter/segmenter.js";
/** @internal */
export { SegmenterStream } from "./pipeline/segmenter/segmenter-stream.js";
/** @internal */
export type { Analyses } from "./pipeline/tagger/analyses.js";
/** @internal */
export { Tagger } from "./pipeline/tagger/tagger.js";
/** @internal */
export type { Classes } from "./scoring/classes.js";
/** @internal */
export type { NetworkHeader } from "./scoring/network/shape.js";
/** @internal */
export type { ConfigurationScorer } from "./scoring/scorer.js";
/** @internal */
export type { ArcDoubts } from "./search/confidence/arc-doubts.js";
/** @internal */
export type { Confidence } from "./search/confidence/confidence.js";
/** @internal */
export { arcProbability } from "./search/confidence/confidence.js";
/** @internal */
export type { PartialTree } from "./search/constraints/tree-constraints.js";
/** @internal */
export { type Constraints, TreeConstraints } from "./search/constraints/tree-constraints.js";
/** @internal */
export type { Decider } from "./search/decider.js";
/** @internal */
export type { Part } from "./storage/part.js";
/** @internal */
export { JSON_VERSION } from "./treebank/formats/to-json.js";
/** @internal */
export type { EmptyNode, MultiWordToken } from "./treebank/sentence/columns.js";
/** @internal */
export type { ParsedTree } from "./treebank/sentence/parsed-tree.js";
/** @internal */
export type { Start } from "./workers/messages.js";
/** @internal */
export { attachModel, type SharedModel, shareModel } from "./workers/shared-model.js";
