// The features of a place within a chunk, a stretch without white space, where a token may end.

import { mix } from "../../../math/hash.js";
import { CLASS_BITS, GROUP, KIND, pairOf } from "../characters/character-classes.js";
import { LONGEST_HASH, type ScannedText } from "../characters/scanned-text.js";
import { FeatureList, lengthStep } from "./feature-list.js";

/** Number of features of a place. */
export const TOKEN_END_FEATURES = 30;

/** Of a longer rest of a chunk only the first two characters count. */
const LONGEST_REST = 12;

/** The shape of a chunk as a whole. */
const NO_ADDRESS = 0;
const MAIL_ADDRESS = 1;
const WEB_ADDRESS = 2;
const ADDRESS_WITH_SCHEME = 3;

const W = "w".charCodeAt(0);
const FULL_STOP = ".".charCodeAt(0);
const AT_SIGN = "@".charCodeAt(0);
const COLON = ":".charCodeAt(0);
const SLASH = "/".charCodeAt(0);
/** The bit by which small letters of ASCII differ from capitals. */
const SMALL = 32;

/** Describes places of a chunk. All places are indices of the scanned text. */
export class TokenEndFeatures {
  private readonly list = new FeatureList(TOKEN_END_FEATURES);
  private chunkStart = 0;
  private chunkEnd = 0;
  /**
   * The chunk as a whole is described together with the first of its places: most chunks have none that is worth
   * scoring.
   */
  private isChunkKnown = false;
  private chunkHash = 0;
  private address = NO_ADDRESS;

  constructor(private readonly text: ScannedText) {}

  beginChunk(start: number, end: number): void {
    this.chunkStart = start;
    this.chunkEnd = end;
    this.isChunkKnown = false;
  }

  /** The features of a place of the chunk, where the token that begins at `start` may end. */
  describe(start: number, at: number): Int32Array {
    const { text, chunkStart, chunkEnd } = this;
    if (!this.isChunkKnown) {
      this.isChunkKnown = true;
      this.chunkHash = text.lowerHash(chunkStart, chunkEnd);
      this.address = addressKind(text, chunkStart, chunkEnd);
    }
    this.list.begin();
    this.addCharacters(at);
    this.addClasses(at);
    this.addToken(start, at);
    this.addChunk(start, at);
    return this.list.end();
  }

  /** The characters around the place: up to three before it, and four after it. */
  private addCharacters(at: number): void {
    const { list } = this;
    const { codes } = this.text;
    const before3 = codes[at - 3]!;
    const before2 = codes[at - 2]!;
    const before = codes[at - 1]!;
    const after = codes[at]!;
    const after2 = codes[at + 1]!;
    const after3 = codes[at + 2]!;
    const after4 = codes[at + 3]!;
    const pair = mix(before, after);
    const triple = mix(pair, after2);
    list.add(7);
    list.add(pair);
    list.add(mix(before2, pair));
    list.add(triple);
    list.add(mix(before2, triple));
    list.add(mix(before3, mix(before2, pair)));
    list.add(mix(triple, after3));
    list.add(mix(mix(triple, after3), after4));
    list.add(mix(before2, before));
    list.add(mix(after, after2));
    list.add(before);
    list.add(after);
  }

  /** Their classes, and the coarse kinds of three on either side. */
  private addClasses(at: number): void {
    const { list } = this;
    const { classes } = this.text;
    const triple = (pairOf(classes[at - 1]!, classes[at]!) << CLASS_BITS) | classes[at + 1]!;
    const four = (classes[at - 2]! << (3 * CLASS_BITS)) | triple;
    list.add(four);
    list.add(mix((classes[at - 3]! << (4 * CLASS_BITS)) | four, classes[at + 2]!));
    list.add((triple << CLASS_BITS) | classes[at + 2]!);
    let kinds = 0;
    let groups = 0;
    for (let i = at - 3; i < at + 3; i++) {
      kinds = (kinds << 3) | KIND[classes[i]!]!;
      groups = (groups << 3) | GROUP[classes[i]!]!;
    }
    list.add(kinds);
    // The groups of the nearest five.
    list.add(groups & 0o77777);
  }

  /** The token that would end here, known words that go on past this place, and the rest of the chunk. */
  private addToken(start: number, at: number): void {
    const { list, text, chunkStart, chunkEnd } = this;
    const { codes, classes } = text;
    const rest = chunkEnd - at;
    const token = text.lowerHash(start, at);
    const after = codes[at]!;
    const classBefore = classes[at - 1]!;
    list.add(mix(this.chunkHash, at - chunkStart));
    list.add(mix(token, after));
    list.add(token);
    list.add(text.hash(start, at + 1));
    list.add(text.hash(start, at + 2));
    list.add(mix(classBefore, text.hash(at, rest > LONGEST_REST ? at + 2 : chunkEnd)));
    const isFirst = start === chunkStart ? 1 : 0;
    const isLast = rest === 1 ? 1 : 0;
    const lengths = (lengthStep(at - start) << 8) | (lengthStep(rest) << 1) | isFirst;
    list.add(mix(pairOf(classBefore, classes[at]!), lengths));
    list.add(mix(after, mix(classBefore, (isFirst << 1) | isLast)));
    list.add(mix(mix(codes[start]!, after), classes[chunkEnd - 1]!));
  }

  /**
   * The beginning and end of the chunk, and what follows it: decides whether a full stop is part of an abbreviation.
   */
  private addChunk(start: number, at: number): void {
    const { list, text, chunkStart, chunkEnd } = this;
    const { codes, classes } = text;
    const rest = chunkEnd - at;
    const after = codes[at]!;
    const pair = mix(codes[at - 1]!, after);
    const gap = classes[chunkEnd]!;
    const next = classes[chunkEnd + 1]!;
    if (rest === 1) {
      list.add(mix(text.lowerHash(start, at), mix(after, mix(next, gap))));
      list.add(mix(mix(after, lengthStep(at - start)), mix(next, classes[at - 1]!)));
    } else {
      list.add(0);
      list.add(mix(codes[chunkStart]!, pair));
    }
    list.add(mix(codes[chunkEnd - 1]!, pair));
    list.add(mix(this.address, mix(after, Math.min(rest, 3))));
  }
}

/** Whether a chunk looks like an address. */
function addressKind({ codes }: ScannedText, start: number, end: number): number {
  const isW = (code: number) => (code | SMALL) === W;
  if (isW(codes[start]!) && isW(codes[start + 1]!) && codes[start + 3] === FULL_STOP) return WEB_ADDRESS;
  for (let i = start + 1; i < end && i < start + LONGEST_HASH; i++) {
    if (codes[i] === AT_SIGN) return MAIL_ADDRESS;
    if (codes[i] === COLON && codes[i + 1] === SLASH && codes[i + 2] === SLASH) return ADDRESS_WITH_SCHEME;
  }
  return NO_ADDRESS;
}
