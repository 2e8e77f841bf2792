/**
 * Training of parsers, taggers, segmenters and lemmatizers: linear models and networks, feature templates, word
 * vectors.
 *
 * @packageDocumentation
 */

export type { EncoderData } from "./encoder/encoder-data.js";
export { type EncoderFiles, type EncoderOptions, readEncoder } from "./encoder/learning/read-encoder.js";
export { addEnhanced } from "./enhanced/learning/add-enhanced.js";
export { parseTemplates, TemplateError, type TemplateSet } from "./features/templates.js";
export type { TreebankSentence } from "./learning/examples.js";
export { fitConfidence } from "./learning/fit-confidence.js";
export { type InstanceOptions, Instances, type InstanceVisitor } from "./learning/instances/instances.js";
export { LiblinearReader } from "./learning/instances/liblinear.js";
export { VectorError, VectorReader, type WordVectors } from "./learning/vectors.js";
export { ParserModel } from "./parser/parser.js";
export type { TreeParserModel } from "./parser/tree-parser.js";
export type { LemmatizerModel } from "./pipeline/lemmatizer/lemmatizer.js";
export type { PipelineModel } from "./pipeline/pipeline-model.js";
export { type RawSentence, type RawToken, Segmenter } from "./pipeline/segmenter/segmenter.js";
export type { SegmenterModel } from "./pipeline/segmenter/segmenter-model.js";
export { SegmenterStream } from "./pipeline/segmenter/segmenter-stream.js";
export type { TokenExceptions } from "./pipeline/segmenter/token-exceptions.js";
export type { TaggerModel } from "./pipeline/tagger/tagger-model.js";
export { type ModelWithRoles, type RoleOptions, type RoleStep, roleSteps } from "./roles/learning/role-steps.js";
export type { ForEachWeight } from "./scoring/linear/quantized-weights.js";
export type { Confidence } from "./search/confidence/confidence.js";
export type { MoveContext } from "./systems/system.js";
export {
  type LemmatizedSentence,
  type LemmatizerTrainOptions,
  trainLemmatizer,
} from "./training/lemmatizer/lemmatizer-training.js";
export { type JackknifeOptions, jackknife, type PredictedSentence } from "./training/preparation/jackknife.js";
export { type SegmenterTrainOptions, trainSegmenter } from "./training/segmenter/segmenter-training.js";
export type { TrainingSettings } from "./training/settings.js";
export { type TaggedSentence, type TaggerTrainOptions, trainTagger } from "./training/tagger/tagger-training.js";
export { type TrainedModel, type TrainRequest, train } from "./training/train.js";
export type { EpochScore } from "./training/training-run.js";
export type { Sentence } from "./treebank/sentence/sentence.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export type { About, Given, Setting, Values } from "./checks/settings.js";
/** @internal */
export { file, flag, numeric, type Rule, Schema, text, whole } from "./checks/settings.js";
/** @internal */
export { EncodedTreebank, type Forms, RememberingEncoder } from "./encoder/learning/encoded-treebank.js";
/** @internal */
export { needEnhanced } from "./enhanced/learning/enhanced-training.js";
/** @internal */
export { ExactTraining } from "./exact/learning/exact-training.js";
/** @internal */
export type { Columns, Words } from "./features/columns.js";
/** @internal */
export type { Extractor } from "./features/extractor.js";
/** @internal */
export { type Atom, type Position, STEPS, type Step } from "./features/templates.js";
/** @internal */
export { GraphNetworkLearner } from "./graph/learning/graph-network-learner.js";
/** @internal */
export { type GraphNetworkOptions, GraphNetworkTraining } from "./graph/learning/graph-network-training.js";
/** @internal */
export { GraphTraining, type GraphTrainOptions } from "./graph/learning/graph-training.js";
/** @internal */
export type { JointOptions } from "./joint-tagging/candidate-finder.js";
/** @internal */
export { JOINT_DEFAULTS } from "./joint-tagging/candidate-finder.js";
/** @internal */
export { JointNetworkLearner } from "./joint-tagging/learning/joint-network.js";
/** @internal */
export { JointNetworkTraining } from "./joint-tagging/learning/joint-network-training.js";
/** @internal */
export { JointTagTraining, type JointTrainOptions } from "./joint-tagging/learning/joint-training.js";
/** @internal */
export type { Example, Examples } from "./learning/examples.js";
/** @internal */
export { UPDATES } from "./learning/linear/beam-violation.js";
/** @internal */
export type { Learner } from "./learning/linear/learner.js";
/** @internal */
export { type LossBound, REGULARIZATION } from "./learning/linear/online.js";
/** @internal */
export { COST_SENSITIVE } from "./learning/linear/passive-aggressive.js";
/** @internal */
export { STRUCTURED } from "./learning/linear/structured.js";
/** @internal */
export type { Weights } from "./learning/linear/weights.js";
/** @internal */
export { AVERAGING } from "./learning/linear/weights.js";
/** @internal */
export type { DropoutMasks } from "./learning/network/dropout-masks.js";
/** @internal */
export type { NetworkLane } from "./learning/network/lane/network-lane.js";
/** @internal */
export type { LaneLearner } from "./learning/network/lane-learner.js";
/** @internal */
export type { Matrix, NetworkKernel } from "./learning/network/network-kernel.js";
/** @internal */
export { NetworkLearner } from "./learning/network/network-learner.js";
/** @internal */
export { NetworkTraining, type NeuralOptions, NeuralTraining } from "./learning/network/neural-training.js";
/** @internal */
export { copiesOf, MOST_WEIGHT, type Silver, weighSilver } from "./learning/silver.js";
/** @internal */
export type { TrainOptions } from "./learning/training.js";
/** @internal */
export { type Attachment, attachment, Training } from "./learning/training.js";
/** @internal */
export type { Random } from "./math/random.js";
/** @internal */
export { PointersNetworkTraining } from "./pointers/learning/pointers-network-training.js";
/** @internal */
export { PointersTraining } from "./pointers/learning/pointers-training.js";
/** @internal */
export type { RoleEpoch } from "./roles/learning/role-steps.js";
/** @internal */
export type { LinearModel } from "./scoring/linear/linear-model.js";
/** @internal */
export type { Entries } from "./scoring/linear/quantized-weights.js";
/** @internal */
export { LOG_UNIT } from "./scoring/log-scores.js";
/** @internal */
export type { InputKind } from "./scoring/network/inputs.js";
/** @internal */
export { wordKey } from "./scoring/network/inputs.js";
/** @internal */
export type { TrainedNetwork } from "./scoring/network/network-data.js";
/** @internal */
export type { NetworkScorer } from "./scoring/network/network-scorer.js";
/** @internal */
export type { Storage, Tensor } from "./scoring/network/quantization.js";
/** @internal */
export { StackGraphTraining } from "./stack-graph/learning/stack-graph-training.js";
/** @internal */
export { TagsNetworkLearner } from "./tags/learning/tags-network-learner.js";
/** @internal */
export { TagsNetworkTraining } from "./tags/learning/tags-network-training.js";
/** @internal */
export { TagsTraining } from "./tags/learning/tags-training.js";
/** @internal */
export { type GivenTemplates, templatesOf } from "./training/learner-options.js";
/** @internal */
export { predictTags } from "./training/preparation/jackknife.js";
/** @internal */
export { plainSentence } from "./training/preparation/plain-sentence.js";
/** @internal */
export { FOLDS, type KeptModel, type PreparedPipeline, preparePipeline } from "./training/preparation/prepare.js";
/** @internal */
export { PRESETS, type Preset } from "./training/presets.js";
/** @internal */
export {
  type CompleteSettings,
  completeSettings,
  OTHER_PARSERS,
  SETTINGS,
  TRAINING,
  trainingSettings,
} from "./training/settings.js";
/** @internal */
export type { TrainingOrigin } from "./training/training-run.js";
/** @internal */
export { type Counts, type RunRequest, TrainingRun, trainingSteps } from "./training/training-run.js";
