import { parseTemplates } from "../../features/templates.js";
import type { GrowingMemory } from "../../kernels/kernel.js";
import { exp } from "../../math/exp.js";
import { scramble } from "../../math/hash.js";
import { Random } from "../../math/random.js";
import { Classes } from "../../scoring/classes.js";
import { Decider } from "../../search/decider.js";
import { Configuration } from "../../systems/configuration.js";
import { createSystem } from "../../systems/index.js";
import type { OracleName } from "../../systems/oracles/oracle.js";
import type { SystemSettings, TransitionSystem } from "../../systems/system.js";
import { Correctness } from "../correctness.js";
import type { EncodedNodes } from "../encoder/encoded-treebank.js";
import type { Dropout } from "./dropout-masks.js";
import type { LaneSteps } from "./lane-steps.js";
import type { NetworkExamples } from "./network-examples.js";
import { NetworkLane } from "./network-lane.js";
import { NetworkMemory, type NetworkSize } from "./network-memory.js";

/** All that a thread needs to know to take part in training; plain data. */
export interface NetworkTask {
  readonly size: NetworkSize;
  readonly examples: NetworkExamples;
  /** What an encoder makes of the nodes of the examples, if there is one. */
  readonly encoded?: EncodedNodes | undefined;
  /** For each table how often its rows occur. */
  readonly counts: readonly Int32Array[];
  readonly system: string;
  readonly root: "first" | "last" | "none";
  readonly settings: SystemSettings;
  readonly templates: string;
  readonly labels: number;
  readonly leftLabels: readonly number[];
  readonly rightLabels: readonly number[];
  readonly regime: OracleName;
  readonly exploreFrom: number;
  readonly exploreProbability: number;
  readonly seed: number;
  readonly dropout: Dropout;
  /** Sentences of a lane are taken until they have this many words. */
  readonly laneWords: number;
}

/** Steps that are this sure to be right teach nothing. */
const ENOUGH = 0.998;

/** Finds out what lanes of a batch have to learn. Each thread has one, on the same memory. */
export class NetworkLearner {
  readonly memory: NetworkMemory;
  readonly system: TransitionSystem;
  readonly classes: Classes;
  /** The sum of the losses (negative logarithms of the probability of what is right) in the lane that is being run. */
  private loss = 0;
  private readonly lanes: readonly NetworkLane[];
  private readonly deciders: readonly Decider[];
  private readonly correctness: readonly Correctness[];
  private readonly c = new Configuration();
  private readonly random = new Random(0);
  /** Which of the values are right. */
  private right = new Uint8Array(256);
  private readonly begins: number[] = [];
  private values = new Float64Array(256);
  /** The epoch that was laid out last. */
  epoch = 0;
  private batches: Int32Array[] = [];

  /** `memory`: that of another thread, if there are several. */
  constructor(
    readonly task: NetworkTask,
    memory?: GrowingMemory,
    threads = 1,
  ) {
    const { size, system, root, settings, labels, leftLabels, rightLabels } = task;
    this.system = createSystem(system, { root, ...settings });
    this.classes = new Classes(this.system, labels, leftLabels, rightLabels);
    this.memory = new NetworkMemory(size, memory, threads);
    const templates = parseTemplates(task.templates, "templates", this.system.description.context);
    this.lanes = this.memory.lanes.map(
      (_, lane) =>
        new NetworkLane(this.memory, lane, templates, task.examples, task.counts, task.dropout, task.encoded),
    );
    this.deciders = this.lanes.map((lane) => new Decider(this.system, this.classes, lane));
    this.correctness = this.deciders.map((decider) => new Correctness(this.system, this.classes, decider, task.regime));
  }

  /** Lay out an epoch: the lanes of all batches, one after the other. Every thread lays out the same. */
  begin(epoch: number): number {
    const { seed, examples, laneWords, size } = this.task;
    const { begins } = examples;
    this.epoch = epoch;
    this.random.state = Math.imul(seed, 0x9e3779b1) ^ Math.imul(epoch, 0x85ebca6b);
    const order = new Int32Array(begins.length - 1).map((_, s) => s);
    this.random.shuffle(order);
    this.batches = [];
    let from = 0;
    let words = 0;
    for (let i = 0; i < order.length; i++) {
      words += begins[order[i]! + 1]! - begins[order[i]!]!;
      if (words < laneWords && i + 1 < order.length) continue;
      this.batches.push(order.subarray(from, i + 1));
      from = i + 1;
      words = 0;
    }
    return Math.ceil(this.batches.length / size.lanes);
  }

  /** How many words a batch has. */
  words(batch: number): number {
    const { begins } = this.task.examples;
    let words = 0;
    for (let lane = 0; lane < this.lanes.length; lane++) {
      for (const s of this.sentences(batch, lane)) words += begins[s + 1]! - begins[s]! - 1;
    }
    return words;
  }

  private sentences(batch: number, lane: number): Int32Array {
    return this.batches[batch * this.lanes.length + lane] ?? new Int32Array();
  }

  /** Run a lane of a batch: its gradients are in the memory afterwards. */
  run(batch: number, lane: number): void {
    const { seed, exploreFrom } = this.task;
    const sentences = this.sentences(batch, lane);
    const number = Math.imul(seed, 0x9e3779b1) ^ Math.imul(this.epoch, 0x85ebca6b) ^ (batch * this.lanes.length + lane);
    this.random.state = scramble(number);
    this.loss = 0;
    this.lanes[lane]!.encode(sentences, scramble(number ^ 0x5bd1e995));
    sentences.forEach((sentence, s) => {
      this.walk(lane, sentence, s, this.epoch >= exploreFrom);
    });
    this.lanes[lane]!.propagate();
    this.memory.setLoss(lane, this.loss);
  }

  /**
   * The gradients of some sentences along the derivations of the oracle, for tests. What is left out depends on the
   * seed alone; without a seed nothing is. Returns the loss.
   */
  check(sentences: Int32Array, seed?: number): number {
    this.loss = 0;
    this.memory.transpose();
    this.lanes[0]!.encode(sentences, seed);
    sentences.forEach((sentence, s) => {
      this.walk(0, sentence, s, false);
    });
    this.lanes[0]!.propagate();
    return this.loss;
  }

  /** Go through a sentence and learn from every step. */
  private walk(laneNumber: number, sentence: number, s: number, explore: boolean): void {
    const { c, system, task } = this;
    const lane = this.lanes[laneNumber]!;
    const decider = this.deciders[laneNumber]!;
    const correctness = this.correctness[laneNumber]!;
    const { labels } = this.classes;
    const { begins, heads, labels: gold, removed } = task.examples;
    const [first, last] = [begins[sentence]!, begins[sentence + 1]!];
    correctness.bind(heads.subarray(first, last), gold.subarray(first, last), removed?.subarray(first, last));
    system.initialize(c, lane.begin(s));
    // In LR-spines every move of a step is scored for itself: arcs from nodes of two spines, and SHIFT if a node is
    // left in the buffer.
    const moves = this.classes.perMove ? last - first : 1;
    while (!system.isTerminal(c)) {
      lane.steps.beginStep(moves);
      const predicted = decider.decide(c);
      const predictedClass = decider.bestClass[predicted]!;
      const correct = correctness.best(c, predicted);
      const correctClass = correctness.classOf(c, correct);
      this.learn(lane.steps, decider, correctness, predicted === correct && predictedClass === correctClass);
      const follow = explore && task.regime === "dynamic" && this.random.next() < task.exploreProbability;
      const [index, cls] = follow ? [predicted, predictedClass] : [correct, correctClass];
      system.apply(c, decider.moves[index]!, labels[cls]!);
    }
  }

  /**
   * The loss of a step is −log of the probability of all correct classes together, where the probabilities of the
   * classes of all permitted moves add up to 1.
   */
  private learn(steps: LaneSteps, decider: Decider, correctness: Correctness, isRight: boolean): void {
    const { c, classes, begins } = this;
    const { moves, count } = decider;
    // The scores of all classes of all permitted moves, one after the other.
    let size = 0;
    for (let i = 0; i < count; i++) {
      const group = classes.groupOf(moves[i]!);
      begins[i] = size;
      size += classes.from[group + 1]! - classes.from[group]!;
    }
    begins[count] = size;
    if (this.values.length < size) {
      this.values = new Float64Array(2 * size);
      this.right = new Uint8Array(2 * size);
    }
    const { values, right } = this;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const outputs = steps.outputs(classes.perMove ? i : 0);
      const first = classes.from[classes.groupOf(moves[i]!)]! - begins[i]!;
      for (let k = begins[i]!; k < begins[i + 1]!; k++) {
        values[k] = outputs[first + k]!;
        if (values[k]! > most) most = values[k]!;
      }
    }
    let sum = 0;
    let top = 0;
    for (let k = 0; k < size; k++) {
      values[k] = exp(values[k]! - most);
      sum += values[k]!;
      if (values[k]! > top) top = values[k]!;
    }
    // The prediction is correct, and sure: saves asking the oracle about the other moves.
    if (isRight && top > ENOUGH * sum) {
      this.loss -= Math.log(top / sum);
      return;
    }
    let correct = 0;
    for (let i = 0; i < count; i++) {
      const isCorrect = correctness.isCorrect(c, i);
      const label = isCorrect ? correctness.label(c, i) : -1;
      const group = classes.groupOf(moves[i]!);
      const first = classes.from[group]! - begins[i]!;
      const only = label < 0 ? -1 : classes.classOf(group, label) - first;
      for (let k = begins[i]!; k < begins[i + 1]!; k++) {
        const fits = isCorrect && (label < 0 || k === only);
        right[k] = fits ? 1 : 0;
        if (fits) correct += values[k]!;
      }
    }
    this.loss -= Math.log(Math.max(correct / sum, Number.MIN_VALUE));
    if (correct > ENOUGH * sum) return;
    const rows = classes.perMove ? count : 1;
    for (let row = 0; row < rows; row++) steps.outputs(row).fill(0);
    for (let i = 0; i < count; i++) {
      const outputs = steps.outputs(classes.perMove ? i : 0);
      const first = classes.from[classes.groupOf(moves[i]!)]! - begins[i]!;
      for (let k = begins[i]!; k < begins[i + 1]!; k++) {
        const part = correct > 0 && right[k] === 1 ? values[k]! / correct : 0;
        outputs[first + k] = values[k]! / sum - part;
      }
    }
    steps.keep();
  }
}
