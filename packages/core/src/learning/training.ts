import { check, checkRequired, type Expectation, FUNCTION, shown } from "../checks/options.js";
import { checkedList, holding, OBJECT } from "../checks/shapes.js";
import { parseTemplates, type TemplateSet } from "../features/templates.js";
import { epochOrder, Random } from "../math/random.js";
import type { ModelHeader } from "../parser/model-header.js";
import { ParserModel } from "../parser/parser.js";
import type { TreeParserModel } from "../parser/tree-parser.js";
import { createSystem } from "../registry/systems.js";
import { systemTraining } from "../registry/training.js";
import { Classes } from "../scoring/classes.js";
import { LinearModel } from "../scoring/linear/linear-model.js";
import { scaleOf } from "../scoring/linear/quantized-weights.js";
import type { SystemSettings } from "../systems/settings.js";
import type { TransitionSystem } from "../systems/system.js";
import type { Scheme } from "../treebank/pseudo-projective.js";
import {
  changedSettings,
  type Example,
  type Examples,
  fittedOptions,
  manyRoots,
  readExamples,
  type TrainingData,
  type TreebankSentence,
} from "./examples.js";
import type { UpdateStrategy } from "./linear/beam-violation.js";
import { meanOf, memberSeed } from "./linear/mixture.js";
import { type OnlineOptions, OnlineTrainer, REGULARIZATION } from "./linear/online.js";
import { type StructuredOptions, StructuredTrainer } from "./linear/structured.js";
import type { SavedWeights } from "./linear/weights.js";
import { LINEAR_OPTIONS, REQUIRED, TREEBANK_SENTENCE } from "./option-checks.js";

/** Options of `Training`. */
export interface TrainOptions extends OnlineOptions {
  system: string;
  /** Settings of the system besides its defaults. */
  systemSettings?: SystemSettings | undefined;
  root: "first" | "last" | "none";
  /**
   * Whether every tree that the parser builds has exactly one root; by default if all trees of the training data have
   * one.
   */
  singleRoot?: boolean | undefined;
  /**
   * Permit in training, too, only what leads to one root. By default the model learns that by itself, which is as
   * accurate (docs/experiments/systems.md).
   */
  oneRootInTraining?: boolean | undefined;
  templates: string;
  /** Name of the templates in errors. */
  templatesSource?: string | undefined;
  /** Train with a beam of this width, for a parser that has one; greedy if not given. */
  beam?: number | undefined;
  /** With a beam: which parts of derivations an update compares. */
  update?: UpdateStrategy | undefined;
  /** With a beam: when no correct hypothesis is left in it, learn from the one that has lost least. */
  lowestLoss?: boolean | undefined;
  /** With a beam: learn from single steps as well. */
  singleSteps?: boolean | undefined;
  /**
   * With a beam: in how many epochs, the last ones, the perceptron learns from whole derivations; all if not given, 0
   * for a beam that is used for parsing only. The others learn step by step, as without a beam, and so does logistic
   * regression always.
   */
  globalEpochs?: number | undefined;
  epochs: number;
  seed: number;
  /**
   * So many parsers, each with another seed, whose weights are averaged: more accurate and as fast, but longer to
   * train. 1 if not given.
   */
  members?: number | undefined;
  /** Make non-projective training trees projective, and undo it after parsing. */
  projectivize?: Scheme | undefined;
  /** Weights (averages) smaller than this are left out of the model; by default what suits the learner. */
  prune?: number | undefined;
}

/** The parts of a trainer: see `OnlineTrainer`. */
export type TrainerParts = ConstructorParameters<typeof OnlineTrainer>;

/** Gives what learns step by step from these examples. */
export type CreateOnline = (examples: Examples, ...parts: TrainerParts) => OnlineTrainer;

/** The state to be kept between two epochs. */
export interface TrainingState {
  epoch: number;
  members: { time: number; updates: number; weights: SavedWeights }[];
}

/** How many heads of a treebank, and how many heads with their labels, are right. */
export interface Attachment {
  words: number;
  uas: number;
  las: number;
}

/**
 * The weights of a perceptron grow with the number of its updates: it takes so many before weights below 1 are left out
 * by default, three times as many before those below 3 are. A treebank of a few hundred sentences would lose most of
 * its labels otherwise.
 */
const UPDATES_TO_PRUNE = 30_000;

/**
 * A perceptron learns scores step by step, not logarithms of probabilities. But if so much for each template
 * is taken for a logarithm of 1, sums of logarithms can be compared, and a beam finds better trees than greedy search
 * does (docs/experiments/beam.md). The larger the margin, the farther apart the scores are.
 */
const LOG_UNIT = { base: 0.1, margin: 0.4 } as const;

/** Training of a greedy parser, epoch by epoch. The state between two epochs can be saved and taken up again. */
export class Training<Options extends TrainOptions = TrainOptions> {
  readonly data: TrainingData;
  /** With the settings of the system that suit the training data, where none are given. */
  readonly options: Options;
  readonly labels: string[];
  readonly trainers: readonly (OnlineTrainer | StructuredTrainer)[];
  readonly system: TransitionSystem;
  /** Number of finished epochs. */
  epoch = 0;
  private readonly examples: readonly Example[];
  protected readonly leftLabels: number[];
  protected readonly rightLabels: number[];
  protected readonly random = new Random(0);
  private readonly templates: string;
  private readonly templateCount: number;
  /** In how many epochs whole derivations are learned from. */
  private readonly globalEpochs: number;

  /** `createOnline` gives what learns step by step, if that is not as usual. */
  constructor(sentences: Iterable<TreebankSentence>, given: Options, createOnline?: CreateOnline) {
    checkRequired("Training", given, this.expected, [...REQUIRED, "lossBound", "afterUpdate"]);
    const list = checkedList("sentences", sentences, ...TREEBANK_SENTENCE);
    const options = fittedOptions(given, list);
    this.options = options;
    const { system, root, oneRootInTraining } = options;
    this.system = createSystem(system, { root, singleRoot: oneRootInTraining, ...options.systemSettings });
    const { context } = this.system.description;
    this.templates = this.templateText();
    const templates: TemplateSet = parseTemplates(this.templates, options.templatesSource ?? "templates", context);
    if (createOnline !== undefined) check("createOnline", createOnline, FUNCTION);
    const read = readExamples(list, this.system, options.oracle, options.projectivize);
    const { examples, labels, leftLabels, rightLabels, data } = read;
    this.templateCount = templates.templates.length;
    const globalEpochs = this.globalEpochsOf(options);
    this.globalEpochs = globalEpochs;
    this.examples = examples;
    this.labels = labels;
    this.leftLabels = leftLabels;
    this.rightLabels = rightLabels;
    this.data = data;
    const classes = this.createClasses();
    this.trainers = Array.from({ length: options.members ?? 1 }, () =>
      globalEpochs > 0
        ? this.createStructured(classes, templates, {
            ...options,
            beam: options.beam!,
            globalFrom: options.epochs - globalEpochs + 1,
          })
        : (createOnline ?? onlineTrainer)(read, this.system, classes, templates, options, this.random),
    );
    for (const trainer of this.trainers) for (const { words } of this.examples) trainer.count(words);
  }

  /** Its options; called by the constructor. */
  protected get expected(): Readonly<Record<string, Expectation>> {
    return LINEAR_OPTIONS satisfies Readonly<Record<keyof TrainOptions, Expectation>>;
  }

  /** The text of the templates; called by the constructor. */
  protected templateText(): string {
    return this.options.templates;
  }

  /** The classes of the weights; called by the constructor. */
  protected createClasses(): Classes {
    return new Classes(this.system, this.labels.length, this.leftLabels, this.rightLabels);
  }

  /** The learner from whole derivations; called by the constructor. */
  protected createStructured(
    classes: Classes,
    templates: TemplateSet,
    options: TrainOptions & StructuredOptions,
  ): StructuredTrainer {
    return new StructuredTrainer(this.system, classes, templates, options, this.random);
  }

  /** Go through the training data once. `onSentence` is called with the number of words done. */
  runEpoch(onSentence?: (words: number) => void): void {
    if (onSentence !== undefined) check("onSentence", onSentence, FUNCTION);
    for (const words of this.epochSteps()) onSentence?.(words);
  }

  /** Go through the training data once, a sentence at a step, each of which gives how many words are done. */
  *epochSteps(): Generator<number, void, void> {
    const { random, examples, options } = this;
    this.epoch++;
    let words = 0;
    for (const [member, trainer] of this.trainers.entries()) {
      const order = epochOrder(random, memberSeed(options.seed, member), this.epoch, examples.length);
      for (let i = 0; i < order.length; i++) {
        const example = examples[order[i]!]!;
        trainer.learn(example, this.epoch);
        words += (example.heads.length - 1) / this.trainers.length;
        yield words;
      }
    }
  }

  /** The state after the last finished epoch: arrays share memory with the trainers. */
  save(): TrainingState {
    const members = this.trainers.map(({ time, updates, weights }) => ({ time, updates, weights: weights.save() }));
    return { epoch: this.epoch, members };
  }

  /** Take up what `save` gave, from a training with the same data and options. */
  restore(state: TrainingState): void {
    const { epoch, members } = state ?? {};
    const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
    const fits = isCount(epoch) && Array.isArray(members) && members.length === this.trainers.length;
    if (
      !fits ||
      !members.every((member) => isCount(member?.time) && isCount(member.updates) && OBJECT.accepts(member.weights))
    ) {
      throw new RangeError(`invalid state: ${shown(state)} (expected one that save gave, with these options)`);
    }
    this.trainers.forEach((trainer, member) => {
      const { time, updates, weights } = members[member]!;
      trainer.time = time;
      trainer.updates = updates;
      trainer.weights.restore(weights);
    });
    this.epoch = epoch;
  }

  /** The model with the averaged weights of now. */
  model(origin: Record<string, unknown> = {}): ParserModel {
    check("origin", origin, OBJECT);
    const { options, trainers } = this;
    const header: ModelHeader = {
      system: options.system,
      root: options.root,
      ...manyRoots(options.singleRoot, this.data),
      ...changedSettings(options),
      templates: this.templates,
      labels: this.labels,
      leftLabels: this.leftLabels,
      rightLabels: this.rightLabels,
      ...(options.projectivize === undefined ? {} : { projectivized: options.projectivize }),
      ...(options.beam === undefined ? {} : { beam: options.beam }),
      origin,
    };
    const { featureCount } = trainers[0]!;
    const averages = meanOf(trainers.map((trainer) => trainer.averages));
    const unit = this.logUnit();
    if (unit > 0) header.logUnit = Number((unit * scaleOf(averages, featureCount)).toPrecision(6));
    const linear = LinearModel.from(averages, options.prune ?? this.defaultPrune(), featureCount);
    return this.createModel(header, linear);
  }

  protected createModel(header: ModelHeader, linear: LinearModel): ParserModel {
    return new ParserModel(header, linear);
  }

  /** The score that corresponds to a logarithm of 1; 0 if the scores of now are to be added up as they are. */
  protected logUnit(): number {
    const { learner = "perceptron", margin = REGULARIZATION.perceptron.margin } = this.options;
    if (learner === "logistic") return 1;
    if (learner !== "perceptron") return 0;
    if (Math.max(1, this.epoch) > this.options.epochs - this.globalEpochs) return 0;
    return (LOG_UNIT.base + LOG_UNIT.margin * margin) * this.templateCount;
  }

  /** In how many epochs whole derivations are learned from; called by the constructor. */
  protected globalEpochsOf({ beam, epochs, learner = "perceptron", globalEpochs }: Options): number {
    const refuse = (expected: string) => {
      throw new RangeError(`invalid globalEpochs: ${globalEpochs} (expected ${expected})`);
    };
    if (beam === undefined) return globalEpochs ? refuse("0 without a beam") : 0;
    if (globalEpochs === undefined) return learner === "logistic" ? 0 : epochs;
    if (globalEpochs > epochs) refuse(`at most ${epochs}, the number of epochs`);
    if (globalEpochs > 0 && learner !== "perceptron") refuse("0: only the perceptron learns from whole derivations");
    return globalEpochs;
  }

  private defaultPrune(): number {
    const { learner = "perceptron" } = this.options;
    const { prune } = REGULARIZATION[learner];
    return learner === "perceptron" ? Math.min(prune, this.trainers[0]!.updates / UPDATES_TO_PRUNE) : prune;
  }
}

function onlineTrainer(_: Examples, ...parts: TrainerParts): OnlineTrainer {
  return new OnlineTrainer(...parts);
}

/**
 * Parse sentences and count right heads, and right heads with right labels; punctuation included, full labels. A word
 * that is to be left out is right if it is, for the same reason. `onSentence` is told the counts of each, and of each
 * word whether its head is right (1), and its label, too (2).
 */
export function attachment(
  model: Pick<TreeParserModel, "createParser">,
  sentences: Iterable<TreebankSentence>,
  onSentence?: (uas: number, las: number, right: Uint8Array) => void,
): Attachment {
  check("model", model, holding("a ParserModel", "createParser"));
  if (onSentence !== undefined) check("onSentence", onSentence, FUNCTION);
  const parser = model.createParser();
  const wordsLeftOut = model instanceof ParserModel ? systemTraining(model.system.name).wordsLeftOut : undefined;
  let words = 0;
  let uas = 0;
  let las = 0;
  for (const sentence of checkedList("sentences", sentences, ...TREEBANK_SENTENCE)) {
    const { heads, labels, leftOut } = parser.parse(sentence);
    const gone = wordsLeftOut?.(
      sentence.heads,
      [...labels.keys()].map((d) => (d > 0 ? sentence.deprel(d) : "")),
    );
    const before = { uas, las };
    const right = new Uint8Array(onSentence ? sentence.length + 1 : 0);
    for (let d = 1; d <= sentence.length; d++) {
      words++;
      if ((leftOut?.[d] ?? 0) !== (gone?.[d] ?? 0)) continue;
      if (gone && gone[d]! > 0) {
        uas++;
        las++;
        right[d] = 2;
        continue;
      }
      if (heads[d] !== sentence.heads[d]) continue;
      uas++;
      right[d] = 1;
      if (labels[d] !== sentence.deprel(d)) continue;
      las++;
      right[d] = 2;
    }
    onSentence?.(uas - before.uas, las - before.las, right);
  }
  return { words, uas: words ? uas / words : 0, las: words ? las / words : 0 };
}
