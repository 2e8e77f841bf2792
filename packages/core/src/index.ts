export { cellWidth, printable } from "./drawing/characters.js";
export { escapeLatex, type LatexOptions, latexDocument, toLatex } from "./drawing/latex.js";
export { arcLevels, type Direction, type Drawable } from "./drawing/layout.js";
export {
  type Plot,
  type PlotAxis,
  type PlotOptions,
  type PlotPoint,
  type PlotSeries,
  plotSVG,
} from "./drawing/plot.js";
export { type SVGOptions, toStackedSVG, toSVG } from "./drawing/svg.js";
export { type TextOptions, toText } from "./drawing/text.js";
export {
  type Bin,
  type Confusion,
  type ConfusionExample,
  Group,
  type GroupSummary,
  inBins,
  LENGTH_BINS,
  type Rates,
  ROOT_DISTANCE_BINS,
  SENTENCE_LENGTH_BINS,
} from "./evaluation/breakdowns.js";
export { type Binning, Calibration, type CalibrationBin, type CalibrationSummary } from "./evaluation/calibration.js";
export {
  Evaluation,
  type EvaluationOptions,
  type EvaluationSummary,
  evaluate,
  type TagStatus,
} from "./evaluation/evaluation.js";
export { evaluationPlots, type NamedEvaluation } from "./evaluation/plots.js";
export type { Punctuation } from "./evaluation/punctuation.js";
export { Score, type ScoreSummary } from "./evaluation/scores.js";
export {
  compareSystems,
  type SentenceCounts,
  SIGNIFICANCE_TESTS,
  type Significance,
  type SignificanceOptions,
  type SignificanceTest,
} from "./evaluation/significance.js";
export { LABEL_SETS, type LabelSet } from "./evaluation/universal.js";
export type { Words } from "./features/columns.js";
export { parseTemplates, TemplateError, type TemplateSet } from "./features/templates.js";
export type { TrainingData, TreebankSentence } from "./learning/examples.js";
export { fitConfidence } from "./learning/fit-confidence.js";
export { type InstanceClass, type InstanceOptions, Instances, type InstanceVisitor } from "./learning/instances.js";
export {
  AFTER_UPDATE,
  type AfterUpdate,
  type OnlineOptions,
  REGULARIZATION,
} from "./learning/linear/online.js";
export { STRUCTURED, UPDATES, type UpdateStrategy } from "./learning/linear/structured.js";
export { NetworkLearner, type NetworkTask } from "./learning/network/network-learner.js";
export { type NeuralOptions, type NeuralState, NeuralTraining } from "./learning/network/neural-training.js";
export { VectorError, VectorReader, type WordVectors } from "./learning/network/vectors.js";
export { type Attachment, attachment, Training, type TrainingState, type TrainOptions } from "./learning/training.js";
export { withComments } from "./matching/editing/sentence-text.js";
export { type EditAction, type Edited, TreeEditor } from "./matching/editing/tree-editor.js";
export { parsePattern } from "./matching/language/parse-pattern.js";
export type {
  Alternatives,
  Clause,
  Comparison,
  Condition,
  Negation,
  Operator,
  OptionalPart,
  Pattern,
  Relation,
  RelationName,
  Test,
  Value,
  WordPattern,
  WordReference,
} from "./matching/language/pattern.js";
export { PatternError } from "./matching/language/pattern-error.js";
export { MatchValue } from "./matching/match-value.js";
export type { MatchableSentence } from "./matching/matchable-sentence.js";
export { Match, Matcher, match, TOO_MANY, TooManyMatches } from "./matching/matcher.js";
export { TreebankIndex } from "./matching/treebank-index.js";
export { type BlobLike, load, type ModelSource, type ResponseLike } from "./model-file/load.js";
export { MODEL_FORMAT_VERSION, ModelFileError, readModel, writeModel } from "./model-file/model-file.js";
export { confidenceOf } from "./parser/default-confidence.js";
export type { JointTagging, ModelHeader } from "./parser/model-header.js";
export { type ParsedTree, Parser, ParserModel, type ParserOptions, type ScoredTree } from "./parser/parser.js";
export type { GivenWord } from "./pipeline/given-word.js";
export { jackknife, PredictedSentence, predictTags } from "./pipeline/jackknife.js";
export { Lemmatizer, LemmatizerModel } from "./pipeline/lemmatizer/lemmatizer.js";
export { trainLemmatizer } from "./pipeline/lemmatizer/lemmatizer-training.js";
export {
  type AbortSignalLike,
  MAX_WORDS,
  type ParseOptions,
  SentenceTooLong,
  type TextKind,
} from "./pipeline/parse-options.js";
export { Pipeline } from "./pipeline/pipeline.js";
export { PARTS, type PartName, PipelineModel, type PipelineParts } from "./pipeline/pipeline-model.js";
export {
  FOLDS,
  type KeptModel,
  type PreparationStep,
  type PreparedPipeline,
  type PrepareOptions,
  preparationSteps,
  preparePipeline,
} from "./pipeline/prepare.js";
export { plainText, surfaceOf } from "./pipeline/segmenter/segment-text.js";
export { type RawSentence, type RawToken, Segmenter, SegmenterModel } from "./pipeline/segmenter/segmenter.js";
export { paragraphEnd } from "./pipeline/segmenter/segmenter-blocks.js";
export { SegmenterStream } from "./pipeline/segmenter/segmenter-stream.js";
export { trainSegmenter } from "./pipeline/segmenter/segmenter-training.js";
export { JOINT_DEFAULTS, type JointOptions } from "./pipeline/tagger/joint.js";
export { type TagCandidate, Tagger } from "./pipeline/tagger/tagger.js";
export { TaggerModel } from "./pipeline/tagger/tagger-model.js";
export { trainTagger } from "./pipeline/tagger/tagger-training.js";
export type { ReadableStreamLike, TextChunk, TextSource } from "./pipeline/text-stream.js";
export { type Assessment, assessEpoch, type EpochScore } from "./pipeline/training/assess-epoch.js";
export { NETWORK_DEFAULTS, neuralOptionsOf } from "./pipeline/training/network-settings.js";
export { PRESETS, type Preset } from "./pipeline/training/presets.js";
export {
  type CompleteSettings,
  completeSettings,
  EPOCHS,
  type GivenTemplates,
  type LearnerName,
  TRAINING_DEFAULTS,
  type TrainingSettings,
  trainOptionsOf,
} from "./pipeline/training/settings.js";
export { type TrainedModel, type TrainRequest, train } from "./pipeline/training/train.js";
export { LinearModel } from "./scoring/linear/linear-model.js";
export { LOG_UNIT } from "./scoring/log-scores.js";
export { type InputKind, wordKey } from "./scoring/network/inputs.js";
export type { NetworkData } from "./scoring/network/network-data.js";
export { NeuralModel, neuralModel } from "./scoring/network/neural-model.js";
export { type Confidence, sureness } from "./search/confidence/confidence.js";
export { ImpossibleConstraints } from "./search/constraints/impossible-constraints.js";
export { type PartialTree, TreeConstraints } from "./search/constraints/tree-constraints.js";
export { countDerivations } from "./systems/analysis/count-derivations.js";
export { DERIVATION_LIMIT, type DerivationCount } from "./systems/analysis/derivations.js";
export {
  oraclesOf,
  type Snapshot,
  type Trace,
  type TraceStep,
  traceDerivation,
} from "./systems/analysis/trace.js";
export {
  Configuration,
  GONE,
  IN_BUFFER,
  NONE,
  ON_STACK,
  ROOT_POSITIONS,
  type RootPosition,
} from "./systems/configuration.js";
export {
  createSystem,
  describeSystem,
  givenSettings,
  haveSameSettings,
  SYSTEM_NAMES,
  type SystemName,
  systemNames,
} from "./systems/index.js";
export { SearchedKnownHeads } from "./systems/known-heads/searched-known-heads.js";
export { spine } from "./systems/losses/spines.js";
export { ExhaustiveOracle } from "./systems/oracles/exhaustive.js";
export { GoldTree } from "./systems/oracles/gold-tree.js";
export {
  type DynamicOracle,
  labelledCost,
  type NonDeterministicOracle,
  ORACLES,
  type OracleMakers,
  type OracleName,
  type StaticOracle,
  wrongLabels,
} from "./systems/oracles/oracle.js";
export { canBuild, dynamicOracle, nonDeterministicOracle, staticOracle } from "./systems/oracles/oracles.js";
export {
  type ArcsAtRisk,
  FixedMovesSystem,
  type KnownHeads,
  type MoveContext,
  type SettingName,
  type SystemDescription,
  type SystemOptions,
  type SystemSetting,
  TransitionSystem,
} from "./systems/system.js";
export { defineSystem } from "./systems/teaching/define-system.js";
export { defaultTemplates, defaultView, type Teaching } from "./systems/teaching/teaching.js";
export {
  FIRST_FREE_KIND,
  isArc,
  kindOf,
  LAST_KIND,
  LEFT_ARC,
  leftArc,
  type Move,
  moveOfKind,
  REDUCE,
  RIGHT_ARC,
  reachOf,
  rightArc,
  SHIFT,
  SWAP,
} from "./systems/transition.js";
export { TreebankError, type TreebankProblem } from "./treebank/errors.js";
export { countLosses, formatSentence } from "./treebank/formats/format-sentence.js";
export { SENTENCE_SCHEMA } from "./treebank/formats/json-schema.js";
export type { Column, Layout } from "./treebank/formats/layout.js";
export { FORMATS, type Format, type ReaderOptions, readTreebank, TreebankReader } from "./treebank/formats/reader.js";
export type { TreeRequirements } from "./treebank/formats/requirements.js";
export { type Block, BlockSplitter } from "./treebank/formats/split.js";
export type {
  AttributesJSON,
  EmptyNodeJSON,
  MultiWordTokenJSON,
  SentenceJSON,
  WordJSON,
} from "./treebank/formats/to-json.js";
export { JSON_VERSION } from "./treebank/formats/to-json.js";
export type { ConlluOptions } from "./treebank/formats/write-conllu.js";
export * from "./treebank/pseudo-projective.js";
export type { Attributes } from "./treebank/sentence/attributes.js";
export type { EmptyNode, MultiWordToken, SentencePart, TreeRank } from "./treebank/sentence/columns.js";
export { commentValue, rankComments } from "./treebank/sentence/comments.js";
export { Document, documentsOf, type Paragraph } from "./treebank/sentence/document.js";
export type {
  ColumnsInput,
  EmptyNodeInput,
  MultiWordTokenInput,
  SentenceInput,
  SentenceOptions,
  WordInput,
} from "./treebank/sentence/list-columns.js";
export { Sentence } from "./treebank/sentence/sentence.js";
export { endsInParagraphBreak, isParagraphBreak, textOf } from "./treebank/sentence/spaces.js";
export { Span } from "./treebank/sentence/span.js";
export type { Token } from "./treebank/sentence/token.js";
export { withoutScore, withScore } from "./treebank/sentence/token-misc.js";
export { Word } from "./treebank/sentence/word.js";
export * from "./treebank/statistics.js";
export * from "./treebank/tree.js";
export { attachModel, type SharedModel, shareModel } from "./workers/shared-model.js";
export {
  createWorkerParser,
  type WorkerLike,
  WorkerParser,
  type WorkerParserOptions,
} from "./workers/worker-parser.js";
