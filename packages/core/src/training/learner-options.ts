// Settings in the words of those who learn.
import { check } from "../checks/options.js";
import { OBJECT } from "../checks/shapes.js";
import type { GraphNetworkOptions } from "../graph/learning/graph-network-training.js";
import type { GraphTrainOptions } from "../graph/learning/graph-training.js";
import type { TreebankSentence } from "../learning/examples.js";
import type { ContextualTreebank } from "../learning/network/lane/lane-contextual.js";
import type { NeuralOptions } from "../learning/network/neural-training.js";
import { LINEAR_OPTIONS, NETWORK_OPTIONS } from "../learning/option-checks.js";
import type { TrainOptions } from "../learning/training.js";
import type { WordVectors } from "../learning/vectors.js";
import type { PointersNetworkOptions } from "../pointers/learning/pointers-network-training.js";
import type { PointersTrainOptions } from "../pointers/learning/pointers-training.js";
import { featureTemplates, viewTemplates } from "../registry/templates/feature-sets.js";
import type { TagsNetworkOptions } from "../tags/learning/tags-network-training.js";
import type { TagsTrainOptions } from "../tags/learning/tags-training.js";
import type { CompleteSettings } from "./settings.js";

/** Your own feature templates. */
export interface GivenTemplates {
  text: string;
  /** Their name in errors. */
  source: string;
}

/** Additional settings of a network. */
export interface NetworkInputs {
  vectors?: WordVectors | undefined;
  encoded?: ContextualTreebank | undefined;
  /** Threads that will share the memory; the result is the same for every number. */
  threads?: number | undefined;
}

/** Numbers in the embeddings: chosen from short runs on English and Basque development data. */
const INPUTS = { word: 64, lemma: 32, upos: 16, xpos: 24, feats: 32, affixes: 32 };
/** Beside an encoder, which knows the words, smaller tables do as well. */
const INPUTS_BESIDE_ENCODER = { ...INPUTS, word: 32, lemma: 16 };

/** Of a training in which no predictions are followed. */
const NO_EXPLORATION = { exploreFrom: 1, exploreProbability: 0 };

/** Settings whose names or values differ. */
const OTHERWISE = ["joint", "merge", "dropout", "vectors"];

function picked(settings: CompleteSettings, names: object): object {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => Object.hasOwn(names, name) && !OTHERWISE.includes(name)),
  );
}

/** The templates of a set with a name: for a linear model, or what a network looks at. */
export function templatesOf(settings: CompleteSettings): string {
  check("settings", settings, OBJECT);
  const { system, features = "default", network } = settings;
  return (network ? viewTemplates : featureTemplates)(system, features);
}

/** Options that all learners of transitions share. */
export function transitionOptionsOf(settings: CompleteSettings, templates: GivenTemplates | undefined) {
  const { systemSettings } = settings;
  return {
    ...(systemSettings ? { systemSettings } : {}),
    templates: templates?.text ?? templatesOf(settings),
    ...(templates === undefined ? {} : { templatesSource: templates.source }),
  };
}

/** The options for training a linear model. */
export function trainOptionsOf(settings: CompleteSettings, templates?: GivenTemplates): TrainOptions {
  return {
    ...NO_EXPLORATION,
    ...{ lossBound: Number.POSITIVE_INFINITY, afterUpdate: "go-on" },
    ...picked(settings, LINEAR_OPTIONS),
    ...transitionOptionsOf(settings, templates),
  } as TrainOptions;
}

/** The options for training a network. */
export function neuralOptionsOf(
  settings: CompleteSettings,
  sentences: readonly TreebankSentence[],
  inputs: NetworkInputs,
  templates?: GivenTemplates,
): NeuralOptions {
  return {
    ...NO_EXPLORATION,
    ...networkOptionsOf(settings, sentences, inputs),
    ...transitionOptionsOf(settings, templates),
  } as NeuralOptions;
}

/** The options for training a linear graph-based parser. */
export function graphOptionsOf(settings: CompleteSettings): GraphTrainOptions {
  const { decoder, order, learner, epochs, seed, projectivize, margin, minUpdates, prune } = settings;
  return { decoder, order, learner, epochs, seed, projectivize, margin, minUpdates, prune } as GraphTrainOptions;
}

/** The options for training a graph-based parser with a network. */
export function graphNetworkOptionsOf(
  settings: CompleteSettings,
  sentences: readonly TreebankSentence[],
  inputs: NetworkInputs,
): GraphNetworkOptions {
  const { system: _, ...options } = networkOptionsOf(settings, sentences, inputs);
  return { ...options, decoder: settings.decoder! };
}

/** The options for training a linear parser with pointers. */
export function pointersOptionsOf(settings: CompleteSettings): PointersTrainOptions {
  const { learner, epochs, seed, margin, minUpdates, prune } = settings;
  return { learner, epochs, seed, margin, minUpdates, prune } as PointersTrainOptions;
}

/** The options for training a parser with pointers with a network. */
export function pointersNetworkOptionsOf(
  settings: CompleteSettings,
  sentences: readonly TreebankSentence[],
  inputs: NetworkInputs,
): PointersNetworkOptions {
  const { system: _, ...options } = networkOptionsOf(settings, sentences, inputs);
  return options;
}

/** The options for training a linear parser by tags. */
export function tagsOptionsOf(settings: CompleteSettings): TagsTrainOptions {
  const { encoding, epochs, seed, projectivize, margin, minUpdates, prune } = settings;
  return { encoding: encoding!, epochs, seed, projectivize, margin, minUpdates, prune };
}

/** The options for training a parser by tags with a network. */
export function tagsNetworkOptionsOf(
  settings: CompleteSettings,
  sentences: readonly TreebankSentence[],
  inputs: NetworkInputs,
): TagsNetworkOptions {
  const { system: _, ...options } = networkOptionsOf(settings, sentences, inputs);
  return { ...options, encoding: settings.encoding! };
}

/** Options of all networks. */
function networkOptionsOf(
  settings: CompleteSettings,
  sentences: readonly TreebankSentence[],
  { vectors, encoded, threads = 1 }: NetworkInputs,
): NeuralOptions {
  const { dropout = 0, wordDropout: words = 0, width = NETWORK_OPTIONS.width.default } = settings;
  return {
    ...picked(settings, NETWORK_OPTIONS),
    width,
    inputs: inputsOf(sentences, encoded ? INPUTS_BESIDE_ENCODER : INPUTS),
    dropout: { words, inputs: dropout, layers: dropout, hidden: dropout },
    ...(vectors ? { vectors } : {}),
    ...(encoded ? { contextual: encoded } : {}),
    threads,
  } as NeuralOptions;
}

/** Columns that the treebank leaves empty have no embeddings. */
function inputsOf(sentences: readonly TreebankSentence[], sizes: typeof INPUTS): NeuralOptions["inputs"] {
  const inputs: NeuralOptions["inputs"] = { ...sizes };
  for (const column of ["lemma", "upos", "xpos", "feats"] as const) {
    const isEmpty = (sentence: TreebankSentence) => {
      for (let i = 1; i <= sentence.length; i++) if (sentence[column](i) !== "_") return false;
      return true;
    };
    if (sentences.every(isEmpty)) delete inputs[column];
  }
  return inputs;
}
