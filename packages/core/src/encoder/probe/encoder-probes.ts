// The guesser of tags and sentence ends from what an encoder makes of words, for a tagger and a segmenter that have
// learned with these guesses.
import type { EndGuesser, SentenceEndGuesses } from "../../pipeline/segmenter/end-guesser.js";
import type { TagGuesser, TagGuesses } from "../../pipeline/tagger/tag-guesser.js";
import { tensorNumbers } from "../../scoring/network/network-numbers.js";
import type { QuantizedNumbers } from "../../scoring/network/quantization.js";
import type { Codec, Part, Parts } from "../../storage/part.js";
import { stored } from "../../storage/store.js";
import { EncoderVectors } from "../encoder-vectors.js";
import { endSteps, Probe, packGuesses } from "./probe.js";
import { checkProbe, END_CLASSES, type ProbeHeader, probeStorage, type StoredProbe } from "./probe-data.js";

/** Gaps whose scores are computed together. */
const GAPS_TOGETHER = 256;

/** A probe, and the encoder whose vectors of words it classifies. */
abstract class EncoderProbe implements StoredProbe, Part {
  abstract get codec(): Codec;
  readonly header: ProbeHeader;
  readonly numbers: QuantizedNumbers;

  constructor(
    { header, numbers }: StoredProbe,
    readonly contextual: EncoderVectors,
  ) {
    this.header = header;
    this.numbers = numbers;
  }
}

/** Guesses the tags of words by the means of the encoder's layers. */
export class TagProbe extends EncoderProbe implements TagGuesser {
  get codec(): Codec {
    return tagProbeCodec;
  }

  guesses(): TagGuesses {
    const probe = new Probe(this);
    return (forms) => packGuesses(probe.score(this.contextual.means(forms)), this.header.classes);
  }
}

/** Guesses where sentences end by the vectors of each token and of the next one. */
export class EndProbe extends EncoderProbe implements EndGuesser {
  get codec(): Codec {
    return endProbeCodec;
  }

  guesses(): SentenceEndGuesses {
    const probe = new Probe(this);
    const { encoder, size } = this.contextual;
    return (forms) => {
      const vectors = encoder.skim(forms);
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
}

export const tagProbeCodec = probeCodec("tagGuesser", 1, (probe, vectors) => new TagProbe(probe, vectors));
export const endProbeCodec = probeCodec("endGuesser", 2, (probe, vectors) => {
  if (probe.header.classes !== END_CLASSES)
    throw new RangeError(`endGuesser.classes: ${probe.header.classes} (expected ${END_CLASSES})`);
  return new EndProbe(probe, vectors);
});

/** `words`: of how many words it is told at a time. */
function probeCodec(
  part: string,
  words: number,
  make: (probe: StoredProbe, vectors: EncoderVectors) => EncoderProbe,
): Codec {
  return {
    part,
    program: "encoder",
    take: ({ header, numbers }: EncoderProbe) => ({
      header,
      content: [stored(tensorNumbers(probeStorage(header)), numbers)],
    }),
    open(value, before: Parts) {
      const { contextual } = before;
      if (!(contextual instanceof EncoderVectors)) throw new RangeError(`${part}: no encoder (expected one before it)`);
      const header = value as ProbeHeader;
      checkProbe(part, header, words * contextual.size);
      return {
        stores: [tensorNumbers(probeStorage(header))],
        make: (numbers: QuantizedNumbers) => make({ header, numbers }, contextual),
      };
    },
  };
}
