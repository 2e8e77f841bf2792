import { check, checkRequired, type Expectation, FUNCTION, shown } from "../../checks/options.js";
import { checkedList, OBJECT } from "../../checks/shapes.js";
import { parseTemplates } from "../../features/templates.js";
import type { GrowingMemory } from "../../kernels/kernel.js";
import { Random } from "../../math/random.js";
import type { ModelHeader } from "../../parser/model-header.js";
import { ParserModel } from "../../parser/parser.js";
import { createSystem } from "../../registry/systems.js";
import { systemTraining } from "../../registry/training.js";
import { Classes } from "../../scoring/classes.js";
import { FIRST_ROW, INPUT_KINDS, type InputKind, InputTable, MOST_KEYS } from "../../scoring/network/inputs.js";
import type { TrainedNetwork } from "../../scoring/network/network-data.js";
import { type NeuralModel, neuralModel } from "../../scoring/network/neural-model.js";
import { MOST_MAGNITUDE } from "../../scoring/network/quantization.js";
import { type Activation, type NetworkHeader, type NetworkView, networkView } from "../../scoring/network/shape.js";
import type { OracleName } from "../../systems/oracles/oracle.js";
import type { SystemSettings } from "../../systems/settings.js";
import type { Scheme } from "../../treebank/pseudo-projective.js";
import type { TrainingData, TreebankSentence } from "../examples.js";
import { changedSettings, type Example, type Examples, fittedOptions, manyRoots, readExamples } from "../examples.js";
import { NETWORK_OPTIONS, REQUIRED, TREEBANK_SENTENCE } from "../option-checks.js";
import type { WordVectors } from "../vectors.js";
import { adamStep } from "./adam.js";
import type { Dropout } from "./dropout-masks.js";
import type { ContextualTreebank } from "./lane/lane-contextual.js";
import type { LaneLearner, NetworkTask } from "./lane-learner.js";
import { type NetworkExamples, packExamples, tableFor } from "./network-examples.js";
import { NetworkLearner } from "./network-learner.js";

/** Options of `NeuralTraining`. */
export interface NeuralOptions {
  system: string;
  /** Settings of the system besides its defaults. */
  systemSettings?: SystemSettings | undefined;
  root: "first" | "last" | "none";
  /**
   * Whether every tree that the parser builds has exactly one root; by default if all trees of the training data have
   * one.
   */
  singleRoot?: boolean | undefined;
  /** The view of the network on a configuration: see NetworkView. */
  templates: string;
  /** Name of the templates in errors. */
  templatesSource?: string | undefined;
  oracle: OracleName;
  exploreFrom: number;
  exploreProbability: number;
  epochs: number;
  seed: number;
  projectivize?: Scheme | undefined;
  /** Numbers in the embeddings of each kind. */
  inputs: Partial<Record<InputKind, number>>;
  /** Words, lemmas and affixes that have embeddings of their own, the most frequent ones of each; all if not given. */
  vocabulary?: number | undefined;
  layers: number;
  width: number;
  hidden: number;
  dropout: Dropout;
  /** The step size of Adam at the beginning; it falls to nearly 0 in a straight line. */
  rate: number;
  /** Pre-trained vectors of words. */
  vectors?: WordVectors | undefined;
  /** Let the vectors change in training; they stay as they are if not given. */
  trainVectors?: boolean | undefined;
  /** The activation of the hidden layer; `relu` if not given. */
  activation?: Activation | undefined;
  /** The sentences with contextual vectors of their words. */
  contextual?: ContextualTreebank | undefined;
  /** The beam that the model is to parse with, if it is not to be greedy. */
  beam?: number | undefined;
  /** In how many epochs, the last ones, the network learns with the beam, from whole derivations; 0 if not given. */
  globalEpochs?: number | undefined;
  /** Threads that will share the memory; the result is the same for every number. */
  threads?: number | undefined;
}

/** The examples of a network, its inputs and its classes. */
export interface NetworkLesson extends Examples {
  readonly view: NetworkView;
  /** The templates of the view. */
  readonly templates: string;
  readonly classes: number;
  /** Steps that a word takes, at most. */
  readonly stepsPerWord: number;
}

/** The state to be kept between two epochs. */
export interface NeuralState {
  epoch: number;
  batch: number;
  bytes: Uint8Array;
}

/**
 * A batch is this many lanes of at least this many words, fewer where there is little to learn from: more, smaller
 * steps.
 */
const LANES = 4;
const MOST_LANE_WORDS = 128;
const FEWEST_LANE_WORDS = 24;
const LANES_PER_EPOCH = 1600;
/** Rows of tables that a word has, at most: all keys of the bags, and one of each other kind. */
const MOST_ROWS = 2 * MOST_KEYS + INPUT_KINDS.length;
/** The step size at the end, as a part of that at the beginning. */
const LAST_RATE = 0.03;
/** Averages are brought forward after this many batches (more often where there are few batches), … */
const FOLLOW_EVERY = 10;
const MOST_FOLLOWED = 200;
/** … and then forget this part of what they were. */
const FORGET = 0.01;
/** At first, the averages go back over one part in this many of the batches so far. */
const MEMORY = 5;

/** Sums that are cubed begin smaller: six times the variance of others would be two hundred times theirs. */
const CUBED = 2;

/** The size of the numbers of contextual vectors, at first. */
const CONTEXTUAL_SIZE = 0.5;

/** Runs the lanes of a batch: one after the other, or in threads. */
export type RunLanes = (batch: number) => void;

/** Training of a network, epoch by epoch, whatever it is for. */
export abstract class NetworkTraining<Options extends NeuralOptions = NeuralOptions> {
  readonly data: TrainingData;
  /** With the settings of the system that suit the training data, where none are given. */
  readonly options: Options;
  readonly labels: readonly string[];
  readonly learner: LaneLearner;
  readonly task: NetworkTask;
  readonly header: NetworkHeader;
  /** Number of finished epochs. */
  epoch = 0;
  /** The mean loss of a word in the last epoch. */
  loss = 0;
  private batch = 0;
  private readonly keys: readonly Uint32Array[];
  private batches = 0;

  constructor(sentences: Iterable<TreebankSentence>, given: Options) {
    const sizes = ["inputs", "layers", "width", "hidden", "dropout", "rate"];
    checkRequired(new.target.name, given, this.expected, [...REQUIRED, ...sizes]);
    const list = checkedList("sentences", sentences, ...TREEBANK_SENTENCE);
    const options = this.fitted(given, list);
    this.options = options;
    const { system: name, root, oracle, inputs: dims, seed, dropout, threads = 1 } = options;
    const read = this.read(list, options);
    const { examples, labels, leftLabels, rightLabels, data, view, classes } = read;
    this.data = data;
    this.labels = labels;
    const words = examples.map((example) => example.words);
    const kinds = (Object.keys(dims) as InputKind[]).filter(
      (kind) => dims[kind]! > 0 && kind !== "vector" && kind !== "contextual",
    );
    const tables = kinds.map((kind) => tableFor(kind, words, options.vocabulary));
    const inputs = tables.map(({ table }) => ({ kind: table.kind, dim: dims[table.kind]!, rows: table.size }));
    const { vectors } = options;
    if (vectors) {
      const table = new InputTable("vector", vectors.keys);
      tables.push({ table, counts: new Int32Array(table.size) });
      inputs.push({ kind: "vector", dim: vectors.dim, rows: table.size });
    }
    const { contextual } = options;
    if (contextual) {
      const table = new InputTable("contextual", new Uint32Array());
      tables.push({ table, counts: new Int32Array(table.size) });
      inputs.push({ kind: "contextual", dim: contextual.contextual.size, rows: table.size });
    }
    this.keys = tables.map(({ table }) => table.keys);
    this.header = {
      inputs,
      ...(contextual ? { mixed: contextual.contextual.mixed } : {}),
      layers: options.layers,
      width: options.width,
      hidden: options.hidden,
      ...(options.activation === "cube" ? { activation: "cube" } : {}),
    };
    const packed = this.pack(
      examples,
      tables.map(({ table }) => table),
      threads > 1,
    );
    const { begins, from } = packed;
    let longest = 0;
    let mostRows = 0;
    for (let s = 0; s < examples.length; s++) {
      const nodes = begins[s + 1]! - begins[s]!;
      longest = Math.max(longest, nodes);
      mostRows = Math.max(mostRows, from[begins[s + 1]! * inputs.length]! - from[begins[s]! * inputs.length]!);
    }
    const lanes = Math.round(data.words / LANES_PER_EPOCH);
    const laneWords = Math.max(FEWEST_LANE_WORDS, Math.min(MOST_LANE_WORDS, lanes));
    const rows = laneWords + longest;
    this.task = {
      size: {
        header: this.header,
        view,
        classes,
        lanes: LANES,
        rows,
        steps: read.stepsPerWord * rows + 2,
        entries: mostRows + MOST_ROWS * laneWords,
        ...(options.trainVectors ? { trainVectors: true } : {}),
        ...(view.arcs ? { arcNodes: longest } : {}),
      },
      examples: packed,
      ...(contextual ? { contextual: contextual.nodes(words) } : {}),
      counts: tables.map(({ counts }) => counts),
      system: name,
      root,
      settings: options.systemSettings ?? {},
      templates: read.templates,
      labels: labels.length,
      leftLabels,
      rightLabels,
      oracle,
      exploreFrom: options.exploreFrom,
      exploreProbability: options.exploreProbability,
      ...globalOf(options),
      seed,
      dropout,
      laneWords,
    };
    this.learner = this.createLearner(this.task, threads);
    this.initialize(new Random(scrambled(seed)));
  }

  /** The examples among the sentences, and what the network sees of them; called by the constructor. */
  protected abstract read(sentences: readonly TreebankSentence[], options: Options): NetworkLesson;

  /** The options with settings that suit the training data, where none are given; called by the constructor. */
  protected fitted(options: Options, _sentences: readonly TreebankSentence[]): Options {
    return options;
  }

  /** Its options; called by the constructor. */
  protected get expected(): Readonly<Record<string, Expectation>> {
    return NETWORK_OPTIONS;
  }

  /** The examples as numbers; called by the constructor. */
  protected pack(examples: readonly Example[], tables: readonly InputTable[], shared: boolean): NetworkExamples {
    return packExamples(examples, tables, shared);
  }

  /** The learner, on a memory of its own; called by the constructor. */
  protected abstract createLearner(task: NetworkTask, threads: number): LaneLearner;

  /** Go through the training data once. `onBatch` is called with the number of words done. */
  runEpoch(onBatch?: (words: number) => void, runLanes?: RunLanes): void {
    if (onBatch !== undefined) check("onBatch", onBatch, FUNCTION);
    for (const words of this.epochSteps(runLanes)) onBatch?.(words);
  }

  /** Go through the training data once, a batch at a step, each of which gives how many words are done. */
  epochSteps(runLanes?: RunLanes): Generator<number, void, void> {
    if (runLanes !== undefined) check("runLanes", runLanes, FUNCTION);
    return this.steps(runLanes);
  }

  private *steps(runLanes: RunLanes | undefined): Generator<number, void, void> {
    const { learner } = this;
    this.epoch++;
    this.batches = learner.begin(this.epoch);
    let words = 0;
    let loss = 0;
    for (let batch = 0; batch < this.batches; batch++) {
      if (runLanes) runLanes(batch);
      else for (let lane = 0; lane < LANES; lane++) learner.run(batch, lane);
      loss += learner.memory.loss;
      this.descend(batch / this.batches);
      words += learner.words(batch);
      yield words;
    }
    this.loss = loss / Math.max(1, words);
  }

  /** Take a step, and bring the averages forward now and then. `done`: how much of the epoch is. */
  private descend(done: number): void {
    const { memory } = this.learner;
    const { kernel, dense, toAverage } = memory;
    const { epochs, rate } = this.options;
    this.batch++;
    const progress = (this.epoch - 1 + done) / epochs;
    adamStep(memory, rate * Math.max(LAST_RATE, 1 - progress * (1 - LAST_RATE)), this.batch);
    memory.transpose();
    const every = Math.max(1, Math.min(FOLLOW_EVERY, Math.floor((this.batches * epochs) / MOST_FOLLOWED)));
    if (this.batch % every > 0) return;
    const part = Math.min(1, Math.max((FORGET * every) / FOLLOW_EVERY, (MEMORY * every) / this.batch));
    kernel.follow(dense.at + toAverage, dense.at, dense.size + memory.tables.size, part);
  }

  /** The state after the last finished epoch: arrays share memory with the training. */
  save(): NeuralState {
    const { memory, at, bytes } = this.learned();
    return { epoch: this.epoch, batch: this.batch, bytes: new Uint8Array(memory.buffer, at, bytes) };
  }

  /** Take up what `save` gave, from a training with the same data and options. */
  restore(state: NeuralState): void {
    const { epoch, batch, bytes } = state ?? {};
    const { memory, at, bytes: length } = this.learned();
    const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
    if (!isCount(epoch) || !isCount(batch) || !(bytes instanceof Uint8Array) || bytes.length !== length) {
      throw new RangeError(`invalid state: ${shown(state)} (expected one that save gave, with these options)`);
    }
    const numbers = new Float32Array(bytes.slice().buffer);
    if (!numbers.every((value) => Math.abs(value) <= MOST_MAGNITUDE)) {
      throw new RangeError(`invalid state: not all numbers are from ${-MOST_MAGNITUDE} to ${MOST_MAGNITUDE}`);
    }
    this.epoch = epoch;
    this.batch = batch;
    new Uint8Array(memory.buffer).set(bytes, at);
    this.learner.memory.transpose();
  }

  /** Where parameters, moments and averages are: one block. */
  private learned(): { memory: GrowingMemory; at: number; bytes: number } {
    const { memory, dense, toFirst } = this.learner.memory;
    return { memory, at: dense.at, bytes: 4 * toFirst };
  }

  /** The network as models have it. */
  protected weights(): NeuralModel {
    const { view, classes } = this.task.size;
    return neuralModel(this.network(), view, classes);
  }

  /** The network with the averaged parameters of now. */
  network(): TrainedNetwork {
    const { memory } = this.learner;
    const { tensors, toAverage, floats } = memory;
    const { classes } = this.task.size;
    const { from = Number.POSITIVE_INFINITY } = this.task.global ?? {};
    return {
      // Before the first epoch with whole derivations the network is still one of single steps.
      header: this.epoch < from ? this.header : { ...this.header, normalization: "global" },
      keys: this.keys,
      contextual: this.options.contextual?.contextual,
      tensors: tensors.map(({ name, at, rows, columns }) => {
        const from = (at + (name === "input vector" && !this.options.trainVectors ? 0 : toAverage)) / 4;
        const values = floats.slice(from, from + rows * columns);
        // The classes were filled up to a round number.
        if (name !== "output" && name !== "output bias") return values;
        const cut = new Float32Array(rows * classes);
        for (let i = 0; i < rows; i++) cut.set(values.subarray(i * columns, i * columns + classes), i * classes);
        return cut;
      }),
    };
  }

  /** The biases of the classes are 0 at first, unless a subclass sets them. */
  protected initializeBias(_values: Float32Array): void {}

  /** Small random numbers, so that units differ. */
  private initialize(random: Random): void {
    const { memory } = this.learner;
    const { view } = this.task.size;
    const isCube = this.header.activation === "cube";
    for (const { name, at, rows, columns } of memory.tensors) {
      const values = memory.floats.subarray(at / 4, at / 4 + rows * columns);
      const fill = (size: number) => {
        for (let i = 0; i < values.length; i++) values[i] = (2 * random.next() - 1) * size;
      };
      if (name === "input vector") values.set(this.options.vectors!.values, FIRST_ROW * columns);
      else if (name === "input upos" || name === "input xpos") fill(0.5);
      else if (name.startsWith("input ")) fill(0.1);
      else if (name === "mix") {
        // All layers count the same at first, and contextual vectors are about as large as other inputs.
        this.options.contextual!.sizes.forEach((size, layer) => {
          values[layer] = CONTEXTUAL_SIZE / (columns * size);
        });
      } else if (name.startsWith("layer ")) fill(Math.sqrt(3 / rows));
      else if (name === "positions") fill(Math.sqrt((isCube ? CUBED : 6) / (rows * view.nodes.length)));
      else if (name === "output" || name === "arcs") fill(Math.sqrt(6 / (rows + columns)));
      else if (name.startsWith("atom ") || name === "absent") fill(0.1);
      else if (name === "output bias") this.initializeBias(values);
    }
    memory.transpose();
    const { dense, tables, toAverage } = memory;
    const from = dense.at / 4;
    memory.floats.copyWithin((dense.at + toAverage) / 4, from, from + dense.size + tables.size);
  }
}

/** Training of a transition-based parser with a network, epoch by epoch. */
export class NeuralTraining<Options extends NeuralOptions = NeuralOptions> extends NetworkTraining<Options> {
  declare readonly learner: NetworkLearner;

  protected override fitted(options: Options, sentences: readonly TreebankSentence[]): Options {
    return fittedOptions(options, sentences);
  }

  protected override read(sentences: readonly TreebankSentence[], options: NeuralOptions): NetworkLesson {
    const { system: name, root, oracle, templatesSource = "templates" } = options;
    const system = createSystem(name, { root, ...options.systemSettings });
    const examples = readExamples(sentences, system, oracle, options.projectivize);
    const { labels, leftLabels, rightLabels } = examples;
    const templates = parseTemplates(options.templates, templatesSource, system.description.context);
    return {
      ...examples,
      view: networkView(templates, labels.length),
      templates: options.templates,
      classes: new Classes(system, labels.length, leftLabels, rightLabels).size,
      stepsPerWord: systemTraining(name).stepsPerWord,
    };
  }

  protected override createLearner(task: NetworkTask, threads: number): NetworkLearner {
    return new NetworkLearner(task, undefined, threads);
  }

  /** The model with the averaged parameters of now. */
  model(origin: Record<string, unknown> = {}): ParserModel {
    check("origin", origin, OBJECT);
    const { options, task } = this;
    const weights = this.weights();
    const header: ModelHeader = {
      system: options.system,
      root: options.root,
      ...manyRoots(options.singleRoot, this.data),
      ...changedSettings(options),
      templates: task.templates,
      labels: [...this.labels],
      leftLabels: [...task.leftLabels],
      rightLabels: [...task.rightLabels],
      ...(options.projectivize === undefined ? {} : { projectivized: options.projectivize }),
      ...(options.beam === undefined ? {} : { beam: options.beam }),
      network: weights.header,
      origin,
    };
    return this.createModel(header, weights);
  }

  protected createModel(header: ModelHeader, weights: NeuralModel): ParserModel {
    return new ParserModel(header, weights);
  }
}

/** How to learn from whole derivations, if that is wanted. */
function globalOf({ beam = 1, epochs, globalEpochs = 0 }: NeuralOptions): Pick<NetworkTask, "global"> {
  if (globalEpochs > epochs)
    throw new RangeError(`invalid globalEpochs: ${globalEpochs} (expected at most ${epochs}, the number of epochs)`);
  if (globalEpochs > 0 && beam === 1)
    throw new RangeError(`invalid globalEpochs: ${globalEpochs} (expected 0 without a beam)`);
  return globalEpochs === 0 ? {} : { global: { beam, from: epochs - globalEpochs + 1 } };
}

function scrambled(seed: number): number {
  return Math.imul(seed + 1, 0x2c1b3c6d);
}
