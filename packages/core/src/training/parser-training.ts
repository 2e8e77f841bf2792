import { ExactTraining } from "../exact/learning/exact-training.js";
import { EXACT } from "../exact/name.js";
import { parseTemplates } from "../features/templates.js";
import { isGraph } from "../graph/graph-header.js";
import { GraphNetworkTraining } from "../graph/learning/graph-network-training.js";
import { GraphTraining } from "../graph/learning/graph-training.js";
import type { JointTagging } from "../joint-tagging/joint-header.js";
import { JointNetworkTraining } from "../joint-tagging/learning/joint-network-training.js";
import { JointTagTraining } from "../joint-tagging/learning/joint-training.js";
import type { TrainingData, TreebankSentence } from "../learning/examples.js";
import { GoldMoves } from "../learning/gold-moves.js";
import { NeuralTraining, type RunLanes } from "../learning/network/neural-training.js";
import { Training } from "../learning/training.js";
import type { PipelineModel } from "../pipeline/pipeline-model.js";
import { PointersNetworkTraining } from "../pointers/learning/pointers-network-training.js";
import { PointersTraining } from "../pointers/learning/pointers-training.js";
import { isPointers } from "../pointers/pointers-header.js";
import { createSystem } from "../registry/systems.js";
import { JointTraining, type PredicatesOf } from "../roles/learning/joint-training.js";
import { StackGraphTraining } from "../stack-graph/learning/stack-graph-training.js";
import { STACK_GRAPH } from "../stack-graph/name.js";
import { TagsNetworkTraining } from "../tags/learning/tags-network-training.js";
import { TagsTraining } from "../tags/learning/tags-training.js";
import { isTags } from "../tags/tags-header.js";
import {
  type GivenTemplates,
  graphNetworkOptionsOf,
  graphOptionsOf,
  type NetworkInputs,
  neuralOptionsOf,
  pointersNetworkOptionsOf,
  pointersOptionsOf,
  tagsNetworkOptionsOf,
  tagsOptionsOf,
  trainOptionsOf,
  transitionOptionsOf,
} from "./learner-options.js";
import { type CompleteSettings, OTHER_PARSERS } from "./settings.js";

/**
 * The learner of a parser, epoch by epoch: `Training`, `JointTraining`, `NeuralTraining`, `GraphTraining`,
 * `PointersTraining`, `TagsTraining`, or the last three with a network.
 */
export interface ParserTraining {
  readonly data: TrainingData;
  readonly labels: readonly string[];
  /** Number of finished epochs. */
  readonly epoch: number;
  /** Go through the training data once, in steps that give how many words are done. */
  epochSteps(runLanes?: RunLanes): Generator<number, void, void>;
  /** The state to be kept between two epochs. */
  save(): unknown;
  restore(state: never): void;
  /** The model with the averaged weights of now. */
  model(): PipelineModel["parser"];
  /** Other figures of the last model, in percent, on sentences for development. */
  measure?(model: PipelineModel["parser"], sentences: readonly TreebankSentence[]): { labelled: number };
}

/** Throws a RangeError or a TemplateError if the system does not have the oracle or the templates of the settings. */
export function checkLearner(settings: CompleteSettings, given: GivenTemplates | undefined): void {
  if (OTHER_PARSERS.includes(settings.system)) return;
  const { templates, templatesSource = "templates" } = transitionOptionsOf(settings, given);
  const system = createSystem(settings.system, { root: settings.root, ...settings.systemSettings });
  parseTemplates(templates, templatesSource, system.description.context);
  new GoldMoves(system, settings.oracle!);
}

/**
 * The learner of a parser with these settings; roles along with trees if the predicates of the sentences are given.
 */
export function createTraining(
  sentences: readonly TreebankSentence[],
  settings: CompleteSettings,
  templates: GivenTemplates | undefined,
  joint: JointTagging | undefined,
  inputs: NetworkInputs,
  predicatesOf?: PredicatesOf | undefined,
): ParserTraining {
  if (isGraph(settings)) {
    return settings.network
      ? new GraphNetworkTraining(sentences, graphNetworkOptionsOf(settings, sentences, inputs))
      : new GraphTraining(sentences, graphOptionsOf(settings));
  }
  if (isPointers(settings)) {
    return settings.network
      ? new PointersNetworkTraining(sentences, pointersNetworkOptionsOf(settings, sentences, inputs))
      : new PointersTraining(sentences, pointersOptionsOf(settings));
  }
  if (isTags(settings)) {
    return settings.network
      ? new TagsNetworkTraining(sentences, tagsNetworkOptionsOf(settings, sentences, inputs))
      : new TagsTraining(sentences, tagsOptionsOf(settings));
  }
  if (settings.network) {
    const options = neuralOptionsOf(settings, sentences, inputs, templates);
    return joint ? new JointNetworkTraining(sentences, { ...options, joint }) : new NeuralTraining(sentences, options);
  }
  const options = trainOptionsOf(settings, templates);
  if (joint) return new JointTagTraining(sentences, { ...options, joint });
  if (predicatesOf) return new JointTraining(sentences, options, predicatesOf);
  if (settings.merge === EXACT) return new ExactTraining(sentences, { ...options, merge: settings.merge });
  return settings.merge === STACK_GRAPH
    ? new StackGraphTraining(sentences, { ...options, merge: settings.merge })
    : new Training(sentences, options);
}
