// The features of a token that is one word or several, as its neighbours have it: French "des" is an article, or "de"
// and "les".

import { mix } from "../../../math/hash.js";
import type { ScannedText } from "../characters/scanned-text.js";
import { FeatureList } from "./feature-list.js";
import { shapeOf, type TokenTable } from "./sentence-end-features.js";

/** Number of features of a token. */
export const WORD_SPLIT_FEATURES = 24;

/** Stands for what is before the first token and after the last. */
const NOTHING = 3;
/** Endings are of so many characters. */
const ENDINGS = [2, 3] as const;
/** Sets these features apart from the others, which share the table of weights. */
const SALT = 0x3c6ef372;

/** Describes tokens of a stretch. */
export class WordSplitFeatures {
  private readonly list = new FeatureList(WORD_SPLIT_FEATURES);

  constructor(
    private readonly text: ScannedText,
    private readonly tokens: TokenTable,
  ) {}

  describe(t: number): Int32Array {
    const { list, text, tokens } = this;
    const { starts, ends, count } = tokens;
    const of = (token: number, value: (from: number, to: number) => number) =>
      token < 0 || token >= count ? NOTHING : value(text.indexOf(starts[token]!), text.indexOf(ends[token]!));
    const form = (token: number) => of(token, (from, to) => text.lowerHash(from, to));
    const shape = (token: number) => of(token, (from, to) => shapeOf(text.classes, from, to));
    const ending = (token: number, length: number) =>
      of(token, (from, to) => text.lowerHash(Math.max(from, to - length), to));
    const own = mix(SALT, form(t));
    const [before3, before2, before, after, after2, after3] = [-3, -2, -1, 1, 2, 3].map((way) => form(t + way)) as [
      ...[number, number, number, number, number, number],
    ];
    const around = mix(shape(t - 1), shape(t + 1));
    list.begin();
    const add = (value: number) => list.add(mix(own, value));
    for (const value of [0, shape(t), before3, before2, before, after, after2, after3]) add(value);
    for (const value of [mix(before2, before), mix(before, after), mix(after, after2), mix(before, after2)]) add(value);
    for (const value of [around, mix(before, shape(t + 1)), mix(shape(t - 1), after)]) add(value);
    for (const length of ENDINGS) {
      const [left, right] = [ending(t - 1, length), ending(t + 1, length)];
      for (const value of [left, right, mix(left, right)]) add(value);
    }
    const [left2, right2] = [ending(t - 2, 3), ending(t + 2, 3)];
    add(mix(left2, ending(t - 1, 3)));
    add(mix(ending(t + 1, 3), right2));
    add(mix(before, ending(t + 1, 3)));
    return list.end();
  }
}
