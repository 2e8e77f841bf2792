import { checkOptions, type Expectation, number, WHOLE_NUMBER, wholeNumber } from "../../checks/options.js";
import { checkedList } from "../../checks/shapes.js";
import { thresholdOf } from "../../learning/largest-weights.js";
import { Weights } from "../../learning/linear/weights.js";
import { NO_FEATURE } from "../../math/hash.js";
import { epochState, Random } from "../../math/random.js";
import { applyScript, editScript } from "../../pipeline/lemmatizer/edit-script.js";
import {
  LEMMA_FEATURES,
  Lemmatizer,
  LemmatizerModel,
  readLemmaFeatures,
  WITH_TAGS,
  WITH_UPOS,
} from "../../pipeline/lemmatizer/lemmatizer.js";
import { LinearModel } from "../../scoring/linear/linear-model.js";
import type { ForEachWeight } from "../../scoring/linear/quantized-weights.js";
import type { TaggedSentence } from "../tagger/tagger-training.js";

/** A sentence with its tags and lemmas, words 1 … n. */
export interface LemmatizedSentence extends TaggedSentence {
  /**
   * The lemma of a word.
   * @param i the number of the word, from 1
   */
  lemma(i: number): string;
}

/** Options of `trainLemmatizer`. */
export interface LemmatizerTrainOptions {
  /** How often all sentences are gone through. */
  epochs?: number | undefined;
  /** Where random numbers begin; the same seed gives the same result. */
  seed?: number | undefined;
  /** Weights (averages) smaller than this are left out of the model. */
  prune?: number | undefined;
  /** How many weights the model has at most, the largest ones; no limit if not given. */
  mostWeights?: number | undefined;
}

const LEMMATIZER_DEFAULTS = { epochs: 5, seed: 1, prune: 0.5 } as const;

/** Update as well if the best wrong script comes closer to the right one than this, for each feature. */
const MARGIN = 0.5;
/** Features in fewer updates than this do not count. */
const MIN_UPDATES = 3;
/** Leave out each feature with this probability. */
const FEATURE_DROPOUT = 0.1;
/** Hide tags other than UPOS with this probability, and then UPOS as well: predicted ones are not always right. */
const TAG_DROPOUT = 0.3;
/** Scripts of fewer words than this are left to the exceptions. */
const FEWEST_WORDS = 2;

/** A word with its tags: what the lemmatizer sees, however often it occurs. */
interface Word {
  form: string;
  upos: string;
  xpos: string;
  feats: string;
  lemmas: Map<string, number>;
}

const EXPECTED: Readonly<Record<keyof LemmatizerTrainOptions, Expectation>> = {
  epochs: wholeNumber(1),
  seed: WHOLE_NUMBER,
  prune: number(0),
  mostWeights: wholeNumber(1),
};

/**
 * Train a lemmatizer. It learns from word types, not from tokens: what matters is how many words follow a rule, and
 * frequent words that follow none become exceptions.
 * @param sentences words with lemmas
 * @param options epochs, seed and others
 */
export function trainLemmatizer(
  sentences: Iterable<LemmatizedSentence>,
  options: LemmatizerTrainOptions = {},
): LemmatizerModel {
  checkOptions("trainLemmatizer", options, EXPECTED);
  const epochs = options.epochs ?? LEMMATIZER_DEFAULTS.epochs;
  const seed = options.seed ?? LEMMATIZER_DEFAULTS.seed;
  const prune = options.prune ?? LEMMATIZER_DEFAULTS.prune;
  const margin = MARGIN * LEMMA_FEATURES;
  const words = read(checkedList("sentences", sentences, "form", "lemma", "upos", "xpos", "feats"));
  const scriptOf = words.map(({ form, lemmas }) => editScript(form, mostFrequent(lemmas)));
  const scripts = frequentScripts(scriptOf);
  const numbers = new Map(scripts.map((script, k) => [script, k]));
  const weights = new Weights(MIN_UPDATES, scripts.length);
  const vector = new Int32Array(LEMMA_FEATURES);
  const scores = new Int32Array(scripts.length);
  const random = new Random(0);
  const order = Int32Array.from(words.keys());
  let time = 1;
  for (let epoch = 1; epoch <= epochs; epoch++) {
    random.state = epochState(seed, epoch);
    random.shuffle(order);
    for (const w of order) {
      const gold = numbers.get(scriptOf[w]!);
      if (gold === undefined) continue;
      const { form, upos, xpos, feats, lemmas } = words[w]!;
      readLemmaFeatures(form, upos, xpos, feats, vector);
      for (let f = 0; f < vector.length; f++) if (random.next() < FEATURE_DROPOUT) vector[f] = NO_FEATURE;
      if (random.next() < TAG_DROPOUT) {
        vector.fill(NO_FEATURE, random.next() < TAG_DROPOUT ? WITH_UPOS : WITH_TAGS);
      }
      scores.fill(0);
      weights.score(vector, scores);
      time++;
      const lemma = mostFrequent(lemmas);
      // Other scripts may make the same lemma, or none at all; both are no rivals.
      let rival = -1;
      for (let s = 0; s < scripts.length; s++) {
        if (s === gold || scores[s]! < scores[gold]! - margin || (rival >= 0 && scores[s]! <= scores[rival]!)) continue;
        const made = applyScript(scripts[s]!, form);
        if (made !== undefined && made !== lemma) rival = s;
      }
      if (rival < 0) continue;
      weights.update(vector, gold, 1, time);
      weights.update(vector, rival, -1, time);
    }
  }
  const averages: ForEachWeight = (visit) => weights.forEachAverage(time, visit);
  const linear = LinearModel.from(averages, thresholdOf(averages, prune, options.mostWeights), LEMMA_FEATURES);
  const exceptions = findExceptions(words, new LemmatizerModel({ scripts, exceptions: [] }, linear));
  return new LemmatizerModel({ scripts, exceptions }, linear);
}

function read(sentences: Iterable<LemmatizedSentence>): Word[] {
  const words = new Map<string, Word>();
  let all = 0;
  for (const sentence of sentences) {
    for (let i = 1; i <= sentence.length; i++) {
      all++;
      const lemma = sentence.lemma(i);
      // "_" is no lemma, but a word for which none is given.
      if (lemma === "_" && sentence.form(i) !== "_") continue;
      const [form, upos, xpos, feats] = [sentence.form(i), sentence.upos(i), sentence.xpos(i), sentence.feats(i)];
      const key = `${form}\t${upos}\t${xpos}\t${feats}`;
      let word = words.get(key);
      if (!word) {
        word = { form, upos, xpos, feats, lemmas: new Map() };
        words.set(key, word);
      }
      word.lemmas.set(lemma, (word.lemmas.get(lemma) ?? 0) + 1);
    }
  }
  if (all === 0) throw new RangeError("no sentences to train a lemmatizer on");
  return [...words.values()];
}

function mostFrequent(lemmas: ReadonlyMap<string, number>): string {
  let best = "";
  let most = 0;
  for (const [lemma, count] of lemmas) {
    if (count <= most) continue;
    best = lemma;
    most = count;
  }
  return best;
}

/**
 * Scripts that several words share, most frequent first; if there are none, all of them; without any lemma "_" for
 * everything.
 */
function frequentScripts(scriptOf: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const script of scriptOf) counts.set(script, (counts.get(script) ?? 0) + 1);
  if (counts.size === 0) return ["=_"];
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const frequent = sorted.filter(([, count]) => count >= FEWEST_WORDS);
  return (frequent.length > 0 ? frequent : sorted).map(([script]) => script);
}

/** The words (form and UPOS) that get more right with one lemma for all than with the scripts. */
function findExceptions(words: readonly Word[], model: LemmatizerModel): string[] {
  const lemmatizer = new Lemmatizer(model);
  const found = new Map<string, { form: string; upos: string; right: number; lemmas: Map<string, number> }>();
  for (const { form, upos, xpos, feats, lemmas } of words) {
    const key = `${form}\t${upos}`;
    const entry = found.get(key) ?? { form, upos, right: 0, lemmas: new Map<string, number>() };
    found.set(key, entry);
    entry.right += lemmas.get(lemmatizer.byScript(form, upos, xpos, feats)) ?? 0;
    for (const [lemma, count] of lemmas) entry.lemmas.set(lemma, (entry.lemmas.get(lemma) ?? 0) + count);
  }
  const exceptions: string[] = [];
  for (const { form, upos, right, lemmas } of found.values()) {
    const lemma = mostFrequent(lemmas);
    if (lemmas.get(lemma)! > right) exceptions.push(form, upos, lemma);
  }
  return exceptions;
}
