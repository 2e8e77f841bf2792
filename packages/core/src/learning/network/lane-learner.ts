import type { TemplateSet } from "../../features/templates.js";
import type { GrowingMemory } from "../../kernels/kernel.js";
import { scramble } from "../../math/hash.js";
import { epochOrder, epochState, Random } from "../../math/random.js";
import type { OracleName } from "../../systems/oracles/oracle.js";
import type { SystemSettings } from "../../systems/settings.js";
import type { Dropout } from "./dropout-masks.js";
import type { ContextualNodes } from "./lane/lane-contextual.js";
import { NetworkLane } from "./lane/network-lane.js";
import type { NetworkExamples } from "./network-examples.js";
import { NetworkMemory, type NetworkSize } from "./network-memory.js";

/** All that a thread needs to know to take part in training; plain data. */
export interface NetworkTask {
  readonly size: NetworkSize;
  readonly examples: NetworkExamples;
  readonly contextual?: ContextualNodes | undefined;
  /** For each table how often its rows occur. */
  readonly counts: readonly Int32Array[];
  readonly system: string;
  readonly root: "first" | "last" | "none";
  readonly settings: SystemSettings;
  readonly templates: string;
  readonly labels: number;
  readonly leftLabels: readonly number[];
  readonly rightLabels: readonly number[];
  readonly oracle: OracleName;
  readonly exploreFrom: number;
  readonly exploreProbability: number;
  /** Learning from whole derivations: the width of the beam, and the first epoch. */
  readonly global?: { readonly beam: number; readonly from: number } | undefined;
  readonly seed: number;
  readonly dropout: Dropout;
  /** Sentences of a lane are taken until they have this many words. */
  readonly laneWords: number;
}

/** Finds out what lanes of a batch have to learn. Each thread has one, on the same memory. */
export abstract class LaneLearner {
  readonly memory: NetworkMemory;
  /** The sum of the losses (negative logarithms of the probability of what is right) in the lane that is being run. */
  protected loss = 0;
  protected readonly lanes: readonly NetworkLane[];
  protected readonly random = new Random(0);
  /** The epoch that was laid out last. */
  epoch = 0;
  private batches: Int32Array[] = [];

  /** `memory`: that of another thread, if there are several. */
  constructor(
    readonly task: NetworkTask,
    templates: TemplateSet,
    memory?: GrowingMemory,
    threads = 1,
  ) {
    this.memory = new NetworkMemory(task.size, memory, threads);
    this.lanes = this.memory.lanes.map(
      (_, lane) =>
        new NetworkLane(this.memory, lane, templates, task.examples, task.counts, task.dropout, task.contextual),
    );
  }

  /** Learn from a sentence of the examples, which is number s of those that the lane has taken in. */
  protected abstract learnSentence(lane: number, sentence: number, s: number, explore: boolean): void;

  /** Lay out an epoch: the lanes of all batches, one after the other. Every thread lays out the same. */
  begin(epoch: number): number {
    const { seed, examples, laneWords, size } = this.task;
    const { begins } = examples;
    this.epoch = epoch;
    const order = epochOrder(this.random, seed, epoch, begins.length - 1);
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
    const number = epochState(seed, this.epoch) ^ (batch * this.lanes.length + lane);
    this.random.state = scramble(number);
    this.loss = 0;
    this.lanes[lane]!.encode(sentences, scramble(number ^ 0x5bd1e995));
    sentences.forEach((sentence, s) => {
      this.learnSentence(lane, sentence, s, this.epoch >= exploreFrom);
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
      this.learnSentence(0, sentence, s, false);
    });
    this.lanes[0]!.propagate();
    return this.loss;
  }
}
