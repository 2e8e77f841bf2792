import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { type PipelineModel, loadModel as readTrained, type Sentence, writeModel } from "@stemma/core";
import {
  addEnhanced,
  type CompleteSettings,
  type EpochScore,
  NetworkTraining,
  needEnhanced,
  type RoleEpoch,
  type TrainingRun,
} from "@stemma/core/training";
import { filesOf, loadCheckpoint, removeCheckpoint, restoreState, saveCheckpoint } from "../files/checkpoint.js";
import { FileError, ReadReport } from "../files/io.js";
import { takeLock } from "../files/lock.js";
import { loadModel } from "../files/model.js";
import { checkTarget, writeBytes, writeOutput } from "../files/output.js";
import { featuresFile } from "../options/features-option.js";
import { threadsOf } from "../options/threads.js";
import { note, warn } from "../terminal/messages.js";
import { NetworkCrew } from "../workers/network-crew.js";
import {
  hashOf,
  readDevelopment,
  readSilver,
  readTraining,
  type TrainingFile,
  type TrainingSentences,
} from "./data.js";
import { encodeTraining } from "./encoder.js";
import type { TrainingOptions } from "./options.js";
import { originOf, templatesOf } from "./origin.js";
import { type PreparationScores, preparationScores, scoreLine, startRun } from "./preparation.js";
import { TrainingProgress } from "./progress.js";
import { addRoles } from "./roles.js";
import { readVectors } from "./vectors.js";

interface Best {
  score: EpochScore;
  bytes: Uint8Array;
}

/** A run, and what is kept of it beside the model. */
interface Kept {
  run: TrainingRun;
  checkpoint: string;
  fingerprint: string;
  /** The best model so far, written. */
  bytes: Uint8Array | undefined;
}

/** How long a signal may wait, in milliseconds. */
const PATIENCE = 100;
const SIGNALS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/** Trains a model and writes it, from the first look at the files to the last message. */
export async function runTraining(files: readonly TrainingFile[], options: TrainingOptions): Promise<void> {
  const { model } = options;
  const { dev, silver, vectors, encoder, addTo } = options;
  const inputs = [
    ...files.map(({ path }) => path),
    dev,
    silver,
    featuresFile(options.settings.features),
    vectors,
    encoder,
    addTo,
  ];
  await checkTarget(model, "--model", inputs);
  const release = await takeLock(`${model}.lock`, "the model is being trained by");
  try {
    await (addTo === undefined ? train(files, options) : extend(addTo, files, options));
  } finally {
    release();
  }
}

async function train(files: readonly TrainingFile[], options: TrainingOptions): Promise<void> {
  const started = performance.now();
  const checkpoint = `${options.model}.checkpoint`;
  if (!options.resume) await refuseLeftover(checkpoint);
  const templates = await templatesOf(options);
  const report = new ReadReport();
  const { strict, partial } = options;
  const data = await readTraining(files, { strict, partial, report });
  const { sentences } = data;
  const silver =
    options.silver === undefined ? undefined : await readSilver(options.silver, { strict, partial, report });
  const sha256 = silver ? hashOfBoth(data, silver, options) : data.sha256;
  const dev = options.dev === undefined ? undefined : await readDevelopment(options.dev, { strict, report });
  if (options.settings.enhanced) withMessage(() => needEnhanced(sentences));
  const threads = options.threads ? threadsOf(options.threads) : 1;
  const vectors = options.vectors && (await readVectors(options.vectors, sentences, options.vectorWords!));
  const origin = await originOf(data, silver, options);
  const encoded = await encodeTraining([...sentences, ...(silver?.sentences ?? [])], options, threads);
  const inputs = { vectors: vectors || undefined, encoded };
  const request = {
    ...{ sentences, dev, silver: silver?.sentences, settings: options.settings, templates },
    ...{ ...inputs, origin, threads },
  };
  const run = await startRun(request, sha256, options, checkpoint);
  const parts = dev && run.prepared ? preparationScores(run.prepared, dev, run.test!) : undefined;
  if (parts) note(`${basename(options.dev!)}: ${scoreLine(parts)}`);
  note(describe(run));
  const network = run.training instanceof NetworkTraining ? run.training : undefined;
  const crew = network && threads > 1 ? new NetworkCrew(network, threads) : undefined;
  try {
    const kept: Kept = {
      run,
      checkpoint,
      // Of a run with more epochs the first are the same, but for networks, see `resume`.
      fingerprint: createHash("sha256")
        .update(sha256)
        .update(JSON.stringify([{ ...run.settings, epochs: 0 }, templates?.text, origin.vectors, origin.encoder]))
        .update(options.dev ? await hashOf(options.dev) : "")
        .digest("hex"),
      bytes: undefined,
    };
    if (options.resume) await resume(kept, options.settings);
    const signal = await runEpochs(kept, crew);
    if (signal) return stopped(signal, kept, options);
    const withRoles =
      options.settings.roles && options.settings.joint !== "roles"
        ? await addRoles(await readTrained(kept.bytes!), run.sentences, dev, options)
        : undefined;
    if (withRoles) kept.bytes = writeModel(withRoles.model);
    if (options.settings.enhanced)
      kept.bytes = writeModel(withEnhanced(await readTrained(kept.bytes!), sentences, options));
    await writeBytes(options.model, kept.bytes!);
    await removeCheckpoint(checkpoint);
    await say(kept, parts, withRoles?.best, (performance.now() - started) / 1000, options);
  } finally {
    await crew?.close();
  }
  report.finish();
}

/** The model with enhanced dependencies. */
function withEnhanced(
  model: PipelineModel,
  sentences: readonly Sentence[],
  { settings: { seed } }: TrainingOptions,
): PipelineModel {
  return withMessage(() => addEnhanced(model, sentences, seed));
}

/** Problems of the data are told like those of a file. */
function withMessage<Value>(learn: () => Value): Value {
  try {
    return learn();
  } catch (error) {
    throw error instanceof RangeError ? new FileError(error.message) : error;
  }
}

/** Adds roles or enhanced dependencies to a model that is there already. */
async function extend(base: string, files: readonly TrainingFile[], options: TrainingOptions): Promise<void> {
  const started = performance.now();
  const report = new ReadReport();
  const reading = { strict: options.strict, report };
  const model = await loadModel(base);
  const { sentences } = await readTraining(files, reading);
  const dev = options.dev === undefined ? undefined : await readDevelopment(options.dev, reading);
  const { roles, enhanced } = options.settings;
  const found = roles ? await addRoles(model, sentences, dev, options) : undefined;
  const learned = found?.model ?? model;
  const bytes = writeModel(enhanced ? withEnhanced(learned, sentences, options) : learned);
  await writeBytes(options.model, bytes);
  const seconds = (performance.now() - started) / 1000;
  const result = {
    model: options.model,
    bytes: bytes.length,
    ...(found ? { roles: found.best, roleEpochs: found.epochs } : {}),
    seconds: round(seconds),
  };
  if (options.json) await writeOutput(undefined, `${JSON.stringify(result)}\n`);
  else {
    const epoch = found ? `, roles of epoch ${found.best.epoch}` : "";
    note(`${options.model}: ${(bytes.length / 1e6).toFixed(1)} MB${epoch}, ${seconds.toFixed(0)} s`);
  }
  report.finish();
}

/** The identity of the data of a run. */
function hashOfBoth(
  gold: TrainingSentences,
  silver: TrainingSentences,
  { settings: { silverWeight, silverConfidence } }: TrainingOptions,
): string {
  const told = [gold.sha256, silver.sha256, silverWeight, silverConfidence];
  return createHash("sha256").update(JSON.stringify(told)).digest("hex");
}

/** The files of a stopped run are not thrown away by the next one, unless its user says so by deleting them. */
async function refuseLeftover(checkpoint: string): Promise<void> {
  const [file] = await filesOf(checkpoint);
  if (file === undefined || file.endsWith(".tmp")) return;
  throw new FileError(
    `${file}: left by an interrupted training run (--resume continues it; delete it to start from the beginning)`,
  );
}

function describe({ data, silverData, settings, training }: TrainingRun): string {
  const { system, learner, decoder, order, encoding, oracle, root, network, beam, globalEpochs } = settings;
  const how = encoding ?? (decoder ? `${decoder}, order ${order}` : oracle && `${oracle} oracle, root ${root}`);
  const last = globalEpochs === 1 ? "epoch" : `${globalEpochs} epochs`;
  const inEpochs = globalEpochs ? ` in the last ${last}` : " for parsing";
  return (
    `${data.sentences} sentences, ${data.words} words, ` +
    (silverData ? `and silver: ${silverData.sentences} sentences, ${silverData.words} words; ` : "") +
    `${training.labels.length} labels; ` +
    `${system}, ${how ? `${how}, ` : ""}${network ? "network" : learner}` +
    (beam ? `, beam ${beam}${inEpochs}` : "") +
    (data.nonProjective
      ? `; ${data.nonProjective} trees have crossing arcs, which eisner does not build ` +
        "(--decoder edmonds does, and --projectivize restores them)"
      : "") +
    (data.tooLong ? `; ${data.tooLong} sentences left out because they are too long` : "") +
    (data.partial ? `; ${data.partial} trees lack heads` : "") +
    (data.projectivized ? `; ${data.projectivized} trees made projective` : "") +
    (data.skipped ? `; ${data.skipped} trees left out because ${encoding ?? system} cannot build them` : "") +
    (silverData?.doubtful ? `; ${silverData.doubtful} silver sentences left out because their scores are low` : "")
  );
}

/** Takes up the checkpoint, if there is one. */
async function resume(kept: Kept, { network, epochs }: CompleteSettings): Promise<void> {
  const { run, checkpoint, fingerprint } = kept;
  if (!existsSync(checkpoint)) {
    if ((await filesOf(checkpoint)).length === 0) note(`${checkpoint}: does not exist; starting from the beginning`);
    return;
  }
  const saved = await loadCheckpoint(checkpoint, fingerprint);
  if (network && saved.epochs !== epochs) {
    throw new FileError(
      `${checkpoint}: belongs to a run of ${saved.epochs} epochs, not ${epochs} ` +
        `(expected --epochs ${saved.epochs}: the step size of a network falls until its last epoch)`,
    );
  }
  const best = saved.best as Best | undefined;
  restoreState(
    { restore: (state) => run.resume(state, saved.scores as EpochScore[], best?.score) },
    saved.state,
    checkpoint,
  );
  const { epoch } = run.training;
  if (run.isOver) {
    throw new FileError(`invalid --epochs ${epochs}: ${checkpoint} already has ${epoch} (expected more than ${epoch})`);
  }
  if (best) kept.bytes = saved.epochs === epochs ? best.bytes : await withEpochs(best.bytes, epochs);
  note(`resumed after epoch ${epoch}`);
}

/** The model as it would be if it had been said from the beginning that there will be so many epochs. */
async function withEpochs(bytes: Uint8Array, epochs: number): Promise<Uint8Array> {
  const model = await readTrained(bytes);
  (model.origin.options as { epochs: number }).epochs = epochs;
  return writeModel(model);
}

/** Runs the epochs that are left; returns the signal that ended it before, if any. */
async function runEpochs(kept: Kept, crew: NetworkCrew | undefined): Promise<keyof typeof SIGNALS | undefined> {
  const { run, checkpoint, fingerprint } = kept;
  const { training, scores } = run;
  const { epochs } = run.settings;
  const progress = new TrainingProgress(training.data.words, epochs, training.epoch);
  let signal: keyof typeof SIGNALS | undefined;
  const listen = (name: NodeJS.Signals) => {
    signal = name as keyof typeof SIGNALS;
  };
  for (const name of Object.keys(SIGNALS)) process.on(name, listen);
  try {
    while (!run.isOver) {
      progress.startEpoch();
      const begun = performance.now();
      let paused = begun;
      let trained = begun;
      const steps = run.epoch(crew?.run);
      let step = nextOf(steps, run);
      while (!step.done) {
        progress.at(step.value);
        trained = performance.now();
        if (trained - paused >= PATIENCE) {
          paused = trained;
          await new Promise((resolve) => setImmediate(resolve));
          if (signal) return signal;
        }
        step = nextOf(steps, run);
      }
      const { score, model } = step.value;
      if (model) kept.bytes = writeModel(model);
      progress.finishEpoch();
      const speed = Math.round((1000 * training.data.words) / (trained - begun));
      note(`epoch ${score.epoch}: ${speed} words/s${shownScore(score, model !== undefined)}`);
      if (run.isOver) return undefined;
      const best = kept.bytes && { score: run.best!, bytes: kept.bytes };
      await saveCheckpoint(checkpoint, { fingerprint, state: training.save(), scores, best, epochs });
      if (signal) return signal;
    }
  } finally {
    for (const name of Object.keys(SIGNALS)) process.off(name, listen);
  }
  return undefined;
}

function shownScore({ uas, las, labelled }: EpochScore, isBest: boolean): string {
  if (uas === undefined || las === undefined) return "";
  const roles = labelled === undefined ? "" : `, roles: labelled F1 ${labelled.toFixed(2)}`;
  return `, UAS ${uas.toFixed(2)}, LAS ${las.toFixed(2)}${roles}${isBest ? " (best so far)" : ""}`;
}

/**
 * The next step of an epoch; numbers that have grown beyond all bounds are the fault of the step size, or of a
 * checkpoint.
 */
function nextOf(steps: ReturnType<TrainingRun["epoch"]>, { settings }: TrainingRun): ReturnType<typeof steps.next> {
  try {
    return steps.next();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FileError(`training diverged: ${error.message} (use a smaller --rate than ${settings.rate})`);
  }
}

/** Says what a signal has left. */
function stopped(signal: keyof typeof SIGNALS, { run, checkpoint }: Kept, options: TrainingOptions): void {
  const { training, scores } = run;
  const epochs = existsSync(checkpoint) ? training.epoch - 1 : 0;
  if (epochs > 0 || scores.length > 0) {
    warn(
      `stopped in epoch ${training.epoch}: finished epochs are in ${checkpoint}; ` +
        "continue with the same command and --resume",
    );
  } else if (options.settings.pipeline) {
    warn("stopped in epoch 1: the models before the parser are kept; continue with the same command and --resume");
  } else warn("stopped in epoch 1: nothing was kept");
  process.exitCode = 128 + SIGNALS[signal];
}

/** Says, or prints as JSON, what came out. */
async function say(
  { run: { best, scores, data, silverData }, bytes: written }: Kept,
  parts: PreparationScores | undefined,
  roles: RoleEpoch | undefined,
  seconds: number,
  options: TrainingOptions,
): Promise<void> {
  const bytes = written!;
  const score = best!;
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
    ...(roles ? { roles } : {}),
    ...(silverData ? { silver: silverData } : {}),
    seconds: round(seconds),
  };
  await writeOutput(undefined, `${JSON.stringify(result)}\n`);
}

function round(n: number): number {
  return Math.round(100 * n) / 100;
}
