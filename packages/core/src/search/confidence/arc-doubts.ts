import { Configuration, NONE } from "../../systems/configuration.js";
import type { ArcsAtRisk } from "../../systems/system.js";
import type { Move } from "../../systems/transition.js";
import type { Decider } from "../decider.js";

/** So much of what was permitted at a step may take an arc away, at most. */
const MOST = 1 - 1e-9;

/**
 * How open to doubt each arc of a tree is. At a step of its derivation, what is permitted shares 1 in proportion to
 * e^(score / temperature). Some of it would have taken an arc of the tree away, so that no continuation could have
 * built it: by another head or label for the dependent, or by taking the head or the dependent from where they could
 * still have met. (What only follows from the tree having one root is not counted.) The doubt is −ln of the product,
 * over all steps, of the shares that do not.
 *
 * It is a matter of the derivation alone, so it has the same meaning after greedy search and with every beam.
 */
export class ArcDoubts implements ArcsAtRisk {
  protected readonly c = new Configuration();
  private moves: Move[] = [];
  private classes: number[] = [];
  protected steps = 0;
  private doubts: Float64Array[];
  // Of the tree: the first dependent of each node, and the next of the same head.
  private first = new Int32Array(64);
  private next = new Int32Array(64);
  // At a step: for each permitted move the share of all its classes, and of the one that is the arc of the tree.
  private all = new Float64Array(64);
  private right = new Float64Array(64);
  private lost = new Float64Array(64);
  private readonly touched: number[] = [];
  /** The share of the move that is looked at. */
  private moveShare = 0;
  /** The heads of the tree. */
  heads: Int32Array = new Int32Array(0);

  constructor(
    protected readonly decider: Decider,
    readonly temperatures: readonly number[],
  ) {
    this.doubts = temperatures.map(() => new Float64Array(64));
  }

  /** The doubt about the arc of a word, after `weigh`. */
  of(word: number, temperature = 0): number {
    return this.doubts[temperature]![word]!;
  }

  /** Forget the derivation. */
  begin(): void {
    this.steps = 0;
  }

  /** Add a step. */
  add(move: Move, cls: number): void {
    this.moves[this.steps] = move;
    this.classes[this.steps++] = cls;
  }

  /** Follow the derivation to the tree that it gave. The words must be bound. */
  weigh(tree: Configuration): void {
    const { c, decider, temperatures } = this;
    const { system, classes } = decider;
    this.bind(tree);
    system.initialize(c, tree.length);
    for (let i = 0; i < this.steps; i++) {
      const count = decider.permitted(c);
      if (!classes.perMove) decider.scorer.score(c, 0);
      for (let t = 0; t < temperatures.length; t++) {
        this.share(tree, count, temperatures[t]!);
        this.weighStep(count, this.doubts[t]!);
      }
      this.take(i);
    }
  }

  /** Take a step of the derivation. */
  protected take(step: number): void {
    const { system, classes } = this.decider;
    system.take(this.c, this.moves[step]!, classes.labels[this.classes[step]!]!);
  }

  private bind(tree: Configuration): void {
    const n = tree.length;
    this.heads = tree.heads;
    if (this.first.length <= n) {
      this.first = new Int32Array(2 * n);
      this.next = new Int32Array(2 * n);
      this.lost = new Float64Array(2 * n);
      this.doubts = this.temperatures.map(() => new Float64Array(2 * n));
    }
    for (const doubts of this.doubts) doubts.fill(0, 0, n + 1);
    this.first.fill(0, 0, n + 1);
    for (let d = n; d > 0; d--) {
      this.next[d] = this.first[tree.heads[d]!]!;
      this.first[tree.heads[d]!] = d;
    }
  }

  /** Share 1 among the permitted moves. */
  private share(tree: Configuration, count: number, temperature: number): void {
    const { c, decider } = this;
    const { system, classes, scores, scorer, moves } = decider;
    if (this.all.length < count) {
      this.all = new Float64Array(2 * count);
      this.right = new Float64Array(2 * count);
    }
    const { all, right } = this;
    // Scores are taken relative to the best so far; when a better one comes, what was summed up is scaled.
    let top = Number.NEGATIVE_INFINITY;
    let sum = 0;
    for (let m = 0; m < count; m++) {
      const move = moves[m]!;
      if (classes.perMove) scorer.score(c, move);
      const group = classes.groupOf(move);
      const only = decider.constraints ? decider.required(c, move) : NONE;
      const from = only >= 0 ? only : classes.from[group]!;
      const to = only >= 0 ? only + 1 : classes.from[group + 1]!;
      let best = scores[from]!;
      for (let k = from + 1; k < to; k++) if (scores[k]! > best) best = scores[k]!;
      if (best > top) {
        const scale = Math.exp((top - best) / temperature);
        for (let i = 0; i < m; i++) {
          all[i]! *= scale;
          right[i]! *= scale;
        }
        sum *= scale;
        top = best;
      }
      let mass = 0;
      for (let k = from; k < to; k++) mass += Math.exp((scores[k]! - top) / temperature);
      const d = system.dependent(c, move);
      const cls = d > 0 && system.head(c, move) === tree.heads[d] ? classes.classOf(group, tree.labels[d]!) : NONE;
      all[m] = mass;
      right[m] = cls >= from && cls < to ? Math.exp((scores[cls]! - top) / temperature) : 0;
      sum += mass;
    }
    for (let m = 0; m < count; m++) {
      all[m]! /= sum;
      right[m]! /= sum;
    }
  }

  /** Add to the doubt about every arc what a step could have taken away from it. */
  private weighStep(count: number, doubts: Float64Array): void {
    const { c, decider, all, right, lost, touched } = this;
    const { system, moves } = decider;
    touched.length = 0;
    for (let m = 0; m < count; m++) {
      const move = moves[m]!;
      const d = system.dependent(c, move);
      if (d > 0) this.loseShare(d, all[m]! - right[m]!);
      this.moveShare = all[m]!;
      system.description.risks(system, c, move, this);
    }
    for (const d of touched) {
      doubts[d]! -= Math.log1p(-Math.min(lost[d]!, MOST));
      lost[d] = 0;
    }
  }

  private loseShare(word: number, share: number): void {
    if (share <= 0) return;
    if (this.lost[word] === 0) this.touched.push(word);
    this.lost[word]! += share;
  }

  // The arcs that a move puts out of reach besides the arc of the dependent it attaches, as its system tells it.

  lose(word: number): void {
    this.loseShare(word, this.moveShare);
  }

  loseDependents(head: number, except = NONE): void {
    const { first, next } = this;
    for (let d = first[head]!; d > 0; d = next[d]!) if (d !== except) this.loseIfPending(d);
  }

  loseLeftDependents(head: number, except = NONE): void {
    const { first, next } = this;
    for (let d = first[head]!; d > 0 && d < head; d = next[d]!) if (d !== except) this.loseIfPending(d);
  }

  loseRightDependents(head: number, except = NONE): void {
    const { first, next } = this;
    for (let d = first[head]!; d > 0; d = next[d]!) if (d > head && d !== except) this.loseIfPending(d);
  }

  private loseIfPending(word: number): void {
    if (this.c.heads[word] === NONE) this.lose(word);
  }
}
