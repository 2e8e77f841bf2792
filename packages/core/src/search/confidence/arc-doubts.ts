import { Configuration, NONE } from "../../systems/configuration.js";
import { kindOf, LEFT_ARC, type Move, REDUCE, RIGHT_ARC, SHIFT } from "../../systems/transition.js";
import type { Decider } from "../decider.js";

/** So much of what was permitted at a step may take an arc away, at most. */
const MOST = 1 - 1e-9;

/** Right of all words. */
const END = 0x7fffffff;

/**
 * How open to doubt each arc of a tree is. At a step of its derivation, what is permitted shares 1 in proportion to e^(score / temperature). Some of it would have
 * taken an arc of the tree away, so that no continuation could have built it: by another head or label for the dependent, or by taking the head or the dependent from where
 * they could still have met. (What only follows from the tree having one root is not counted.) The doubt is −ln of the product, over all steps, of the shares that do not.
 *
 * It is a matter of the derivation alone, so it has the same meaning after greedy search and with every beam.
 */
export class Doubts {
  private readonly c = new Configuration();
  private moves: Move[] = [];
  private classes: number[] = [];
  private tags: number[] = [];
  private steps = 0;
  private doubts: Float64Array[];
  // Of the tree: the first dependent of each node, and the next of the same head.
  private first = new Int32Array(64);
  private next = new Int32Array(64);
  // At a step: for each permitted move the share of all its classes, and of the one that is the arc of the tree.
  private all = new Float64Array(64);
  private right = new Float64Array(64);
  private lost = new Float64Array(64);
  private readonly touched: number[] = [];

  constructor(
    private readonly decider: Decider,
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

  /** Add a step; `tag` is the candidate chosen for the word that it takes from the buffer, NONE if there was nothing to choose. */
  add(move: Move, cls: number, tag: number): void {
    this.moves[this.steps] = move;
    this.classes[this.steps] = cls;
    this.tags[this.steps++] = tag;
  }

  /** Follow the derivation to the tree that it gave. The words must be bound, with no tag chosen yet. */
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
        this.weighStep(tree, count, this.doubts[t]!);
      }
      if (this.tags[i] !== NONE) decider.giveTag(c.b(0), this.tags[i]!);
      system.apply(c, this.moves[i]!, classes.labels[this.classes[i]!]!);
    }
  }

  private bind(tree: Configuration): void {
    const n = tree.length;
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
  private weighStep(tree: Configuration, count: number, doubts: Float64Array): void {
    const { c, decider, all, right, lost, touched } = this;
    const { system, moves } = decider;
    touched.length = 0;
    for (let m = 0; m < count; m++) {
      const move = moves[m]!;
      const d = system.dependent(c, move);
      if (d > 0) this.lose(d, all[m]! - right[m]!);
      this.loseOthers(tree, move, d, all[m]!);
    }
    for (const d of touched) {
      doubts[d]! -= Math.log1p(-Math.min(lost[d]!, MOST));
      lost[d] = 0;
    }
  }

  private lose(word: number, share: number): void {
    if (share <= 0) return;
    if (this.lost[word] === 0) this.touched.push(word);
    this.lost[word]! += share;
  }

  /** What a move takes away besides the arc of the dependent it attaches. */
  private loseOthers(tree: Configuration, move: Move, dependent: number, share: number): void {
    const { c, decider } = this;
    const { name } = decider.system;
    switch (name) {
      case "lr-spines":
        if (dependent > 0) this.loseInside(move, dependent, share);
        return;
      case "arc-eager":
      case "arc-hybrid": {
        const kind = kindOf(move);
        if (kind !== SHIFT && !(kind === RIGHT_ARC && name === "arc-eager")) break;
        // b leaves the place from which it could attach what waits on the stack.
        const b = c.b(0);
        this.losePending(b, 0, b, share);
        if (kind === SHIFT && this.losesHead(tree.heads[b]!, b)) this.lose(b, share);
        return;
      }
    }
    // What is attached, or reduced, leaves the stack and gets no more dependents.
    const popped = dependent > 0 ? dependent : kindOf(move) === REDUCE ? c.s(0) : NONE;
    if (popped > 0) this.losePending(popped, 0, END, share);
  }

  /** Can b no longer get its head once it is shifted? */
  private losesHead(head: number, b: number): boolean {
    const { name, root, singleRoot } = this.decider.system;
    if (name === "arc-eager") return head > 0 && head < b;
    // Arc-hybrid: the last word, on top of others, is to be attached to one of them.
    return head === 0 && b === this.c.length && this.c.s(0) > 0 && (singleRoot || root !== "last");
  }

  /** LR-spines: the nodes of spines that come to lie inside the new tree get no more dependents on that side. */
  private loseInside(move: Move, dependent: number, share: number): void {
    const { c, decider } = this;
    const toLeft = kindOf(move) === LEFT_ARC;
    const towards = toLeft ? c.leftmost : c.rightmost;
    const across = toLeft ? c.rightmost : c.leftmost;
    for (let h = towards[decider.system.head(c, move)]!; h !== NONE; h = towards[h]!) {
      this.losePending(h, toLeft ? 0 : h, toLeft ? h : END, share, dependent);
    }
    for (let h = dependent; h !== NONE; h = across[h]!) {
      this.losePending(h, toLeft ? h : 0, toLeft ? END : h, share, dependent);
    }
  }

  /** The dependents of a node that are between two others and have no head yet, but for one. */
  private losePending(head: number, left: number, right: number, share: number, except = NONE): void {
    const { c, first, next } = this;
    for (let d = first[head]!; d > 0 && d < right; d = next[d]!) {
      if (d > left && d !== except && c.heads[d] === NONE) this.lose(d, share);
    }
  }
}
