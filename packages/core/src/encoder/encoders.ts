import type { Words } from "../features/columns.js";
import type { MatrixPlace, SentencePlaces } from "../scoring/network/inference-memory.js";
import type { StoredNetwork } from "../scoring/network/network-data.js";
import type { InferenceKernel } from "../scoring/network/plain-network.js";
import type { EncoderData, EncoderHeader, WordEncoder } from "./encoder-data.js";
import type { EncoderProbe, ProbeHeader, SentenceEndGuesses, TagGuesses } from "./probe-data.js";

/** What an encoder makes of the words of a sentence, as an input of a network. */
export interface EncodedInput {
  /** Writes the products of the words and of node 0 with the part of the first matrix that is theirs, row by row. */
  multiply(words: Words, kernel: InferenceKernel, floats: Float32Array, places: SentencePlaces): void;
}

/** The vectors of the words of a sentence, one after the other: the means of an encoder's layers. */
export type WordMeans = (forms: readonly string[]) => Float32Array;

/** The program of encoders, which models without one do without: scoring/encoder/provide.ts. */
export interface EncoderProgram {
  create(data: EncoderData): WordEncoder;
  means(data: EncoderData): WordMeans;
  input(network: StoredNetwork, matrix: MatrixPlace): EncodedInput;
  /** What a probe of tags holds of the words of a sentence. */
  tagGuesses(probe: EncoderProbe): TagGuesses;
  /** What a probe of sentence ends holds of the tokens of a text. */
  endGuesses(probe: EncoderProbe): SentenceEndGuesses;
  pack(data: EncoderData): Uint8Array[];
  unpack(
    header: EncoderHeader,
    sections: readonly [Uint8Array, Uint8Array, Uint8Array],
    fail: (reason: string) => never,
  ): EncoderData;
  /** The probe of a part of a pipeline, from the sections that come next. */
  readProbe(
    part: string,
    header: ProbeHeader,
    encoder: EncoderData,
    next: (section: string) => Uint8Array,
    fail: (reason: string) => never,
  ): EncoderProbe;
}

let provided: EncoderProgram | undefined;

/** Gives what works with encoders its program. */
export function provideEncoders(program: EncoderProgram): void {
  provided = program;
}

/** The program of encoders; throws an Error that says how to get it if it is not there. */
export function encoderProgram(): EncoderProgram {
  if (provided) return provided;
  throw new Error('the model has an encoder: use load(), or import "@stemma/core/encoder" before');
}
