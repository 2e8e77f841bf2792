import type { Words } from "../../features/columns.js";
import type { MatrixPlace, SentencePlaces } from "./inference-memory.js";
import type { InferenceKernel } from "./plain-network.js";
import type { QuantizedNumbers, Storage } from "./quantization.js";
import type { NetworkHeader, NetworkView } from "./shape.js";

/**
 * Where words get vectors from that know their sentence: one for each of some layers, which a network mixes, each times
 * its number in `mix`.
 */
export interface ContextualVectors {
  /** Numbers in a vector. */
  readonly size: number;
  /** How many layers there are. */
  readonly mixed: number;
  /** Their origin, in words for people: names of settings and their values. */
  readonly description: Readonly<Record<string, unknown>>;
  /** As an input of a network, whose first matrix has a part that is theirs. */
  input(network: StoredNetwork, matrix: MatrixPlace): ContextualInput;
  /** The means of the layers for the words of a sentence, one word after the other. */
  means(forms: readonly string[]): Float32Array;
}

/** Contextual vectors at work for one network. */
export interface ContextualInput {
  /** Writes the products of the words and of node 0 with the part of the first matrix that is theirs, row by row. */
  multiply(words: Words, kernel: InferenceKernel, floats: Float32Array, places: SentencePlaces): void;
}

/** All of a network. */
export interface NetworkData {
  readonly header: NetworkHeader;
  readonly view: NetworkView;
  /** Number of classes. */
  readonly classes: number;
  /** For each input, the keys of rows 2 and up. */
  readonly keys: readonly Uint32Array[];
  readonly numbers: QuantizedNumbers;
  readonly contextual?: ContextualVectors | undefined;
}

/** A network, and where its numbers are in memory. */
export interface StoredNetwork extends NetworkData {
  readonly storage: Storage;
}

/** A network that was trained: its tables' keys, and its tensors in the order of `tensorsOf`. */
export interface TrainedNetwork {
  readonly header: NetworkHeader;
  /** For each input, the keys of rows 2 and up. */
  readonly keys: readonly Uint32Array[];
  readonly tensors: readonly Float32Array[];
  readonly contextual?: ContextualVectors | undefined;
}
