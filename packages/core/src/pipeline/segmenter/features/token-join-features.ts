// The features of a single space between two stretches of a text that may be one token: "1 000", "Việt Nam".

import { mix } from "../../../math/hash.js";
import type { ScannedText } from "../characters/scanned-text.js";
import { FeatureList, lengthStep } from "./feature-list.js";
import { shapeOf, type TokenTable } from "./sentence-end-features.js";

/** Number of features of a space. */
export const TOKEN_JOIN_FEATURES = 24;

/** Stands for what is before the first token and after the last. */
const NOTHING = 3;
/** Sets these features apart from those of token ends and sentence ends, which share the table of weights. */
const SALT = 0x6a09e667;

/** Describes spaces between the pieces of a stretch. */
export class TokenJoinFeatures {
  private readonly list = new FeatureList(TOKEN_JOIN_FEATURES);

  constructor(
    private readonly text: ScannedText,
    private readonly tokens: TokenTable,
  ) {}

  /**
   * The features of the space after piece t, where the token so far begins at `start`; that is before the piece if
   * others have been joined already.
   */
  describe(start: number, t: number): Int32Array {
    const { list, text, tokens } = this;
    const { starts, ends, count } = tokens;
    const from = (piece: number) => text.indexOf(starts[piece]!);
    const to = (piece: number) => text.indexOf(ends[piece]!);
    const form = (piece: number) => (piece < 0 || piece >= count ? NOTHING : text.lowerHash(from(piece), to(piece)));
    const shape = (piece: number) =>
      piece < 0 || piece >= count ? NOTHING : shapeOf(text.classes, from(piece), to(piece));
    const left = form(t);
    const right = form(t + 1);
    const left2 = form(t - 1);
    const right2 = form(t + 2);
    const leftShape = shape(t);
    const rightShape = shape(t + 1);
    const left2Shape = shape(t - 1);
    const right2Shape = shape(t + 2);
    const token = text.lowerHash(text.indexOf(start), to(t));
    const pair = mix(left, right);
    const shapes = mix(leftShape, rightShape);
    const isJoined = starts[t] !== start ? 1 : 0;
    const leftLength = to(t) - from(t);
    const rightLength = to(t + 1) - from(t + 1);
    list.begin();
    const add = (value: number) => list.add(mix(SALT, value));
    add(isJoined);
    add(left);
    add(right);
    add(pair);
    add(mix(isJoined, pair));
    add(mix(token, right));
    add(mix(mix(token, right), right2));
    add(mix(left2, pair));
    add(mix(pair, right2));
    add(mix(isJoined, left));
    add(mix(isJoined, right));
    add(mix(right, right2));
    add(mix(left2, left));
    add(shapes);
    add(mix(isJoined, shapes));
    add(mix(left2Shape, shapes));
    add(mix(shapes, right2Shape));
    add(mix(left, rightShape));
    add(mix(leftShape, right));
    add(mix(shapes, mix(lengthStep(leftLength), lengthStep(rightLength))));
    add(mix(left2, shapes));
    add(mix(shapes, right2));
    add(mix(mix(left2Shape, shapes), mix(isJoined, right2Shape)));
    add(mix(left, mix(rightShape, lengthStep(rightLength))));
    return list.end();
  }
}
