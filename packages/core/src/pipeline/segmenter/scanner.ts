// Cuts a stretch of text into tokens and sentences, asking at each place where one may end whether it does.
import { ScannedText } from "./scanned-text.js";
import { isWhite, LINE_END, type PairSet, pairOf } from "./segment-characters.js";
import { SentenceEndFeatures, type TokenTable } from "./sentence-end-features.js";
import { TokenEndFeatures } from "./token-end-features.js";

/** Called with the features of a place; the answer is whether there is a boundary. */
export type Decide = (features: Int32Array, place: number) => boolean;

/** Reads a stretch of text: load, then cutTokens, then cutSentences. Its arrays are used again for the next stretch. */
export class Scanner implements TokenTable {
  count = 0;
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  sentenceEnds = new Uint8Array(0);
  private readonly text = new ScannedText();
  private readonly tokenEnd = new TokenEndFeatures(this.text);
  private readonly sentenceEnd = new SentenceEndFeatures(this.text, this);

  /** Only places between characters of the pairs of classes are looked at: the others never carry a boundary. */
  constructor(
    private readonly tokenPairs: PairSet,
    private readonly sentencePairs: PairSet,
  ) {}

  load(text: string, from: number, to: number): void {
    this.text.load(text, from, to);
    const { room } = this.text;
    if (this.starts.length >= room) return;
    this.starts = new Int32Array(room);
    this.ends = new Int32Array(room);
    this.sentenceEnds = new Uint8Array(room);
  }

  /** The pair of classes around a place of the text, for counting, or -1 if no token can end there. */
  pairAt(place: number): number {
    const { classes, glued } = this.text;
    const at = this.text.indexOf(place);
    if (glued[at] || isWhite(classes[at]!) || isWhite(classes[at - 1]!)) return -1;
    return pairOf(classes[at - 1]!, classes[at]!);
  }

  /** The pair of classes around the gap after a token. */
  gapPair(token: number): number {
    const { text, ends, starts } = this;
    return pairOf(text.classes[text.indexOf(ends[token]!) - 1]!, text.classes[text.indexOf(starts[token + 1]!)]!);
  }

  cutTokens(decide: Decide): void {
    const { text, tokenEnd, tokenPairs } = this;
    const { classes, glued, end } = text;
    this.count = 0;
    let at = text.start;
    while (at < end) {
      if (classes[at]! <= LINE_END) {
        at++;
        continue;
      }
      let start = at;
      let chunkEnd = at + 1;
      while (classes[chunkEnd]! > LINE_END) chunkEnd++;
      tokenEnd.beginChunk(start, chunkEnd);
      for (at++; at < chunkEnd; at++) {
        if (tokenPairs[pairOf(classes[at - 1]!, classes[at]!)] === 0 || glued[at] === 1) continue;
        if (!decide(tokenEnd.describe(start, at), text.placeOf(at))) continue;
        this.add(start, at);
        start = at;
      }
      this.add(start, chunkEnd);
    }
  }

  private add(start: number, end: number): void {
    const token = this.count++;
    this.starts[token] = this.text.placeOf(start);
    this.ends[token] = this.text.placeOf(end);
  }

  /** Takes tokens that are known instead of cutting them. */
  setTokens(starts: readonly number[], ends: readonly number[]): void {
    this.count = starts.length;
    for (let i = 0; i < starts.length; i++) {
      this.starts[i] = starts[i]!;
      this.ends[i] = ends[i]!;
    }
  }

  cutSentences(decide: Decide): void {
    const { count, sentenceEnds, sentencePairs, sentenceEnd } = this;
    if (count === 0) return;
    sentenceEnd.bind();
    let first = 0;
    for (let t = 0; t + 1 < count; t++) {
      sentenceEnds[t] = 0;
      if (!sentenceEnd.isLineEnd(t) && sentencePairs[this.gapPair(t)] === 0) continue;
      if (decide(sentenceEnd.describe(first, t), this.ends[t]!)) {
        sentenceEnds[t] = 1;
        first = t + 1;
      }
    }
    sentenceEnds[count - 1] = 1;
  }

  /** Leaves out the tokens after this one, which ends a sentence; -1 leaves out all. */
  endAfter(token: number): void {
    this.count = token + 1;
    if (token >= 0) this.sentenceEnds[token] = 1;
  }

  /** The last place up to `place` where characters may be parted, but not before `least`. */
  divisible(place: number, least: number): number {
    const { text } = this;
    for (let at = place; at >= least; at--) if (text.glued[text.indexOf(at)] === 0) return at;
    return place;
  }
}
