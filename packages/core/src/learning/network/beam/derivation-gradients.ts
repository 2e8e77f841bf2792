import { exp, log } from "../../../math/exp.js";
import type { History } from "../../../search/beam/beam-history.js";
import { NONE } from "../../../systems/configuration.js";

/** Where a derivation of the beam ends: its last step, and whether all its steps are correct. */
export interface DerivationEnd {
  readonly step: number;
  readonly correct: boolean;
}

/**
 * The derivations of a beam as a conditional random field: each has a probability in proportion to e^score, and the
 * loss is −log of the probability of all correct ones together. Derivations that were merged count, too: a state stands
 * for all that led to it, and what they have in common is summed up once (the forward-backward algorithm, over the
 * beam).
 */
export class DerivationGradients {
  /** The derivative of the loss by the score of each step, after `compute`. */
  of = new Float64Array(0);
  /** The logarithm of the sum of e^score over all derivations of a state, by its first step. */
  private inside = new Float64Array(0);
  /** The sum of the derivatives of all steps that follow a state. */
  private outside = new Float64Array(0);
  private readonly totals: number[] = [];

  /**
   * The loss, and the derivatives by the scores of the steps. `root` is the step that all derivations have in common,
   * and `unit` what a logarithm of 1 is as a score. No step follows one of the ends.
   */
  compute(history: History, root: number, ends: readonly DerivationEnd[], unit: number): number {
    const { totals } = this;
    this.grow(history.size);
    this.of.fill(0, root, history.size);
    this.outside.fill(0, root, history.size);
    this.inside[root] = 0;
    for (let s = root + 1; s < history.size; s++) this.inside[s] = this.total(history, s, unit);
    // Finished derivations of any length may have been merged, so that those of an end need not come before it.
    ends.forEach(({ step }, e) => {
      totals[e] = step === root ? 0 : this.total(history, step, unit);
    });
    const all = logSum(ends.map((_, e) => totals[e]!));
    const correct = logSum(totals.filter((_, e) => e < ends.length && ends[e]!.correct));
    ends.forEach((end, e) => {
      if (end.step === root) return;
      const right = end.correct ? exp(totals[e]! - correct) : 0;
      this.spread(history, root, end.step, totals[e]!, exp(totals[e]! - all) - right, unit);
    });
    for (let s = history.size - 1; s > root; s--) {
      if (this.outside[s] !== 0) this.spread(history, root, s, this.inside[s]!, this.outside[s]!, unit);
    }
    return all - correct;
  }

  /** The logarithm of the sum over all derivations that the state after a step stands for. */
  private total(history: History, step: number, unit: number): number {
    const { twins } = history;
    if (twins[step] === NONE) return this.upTo(history, step, unit);
    let most = Number.NEGATIVE_INFINITY;
    for (let t = step; t !== NONE; t = twins[t]!) most = Math.max(most, this.upTo(history, t, unit));
    let sum = 0;
    for (let t = step; t !== NONE; t = twins[t]!) sum += exp(this.upTo(history, t, unit) - most);
    return most + log(sum);
  }

  /** The same over those whose last step this is. */
  private upTo({ parents, scores }: History, step: number, unit: number): number {
    const parent = parents[step]!;
    return this.inside[parent]! + (scores[step]! - scores[parent]!) / unit;
  }

  /** Share out the derivative by the total of a state among the steps that led to it. */
  private spread(history: History, root: number, step: number, total: number, share: number, unit: number): void {
    const { twins, parents } = history;
    for (let t = step; t !== NONE; t = twins[t]!) {
      const part = share * exp(this.upTo(history, t, unit) - total);
      this.of[t]! += part;
      if (parents[t]! > root) this.outside[parents[t]!]! += part;
    }
  }

  private grow(size: number): void {
    if (this.of.length >= size) return;
    this.of = new Float64Array(2 * size);
    this.outside = new Float64Array(2 * size);
    const { inside } = this;
    this.inside = new Float64Array(2 * size);
    this.inside.set(inside);
  }
}

function logSum(values: readonly number[]): number {
  const most = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return most + log(values.reduce((sum, value) => sum + exp(value - most), 0));
}
