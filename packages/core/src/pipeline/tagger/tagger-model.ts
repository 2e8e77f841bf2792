import type { EncoderProbe } from "../../encoder/probe-data.js";
import type { LinearModel } from "../../scoring/linear/linear-model.js";
import { Analyses } from "./analyses.js";
import type { TaggerHeader } from "./tagger-header.js";

/** A trained tagger. */
export class TaggerModel {
  readonly analyses: Analyses;
  /** From a lower-cased frequent word to the number of its set of tags. */
  readonly classOf: ReadonlyMap<string, number>;

  constructor(
    readonly header: TaggerHeader,
    readonly linear: LinearModel,
    /** What guesses the tags of words from what an encoder makes of them, if the tagger was trained with one. */
    readonly probe?: EncoderProbe | undefined,
  ) {
    this.analyses = new Analyses(header);
    this.classOf = setsOf(header);
  }

  /** Number of classes of the linear model. */
  get classCount(): number {
    return this.analyses.classes;
  }
}

/** The number of its set of tags for each word of the header. */
export function setsOf({ words }: TaggerHeader): Map<string, number> {
  const sets = new Map<string, number>();
  words.forEach((group, set) => {
    for (const word of group) sets.set(word, set);
  });
  return sets;
}
