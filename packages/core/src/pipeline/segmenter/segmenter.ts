// Text to sentences and tokens. Passes over the characters of a paragraph, each a linear classifier: where a token ends
// within a stretch without white space, which spaces are inside a token (in languages that have such tokens), and after
// which tokens a sentence ends. See docs/segmentation.md.
import { check, STRING } from "../../checks/options.js";
import { holding } from "../../checks/shapes.js";
import { detached } from "../../math/detached.js";
import { sumOfOneClass } from "../../scoring/linear/one-class.js";
import { inPlainTypography } from "../typography/plain-typography.js";
import { LOOKAHEAD, paragraphEnd, WINDOW } from "./characters/paragraphs.js";
import { ALL_WHOLE_TOKENS } from "./characters/whole-tokens.js";
import type { SentenceEndGuesses } from "./end-guesser.js";
import { ALL_SENTENCE_END_FEATURES } from "./features/sentence-end-features.js";
import { TOKEN_END_FEATURES } from "./features/token-end-features.js";
import { TOKEN_JOIN_FEATURES } from "./features/token-join-features.js";
import { WORD_SPLIT_FEATURES } from "./features/word-split-features.js";
import { type Decide, Scanner } from "./scanner.js";
import { lookedUp, type MultiWordRules, syntacticWords } from "./segment-multiword.js";
import { checkSegmenterHeader, type SegmenterModel, SHORT, UNMARKED_ENDS, unpackPairs } from "./segmenter-model.js";
import { checkTokenExceptions, exceptionPatterns, type TokenExceptions } from "./token-exceptions.js";

/** A token of a text: `form` is the text from `start` to `end`, in UTF-16 units. */
export interface RawToken {
  /** Where it begins in the text. */
  readonly start: number;
  /** Where it ends in the text. */
  readonly end: number;
  /** As written. */
  readonly form: string;
  /** The syntactic words of a multiword token. */
  readonly words?: readonly string[];
}

/**
 * A sentence of a text. All `before` and `text` of a text's sentences, joined, are the text, unless it is all white
 * space.
 */
export interface RawSentence {
  /** Start of the first token, end of the last. */
  readonly start: number;
  /** Where it ends in the text. */
  readonly end: number;
  /** In their order. */
  readonly tokens: readonly RawToken[];
  /** White space that does not belong to a sentence before it: at the beginning of the text. */
  readonly before: string;
  /** The text from the first token to the next sentence, with the white space that follows. */
  readonly text: string;
}

/** Longer tokens are never multiword tokens. */
const LONGEST_MULTI_WORD = 64;
const MOST_FEATURES = Math.max(
  ...[TOKEN_END_FEATURES, TOKEN_JOIN_FEATURES, ALL_SENTENCE_END_FEATURES, WORD_SPLIT_FEATURES],
);
/** How many forms are remembered with their words. */
const REMEMBERED = 1 << 14;
/** A full window is used up to at least here, so that no text is read more than a few times. */
const LEAST_PROGRESS = WINDOW / 4;

/**
 * Cuts text into sentences and tokens. Every character that is not white space is in exactly one token. White space
 * separates tokens, except that a single space may be inside one if the treebank had such tokens; a paragraph break
 * (see BreakFinder) separates sentences. Linear time.
 */
export class Segmenter {
  private readonly scanner: Scanner;
  private readonly rules: MultiWordRules;
  private readonly anyRules: boolean;
  /** Forms that are several words, or one, by what is around them. */
  private readonly byContext: ReadonlySet<string>;
  /** The words of tokens that the user knows. */
  private readonly own: ReadonlyMap<string, true | readonly string[]>;
  private readonly known = new Map<string, readonly string[] | undefined>();
  private readonly decide: Decide;
  private readonly decideSentence: Decide;
  private readonly guess: SentenceEndGuesses | undefined;

  /**
   * Throws a RangeError if the header of the model is not one. `exceptions`: tokens that the model need not know.
   * @param model its model
   * @param exceptions tokens that it must not cut, or must cut so
   */
  constructor(
    /** Its model. */
    readonly model: SegmenterModel,
    exceptions: TokenExceptions = {},
  ) {
    check("model", model, holding("the model of a segmenter", "linear", "header"));
    const header = checkSegmenterHeader(model.header);
    const sum = sumOfOneClass(model.linear, MOST_FEATURES);
    this.decide = (features) => sum(features) > 0;
    const joinPairs = header.joinPairs === undefined ? undefined : unpackPairs(header.joinPairs);
    const { wholeTokens = ALL_WHOLE_TOKENS, unmarkedEnds = UNMARKED_ENDS } = header;
    const needed = (tokens: number) => unmarkedEnds[tokens > SHORT ? 1 : 0];
    const [tokenPairs, sentencePairs] = [unpackPairs(header.tokenPairs), unpackPairs(header.sentencePairs)];
    checkTokenExceptions(exceptions);
    this.scanner = new Scanner(tokenPairs, sentencePairs, joinPairs, wholeTokens, exceptionPatterns(exceptions));
    this.decideSentence = (features, _, unmarked = 0) => sum(features) > (unmarked === 0 ? 0 : needed(unmarked));
    this.guess = model.guesser?.guesses();
    this.rules = header.multiWord;
    this.byContext = new Set(header.multiWord.byContext);
    this.own = new Map(Object.entries(exceptions.tokens ?? {}));
    this.anyRules =
      this.own.size > 0 ||
      Object.keys(header.multiWord.forms).length + Object.keys(header.multiWord.endings).length > 0;
  }

  /**
   * The sentences of a whole text.
   * @param text the whole text
   */
  segment(text: string): Generator<RawSentence> {
    check("text", text, STRING);
    return this.sentencesOf(text);
  }

  private *sentencesOf(text: string): Generator<RawSentence> {
    const sentences: RawSentence[] = [];
    for (let from = 0; from < text.length; ) {
      from = this.next(text, from, 0, true, sentences);
      yield* sentences;
      sentences.length = 0;
    }
  }

  /**
   * The tokens of a text that is one sentence.
   * @param text one sentence
   */
  tokenize(text: string): RawToken[] {
    const tokens: RawToken[] = [];
    for (const sentence of this.segment(text)) for (const token of sentence.tokens) tokens.push(token);
    return tokens;
  }

  /**
   * Adds the sentences of the next stretch, a paragraph or a part of one, and returns where it ends; -1 if it is not
   * known yet where it ends, which cannot be when the text is complete. `offset` is added to all places.
   * @param text the text
   * @param offset a place in the text, in UTF-16 units
   * @param sentences the sentences
   * @param from where the stretch begins in the text
   * @param complete whether the text ends with what is there
   */
  next(text: string, from: number, offset: number, complete: boolean, sentences: RawSentence[]): number {
    const full = text.length - from >= WINDOW;
    const windowEnd = full ? from + WINDOW : text.length;
    const end = paragraphEnd(text, from, windowEnd);
    if (end < 0 && !full && !complete) return -1;
    const { scanner } = this;
    scanner.load(text, from, end < 0 ? windowEnd : end);
    scanner.cutTokens(this.decide);
    scanner.joinTokens(this.decide);
    scanner.cutSentences(this.decideSentence, this.guess && this.guesses(this.guess, text));
    const to = end >= 0 ? end : full ? this.cutWindow(from, windowEnd) : windowEnd;
    this.collect(text, from, to, offset, sentences);
    return to;
  }

  /** The guesses for the tokens; this was learned from gaps where a sentence may end, and only counts there. */
  private guesses(guess: SentenceEndGuesses, text: string): Uint8Array {
    const { scanner } = this;
    const tokens = Array.from({ length: scanner.count }, (_, t) => t);
    const isOpen = tokens.map((t) => scanner.mayEnd(t));
    if (!isOpen.includes(true)) return new Uint8Array(tokens.length).fill(1);
    const guesses = guess(tokens.map((t) => inPlainTypography(text.slice(scanner.starts[t]!, scanner.ends[t]!))));
    return guesses.map((step, t) => (isOpen[t] ? step : 1));
  }

  /**
   * Where to stop in a window that a paragraph does not end in: after its last sentence. If that is too far back, the
   * sentence is cut: after the last token before white space, or any token, or inside a token without end.
   */
  private cutWindow(from: number, windowEnd: number): number {
    const { scanner } = this;
    const { starts, ends, sentenceEnds } = scanner;
    const limit = windowEnd - LOOKAHEAD;
    const least = from + LEAST_PROGRESS;
    let last = scanner.count - 1;
    while (last >= 0 && ends[last]! > limit) last--;
    const stop = (permitted: (t: number) => boolean): number => {
      for (let t = last; t >= 0 && ends[t]! >= least; t--) if (permitted(t)) return t;
      return -1;
    };
    let cut = stop((t) => sentenceEnds[t] === 1);
    if (cut < 0) cut = stop((t) => t + 1 === scanner.count || starts[t + 1]! > ends[t]!);
    if (cut < 0) cut = stop(() => true);
    if (cut < 0 && last + 1 < scanner.count && starts[last + 1]! < limit) {
      cut = last + 1;
      ends[cut] = scanner.divisible(limit, Math.max(least, starts[cut]! + 1));
      scanner.endAfter(cut);
      return ends[cut]!;
    }
    if (cut < 0) cut = last;
    const next = cut + 1 < scanner.count ? starts[cut + 1]! : windowEnd;
    scanner.endAfter(cut);
    return next;
  }

  private collect(text: string, from: number, to: number, offset: number, sentences: RawSentence[]): void {
    const { starts, ends, sentenceEnds, count } = this.scanner;
    let before = count === 0 ? "" : text.slice(from, starts[0]!);
    let tokens: RawToken[] = [];
    for (let t = 0; t < count; t++) {
      const start = starts[t]!;
      const end = ends[t]!;
      const form = text.slice(start, end);
      const words = this.anyRules ? this.split(form, t) : undefined;
      tokens.push(
        words === undefined
          ? { start: start + offset, end: end + offset, form }
          : { start: start + offset, end: end + offset, form, words },
      );
      if (sentenceEnds[t] === 0) continue;
      const first = tokens[0]!.start;
      const next = t + 1 < count ? starts[t + 1]! : to;
      sentences.push({ start: first, end: end + offset, tokens, before, text: text.slice(first - offset, next) });
      tokens = [];
      before = "";
    }
  }

  /** The syntactic words of a token, if it is a multiword token. */
  private split(form: string, token: number): readonly string[] | undefined {
    const given = this.own.get(form);
    if (given !== undefined) return given === true ? undefined : given;
    if (form.length > LONGEST_MULTI_WORD) return undefined;
    const words = this.wordsOf(form);
    const depends = words && this.byContext.size > 0 && this.byContext.has(lookedUp(form));
    return depends && !this.scanner.isSeveral(token, this.decide) ? undefined : words;
  }

  /** The syntactic words of a form, remembered. */
  private wordsOf(form: string): readonly string[] | undefined {
    const { known } = this;
    let words = known.get(form);
    if (words === undefined && !known.has(form)) {
      const own = detached(form);
      words = syntacticWords(this.rules, own);
      if (known.size >= REMEMBERED) known.clear();
      known.set(own, words);
    }
    return words;
  }
}
