import { type NeuralOptions, NeuralTraining, type TreebankSentence } from "@stemma/core";
import { type ThreadCount, threadsOf } from "../threads.js";
import { NetworkCrew } from "../workers/network-crew.js";
import { readVectors } from "./vectors.js";

/** The options of `stemma train` that only networks have. */
export interface NetworkOptions {
  layers: number;
  width: number;
  hidden: number;
  dropout: number;
  vectors?: string;
  vectorWords: number;
  threads?: ThreadCount;
}

/** The options of `stemma train` that networks share with linear models, with what networks make of them. */
export type SharedOptions = Omit<
  NeuralOptions,
  "inputs" | "layers" | "width" | "hidden" | "dropout" | "vectors" | "threads" | "rate"
> & { rate?: number | undefined };

/** Numbers in the embeddings: chosen from short runs on English and Basque development data. */
const INPUTS = { word: 64, lemma: 32, upos: 16, xpos: 24, feats: 32, affixes: 32 };
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

/** A network's training with its threads, which `close` ends. */
export interface NetworkTraining {
  training: NeuralTraining;
  epochSteps(): Generator<number, void, void>;
  close(): Promise<void>;
}

/** Gets the training of a network ready. */
export async function networkTraining(
  sentences: readonly TreebankSentence[],
  shared: SharedOptions,
  options: NetworkOptions & { wordDropout?: number | undefined },
): Promise<NetworkTraining> {
  const { layers, width, hidden, dropout, wordDropout = WORD_DROPOUT } = options;
  const threads = options.threads ? threadsOf(options.threads) : 1;
  const vectors = options.vectors && (await readVectors(options.vectors, sentences, options.vectorWords));
  const training = new NeuralTraining(sentences, {
    ...shared,
    rate: shared.rate ?? NETWORK_DEFAULTS.rate,
    inputs: inputsOf(sentences),
    layers,
    width,
    hidden,
    dropout: { words: wordDropout, inputs: dropout, layers: dropout, hidden: dropout },
    ...(vectors ? { vectors } : {}),
    threads,
  });
  const crew = threads > 1 ? new NetworkCrew(training, threads) : undefined;
  return {
    training,
    epochSteps: () => training.epochSteps(crew?.run),
    close: async () => crew?.close(),
  };
}

/** Columns that the treebank leaves empty have no embeddings. */
function inputsOf(sentences: readonly TreebankSentence[]): NeuralOptions["inputs"] {
  const inputs: NeuralOptions["inputs"] = { ...INPUTS };
  for (const column of ["lemma", "upos", "xpos", "feats"] as const) {
    const isEmpty = (sentence: TreebankSentence) => {
      for (let i = 1; i <= sentence.length; i++) if (sentence[column](i) !== "_") return false;
      return true;
    };
    if (sentences.every(isEmpty)) delete inputs[column];
  }
  return inputs;
}
