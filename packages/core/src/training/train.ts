import {
  check,
  checkOptions,
  type Expectation,
  FUNCTION,
  SENTENCES,
  SIGNAL,
  STRING,
  shown,
} from "../checks/options.js";
import { OBJECT } from "../checks/shapes.js";
import type { EncoderData } from "../encoder/encoder-data.js";
import { useEncoder } from "../encoder/encoder-vectors.js";
import { EncodedTreebank, RememberingEncoder } from "../encoder/learning/encoded-treebank.js";
import { addEnhanced } from "../enhanced/learning/add-enhanced.js";
import { needEnhanced } from "../enhanced/learning/enhanced-training.js";
import type { TrainingData } from "../learning/examples.js";
import type { WordVectors } from "../learning/vectors.js";
import { EventLoopPauses } from "../pipeline/event-loop-pauses.js";
import { type AbortSignalLike, throwIfAborted } from "../pipeline/parse-options.js";
import type { PipelineModel } from "../pipeline/pipeline-model.js";
import { type RoleEpoch, roleSteps } from "../roles/learning/role-steps.js";
import { ROLES } from "../roles/learning/settings.js";
import { Sentence } from "../treebank/sentence/sentence.js";
import { plainSentence } from "./preparation/plain-sentence.js";
import type { Preset } from "./presets.js";
import { completeSettings, TRAINING, type TrainingSettings, trainingSettings } from "./settings.js";
import { type EpochScore, type SilverData, type TrainingOrigin, trainingSteps } from "./training-run.js";

/** The training and its data. */
export interface TrainRequest extends TrainingSettings {
  /** The training data. */
  sentences: Iterable<Sentence>;
  /** The development set: the epoch that parses it best is kept; without one, the last epoch. */
  dev?: Iterable<Sentence> | undefined;
  /** Sentences that a parser has annotated, with its scores or without, to be learned from as well. */
  silver?: Iterable<Sentence> | undefined;
  /** A named set of settings; other settings override it. */
  preset?: Preset | undefined;
  /** Your own feature templates. */
  templates?: string | undefined;
  /** Of a network: pre-trained vectors of words, which `VectorReader` reads. */
  vectors?: WordVectors | undefined;
  /** Of a network: a frozen encoder, which `readEncoder` reads. */
  encoder?: EncoderData | undefined;
  /** The origin that the model is to state, beside what the training knows by itself. */
  origin?: TrainingOrigin | undefined;
  /** Called after every epoch; `model` is given if it is the best so far. */
  onEpoch?: ((score: EpochScore, model: PipelineModel | undefined) => void) | undefined;
  /** Stops training when it is aborted; its reason is thrown. */
  signal?: AbortSignalLike | undefined;
}

/** The result of `train`. */
export interface TrainedModel {
  /** The model, ready to parse or to be written. */
  model: PipelineModel;
  /** The epoch that it is from. */
  best: EpochScore;
  /** The scores of each epoch. */
  epochs: EpochScore[];
  /** The training data without silver; `tooLong`: how many sentences were left out for their length. */
  data: TrainingData & { tooLong?: number };
  /** With `roles`, unless they are learned along with the tree: their scores. */
  roles?: RoleEpoch;
  /** The silver data that was learned from. */
  silverData?: SilverData | undefined;
}

const EXPECTED: Readonly<Record<string, Expectation>> = {
  sentences: SENTENCES,
  templates: STRING,
  origin: OBJECT,
  onEpoch: FUNCTION,
  signal: SIGNAL,
  ...TRAINING.settings,
};

const ORIGIN: Readonly<Record<keyof TrainingOrigin, Expectation>> = {
  treebank: OBJECT,
  dev: OBJECT,
  silver: OBJECT,
  templates: STRING,
  vectors: OBJECT,
  encoder: OBJECT,
  licence: STRING,
  language: STRING,
};

/**
 * Trains a parser, or with `pipeline` all parts from text to trees, as `stemma train` does. The event loop runs in
 * between.
 *
 * @param request the sentences and the settings
 * @example
 * ```ts
 * import { Pipeline, readTreebank, writeModel } from "@stemma/core";
 * import { train } from "@stemma/core/training";
 *
 * const conllu = "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\treads\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
 * const { model } = await train({ sentences: readTreebank(conllu.repeat(9)), epochs: 2 });
 * const sentence = new Pipeline(model).parseTokens(["She", "reads"]);
 * console.log(sentence.root.form, writeModel(model).length);
 * ```
 */
export async function train(request: TrainRequest): Promise<TrainedModel> {
  checkOptions("train", request ?? null, EXPECTED);
  const { sentences: given, templates, origin, onEpoch, signal, ...own } = request;
  const { dev, silver: annotated, vectors, encoder } = own;
  checkOptions("origin", origin, ORIGIN);
  if (templates !== undefined && own.features !== undefined) {
    throw new RangeError(`invalid features of train: ${own.features} (expected none beside templates)`);
  }
  // Templates are features that are not a set with a name: the same rules apply.
  const asked = { ...own, features: templates ?? own.features };
  const settings = trainingSettings(completeSettings(asked));
  const pauses = new EventLoopPauses();
  const pause = async () => {
    await pauses.next();
    throwIfAborted(signal);
  };
  throwIfAborted(signal);
  const sentences = listOf("sentences", given);
  const silver = annotated === undefined ? undefined : listOf("silver", annotated);
  const encoded = encoder && (await encodeSentences(encoder, [...sentences, ...(silver ?? [])], pause));
  const steps = trainingSteps({
    sentences,
    dev: dev === undefined ? undefined : listOf("dev", dev),
    silver,
    settings,
    templates: templates === undefined ? undefined : { text: templates, source: "templates" },
    vectors,
    encoded,
    origin,
  });
  if (settings.enhanced) needEnhanced(sentences);
  const run = await inTurns(steps, pause);
  let best: PipelineModel | undefined;
  let roles: RoleEpoch | undefined;
  while (!run.isOver) {
    const { score, model } = await inTurns(run.epoch(), pause);
    if (model) best = model;
    onEpoch?.(score, model);
    await pause();
  }
  if (settings.roles && settings.joint !== ROLES) {
    const { seed, partWeights } = settings;
    const options = { dev: dev && listOf("dev", dev), seed, partWeights };
    const found = await inTurns(roleSteps(best!, run.sentences, options), pause);
    best = found.model;
    roles = found.best;
  }
  if (settings.enhanced) best = addEnhanced(best!, sentences, settings.seed);
  const { best: score, scores: epochs, data, silverData } = run;
  return { model: best!, best: score!, epochs, data, silverData, ...(roles ? { roles } : {}) };
}

/** Vectors of development data that are kept, in bytes, at most. */
const MOST_DEVELOPMENT = 2 ** 29;

async function encodeSentences(
  encoder: EncoderData,
  sentences: readonly Sentence[],
  pause: () => Promise<void>,
): Promise<EncodedTreebank> {
  useEncoder(encoder, new RememberingEncoder(encoder, MOST_DEVELOPMENT));
  const encoded = new EncodedTreebank(encoder, sentences);
  await inTurns(encoded.steps(), pause);
  return encoded;
}

/** The result of steps between which others get their turn. */
async function inTurns<Result>(steps: Generator<unknown, Result, void>, pause: () => Promise<void>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as Result;
    await pause();
  }
}

function listOf(what: string, given: Iterable<Sentence>): Sentence[] {
  check(`${what} of train`, given, SENTENCES);
  const sentences = [...given];
  if (sentences.length === 0) throw new RangeError(`invalid ${what} of train: none (expected at least one sentence)`);
  for (const sentence of sentences) {
    if (!(sentence instanceof Sentence)) {
      throw new TypeError(`invalid ${what} of train: ${shown(sentence)} (expected each to be a Sentence)`);
    }
  }
  // One that is there several times stays one object: it counts several times, and is read once.
  const plain = new Map(sentences.map((sentence) => [sentence, sentence]));
  for (const sentence of plain.keys()) plain.set(sentence, plainSentence(sentence));
  return sentences.map((sentence) => plain.get(sentence)!);
}
