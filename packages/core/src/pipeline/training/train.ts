import {
  check,
  checkOptions,
  type Expectation,
  FUNCTION,
  oneOf,
  SENTENCES,
  SIGNAL,
  STRING,
  shown,
  TRUE_OR_FALSE,
  WHOLE_NUMBER,
  wholeNumber,
} from "../../checks/options.js";
import type { TrainingData, TreebankSentence } from "../../learning/examples.js";
import { AFTER_UPDATE, REGULARIZATION } from "../../learning/linear/online.js";
import { UPDATES } from "../../learning/linear/structured.js";
import { NeuralTraining } from "../../learning/network/neural-training.js";
import { Training } from "../../learning/training.js";
import { ROOT_POSITIONS } from "../../systems/configuration.js";
import { ORACLES } from "../../systems/oracles/oracle.js";
import { SCHEMES } from "../../treebank/pseudo-projective.js";
import { Sentence } from "../../treebank/sentence/sentence.js";
import { Breath } from "../breath.js";
import { type AbortSignalLike, throwIfAborted } from "../parse-options.js";
import type { PipelineModel } from "../pipeline-model.js";
import { type PreparedPipeline, preparationSteps } from "../prepare.js";
import { assessEpoch, type EpochScore } from "./assess-epoch.js";
import { neuralOptionsOf } from "./network-settings.js";
import { PRESETS, type Preset } from "./presets.js";
import {
  type CompleteSettings,
  completeSettings,
  TRAINING_DEFAULTS,
  type TrainingSettings,
  trainOptionsOf,
} from "./settings.js";

/** What to train, and on what. */
export interface TrainRequest extends TrainingSettings {
  /** The training data. */
  sentences: Iterable<Sentence>;
  /** The development set: the epoch that parses it best is kept; without one, the last epoch. */
  dev?: Iterable<Sentence> | undefined;
  /** A named set of settings; other settings override it. */
  preset?: Preset | undefined;
  /** Your own feature templates. */
  templates?: string | undefined;
  /** Called after every epoch; `model` is given if it is the best so far. */
  onEpoch?: ((score: EpochScore, model: PipelineModel | undefined) => void) | undefined;
  /** Stops training when it is aborted; its reason is thrown. */
  signal?: AbortSignalLike | undefined;
}

/** What `train` gives. */
export interface TrainedModel {
  model: PipelineModel;
  /** The epoch that it is from. */
  best: EpochScore;
  epochs: EpochScore[];
  data: TrainingData;
}

/** A number, which may be limited from above. */
function number(least: number, most = Number.POSITIVE_INFINITY): Expectation {
  const expected = most === Number.POSITIVE_INFINITY ? `a number from ${least}` : `a number from ${least} to ${most}`;
  const accepts = (value: unknown) => typeof value === "number" && value >= least && value <= most;
  return { expected, accepts };
}

const SIZE: Expectation = {
  expected: "a multiple of 8 from 8",
  accepts: (value) => Number.isSafeInteger(value) && (value as number) >= 8 && (value as number) % 8 === 0,
};

const EXPECTED: Readonly<Record<keyof TrainRequest, Expectation>> = {
  sentences: SENTENCES,
  dev: SENTENCES,
  preset: oneOf(...Object.keys(PRESETS)),
  templates: STRING,
  onEpoch: FUNCTION,
  signal: SIGNAL,
  system: STRING,
  oracle: oneOf(...ORACLES),
  learner: oneOf(...Object.keys(REGULARIZATION)),
  root: oneOf(...ROOT_POSITIONS),
  degree: wholeNumber(1),
  lazy: TRUE_OR_FALSE,
  epochs: wholeNumber(1),
  seed: WHOLE_NUMBER,
  members: wholeNumber(1),
  network: TRUE_OR_FALSE,
  beam: wholeNumber(1),
  update: oneOf(...UPDATES),
  lowestLoss: TRUE_OR_FALSE,
  pipeline: TRUE_OR_FALSE,
  folds: wholeNumber(1),
  joint: TRUE_OR_FALSE,
  tagsPerWord: wholeNumber(1),
  tagMargin: number(0),
  exploreFrom: wholeNumber(1),
  exploreProbability: number(0, 1),
  lossBound: number(1),
  afterUpdate: oneOf(...AFTER_UPDATE),
  margin: number(0),
  rate: number(Number.MIN_VALUE),
  minUpdates: wholeNumber(0),
  wordDropout: number(0),
  featureDropout: number(0, 1),
  projectivize: oneOf(...SCHEMES),
  prune: number(0),
  layers: wholeNumber(0),
  width: SIZE,
  hidden: SIZE,
  dropout: number(0, 0.99),
};

/**
 * Trains a parser, or with `pipeline` all parts from text to trees, as `stemma train` does. The event loop runs in
 * between.
 *
 *   const { model } = await train({ sentences, dev, preset: "fast", onEpoch: console.log });
 *   await writeFile("my.stemma", writeModel(model));
 */
export async function train(request: TrainRequest): Promise<TrainedModel> {
  checkOptions("train", request ?? null, EXPECTED);
  const { sentences: given, dev: givenDev, preset, templates, onEpoch, signal, ...own } = request;
  const sentences = listOf("sentences", given);
  const dev = givenDev === undefined ? undefined : listOf("dev", givenDev);
  const settings = completeSettings({
    ...TRAINING_DEFAULTS,
    ...(preset === undefined ? {} : PRESETS[preset]),
    ...withoutUndefined(own),
  } as CompleteSettings);
  const breath = new Breath();
  const pause = async () => {
    await breath.take();
    throwIfAborted(signal);
  };
  throwIfAborted(signal);
  const options = trainOptionsOf(
    settings,
    templates === undefined ? undefined : { text: templates, source: "templates" },
  );
  const prepared = settings.pipeline ? await prepare(sentences, settings, pause) : undefined;
  if (prepared?.joint) options.joint = prepared.joint;
  const data: readonly TreebankSentence[] = prepared?.sentences ?? sentences;
  const training = settings.network
    ? new NeuralTraining(data, neuralOptionsOf(data, options, settings))
    : new Training(data, options);
  const { network, layers, width, hidden, dropout } = settings;
  const assessment = {
    test: dev && (prepared?.predicted(dev) ?? dev),
    prepared,
    origin: {
      program: "stemma",
      treebank: { ...training.data },
      options: { ...options, ...(network ? { network, layers, width, hidden, dropout } : {}), templates: undefined },
    },
  };
  const epochs: EpochScore[] = [];
  let best: { score: EpochScore; model: PipelineModel } | undefined;
  while (training.epoch < settings.epochs) {
    for (const _ of training.epochSteps()) await pause();
    if (!dev && training.epoch < settings.epochs) {
      epochs.push({ epoch: training.epoch });
      onEpoch?.({ epoch: training.epoch }, undefined);
      continue;
    }
    const { score, model } = assessEpoch(training, assessment, best?.score);
    epochs.push(score);
    if (model) best = { score, model };
    onEpoch?.(score, model);
    await pause();
  }
  return { model: best!.model, best: best!.score, epochs, data: training.data };
}

/** Trains what comes before the parser. */
async function prepare(
  sentences: readonly Sentence[],
  { seed, folds, members, joint, tagsPerWord, tagMargin }: CompleteSettings,
  pause: () => Promise<void>,
): Promise<PreparedPipeline> {
  const tags = joint ? { perWord: tagsPerWord, margin: tagMargin } : undefined;
  const steps = preparationSteps(sentences, { seed, folds, members, joint: tags });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
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
  return sentences;
}

function withoutUndefined(settings: TrainingSettings): TrainingSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
