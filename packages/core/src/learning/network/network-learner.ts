import { parseTemplates } from "../../features/templates.js";
import type { GrowingMemory } from "../../kernels/kernel.js";
import { exp, log } from "../../math/exp.js";
import { createSystem, describeSystem } from "../../registry/systems.js";
import { Classes } from "../../scoring/classes.js";
import { Decider } from "../../search/decider.js";
import { Configuration } from "../../systems/configuration.js";
import type { TransitionSystem } from "../../systems/system.js";
import { Correctness } from "../correctness.js";
import { BeamLearner } from "./beam/beam-learner.js";
import type { LaneSteps } from "./lane/lane-steps.js";
import type { NetworkLane } from "./lane/network-lane.js";
import { LaneLearner, type NetworkTask } from "./lane-learner.js";

/** Steps that are this sure to be right teach nothing. */
export const ENOUGH = 0.998;

/**
 * Before learning from whole derivations, whose scores are sums of outputs as they are: how strongly outputs are drawn
 * to where they are logarithms of probabilities, and how far from there is near enough. In single steps only their
 * differences matter, and the sums would begin with an arbitrary number in every step.
 */
const LEVELLING = 0.1;
const LEVEL = 0.5;

/** Learns from derivations: each configuration of a sentence is a step. */
export class NetworkLearner extends LaneLearner {
  readonly system: TransitionSystem;
  readonly classes: Classes;
  protected readonly deciders: readonly Decider[];
  private readonly correctness: readonly Correctness[];
  private readonly beams: readonly BeamLearner[];
  protected readonly c = new Configuration();
  /** Which of the values are right. */
  private right = new Uint8Array(256);
  private readonly begins: number[] = [];
  private values = new Float64Array(256);

  /** `memory`: that of another thread, if there are several. */
  constructor(task: NetworkTask, memory?: GrowingMemory, threads = 1) {
    const { system, root, settings } = task;
    const templates = parseTemplates(task.templates, "templates", describeSystem(system).context);
    super(task, templates, memory, threads);
    this.system = createSystem(system, { root, ...settings });
    this.classes = this.createClasses();
    this.deciders = this.lanes.map((lane) => this.createDecider(lane));
    this.correctness = this.deciders.map((decider) => new Correctness(this.system, this.classes, decider, task.oracle));
    const { global, oracle } = task;
    this.beams = global
      ? this.lanes.map((lane) => new BeamLearner(lane, this.system, this.classes, templates, oracle, global.beam))
      : [];
  }

  /** The classes of the outputs; called by the constructor. */
  protected createClasses(): Classes {
    const { labels, leftLabels, rightLabels } = this.task;
    return new Classes(this.system, labels, leftLabels, rightLabels);
  }

  /** The scorer of the moves in a lane; called by the constructor. */
  protected createDecider(lane: NetworkLane): Decider {
    return new Decider(this.system, this.classes, lane);
  }

  /** Begin with a sentence, as learnSentence has it; returns its number of words. */
  protected beginSentence(lane: number, _sentence: number, s: number): number {
    return this.lanes[lane]!.begin(s);
  }

  /**
   * Go through a sentence and learn from every step; in the last epochs, if there is a beam, first from whole
   * derivations. Those alone teach nothing about what to do after an error, where all moves lose alike.
   */
  protected learnSentence(laneNumber: number, sentence: number, s: number, explore: boolean): void {
    const { c, system, task } = this;
    const lane = this.lanes[laneNumber]!;
    const decider = this.deciders[laneNumber]!;
    const correctness = this.correctness[laneNumber]!;
    const { labels } = this.classes;
    const { begins, heads, labels: gold, leftOut } = task.examples;
    const [first, last] = [begins[sentence]!, begins[sentence + 1]!];
    const tree = [heads.subarray(first, last), gold.subarray(first, last), leftOut?.subarray(first, last)] as const;
    const length = this.beginSentence(laneNumber, sentence, s);
    if (task.global && this.epoch >= task.global.from) this.loss += this.beams[laneNumber]!.learn(...tree);
    correctness.bind(...tree);
    system.initialize(c, length);
    // In LR-spines every move of a step is scored for itself: arcs from nodes of two spines, and SHIFT if a node is
    // left in the buffer.
    const moves = this.classes.perMove ? last - first : 1;
    while (!system.isTerminal(c)) {
      lane.steps.beginStep(moves);
      const predicted = decider.decide(c);
      const predictedClass = decider.bestClass[predicted]!;
      const correct = correctness.best(c, predicted);
      const correctClass = correctness.classOf(c, correct);
      const follow = explore && task.oracle === "dynamic" && this.random.next() < task.exploreProbability;
      const [index, cls] = follow ? [predicted, predictedClass] : [correct, correctClass];
      const isRight = predicted === correct && predictedClass === correctClass;
      if (this.learnStep(laneNumber, sentence, index, isRight)) lane.steps.keep();
      system.apply(c, decider.moves[index]!, labels[cls]!);
    }
  }

  /** Let nothing be learned from the moves of a step. */
  protected clear(steps: LaneSteps, count: number): void {
    const rows = this.classes.perMove ? count : 1;
    for (let row = 0; row < rows; row++) steps.outputs(row).fill(0);
  }

  /**
   * The loss of a step is −log of the probability of all correct classes together, where the probabilities of the
   * classes of all permitted moves add up to 1. The derivatives by the outputs take their place; false if there is
   * nothing to learn. `isRight`: whether the prediction is. `_index`: the move that will be taken.
   */
  protected learnStep(lane: number, _sentence: number, _index: number, isRight: boolean): boolean {
    const { c, classes, begins, task } = this;
    const { steps } = this.lanes[lane]!;
    const decider = this.deciders[lane]!;
    const correctness = this.correctness[lane]!;
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
    const level = task.global && this.epoch < task.global.from ? most + log(sum) : 0;
    const isLevel = Math.abs(level) < LEVEL;
    // The prediction is correct, and sure: saves asking the oracle about the other moves.
    if (isRight && isLevel && top > ENOUGH * sum) {
      this.loss -= Math.log(top / sum);
      return false;
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
    this.loss += (LEVELLING / 2) * level * level - Math.log(Math.max(correct / sum, Number.MIN_VALUE));
    if (isLevel && correct > ENOUGH * sum) return false;
    this.clear(steps, count);
    for (let i = 0; i < count; i++) {
      const outputs = steps.outputs(classes.perMove ? i : 0);
      const first = classes.from[classes.groupOf(moves[i]!)]! - begins[i]!;
      for (let k = begins[i]!; k < begins[i + 1]!; k++) {
        const part = correct > 0 && right[k] === 1 ? values[k]! / correct : 0;
        outputs[first + k] = (values[k]! / sum) * (1 + LEVELLING * level) - part;
      }
    }
    return true;
  }
}
