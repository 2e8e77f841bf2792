// Which word of the system output is which word of the gold treebank, when the two are cut into words differently: the
// definition of the CoNLL 2017 and 2018 shared tasks (Zeman et al. 2017, section 4.1). Tokens are stretches of the text
// without its spaces, and are the same when their stretches are. JoinedWords that are tokens are aligned like tokens.
// Around multiword tokens there is a region, the smallest stretch that no multiword token of either side sticks out
// of; the words in it are aligned by the longest common subsequence of their forms.

import { TreebankError } from "../treebank/errors.js";
import type { Sentence } from "../treebank/sentence/sentence.js";

/** The tokens of neighbouring sentences as stretches of their text without spaces. */
export class TokenSpans {
  text = "";
  readonly sentences: Sentence[] = [];
  /** Start and end of each sentence, of each token. */
  readonly sentenceStarts: number[] = [];
  readonly tokenStarts: number[] = [];
  readonly tokenEnds: number[] = [];
  /** For each word, from 0: the stretch of its token, whether that is a multiword token, and the form. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly multi: boolean[] = [];
  readonly forms: string[] = [];

  add(sentence: Sentence, source: string): void {
    this.sentences.push(sentence);
    this.sentenceStarts.push(this.text.length);
    const tokens = sentence.multiWordTokens;
    let next = 0;
    for (let i = 1; i <= sentence.length; ) {
      const token = tokens[next]?.from === i ? tokens[next++] : undefined;
      const form = (token?.form ?? sentence.form(i)).replace(SPACES, "");
      if (form === "") {
        const place = { value: token?.form ?? sentence.form(i), line: sentence.lineOf(i), column: 2 };
        throw new TreebankError(source, { what: "FORM", expected: "more than spaces", ...place });
      }
      const start = this.text.length;
      this.text += form;
      this.tokenStarts.push(start);
      this.tokenEnds.push(this.text.length);
      for (const last = token?.to ?? i; i <= last; i++) {
        this.starts.push(start);
        this.ends.push(this.text.length);
        this.multi.push(token !== undefined);
        this.forms.push(token === undefined ? form : sentence.form(i));
      }
    }
  }

  /**
   * Whether alignment of this side, up to its last token, uses up both sides. If both have the same text and it holds
   * for one of them, nothing that follows can change the alignment.
   */
  closes(other: TokenSpans): boolean {
    const [start, otherStart] = [this.tokenStarts.at(-1)!, other.tokenStarts.at(-1)!];
    return start === otherStart || (this.multi.at(-1)! && otherStart > start);
  }

  /** The line of the word that has the character at a place of the text, or of the last word. */
  lineAt(place: number): number {
    let word = this.ends.findIndex((end) => end > place);
    if (word < 0) word = this.ends.length - 1;
    for (const sentence of this.sentences) {
      if (word < sentence.length) return sentence.lineOf(word + 1);
      word -= sentence.length;
    }
    return 1;
  }
}

const SPACES = /\p{Zs}/gu;

/** Which words, tokens and sentences of two sides are the same. */
export interface Alignment {
  /** The gold word of each system word, -1 for none; words count from 1, and the root at 0 belongs to the root. */
  readonly goldOf: Int32Array;
  readonly alignedWords: number;
  readonly goldTokens: number;
  readonly systemTokens: number;
  readonly sameTokens: number;
  /** Pairs of a gold and a system sentence, both from 0, that are the same stretch of text. */
  readonly sameSentences: readonly (readonly [gold: number, system: number])[];
  /** For each system word, from 1, the gold sentence, from 0, in which it starts. */
  readonly goldSentenceOf: Int32Array;
}

/**
 * Aligns two sides with the same text. O(words), except for regions of multiword tokens: gold times system words of the
 * region.
 */
export function align(gold: TokenSpans, system: TokenSpans): Alignment {
  const goldOf = new Int32Array(system.forms.length + 1).fill(-1);
  goldOf[0] = 0;
  let alignedWords = 0;
  const join = (g: number, s: number) => {
    goldOf[s + 1] = g + 1;
    alignedWords++;
  };
  let g = 0;
  let s = 0;
  while (g < gold.forms.length && s < system.forms.length) {
    if (gold.multi[g] || system.multi[s]) {
      const opening = gold.multi[g] ? gold.ends[g]! : system.ends[s]!;
      // A plain word that starts before the multiword token, and so may stick out to the left, is not in the region.
      if (!system.multi[s] && system.starts[s]! < gold.starts[g]!) s++;
      else if (!gold.multi[g] && gold.starts[g]! < system.starts[s]!) g++;
      const first = { g, s };
      [g, s] = regionEnd(gold, system, g, s, opening);
      alignForms(gold.forms.slice(first.g, g), system.forms.slice(first.s, s), first.g, first.s, join);
    } else if (gold.starts[g] === system.starts[s] && gold.ends[g] === system.ends[s]) join(g++, s++);
    else if (gold.starts[g]! <= system.starts[s]!) g++;
    else s++;
  }
  return {
    goldOf,
    alignedWords,
    goldTokens: gold.tokenStarts.length,
    systemTokens: system.tokenStarts.length,
    sameTokens: sameSpans(gold.tokenStarts, gold.tokenEnds, system.tokenStarts, system.tokenEnds).length,
    sameSentences: sameSpans(gold.sentenceStarts, sentenceEnds(gold), system.sentenceStarts, sentenceEnds(system)),
    goldSentenceOf: sentencesAt(gold.sentenceStarts, system.starts),
  };
}

/** The words after the region that starts with words g and s and reaches at least to `end`. */
function regionEnd(gold: TokenSpans, system: TokenSpans, g: number, s: number, end: number): [number, number] {
  const inside = (side: TokenSpans, i: number) =>
    i < side.forms.length && (side.multi[i] ? side.starts[i]! < end : side.ends[i]! <= end);
  while (inside(gold, g) || inside(system, s)) {
    const takesGold = g < gold.forms.length && !(system.starts[s]! < gold.starts[g]!);
    const [side, i] = takesGold ? [gold, g++] : [system, s++];
    if (side.multi[i] && side.ends[i]! > end) end = side.ends[i]!;
  }
  return [g, s];
}

/** Regions with more pairs of words than this are refused: real ones have a few. */
const MOST_PAIRS = 1 << 26;

/** Joins the words of a longest common subsequence of forms, without regard to case, the earliest words first. */
function alignForms(
  goldForms: readonly string[],
  systemForms: readonly string[],
  firstGold: number,
  firstSystem: number,
  join: (g: number, s: number) => void,
): void {
  const gold = goldForms.map((form) => form.toLowerCase());
  const system = systemForms.map((form) => form.toLowerCase());
  // Equal starts need no table: the walk below would take them anyway.
  let g = 0;
  while (g < gold.length && g < system.length && gold[g] === system[g]) join(firstGold + g, firstSystem + g++);
  let s = g;
  if (g === gold.length || s === system.length) return;

  const width = system.length - s + 1;
  const height = gold.length - g + 1;
  if (width * height > MOST_PAIRS) {
    throw new RangeError(`fewer than ${MOST_PAIRS} pairs of words around multiword tokens that overlap`);
  }
  // longest[i * width + j]: length of the longest common subsequence of the gold words from g + i and the system words
  // from s + j.
  const longest = new Int32Array(width * height);
  for (let i = height - 2; i >= 0; i--) {
    for (let j = width - 2; j >= 0; j--) {
      const at = i * width + j;
      const skip = Math.max(longest[at + width]!, longest[at + 1]!);
      longest[at] = gold[g + i] === system[s + j] ? Math.max(skip, 1 + longest[at + width + 1]!) : skip;
    }
  }
  for (const base = { g, s }; g < gold.length && s < system.length; ) {
    const at = (g - base.g) * width + (s - base.s);
    if (gold[g] === system[s]) join(firstGold + g++, firstSystem + s++);
    else if (longest[at] === longest[at + width]) g++;
    else s++;
  }
}

function sentenceEnds(side: TokenSpans): number[] {
  return [...side.sentenceStarts.slice(1), side.text.length];
}

/** The pairs of equal spans; spans of a side are in order and do not overlap. */
function sameSpans(
  goldStarts: readonly number[],
  goldEnds: readonly number[],
  systemStarts: readonly number[],
  systemEnds: readonly number[],
): [number, number][] {
  const pairs: [number, number][] = [];
  for (let g = 0, s = 0; g < goldStarts.length && s < systemStarts.length; ) {
    if (goldStarts[g] === systemStarts[s]) {
      if (goldEnds[g] === systemEnds[s]) pairs.push([g, s]);
      g++;
      s++;
    } else if (goldStarts[g]! < systemStarts[s]!) g++;
    else s++;
  }
  return pairs;
}

function sentencesAt(sentenceStarts: readonly number[], wordStarts: readonly number[]): Int32Array {
  const sentences = new Int32Array(wordStarts.length + 1);
  let sentence = 0;
  wordStarts.forEach((start, i) => {
    while (sentence + 1 < sentenceStarts.length && sentenceStarts[sentence + 1]! <= start) sentence++;
    sentences[i + 1] = sentence;
  });
  return sentences;
}

let identity = Int32Array.from({ length: 256 }, (_, i) => i);
let zeros = new Int32Array(256);

/** The alignment of two sentences with the same words. Shares its arrays with other calls. */
export function identityAlignment(gold: Sentence, system: Sentence): Alignment {
  const { length } = gold;
  if (identity.length <= length) {
    identity = Int32Array.from({ length: 2 * length }, (_, i) => i);
    zeros = new Int32Array(2 * length);
  }
  const goldTokens = tokenEnds(gold);
  const systemTokens = tokenEnds(system);
  let sameTokens = length;
  if (goldTokens !== undefined || systemTokens !== undefined) {
    const key = ([from, to]: readonly [number, number]) => `${from}-${to}`;
    const all = new Set((goldTokens ?? plainTokens(gold)).map(key));
    sameTokens = (systemTokens ?? plainTokens(system)).filter((token) => all.has(key(token))).length;
  }
  return {
    goldOf: identity,
    alignedWords: length,
    goldTokens: goldTokens?.length ?? length,
    systemTokens: systemTokens?.length ?? length,
    sameTokens,
    sameSentences: ONLY,
    goldSentenceOf: zeros,
  };
}

const ONLY = [[0, 0]] as const;

function plainTokens(sentence: Sentence): [number, number][] {
  return Array.from({ length: sentence.length }, (_, i) => [i + 1, i + 1]);
}

/** The words of each token, or undefined when every word is a token. */
function tokenEnds(sentence: Sentence): [number, number][] | undefined {
  const multi = sentence.multiWordTokens;
  if (multi.length === 0) return undefined;
  const tokens: [number, number][] = [];
  let next = 0;
  for (let i = 1; i <= sentence.length; i++) {
    const token = multi[next]?.from === i ? multi[next++] : undefined;
    tokens.push([i, token?.to ?? i]);
    i = token?.to ?? i;
  }
  return tokens;
}
