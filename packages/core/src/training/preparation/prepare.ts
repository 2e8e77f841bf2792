import { checkRequired, type Expectation, WHOLE_NUMBER, wholeNumber } from "../../checks/options.js";
import { checkedList, holding, OBJECT } from "../../checks/shapes.js";
import type { EncodedTreebank } from "../../encoder/learning/encoded-treebank.js";
import { EndProbe } from "../../encoder/probe/encoder-probes.js";
import type { StoredProbe } from "../../encoder/probe/probe-data.js";
import { type JointOptions, jointTagging } from "../../joint-tagging/candidate-finder.js";
import type { JointTagging } from "../../joint-tagging/joint-header.js";
import type { TreebankSentence } from "../../learning/examples.js";
import { NETWORK_OPTIONS, TREEBANK_SENTENCE } from "../../learning/option-checks.js";
import { copiesOf } from "../../learning/silver.js";
import { type LemmatizerHeader, LemmatizerModel } from "../../pipeline/lemmatizer/lemmatizer.js";
import { type SegmenterHeader, SegmenterModel } from "../../pipeline/segmenter/segmenter-model.js";
import type { TaggerHeader } from "../../pipeline/tagger/tagger-header.js";
import { TaggerModel } from "../../pipeline/tagger/tagger-model.js";
import { LinearModel } from "../../scoring/linear/linear-model.js";
import type { Entries } from "../../scoring/linear/quantized-weights.js";
import type { Sentence } from "../../treebank/sentence/sentence.js";
import { trainLemmatizer } from "../lemmatizer/lemmatizer-training.js";
import { trainSegmenter } from "../segmenter/segmenter-training.js";
import { type TrainedGuesser, tagProbeSteps } from "../tagger/tag-probe-training.js";
import { trainTagger } from "../tagger/tagger-training.js";
import { jackknifeSteps, predictTags } from "./jackknife.js";

/**
 * Folds for predicting the tags of the training data. More make the tags more like those of new text, and take longer.
 */
export const FOLDS = 5;

/**
 * Silver sentences for one of the treebank that a segmenter learns from: where another one has put the ends is no
 * better than where it would put them itself, and with several times as many it got worse on English.
 */
const SEGMENTED = 0.25;
/** They are taken so many at a time, from everywhere. */
const NEIGHBOURS = 20;

/** Options of `preparePipeline`. */
export interface PrepareOptions {
  seed: number;
  /** Folds for predicting the tags of the training data. */
  folds: number;
  /** Taggers with different seeds whose weights are averaged; 1 if not given. */
  members?: number | undefined;
  /** How many weights each part has at most, the largest ones; no limit if not given. */
  partWeights?: number | undefined;
  /** Let the parser choose tags. */
  joint?: JointOptions | undefined;
  /** Sentences that a parser has annotated, to be learned from as well. */
  silver?: SilverSentences | undefined;
  /** The output of an encoder for the sentences: the segmenter and the tagger then use the encoder too. */
  encoded?: EncodedTreebank | undefined;
}

/** Sentences that a parser has annotated, and their trees in the same order, in which words may lack a head. */
export interface SilverSentences {
  readonly sentences: readonly Sentence[];
  readonly trees: readonly TreebankSentence[];
}

/** A model that was trained on the way, as plain data that can be kept. */
export interface KeptModel {
  readonly header: unknown;
  readonly entries: Entries;
  /** The probe of a segmenter with an encoder. */
  readonly probe?: StoredProbe | undefined;
}

/** One of the models that are trained before the parser: about to be trained, or, with `model`, done. */
export interface PreparationStep {
  /** "tagger", "fold 2 of 5: tagger", … */
  readonly name: string;
  /** Its number, from 1, and how many there are. */
  readonly number: number;
  readonly of: number;
  readonly model?: KeptModel;
}

/**
 * Everything before the parser, trained, and the parser's training data: with tags like those that it will see, and
 * with gold tags.
 */
export interface PreparedPipeline {
  segmenter: SegmenterModel;
  tagger: TaggerModel;
  lemmatizer: LemmatizerModel;
  sentences: TreebankSentence[];
  /** The silver data with predicted tags. */
  silver: TreebankSentence[];
  /** Joint tagging: what the parser's training needs as its option of that name. */
  joint?: JointTagging | undefined;
  /** Sentences that were not trained on, with predicted tags. */
  predicted(sentences: Iterable<TreebankSentence>): TreebankSentence[];
}

const EXPECTED: Readonly<Record<keyof PrepareOptions, Expectation>> = {
  seed: WHOLE_NUMBER,
  folds: wholeNumber(1),
  members: wholeNumber(1),
  partWeights: wholeNumber(1),
  joint: OBJECT,
  silver: holding("sentences and their trees", "sentences", "trees"),
  encoded: NETWORK_OPTIONS.contextual,
};

/** Trains the parts of a pipeline that come before its parser. */
export function preparePipeline(sentences: readonly Sentence[], options: PrepareOptions): PreparedPipeline {
  const given = checkedList("sentences", sentences, ...TREEBANK_SENTENCE);
  checkRequired("preparePipeline", options, EXPECTED, ["seed", "folds"]);
  const steps = preparationSteps(given, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * The same step by step: each model is told of before and after it is trained. What `kept` gives by the name of a step
 * is not trained again; it must come from a preparation with the same data and options.
 */
export function* preparationSteps(
  sentences: readonly Sentence[],
  options: PrepareOptions,
  kept: (name: string) => KeptModel | undefined = () => undefined,
): Generator<PreparationStep, PreparedPipeline, void> {
  const { seed, members, partWeights: mostWeights, silver = { sentences: [], trees: [] } } = options;
  const all: readonly TreebankSentence[] = [...sentences, ...silver.trees];
  const folds = Math.min(options.folds, all.length);
  const of = 3 + (folds > 1 ? 2 * folds : 0);
  let number = 0;
  /** Probes are not kept: training them again takes less time than the rest. */
  function* probed(encoded: EncodedTreebank): Generator<PreparationStep, TrainedGuesser, void> {
    const steps = tagProbeSteps(sentences, encoded, seed, silver.trees);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      yield { name: value, number: number + 1, of };
    }
  }
  function* trained<Model extends { header: unknown; linear: LinearModel }>(
    name: string,
    make: (header: never, linear: LinearModel, probe?: StoredProbe) => Model,
    train: () => Model,
  ): Generator<PreparationStep, Model, void> {
    const step = { name, number: ++number, of };
    const known = kept(name);
    const linear = known && LinearModel.build(known.entries);
    if (linear) return make(known.header as never, linear, known.probe);
    yield step;
    const model = train();
    const { header, linear: learned } = model;
    const probe = model instanceof SegmenterModel ? (model.guesser as EndProbe | undefined) : undefined;
    yield {
      ...step,
      model: {
        header,
        entries: learned.entries(),
        ...(probe ? { probe: { header: probe.header, numbers: probe.numbers } } : {}),
      },
    };
    return model;
  }
  const segmenterModel = (header: SegmenterHeader, linear: LinearModel, probe?: StoredProbe) =>
    new SegmenterModel(header, linear, probe && new EndProbe(probe, options.encoded!.contextual));
  const lemmatizerModel = (header: LemmatizerHeader, linear: LinearModel) => new LemmatizerModel(header, linear);
  const segmenter = yield* trained("segmenter", segmenterModel, () =>
    trainSegmenter(once(sentences), {
      seed,
      mostWeights,
      silver: withSpaces(once(silver.sentences), once(sentences).length),
      encoder: options.encoded?.encoder,
    }),
  );
  const probe = options.encoded && (yield* probed(options.encoded));
  const taggerModel = (header: TaggerHeader, linear: LinearModel) => new TaggerModel(header, linear, probe?.guesser);
  const tagger = yield* trained("tagger", taggerModel, () =>
    trainTagger(all, { seed, members, mostWeights, ...probe }),
  );
  const lemmatizer = yield* trained("lemmatizer", lemmatizerModel, () => trainLemmatizer(all, { seed, mostWeights }));
  const joint = options.joint && { ...options.joint, tagger };
  const taggedBy = { seed, joint, tagger: { mostWeights, ...probe }, lemmatizer: { mostWeights } };
  const tagged =
    folds > 1
      ? yield* jackknifeSteps<PreparationStep>(all, folds, taggedBy, function* (fold, train) {
          const name = `fold ${fold + 1} of ${folds}`;
          return {
            tagger: yield* trained(`${name}: tagger`, taggerModel, train.tagger),
            lemmatizer: yield* trained(`${name}: lemmatizer`, lemmatizerModel, train.lemmatizer),
          };
        })
      : predictTags(all, tagger, lemmatizer, joint, probe?.guesses);
  const gold = tagged.slice(0, sentences.length);
  return {
    segmenter,
    tagger,
    lemmatizer,
    // With gold tags as well: the parser learns more from words whose tags are right, and loses nothing on the others.
    // Where it chooses tags alone, it was meant to see the tagger's only.
    sentences: joint && !joint.morphology ? gold : [...gold, ...sentences],
    // Their own tags are predicted, too: there would be nothing to gain from having them twice.
    silver: tagged.slice(sentences.length),
    joint: options.joint && jointTagging(tagger, options.joint),
    predicted: (others) => predictTags(others, tagger, lemmatizer, joint),
  };
}

/** A segmenter reads text, in which no sentence stands twice in a row, however much it counts elsewhere. */
function once(sentences: readonly Sentence[]): readonly Sentence[] {
  return sentences.filter((sentence, i) => sentence !== sentences[i - 1]);
}

/**
 * Silver sentences for a segmenter: none if they were parsed from tokens, between which nothing says whether there is a
 * space, and not many for each of the treebank.
 */
export function withSpaces(sentences: readonly Sentence[], gold: number): readonly Sentence[] {
  if (!sentences.some((sentence) => sentence.toString().includes("SpaceAfter=No"))) return [];
  const share = (SEGMENTED * gold) / sentences.length;
  // Neighbours stay together: what a segmenter sees is text.
  return sentences.filter((_, i) => copiesOf(Math.floor(i / NEIGHBOURS), Math.min(1, share)) > 0);
}
