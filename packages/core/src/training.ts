/**
 * Training of parsers, taggers, segmenters and lemmatizers: linear models and networks, feature templates, word
 * vectors.
 *
 * @packageDocumentation
 */

export type { Expectation } from "./checks/options.js";
export {
  type About,
  file,
  flag,
  type Given,
  type Need,
  numeric,
  type Rule,
  Schema,
  type Setting,
  type SettingGroup,
  text,
  type Values,
  whole,
} from "./checks/settings.js";
export type { EncoderData, EncoderHeader, WordEncoder, WordPieceHeader } from "./encoder/encoder-data.js";
export { EncodedTreebank, type Forms, RememberingEncoder } from "./encoder/learning/encoded-treebank.js";
export { type EncoderFiles, type EncoderOptions, readEncoder } from "./encoder/learning/read-encoder.js";
export { addEnhanced } from "./enhanced/learning/add-enhanced.js";
export { needEnhanced } from "./enhanced/learning/enhanced-training.js";
export { type Columns, WORD_ATTRIBUTES, type WordAttribute, type Words } from "./features/columns.js";
export type { Extractor } from "./features/extractor.js";
export type { TemplateProgram } from "./features/program.js";
export {
  type Atom,
  type HistoryAttribute,
  type Position,
  parseTemplates,
  STEPS,
  type Step,
  TemplateError,
  type TemplateSet,
  TREE_ATTRIBUTES,
  type TreeAttribute,
} from "./features/templates.js";
export { GraphNetworkLearner } from "./graph/learning/graph-network-learner.js";
export { type GraphNetworkOptions, GraphNetworkTraining } from "./graph/learning/graph-network-training.js";
export { type GraphState, GraphTraining, type GraphTrainOptions } from "./graph/learning/graph-training.js";
export { GRAPH_LEARNERS, type GraphLearner } from "./graph/learning/settings.js";
export { JOINT_DEFAULTS, type JointOptions } from "./joint-tagging/candidate-finder.js";
export { JointNetworkLearner } from "./joint-tagging/learning/joint-network.js";
export { type JointNetworkOptions, JointNetworkTraining } from "./joint-tagging/learning/joint-network-training.js";
export { JointTagTraining, type JointTrainOptions } from "./joint-tagging/learning/joint-training.js";
export type { GrowingMemory } from "./kernels/kernel.js";
export type { Example, Examples, TrainingData, TreebankSentence } from "./learning/examples.js";
export { fitConfidence } from "./learning/fit-confidence.js";
export {
  type InstanceClass,
  type InstanceOptions,
  Instances,
  type InstanceVisitor,
} from "./learning/instances/instances.js";
export { LiblinearReader } from "./learning/instances/liblinear.js";
export {
  type BeamViolation,
  UPDATES,
  type UpdateStrategy,
  type ViolationFinder,
  type ViolationOptions,
} from "./learning/linear/beam-violation.js";
export type { Learner } from "./learning/linear/learner.js";
export {
  AFTER_ERROR,
  AFTER_UPDATE,
  type AfterError,
  type AfterUpdate,
  type LearnerName,
  type LossBound,
  type OnlineOptions,
  type OnlineTrainer,
  REGULARIZATION,
} from "./learning/linear/online.js";
export { COST_SENSITIVE, type CostSensitive } from "./learning/linear/passive-aggressive.js";
export { STRUCTURED, type StructuredOptions, type StructuredTrainer } from "./learning/linear/structured.js";
export { AVERAGING, type Averaging, type SavedWeights, type Weights } from "./learning/linear/weights.js";
export type { Dropout, DropoutMasks, Mask } from "./learning/network/dropout-masks.js";
export type { LaneSteps } from "./learning/network/lane/lane-steps.js";
export type { NetworkLane } from "./learning/network/lane/network-lane.js";
export type { SentenceRows } from "./learning/network/lane/recurrent-layer.js";
export type { LaneLearner, NetworkTask } from "./learning/network/lane-learner.js";
export type { NetworkExamples } from "./learning/network/network-examples.js";
export type { Matrix, NetworkKernel } from "./learning/network/network-kernel.js";
export { NetworkLearner } from "./learning/network/network-learner.js";
export type {
  ArcsPlan,
  LanePlan,
  LayerPlan,
  NetworkMemory,
  NetworkSize,
  PlacedTensor,
} from "./learning/network/network-memory.js";
export {
  type NetworkLesson,
  type NetworkTraining,
  type NeuralOptions,
  type NeuralState,
  NeuralTraining,
  type RunLanes,
} from "./learning/network/neural-training.js";
export {
  copiesOf,
  MOST_WEIGHT,
  type Silver,
  type SilverOptions,
  weighSilver,
} from "./learning/silver.js";
export { type Attachment, attachment, Training, type TrainingState, type TrainOptions } from "./learning/training.js";
export { VectorError, VectorReader, type WordVectors } from "./learning/vectors.js";
export type { Random } from "./math/random.js";
export {
  type ModelWithRoles,
  type RoleEpoch,
  type RoleOptions,
  type RoleStep,
  roleSteps,
} from "./roles/learning/role-steps.js";
export type { LinearLayout, LinearModel, Scorer } from "./scoring/linear/linear-model.js";
export type { Entries, ForEachWeight } from "./scoring/linear/quantized-weights.js";
export { LOG_UNIT } from "./scoring/log-scores.js";
export { INPUT_KINDS, type InputKind, wordKey } from "./scoring/network/inputs.js";
export type { NetworkData, StoredNetwork, TrainedNetwork } from "./scoring/network/network-data.js";
export type { NetworkScorer } from "./scoring/network/network-scorer.js";
export type { NeuralModel } from "./scoring/network/neural-model.js";
export type {
  FormedTensor,
  QuantizedNumbers,
  Storage,
  StoredTensor,
  Tensor,
  TensorForm,
} from "./scoring/network/quantization.js";
export {
  ACTIVATIONS,
  type Activation,
  type AtomTable,
  type NetworkView,
} from "./scoring/network/shape.js";
export { type StackGraphOptions, StackGraphTraining } from "./stack-graph/learning/stack-graph-training.js";
export { type GivenTemplates, templatesOf } from "./training/learner-options.js";
export {
  type LemmatizedSentence,
  type LemmatizerTrainOptions,
  trainLemmatizer,
} from "./training/lemmatizer/lemmatizer-training.js";
export type { ParserTraining } from "./training/parser-training.js";
export {
  type IsRightCandidate,
  type JackknifeOptions,
  jackknife,
  type PredictedSentence,
  predictTags,
} from "./training/preparation/jackknife.js";
export { plainSentence } from "./training/preparation/plain-sentence.js";
export {
  FOLDS,
  type KeptModel,
  type PreparationStep,
  type PreparedPipeline,
  type PrepareOptions,
  preparePipeline,
  type SilverSentences,
} from "./training/preparation/prepare.js";
export { PRESETS, type Preset } from "./training/presets.js";
export { type SegmenterTrainOptions, trainSegmenter } from "./training/segmenter/segmenter-training.js";
export {
  type CompleteSettings,
  completeSettings,
  OTHER_PARSERS,
  SETTINGS,
  TRAINING,
  type TrainingSettings,
  trainingSettings,
} from "./training/settings.js";
export { type TaggedSentence, type TaggerTrainOptions, trainTagger } from "./training/tagger/tagger-training.js";
export { type TrainedModel, type TrainRequest, train } from "./training/train.js";
export {
  type Counts,
  type EpochResult,
  type EpochScore,
  type RunRequest,
  type SilverData,
  type TrainingOrigin,
  TrainingRun,
  trainingSteps,
} from "./training/training-run.js";
