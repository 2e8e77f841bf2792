import {
  type EncodedTreebank,
  NeuralTraining,
  neuralOptionsOf,
  type TrainOptions,
  type TreebankSentence,
} from "@stemma/core/training";
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
  encoder?: string;
  encoderLayers?: number;
  threads?: ThreadCount;
}

/** A network's training with its threads, which `close` ends. */
export interface NetworkTraining {
  training: NeuralTraining;
  epochSteps(): Generator<number, void, void>;
  close(): Promise<void>;
}

/** How many threads train a network. */
export function trainingThreads({ threads }: Pick<NetworkOptions, "threads">): number {
  return threads ? threadsOf(threads) : 1;
}

/** Gets the training of a network ready. */
export async function networkTraining(
  sentences: readonly TreebankSentence[],
  shared: TrainOptions,
  options: NetworkOptions & { wordDropout?: number | undefined },
  encoded?: EncodedTreebank,
): Promise<NetworkTraining> {
  const threads = trainingThreads(options);
  const vectors =
    options.vectors === undefined ? undefined : await readVectors(options.vectors, sentences, options.vectorWords);
  const training = new NeuralTraining(
    sentences,
    neuralOptionsOf(sentences, shared, options, { vectors, encoded, threads }),
  );
  const crew = threads > 1 ? new NetworkCrew(training, threads) : undefined;
  return {
    training,
    epochSteps: () => training.epochSteps(crew?.run),
    close: async () => crew?.close(),
  };
}
