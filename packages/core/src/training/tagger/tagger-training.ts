import { checkOptions, type Expectation, FUNCTION, number, WHOLE_NUMBER, wholeNumber } from "../../checks/options.js";
import { checkedList, having } from "../../checks/shapes.js";
import { thresholdOf } from "../../learning/largest-weights.js";
import { meanOf, memberSeed } from "../../learning/linear/mixture.js";
import { Weights } from "../../learning/linear/weights.js";
import { NO_FEATURE } from "../../math/hash.js";
import { epochOrder, Random } from "../../math/random.js";
import { Analyses } from "../../pipeline/tagger/analyses.js";
import type { TagGuesser, TagGuesses } from "../../pipeline/tagger/tag-guesser.js";
import {
  GUESSED,
  MIXED,
  MIXED_FOR_FEATS,
  NARROW_WINDOW,
  type TagContext,
  TaggerFeatures,
  WINDOW,
} from "../../pipeline/tagger/tagger-features.js";
import type { TaggerHeader } from "../../pipeline/tagger/tagger-header.js";
import { setsOf, TaggerModel } from "../../pipeline/tagger/tagger-model.js";
import { LinearModel } from "../../scoring/linear/linear-model.js";
import type { ForEachWeight } from "../../scoring/linear/quantized-weights.js";
import { foldsOf } from "../preparation/folds.js";

/** A sentence with its tags, words 1 … n. */
export interface TaggedSentence {
  /** How many words it has. */
  readonly length: number;
  /**
   * The form of a word.
   * @param i the number of the word, from 1
   */
  form(i: number): string;
  /**
   * The universal tag of a word.
   * @param i the number of the word, from 1
   */
  upos(i: number): string;
  /**
   * The tag of a word in the language's own scheme.
   * @param i the number of the word, from 1
   */
  xpos(i: number): string;
  /**
   * The features of a word as text, as in CoNLL-U.
   * @param i the number of the word, from 1
   */
  feats(i: number): string;
}

/** Options of `trainTagger`. */
export interface TaggerTrainOptions {
  /** How often all sentences are gone through. */
  epochs?: number | undefined;
  /** Where random numbers begin; the same seed gives the same result. */
  seed?: number | undefined;
  /** Weights (averages) smaller than this are left out of the model. */
  prune?: number | undefined;
  /** Update as well if the best wrong class comes closer to the right one than this, for each feature. */
  margin?: number | undefined;
  /** Features in fewer updates than this do not count. */
  minUpdates?: number | undefined;
  /** Hide a word that occurs f times with probability a / (a + f); this is a. */
  wordDropout?: number | undefined;
  /** Leave out each feature with this probability. */
  featureDropout?: number | undefined;
  /** Taggers with different seeds whose weights are averaged. */
  members?: number | undefined;
  /** How many weights the model has at most, the largest ones; no limit if not given. */
  mostWeights?: number | undefined;
  /**
   * Guesses for the words of a sentence by what did not see it; the tagger is used with those of its model.
   * @internal
   */
  guesses?: TagGuesses | undefined;
  /** The guesser that the model will have. @internal */
  guesser?: TagGuesser | undefined;
  /** Called after each epoch; the current model is built only on request. */
  onEpoch?: ((epoch: number, model: () => TaggerModel) => void) | undefined;
}

/** Chosen on English development data, with a look at Turkish, Greek and Basque. */
const TAGGER_DEFAULTS = {
  epochs: 10,
  seed: 1,
  prune: 2,
  margin: 0.5,
  minUpdates: 6,
  wordDropout: 0.5,
  featureDropout: 0.1,
  members: 1,
} as const;

type Settings = { [K in keyof typeof TAGGER_DEFAULTS]: number };

function settingsOf(options: TaggerTrainOptions): Settings {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...TAGGER_DEFAULTS, ...Object.fromEntries(given) };
}

/** With more pairs of UPOS and XPOS than this, tags are UPOS alone, and XPOS is chosen together with FEATS. */
const MOST_TAGS = 256;
/**
 * A word has a set of tags from this many occurrences on; of its tags count those of at least this share, and at most
 * so many.
 */
const FREQUENT = 3;
const LEAST_SHARE = 0.05;
const MOST_IN_SET = 3;
/** Taggers of a first pass that give the second one its hints for the training data, and how long they are trained. */
const HINT_FOLDS = 4;
const HINT_EPOCHS = 2;

interface Example {
  forms: string[];
  analyses: Int32Array;
  /** Hints by a model that did not see this sentence; two more places for what comes after it. */
  hints: Int32Array;
  guesses: Int32Array | undefined;
}

const EXPECTED: Readonly<Record<keyof TaggerTrainOptions, Expectation>> = {
  epochs: wholeNumber(1),
  seed: WHOLE_NUMBER,
  prune: number(0),
  margin: number(0),
  minUpdates: wholeNumber(0),
  wordDropout: number(0),
  featureDropout: number(0, 1),
  members: wholeNumber(1),
  mostWeights: wholeNumber(1),
  guesses: FUNCTION,
  guesser: having("what guesses tags", "guesses"),
  onEpoch: FUNCTION,
};

/**
 * Train a tagger.
 * @param sentences words with tags
 * @param options epochs, seed and others
 */
export function trainTagger(sentences: Iterable<TaggedSentence>, options: TaggerTrainOptions = {}): TaggerModel {
  checkOptions("trainTagger", options, EXPECTED);
  const { header, examples } = read(checkedList("sentences", sentences, "form", "upos", "xpos", "feats"));
  const { epochs, seed, prune, members } = settingsOf(options);
  const { guesses, guesser } = options;
  if (guesses) for (const example of examples) example.guesses = guesses(example.forms);
  const active = WINDOW + MIXED + (guesses ? GUESSED : 0);
  const folds = foldsOf(examples.length, HINT_FOLDS, seed);
  for (let fold = 0; fold < HINT_FOLDS; fold++) {
    const others = examples.filter((_, e) => folds[e] !== fold);
    if (others.length === 0 || others.length === examples.length) continue;
    const trainer = new Trainer(header, others, options);
    for (let epoch = 1; epoch <= HINT_EPOCHS; epoch++) trainer.run(seed + fold, epoch, true);
    const model = new TaggerModel(header, LinearModel.from(trainer.averages, 0, active));
    const features = new TaggerFeatures(model.classOf);
    examples.forEach((example, e) => {
      if (folds[e] === fold) giveHints(features, model, example);
    });
  }
  const trainers = Array.from({ length: members }, () => new Trainer(header, examples, options));
  const model = () => {
    const averages = meanOf(trainers.map((trainer) => trainer.averages));
    const threshold = thresholdOf(averages, prune, options.mostWeights);
    return new TaggerModel(header, LinearModel.from(averages, threshold, active), guesser);
  };
  for (let epoch = 1; epoch <= epochs; epoch++) {
    trainers.forEach((trainer, member) => {
      trainer.run(memberSeed(seed, member), epoch, false);
    });
    options.onEpoch?.(epoch, model);
  }
  return model();
}

function giveHints(features: TaggerFeatures, { linear, analyses }: TaggerModel, example: Example): void {
  const { forms, hints, guesses } = example;
  const vector = new Int32Array(WINDOW + (guesses ? GUESSED : 0));
  const scores = new Int32Array(analyses.classes);
  features.bind(forms);
  for (let i = 0; i < forms.length; i++) {
    scores.fill(0);
    features.window(i, vector);
    if (guesses) features.guessed(i, guesses, vector, WINDOW);
    linear.score(vector, scores);
    hints[i] = analyses.bestHint(scores);
  }
}

/** Training of both passes with an averaged perceptron. The second pass follows its own predictions, right or wrong. */
class Trainer {
  private readonly analyses: Analyses;
  private readonly features: TaggerFeatures;
  private readonly weights: Weights;
  private readonly random = new Random(0);
  private readonly counts = new Map<string, number>();
  /** The features of the window, those that combine, and those of guesses if there are any. */
  private readonly vector: Int32Array;
  private readonly window: Int32Array;
  private readonly mixed: Int32Array;
  private readonly probed: Int32Array;
  private readonly windowForFeats: Int32Array;
  private readonly mixedForFeats: Int32Array;
  private readonly scores: Int32Array;
  private readonly context: TagContext = { tag1: -1, tag2: -1, analysis1: -1, next1: -1, next2: -1 };
  private readonly settings: Settings;
  private time = 1;

  constructor(
    header: TaggerHeader,
    private readonly examples: readonly Example[],
    options: TaggerTrainOptions,
  ) {
    const active = WINDOW + MIXED + (options.guesses ? GUESSED : 0);
    this.vector = new Int32Array(active);
    this.window = this.vector.subarray(0, WINDOW);
    this.mixed = this.vector.subarray(WINDOW, WINDOW + MIXED);
    this.probed = this.vector.subarray(WINDOW + MIXED);
    this.windowForFeats = this.vector.subarray(0, NARROW_WINDOW);
    this.mixedForFeats = this.vector.subarray(WINDOW, WINDOW + MIXED_FOR_FEATS);
    this.analyses = new Analyses(header);
    this.features = new TaggerFeatures(setsOf(header));
    this.settings = settingsOf(options);
    this.weights = new Weights(this.settings.minUpdates, this.analyses.classes);
    this.scores = new Int32Array(this.analyses.classes);
    for (const { forms } of examples) {
      for (const form of forms) this.counts.set(form, (this.counts.get(form) ?? 0) + 1);
    }
  }

  readonly averages: ForEachWeight = (visit) => this.weights.forEachAverage(this.time, visit);

  run(seed: number, epoch: number, hintsOnly: boolean): void {
    const { random } = this;
    const order = epochOrder(random, seed, epoch, this.examples.length);
    for (const e of order) this.learn(this.examples[e]!, hintsOnly);
  }

  private learn({ forms, analyses: gold, hints, guesses }: Example, hintsOnly: boolean): void {
    const { analyses, features, weights, vector, window, scores, context } = this;
    const { tagOf } = analyses;
    const margin = this.settings.margin * vector.length;
    features.bind(forms);
    this.hide(forms);
    context.tag1 = context.tag2 = context.analysis1 = -1;
    for (let i = 0; i < forms.length; i++) {
      const right = gold[i]!;
      this.time++;
      scores.fill(0);
      features.window(i, vector);
      this.drop(0, WINDOW);
      weights.score(window, scores);
      if (guesses) {
        features.guessed(i, guesses, vector, WINDOW + MIXED);
        this.drop(WINDOW + MIXED, vector.length);
        weights.score(this.probed, scores);
      }
      this.learnHint(analyses.hintOf[right]!);
      if (hintsOnly) continue;
      context.next1 = hints[i + 1]!;
      context.next2 = hints[i + 2]!;
      features.mixed(i, context, vector);
      this.drop(WINDOW, WINDOW + MIXED);
      weights.score(this.mixed, scores);
      const analysis = analyses.bestAnalysis(scores, analyses.bestTag(scores));
      this.learnTag(tagOf[right]!, margin);
      this.learnAnalysis(right, margin);
      context.tag2 = context.tag1;
      context.tag1 = tagOf[analysis]!;
      context.analysis1 = analysis;
    }
  }

  private learnHint(gold: number): void {
    const { analyses, scores, window, probed } = this;
    const { tags } = analyses;
    const rival = analyses.bestHint(scores, gold);
    const margin = this.settings.margin * (WINDOW + probed.length);
    if (rival < 0 || scores[tags + gold]! - scores[tags + rival]! > margin) return;
    for (const features of [window, probed]) {
      this.weights.update(features, tags + gold, 1, this.time);
      this.weights.update(features, tags + rival, -1, this.time);
    }
  }

  private learnTag(gold: number, margin: number): void {
    const { scores, weights, vector, time } = this;
    const rival = this.analyses.bestTag(scores, gold);
    if (rival < 0 || scores[gold]! - scores[rival]! > margin) return;
    weights.update(vector, gold, 1, time);
    weights.update(vector, rival, -1, time);
  }

  /** Learn the analysis among those with the same tag. What both have in common is left alone. */
  private learnAnalysis(gold: number, margin: number): void {
    const { analyses, scores } = this;
    const { parts, partsFrom } = analyses;
    const rival = analyses.bestAnalysis(scores, analyses.tagOf[gold]!, gold);
    if (rival < 0 || analyses.score(scores, gold) - analyses.score(scores, rival) > margin) return;
    for (let p = partsFrom[gold]!; p < partsFrom[gold + 1]!; p++) {
      if (!analyses.has(rival, parts[p]!)) this.updatePart(parts[p]!, 1);
    }
    for (let p = partsFrom[rival]!; p < partsFrom[rival + 1]!; p++) {
      if (!analyses.has(gold, parts[p]!)) this.updatePart(parts[p]!, -1);
    }
  }

  private updatePart(part: number, change: number): void {
    this.weights.update(this.windowForFeats, part, change, this.time);
    this.weights.update(this.mixedForFeats, part, change, this.time);
    this.weights.update(this.probed, part, change, this.time);
  }

  private hide(forms: readonly string[]): void {
    const { wordDropout } = this.settings;
    for (let i = 0; i < forms.length; i++) {
      if (this.random.next() * (wordDropout + this.counts.get(forms[i]!)!) < wordDropout)
        this.features.hide(i, forms[i]!);
    }
  }

  private drop(from: number, end: number): void {
    const { featureDropout } = this.settings;
    for (let f = from; f < end; f++) if (this.random.next() < featureDropout) this.vector[f] = NO_FEATURE;
  }
}

/** The header of the tagger, and the training sentences in its numbers. */
function read(sentences: Iterable<TaggedSentence>): { header: TaggerHeader; examples: Example[] } {
  const upos = new Numbers();
  const xpos = new Numbers();
  const feats = new Numbers();
  const triples = new Numbers();
  const pairs = new Set<string>();
  const values: [number, number, number][] = [];
  const examples: Example[] = [];
  for (const sentence of sentences) {
    const { length } = sentence;
    if (length === 0) continue;
    const forms: string[] = [];
    const analyses = new Int32Array(length);
    for (let i = 1; i <= length; i++) {
      forms.push(sentence.form(i));
      const u = upos.of(sentence.upos(i));
      const x = xpos.of(sentence.xpos(i));
      const f = feats.of(sentence.feats(i));
      const triple = triples.of(`${u} ${x} ${f}`);
      if (triple === values.length) {
        values.push([u, x, f]);
        pairs.add(`${u} ${x}`);
      }
      analyses[i - 1] = triple;
    }
    examples.push({ forms, analyses, hints: new Int32Array(length + 2).fill(-1), guesses: undefined });
  }
  if (examples.length === 0) throw new RangeError("no sentences to train a tagger on");
  // Analyses in the order of their tags.
  const joint = pairs.size <= MOST_TAGS;
  const order = values.map((_, k) => k);
  order.sort((a, b) => {
    const [v, w] = [values[a]!, values[b]!];
    return v[0] - w[0] || v[1] - w[1] || v[2] - w[2];
  });
  const place = new Int32Array(values.length);
  const tags = new Numbers();
  const analyses = order.map((k, a): TaggerHeader["analyses"][number] => {
    place[k] = a;
    const [u, x, f] = values[k]!;
    return [tags.of(joint ? `${u} ${x}` : `${u}`), u, x, f];
  });
  for (const example of examples) {
    for (let i = 0; i < example.analyses.length; i++) example.analyses[i] = place[example.analyses[i]!]!;
  }
  const words = wordsByTags(examples, analyses);
  return { header: { upos: upos.names, xpos: xpos.names, feats: feats.names, analyses, words }, examples };
}

function wordsByTags(examples: readonly Example[], analyses: TaggerHeader["analyses"]): string[][] {
  const counts = new Map<string, Map<number, number>>();
  for (const example of examples) {
    example.forms.forEach((form, i) => {
      const lower = form.toLowerCase();
      const tag = analyses[example.analyses[i]!]![0];
      const tags = counts.get(lower) ?? new Map<number, number>();
      counts.set(lower, tags.set(tag, (tags.get(tag) ?? 0) + 1));
    });
  }
  const sets = new Numbers();
  const words: string[][] = [];
  for (const [word, tags] of counts) {
    let total = 0;
    for (const count of tags.values()) total += count;
    if (total < FREQUENT) continue;
    const common = [...tags].filter(([, count]) => count >= LEAST_SHARE * total);
    common.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const set = sets.of(
      common
        .slice(0, MOST_IN_SET)
        .map(([tag]) => tag)
        .join(" "),
    );
    (words[set] ??= []).push(word);
  }
  return words;
}

/** Numbers for strings, in the order in which they come up. */
class Numbers {
  readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();

  of(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.names.length;
      this.numbers.set(name, number);
      this.names.push(name);
    }
    return number;
  }
}
