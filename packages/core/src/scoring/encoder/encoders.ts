import type { Words } from "../../features/columns.js";
import type { MatrixPlace, SentencePlaces } from "../network/inference-memory.js";
import type { StoredNetwork } from "../network/network-data.js";
import type { InferenceKernel } from "../network/plain-network.js";
import type { EncoderData, EncoderHeader, WordEncoder } from "./encoder-data.js";
import type { EncoderProbe, ProbeHeader, StoredProbe } from "./probe-data.js";

/** What an encoder makes of the words of a sentence, as an input of a network. */
export interface EncodedInput {
  /** Writes the products of the words and of node 0 with the part of the first matrix that is theirs, row by row. */
  multiply(words: Words, kernel: InferenceKernel, floats: Float32Array, places: SentencePlaces): void;
}

/** The program of encoders, which models without one do without: scoring/encoder/provide.ts. */
export interface EncoderProgram {
  create(data: EncoderData): WordEncoder;
  input(network: StoredNetwork, matrix: MatrixPlace): EncodedInput;
  /** Scores of the classes of a probe for each word of a sentence. */
  probe(probe: EncoderProbe): (forms: readonly string[]) => Float32Array;
  /** Scores of the classes of a probe for each gap between two words of a text, by skimming it. */
  probeGaps(probe: EncoderProbe): (forms: readonly string[]) => Float32Array;
  pack(data: EncoderData): Uint8Array[];
  unpack(
    header: EncoderHeader,
    sections: readonly [Uint8Array, Uint8Array, Uint8Array],
    fail: (reason: string) => never,
  ): EncoderData;
  unpackProbe(
    part: string,
    header: ProbeHeader,
    inputs: number,
    sections: readonly [Uint8Array, Uint8Array],
    fail: (reason: string) => never,
  ): StoredProbe;
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
