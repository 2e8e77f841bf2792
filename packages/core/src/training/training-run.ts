import {
  ARRAY,
  check,
  checkRequired,
  type Expectation,
  FUNCTION,
  number,
  TRUE_OR_FALSE,
  WHOLE_NUMBER,
  wholeNumber,
} from "../checks/options.js";
import { arrayOf, checkedList, holding, OBJECT } from "../checks/shapes.js";
import { trainAttachment } from "../disfluencies/learning/attachment-training.js";
import { DISFLUENCIES } from "../disfluencies/settings.js";
import type { EncodedTreebank } from "../encoder/learning/encoded-treebank.js";
import type { ArcState } from "../graph/learning/arc-training.js";
import { choosesTags, MORPHOLOGY, TAGS } from "../joint-tagging/learning/settings.js";
import { readExamples, type TrainingData, type TreebankSentence } from "../learning/examples.js";
import { fitConfidence } from "../learning/fit-confidence.js";
import type { NeuralState, RunLanes } from "../learning/network/neural-training.js";
import { NETWORK_OPTIONS, TREEBANK_SENTENCE } from "../learning/option-checks.js";
import { type Silver, weighSilver } from "../learning/silver.js";
import { attachment, type TrainingState } from "../learning/training.js";
import type { WordVectors } from "../learning/vectors.js";
import type { LaterPart } from "../parser/tree-parser.js";
import { PipelineModel } from "../pipeline/pipeline-model.js";
import { createSystem } from "../registry/systems.js";
import { needPredicates } from "../roles/learning/role-steps.js";
import { ROLES } from "../roles/learning/settings.js";
import type { PredicateData } from "../treebank/sentence/semantics/predicate-data.js";
import type { Sentence } from "../treebank/sentence/sentence.js";
import type { GivenTemplates } from "./learner-options.js";
import { checkLearner, createTraining, type ParserTraining } from "./parser-training.js";
import {
  type KeptModel,
  type PreparationStep,
  type PreparedPipeline,
  preparationSteps,
} from "./preparation/prepare.js";
import type { CompleteSettings } from "./settings.js";

/** The result of an epoch, in percent; without development data there are no scores. */
export interface EpochScore {
  /** Its number, from 1. */
  epoch: number;
  /** Words with the right head, in percent. */
  uas?: number;
  /** Words with the right head and label, in percent. */
  las?: number;
  /** If roles are decided along with the tree: the labelled F1 of semantic dependencies, senses included. */
  labelled?: number;
}

/** The origin that a model is to state, beside what the training knows by itself. */
export interface TrainingOrigin {
  treebank?: { readonly name?: string | undefined; readonly sha256?: string | undefined } | undefined;
  dev?: { readonly name?: string | undefined } | undefined;
  silver?: { readonly name?: string | undefined; readonly sha256?: string | undefined } | undefined;
  /** Name of the feature templates. */
  templates?: string | undefined;
  vectors?: { readonly name?: string; readonly sha256?: string; readonly words?: number } | undefined;
  encoder?: { readonly name?: string; readonly sha256?: string; readonly layers?: number } | undefined;
  /** Of the training data. */
  licence?: string | undefined;
  /** Of the training data: its code, such as "de". */
  language?: string | undefined;
}

/** The silver data that is learned from. */
export interface SilverData extends TrainingData {
  /** Sentences that were left out because their mean score is too low. */
  doubtful: number;
}

/** A training and its data, with nothing left open. */
export interface RunRequest {
  sentences: readonly Sentence[];
  dev?: readonly Sentence[] | undefined;
  /** Sentences that a parser has annotated, to be learned from as well. */
  silver?: readonly Sentence[] | undefined;
  settings: CompleteSettings;
  templates?: GivenTemplates | undefined;
  vectors?: WordVectors | undefined;
  /** The output of an encoder for the sentences. */
  encoded?: EncodedTreebank | undefined;
  origin?: TrainingOrigin | undefined;
  /** Threads that will share the memory of a network; the result is the same for every number. */
  threads?: number | undefined;
  /** Whether only the scores of epochs are wanted, and no model. */
  onlyScores?: boolean | undefined;
}

const PERCENT = number(0, 100);
const EPOCH_SCORE: Readonly<Record<keyof EpochScore, Expectation>> = {
  epoch: WHOLE_NUMBER,
  uas: PERCENT,
  las: PERCENT,
  labelled: PERCENT,
};
const EXPECTED: Readonly<Record<keyof RunRequest, Expectation>> = {
  sentences: ARRAY,
  dev: ARRAY,
  silver: ARRAY,
  settings: holding("settings as completeSettings gives them", "system", "epochs", "seed"),
  templates: holding("feature templates as {text, source}", "text", "source"),
  vectors: NETWORK_OPTIONS.vectors,
  encoded: NETWORK_OPTIONS.contextual,
  origin: OBJECT,
  threads: wholeNumber(1),
  onlyScores: TRUE_OR_FALSE,
};

/**
 * A training step by step, which `train` and `stemma train` share: first what a pipeline has before its parser, each
 * model before and after it is trained, then, as the result, the run of epochs. What `kept` gives is not trained again.
 */
export function trainingSteps(
  request: RunRequest,
  kept?: (name: string) => KeptModel | undefined,
): Generator<PreparationStep, TrainingRun, void> {
  checkRequired("trainingSteps", request, EXPECTED, ["sentences", "settings"]);
  checkedList("sentences", request.sentences, ...TREEBANK_SENTENCE);
  if (request.dev !== undefined) checkedList("dev", request.dev, ...TREEBANK_SENTENCE);
  if (request.silver !== undefined) checkedList("silver", request.silver, ...TREEBANK_SENTENCE, "misc", "score");
  if (kept !== undefined) check("kept", kept, FUNCTION);
  return stepsOf(request, kept);
}

function* stepsOf(
  given: RunRequest,
  kept: ((name: string) => KeptModel | undefined) | undefined,
): Generator<PreparationStep, TrainingRun, void> {
  const request = { ...given, sentences: shortEnough(given) };
  // Said before hours are spent on the parser, or on what comes before it.
  checkLearner(request.settings, request.templates);
  if (request.settings.roles) needPredicates(request.sentences);
  const { pipeline, seed, folds, partWeights, members = 1, joint, tagsPerWord, tagMargin } = request.settings;
  const morphology = joint === MORPHOLOGY ? { morphology: true } : {};
  const tags = choosesTags({ joint }) ? { perWord: tagsPerWord!, margin: tagMargin!, ...morphology } : undefined;
  const silver = silverOf(request);
  const prepared = pipeline
    ? yield* preparationSteps(
        request.sentences,
        { seed, folds: folds!, members, partWeights, joint: tags, silver, encoded: request.encoded },
        kept,
      )
    : undefined;
  return new TrainingRun(request, prepared, silver, given.sentences.length - request.sentences.length);
}

/** The sentences without those that are too long. */
function shortEnough({
  sentences,
  settings: { maxLength = Number.POSITIVE_INFINITY },
}: RunRequest): readonly Sentence[] {
  const left = sentences.filter(({ length }) => length <= maxLength);
  if (left.length > 0 || sentences.length === 0) return left;
  throw new RangeError(
    `no sentences to train on: all ${sentences.length} have more than ${maxLength} words (expected a higher maxLength)`,
  );
}

/** The silver data that is learned from. */
function silverOf({ silver, settings }: RunRequest): Silver | undefined {
  if (silver === undefined) return undefined;
  const { silverWeight, silverConfidence, oracle } = settings;
  const how = { weight: silverWeight!, confidence: silverConfidence!, partial: oracle === "dynamic" };
  return weighSilver(silver, how);
}

/** How many heads, and how many heads with their labels, are right in each sentence. */
export interface Counts {
  uas: number[];
  las: number[];
  /** Of each word whether its head is right (1), and its label, too (2); index 0 is unused. */
  right: Uint8Array[];
}

/** The outcome of an epoch. */
export interface EpochResult {
  score: EpochScore;
  /** If there is something to test on: for each sentence. */
  counts?: Counts;
  /** Given if it is the best so far. */
  model?: PipelineModel;
}

/** The epochs of a training, each tested on the development data as soon as it is over. */
export class TrainingRun {
  readonly training: ParserTraining;
  readonly settings: CompleteSettings;
  /** The development data as the parser sees it. */
  readonly test: readonly TreebankSentence[] | undefined;
  /** The training data without silver, each sentence counted once. */
  readonly data: TrainingData & { tooLong?: number };
  /** The sentences that are trained on. */
  readonly sentences: readonly Sentence[];
  /** The silver data that is learned from. */
  readonly silverData: SilverData | undefined;
  readonly scores: EpochScore[] = [];
  best: EpochScore | undefined;
  private readonly epochs: number;
  private readonly onlyScores: boolean;
  private readonly origin: object;
  private readonly devName: string | undefined;
  private later: readonly LaterPart[] | undefined;

  constructor(
    { sentences, dev, settings, templates, vectors, encoded, origin = {}, threads, onlyScores = false }: RunRequest,
    readonly prepared: PreparedPipeline | undefined,
    silver?: Silver | undefined,
    tooLong = 0,
  ) {
    this.sentences = sentences;
    this.epochs = settings.epochs;
    this.onlyScores = onlyScores;
    this.test = dev && (prepared?.predicted(dev) ?? dev);
    this.settings = settings;
    const { joint } = settings;
    const gold: readonly TreebankSentence[] = prepared?.sentences ?? sentences;
    const data = silver ? [...gold, ...(prepared?.silver ?? silver.trees)] : gold;
    const inputs = { vectors, encoded, threads };
    // The sentences of a pipeline are there twice, in the same order.
    const annotated = new Map(data.map((sentence, k) => [sentence, sentences[k % sentences.length]!]));
    for (const [k, sentence] of (this.test ?? []).entries()) annotated.set(sentence, dev![k]!);
    this.training = createTraining(
      ...([data, settings, templates, prepared?.joint, inputs] as const),
      joint === ROLES ? (sentence) => predicatesOf(annotated.get(sentence)!) : undefined,
    );
    this.silverData = silver && { ...countOf(silver.trees, settings), doubtful: silver.doubtful };
    // Each sentence of a pipeline is there with predicted and with gold tags.
    const copies = prepared && joint !== TAGS ? 2 : 1;
    const counts = countedOnce(this.training.data, this.silverData, copies);
    this.data = tooLong > 0 ? { ...counts, tooLong } : counts;
    this.devName = origin.dev?.name;
    this.origin = {
      program: "stemma",
      treebank: { ...origin.treebank, ...this.data },
      ...(this.silverData ? { silver: { ...origin.silver, ...this.silverData } } : {}),
      options: {
        ...settings,
        ...(templates ? { features: origin.templates ?? templates.source } : {}),
        ...(origin.vectors ? { vectors: origin.vectors } : {}),
        ...(encoded ? { encoder: { ...origin.encoder, layers: encoded.encoder.header.layers } } : {}),
      },
      licence: origin.licence,
      ...(origin.language === undefined ? {} : { language: origin.language }),
    };
  }

  /** The parts after the parser that do not depend on it. */
  private laterParts(): readonly LaterPart[] {
    const { joint, seed } = this.settings;
    const sentences = this.prepared?.sentences ?? this.sentences;
    const attachment = joint === DISFLUENCIES ? trainAttachment(sentences, seed) : undefined;
    return attachment ? [attachment] : [];
  }

  /** Whether all epochs are there. */
  get isOver(): boolean {
    return this.training.epoch >= this.epochs;
  }

  /** Takes up a run with the same data and settings where it was left. */
  resume(
    state: TrainingState | NeuralState | ArcState,
    scores: readonly EpochScore[],
    best: EpochScore | undefined,
  ): void {
    check("scores", scores, arrayOf("an array of the scores of epochs", OBJECT));
    if (best !== undefined) checkRequired("the best epoch", best, EPOCH_SCORE, ["epoch"]);
    this.training.restore(state as never);
    this.scores.push(...scores);
    this.best = best;
  }

  /**
   * Runs an epoch, in steps that give how many words are done, and tests it. The model is given if it is better than
   * the best before, or if there is nothing to test on and this is the last.
   */
  epoch(runLanes?: RunLanes): Generator<number, EpochResult, void> {
    if (runLanes !== undefined) check("runLanes", runLanes, FUNCTION);
    return this.steps(runLanes);
  }

  private *steps(runLanes: RunLanes | undefined): Generator<number, EpochResult, void> {
    const { training, test, isOver } = this;
    if (isOver) throw new RangeError(`all ${this.epochs} epochs are over (expected to be asked for fewer)`);
    yield* training.epochSteps(runLanes);
    const score: EpochScore = { epoch: training.epoch };
    const result: EpochResult = { score };
    this.scores.push(score);
    if (!test && !this.isOver) return result;
    const model = training.model();
    if (test) {
      const counts: Counts = { uas: [], las: [], right: [] };
      const { uas, las } = attachment(model, test, (uas, las, right) => {
        counts.uas.push(uas);
        counts.las.push(las);
        counts.right.push(right);
      });
      result.counts = counts;
      score.uas = percent(uas);
      score.las = percent(las);
      Object.assign(score, training.measure?.(model, test));
      if (this.onlyScores || (this.best && rank(score) <= rank(this.best))) return result;
      if (!model.limits.scores) model.header.confidence = fitConfidence(model, test);
    }
    this.best = score;
    const origin = { ...this.origin, ...(test ? { dev: { name: this.devName, ...score } } : {}) };
    Object.assign(model.header.origin, JSON.parse(JSON.stringify(origin)));
    const { segmenter, tagger, lemmatizer } = this.prepared ?? {};
    this.later ??= this.laterParts();
    return {
      ...result,
      model: new PipelineModel({ segmenter, tagger, lemmatizer, parser: model, steps: this.later }),
    };
  }
}

/**
 * The measure by which epochs are compared: with roles the mean of trees and roles, as in the CoNLL-2009 shared task.
 */
function rank({ las = 0, labelled = las }: EpochScore): number {
  return las + labelled;
}

function predicatesOf(sentence: Sentence): PredicateData[] {
  return sentence.predicates.map((predicate) => predicate.toJSON());
}

/** The part that is learned from trees alone. */
function countOf(trees: readonly TreebankSentence[], settings: CompleteSettings): TrainingData {
  const { system, systemSettings, root, oracle, projectivize } = settings;
  return readExamples(trees, createSystem(system, { root, ...systemSettings }), oracle!, projectivize).data;
}

/** The counts of the gold data, of which each sentence is there so many times. */
function countedOnce(all: TrainingData, silver: TrainingData | undefined, copies: number): TrainingData {
  const counts = Object.entries(all).map(([name, count]) => {
    return [name, (count - (silver?.[name as keyof TrainingData] ?? 0)) / copies];
  });
  return Object.fromEntries(counts.filter(([name, count]) => count !== 0 || !OPTIONAL.includes(name as string)));
}

/** Counts that are left out where they are 0. */
const OPTIONAL = ["partial", "severalRoots"];

function percent(share: number): number {
  return Math.round(100 * (100 * share)) / 100;
}
