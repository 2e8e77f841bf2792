// The features of the gap between two tokens, where a sentence may end.

import { mix } from "../../../math/hash.js";
import { CLASS_BITS, isTerminal, KIND, LINE_END } from "../characters/character-classes.js";
import { LONGEST_HASH, type ScannedText } from "../characters/scanned-text.js";
import { FeatureList, lengthStep } from "./feature-list.js";

/** Number of features of a gap. */
export const SENTENCE_END_FEATURES = 44;
/** Number of those that there are besides with guesses. */
const GUESSED_FEATURES = 9;
export const ALL_SENTENCE_END_FEATURES = SENTENCE_END_FEATURES + GUESSED_FEATURES;

/** The kind of gap between two tokens: nothing, a space, more white space, or a line end. */
const GAP_NONE = 0;
const GAP_SPACE = 1;
const GAP_WIDE = 2;
const GAP_LINE = 3;

/** Stands for words and shapes before the sentence, and after the stretch of text. */
const NO_LEFT = 3;
const NO_RIGHT = 5;
/** No token that ends like a sentence is looked for further away than this. */
const FARTHEST_STOP = 63;

// A shape: class of the first character, class of the last, kinds of those between, and length 1, 2 to 3 or more.
const SHAPE_INNER = 2;
const SHAPE_LAST = 10;
const SHAPE_FIRST = SHAPE_LAST + CLASS_BITS;

/** The tokens of a stretch of text. */
export interface TokenTable {
  readonly count: number;
  /** Start and end of each in the text. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** 1 where a sentence ends with the token, as far as that is decided. */
  readonly sentenceEnds: Uint8Array;
}

/** Describes gaps between the tokens of a stretch; `bind` first looks at all of them. */
export class SentenceEndFeatures {
  private readonly plainList = new FeatureList(SENTENCE_END_FEATURES);
  private readonly guessedList = new FeatureList(ALL_SENTENCE_END_FEATURES);
  /** The guess for each gap, if there is one. */
  private guesses: Uint8Array | undefined;
  /**
   * For each token its form in small letters, its shape, the gap after it, and how far away the next one is that ends
   * like a sentence.
   */
  private forms = new Int32Array(0);
  private shapes = new Int32Array(0);
  private gaps = new Uint8Array(0);
  private stops = new Int32Array(0);

  constructor(
    private readonly text: ScannedText,
    private readonly tokens: TokenTable,
  ) {}

  bind(guesses?: Uint8Array | undefined): void {
    const { text, tokens } = this;
    this.guesses = guesses;
    if (this.forms.length < text.room) {
      this.forms = new Int32Array(text.room);
      this.shapes = new Int32Array(text.room);
      this.gaps = new Uint8Array(text.room);
      this.stops = new Int32Array(text.room);
    }
    const { forms, shapes, gaps, stops } = this;
    const { starts, ends, count } = tokens;
    const { classes, codes } = text;
    for (let t = 0; t < count; t++) {
      const start = text.indexOf(starts[t]!);
      const end = text.indexOf(ends[t]!);
      forms[t] = text.lowerHash(start, end);
      shapes[t] = shapeOf(classes, start, end);
      gaps[t] = gapBetween(classes, end, t + 1 < count ? text.indexOf(starts[t + 1]!) : end);
    }
    let distance = FARTHEST_STOP;
    for (let t = count - 1; t >= 0; t--) {
      const last = text.indexOf(ends[t]!) - 1;
      distance = isTerminal(codes[last]!, classes[last]!) ? 0 : Math.min(FARTHEST_STOP, distance + 1);
      stops[t] = distance;
    }
  }

  /** Whether there is a line end after a token. */
  isLineEnd(token: number): boolean {
    return this.gaps[token] === GAP_LINE;
  }

  /** The features of the gap after token t, in a sentence that begins with token `first`. */
  describe(first: number, t: number): Int32Array {
    const { forms, shapes, gaps, guesses } = this;
    const list = guesses ? this.guessedList : this.plainList;
    const { count, sentenceEnds } = this.tokens;
    const hasLeft = t > first;
    const hasLeft2 = t - 1 > first;
    const hasRight2 = t + 2 < count;
    const hasRight3 = t + 3 < count;
    // The tokens to the left of the gap, the nearest without a number, …
    const left = forms[t]!;
    const leftShape = shapes[t]!;
    const left2 = hasLeft ? forms[t - 1]! : NO_LEFT;
    const left2Shape = hasLeft ? shapes[t - 1]! : NO_LEFT;
    const left3 = hasLeft2 ? forms[t - 2]! : NO_LEFT;
    const left3Shape = hasLeft2 ? shapes[t - 2]! : NO_LEFT;
    // … and to the right; of the next one its first character, and that with the form.
    const right = forms[t + 1]!;
    const rightShape = shapes[t + 1]!;
    const right2 = hasRight2 ? forms[t + 2]! : NO_RIGHT;
    const right2Shape = hasRight2 ? shapes[t + 2]! : NO_RIGHT;
    const right3 = hasRight3 ? forms[t + 3]! : NO_RIGHT;
    const right3Shape = hasRight3 ? shapes[t + 3]! : NO_RIGHT;
    const rightFirst = rightShape >> SHAPE_FIRST;
    const rightCased = mix(right, rightFirst);
    const bothShapes = mix(leftShape, rightShape);
    // The gap alone, with the one before it, and with the one after it.
    const gap = gaps[t]!;
    const leftGaps = (t > 0 ? gaps[t - 1]! : GAP_LINE) * 4 + gap;
    const rightGaps = gap * 4 + gaps[t + 1]!;
    const length = lengthStep(t - first + 1);
    list.begin();
    // Forms on the left, then on the right.
    list.add(gap);
    list.add(mix(left, gap));
    list.add(mix(left, mix(rightFirst, gap)));
    list.add(mix(left, rightCased));
    list.add(mix(left, mix(rightShape, length)));
    list.add(mix(left2, mix(left, rightFirst)));
    list.add(mix(left2, left));
    list.add(mix(rightCased, gap));
    list.add(mix(rightCased, leftShape));
    list.add(mix(rightCased, right2));
    list.add(mix(leftShape, mix(rightCased, right2Shape)));
    // Shapes on both sides.
    list.add(bothShapes);
    list.add(mix(bothShapes, gap));
    list.add(mix(bothShapes, length));
    list.add(mix(bothShapes, right2Shape));
    list.add(mix(left2Shape, bothShapes));
    list.add(mix(left2Shape, mix(bothShapes, right2Shape)));
    list.add(mix(mix(left3Shape, left2Shape), bothShapes));
    list.add(mix(mix(rightShape, right2Shape), mix(right3Shape, leftShape)));
    list.add(mix(left, mix(rightShape, right2Shape)));
    list.add(mix(left, mix(left2Shape, rightShape)));
    list.add(mix(right2, bothShapes));
    // How long the sentence is, and how it begins.
    list.add(mix(length, gap));
    list.add(mix(length, left));
    list.add(mix(length, rightCased));
    list.add(mix(forms[first]!, mix(length, left)));
    list.add(mix(forms[first]!, mix(shapes[first]!, length)));
    list.add(mix(shapes[first]!, bothShapes));
    // The neighbouring gaps.
    list.add(mix(left, leftGaps));
    list.add(mix(right, mix(rightGaps, rightFirst)));
    list.add(mix(mix(leftShape, leftGaps), mix(rightShape, rightGaps)));
    // How far it is to the next full stop or the like.
    const stop = stopStep(this.stops[t + 1]!);
    list.add(mix(stop, bothShapes));
    list.add(mix(stop, mix(length, mix(leftShape >> SHAPE_LAST, rightFirst))));
    list.add(mix(stop, rightCased));
    // Forms further away, and whether the last token was a sentence.
    list.add(mix(mix(rightCased, right2), right3));
    list.add(mix(mix(left3, left2), left));
    list.add(mix(left2, rightFirst));
    list.add(mix(right2, mix(right2Shape, rightFirst)));
    list.add(mix(left, mix(right2, rightFirst)));
    list.add(mix(left2, mix(left, rightCased)));
    list.add(mix(t > 0 && sentenceEnds[t - 1] === 1 ? 1 : 0, mix(left, right)));
    list.add(mix(left2Shape, left));
    list.add(mix(rightShape, right2));
    list.add(mix(mix(right2Shape, right3Shape), rightCased));
    if (guesses) {
      const guess = guesses[t]!;
      const before = t > 0 ? guesses[t - 1]! : 0;
      list.add(guess);
      for (const other of [gap, bothShapes, length, left, rightCased, stop, before, guesses[t + 1]!])
        list.add(mix(guess, other));
    }
    return list.end();
  }
}

function gapBetween(classes: Uint8Array, end: number, next: number): number {
  for (let i = end; i < next; i++) if (classes[i] === LINE_END) return GAP_LINE;
  return next === end ? GAP_NONE : next === end + 1 ? GAP_SPACE : GAP_WIDE;
}

/** First and last class, the kinds between them, and the length. */
export function shapeOf(classes: Uint8Array, start: number, end: number): number {
  let inner = 0;
  for (let i = start + 1; i < end && i < start + LONGEST_HASH; i++) inner |= 1 << KIND[classes[i]!]!;
  const length = end - start === 1 ? 0 : end - start < 4 ? 1 : 2;
  return (classes[start]! << SHAPE_FIRST) | (classes[end - 1]! << SHAPE_LAST) | (inner << SHAPE_INNER) | length;
}

function stopStep(distance: number): number {
  return distance > 20 ? 3 : distance > 8 ? 2 : distance > 2 ? 1 : 0;
}
