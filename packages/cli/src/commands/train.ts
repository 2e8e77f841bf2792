import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import {
  AFTER_UPDATE,
  attachment,
  defaultTemplates,
  defaultView,
  FOLDS,
  fitConfidence,
  JOINT_DEFAULTS,
  type NeuralTraining,
  ORACLES,
  PipelineModel,
  type PreparedPipeline,
  preparePipeline,
  REGULARIZATION,
  ROOT_POSITIONS,
  SCHEMES,
  type Scheme,
  type Sentence,
  STRUCTURED,
  SYSTEM_NAMES,
  TemplateError,
  Training,
  type TrainOptions,
  UPDATES,
  type UpdateStrategy,
  writeModel,
} from "@stemma/core";
import { type Command, InvalidArgumentError, Option } from "commander";
import { loadCheckpoint, removeCheckpoint, saveCheckpoint } from "../checkpoint.js";
import { FileError, guarded, ReadReport, readSentences, writeBytes } from "../io.js";
import { NETWORK_DEFAULTS, type NetworkOptions, networkTraining } from "../network-training.js";
import { applyPreset, PRESETS, type Preset } from "../presets.js";
import { Progress } from "../progress.js";

interface Options extends NetworkOptions {
  dev?: string;
  model: string;
  system: string;
  oracle: TrainOptions["regime"];
  learner: LearnerName;
  root: TrainOptions["root"];
  degree?: number;
  lazy?: boolean;
  features?: string;
  epochs?: number;
  seed: number;
  members: number;
  preset?: Preset;
  network?: boolean;
  beam?: number;
  update?: UpdateStrategy;
  lowestLoss?: boolean;
  pipeline?: boolean;
  folds: number;
  joint?: boolean;
  tagsPerWord: number;
  tagMargin: number;
  exploreFrom: number;
  exploreProbability: number;
  lossBound?: number;
  afterUpdate: TrainOptions["afterUpdate"];
  margin?: number;
  rate?: number;
  minUpdates?: number;
  wordDropout?: number;
  featureDropout?: number;
  projectivize?: Scheme;
  partial?: boolean;
  prune?: number;
  licence?: string;
  resume?: boolean;
  json?: boolean;
  strict?: boolean;
}

const EPOCHS = 10;
type LearnerName = keyof typeof REGULARIZATION;
const LEARNERS = Object.keys(REGULARIZATION) as LearnerName[];

const HELP = `
Learners: the averaged perceptron changes weights when the prediction is wrong or a wrong class comes within the margin;
multinomial logistic regression makes the correct classes more probable in every configuration, with steps of AdaGrad. --margin is of the
first, --rate of the second, and the defaults that depend on the learner are given in this order. --prune is in units of the weights: changes
by one for the perceptron (where its default is less on small treebanks), logarithms of odds for logistic regression.

With --network the scores come from a network: embeddings of words, lemmas, tags, features and affixes, layers that read the sentence in both directions, and
a hidden layer over the words that the next transition is about. --rate is then the step size of Adam, --features what is looked at in a configuration
(s0.vector, s0l.label, dist(s1,s0), …), --beam the width that the model will parse with.

Presets: fast is a linear model with greedy search, accurate a network with greedy search, best a larger network with a beam. Options that are given count
all the same. docs/choosing.md has what each costs and brings.

With --beam the structured perceptron learns from whole derivations: a hypothesis is correct if all its moves and labels are (--oracle says which moves), and when a
wrong one is ahead, what the best correct one has that it has not gains weight. They are compared where the correct one is furthest behind
(max-violation), or where the last correct one leaves the beam (early). The width is kept in the model; stemma parse --beam chooses another one, and a wider
beam than that of training may be a little better still. Exploration and --after-update are for greedy training only.

Trees that the system cannot build: with the static and the non-deterministic oracle they are left out and counted, with
--projectivize they are made projective first and what was lifted is put back after parsing; the dynamic oracle uses them as they are.

With --partial a word whose HEAD is _ teaches nothing by itself, and a move is right if it keeps the heads that are there within reach. The
development data needs all its heads.

After every epoch the development data is parsed with the averaged weights; the best epoch is kept. A checkpoint beside the
model is written after every epoch: --resume takes a killed run up again, and it ends with the same bytes as one that was never killed.

With --pipeline the parser is trained on predicted tags, like those it will see: every part of the training data is tagged by a tagger that was
trained on the others (--folds). The development scores are then those with predicted tags, gold tokens. With --joint the tagger's candidates are
left to the parser, which chooses when it takes a word from the buffer.

Examples:
  $ stemma train train.conllu --dev dev.conllu --model english.stemma
  $ stemma train train.conllu --dev dev.conllu --model english.stemma --pipeline --members 3
  $ stemma train train.conllu --dev dev.conllu --model basque.stemma --projectivize head+path
  $ stemma train train.conllu --dev dev.conllu --model s.stemma --system arc-standard --oracle static --seed 7
  $ stemma train train.conllu --dev dev.conllu --model b.stemma --beam 8 --epochs 6
  $ stemma train train.conllu --dev dev.conllu --model l.stemma --learner logistic --epochs 8
  $ stemma train train.conllu --dev dev.conllu --model english.stemma --preset best --vectors vectors.txt --threads 0
  $ stemma train train.conllu --dev dev.conllu --model english.stemma --resume`;

/** Adds `stemma train`. */
export function register(program: Command): void {
  program
    .command("train")
    .description("train a parser, or all from text to trees, on a treebank")
    .argument("<train>", "training treebank (CoNLL-U, may be gzipped)")
    .requiredOption("--model <file>", "where to write the model")
    .option("--dev <file>", "development treebank: the epoch that parses it best is kept")
    .option("--pipeline", "train a segmenter, a tagger and a lemmatiser as well: from text to trees")
    .option(
      "--folds <n>",
      "with --pipeline: parts in which the training data is tagged for the parser",
      positive,
      FOLDS,
    )
    .option("--joint", "with --pipeline: the parser chooses tags, where the tagger leaves several open")
    .option("--tags-per-word <n>", "with --joint: tags to choose from, at most", positive, JOINT_DEFAULTS.perWord)
    .option(
      "--tag-margin <m>",
      "with --joint: how far below the best score of the tagger, 1 being a score of typical size",
      nonNegative,
      JOINT_DEFAULTS.margin,
    )
    .addOption(new Option("--system <name>", "transition system").choices(SYSTEM_NAMES).default("arc-standard"))
    .addOption(new Option("--oracle <regime>", "what is right in training").choices(ORACLES).default("dynamic"))
    .addOption(new Option("--learner <name>", "how weights are learnt").choices(LEARNERS).default("perceptron"))
    .addOption(new Option("--root <position>", "where node 0 stands").choices(ROOT_POSITIONS).default("last"))
    .option("--degree <n>", "Attardi: how far arcs reach, 2 or 3", positive)
    .option("--lazy", "swap: as late as possible")
    .option("--features <file>", "feature templates (default: the set for the system)")
    .option("--beam <width>", "train with a beam, for a parser that keeps so many hypotheses", positive)
    .addOption(
      new Option(
        "--update <strategy>",
        `with --beam: where derivations are compared (default: "${UPDATES[0]}")`,
      ).choices(UPDATES),
    )
    .option("--lowest-loss", "with --beam: when no correct hypothesis is left, learn from the one that has lost least")
    .option(
      "--epochs <n>",
      `how often to go through the training data (default: ${EPOCHS}, --network ${NETWORK_DEFAULTS.epochs})`,
      positive,
    )
    .option("--seed <n>", "for the order of sentences and for exploration", whole, 1)
    .option("--members <n>", "train so many, each with another seed, and average their weights", positive, 1)
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
      `update also if a wrong class comes this close, for each template ${defaultOf("margin")}`,
      nonNegative,
    )
    .option("--rate <r>", `largest change of a weight in a step ${defaultOf("rate")}`, aboveZero)
    .option("--min-updates <n>", `features in fewer updates do not count ${defaultOf("minUpdates")}`, wholeNonNegative)
    .option(
      "--word-dropout <a>",
      `hide a word that occurs f times with probability a / (a + f) ${defaultOf("wordDropout")}`,
      nonNegative,
    )
    .option(
      "--feature-dropout <p>",
      `leave out each feature with this probability ${defaultOf("featureDropout")}`,
      probability,
    )
    .addOption(
      new Option("--projectivize <scheme>", "make training trees projective, undo it after parsing").choices(SCHEMES),
    )
    .option("--partial", "words may lack a head (_): any is right for them; dynamic oracle only")
    .option("--prune <weight>", `leave out averaged weights below this ${defaultOf("prune")}`, nonNegative)
    .option("--network", "a neural network in place of a linear model (see below)")
    .option(
      "--layers <n>",
      "network: layers that read the sentence in both directions",
      wholeNonNegative,
      NETWORK_DEFAULTS.layers,
    )
    .option(
      "--width <n>",
      "network: units of a layer in each direction, a multiple of 8",
      multipleOf8,
      NETWORK_DEFAULTS.width,
    )
    .option(
      "--hidden <n>",
      "network: units between configurations and scores, a multiple of 8",
      multipleOf8,
      NETWORK_DEFAULTS.hidden,
    )
    .option(
      "--dropout <p>",
      "network: leave out units with this probability while learning",
      share,
      NETWORK_DEFAULTS.dropout,
    )
    .option("--vectors <file>", "network: pre-trained vectors of words (text format of word2vec, may be gzipped)")
    .option(
      "--vector-words <n>",
      "network: keep the vectors of so many words besides those of the training data",
      wholeNonNegative,
      NETWORK_DEFAULTS.vectorWords,
    )
    .option(
      "--threads <n>",
      "network: threads that learn, 0 for all cores; any number gives the same model",
      wholeNonNegative,
      NETWORK_DEFAULTS.threads,
    )
    .addOption(new Option("--preset <name>", "what to train, in one word (see below)").choices(Object.keys(PRESETS)))
    .option("--licence <text>", "licence of the training data, to be kept in the model")
    .option("--resume", "take up a killed run at its last checkpoint")
    .option("--json", "print the result as JSON")
    .option("--strict", "stop at the first error in a treebank")
    .addHelpText("after", HELP)
    .action(guarded(train));
}

/** What help says of a default that depends on the learner. */
function defaultOf(name: string): string {
  const values = LEARNERS.map((learner) => (REGULARIZATION[learner] as Record<string, number>)[name]);
  return `(default: ${[...new Set(values)].filter((value) => value !== undefined).join(" or ")})`;
}

const number = (accepts: (n: number) => boolean, expected: string) => (text: string) => {
  const n = Number(text);
  if (text.trim() === "" || !Number.isFinite(n) || !accepts(n)) throw new InvalidArgumentError(`expected ${expected}`);
  return n;
};
const positive = number((n) => Number.isInteger(n) && n > 0, "a whole number above 0");
const whole = number(Number.isInteger, "a whole number");
const probability = number((n) => n >= 0 && n <= 1, "a number from 0 to 1");
const multipleOf8 = number((n) => Number.isInteger(n) && n > 0 && n % 8 === 0, "a multiple of 8 above 0");
const share = number((n) => n >= 0 && n < 1, "a number from 0 to below 1");
const wholeNonNegative = number((n) => Number.isInteger(n) && n >= 0, "a whole number, 0 or more");
const nonNegative = number((n) => n >= 0, "0 or more");
const aboveZero = number((n) => n > 0, "a number above 0");

interface EpochScore {
  epoch: number;
  uas: number;
  las: number;
}

async function train(file: string, options: Options, command: Command): Promise<void> {
  if (options.preset) applyPreset(options.preset, options, command);
  if (options.network) checkNetwork(options, command);
  const settings = await settingsOf(options);
  const report = new ReadReport();
  const hash = createHash("sha256");
  if (options.partial && options.oracle !== "dynamic")
    throw new FileError(
      `invalid --partial: ${options.oracle} oracles need a head for every word (use --oracle dynamic)`,
    );
  const sentences = await readAll(file, options, report, hash, options.partial);
  const dev = options.dev === undefined ? undefined : await readAll(options.dev, options, report);
  if (sentences.length === 0) throw new FileError(`${file}: no sentences to train on`);
  if (dev && dev.length === 0) throw new FileError(`${options.dev}: no sentences to test on`);
  const say = (text: string) => process.stderr.write(`${text}\n`);
  if (options.joint && !options.pipeline) throw new FileError("invalid --joint: it needs --pipeline");
  const prepared = options.pipeline ? prepare(sentences, options, say) : undefined;
  if (prepared?.joint) settings.joint = prepared.joint;
  const test = dev && (prepared?.predicted(dev) ?? dev);
  let training: Training | NeuralTraining;
  let run = (onWords: (words: number) => void) => training.runEpoch(onWords);
  let close = async () => {};
  try {
    if (options.network) {
      const network = await networkTraining(prepared?.sentences ?? sentences, settings, options);
      training = network.training;
      run = network.runEpoch;
      close = network.close;
    } else training = new Training(prepared?.sentences ?? sentences, settings);
  } catch (error) {
    if (error instanceof TemplateError || error instanceof RangeError) throw new FileError(error.message);
    throw error;
  }
  const { data } = training;
  say(
    `${data.sentences} sentences, ${data.words} words, ${training.labels.length} labels; ` +
      `${settings.system}, ${settings.regime} oracle, root ${settings.root}, ${options.network ? "network" : settings.learner}` +
      (settings.beam ? `, beam ${settings.beam}` : "") +
      (data.partial ? `; ${data.partial} trees lack heads` : "") +
      (data.projectivized ? `; ${data.projectivized} trees made projective` : "") +
      (data.skipped ? `; ${data.skipped} trees left out, ${settings.system} cannot build them` : ""),
  );

  const dataHash = hash.digest("hex");
  const networkSettings = options.network ? await networkSettingsOf(options) : undefined;
  const origin = {
    program: "stemma",
    treebank: { name: basename(file), sha256: dataHash, ...data },
    options: {
      ...settings,
      ...networkSettings,
      templates: undefined,
      templatesSource: options.features && basename(options.features),
    },
    ...(options.licence === undefined ? {} : { licence: options.licence }),
  };
  const scores: EpochScore[] = [];
  let best: { score: EpochScore; bytes: Uint8Array } | undefined;
  const fingerprint = createHash("sha256")
    .update(dataHash)
    .update(JSON.stringify([settings, options.pipeline ? options.folds : 0, networkSettings]))
    .update(options.dev ? await hashOf(options.dev) : "")
    .digest("hex");
  const checkpoint = `${options.model}.checkpoint`;
  if (options.resume && existsSync(checkpoint)) {
    const saved = await loadCheckpoint(checkpoint, fingerprint);
    training.restore(saved.state as never);
    scores.push(...(saved.scores as EpochScore[]));
    if (saved.best) best = { score: saved.best.score as EpochScore, bytes: saved.best.bytes };
    say(`resumed after epoch ${training.epoch}`);
  } else if (options.resume) say(`${checkpoint}: not there, starting from the beginning`);

  const started = performance.now();
  while (training.epoch < settings.epochs) {
    const progress = new Progress(`epoch ${training.epoch + 1}/${settings.epochs}`, data.words, "words");
    const begun = performance.now();
    run((words) => progress.at(words));
    progress.done();
    const seconds = (performance.now() - begun) / 1000;
    const score: EpochScore = { epoch: training.epoch, uas: 0, las: 0 };
    let line = `epoch ${training.epoch}: ${Math.round(data.words / seconds)} words/s`;
    const isLast = training.epoch === settings.epochs;
    if (test || isLast) {
      const model = training.model();
      if (test) {
        const { uas, las } = attachment(model, test);
        score.uas = round(100 * uas);
        score.las = round(100 * las);
        line += `, UAS ${score.uas.toFixed(2)}, LAS ${score.las.toFixed(2)}`;
      }
      scores.push(score);
      if (!best || !test || score.las > best.score.las) {
        if (test) model.header.confidence = fitConfidence(model, test);
        const from = { ...origin, ...(test ? { dev: { name: basename(options.dev!), ...score } } : {}) };
        Object.assign(model.header.origin, JSON.parse(JSON.stringify(from)));
        best = { score, bytes: writeModel(new PipelineModel({ ...prepared, parser: model })) };
        if (test) line += " (best so far)";
      }
    }
    say(line);
    if (!isLast) await saveCheckpoint(checkpoint, { fingerprint, state: training.save(), scores, best });
  }
  await close();
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

/** Options of linear models that would do nothing. */
const LINEAR_ONLY = [
  "learner",
  "margin",
  "minUpdates",
  "featureDropout",
  "prune",
  "members",
  "afterUpdate",
  "lossBound",
  "joint",
];

function checkNetwork(options: Options, command: Command): void {
  for (const name of LINEAR_ONLY) {
    if (command.getOptionValueSource(name) !== "cli") continue;
    // Of a pipeline the taggers are averaged.
    if (name === "members" && options.pipeline) continue;
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new FileError(
      `invalid --${flag}: ${options[name as keyof Options]} (a linear model has it, a network has not)`,
    );
  }
}

/** What the result depends on besides the options of all models; not the threads. */
async function networkSettingsOf({ layers, width, hidden, dropout, vectors, vectorWords }: Options): Promise<object> {
  const sizes = { network: true, layers, width, hidden, dropout };
  if (vectors === undefined) return sizes;
  return { ...sizes, vectors: { name: basename(vectors), sha256: await hashOf(vectors), words: vectorWords } };
}

/** Train what comes before the parser, and say how it goes. */
function prepare(sentences: Sentence[], options: Options, say: (text: string) => void): PreparedPipeline {
  const { seed, folds, members, tagsPerWord, tagMargin } = options;
  let progress: Progress | undefined;
  let current = "";
  const prepared = preparePipeline(sentences, {
    seed,
    folds,
    members,
    joint: options.joint ? { perWord: tagsPerWord, margin: tagMargin } : undefined,
    onStep(step, done) {
      if (step !== current) {
        progress?.done();
        progress = new Progress(step, 100, "%");
        current = step;
      }
      progress!.at(100 * done);
    },
  });
  progress?.done();
  say("segmenter, tagger and lemmatiser trained");
  return prepared;
}

function round(n: number): number {
  return Math.round(100 * n) / 100;
}

async function readAll(
  file: string,
  options: Options,
  report: ReadReport,
  hash?: ReturnType<typeof createHash>,
  partial = false,
): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for await (const sentence of readSentences(file, { strict: options.strict, requireTree: !partial, report })) {
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
  const { learner } = options;
  for (const [name, of] of [
    ["margin", "perceptron"],
    ["rate", "logistic"],
  ] as const) {
    if (options[name] !== undefined && learner !== of && !options.network)
      throw new FileError(`invalid --${name}: ${options[name]} (only --learner ${of} has it, not ${learner})`);
  }
  const structured = options.beam !== undefined && !options.network;
  for (const name of ["update", "lowestLoss"] as const) {
    if (options[name] !== undefined && !structured)
      throw new FileError(`invalid --${name === "update" ? name : "lowest-loss"}: it needs --beam, without --network`);
  }
  if (structured && learner !== "perceptron")
    throw new FileError(`invalid --beam: ${options.beam} (only --learner perceptron has one, not ${learner})`);
  const { prune: _, ...regularization } = options.network ? { prune: 0 } : REGULARIZATION[learner];
  let templates = options.network ? defaultView(options.system) : defaultTemplates(options.system);
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
    epochs: options.epochs ?? (options.network ? NETWORK_DEFAULTS.epochs : EPOCHS),
    seed: options.seed,
    members: options.members,
    exploreFrom: options.exploreFrom,
    exploreProbability: options.exploreProbability,
    lossBound: options.lossBound ?? Number.POSITIVE_INFINITY,
    afterUpdate: options.afterUpdate,
    ...(options.network ? {} : { learner }),
    ...(structured ? STRUCTURED : regularization),
    ...(options.beam === undefined ? {} : { beam: options.beam }),
    ...(structured ? { update: options.update ?? UPDATES[0] } : {}),
    ...(options.lowestLoss ? { lowestLoss: true } : {}),
    ...(options.margin === undefined ? {} : { margin: options.margin }),
    ...(options.rate === undefined ? {} : { rate: options.rate }),
    ...(options.minUpdates === undefined ? {} : { minUpdates: options.minUpdates }),
    ...(options.wordDropout === undefined ? {} : { wordDropout: options.wordDropout }),
    ...(options.featureDropout === undefined ? {} : { featureDropout: options.featureDropout }),
    ...(options.projectivize === undefined ? {} : { projectivize: options.projectivize }),
    ...(options.prune === undefined ? {} : { prune: options.prune }),
  };
}
