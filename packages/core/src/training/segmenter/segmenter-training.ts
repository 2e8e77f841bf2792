import { checkOptions, type Expectation, number, SENTENCES, WHOLE_NUMBER, wholeNumber } from "../../checks/options.js";
import { checkedList } from "../../checks/shapes.js";
import type { EncoderData } from "../../encoder/encoder-data.js";
import { ENCODER_DATA } from "../../encoder/encoder-shape.js";
import { thresholdOf } from "../../learning/largest-weights.js";
import { Weights } from "../../learning/linear/weights.js";
import { Random } from "../../math/random.js";
import {
  CLASS_BITS,
  CLASSES,
  classOf,
  GROUP,
  isWhite,
  PAIRS,
  pairOf,
} from "../../pipeline/segmenter/characters/character-classes.js";
import { paragraphEnd } from "../../pipeline/segmenter/characters/paragraphs.js";
import {
  ALL_WHOLE_TOKENS,
  type WholeToken,
  wholeTokenPattern,
} from "../../pipeline/segmenter/characters/whole-tokens.js";
import { Scanner } from "../../pipeline/segmenter/scanner.js";
import { learnMultiWordRules, lookedUp } from "../../pipeline/segmenter/segment-multiword.js";
import {
  guessSpaces,
  knowsSpaces,
  plainText,
  SENTENCE_END,
  SEVERAL_WORDS,
  type Surface,
  surfaceOf,
  TOKEN_END,
  trainingTexts,
  withoutSpacesInside,
} from "../../pipeline/segmenter/segment-text.js";
import { packPairs, SegmenterModel } from "../../pipeline/segmenter/segmenter-model.js";
import { LinearModel } from "../../scoring/linear/linear-model.js";
import type { ForEachWeight } from "../../scoring/linear/quantized-weights.js";
import type { Sentence } from "../../treebank/sentence/sentence.js";
import { trainSentenceEndProbe } from "./sentence-end-training.js";

/** Options of `trainSegmenter`. */
export interface SegmenterTrainOptions {
  /** How often all sentences are gone through. */
  epochs?: number | undefined;
  /** Where random numbers begin; the same seed gives the same result. */
  seed?: number | undefined;
  /** Weights below this are left out of the model. */
  prune?: number | undefined;
  /** How many weights the model has at most, the largest ones; no limit if not given. */
  mostWeights?: number | undefined;
  /** More sentences, from elsewhere, such as those that another segmenter made of raw text. */
  silver?: Iterable<Sentence> | undefined;
  /** An encoder: the segmenter then also sees where sentences end by what it makes of the words. */
  encoder?: EncoderData | undefined;
}

// Chosen on the development sets: see docs/segmentation.md.
const EPOCHS = 5;
const MIN_UPDATES = 2;
/** A decision must be right by more than this, else the weights are changed. */
const MARGIN = 5;
/**
 * Sentence ends are rare, and one that is missed spoils two sentences, as one too many spoils one: they get a wider
 * margin.
 */
const SENTENCE_END_MARGIN = 15;
/** Pairs of characters between which a boundary is rarer than this are not scored. */
const RAREST_TOKEN_END = 0.0005;
const RAREST_SENTENCE_END = 0.002;
/** Pairs between which fewer spaces than these are inside tokens are not scored, either; fewer may be slips. */
const RAREST_JOIN = 0.002;
const FEWEST_SEEN = 5;
/** Pairs seen less often go by their groups. */
const SEEN = 20;
/** Where spaces must be guessed: how many sentences are also learned with a space between all tokens. */
const SPACED_SHARE = 0.2;

const EXPECTED: Readonly<Record<keyof SegmenterTrainOptions, Expectation>> = {
  epochs: wholeNumber(1),
  seed: WHOLE_NUMBER,
  prune: number(0),
  mostWeights: wholeNumber(1),
  silver: SENTENCES,
  encoder: ENCODER_DATA,
};

/**
 * Learns a segmenter from the text of a treebank. Anything that the reader gives will do: heads and tags are not looked
 * at.
 * @param sentences any treebank; heads and tags are ignored
 * @param options epochs, seed and others
 */
export function trainSegmenter(sentences: Iterable<Sentence>, options: SegmenterTrainOptions = {}): SegmenterModel {
  checkOptions("trainSegmenter", options, EXPECTED);
  const { epochs = EPOCHS, seed = 1, prune = 0, encoder } = options;
  const gold = checkedList("sentences", sentences, "form", "misc");
  const silver = checkedList("silver", options.silver ?? [], "form", "misc");
  const treebank = [...gold, ...silver];
  const hasWords = (surface: Surface) => surface.forms.length > 0;
  const own = gold.map(surfaceOf).filter(hasWords);
  const whole = [...own, ...silver.map(surfaceOf).filter(hasWords)];
  const joinPairs = countJoinPairs(whole);
  const given = joinPairs === undefined ? whole.map(withoutSpacesInside) : whole;
  const random = new Random(seed);
  const guessed = knowsSpaces(gold)
    ? undefined
    : given.map((surface, i) => (i < own.length ? guessSpaces(surface) : surface));
  const surfaces = () => guessed?.map((surface, i) => (random.next() < SPACED_SHARE ? given[i]! : surface)) ?? given;

  const { tokenPairs, sentencePairs } = countPairs(surfaces(), own.length, seed);
  const wholeTokens = countWholeTokens(given);
  const scanner = new Scanner(tokenPairs, sentencePairs, joinPairs, wholeTokens);
  const mayEnd = (before: string, after: string) => sentencePairs[pairAround(before, after)] === 1;
  const multiWord = learnMultiWordRules(treebank);
  const byContext = new Set(multiWord.byContext);
  const probed = encoder && trainSentenceEndProbe(given, encoder, mayEnd, seed);
  let tokens = 0;
  const firstTokens = given.map(({ forms }) => (tokens += forms.length) - forms.length);
  const weights = new Weights(MIN_UPDATES);
  const scores = new Int32Array(1);
  let marks: Uint8Array = new Uint8Array(0);
  let time = 1;
  let explores = false;
  const decider =
    (bit: number, margin: number, isJoin = false) =>
    (features: Int32Array, place: number) => {
      time++;
      scores[0] = 0;
      weights.score(features, scores);
      const score = scores[0]!;
      const gold = ((marks[place]! & bit) !== 0) !== isJoin;
      if (gold ? score <= margin : score >= -MARGIN) weights.update(features, 0, gold ? 1 : -1, time);
      // From the second pass on, what comes next is seen as it will be in use: after tokens that were cut by the model
      // itself.
      return explores && bit === TOKEN_END ? score > 0 : gold;
    };
  const decideToken = decider(TOKEN_END, MARGIN);
  const decideJoin = decider(TOKEN_END, MARGIN, true);
  const decideSentence = decider(SENTENCE_END, SENTENCE_END_MARGIN);
  const decideSeveral = decider(SEVERAL_WORDS, MARGIN);
  for (let epoch = 1; epoch <= epochs; epoch++) {
    explores = epoch > 1;
    for (const marked of trainingTexts(surfaces(), random, own.length)) {
      marks = marked.marks;
      let token = firstTokens[marked.first]!;
      for (const [from, to] of paragraphs(marked.text)) {
        scanner.load(marked.text, from, to);
        scanner.cutTokens(decideToken);
        scanner.joinTokens(decideJoin);
        const { starts, ends } = tokensOf(marked.text, marks, from, to);
        scanner.setTokens(starts, ends);
        scanner.cutSentences(decideSentence, probed?.guesses.subarray(token, token + starts.length));
        for (let t = 0; byContext.size > 0 && t < starts.length; t++)
          if (byContext.has(lookedUp(marked.text.slice(starts[t], ends[t])))) scanner.isSeveral(t, decideSeveral);
        token += starts.length;
      }
    }
  }
  const header = {
    tokenPairs: packPairs(tokenPairs),
    sentencePairs: packPairs(sentencePairs),
    ...(joinPairs && { joinPairs: packPairs(joinPairs) }),
    ...(wholeTokens.length < ALL_WHOLE_TOKENS.length && { wholeTokens }),
    multiWord,
  };
  const averages: ForEachWeight = (visit) => weights.forEachAverage(time, visit);
  const linear = LinearModel.from(averages, thresholdOf(averages, prune, options.mostWeights));
  return new SegmenterModel(header, linear, probed?.probe);
}

function* paragraphs(text: string): Generator<[number, number]> {
  for (let from = 0; from < text.length; ) {
    const end = paragraphEnd(text, from, text.length);
    const to = end < 0 ? text.length : end;
    yield [from, to];
    from = to;
  }
}

/** The tokens of a stretch by the marks. */
function tokensOf(text: string, marks: Uint8Array, from: number, to: number): { starts: number[]; ends: number[] } {
  const starts: number[] = [];
  const ends: number[] = [];
  let start = from;
  for (let end = from + 1; end <= to; end++) {
    if ((marks[end]! & TOKEN_END) === 0) continue;
    while (isWhite(classOf(text.charCodeAt(start)))) start++;
    starts.push(start);
    ends.push(end);
    start = end;
  }
  return { starts, ends };
}

/** Between which classes of characters tokens and sentences end at all. */
function countPairs(
  surfaces: readonly Surface[],
  own: number,
  seed: number,
): { tokenPairs: Uint8Array; sentencePairs: Uint8Array } {
  const all = new Uint8Array(PAIRS).fill(1);
  const scanner = new Scanner(all, all);
  const places = new Int32Array(PAIRS);
  const ends = new Int32Array(PAIRS);
  const gaps = new Int32Array(PAIRS);
  const sentenceEnds = new Int32Array(PAIRS);
  for (const { text, marks } of trainingTexts(surfaces, new Random(seed), own)) {
    for (const [from, to] of paragraphs(text)) {
      scanner.load(text, from, to);
      for (let place = from + 1; place < to; place++) {
        const pair = scanner.pairAt(place);
        if (pair < 0) continue;
        places[pair]!++;
        if (marks[place]! & TOKEN_END) ends[pair]!++;
      }
      const tokens = tokensOf(text, marks, from, to);
      scanner.setTokens(tokens.starts, tokens.ends);
      for (let t = 0; t + 1 < tokens.ends.length; t++) {
        const pair = scanner.gapPair(t);
        gaps[pair]!++;
        if (marks[tokens.ends[t]!]! & SENTENCE_END) sentenceEnds[pair]!++;
      }
    }
  }
  const scored = (count: Int32Array, carrying: Int32Array, rarest: number, within: boolean) => {
    const groups = new Int32Array(GROUP_PAIRS);
    const carryingGroups = new Int32Array(GROUP_PAIRS);
    count.forEach((n, pair) => {
      groups[groupPair(pair)]! += n;
      carryingGroups[groupPair(pair)]! += carrying[pair]!;
    });
    return Uint8Array.from(count, (n, pair) => {
      if (n >= SEEN) return carrying[pair]! >= rarest * n ? 1 : 0;
      const group = groupPair(pair);
      if (groups[group]! >= SEEN) return carryingGroups[group]! >= rarest * groups[group]! ? 1 : 0;
      return within && isWordLike(group) ? 0 : 1;
    });
  };
  return {
    tokenPairs: scored(places, ends, RAREST_TOKEN_END, true),
    sentencePairs: scored(gaps, sentenceEnds, RAREST_SENTENCE_END, false),
  };
}

/**
 * Between which classes of characters a space may be inside a token; undefined if there are none. A treebank with a
 * token or two of this kind (slips, mostly) is read as if it had none, and the segmenter stays as fast as without.
 */
function countJoinPairs(surfaces: readonly Surface[]): Uint8Array | undefined {
  const joins = new Int32Array(PAIRS);
  const all = new Int32Array(PAIRS);
  for (const { forms, spaces } of surfaces) {
    forms.forEach((form, i) => {
      const parts = form.split(" ");
      for (let k = 1; k < parts.length; k++) {
        const pair = pairAround(parts[k - 1]!, parts[k]!);
        joins[pair]!++;
        all[pair]!++;
      }
      const next = forms[i + 1];
      if (next !== undefined && spaces[i]) all[pairAround(form, next)]!++;
    });
  }
  const pairs = Uint8Array.from(joins, (n, pair) => (n >= FEWEST_SEEN && n >= RAREST_JOIN * all[pair]! ? 1 : 0));
  return pairs.includes(1) ? pairs : undefined;
}

/** The kinds of tokens, known by their characters, that the treebank has as tokens, or does not have. */
function countWholeTokens(surfaces: readonly Surface[]): WholeToken[] {
  const texts = surfaces.map((surface) => plainText([surface]));
  return ALL_WHOLE_TOKENS.filter((kind) => {
    const pattern = wholeTokenPattern([kind])!;
    let surplus = 0;
    for (const { text, marks } of texts) {
      for (const { 0: token, index } of text.matchAll(pattern)) {
        const end = index + token.length;
        const isWhole = !marks.subarray(index + 1, end).some((mark) => (mark & TOKEN_END) !== 0);
        const begins = index === 0 || isWhite(classOf(text.charCodeAt(index - 1))) || (marks[index]! & TOKEN_END) !== 0;
        surplus += isWhole && begins ? 1 : -1;
      }
    }
    return surplus > -FEWEST_SEEN;
  });
}

/** The pair of classes around the gap between two tokens. */
function pairAround(before: string, after: string): number {
  return pairOf(classOf(lastCodePoint(before)), classOf(after.codePointAt(0)!));
}

function lastCodePoint(form: string): number {
  const low = form.charCodeAt(form.length - 1);
  return low >= 0xdc00 && low < 0xe000 && form.length > 1 ? form.codePointAt(form.length - 2)! : low;
}

// Pairs that are rare in the treebank go by what is known of letters, digits, marks and the rest in general: a
// segmenter that has never met capitals in a row, or another alphabet, must not take them apart.
const GROUP_PAIRS = 64;

function groupPair(pair: number): number {
  return (GROUP[pair >> CLASS_BITS]! << 3) | GROUP[pair & (CLASSES - 1)]!;
}

/** Whether both groups are letters, digits or combining marks. */
function isWordLike(pair: number): boolean {
  const wordLike = (kind: number) => kind === 1 || kind === 4 || kind === 5;
  return wordLike(pair >> 3) && wordLike(pair & 7);
}
