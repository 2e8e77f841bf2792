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
export { defaultTemplates } from "./features/sets.js";
export { parseTemplates, TemplateError, type TemplateSet } from "./features/templates.js";
export { type Confidence, confidenceOf, fitConfidence, sureness } from "./models/confidence.js";
export { MODEL_FORMAT_VERSION, ModelFileError, readModel, writeModel } from "./models/file.js";
export { LinearModel } from "./models/linear.js";
export {
  type JointTagging,
  type ModelHeader,
  type ParsedTree,
  Parser,
  ParserModel,
  type ParserOptions,
  type ScoredTree,
} from "./models/parser-model.js";
export { type InputKind, wordKey } from "./neural/inputs.js";
export { NetworkLearner, type NetworkTask } from "./neural/network-learner.js";
export { type NetworkData, NeuralModel, neuralModel } from "./neural/neural-model.js";
export { type NeuralOptions, type NeuralState, NeuralTraining } from "./neural/neural-training.js";
export { VectorError, VectorReader, type WordVectors } from "./neural/vectors.js";
export { defaultView } from "./neural/views.js";
export type { GivenWord } from "./pipeline/given-word.js";
export { jackknife, PredictedSentence, predictTags } from "./pipeline/jackknife.js";
export { JOINT_DEFAULTS, type JointOptions } from "./pipeline/joint.js";
export { Lemmatizer, LemmatizerModel } from "./pipeline/lemmatizer.js";
export { trainLemmatizer } from "./pipeline/lemmatizer-training.js";
export { PARTS, type PartName, PipelineModel, type PipelineParts } from "./pipeline/model.js";
export {
  type ConlluOptions,
  ParsedSentence,
  rankComments,
  type SurfaceToken,
  type TreeRank,
  Word,
} from "./pipeline/parsed-sentence.js";
export { load, type ParseOptions, Pipeline } from "./pipeline/pipeline.js";
export { FOLDS, type PreparedPipeline, type PrepareOptions, preparePipeline } from "./pipeline/prepare.js";
export { textOf } from "./pipeline/segment-spaces.js";
export { plainText, surfaceOf } from "./pipeline/segment-text.js";
export { type RawSentence, type RawToken, Segmenter, SegmenterModel } from "./pipeline/segmenter.js";
export { paragraphEnd } from "./pipeline/segmenter-blocks.js";
export { SegmenterStream } from "./pipeline/segmenter-stream.js";
export { trainSegmenter } from "./pipeline/segmenter-training.js";
export { type TagCandidate, Tagger, TaggerModel } from "./pipeline/tagger.js";
export { trainTagger } from "./pipeline/tagger-training.js";
export { type PartialTree, TreeConstraints } from "./search/constraints.js";
export { ImpossibleConstraints } from "./search/impossible.js";
export { LOG_UNIT } from "./search/log-sum.js";
export {
  Configuration,
  GONE,
  IN_BUFFER,
  NONE,
  ON_STACK,
  ROOT_POSITIONS,
  type RootPosition,
} from "./systems/configuration.js";
export { countDerivations, DERIVATION_LIMIT, type DerivationCount } from "./systems/derivations.js";
export { ExhaustiveOracle } from "./systems/exhaustive.js";
export { GoldTree } from "./systems/gold.js";
export { createSystem, SYSTEM_NAMES, type SystemName } from "./systems/index.js";
export { spine } from "./systems/spines.js";
export {
  type DynamicOracle,
  labelledCost,
  type NonDeterministicOracle,
  type StaticOracle,
  wrongLabels,
} from "./systems/oracle.js";
export { canBuild, dynamicOracle, nonDeterministicOracle, staticOracle } from "./systems/oracles.js";
export { type SystemOptions, TransitionSystem } from "./systems/system.js";
export {
  ORACLES,
  type OracleName,
  oraclesOf,
  type Snapshot,
  type Trace,
  type TraceStep,
  traceDerivation,
} from "./systems/trace.js";
export {
  isArc,
  kindOf,
  LEFT_ARC,
  leftArc,
  type Move,
  REDUCE,
  RIGHT_ARC,
  reachOf,
  rightArc,
  SHIFT,
  SWAP,
} from "./systems/transition.js";
export { type InstanceClass, type InstanceOptions, Instances, type InstanceVisitor } from "./training/instances.js";
export {
  AFTER_UPDATE,
  type AfterUpdate,
  type OnlineOptions,
  REGIMES,
  REGULARIZATION,
  type Regime,
} from "./training/online.js";
export { STRUCTURED, UPDATES, type UpdateStrategy } from "./training/structured.js";
export {
  type Attachment,
  attachment,
  Training,
  type TrainingState,
  type TrainOptions,
  type TreebankSentence,
} from "./training/train.js";
export { TreebankError, type TreebankProblem } from "./treebank/errors.js";
export { countLosses, formatSentence } from "./treebank/formats.js";
export * from "./treebank/pseudo-projective.js";
export { FORMATS, type Format, type ReaderOptions, readTreebank, TreebankReader } from "./treebank/reader.js";
export type { TreeRequirements } from "./treebank/scan.js";
export {
  type EmptyNode,
  type MultiWordToken,
  Sentence,
  type SentenceInput,
  type WordInput,
} from "./treebank/sentence.js";
export { type Block, BlockSplitter } from "./treebank/split.js";
export * from "./treebank/statistics.js";
export * from "./treebank/tree.js";
