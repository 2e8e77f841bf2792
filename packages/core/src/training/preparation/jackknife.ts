import { check, checkOptions, type Expectation, FUNCTION, WHOLE_NUMBER } from "../../checks/options.js";
import { checkedList, holding, OBJECT } from "../../checks/shapes.js";
import type { WordAttribute } from "../../features/columns.js";
import {
  CandidateFinder,
  choiceNumbers,
  type JointOptions,
  tagKey,
  tagNumbers,
} from "../../joint-tagging/candidate-finder.js";
import { CandidateTagger } from "../../joint-tagging/candidate-tagger.js";
import type { JointSentence } from "../../joint-tagging/joint-words.js";
import { TagChoices } from "../../joint-tagging/tag-choices.js";
import type { TreebankSentence } from "../../learning/examples.js";
import { TREEBANK_SENTENCE } from "../../learning/option-checks.js";
import { Lemmatizer, type LemmatizerModel } from "../../pipeline/lemmatizer/lemmatizer.js";
import type { TagGuesses } from "../../pipeline/tagger/tag-guesser.js";
import { Tagger } from "../../pipeline/tagger/tagger.js";
import type { TaggerModel } from "../../pipeline/tagger/tagger-model.js";
import { type LemmatizerTrainOptions, trainLemmatizer } from "../lemmatizer/lemmatizer-training.js";
import { type TaggerTrainOptions, trainTagger } from "../tagger/tagger-training.js";
import { foldsOf } from "./folds.js";

/** Epochs of the taggers: half as many as for the one that is kept cost about 0.1 % of accuracy. */
const EPOCHS = 5;

/** Options of `jackknife` and `predictTags`. */
export interface JackknifeOptions {
  /** Where random numbers begin; the same seed gives the same result. */
  seed?: number | undefined;
  /** How the taggers of the folds are trained. */
  tagger?: TaggerTrainOptions | undefined;
  /** How the lemmatizers of the folds are trained. */
  lemmatizer?: LemmatizerTrainOptions | undefined;
  /** Joint tagging: candidates for each word, with the numbers that `tagger` has for the tags. */
  joint?: (JointOptions & { tagger: TaggerModel }) | undefined;
  /** Called when a fold is done, with the numbers of its sentences. */
  onFold?: ((fold: number, sentences: readonly number[]) => void) | undefined;
}

/** Trains the tagger and the lemmatizer of a fold, or brings them from where they were kept. */
export type FoldModels<Step> = (
  fold: number,
  train: { tagger(): TaggerModel; lemmatizer(): LemmatizerModel },
) => Generator<Step, { tagger: TaggerModel; lemmatizer: LemmatizerModel }, void>;

/**
 * A sentence with its own tree and forms, and the tags and lemmas that models predict; with `choices` the tags are the
 * chosen ones.
 * @opaque
 */
export class PredictedSentence implements TreebankSentence, JointSentence {
  /** How many words it has. */
  readonly length: number;
  /** The head of each word, 0 for the root; index 0 is unused. */
  readonly heads: ArrayLike<number>;
  readonly choices: TagChoices | undefined;
  readonly rightChoices: Int32Array | undefined;
  private readonly analyses: Int32Array;
  private readonly lemmas: string[] = [];

  constructor(
    private readonly gold: TreebankSentence,
    private readonly tagger: TaggerModel,
    tag: Tagger,
    lemmatizer: Lemmatizer | undefined,
    isRight?: IsRightCandidate | undefined,
    /** Gives the lemmas of analyses that are chosen, where whole analyses are. */
    private readonly chosenLemmas?: Lemmatizer | undefined,
  ) {
    this.length = gold.length;
    this.heads = gold.heads;
    const forms: string[] = [];
    for (let i = 1; i <= gold.length; i++) forms.push(gold.form(i));
    if (tag instanceof CandidateTagger) {
      tag.choices = new TagChoices();
      this.choices = tag.choices;
    }
    tag.tag(forms);
    this.analyses = new Int32Array(gold.length + 1);
    for (let i = 1; i <= gold.length; i++) {
      this.analyses[i] = tag.analysis(i - 1);
      if (lemmatizer) this.lemmas[i] = lemmatizer.lemma(forms[i - 1]!, this.upos(i), this.xpos(i), this.feats(i));
    }
    if (this.choices && isRight) this.rightChoices = rightOf(gold, this.choices, isRight);
  }

  form(i: number): string {
    return this.gold.form(i);
  }
  deprel(i: number): string {
    return this.gold.deprel(i);
  }
  lemma(i: number): string {
    const isChanged = this.analysis(i) !== this.analyses[i];
    if (!isChanged || !this.chosenLemmas) return this.lemmas[i] ?? "_";
    return this.chosenLemmas.lemma(this.form(i), this.upos(i), this.xpos(i), this.feats(i));
  }
  upos(i: number): string {
    const { header } = this.tagger;
    return header.upos[header.analyses[this.analysis(i)]![1]]!;
  }
  xpos(i: number): string {
    const { header } = this.tagger;
    return header.xpos[header.analyses[this.analysis(i)]![2]]!;
  }
  feats(i: number): string {
    const { header } = this.tagger;
    return header.feats[header.analyses[this.analysis(i)]![3]]!;
  }
  value(attribute: WordAttribute, i: number): number | undefined {
    return attribute === "rivals" ? this.choices?.rivals(i) : undefined;
  }
  private analysis(i: number): number {
    return this.choices ? this.choices.analysis(i) : this.analyses[i]!;
  }
}

const EXPECTED: Readonly<Record<keyof JackknifeOptions, Expectation>> = {
  seed: WHOLE_NUMBER,
  tagger: OBJECT,
  lemmatizer: OBJECT,
  joint: OBJECT,
  onFold: FUNCTION,
};

/**
 * The sentences with the tags and lemmas that models predict, in the same order. `guesses` take the place of those of
 * the tagger's probe: for sentences that it was trained on.
 */
export function predictTags(
  sentences: Iterable<TreebankSentence>,
  tagger: TaggerModel,
  lemmatizer?: LemmatizerModel | undefined,
  joint?: JackknifeOptions["joint"],
  guesses?: TagGuesses | undefined,
): PredictedSentence[] {
  const given = checkedList("sentences", sentences, ...TREEBANK_SENTENCE);
  if (guesses !== undefined) check("guesses", guesses, FUNCTION);
  const lemmas = lemmatizer === undefined ? undefined : new Lemmatizer(lemmatizer);
  if (joint !== undefined)
    check("joint", joint, holding("a tagger, perWord and margin", "tagger", "perWord", "margin"));
  const finder = joint && new CandidateFinder(tagger, joint, choiceNumbers(tagger, joint.tagger));
  const tag = finder ? new CandidateTagger(tagger, finder, guesses) : new Tagger(tagger, false, guesses);
  const isRight = joint && rightness(tagger, joint);
  const chosenLemmas = joint?.morphology ? lemmas : undefined;
  return given.map((sentence) => new PredictedSentence(sentence, tagger, tag, lemmas, isRight, chosenLemmas));
}

/** Whether a candidate is right for a word of a sentence with gold tags. */
export type IsRightCandidate = (
  gold: TreebankSentence,
  word: number,
  choices: TagChoices,
  candidate: number,
) => boolean;

/** The right candidate: the tag, or, where whole analyses are candidates, all of UPOS, XPOS and FEATS. */
function rightness({ header }: TaggerModel, joint: NonNullable<JackknifeOptions["joint"]>): IsRightCandidate {
  const numbers = tagNumbers(joint.tagger.header);
  const { analyses, feats } = header;
  return (gold, i, choices, k) => {
    if (choices.tags[k] !== numbers.get(tagKey(gold.upos(i), gold.xpos(i)))) return false;
    const [, , xpos, values] = analyses[choices.analyses[k]!]!;
    // A tag may be UPOS alone.
    return !joint.morphology || (feats[values] === gold.feats(i) && header.xpos[xpos] === gold.xpos(i));
  };
}

/** The right candidates of the words of a sentence, -1 for those that have none. */
function rightOf(gold: TreebankSentence, choices: TagChoices, isRight: IsRightCandidate): Int32Array {
  const right = new Int32Array(gold.length + 1).fill(-1);
  for (let i = 1; i <= gold.length; i++) {
    for (let k = choices.from[i]!; k < choices.from[i + 1]! && right[i]! < 0; k++) {
      if (isRight(gold, i, choices, k)) right[i] = k;
    }
  }
  return right;
}

/**
 * Give every sentence tags and lemmas by a tagger and a lemmatizer trained on the other k − 1 folds, so that a parser
 * is trained on tags like those that it will see. Neighbouring sentences are in one fold, since a model that knows the
 * rest of a text does better on it than on a new one.
 * @param sentences the sentences to tag
 * @param k the number of folds
 * @param options of the taggers and lemmatizers, and the seed
 */
export function jackknife(
  sentences: readonly TreebankSentence[],
  k: number,
  options: JackknifeOptions = {},
): PredictedSentence[] {
  checkOptions("jackknife", options, EXPECTED);
  checkedList("sentences", sentences, ...TREEBANK_SENTENCE);
  const steps = jackknifeSteps<number>(sentences, k, options, function* (fold, train) {
    yield fold;
    return { tagger: train.tagger(), lemmatizer: train.lemmatizer() };
  });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same in steps: what `models` gives in between is passed on. */
export function* jackknifeSteps<Step>(
  sentences: readonly TreebankSentence[],
  k: number,
  options: JackknifeOptions,
  models: FoldModels<Step>,
): Generator<Step, PredictedSentence[], void> {
  if (sentences.length < k)
    throw new RangeError(`invalid number of folds: ${k} (there are ${sentences.length} sentences)`);
  const seed = options.seed ?? 1;
  const folds = foldsOf(sentences.length, k, seed);
  const predicted = new Array<PredictedSentence>(sentences.length);
  for (let fold = 0; fold < k; fold++) {
    const others = sentences.filter((_, i) => folds[i] !== fold);
    const own = Array.from(sentences.keys()).filter((i) => folds[i] === fold);
    const { tagger, lemmatizer } = yield* models(fold, {
      tagger: () => trainTagger(others, { epochs: EPOCHS, seed, ...options.tagger }),
      lemmatizer: () => trainLemmatizer(others, { seed, ...options.lemmatizer }),
    });
    predictTags(
      own.map((i) => sentences[i]!),
      tagger,
      lemmatizer,
      options.joint,
      options.tagger?.guesses,
    ).forEach((sentence, j) => {
      predicted[own[j]!] = sentence;
    });
    options.onFold?.(fold, own);
  }
  return predicted;
}
