// Cuts a stretch of text into tokens and sentences, asking at each place where one may end whether it does.

import { isPictorial, isWhite, isWordLike, LINE_END, type PairSet, pairOf } from "./characters/character-classes.js";
import { PARTED, ScannedText, STUCK } from "./characters/scanned-text.js";
import { isEmoji, type WholeToken, wholeTokenPattern } from "./characters/whole-tokens.js";
import { SentenceEndFeatures, type TokenTable } from "./features/sentence-end-features.js";
import { TokenEndFeatures } from "./features/token-end-features.js";
import { TokenJoinFeatures } from "./features/token-join-features.js";
import { WordSplitFeatures } from "./features/word-split-features.js";

/**
 * Called with the features of a place; the answer is whether there is a boundary. `unmarked`: how many
 * tokens a sentence would have that ends here without a mark and a line end, 0 for all other places.
 */
export type Decide = (features: Int32Array, place: number, unmarked?: number) => boolean;

/** Marks that begin the lines of a list, with the space after them: bullets, and "a)", "2)". */
const ITEM_MARK = /^([-–—•‣⁃◦▪●○■□*]|\d?[\da-z]\))\s/i;

/**
 * Reads a stretch of text: load, then cutTokens, joinTokens and cutSentences. Its arrays are used again for the next
 * stretch.
 */
export class Scanner implements TokenTable {
  count = 0;
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  sentenceEnds = new Uint8Array(0);
  private readonly text: ScannedText;
  private readonly tokenEnd: TokenEndFeatures;
  private readonly tokenJoin: TokenJoinFeatures;
  private readonly sentenceEnd: SentenceEndFeatures;
  private readonly wordSplit: WordSplitFeatures;

  /**
   * Only places between characters of the pairs of classes are looked at: the others never carry a boundary, or, for
   * the spaces inside tokens, always do; without `joinPairs` white space parts all tokens. Nor are places in and around
   * tokens of the `whole` kinds looked at, or those that `exceptions` find.
   */
  constructor(
    private readonly tokenPairs: PairSet,
    private readonly sentencePairs: PairSet,
    private readonly joinPairs?: PairSet | undefined,
    whole: readonly WholeToken[] = [],
    exceptions: readonly RegExp[] = [],
  ) {
    const known = wholeTokenPattern(whole);
    this.text = new ScannedText(known ? [known, ...exceptions] : exceptions);
    this.tokenEnd = new TokenEndFeatures(this.text);
    this.tokenJoin = new TokenJoinFeatures(this.text, this);
    this.sentenceEnd = new SentenceEndFeatures(this.text, this);
    this.wordSplit = new WordSplitFeatures(this.text, this);
  }

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
        if (glued[at] !== PARTED) {
          if (tokenPairs[pairOf(classes[at - 1]!, classes[at]!)] === 0 || glued[at] === STUCK) continue;
          if (!decide(tokenEnd.describe(start, at), text.placeOf(at))) continue;
        }
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

  /** Whether there is one space and nothing else after a token. */
  isSpace(token: number): boolean {
    const { text, starts, ends } = this;
    return starts[token + 1] === ends[token]! + 1 && text.isPlainSpace(ends[token]!);
  }

  /** Makes one token of those with a space between them that belong together; the answer "yes" means that they do. */
  joinTokens(decide: Decide): void {
    const { joinPairs, starts, ends, count } = this;
    if (joinPairs === undefined || count === 0) return;
    // Where the tokens begin goes to the front of the table only later, since the features look at the pieces.
    const joined: boolean[] = [];
    let start = starts[0]!;
    for (let t = 0; t + 1 < count; t++) {
      const isOne =
        this.isSpace(t) && joinPairs[this.gapPair(t)] === 1 && decide(this.tokenJoin.describe(start, t), ends[t]!);
      joined.push(isOne);
      if (!isOne) start = starts[t + 1]!;
    }
    let last = 0;
    for (let t = 1; t < count; t++) {
      if (!joined[t - 1]) starts[++last] = starts[t]!;
      ends[last] = ends[t]!;
    }
    this.count = last + 1;
  }

  /** Takes tokens that are known instead of cutting them. */
  setTokens(starts: readonly number[], ends: readonly number[]): void {
    this.count = starts.length;
    for (let i = 0; i < starts.length; i++) {
      this.starts[i] = starts[i]!;
      this.ends[i] = ends[i]!;
    }
  }

  /** Whether a sentence may end with a token that is not the last one, by the characters around the gap. */
  mayEnd(token: number): boolean {
    return token + 1 < this.count && this.sentencePairs[this.gapPair(token)] === 1;
  }

  /** Emoji on the same line belong to the sentence before: "We won! 🎉". */
  private isEmoji(token: number): boolean {
    const { text, starts, ends } = this;
    return (
      isPictorial(text.classes[text.indexOf(starts[token]!)]!) && isEmoji(text.slice(starts[token]!, ends[token]!))
    );
  }

  /** Whether only words are around the gap after a token: no mark and no line end tells that a sentence ends there. */
  isUnmarked(token: number): boolean {
    const { text } = this;
    return !this.sentenceEnd.isLineEnd(token) && isWordLike(text.classes[text.indexOf(this.ends[token]!) - 1]!);
  }

  /** Whether an item of a list begins with a token, and what comes before `end` is no more than its mark. */
  private isItemMark(token: number, end: number): boolean {
    const start = this.starts[token]!;
    const [mark] = ITEM_MARK.exec(this.text.slice(start, start + 4)) ?? [];
    return mark !== undefined && end - start < mark.length;
  }

  /**
   * Whether a sentence that begins with `first` ends with a token. A line that begins with the mark of an item begins a
   * sentence; none ends after such a mark.
   */
  private isEnd(token: number, first: number, decide: Decide): boolean {
    const isLineEnd = this.sentenceEnd.isLineEnd(token);
    const end = this.ends[token]!;
    if (isLineEnd ? this.isItemMark(token + 1, 0) : token < first + 2 && this.isItemMark(first, end)) return isLineEnd;
    if (!isLineEnd && (!this.mayEnd(token) || this.isEmoji(token + 1))) return false;
    const unmarked = this.isUnmarked(token) ? token - first + 1 : 0;
    return decide(this.sentenceEnd.describe(first, token), end, unmarked);
  }

  /**
   * `guesses`: what is guessed of the gap after each token, if anything. A decision is about the gap after the token
   * that ends at the place.
   */
  cutSentences(decide: Decide, guesses?: Uint8Array | undefined): void {
    const { count, sentenceEnds, sentenceEnd } = this;
    if (count === 0) return;
    sentenceEnd.bind(guesses);
    let first = 0;
    for (let t = 0; t + 1 < count; t++) {
      const isEnd = this.isEnd(t, first, decide);
      sentenceEnds[t] = isEnd ? 1 : 0;
      if (isEnd) first = t + 1;
    }
    sentenceEnds[count - 1] = 1;
  }

  /** Whether a token stands for several words, if its form alone does not tell. */
  isSeveral(token: number, decide: Decide): boolean {
    return decide(this.wordSplit.describe(token), this.ends[token]!);
  }

  /** Leaves out the tokens after this one, which ends a sentence; -1 leaves out all. */
  endAfter(token: number): void {
    this.count = token + 1;
    if (token >= 0) this.sentenceEnds[token] = 1;
  }

  /** The last place up to `place` where characters may be parted, but not before `least`. */
  divisible(place: number, least: number): number {
    const { text } = this;
    for (let at = place; at >= least; at--) if (text.glued[text.indexOf(at)] !== STUCK) return at;
    return place;
  }
}
