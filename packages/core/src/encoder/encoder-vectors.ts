import { check } from "../checks/options.js";
import { having } from "../checks/shapes.js";
import type { MatrixPlace } from "../scoring/network/inference-memory.js";
import type { ContextualInput, ContextualVectors, StoredNetwork } from "../scoring/network/network-data.js";
import { tensorNumbers } from "../scoring/network/network-numbers.js";
import type { QuantizedNumbers } from "../scoring/network/quantization.js";
import type { Codec, Part } from "../storage/part.js";
import { stored } from "../storage/store.js";
import { textLines } from "../storage/text-lines.js";
import { Encoder } from "./encoder.js";
import type { EncoderData, EncoderHeader, WordEncoder } from "./encoder-data.js";
import { EncoderInput } from "./encoder-input.js";
import { checkEncoder, ENCODER_DATA, encoderStorage } from "./encoder-shape.js";
import { meanOfLayers } from "./probe/probe.js";

const made = new WeakMap<EncoderData, EncoderVectors>();

/** The output of an encoder for words, for all that use it. */
export class EncoderVectors implements ContextualVectors, Part {
  private worker: WordEncoder | undefined;

  private constructor(readonly data: EncoderData) {}

  /** Those of an encoder: the same for the same data. */
  static of(data: EncoderData): EncoderVectors {
    check("encoder", data, ENCODER_DATA);
    const vectors = made.get(data) ?? new EncoderVectors(data);
    made.set(data, vectors);
    return vectors;
  }

  get codec(): Codec {
    return vectorsCodec;
  }

  get size(): number {
    return this.data.header.size;
  }

  get mixed(): number {
    return this.data.header.mixed;
  }

  get description(): Readonly<Record<string, unknown>> {
    const { header, vocabulary } = this.data;
    return { ...header, pieces: vocabulary.length };
  }

  /** The encoder at work. */
  get encoder(): WordEncoder {
    return (this.worker ??= new Encoder(this.data));
  }

  set encoder(other: WordEncoder) {
    this.worker = other;
  }

  input(network: StoredNetwork, matrix: MatrixPlace): ContextualInput {
    return new EncoderInput(network, this.encoder, matrix);
  }

  means(forms: readonly string[]): Float32Array {
    return meanOfLayers(this.encoder.encode(forms), this.mixed, this.size);
  }
}

/** The header has the number of pieces as well. */
export const vectorsCodec: Codec = {
  part: "contextual",
  program: "encoder",
  take({ data: { header, vocabulary, numbers } }: EncoderVectors) {
    const storage = encoderStorage(header, vocabulary.length);
    return {
      header: { ...header, vocabulary: vocabulary.length },
      content: [
        stored(textLines("vocabulary", vocabulary.length), vocabulary),
        stored(tensorNumbers(storage), numbers),
      ],
    };
  },
  open(value) {
    const { vocabulary: count, ...rest } = Object(value) as EncoderHeader & { vocabulary: number };
    const header = rest as EncoderHeader;
    checkEncoder(header, count);
    return {
      stores: [textLines("vocabulary", count), tensorNumbers(encoderStorage(header, count))],
      make: (vocabulary: readonly string[], numbers: QuantizedNumbers) =>
        EncoderVectors.of({ header, vocabulary, numbers }),
    };
  },
};

/** The encoder that works with this data: one for all that use it. */
export function encoderOf(data: EncoderData): WordEncoder {
  return EncoderVectors.of(data).encoder;
}

/** Has another one do the work of this data's encoder. */
export function useEncoder(data: EncoderData, encoder: WordEncoder): void {
  check("encoder that does the work", encoder, having("an object with encode and skim", "encode", "skim"));
  EncoderVectors.of(data).encoder = encoder;
}
