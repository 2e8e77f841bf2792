import type { DropoutMasks, Mask } from "../../learning/network/dropout-masks.js";
import type { SentenceRows } from "../../learning/network/lane/recurrent-layer.js";
import { matrix, multiply, turned } from "../../learning/network/network-kernel.js";
import type { ArcsPlan, LanePlan, NetworkMemory, PlacedTensor } from "../../learning/network/network-memory.js";
import { exp } from "../../math/exp.js";

/** Rows of `arc biases`. */
const HEAD = 0;
const DEPENDENT = 1;
const ALONE = 2;

/**
 * Scores the arcs of sentences in a lane, forward and backward: see `tensorsOf`. Each word chooses its head; the loss
 * is −ln of the probability of the right one.
 */
export class LaneArcs {
  private readonly arcs: ArcsPlan;
  private readonly weights: PlacedTensor;
  private readonly biases: PlacedTensor;
  private readonly hidden: number;
  private readonly positions: number;
  /** Nodes of the sentence, filled up to a multiple of 8. */
  private rows = 0;

  constructor(
    private readonly memory: NetworkMemory,
    private readonly plan: LanePlan,
    private readonly masks: DropoutMasks,
    /** The probability of each unit to be left out. */
    private readonly dropout: number,
  ) {
    this.arcs = plan.arcs!;
    this.weights = memory.tensor("arcs");
    this.biases = memory.tensor("arc biases");
    this.hidden = memory.size.header.hidden;
    this.positions = memory.size.view.nodes.length;
  }

  /** Adds the derivatives of a sentence with these heads to those of the lane; returns the loss. */
  learn({ first, count }: SentenceRows, heads: Int32Array): number {
    const { arcs, memory, hidden, weights, plan } = this;
    const { kernel } = memory;
    const { nodes } = arcs;
    // Rows beyond the sentence are 0, so that the products have the width that the kernel wants.
    const rows = 8 * Math.ceil(count / 8);
    if (rows > nodes) throw new RangeError(`no room for a sentence of ${count} nodes (expected at most ${nodes})`);
    this.rows = rows;
    const mask: Mask = { at: arcs.masks, size: 2 * rows * hidden, probability: this.dropout };
    this.masks.draw(mask);
    this.activate(arcs.heads, first, count, HEAD);
    this.activate(arcs.dependents, first, count, DEPENDENT);
    const h = matrix(arcs.heads, rows, hidden);
    const d = matrix(arcs.dependents, rows, hidden);
    const t = matrix(arcs.turned, rows, hidden);
    const scores = matrix(arcs.scores, rows, rows);
    multiply(kernel, d, matrix(weights.at, hidden, hidden), t);
    kernel.transpose(arcs.heads, rows, hidden, arcs.columns);
    multiply(kernel, t, matrix(arcs.columns, hidden, rows), scores);
    this.addAlone(count);
    const loss = this.differentiate(heads, count);
    const dT = matrix(arcs.turnedGradient, rows, hidden);
    const dH = matrix(arcs.headsGradient, rows, hidden);
    multiply(kernel, scores, h, dT);
    multiply(kernel, turned(scores), t, dH);
    memory.productBack(plan, d, weights, dT, matrix(arcs.dependentsGradient, rows, hidden));
    this.aloneBack(count);
    this.activateBack(arcs.heads, arcs.headsGradient, first, count, HEAD);
    this.activateBack(arcs.dependents, arcs.dependentsGradient, first, count, DEPENDENT);
    return loss;
  }

  private get isMasked(): boolean {
    return this.masks.isOn && this.dropout > 0;
  }

  private maskAt(position: number): number {
    return this.arcs.masks / 4 + position * this.rows * this.hidden;
  }

  /** The products of a position as units: nothing below 0, times the mask. */
  private activate(to: number, first: number, count: number, position: number): void {
    const { memory, hidden, plan, rows } = this;
    const { floats } = memory;
    const bias = this.biases.at / 4 + position * hidden;
    const mask = this.maskAt(position);
    for (let i = 0; i < count; i++) {
      const from = plan.products / 4 + ((first + i) * this.positions + position) * hidden;
      const at = to / 4 + i * hidden;
      for (let j = 0; j < hidden; j++) {
        const unit = Math.max(0, Math.fround(floats[from + j]! + floats[bias + j]!));
        floats[at + j] = this.isMasked ? unit * floats[mask + i * hidden + j]! : unit;
      }
    }
    floats.fill(0, to / 4 + count * hidden, to / 4 + rows * hidden);
  }

  private activateBack(units: number, gradient: number, first: number, count: number, position: number): void {
    const { memory, hidden, plan } = this;
    const { floats } = memory;
    const biasGradient = memory.gradientOf(plan, this.biases) / 4 + position * hidden;
    const mask = this.maskAt(position);
    for (let i = 0; i < count; i++) {
      const to = plan.productsGradient / 4 + ((first + i) * this.positions + position) * hidden;
      const at = i * hidden;
      for (let j = 0; j < hidden; j++) {
        if (floats[units / 4 + at + j] === 0) continue;
        const delta = floats[gradient / 4 + at + j]! * (this.isMasked ? floats[mask + at + j]! : 1);
        floats[to + j]! += delta;
        floats[biasGradient + j]! += delta;
      }
    }
  }

  /** The score of a head by itself, whatever the dependent. */
  private addAlone(count: number): void {
    const { arcs, hidden, rows } = this;
    const { floats } = this.memory;
    const alone = this.biases.at / 4 + ALONE * hidden;
    for (let h = 0; h < count; h++) {
      let sum = 0;
      for (let j = 0; j < hidden; j++) sum += floats[alone + j]! * floats[arcs.heads / 4 + h * hidden + j]!;
      for (let d = 1; d < count; d++) floats[arcs.scores / 4 + d * rows + h]! += sum;
    }
  }

  private aloneBack(count: number): void {
    const { arcs, hidden, memory, plan, rows } = this;
    const { floats } = memory;
    const alone = this.biases.at / 4 + ALONE * hidden;
    const aloneGradient = memory.gradientOf(plan, this.biases) / 4 + ALONE * hidden;
    for (let h = 0; h < count; h++) {
      let sum = 0;
      for (let d = 1; d < count; d++) sum += floats[arcs.scores / 4 + d * rows + h]!;
      for (let j = 0; j < hidden; j++) {
        floats[aloneGradient + j]! += sum * floats[arcs.heads / 4 + h * hidden + j]!;
        floats[arcs.headsGradient / 4 + h * hidden + j]! += sum * floats[alone + j]!;
      }
    }
  }

  /** Puts the derivatives of the loss in the place of the scores. */
  private differentiate(heads: Int32Array, count: number): number {
    const { rows } = this;
    const { floats } = this.memory;
    let loss = 0;
    floats.fill(0, this.arcs.scores / 4, this.arcs.scores / 4 + rows);
    for (let d = 1; d < rows; d++) {
      const at = this.arcs.scores / 4 + d * rows;
      if (d >= count) {
        floats.fill(0, at, at + rows);
        continue;
      }
      let most = Number.NEGATIVE_INFINITY;
      for (let h = 0; h < count; h++) if (h !== d) most = Math.max(most, floats[at + h]!);
      let sum = 0;
      for (let h = 0; h < count; h++) if (h !== d) sum += exp(floats[at + h]! - most);
      const gold = heads[d]!;
      loss += Math.log(sum) - (floats[at + gold]! - most);
      for (let h = 0; h < rows; h++) {
        floats[at + h] = h === d || h >= count ? 0 : exp(floats[at + h]! - most) / sum - (h === gold ? 1 : 0);
      }
    }
    return loss;
  }
}
