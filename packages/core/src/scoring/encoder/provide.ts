import { check } from "../../checks/options.js";
import { having } from "../../checks/shapes.js";
import { Encoder } from "./encoder.js";
import type { EncoderData, WordEncoder } from "./encoder-data.js";
import { EncoderInput } from "./encoder-input.js";
import { packEncoder, unpackEncoder, unpackProbe } from "./encoder-sections.js";
import { ENCODER_DATA } from "./encoder-shape.js";
import { provideEncoders } from "./encoders.js";
import { meanOfLayers, Probe } from "./probe.js";
import type { EncoderProbe } from "./probe-data.js";

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

/** Scores of the classes of a probe for each word of a sentence, by the mean of the encoder's layers. */
function probeWords(data: EncoderProbe): (forms: readonly string[]) => Float32Array {
  const probe = new Probe(data);
  const { mixed, size } = data.encoder.header;
  return (forms) => probe.score(meanOfLayers(encoderOf(data.encoder).encode(forms), mixed, size));
}

/** Scores of the classes of a probe for each gap between two words of a text. */
function probeGaps(data: EncoderProbe): (forms: readonly string[]) => Float32Array {
  const probe = new Probe(data);
  const { size } = data.encoder.header;
  return (forms) => {
    const vectors = encoderOf(data.encoder).skim(forms);
    const scores = new Float32Array(Math.max(0, forms.length - 1) * data.header.classes);
    for (let from = 0; from + 1 < forms.length; from += GAPS_TOGETHER) {
      const count = Math.min(GAPS_TOGETHER, forms.length - 1 - from);
      const pairs = new Float32Array(count * 2 * size);
      for (let k = 0; k < count; k++)
        pairs.set(vectors.subarray((from + k) * size, (from + k + 2) * size), 2 * k * size);
      scores.set(probe.score(pairs), from * data.header.classes);
    }
    return scores;
  };
}

provideEncoders({
  create: encoderOf,
  input: (network, matrix) => new EncoderInput(network, encoderOf(network.encoder!), matrix),
  probe: probeWords,
  probeGaps,
  pack: packEncoder,
  unpack: unpackEncoder,
  unpackProbe,
});
