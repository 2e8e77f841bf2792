import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import {
  AFTER_UPDATE,
  attachment,
  defaultTemplates,
  fitConfidence,
  type ParserModel,
  REGIMES,
  REGULARIZATION,
  ROOT_POSITIONS,
  SCHEMES,
  type Scheme,
  type Sentence,
  SYSTEM_NAMES,
  TemplateError,
  Training,
  type TrainOptions,
  writeModel,
} from "@stemma/core";
import { type Command, InvalidArgumentError, Option } from "commander";
import { loadCheckpoint, removeCheckpoint, saveCheckpoint } from "../checkpoint.js";
import { FileError, guarded, ReadReport, readSentences, writeBytes } from "../io.js";
import { Progress } from "../progress.js";

interface Options {
  dev?: string;
  model: string;
  system: string;
  oracle: TrainOptions["regime"];
  root: TrainOptions["root"];
  degree?: number;
  lazy?: boolean;
  features?: string;
  epochs: number;
  seed: number;
  exploreFrom: number;
  exploreProbability: number;
  lossBound?: number;
  afterUpdate: TrainOptions["afterUpdate"];
  margin: number;
  minUpdates: number;
  wordDropout: number;
  featureDropout: number;
  projectivize?: Scheme;
  prune: number;
  licence?: string;
  resume?: boolean;
  json?: boolean;
  strict?: boolean;
}

const HELP = `
Trees that the system cannot build: with the static and the non-deterministic oracle they are left out and counted, with
--projectivize they are made projective first and what was lifted is put back after parsing; the dynamic oracle uses them as they are.

After every epoch the development data is parsed with the averaged weights; the best epoch is kept. A checkpoint beside the
model is written after every epoch: --resume takes a killed run up again, and it ends with the same bytes as one that was never killed.

Examples:
  $ stemma train train.conllu --dev dev.conllu --model english.stemma
  $ stemma train train.conllu --dev dev.conllu --model basque.stemma --projectivize head+path
  $ stemma train train.conllu --dev dev.conllu --model s.stemma --system arc-standard --oracle static --seed 7
  $ stemma train train.conllu --dev dev.conllu --model english.stemma --resume`;

/** Adds `stemma train`. */
export function register(program: Command): void {
  program
    .command("train")
    .description("train a greedy parser on a treebank")
    .argument("<train>", "training treebank (CoNLL-U, may be gzipped)")
    .requiredOption("--model <file>", "where to write the model")
    .option("--dev <file>", "development treebank: the epoch that parses it best is kept")
    .addOption(new Option("--system <name>", "transition system").choices(SYSTEM_NAMES).default("arc-standard"))
    .addOption(new Option("--oracle <regime>", "what is right in training").choices(REGIMES).default("dynamic"))
    .addOption(new Option("--root <position>", "where node 0 stands").choices(ROOT_POSITIONS).default("last"))
    .option("--degree <n>", "Attardi: how far arcs reach, 2 or 3", positive)
    .option("--lazy", "swap: as late as possible")
    .option("--features <file>", "feature templates (default: the set for the system)")
    .option("--epochs <n>", "how often to go through the training data", positive, 10)
    .option("--seed <n>", "for the order of sentences and for exploration", whole, 1)
    .option("--explore-from <epoch>", "dynamic: follow predictions, right or wrong, from this epoch on", positive, 2)
    .option("--explore-probability <p>", "dynamic: with this probability", probability, 1)
    .option("--loss-bound <n>", "dynamic: but not when so many arcs are lost already", positive)
    .addOption(
      new Option("--after-update <what>", "go on, leave the sentence, or repeat")
        .choices(AFTER_UPDATE)
        .default("go-on"),
    )
    .option(
      "--margin <m>",
      "update also if a wrong class comes this close, for each template",
      nonNegative,
      REGULARIZATION.margin,
    )
    .option("--min-updates <n>", "features in fewer updates do not count", wholeNonNegative, REGULARIZATION.minUpdates)
    .option(
      "--word-dropout <a>",
      "hide a word that occurs f times with probability a / (a + f)",
      nonNegative,
      REGULARIZATION.wordDropout,
    )
    .option(
      "--feature-dropout <p>",
      "leave out each feature with this probability",
      probability,
      REGULARIZATION.featureDropout,
    )
    .addOption(
      new Option("--projectivize <scheme>", "make training trees projective, undo it after parsing").choices(SCHEMES),
    )
    .option("--prune <weight>", "leave out averaged weights below this", nonNegative, 3)
    .option("--licence <text>", "licence of the training data, to be kept in the model")
    .option("--resume", "take up a killed run at its last checkpoint")
    .option("--json", "print the result as JSON")
    .option("--strict", "stop at the first error in a treebank")
    .addHelpText("after", HELP)
    .action(guarded(train));
}

const number = (accepts: (n: number) => boolean, expected: string) => (text: string) => {
  const n = Number(text);
  if (text.trim() === "" || !Number.isFinite(n) || !accepts(n)) throw new InvalidArgumentError(`expected ${expected}`);
  return n;
};
const positive = number((n) => Number.isInteger(n) && n > 0, "a whole number above 0");
const whole = number(Number.isInteger, "a whole number");
const probability = number((n) => n >= 0 && n <= 1, "a number from 0 to 1");
const wholeNonNegative = number((n) => Number.isInteger(n) && n >= 0, "a whole number, 0 or more");
const nonNegative = number((n) => n >= 0, "0 or more");

interface EpochScore {
  epoch: number;
  uas: number;
  las: number;
}

async function train(file: string, options: Options): Promise<void> {
  const report = new ReadReport();
  const hash = createHash("sha256");
  const sentences = await readAll(file, options, report, hash);
  const dev = options.dev === undefined ? undefined : await readAll(options.dev, options, report);
  if (sentences.length === 0) throw new FileError(`${file}: no sentences to train on`);
  if (dev && dev.length === 0) throw new FileError(`${options.dev}: no sentences to test on`);
  const settings = await settingsOf(options);
  let training: Training;
  try {
    training = new Training(sentences, settings);
  } catch (error) {
    if (error instanceof TemplateError || error instanceof RangeError) throw new FileError(error.message);
    throw error;
  }
  const { data } = training;
  const say = (text: string) => process.stderr.write(`${text}\n`);
  say(
    `${data.sentences} sentences, ${data.words} words, ${training.labels.length} labels; ` +
      `${settings.system}, ${settings.regime} oracle, root ${settings.root}` +
      (data.projectivized ? `; ${data.projectivized} trees made projective` : "") +
      (data.skipped ? `; ${data.skipped} trees left out, ${settings.system} cannot build them` : ""),
  );

  const dataHash = hash.digest("hex");
  const origin = {
    program: "stemma",
    treebank: { name: basename(file), sha256: dataHash, ...data },
    options: { ...settings, templates: undefined, templatesSource: options.features && basename(options.features) },
    ...(options.licence === undefined ? {} : { licence: options.licence }),
  };
  const scores: EpochScore[] = [];
  let best: { score: EpochScore; bytes: Uint8Array } | undefined;
  const fingerprint = createHash("sha256")
    .update(dataHash)
    .update(JSON.stringify(settings))
    .update(options.dev ? await hashOf(options.dev) : "")
    .digest("hex");
  const checkpoint = `${options.model}.checkpoint`;
  if (options.resume && existsSync(checkpoint)) {
    const saved = await loadCheckpoint(checkpoint, fingerprint);
    training.restore(saved.state);
    scores.push(...(saved.scores as EpochScore[]));
    if (saved.best) best = { score: saved.best.score as EpochScore, bytes: saved.best.bytes };
    say(`resumed after epoch ${training.epoch}`);
  } else if (options.resume) say(`${checkpoint}: not there, starting from the beginning`);

  const started = performance.now();
  while (training.epoch < settings.epochs) {
    const progress = new Progress(`epoch ${training.epoch + 1}/${settings.epochs}`, data.words, "words");
    const begun = performance.now();
    training.runEpoch((words) => progress.at(words));
    progress.done();
    const seconds = (performance.now() - begun) / 1000;
    const score: EpochScore = { epoch: training.epoch, uas: 0, las: 0 };
    let line = `epoch ${training.epoch}: ${Math.round(data.words / seconds)} words/s`;
    const isLast = training.epoch === settings.epochs;
    if (dev || isLast) {
      const model = training.model();
      if (dev) {
        const { uas, las } = attachment(model, dev);
        score.uas = round(100 * uas);
        score.las = round(100 * las);
        line += `, UAS ${score.uas.toFixed(2)}, LAS ${score.las.toFixed(2)}`;
      }
      scores.push(score);
      if (!best || !dev || score.las > best.score.las) {
        if (dev) model.header.confidence = fitConfidence(model, dev);
        best = {
          score,
          bytes: bytesOf(model, { ...origin, ...(dev ? { dev: { name: basename(options.dev!), ...score } } : {}) }),
        };
        if (dev) line += " (best so far)";
      }
    }
    say(line);
    if (!isLast) await saveCheckpoint(checkpoint, { fingerprint, state: training.save(), scores, best });
  }
  await writeBytes(options.model, best!.bytes);
  await removeCheckpoint(checkpoint);
  const seconds = (performance.now() - started) / 1000;
  if (options.json) {
    const result = {
      model: options.model,
      bytes: best!.bytes.length,
      best: best!.score,
      epochs: scores,
      data,
      seconds: round(seconds),
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } else {
    say(
      `${options.model}: ${(best!.bytes.length / 1e6).toFixed(1)} MB, epoch ${best!.score.epoch}, ${seconds.toFixed(0)} s`,
    );
  }
  report.finish();
}

function bytesOf(model: ParserModel, origin: Record<string, unknown>): Uint8Array {
  Object.assign(model.header.origin, JSON.parse(JSON.stringify(origin)));
  return writeModel(model);
}

function round(n: number): number {
  return Math.round(100 * n) / 100;
}

async function readAll(
  file: string,
  options: Options,
  report: ReadReport,
  hash?: ReturnType<typeof createHash>,
): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for await (const sentence of readSentences(file, { strict: options.strict, requireTree: true, report })) {
    hash?.update(sentence.toString());
    sentences.push(sentence);
  }
  return sentences;
}

async function hashOf(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}

async function settingsOf(options: Options): Promise<TrainOptions> {
  let templates = defaultTemplates(options.system);
  if (options.features !== undefined) {
    try {
      templates = await readFile(options.features, "utf8");
    } catch {
      throw new FileError(`${options.features}: cannot read the feature templates`);
    }
  }
  return {
    system: options.system,
    root: options.root,
    regime: options.oracle,
    ...(options.degree === undefined ? {} : { degree: options.degree }),
    ...(options.lazy ? { lazy: true } : {}),
    templates,
    ...(options.features === undefined ? {} : { templatesSource: options.features }),
    epochs: options.epochs,
    seed: options.seed,
    exploreFrom: options.exploreFrom,
    exploreProbability: options.exploreProbability,
    lossBound: options.lossBound ?? Number.POSITIVE_INFINITY,
    afterUpdate: options.afterUpdate,
    margin: options.margin,
    minUpdates: options.minUpdates,
    wordDropout: options.wordDropout,
    featureDropout: options.featureDropout,
    ...(options.projectivize === undefined ? {} : { projectivize: options.projectivize }),
    prune: options.prune,
  };
}
