// Where tokens and sentences may end in a stretch of text, and what is known about each such place.
import { scramble } from "../../math/hash.js";
import {
  CLASS_BITS,
  CLASSES,
  classOf,
  DIGIT,
  GROUP,
  isRegional,
  isTerminal,
  isWhite,
  KIND,
  LINE_END,
  sticks,
  UPPER,
} from "./segment-characters.js";
import { WINDOW } from "./segmenter-blocks.js";

/** Number of features of a place within a chunk, and of a place between two tokens. */
export const TOKEN_FEATURES = 30;
export const SENTENCE_FEATURES = 44;

/** Which of the pairs of character classes are worth scoring; the others never carry a boundary. */
export type PairSet = Uint8Array;
export const PAIRS = CLASSES * CLASSES;

/** Room on either side of the text, so that windows need no checks. */
const PAD = 8;
/** Longer chunks and tokens are hashed as far as this: no real word is as long. */
const LONGEST_HASH = 32;
/** Of a longer rest of a chunk only the first two characters count. */
const LONGEST_REST = 12;

const GAP_NONE = 0;
const GAP_SPACE = 1;
const GAP_WIDE = 2;
const GAP_LINE = 3;

/** Called with the features filled in; the answer is whether there is a boundary. */
export type Decide = (features: Int32Array, place: number) => boolean;

/** Reads a stretch of text: load, then cutTokens, then cutSentences. Its arrays are used again for the next stretch. */
export class Scanner {
  private from = 0;
  private length = 0;
  private classes = new Uint8Array(0);
  private codes = new Int32Array(0);
  private glued = new Uint8Array(0);
  tokenCount = 0;
  /** Start and end of each token in the text. */
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  /** 1 where a sentence ends with the token. */
  sentenceEnds = new Uint8Array(0);
  private forms = new Int32Array(0);
  private shapes = new Int32Array(0);
  private gaps = new Uint8Array(0);
  private stops = new Int32Array(0);
  private readonly tokenFeatures = new Int32Array(TOKEN_FEATURES);
  private readonly sentenceFeatures = new Int32Array(SENTENCE_FEATURES);
  private filled = 0;

  constructor(
    private readonly tokenPairs: PairSet,
    private readonly sentencePairs: PairSet,
  ) {}

  load(text: string, from: number, to: number): void {
    const length = to - from;
    this.from = from;
    this.length = length;
    if (this.codes.length < length + 2 * PAD) {
      const room = Math.max(length, Math.min(2 * length, WINDOW)) + 2 * PAD;
      this.classes = new Uint8Array(room);
      this.codes = new Int32Array(room);
      this.glued = new Uint8Array(room);
      this.starts = new Int32Array(room);
      this.ends = new Int32Array(room);
      this.sentenceEnds = new Uint8Array(room);
      this.forms = new Int32Array(room);
      this.shapes = new Int32Array(room);
      this.gaps = new Uint8Array(room);
      this.stops = new Int32Array(room);
    }
    const { classes, codes, glued } = this;
    for (let i = 0; i < PAD; i++) {
      classes[i] = classes[PAD + length + i] = LINE_END;
      codes[i] = codes[PAD + length + i] = 1;
      glued[i] = glued[PAD + length + i] = 0;
    }
    let before = LINE_END;
    let flags = 0;
    for (let i = 0; i < length; i++) {
      let code = text.charCodeAt(from + i);
      let width = 1;
      if (code >= 0xd800 && code < 0xdc00 && i + 1 < length) {
        const low = text.charCodeAt(from + i + 1);
        if (low >= 0xdc00 && low < 0xe000) {
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
          width = 2;
        }
      }
      const cls = classOf(code);
      let stuck = sticks(before, cls);
      if (isRegional(cls)) {
        stuck = flags === 1;
        flags ^= 1;
      } else flags = 0;
      const at = PAD + i;
      classes[at] = cls;
      codes[at] = cls === DIGIT ? 48 : cls <= LINE_END ? 32 - cls : code;
      glued[at] = stuck && before > LINE_END ? 1 : 0;
      if (width === 2) {
        classes[at + 1] = cls;
        codes[at + 1] = code;
        glued[at + 1] = 1;
        i++;
      }
      before = cls;
    }
  }

  /** The pair of classes around a place of the text, for counting, or -1 if no token can end there. */
  pairAt(place: number): number {
    const at = place - this.from + PAD;
    if (this.glued[at] || isWhite(this.classes[at]!) || isWhite(this.classes[at - 1]!)) return -1;
    return (this.classes[at - 1]! << CLASS_BITS) | this.classes[at]!;
  }

  /** The pair of classes around the gap after a token. */
  gapPair(token: number): number {
    const { classes, ends, starts, from } = this;
    return (classes[ends[token]! - 1 - from + PAD]! << CLASS_BITS) | classes[starts[token + 1]! - from + PAD]!;
  }

  cutTokens(decide: Decide): void {
    const { classes, glued, tokenPairs, from, starts, ends } = this;
    const end = PAD + this.length;
    let count = 0;
    let at = PAD;
    while (at < end) {
      if (classes[at]! <= LINE_END) {
        at++;
        continue;
      }
      const chunkStart = at;
      let chunkEnd = at + 1;
      while (classes[chunkEnd]! > LINE_END) chunkEnd++;
      let described = false;
      let chunkHash = 0;
      let address = 0;
      let start = chunkStart;
      for (at++; at < chunkEnd; at++) {
        if (tokenPairs[(classes[at - 1]! << CLASS_BITS) | classes[at]!] === 0 || glued[at] === 1) continue;
        if (!described) {
          described = true;
          chunkHash = this.lowerHash(chunkStart, chunkEnd);
          address = this.addressKind(chunkStart, chunkEnd);
        }
        this.describePlace(chunkStart, start, at, chunkEnd, chunkHash, address);
        if (!decide(this.tokenFeatures, at - PAD + from)) continue;
        starts[count] = start - PAD + from;
        ends[count++] = at - PAD + from;
        start = at;
      }
      starts[count] = start - PAD + from;
      ends[count++] = chunkEnd - PAD + from;
    }
    this.tokenCount = count;
  }

  /** Takes tokens that are known instead of cutting them. */
  setTokens(starts: readonly number[], ends: readonly number[]): void {
    this.tokenCount = starts.length;
    for (let i = 0; i < starts.length; i++) {
      this.starts[i] = starts[i]!;
      this.ends[i] = ends[i]!;
    }
  }

  private hash(start: number, end: number): number {
    const { codes } = this;
    let h = end - start;
    if (h > LONGEST_HASH) end = start + LONGEST_HASH;
    for (let i = start; i < end; i++) h = Math.imul(h ^ codes[i]!, 0x01000193);
    return h;
  }

  /** Hash without regard to the case of ASCII letters and of those that differ in one bit from their other case. */
  private lowerHash(start: number, end: number): number {
    const { codes, classes } = this;
    let h = end - start;
    if (h > LONGEST_HASH) end = start + LONGEST_HASH;
    for (let i = start; i < end; i++) {
      const code = classes[i] === UPPER ? lowerOf(codes[i]!) : codes[i]!;
      h = Math.imul(h ^ code, 0x01000193);
    }
    return h;
  }

  private add(features: Int32Array, value: number): void {
    const n = this.filled++;
    const hash = scramble(Math.imul(value ^ (n + 1), 0x9e3779b1) ^ value);
    // LinearModel cannot tell features whose high half is 0 from those where it is 1.
    features[n] = hash >>> 16 === 0 ? hash | 0x10000 : hash;
  }

  /** Whether a chunk looks like an address: 0 no, 1 it has an "@", 2 it starts with "www.", 3 it has "://". */
  private addressKind(start: number, end: number): number {
    const { codes } = this;
    if ((codes[start]! | 32) === 119 && (codes[start + 1]! | 32) === 119 && codes[start + 3] === 46) return 2;
    for (let i = start + 1; i < end && i < start + LONGEST_HASH; i++) {
      if (codes[i] === 64) return 1;
      if (codes[i] === 58 && codes[i + 1] === 47 && codes[i + 2] === 47) return 3;
    }
    return 0;
  }

  private describePlace(
    chunkStart: number,
    start: number,
    at: number,
    chunkEnd: number,
    chunkHash: number,
    address: number,
  ): void {
    const { codes: c, classes: k } = this;
    const f = this.tokenFeatures;
    this.filled = 0;
    const c3 = c[at - 3]!;
    const c2 = c[at - 2]!;
    const c1 = c[at - 1]!;
    const c0 = c[at]!;
    const d1 = c[at + 1]!;
    const d2 = c[at + 2]!;
    const d3 = c[at + 3]!;
    const pair = mix(c1, c0);
    this.add(f, 7);
    this.add(f, pair);
    this.add(f, mix(c2, pair));
    this.add(f, mix(pair, d1));
    this.add(f, mix(c2, mix(pair, d1)));
    this.add(f, mix(c3, mix(c2, pair)));
    this.add(f, mix(mix(pair, d1), d2));
    this.add(f, mix(mix(mix(pair, d1), d2), d3));
    this.add(f, mix(c2, c1));
    this.add(f, mix(c0, d1));
    this.add(f, c1);
    this.add(f, c0);
    const classPair = (k[at - 1]! << CLASS_BITS) | k[at]!;
    const classRight = (classPair << CLASS_BITS) | k[at + 1]!;
    this.add(f, (k[at - 2]! << 18) | classRight);
    this.add(f, mix((k[at - 3]! << 24) | (k[at - 2]! << 18) | classRight, k[at + 2]!));
    this.add(f, (classRight << CLASS_BITS) | k[at + 2]!);
    let kinds = 0;
    let groups = 0;
    for (let i = at - 3; i < at + 3; i++) {
      kinds = (kinds << 3) | KIND[k[i]!]!;
      groups = (groups << 3) | GROUP[k[i]!]!;
    }
    this.add(f, kinds);
    this.add(f, groups & 0o77777);
    // The whole chunk.
    this.add(f, mix(chunkHash, at - chunkStart));
    const before = this.lowerHash(start, at);
    const after = this.hash(at, chunkEnd - at > LONGEST_REST ? at + 2 : chunkEnd);
    this.add(f, mix(before, c0));
    this.add(f, before);
    // Known words that go on past this place.
    this.add(f, this.hash(start, at + 1));
    this.add(f, this.hash(start, at + 2));
    this.add(f, mix(k[at - 1]!, after));
    const last = chunkEnd - at === 1 ? 1 : 0;
    const lengths = (size(at - start) << 8) | (size(chunkEnd - at) << 1) | (start === chunkStart ? 1 : 0);
    this.add(f, mix(classPair, lengths));
    this.add(f, mix(c0, mix(k[at - 1]!, (start === chunkStart ? 2 : 0) | last)));
    this.add(f, mix(mix(c[start]!, c0), k[chunkEnd - 1]!));
    // What follows the chunk: decides whether a full stop is part of an abbreviation.
    const gapLine = k[chunkEnd]!;
    const next = chunkEnd + 1;
    this.add(f, last === 1 ? mix(before, mix(c0, mix(k[next]!, gapLine))) : 0);
    this.add(f, last === 1 ? mix(mix(c0, size(at - start)), mix(k[next]!, k[at - 1]!)) : mix(c[chunkStart]!, pair));
    this.add(f, mix(c[chunkEnd - 1]!, pair));
    this.add(f, mix(address, mix(c0, Math.min(chunkEnd - at, 3))));
  }

  cutSentences(decide: Decide): void {
    const { tokenCount, sentenceEnds, sentencePairs, gaps } = this;
    if (tokenCount === 0) return;
    this.describeTokens();
    let first = 0;
    for (let t = 0; t + 1 < tokenCount; t++) {
      sentenceEnds[t] = 0;
      if (gaps[t] !== GAP_LINE && sentencePairs[this.gapPair(t)] === 0) continue;
      this.describeGap(first, t);
      if (decide(this.sentenceFeatures, this.ends[t]!)) {
        sentenceEnds[t] = 1;
        first = t + 1;
      }
    }
    sentenceEnds[tokenCount - 1] = 1;
  }

  /** Leaves out the tokens after this one, which ends a sentence; -1 leaves out all. */
  endAfter(token: number): void {
    this.tokenCount = token + 1;
    if (token >= 0) this.sentenceEnds[token] = 1;
  }

  /** The last place up to `place` where characters may be parted, but not before `least`. */
  divisible(place: number, least: number): number {
    const { glued, from } = this;
    for (let at = place; at >= least; at--) if (glued[at - from + PAD] === 0) return at;
    return place;
  }

  private describeTokens(): void {
    const { tokenCount, starts, ends, forms, shapes, gaps, stops, classes, from } = this;
    for (let t = 0; t < tokenCount; t++) {
      const start = starts[t]! - from + PAD;
      const end = ends[t]! - from + PAD;
      forms[t] = this.lowerHash(start, end);
      shapes[t] = this.shape(start, end);
      const next = t + 1 < tokenCount ? starts[t + 1]! - from + PAD : end;
      let gap = next === end ? GAP_NONE : next === end + 1 ? GAP_SPACE : GAP_WIDE;
      for (let i = end; i < next; i++) if (classes[i] === LINE_END) gap = GAP_LINE;
      gaps[t] = gap;
    }
    // How many tokens there are up to the next one that ends like a sentence.
    let distance = 63;
    for (let t = tokenCount - 1; t >= 0; t--) {
      const last = ends[t]! - 1 - from + PAD;
      distance = isTerminal(this.codes[last]!, classes[last]!) ? 0 : Math.min(63, distance + 1);
      stops[t] = distance;
    }
  }

  /** Classes of the first and the last character, and what comes between in short. */
  private shape(start: number, end: number): number {
    const { classes } = this;
    const first = classes[start]!;
    const last = classes[end - 1]!;
    let inner = 0;
    for (let i = start + 1; i < end && i < start + LONGEST_HASH; i++) inner |= 1 << KIND[classes[i]!]!;
    return (first << 16) | (last << 10) | (inner << 2) | (end - start === 1 ? 0 : end - start < 4 ? 1 : 2);
  }

  private describeGap(first: number, t: number): void {
    const { forms, shapes, gaps, tokenCount: n, stops, sentenceEnds } = this;
    const f = this.sentenceFeatures;
    this.filled = 0;
    const gap = gaps[t]!;
    const f0 = forms[t]!;
    const s0 = shapes[t]!;
    const fb = t > first ? forms[t - 1]! : 3;
    const sb = t > first ? shapes[t - 1]! : 3;
    const fc = t - 1 > first ? forms[t - 2]! : 3;
    const sc = t - 1 > first ? shapes[t - 2]! : 3;
    const f1 = forms[t + 1]!;
    const s1 = shapes[t + 1]!;
    const f2 = t + 2 < n ? forms[t + 2]! : 5;
    const s2 = t + 2 < n ? shapes[t + 2]! : 5;
    const f3 = t + 3 < n ? forms[t + 3]! : 5;
    const s3 = t + 3 < n ? shapes[t + 3]! : 5;
    const first1 = s1 >> 16;
    const length = size(t - first + 1);
    const gb = (t > 0 ? gaps[t - 1]! : GAP_LINE) * 4 + gap;
    const g1 = gap * 4 + gaps[t + 1]!;
    const case1 = mix(f1, first1);
    this.add(f, gap);
    this.add(f, mix(f0, gap));
    this.add(f, mix(f0, mix(first1, gap)));
    this.add(f, mix(f0, mix(f1, first1)));
    this.add(f, mix(f0, mix(s1, length)));
    this.add(f, mix(fb, mix(f0, first1)));
    this.add(f, mix(fb, f0));
    this.add(f, mix(case1, gap));
    this.add(f, mix(case1, s0));
    this.add(f, mix(case1, f2));
    this.add(f, mix(s0, mix(case1, s2)));
    this.add(f, mix(s0, s1));
    this.add(f, mix(mix(s0, s1), gap));
    this.add(f, mix(mix(s0, s1), length));
    this.add(f, mix(mix(s0, s1), s2));
    this.add(f, mix(sb, mix(s0, s1)));
    this.add(f, mix(sb, mix(mix(s0, s1), s2)));
    this.add(f, mix(mix(sc, sb), mix(s0, s1)));
    this.add(f, mix(mix(s1, s2), mix(s3, s0)));
    this.add(f, mix(f0, mix(s1, s2)));
    this.add(f, mix(f0, mix(sb, s1)));
    this.add(f, mix(f2, mix(s0, s1)));
    this.add(f, mix(length, gap));
    this.add(f, mix(length, f0));
    this.add(f, mix(length, case1));
    this.add(f, mix(forms[first]!, mix(length, f0)));
    this.add(f, mix(forms[first]!, mix(shapes[first]!, length)));
    this.add(f, mix(shapes[first]!, mix(s0, s1)));
    this.add(f, mix(f0, gb));
    this.add(f, mix(f1, mix(g1, first1)));
    this.add(f, mix(mix(s0, gb), mix(s1, g1)));
    const stop = stops[t + 1]! > 20 ? 3 : stops[t + 1]! > 8 ? 2 : stops[t + 1]! > 2 ? 1 : 0;
    this.add(f, mix(stop, mix(s0, s1)));
    this.add(f, mix(stop, mix(length, mix(s0 >> 10, first1))));
    this.add(f, mix(stop, case1));
    this.add(f, mix(mix(case1, f2), f3));
    this.add(f, mix(mix(fc, fb), f0));
    this.add(f, mix(fb, first1));
    this.add(f, mix(f2, mix(s2, first1)));
    this.add(f, mix(f0, mix(f2, first1)));
    this.add(f, mix(fb, mix(f0, case1)));
    const lastBreak = t > 0 && sentenceEnds[t - 1] === 1 ? 1 : 0;
    this.add(f, mix(lastBreak, mix(f0, f1)));
    this.add(f, mix(sb, f0));
    this.add(f, mix(s1, f2));
    this.add(f, mix(mix(s2, s3), case1));
  }
}

function mix(a: number, b: number): number {
  return Math.imul(Math.imul(a, 0x85ebca6b) ^ b, 0xc2b2ae35) + a;
}

/** A length in few steps. */
function size(n: number): number {
  return n < 6 ? n : n < 9 ? 6 : n < 15 ? 7 : n < 25 ? 8 : n < 45 ? 9 : 10;
}

const lowered = new Int32Array(0x600).fill(-1);

function lowerOf(code: number): number {
  if (code >= lowered.length) return String.fromCodePoint(code).toLowerCase().codePointAt(0)!;
  if (lowered[code]! < 0) lowered[code] = String.fromCodePoint(code).toLowerCase().codePointAt(0)!;
  return lowered[code]!;
}
