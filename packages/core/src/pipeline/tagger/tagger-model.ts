import type { LinearModel } from "../../scoring/linear/linear-model.js";
import { linearWeights } from "../../scoring/linear/linear-weights.js";
import type { Codec, Part } from "../../storage/part.js";
import { stored } from "../../storage/store.js";
import { Analyses } from "./analyses.js";
import type { TagGuesser } from "./tag-guesser.js";
import { checkTaggerHeader, type TaggerHeader } from "./tagger-header.js";

/** A trained tagger. @opaque */
export class TaggerModel implements Part {
  readonly analyses: Analyses;
  /** From a lower-cased frequent word to the number of its set of tags. */
  readonly classOf: ReadonlyMap<string, number>;

  constructor(
    readonly header: TaggerHeader,
    readonly linear: LinearModel,
    /** The guesser of the tags of words, if the tagger was trained with its guesses. */
    readonly guesser?: TagGuesser | undefined,
  ) {
    this.analyses = new Analyses(header);
    this.classOf = setsOf(header);
  }

  /** How it is stored in a file. */
  get codec(): Codec {
    return taggerCodec;
  }

  /** Number of classes of the linear model. */
  get classCount(): number {
    return this.analyses.classes;
  }
}

export const taggerCodec: Codec = {
  part: "tagger",
  take: ({ header, linear, classCount }: TaggerModel) => ({
    header,
    content: [stored(linearWeights(classCount), linear)],
  }),
  open(value, { tagGuesser }) {
    const header = checkTaggerHeader(value);
    return {
      stores: [linearWeights(new Analyses(header).classes)],
      make: (linear: LinearModel) => new TaggerModel(header, linear, tagGuesser as TagGuesser | undefined),
    };
  },
};

/** The number of its set of tags for each word of the header. */
export function setsOf({ words }: TaggerHeader): Map<string, number> {
  const sets = new Map<string, number>();
  words.forEach((group, set) => {
    for (const word of group) sets.set(word, set);
  });
  return sets;
}
