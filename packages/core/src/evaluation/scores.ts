import type { Sentence } from "../treebank/sentence/sentence.js";
import type { Alignment } from "./alignment.js";
import { addEnhanced } from "./enhanced.js";
import type { JoinedWords } from "./joined-words.js";
import { sameUniversalFeatures } from "./universal.js";

/** The plain form of a score; shares lie between 0 and 1. */
export interface ScoreSummary {
  /** How many are right. */
  correct: number;
  /** How many the gold standard has. */
  gold: number;
  /** How many the parser has. */
  system: number;
  /** The share of the parser's that is right. */
  precision: number;
  /** The share of the gold standard's that was found. */
  recall: number;
  /** The harmonic mean of precision and recall. */
  f1: number;
  /** Share of the aligned words that are correct; null where the score does not count words. */
  alignedAccuracy: number | null;
}

/** How many items are right, of how many in the gold treebank and in the system output. */
export class Score {
  /** How many are right. */
  correct = 0;
  /** How many the gold standard has. */
  gold = 0;
  /** How many the parser has. */
  system = 0;
  /** Words that are counted and aligned, or -1 where this does not apply. */
  aligned: number;

  /** @param aligned words that are counted and aligned; -1 where this does not apply */
  constructor(aligned = 0) {
    this.aligned = aligned;
  }

  /** The share of the parser's that is right. */
  get precision(): number {
    return ratio(this.correct, this.system);
  }
  /** The share of the gold standard's that was found. */
  get recall(): number {
    return ratio(this.correct, this.gold);
  }
  /** The harmonic mean of precision and recall. */
  get f1(): number {
    return ratio(2 * this.correct, this.gold + this.system);
  }
  /** The share of aligned words that are right. */
  get alignedAccuracy(): number | null {
    return this.aligned < 0 ? null : ratio(this.correct, this.aligned);
  }

  /** As plain data. */
  toJSON(): ScoreSummary {
    const { correct, gold, system, precision, recall, f1, alignedAccuracy } = this;
    return { correct, gold, system, precision, recall, f1, alignedAccuracy };
  }
}

export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Everything that is counted over whole treebanks. */
export class Scores {
  // The metrics of the CoNLL 2018 shared task. With the label set `full`, those with labels compare full labels.
  readonly tokens = new Score(-1);
  readonly sentences = new Score(-1);
  readonly words = new Score(-1);
  readonly upos = new Score();
  readonly xpos = new Score();
  readonly ufeats = new Score();
  readonly allTags = new Score();
  readonly lemmas = new Score();
  readonly uas = new Score();
  readonly las = new Score();
  readonly clas = new Score();
  readonly mlas = new Score();
  readonly blex = new Score();
  /** Arcs of the enhanced graphs, with whole labels and with labels up to ":". */
  readonly elas = new Score(-1);
  readonly eulas = new Score(-1);
  /** LAS with full labels, whatever the label set is. */
  readonly lasFull = new Score();
  /** Labels alone, whatever the heads are. */
  readonly labels = new Score();
  readonly exactUnlabelled = new Score(-1);
  readonly exactLabelled = new Score(-1);
  /**
   * Without the words that are punctuation in the gold treebank. A system word that is aligned to none is left out if
   * it is punctuation itself. Sentences of punctuation only do not count for exact match.
   */
  readonly withoutPunctuation = {
    uas: new Score(),
    las: new Score(),
    labels: new Score(),
    exactUnlabelled: new Score(-1),
    exactLabelled: new Score(-1),
  };
  /** The whole FEATS column, as it is written. */
  readonly feats = new Score();
  /** Words of the system output that have a value in the column. */
  readonly tagged = { upos: 0, xpos: 0, feats: 0 };
  /** Words of the gold treebank that have a value in the column. */
  readonly goldTagged = { upos: 0, xpos: 0, feats: 0 };
}

const WORD_SCORES = [
  "words",
  "upos",
  "xpos",
  "ufeats",
  "allTags",
  "lemmas",
  "uas",
  "las",
  "lasFull",
  "labels",
  "feats",
] as const;

/** The fate of a gold word. */
const UNALIGNED = 0;
export const WRONG_HEAD = 1;
/** Right head, wrong label. */
export const ATTACHED = 2;
export const CORRECT = 3;

/** For each system word, from 1, the verdict on its arc: UNALIGNED, WRONG_HEAD, ATTACHED or CORRECT. */
export function judgeArcs(gold: JoinedWords, system: JoinedWords, { goldOf }: Alignment): Uint8Array {
  const verdicts = new Uint8Array(system.length + 1);
  for (let s = 1; s <= system.length; s++) {
    const g = goldOf[s]!;
    if (g < 0) continue;
    // The head is right when it is aligned to the gold head; the root is aligned to the root.
    const attached = goldOf[system.heads[s]!] === gold.heads[g];
    verdicts[s] = !attached ? WRONG_HEAD : system.labels[s]!.name === gold.labels[g]!.name ? CORRECT : ATTACHED;
  }
  return verdicts;
}

/** Adds sentences that belong together to the scores. */
export function addScores(
  scores: Scores,
  gold: JoinedWords,
  system: JoinedWords,
  alignment: Alignment,
  verdicts: Uint8Array,
): void {
  const { goldOf, alignedWords } = alignment;
  scores.tokens.correct += alignment.sameTokens;
  scores.tokens.gold += alignment.goldTokens;
  scores.tokens.system += alignment.systemTokens;
  scores.sentences.correct += alignment.sameSentences.length;
  scores.sentences.gold += gold.sentences.length;
  scores.sentences.system += system.sentences.length;
  for (const name of WORD_SCORES) {
    const score = scores[name];
    score.gold += gold.length;
    score.system += system.length;
    if (name !== "words") score.aligned += alignedWords;
  }
  scores.words.correct += alignedWords;
  addArcs(scores, gold, system, alignment, verdicts);
  addEnhanced(scores.elas, scores.eulas, gold, system, alignment);

  const children = { gold: functionalChildren(gold), system: functionalChildren(system) };
  let goldSentence = 0;
  system.sentences.forEach((sentence, k) => {
    for (let i = 1; i <= sentence.length; i++) {
      const s = system.before[k]! + i;
      const systemUpos = system.upos[s]!;
      const systemXpos = sentence.xpos(i);
      const systemFeats = sentence.feats(i);
      if (systemUpos !== "_") scores.tagged.upos++;
      if (systemXpos !== "_") scores.tagged.xpos++;
      if (systemFeats !== "_") scores.tagged.feats++;
      const g = goldOf[s]!;
      if (g < 0) continue;
      while (gold.before[goldSentence + 1]! < g) goldSentence++;
      const other = gold.sentences[goldSentence]!;
      const j = g - gold.before[goldSentence]!;
      const goldFeats = other.feats(j);
      const upos = systemUpos === gold.upos[g];
      const xpos = systemXpos === other.xpos(j);
      const ufeats = sameUniversalFeatures(systemFeats, goldFeats);
      const goldLemma = other.lemma(j);
      const lemma = goldLemma === "_" || goldLemma === sentence.lemma(i);
      if (upos) scores.upos.correct++;
      if (xpos) scores.xpos.correct++;
      if (ufeats) scores.ufeats.correct++;
      if (systemFeats === goldFeats) scores.feats.correct++;
      if (upos && xpos && ufeats) scores.allTags.correct++;
      if (lemma) scores.lemmas.correct++;
      if (!gold.labels[g]!.content || verdicts[s] !== CORRECT) continue;
      if (lemma) scores.blex.correct++;
      if (upos && ufeats && sameChildren(children.gold, g, children.system, s, gold, system, alignment)) {
        scores.mlas.correct++;
      }
    }
  });
  for (const sentence of gold.sentences) {
    for (let i = 1; i <= sentence.length; i++) {
      if (sentence.upos(i) !== "_") scores.goldTagged.upos++;
      if (sentence.xpos(i) !== "_") scores.goldTagged.xpos++;
      if (sentence.feats(i) !== "_") scores.goldTagged.feats++;
    }
  }
}

/** Whether a system word counts as punctuation: by its gold word if it has one. */
export function isPunctuation(gold: JoinedWords, system: JoinedWords, { goldOf }: Alignment, s: number): boolean {
  return (goldOf[s]! < 0 ? system.punctuation[s] : gold.punctuation[goldOf[s]!]) === 1;
}

function addArcs(
  scores: Scores,
  gold: JoinedWords,
  system: JoinedWords,
  alignment: Alignment,
  verdicts: Uint8Array,
): void {
  const { goldOf } = alignment;
  const rest = scores.withoutPunctuation;
  const content = [scores.clas, scores.mlas, scores.blex];
  let goldContent = 0;
  let goldPunctuation = 0;
  for (let g = 1; g <= gold.length; g++) {
    if (gold.labels[g]!.content) goldContent++;
    if (gold.punctuation[g] === 1) goldPunctuation++;
  }
  let systemContent = 0;
  let alignedContent = 0;
  let systemPunctuation = 0;
  let alignedPunctuation = 0;
  for (let s = 1; s <= system.length; s++) {
    const label = system.labels[s]!;
    const punctuation = isPunctuation(gold, system, alignment, s);
    if (label.content) systemContent++;
    if (punctuation) systemPunctuation++;
    const g = goldOf[s]!;
    if (g < 0) continue;
    const goldLabel = gold.labels[g]!;
    if (punctuation) alignedPunctuation++;
    if (goldLabel.content) alignedContent++;
    const verdict = verdicts[s]!;
    const sameLabel = label.name === goldLabel.name;
    if (verdict >= ATTACHED) scores.uas.correct++;
    if (verdict === CORRECT) scores.las.correct++;
    if (verdict === CORRECT && goldLabel.content) scores.clas.correct++;
    if (verdict >= ATTACHED && label.full === goldLabel.full) scores.lasFull.correct++;
    if (sameLabel) scores.labels.correct++;
    if (punctuation) continue;
    if (verdict >= ATTACHED) rest.uas.correct++;
    if (verdict === CORRECT) rest.las.correct++;
    if (sameLabel) rest.labels.correct++;
  }
  for (const score of content) {
    score.gold += goldContent;
    score.system += systemContent;
    score.aligned += alignedContent;
  }
  for (const score of [rest.uas, rest.las, rest.labels]) {
    score.gold += gold.length - goldPunctuation;
    score.system += system.length - systemPunctuation;
    score.aligned += alignment.alignedWords - alignedPunctuation;
  }
  addExactMatches(scores, gold, system, alignment, verdicts);
}

/** A sentence matches when it is one sentence on both sides, has the same words, and all their arcs are right. */
function addExactMatches(
  scores: Scores,
  gold: JoinedWords,
  system: JoinedWords,
  alignment: Alignment,
  verdicts: Uint8Array,
): void {
  const rest = scores.withoutPunctuation;
  for (const score of [scores.exactUnlabelled, scores.exactLabelled]) {
    score.gold += gold.sentences.length;
    score.system += system.sentences.length;
  }
  const [goldRest, systemRest] = [gold, system].map((side) => countSentences(side)) as [number, number];
  for (const score of [rest.exactUnlabelled, rest.exactLabelled]) {
    score.gold += goldRest;
    score.system += systemRest;
  }
  for (const [goldSentence, systemSentence] of alignment.sameSentences) {
    const g = gold.before[goldSentence]!;
    const s = system.before[systemSentence]!;
    const { length } = gold.sentences[goldSentence]!;
    if (system.sentences[systemSentence]!.length !== length) continue;
    let worst = CORRECT;
    let worstRest = CORRECT;
    let punctuation = 0;
    for (let i = 1; i <= length; i++) {
      const verdict = alignment.goldOf[s + i] === g + i ? verdicts[s + i]! : UNALIGNED;
      if (verdict < worst) worst = verdict;
      if (gold.punctuation[g + i] === 1) punctuation++;
      // With other words the sentence is not the same, wherever they are.
      if ((gold.punctuation[g + i] === 0 || verdict === UNALIGNED) && verdict < worstRest) worstRest = verdict;
    }
    if (worst >= ATTACHED) scores.exactUnlabelled.correct++;
    if (worst === CORRECT) scores.exactLabelled.correct++;
    if (punctuation === length) continue;
    if (worstRest >= ATTACHED) rest.exactUnlabelled.correct++;
    if (worstRest === CORRECT) rest.exactLabelled.correct++;
  }
}

/** Sentences that have a word besides punctuation. */
function countSentences(side: JoinedWords): number {
  let count = 0;
  side.sentences.forEach((sentence, k) => {
    for (let i = 1; i <= sentence.length; i++) {
      if (side.punctuation[side.before[k]! + i] === 1) continue;
      count++;
      break;
    }
  });
  return count;
}

/** Dependents with functional labels, in sentence order: first[h], then next[that], …; 0 ends a list. */
interface Lists {
  first: Int32Array;
  next: Int32Array;
}

function functionalChildren({ length, heads, labels }: JoinedWords): Lists {
  const first = new Int32Array(length + 1);
  const next = new Int32Array(length + 1);
  for (let i = length; i > 0; i--) {
    const head = heads[i]!;
    if (head <= 0 || !labels[i]!.functional) continue;
    next[i] = first[head]!;
    first[head] = i;
  }
  return { first, next };
}

/** Whether the functional dependents are the same words with the same labels, UPOS and universal features. */
function sameChildren(
  goldLists: Lists,
  g: number,
  systemLists: Lists,
  s: number,
  gold: JoinedWords,
  system: JoinedWords,
  { goldOf }: Alignment,
): boolean {
  let a = goldLists.first[g]!;
  let b = systemLists.first[s]!;
  for (; a > 0 && b > 0; a = goldLists.next[a]!, b = systemLists.next[b]!) {
    if (goldOf[b] !== a || gold.labels[a]!.name !== system.labels[b]!.name || gold.upos[a] !== system.upos[b])
      return false;
    if (!sameUniversalFeatures(featsOf(gold, a), featsOf(system, b))) return false;
  }
  return a === b;
}

function featsOf(words: JoinedWords, i: number): string {
  const [sentence, local] = locate(words, i);
  return sentence.feats(local);
}

/** The sentence of a word and its number in it. */
export function locate(words: JoinedWords, i: number): [sentence: Sentence, word: number, index: number] {
  let index = 0;
  while (words.before[index + 1]! < i) index++;
  return [words.sentences[index]!, i - words.before[index]!, index];
}
