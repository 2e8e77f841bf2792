import type { GrowingMemory } from "../../kernels/kernel.js";
import { LaneLearner, type NetworkTask } from "../../learning/network/lane-learner.js";
import { exp } from "../../math/exp.js";
import { describeArc, describeWord, tagsTemplates } from "../scoring/tags-view.js";

/**
 * Learns the tags of words, and the labels of right arcs. The examples have a number for both: that of the label, and
 * the number of labels times that of the tag.
 */
export class TagsNetworkLearner extends LaneLearner {
  private readonly values: Int32Array;

  /** `memory`: that of another thread, if there are several. */
  constructor(task: NetworkTask, memory?: GrowingMemory, threads = 1) {
    const templates = tagsTemplates();
    super(task, templates, memory, threads);
    this.values = new Int32Array(templates.atoms.length);
  }

  protected learnSentence(laneNumber: number, sentence: number, s: number): void {
    const { values, task } = this;
    const { begins, heads, labels } = task.examples;
    const { view, classes } = this.memory.size;
    const lane = this.lanes[laneNumber]!;
    const first = begins[sentence]!;
    const n = begins[sentence + 1]! - first - 1;
    const tags = classes - task.labels;
    lane.begin(s);
    for (let i = 1; i <= n; i++) {
      const both = labels[first + i]!;
      describeWord(view, i, n, values);
      lane.steps.beginStep(1);
      lane.steps.scoreValues(values);
      this.learnOne(lane.steps.outputs(0), Math.floor(both / task.labels), 0, tags);
      lane.steps.keep();
      describeArc(view, heads[first + i]!, i, values);
      lane.steps.beginStep(1);
      lane.steps.scoreValues(values);
      this.learnOne(lane.steps.outputs(0), tags + (both % task.labels), tags, classes);
      lane.steps.keep();
    }
  }

  /**
   * Puts the derivatives of the loss, −ln of the probability of what is right among the outputs from `first` to before
   * `end`, in the place of the scores.
   */
  private learnOne(outputs: Float32Array, right: number, first: number, end: number): void {
    let most = Number.NEGATIVE_INFINITY;
    for (let k = first; k < end; k++) most = Math.max(most, outputs[k]!);
    let sum = 0;
    for (let k = first; k < end; k++) sum += exp(outputs[k]! - most);
    this.loss += Math.log(sum) - (outputs[right]! - most);
    for (let k = 0; k < outputs.length; k++) {
      outputs[k] = k >= first && k < end ? exp(outputs[k]! - most) / sum - (k === right ? 1 : 0) : 0;
    }
  }
}
