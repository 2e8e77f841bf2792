import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { readModel, writeModel } from "@stemma/core";
import {
  assessEpoch,
  type EpochScore,
  type NeuralTraining,
  type PreparedPipeline,
  TemplateError,
  Training,
  type TrainingData,
  type TrainOptions,
  type TreebankSentence,
} from "@stemma/core/training";
import { filesOf, loadCheckpoint, removeCheckpoint, restoreState, saveCheckpoint } from "../checkpoint.js";
import { FileError, ReadReport } from "../io.js";
import { takeLock } from "../lock.js";
import { note, warn } from "../messages.js";
import { checkTarget, writeBytes, writeOutput } from "../output.js";
import { hashOf, readDevelopment, readTraining, type TrainingFile } from "./data.js";
import { networkTraining } from "./network.js";
import type { TrainingOptions } from "./options.js";
import { type PreparationScores, preparationScores, prepare, scoreLine } from "./preparation.js";
import { TrainingProgress } from "./progress.js";
import { networkSettingsOf, settingsOf } from "./settings.js";

interface Best {
  score: EpochScore;
  bytes: Uint8Array;
}

/** A training that is ready to run. */
interface Learner {
  training: Training | NeuralTraining;
  epochSteps(): Generator<number, void, void>;
  close(): Promise<void>;
}

/** Everything that the epochs need to know. */
interface Run {
  learner: Learner;
  settings: TrainOptions;
  /** The development data as the parser sees it. */
  test: readonly TreebankSentence[] | undefined;
  prepared: PreparedPipeline | undefined;
  /** The origin that is recorded in the model. */
  origin: object;
  devName: string | undefined;
  checkpoint: string;
  fingerprint: string;
  scores: EpochScore[];
  best: Best | undefined;
}

/** How long a signal may wait, in milliseconds. */
const PATIENCE = 100;
const SIGNALS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/** Trains a model and writes it, from the first look at the files to the last message. */
export async function runTraining(files: readonly TrainingFile[], options: TrainingOptions): Promise<void> {
  const { model } = options;
  const inputs = [...files.map(({ path }) => path), options.dev, options.features, options.vectors];
  await checkTarget(model, "--model", inputs);
  const release = await takeLock(`${model}.lock`, "the model is being trained by");
  try {
    await train(files, options);
  } finally {
    release();
  }
}

async function train(files: readonly TrainingFile[], options: TrainingOptions): Promise<void> {
  const started = performance.now();
  const checkpoint = `${options.model}.checkpoint`;
  if (!options.resume) await refuseLeftover(checkpoint);
  const settings = await settingsOf(options);
  const report = new ReadReport();
  const { strict, partial } = options;
  const data = await readTraining(files, { strict, partial, report });
  const dev = options.dev === undefined ? undefined : await readDevelopment(options.dev, { strict, report });
  const prepared = options.pipeline ? await prepare(data, options, checkpoint) : undefined;
  if (prepared?.joint) settings.joint = prepared.joint;
  const test = dev && (prepared?.predicted(dev) ?? dev);
  const parts = dev && prepared ? preparationScores(prepared, dev, test!) : undefined;
  if (parts) note(`${basename(options.dev!)}: ${scoreLine(parts)}`);
  const learner = await learnerOf(prepared?.sentences ?? data.sentences, settings, options);
  try {
    const { training } = learner;
    // Each sentence of a pipeline is there with predicted and with gold tags.
    const counted = prepared && !options.joint ? halved(training.data) : training.data;
    note(describe(counted, training.labels.length, settings, options));
    const networkSettings = await networkSettingsOf(options);
    const run: Run = {
      learner,
      settings,
      test,
      prepared,
      origin: {
        program: "stemma",
        treebank: { name: data.name, sha256: data.sha256, ...counted },
        options: {
          ...settings,
          ...networkSettings,
          templates: undefined,
          templatesSource: options.features && basename(options.features),
        },
        ...(options.licence === undefined ? {} : { licence: options.licence }),
      },
      devName: options.dev && basename(options.dev),
      checkpoint,
      // Of a run with more epochs the first are the same, but for networks, see `resume`.
      fingerprint: createHash("sha256")
        .update(data.sha256)
        .update(JSON.stringify([{ ...settings, epochs: 0 }, options.pipeline ? options.folds : 0, networkSettings]))
        .update(options.dev ? await hashOf(options.dev) : "")
        .digest("hex"),
      scores: [],
      best: undefined,
    };
    if (options.resume) await resume(run, options);
    const signal = await runEpochs(run);
    if (signal) return stopped(signal, run, options);
    await writeBytes(options.model, run.best!.bytes);
    await removeCheckpoint(checkpoint);
    await say(run, counted, parts, (performance.now() - started) / 1000, options);
  } finally {
    await learner.close();
  }
  report.finish();
}

/** What a stopped run has left is not thrown away by the next one, unless its user says so by deleting it. */
async function refuseLeftover(checkpoint: string): Promise<void> {
  const [file] = await filesOf(checkpoint);
  if (file === undefined || file.endsWith(".tmp")) return;
  throw new FileError(
    `${file}: left by an interrupted training run (--resume continues it; delete it to start from the beginning)`,
  );
}

async function learnerOf(
  sentences: readonly TreebankSentence[],
  settings: TrainOptions,
  options: TrainingOptions,
): Promise<Learner> {
  try {
    if (options.network) return await networkTraining(sentences, settings, options);
    const training = new Training(sentences, settings);
    return { training, epochSteps: () => training.epochSteps(), close: async () => {} };
  } catch (error) {
    if (error instanceof TemplateError || error instanceof RangeError) throw new FileError(error.message);
    throw error;
  }
}

function halved(data: TrainingData): TrainingData {
  return Object.fromEntries(Object.entries(data).map(([name, count]) => [name, count / 2])) as unknown as TrainingData;
}

function describe(data: TrainingData, labels: number, settings: TrainOptions, options: TrainingOptions): string {
  const { system, regime, root, beam, learner } = settings;
  return (
    `${data.sentences} sentences, ${data.words} words, ${labels} labels; ` +
    `${system}, ${regime} oracle, root ${root}, ${options.network ? "network" : learner}` +
    (beam ? `, beam ${beam}` : "") +
    (data.partial ? `; ${data.partial} trees lack heads` : "") +
    (data.projectivized ? `; ${data.projectivized} trees made projective` : "") +
    (data.skipped ? `; ${data.skipped} trees left out because ${system} cannot build them` : "")
  );
}

/** Takes up the checkpoint, if there is one. */
async function resume(run: Run, { network }: TrainingOptions): Promise<void> {
  const { checkpoint, fingerprint, learner, settings } = run;
  if (!existsSync(checkpoint)) {
    if ((await filesOf(checkpoint)).length === 0) note(`${checkpoint}: does not exist; starting from the beginning`);
    return;
  }
  const saved = await loadCheckpoint(checkpoint, fingerprint);
  if (network && saved.epochs !== settings.epochs) {
    throw new FileError(
      `${checkpoint}: belongs to a run of ${saved.epochs} epochs, not ${settings.epochs} ` +
        `(expected --epochs ${saved.epochs}: the step size of a network falls until its last epoch)`,
    );
  }
  restoreState(learner.training, saved.state, checkpoint);
  const { epoch } = learner.training;
  if (epoch >= settings.epochs) {
    throw new FileError(
      `invalid --epochs ${settings.epochs}: ${checkpoint} already has ${epoch} (expected more than ${epoch})`,
    );
  }
  run.scores.push(...(saved.scores as EpochScore[]));
  if (saved.best) {
    const { score, bytes } = saved.best as Best;
    run.best = { score, bytes: saved.epochs === settings.epochs ? bytes : withEpochs(bytes, settings.epochs) };
  }
  note(`resumed after epoch ${epoch}`);
}

/** The model as it would be if it had been said from the beginning that there will be so many epochs. */
function withEpochs(bytes: Uint8Array, epochs: number): Uint8Array {
  const model = readModel(bytes);
  (model.origin.options as { epochs: number }).epochs = epochs;
  return writeModel(model);
}

/** Runs the epochs that are left; returns the signal that ended it before, if any. */
async function runEpochs(run: Run): Promise<keyof typeof SIGNALS | undefined> {
  const { learner, settings, test, checkpoint, fingerprint, scores } = run;
  const { training } = learner;
  const progress = new TrainingProgress(training.data.words, settings.epochs, training.epoch);
  let signal: keyof typeof SIGNALS | undefined;
  const listen = (name: NodeJS.Signals) => {
    signal = name as keyof typeof SIGNALS;
  };
  for (const name of Object.keys(SIGNALS)) process.on(name, listen);
  try {
    while (training.epoch < settings.epochs) {
      progress.startEpoch();
      const begun = performance.now();
      let breath = begun;
      for (const words of learner.epochSteps()) {
        progress.at(words);
        const now = performance.now();
        if (now - breath < PATIENCE) continue;
        breath = now;
        await new Promise((resolve) => setImmediate(resolve));
        if (signal) return signal;
      }
      const speed = Math.round((1000 * training.data.words) / (performance.now() - begun));
      const isLast = training.epoch === settings.epochs;
      const tested = test || isLast ? assess(run) : "";
      progress.finishEpoch();
      note(`epoch ${training.epoch}: ${speed} words/s${tested}`);
      if (isLast) return undefined;
      const { epochs } = settings;
      await saveCheckpoint(checkpoint, { fingerprint, state: training.save(), scores, best: run.best, epochs });
      if (signal) return signal;
    }
  } finally {
    for (const name of Object.keys(SIGNALS)) process.off(name, listen);
  }
  return undefined;
}

/** Tests the epoch that has just ended, keeps its model if it is the best, and says how it did. */
function assess(run: Run): string {
  const { score, model } = assessed(run);
  run.scores.push(score);
  if (model) run.best = { score, bytes: writeModel(model) };
  if (!run.test) return "";
  return `, UAS ${score.uas!.toFixed(2)}, LAS ${score.las!.toFixed(2)}${model ? " (best so far)" : ""}`;
}

/** How the epoch did; numbers that have grown beyond all bounds are the fault of the step size, or of a checkpoint. */
function assessed(run: Run): ReturnType<typeof assessEpoch> {
  try {
    return assessEpoch(run.learner.training, run, run.best?.score);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { rate = "the default" } = run.settings;
    throw new FileError(`training diverged: ${error.message} (use a smaller --rate than ${rate})`);
  }
}

/** Says what a signal has left. */
function stopped(signal: keyof typeof SIGNALS, { scores, checkpoint, learner }: Run, options: TrainingOptions): void {
  const epochs = existsSync(checkpoint) ? learner.training.epoch - 1 : 0;
  if (epochs > 0 || scores.length > 0) {
    warn(
      `stopped in epoch ${learner.training.epoch}: finished epochs are in ${checkpoint}; ` +
        "continue with the same command and --resume",
    );
  } else if (options.pipeline) {
    warn("stopped in epoch 1: the models before the parser are kept; continue with the same command and --resume");
  } else warn("stopped in epoch 1: nothing was kept");
  process.exitCode = 128 + SIGNALS[signal];
}

/** Says, or prints as JSON, what came out. */
async function say(
  { best, scores }: Run,
  data: TrainingData,
  parts: PreparationScores | undefined,
  seconds: number,
  options: TrainingOptions,
): Promise<void> {
  const { score, bytes } = best!;
  if (!options.json) {
    const size = (bytes.length / 1e6).toFixed(1);
    note(`${options.model}: ${size} MB, epoch ${score.epoch}, ${seconds.toFixed(0)} s`);
    return;
  }
  const result = {
    model: options.model,
    bytes: bytes.length,
    best: score,
    epochs: scores,
    ...(parts ? { parts: Object.fromEntries(Object.entries(parts).map(([name, n]) => [name, round(n)])) } : {}),
    data,
    seconds: round(seconds),
  };
  await writeOutput(undefined, `${JSON.stringify(result)}\n`);
}

function round(n: number): number {
  return Math.round(100 * n) / 100;
}
