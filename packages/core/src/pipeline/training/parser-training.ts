import type { EncodedTreebank } from "../../learning/encoder/encoded-treebank.js";
import type { TrainingData, TreebankSentence } from "../../learning/examples.js";
import { GraphTraining } from "../../learning/graph/graph-training.js";
import { NeuralTraining, type RunLanes } from "../../learning/network/neural-training.js";
import type { WordVectors } from "../../learning/network/vectors.js";
import { Training, type TrainOptions } from "../../learning/training.js";
import { isGraph } from "../../parser/graph/graph-header.js";
import "../../parser/graph/provide.js";
import type { JointTagging } from "../../parser/model-header.js";
import type { PipelineModel } from "../pipeline-model.js";
import { neuralOptionsOf } from "./network-settings.js";
import { type CompleteSettings, type GivenTemplates, graphOptionsOf, trainOptionsOf } from "./settings.js";

/** What learns a parser, epoch by epoch: `Training`, `NeuralTraining` or `GraphTraining`. */
export interface ParserTraining {
  readonly data: TrainingData;
  readonly labels: readonly string[];
  /** Number of finished epochs. */
  readonly epoch: number;
  /** Go through the training data once, in steps that give how many words are done. */
  epochSteps(runLanes?: RunLanes): Generator<number, void, void>;
  /** What must be kept between two epochs. */
  save(): unknown;
  restore(state: never): void;
  /** The model with the averaged weights of now. */
  model(): PipelineModel["parser"];
}

/** What a learner is told; of a graph-based parser, what `GraphTraining` is. */
export type LearnerOptions = TrainOptions | ReturnType<typeof graphOptionsOf>;

/** What a network gets besides. */
export interface NetworkInputs {
  vectors?: WordVectors | undefined;
  encoded?: EncodedTreebank | undefined;
  threads?: number | undefined;
}

/** What learns a parser with these settings, and what it was told. */
export function createTraining(
  sentences: readonly TreebankSentence[],
  settings: CompleteSettings,
  templates: GivenTemplates | undefined,
  joint: JointTagging | undefined,
  inputs: NetworkInputs,
): { training: ParserTraining; options: LearnerOptions } {
  if (isGraph(settings)) {
    const options = graphOptionsOf(settings);
    const { system: _, ...own } = options;
    return { training: new GraphTraining(sentences, own), options };
  }
  const options = trainOptionsOf(settings, templates);
  if (joint) options.joint = joint;
  const training = settings.network
    ? new NeuralTraining(sentences, neuralOptionsOf(sentences, options, settings, inputs))
    : new Training(sentences, options);
  return { training, options };
}
