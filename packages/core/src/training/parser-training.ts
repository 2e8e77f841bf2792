import { parseTemplates } from "../features/templates.js";
import { GRAPH, isGraph } from "../graph/graph-header.js";
import { GraphNetworkTraining } from "../graph/learning/graph-network-training.js";
import { GraphTraining, type GraphTrainOptions } from "../graph/learning/graph-training.js";
import { JointNetworkTraining } from "../joint-tagging/learning/joint-network-training.js";
import { JointTagTraining } from "../joint-tagging/learning/joint-training.js";
import { fittedOptions, type TrainingData, type TreebankSentence } from "../learning/examples.js";
import { GoldMoves } from "../learning/gold-moves.js";
import { NeuralTraining, type RunLanes } from "../learning/network/neural-training.js";
import { Training, type TrainOptions } from "../learning/training.js";
import { JointTraining, type PredicatesOf } from "../roles/learning/joint-training.js";
import "../graph/provide.js";
import type { DecoderName } from "../graph/search/graph-decoder.js";
import type { JointTagging } from "../joint-tagging/joint-header.js";
import type { PipelineModel } from "../pipeline/pipeline-model.js";
import { createSystem } from "../registry/systems.js";
import { StackGraphTraining } from "../stack-graph/learning/stack-graph-training.js";
import { graphNetworkOptionsOf, type NetworkInputs, neuralOptionsOf } from "./network-settings.js";
import { type CompleteSettings, type GivenTemplates, graphOptionsOf, trainOptionsOf } from "./settings.js";

/**
 * What learns a parser, epoch by epoch: `Training`, `JointTraining`, `NeuralTraining`, `GraphTraining` or
 * `GraphNetworkTraining`.
 */
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

/** What is told to the learner of a graph-based parser, for the model to say. */
export type GraphOptions = {
  system: typeof GRAPH;
  order: 1 | 2;
  decoder: DecoderName;
  epochs: number;
  seed: number;
} & Partial<Pick<GraphTrainOptions, "learner" | "projectivize" | "margin" | "minUpdates" | "prune">> & {
    rate?: number | undefined;
    wordDropout?: number | undefined;
  };

/** What a learner is told. */
export type LearnerOptions = (TrainOptions & { roles?: true; joint?: JointTagging }) | GraphOptions;

/** Throws a RangeError or a TemplateError if the system does not have the oracle or the templates of the settings. */
export function checkLearner(settings: CompleteSettings, given: GivenTemplates | undefined): void {
  if (isGraph(settings)) return;
  const { templates, templatesSource = "templates", oracle, ...options } = trainOptionsOf(settings, given);
  const system = createSystem(options.system, { root: options.root, ...options.systemSettings });
  parseTemplates(templates, templatesSource, system.description.context);
  new GoldMoves(system, oracle);
}

/**
 * What learns a parser with these settings, and what it was told; roles along with trees if the predicates of the
 * sentences are given.
 */
export function createTraining(
  sentences: readonly TreebankSentence[],
  settings: CompleteSettings,
  templates: GivenTemplates | undefined,
  joint: JointTagging | undefined,
  inputs: NetworkInputs,
  predicatesOf?: PredicatesOf | undefined,
): { training: ParserTraining; options: LearnerOptions } {
  if (isGraph(settings) && settings.network) {
    const own = graphNetworkOptionsOf(sentences, settings, inputs);
    const { decoder, epochs, seed, projectivize } = own;
    const { rate, wordDropout } = settings;
    const options: GraphOptions = {
      ...{ system: GRAPH, decoder, order: 1, epochs, seed },
      ...(projectivize === undefined ? {} : { projectivize }),
      ...(rate === undefined ? {} : { rate }),
      ...(wordDropout === undefined ? {} : { wordDropout }),
    };
    return { training: new GraphNetworkTraining(sentences, own), options };
  }
  if (isGraph(settings)) {
    const own = graphOptionsOf(settings);
    return { training: new GraphTraining(sentences, own), options: { system: GRAPH, ...own } };
  }
  const options = fittedOptions(trainOptionsOf(settings, templates), sentences);
  if (predicatesOf) {
    return { training: new JointTraining(sentences, options, predicatesOf), options: { ...options, roles: true } };
  }
  if (joint) {
    const own = { ...options, joint };
    const training = settings.network
      ? new JointNetworkTraining(sentences, { ...neuralOptionsOf(sentences, options, settings, inputs), joint })
      : new JointTagTraining(sentences, own);
    return { training, options: own };
  }
  const training = settings.network
    ? new NeuralTraining(sentences, neuralOptionsOf(sentences, options, settings, inputs))
    : options.merge
      ? new StackGraphTraining(sentences, { ...options, merge: options.merge })
      : new Training(sentences, options);
  return { training, options };
}
