import { NeuralTraining, neuralOptionsOf, type TrainOptions, type TreebankSentence } from "@stemma/core/training";
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

/** A network's training with its threads, which `close` ends. */
export interface NetworkTraining {
  training: NeuralTraining;
  epochSteps(): Generator<number, void, void>;
  close(): Promise<void>;
}

/** Gets the training of a network ready. */
export async function networkTraining(
  sentences: readonly TreebankSentence[],
  shared: TrainOptions,
  options: NetworkOptions & { wordDropout?: number | undefined },
): Promise<NetworkTraining> {
  const threads = options.threads ? threadsOf(options.threads) : 1;
  const vectors =
    options.vectors === undefined ? undefined : await readVectors(options.vectors, sentences, options.vectorWords);
  const training = new NeuralTraining(sentences, neuralOptionsOf(sentences, shared, options, { vectors, threads }));
  const crew = threads > 1 ? new NetworkCrew(training, threads) : undefined;
  return {
    training,
    epochSteps: () => training.epochSteps(crew?.run),
    close: async () => crew?.close(),
  };
}
