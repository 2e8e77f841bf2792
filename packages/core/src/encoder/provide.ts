import { check } from "../checks/options.js";
import { having } from "../checks/shapes.js";
import { Encoder } from "./encoder.js";
import type { EncoderData, WordEncoder } from "./encoder-data.js";
import { EncoderInput } from "./encoder-input.js";
import { packEncoder, readProbe, unpackEncoder } from "./encoder-sections.js";
import { ENCODER_DATA } from "./encoder-shape.js";
import { provideEncoders, type WordMeans } from "./encoders.js";
import { endSteps, meanOfLayers, Probe, packGuesses } from "./probe.js";
import type { EncoderProbe, SentenceEndGuesses, TagGuesses } from "./probe-data.js";

/** Gaps whose scores are computed together. */
const GAPS_TOGETHER = 256;
const made = new WeakMap<EncoderData, WordEncoder>();

/** The encoder that works with this data: one for all that use it. */
export function encoderOf(data: EncoderData): WordEncoder {
  check("encoder", data, ENCODER_DATA);
  const encoder = made.get(data) ?? new Encoder(data);
  made.set(data, encoder);
  return encoder;
}

/** Has another one do the work of this data's encoder. */
export function useEncoder(data: EncoderData, encoder: WordEncoder): void {
  check("encoder", data, ENCODER_DATA);
  check("encoder that does the work", encoder, having("an object with encode and skim", "encode", "skim"));
  made.set(data, encoder);
}

function meansOf(data: EncoderData): WordMeans {
  const { mixed, size } = data.header;
  return (forms) => meanOfLayers(encoderOf(data).encode(forms), mixed, size);
}

/** What a probe of tags holds of words, by the mean of the encoder's layers. */
function tagGuesses(data: EncoderProbe): TagGuesses {
  const probe = new Probe(data);
  const means = meansOf(data.encoder);
  return (forms) => packGuesses(probe.score(means(forms)), data.header.classes);
}

/** What a probe of sentence ends holds of tokens, by the vectors of each and of the next one. */
function endGuesses(data: EncoderProbe): SentenceEndGuesses {
  const probe = new Probe(data);
  const { size } = data.encoder.header;
  return (forms) => {
    const vectors = encoderOf(data.encoder).skim(forms);
    const guesses = new Uint8Array(forms.length);
    for (let from = 0; from + 1 < forms.length; from += GAPS_TOGETHER) {
      const count = Math.min(GAPS_TOGETHER, forms.length - 1 - from);
      const pairs = new Float32Array(count * 2 * size);
      for (let k = 0; k < count; k++) {
        const first = (from + k) * size;
        pairs.set(vectors.subarray(first, first + 2 * size), 2 * k * size);
      }
      guesses.set(endSteps(probe.score(pairs)), from);
    }
    return guesses;
  };
}

provideEncoders({
  create: encoderOf,
  means: meansOf,
  input: (network, matrix) => new EncoderInput(network, encoderOf(network.encoder!), matrix),
  tagGuesses,
  endGuesses,
  pack: packEncoder,
  unpack: unpackEncoder,
  readProbe,
});
