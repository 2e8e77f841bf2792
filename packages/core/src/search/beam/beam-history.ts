import { NONE } from "../../systems/configuration.js";
import type { Move } from "../../systems/transition.js";

/** A transition with its class. */
export interface DerivationStep {
  readonly move: Move;
  readonly cls: number;
}

/**
 * The steps of all hypotheses of a sentence, each with a pointer to the step before it: step 0 is the beginning. Steps
 * that led to the same state are linked to the best of them, so that what was merged can be found again.
 */
export class History {
  size = 1;
  parents: Int32Array = new Int32Array(1024);
  moves: Int32Array = new Int32Array(1024);
  classes: Int32Array = new Int32Array(1024);
  /** Score of the hypothesis up to and with this step. */
  scores: Float64Array = new Float64Array(1024);
  /** The next step that led to the same state, NONE if there is no other. */
  twins: Int32Array = new Int32Array(1024);

  clear(): void {
    this.size = 1;
    this.twins[0] = NONE;
    this.scores[0] = 0;
  }

  add(parent: number, move: Move, cls: number, score: number): number {
    const step = this.size++;
    if (step === this.parents.length) this.grow();
    this.parents[step] = parent;
    this.moves[step] = move;
    this.classes[step] = cls;
    this.scores[step] = score;
    this.twins[step] = NONE;
    return step;
  }

  /** The step `other` led to the same state as the better `step`. */
  merge(step: number, other: number): void {
    let last = other;
    while (this.twins[last] !== NONE) last = this.twins[last]!;
    this.twins[last] = this.twins[step]!;
    this.twins[step] = other;
  }

  /** Write the steps that led to this one into `out`, the first first; returns how many. */
  path(step: number, out: number[]): number {
    let count = 0;
    for (let s = step; s > 0; s = this.parents[s]!) count++;
    for (let s = step, i = count; s > 0; s = this.parents[s]!) out[--i] = s;
    return count;
  }

  /** The transitions that led to a step, and that of the step itself. */
  stepsTo(step: number): DerivationStep[] {
    const steps: number[] = [];
    this.path(step, steps);
    return steps.map((s) => ({ move: this.moves[s]!, cls: this.classes[s]! }));
  }

  private grow(): void {
    const longer = (array: Int32Array) => {
      const twice = new Int32Array(2 * array.length);
      twice.set(array);
      return twice;
    };
    this.parents = longer(this.parents);
    this.moves = longer(this.moves);
    this.classes = longer(this.classes);
    this.twins = longer(this.twins);
    const scores = new Float64Array(2 * this.scores.length);
    scores.set(this.scores);
    this.scores = scores;
  }
}
