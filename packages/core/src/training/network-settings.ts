import type { GraphNetworkOptions } from "../graph/learning/graph-network-training.js";
import type { DecoderName } from "../graph/search/graph-decoder.js";
import type { TreebankSentence } from "../learning/examples.js";
import type { NeuralOptions } from "../learning/network/neural-training.js";

/** What networks share with linear models. */
export type SharedOptions = Omit<
  NeuralOptions,
  | "inputs"
  | "vocabulary"
  | "layers"
  | "width"
  | "hidden"
  | "dropout"
  | "activation"
  | "vectors"
  | "trainVectors"
  | "encoded"
  | "threads"
  | "rate"
  | "globalEpochs"
> & { rate?: number | undefined };

/** Numbers in the embeddings: chosen from short runs on English and Basque development data. */
const INPUTS = { word: 64, lemma: 32, upos: 16, xpos: 24, feats: 32, affixes: 32 };
/** Beside an encoder, which knows the words, smaller tables do as well. */
const INPUTS_BESIDE_ENCODER = { ...INPUTS, word: 32, lemma: 16 };
/** A word that occurs f times is hidden with probability a / (a + f). */
const WORD_DROPOUT = 0.5;
/** The defaults of networks. */
export const NETWORK_DEFAULTS = {
  epochs: 12,
  layers: 2,
  width: 96,
  hidden: 160,
  dropout: 0.2,
  vectorWords: 30_000,
  /** The step size of Adam at the beginning. */
  rate: 0.003,
} as const;

/** Of so many epochs, how many with a beam learn from whole derivations. */
export function globalEpochsOf(epochs: number): number {
  return Math.round(epochs / 3);
}

/** How large a network is to be, and how it learns. */
export interface NetworkSizes {
  layers: number;
  width: number;
  hidden: number;
  dropout: number;
  wordDropout?: number | undefined;
  vocabulary?: number | undefined;
  rate?: number | undefined;
}

/** What a network may be given besides. */
export type NetworkInputs = Pick<NeuralOptions, "vectors" | "encoded" | "threads">;

/** The options for training a network. */
export function neuralOptionsOf(
  sentences: readonly TreebankSentence[],
  shared: SharedOptions,
  sizes: Omit<NetworkSizes, "rate"> & Pick<NeuralOptions, "activation" | "trainVectors" | "globalEpochs">,
  inputs: NetworkInputs = {},
): NeuralOptions {
  const { activation, trainVectors, globalEpochs } = sizes;
  const { system, root, singleRoot, systemSettings, templates, templatesSource, oracle } = shared;
  const { exploreFrom, exploreProbability, epochs, seed, projectivize, beam } = shared;
  return {
    ...{ system, root, singleRoot, ...(systemSettings ? { systemSettings } : {}), templates, templatesSource, oracle },
    ...{ exploreFrom, exploreProbability, epochs, seed, projectivize, beam },
    ...networkOptionsOf(sentences, { ...sizes, rate: shared.rate }, inputs),
    ...(activation ? { activation } : {}),
    ...(trainVectors ? { trainVectors } : {}),
    ...(globalEpochs ? { globalEpochs } : {}),
  };
}

/** The options for training a graph-based parser with a network. */
export function graphNetworkOptionsOf(
  sentences: readonly TreebankSentence[],
  settings: NetworkSizes &
    Pick<GraphNetworkOptions, "epochs" | "seed" | "projectivize"> & { decoder?: DecoderName | undefined },
  inputs: NetworkInputs = {},
): GraphNetworkOptions {
  const { decoder = "eisner", epochs, seed, projectivize } = settings;
  return { ...{ decoder, epochs, seed, projectivize }, ...networkOptionsOf(sentences, settings, inputs) };
}

/** What all networks need to know. */
function networkOptionsOf(
  sentences: readonly TreebankSentence[],
  {
    layers,
    width,
    hidden,
    dropout,
    wordDropout = WORD_DROPOUT,
    vocabulary,
    rate = NETWORK_DEFAULTS.rate,
  }: NetworkSizes,
  { vectors, encoded, threads = 1 }: NetworkInputs,
): Pick<
  NeuralOptions,
  "rate" | "inputs" | "layers" | "width" | "hidden" | "dropout" | "vocabulary" | keyof NetworkInputs
> {
  return {
    rate,
    inputs: inputsOf(sentences, encoded ? INPUTS_BESIDE_ENCODER : INPUTS),
    ...(vocabulary === undefined ? {} : { vocabulary }),
    layers,
    width,
    hidden,
    dropout: { words: wordDropout, inputs: dropout, layers: dropout, hidden: dropout },
    ...(vectors ? { vectors } : {}),
    ...(encoded ? { encoded } : {}),
    threads,
  };
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
