import type { WordAttribute, Words } from "../../features/columns.js";
import type { NetworkLane } from "../../learning/network/lane/network-lane.js";
import type { NetworkTask } from "../../learning/network/lane-learner.js";
import type { NetworkExamples } from "../../learning/network/network-examples.js";
import { ENOUGH, NetworkLearner } from "../../learning/network/network-learner.js";
import { softmax } from "../../math/softmax.js";
import { JointClasses } from "../joint-classes.js";
import { JointDecider } from "../search/joint-decider.js";
import { DISTANCE_UNIT, TagChoices } from "../tag-choices.js";
import { type NetworkChoices, readChoices } from "./network-choices.js";

/** Examples with what the words may be. */
export interface JointExamples extends NetworkExamples {
  readonly choices: NetworkChoices;
}

/** The words of a sentence, of which only the analyses that were chosen are known. */
class ChosenWords {
  length = 0;
  readonly choices = new TagChoices();

  value(attribute: WordAttribute, i: number): number | undefined {
    return attribute === "analysis" ? this.choices.analysis(i) : undefined;
  }
}

/**
 * Learns the tags of words besides the moves. A word gets what the network itself would choose, so that it learns what
 * its choices are worth. (Linear models, which learn their training data by heart, are given those of the tagger.)
 */
export class JointNetworkLearner extends NetworkLearner {
  declare readonly task: NetworkTask & { readonly examples: JointExamples };
  declare readonly classes: JointClasses;
  declare protected readonly deciders: readonly JointDecider[];
  private readonly chosen = new ChosenWords();
  /** Of a word's candidates the derivatives of the loss. */
  private shares = new Float64Array(8);

  protected override createClasses(): JointClasses {
    const { labels, leftLabels, rightLabels, examples } = this.task;
    return new JointClasses(this.system, labels, leftLabels, rightLabels, examples.choices.classes);
  }

  protected override createDecider(lane: NetworkLane): JointDecider {
    return new JointDecider(this.system, this.classes, lane, lane.steps.columns, undefined);
  }

  protected override beginSentence(lane: number, sentence: number, s: number): number {
    const { begins, choices } = this.task.examples;
    const [first, last] = [begins[sentence]!, begins[sentence + 1]!];
    readChoices(choices, first, last, this.chosen.choices);
    this.chosen.length = last - first - 1;
    const words = this.chosen as unknown as Words;
    this.deciders[lane]!.follow(words);
    return this.lanes[lane]!.begin(s, words);
  }

  protected override learnStep(lane: number, sentence: number, index: number, isRight: boolean): boolean {
    const { begins, choices } = this.task.examples;
    const { steps } = this.lanes[lane]!;
    const decider = this.deciders[lane]!;
    const word = decider.untagged(this.c, index);
    if (word < 0) return super.learnStep(lane, sentence, index, isRight);
    const right = choices.right[begins[sentence]! + word]!;
    const candidate = decider.bestTag(word);
    const row = this.classes.perMove ? index : 0;
    // Before the derivatives of what is learned about the moves take the place of the outputs.
    const open = right >= 0 && this.weigh(steps.outputs(row), word, right);
    const learned = super.learnStep(lane, sentence, index, isRight);
    if (open) {
      if (!learned) this.clear(steps, decider.count);
      this.spread(steps.outputs(row), word);
    }
    decider.giveTag(word, candidate);
    return learned || open;
  }

  /**
   * The loss is −log of the probability of the right candidate, where those of a word's candidates add up to 1. Leaves
   * the derivatives by their scores in `shares`; false if there is nothing to learn.
   */
  private weigh(outputs: Float32Array, word: number, right: number): boolean {
    const { from, tags, parts, partsFrom, distances } = this.chosen.choices;
    const { firstTag, trust } = this.classes;
    const first = from[word]!;
    const count = from[word + 1]! - first;
    if (this.shares.length < count) this.shares = new Float64Array(2 * count);
    const shares = this.shares.subarray(0, count);
    for (let k = 0; k < count; k++) {
      const candidate = first + k;
      shares[k] = outputs[firstTag + tags[candidate]!]! - outputs[trust]! * DISTANCE_UNIT * distances[candidate]!;
      for (let p = partsFrom[candidate]!; p < partsFrom[candidate + 1]!; p++) {
        shares[k]! += outputs[firstTag + parts[p]!]!;
      }
    }
    softmax(shares);
    this.loss -= Math.log(Math.max(shares[right]!, Number.MIN_VALUE));
    if (shares[right]! > ENOUGH) return false;
    shares[right]! -= 1;
    return true;
  }

  /** Add the derivatives that `weigh` left to those by the outputs. */
  private spread(outputs: Float32Array, word: number): void {
    const { from, tags, parts, partsFrom, distances } = this.chosen.choices;
    const { firstTag, trust } = this.classes;
    const first = from[word]!;
    for (let candidate = first; candidate < from[word + 1]!; candidate++) {
      const share = this.shares[candidate - first]!;
      outputs[firstTag + tags[candidate]!]! += share;
      outputs[trust]! -= share * DISTANCE_UNIT * distances[candidate]!;
      for (let p = partsFrom[candidate]!; p < partsFrom[candidate + 1]!; p++) outputs[firstTag + parts[p]!]! += share;
    }
  }
}
