import type { GrowingMemory } from "../../kernels/kernel.js";
import { LaneLearner, type NetworkTask } from "../../learning/network/lane-learner.js";
import { exp } from "../../math/exp.js";
import { describeArc, graphTemplates } from "../scoring/graph-view.js";
import { LaneArcs } from "./lane-arcs.js";

/** Learns the arcs of trees, and the labels of right arcs. */
export class GraphNetworkLearner extends LaneLearner {
  private readonly arcs: readonly LaneArcs[];
  private readonly values: Int32Array;

  /** `memory`: that of another thread, if there are several. */
  constructor(task: NetworkTask, memory?: GrowingMemory, threads = 1) {
    const templates = graphTemplates();
    super(task, templates, memory, threads);
    this.values = new Int32Array(templates.atoms.length);
    this.arcs = this.lanes.map(
      ({ masks }, lane) => new LaneArcs(this.memory, this.memory.lanes[lane]!, masks, task.dropout.hidden),
    );
  }

  protected learnSentence(laneNumber: number, sentence: number, s: number): void {
    const { begins, heads, labels } = this.task.examples;
    const lane = this.lanes[laneNumber]!;
    const [first, last] = [begins[sentence]!, begins[sentence + 1]!];
    const own = heads.subarray(first, last);
    this.loss += this.arcs[laneNumber]!.learn(lane.rowsOf(s), own);
    lane.begin(s);
    for (let d = 1; d < own.length; d++) {
      describeArc(this.memory.size.view, own[d]!, d, this.values);
      lane.steps.beginStep(1);
      lane.steps.scoreValues(this.values);
      this.learnLabel(lane.steps.outputs(0), labels[first + d]!);
      lane.steps.keep();
    }
  }

  /** Puts the derivatives of the loss, −ln of the probability of the right label, in the place of the scores. */
  private learnLabel(outputs: Float32Array, right: number): void {
    const count = this.task.labels;
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < count; k++) most = Math.max(most, outputs[k]!);
    let sum = 0;
    for (let k = 0; k < count; k++) sum += exp(outputs[k]! - most);
    this.loss += Math.log(sum) - (outputs[right]! - most);
    for (let k = 0; k < outputs.length; k++) {
      outputs[k] = k < count ? exp(outputs[k]! - most) / sum - (k === right ? 1 : 0) : 0;
    }
  }
}
