import type { Words } from "../../features/columns.js";
import { type Configuration, NONE } from "../../systems/configuration.js";
import type { SystemDescription } from "../../systems/system.js";
import { isArc, type Move } from "../../systems/transition.js";
import type { Decider } from "../decider.js";
import { Candidates, IDLE } from "./beam-candidates.js";
import { History } from "./beam-history.js";
import { Hypothesis } from "./hypothesis.js";
import { logSum } from "./log-sum.js";
import type { StateMerger } from "./state-merger.js";

/** In training: what is correct. */
export interface Judge {
  /** After `judge`: for each permitted move the only correct class, ANY_CLASS, or WRONG. */
  readonly verdicts: Int32Array;
  /** Say which of the first `count` moves are correct in a configuration that is. */
  judge(c: Configuration, moves: readonly Move[], count: number): void;
  /** How much is added to the score of a wrong arc, so that what is right must win by that much. */
  readonly margin: number;
  /** The class that makes a move the right arc, WRONG if none does, ANY_CLASS if no head is known to be right. */
  rightClass(c: Configuration, move: Move): number;
}

/** In place of the last child of a hypothesis: it was made in its place. */
const IN_PLACE = -2;

export const ANY_CLASS = -1;
export const WRONG = -2;

/**
 * Beam search: of all continuations of the live hypotheses by a permitted move and a class, the best `width` live on.
 * The score of a hypothesis is the sum of the scores of its steps.
 *
 * Derivations may differ in length (arc-eager unless the root is last, swap). A hypothesis that has ended stays in the
 * beam and idles, at no score, until all have ended or are outscored; it does so in training, too, so that the
 * structured perceptron learns weights whose sums can be compared, and for logarithms of probabilities (which the
 * scores of networks are made into: see log-sum.ts) it is what they mean. The systems themselves bound the length: SWAP
 * exchanges every pair of words once at most.
 *
 * A step makes and copies no more than the survivors: one child of each hypothesis is made in its place, the others in
 * copies that come from a pool.
 */
export class BeamSearch {
  /** The live hypotheses, best first; `size` of them. */
  live: Hypothesis[] = [];
  size = 0;
  readonly history = new History();
  /** In training: the best correct hypothesis when there is none in the beam. */
  aside: Hypothesis | undefined;
  judge: Judge | undefined;
  /** How many continuations led to a state that another had led to. */
  merged = 0;
  private next: Hypothesis[] = [];
  private readonly free: Hypothesis[] = [];
  protected readonly candidates: Candidates;
  private readonly lastChild: Int32Array;
  /** If scores are logarithms of probabilities: how many transitions a move counts as, where not all are one. */
  private readonly transitionsFor: SystemDescription["transitionsFor"];
  /** How many hypotheses may live on. */
  protected places: number;
  // In training: the best correct candidate, whether or not it is in the beam.
  private goodParent: Hypothesis | undefined;
  private goodScore = 0;
  private goodMove: Move = 0;
  private goodClass = 0;

  constructor(
    readonly decider: Decider,
    readonly width: number,
    private readonly merger?: StateMerger,
    /** Places besides those of the beam, for searches that have a use for them. */
    more = 0,
  ) {
    // With merging some more are kept at first, so that what is merged away is made up for.
    this.candidates = new Candidates(merger || more > 0 ? 2 * (width + more) : width);
    this.lastChild = new Int32Array(width + more);
    this.places = width;
    const { scorer, system } = decider;
    if (scorer.logUnit && !scorer.isGlobal) this.transitionsFor = system.description.transitionsFor;
  }

  /** The initial configuration of a sentence. */
  begin(words: Words): void {
    const { decider } = this;
    decider.bind(words);
    this.history.clear();
    for (let h = 0; h < this.size; h++) this.free.push(this.live[h]!);
    const first = this.take();
    decider.system.initialize(first.c, words.length);
    first.score = 0;
    first.step = 0;
    first.finished = decider.system.isTerminal(first.c);
    first.correct = true;
    this.live[0] = first;
    this.size = 1;
    if (this.aside) this.dropAside();
  }

  /** Go one step further; false if all hypotheses had ended. */
  step(): boolean {
    const { candidates, live, judge } = this;
    candidates.clear();
    this.goodParent = undefined;
    let ended = true;
    for (let h = 0; h < this.size; h++) {
      const hypothesis = live[h]!;
      if (hypothesis.finished) {
        if (hypothesis.score > candidates.threshold) {
          candidates.add(hypothesis.score, h, IDLE, 0, NONE, hypothesis.correct ? 1 : 0);
        }
        if (hypothesis.correct) this.noteGood(hypothesis, hypothesis.score, IDLE, 0);
      } else {
        ended = false;
        this.expand(hypothesis, h);
      }
    }
    if (ended) return false;
    candidates.sort();
    if (judge) this.stepAside();
    this.select();
    if (this.aside && this.hasCorrect()) this.dropAside();
    return true;
  }

  /** In training: go on from the correct hypothesis beside the beam, and from it alone. */
  followAside(): void {
    for (let h = 0; h < this.size; h++) this.free.push(this.live[h]!);
    this.live[0] = this.aside!;
    this.size = 1;
    this.aside = undefined;
  }

  /** Offer all continuations of a hypothesis. */
  protected expand(hypothesis: Hypothesis, h: number): void {
    const { decider, judge } = this;
    const { classes, moves, scorer } = decider;
    const { c } = hypothesis;
    const count = decider.permitted(c);
    if (!classes.perMove) scorer.score(c, 0);
    const unit = scorer.isGlobal ? undefined : scorer.logUnit;
    const base = unit ? hypothesis.score - logSum(decider, c, unit) : hypothesis.score;
    const judged = judge !== undefined && hypothesis.correct;
    if (judged) judge.judge(c, moves, count);
    for (let m = 0; m < count; m++) {
      const move = moves[m]!;
      if (classes.perMove) scorer.score(c, move);
      const group = classes.groupOf(move);
      const only = decider.constraints ? decider.required(c, move) : NONE;
      const first = only >= 0 ? only : classes.from[group]!;
      const last = only >= 0 ? only + 1 : classes.from[group + 1]!;
      if (judge) this.offerJudged(hypothesis, h, move, first, last, base, judged ? judge.verdicts[m]! : WRONG);
      else this.offer(hypothesis, h, m, first, last, base);
    }
  }

  /**
   * Offer a permitted move with each of these classes. `base`: the score of the hypothesis, less what all moves share.
   */
  protected offer(hypothesis: Hypothesis, h: number, m: number, first: number, last: number, base: number): void {
    const { candidates, decider, transitionsFor } = this;
    const { scores } = decider;
    const move = decider.moves[m]!;
    const times = transitionsFor ? transitionsFor(move) : 1;
    const own = times === 1 ? base : hypothesis.score + times * (base - hypothesis.score);
    let least = candidates.threshold - own;
    for (let k = first; k < last; k++) {
      const score = times * scores[k]!;
      if (score <= least) continue;
      candidates.add(own + score, h, move, k, NONE, 0);
      least = candidates.threshold - own;
    }
  }

  /** The same in training; `verdict` says which classes are correct. */
  private offerJudged(
    hypothesis: Hypothesis,
    h: number,
    move: Move,
    first: number,
    last: number,
    base: number,
    verdict: number,
  ): void {
    const { candidates, decider, judge } = this;
    const { scores } = decider;
    const { margin } = judge!;
    const right = margin > 0 && isArc(move) ? judge!.rightClass(hypothesis.c, move) : ANY_CLASS;
    let least = candidates.threshold - base;
    for (let k = first; k < last; k++) {
      const score = right === ANY_CLASS || k === right ? scores[k]! : scores[k]! + margin;
      const correct = verdict === ANY_CLASS || verdict === k;
      if (correct) this.noteGood(hypothesis, base + score, move, k);
      if (score <= least) continue;
      candidates.add(base + score, h, move, k, NONE, correct ? 1 : 0);
      least = candidates.threshold - base;
    }
  }

  /** Let the best candidates live on. */
  protected select(): void {
    const { candidates, live, next, lastChild, history } = this;
    // Constraints may look at what features do not see.
    const merger = this.decider.constraints ? undefined : this.merger;
    const { ranking, parents, moves, classes, extras, scores, correct } = candidates;
    for (let h = 0; h < this.size; h++) lastChild[h] = NONE;
    for (let r = 0; r < candidates.size; r++) lastChild[parents[ranking[r]!]!] = r;
    merger?.clear();
    let size = 0;
    for (let r = 0; r < candidates.size && size < this.places; r++) {
      const i = ranking[r]!;
      const h = parents[i]!;
      const parent = live[h]!;
      const move = moves[i]!;
      if (!this.admits(parent, move, classes[i]!)) continue;
      let child = parent;
      if (lastChild[h] === r) lastChild[h] = IN_PLACE;
      else child = this.copyOf(parent);
      child.score = scores[i]!;
      child.correct = correct[i] === 1;
      if (move !== IDLE) this.apply(child, move, classes[i]!, extras[i]!);
      const twin = merger?.add(child);
      if (twin) {
        history.merge(twin.step, child.step);
        this.free.push(child);
        this.merged++;
        continue;
      }
      next[size++] = child;
      this.admitted(child);
    }
    for (let h = 0; h < this.size; h++) if (lastChild[h] !== IN_PLACE) this.free.push(live[h]!);
    this.next = live;
    this.live = next;
    this.size = size;
  }

  /** Whether a continuation may live on, beside those that do already. */
  protected admits(_parent: Hypothesis, _move: Move, _cls: number): boolean {
    return true;
  }

  /** Is told of every hypothesis that lives on. */
  protected admitted(_hypothesis: Hypothesis): void {}

  /** Take a move with its class, and what else was chosen. */
  protected apply(hypothesis: Hypothesis, move: Move, cls: number, _extra: number): void {
    const { system, classes } = this.decider;
    const { c } = hypothesis;
    system.take(c, move, classes.labels[cls]!);
    hypothesis.step = this.history.add(hypothesis.step, move, cls, hypothesis.score);
    hypothesis.finished = system.isTerminal(c);
  }

  private noteGood(hypothesis: Hypothesis, score: number, move: Move, cls: number): void {
    if (this.goodParent !== undefined && score <= this.goodScore) return;
    this.goodParent = hypothesis;
    this.goodScore = score;
    this.goodMove = move;
    this.goodClass = cls;
  }

  /** In training: when the last correct hypothesis leaves the beam, the best one goes on beside it. */
  private stepAside(): void {
    const { candidates, decider, judge } = this;
    if (!this.aside) {
      // A hypothesis that ranks lower lives on only if enough is merged.
      const sure = Math.min(candidates.size, this.width);
      for (let r = 0; r < sure; r++) if (candidates.correct[candidates.ranking[r]!] === 1) return;
      if (!this.goodParent) return;
      const aside = this.copyOf(this.goodParent);
      aside.correct = true;
      this.aside = aside;
    } else {
      const { aside } = this;
      if (aside.finished) return;
      const { classes, moves, scores, scorer } = decider;
      const count = decider.permitted(aside.c);
      if (!classes.perMove) scorer.score(aside.c, 0);
      judge!.judge(aside.c, moves, count);
      this.goodParent = undefined;
      for (let m = 0; m < count; m++) {
        const verdict = judge!.verdicts[m]!;
        if (verdict === WRONG) continue;
        const move = moves[m]!;
        if (classes.perMove) scorer.score(aside.c, move);
        const group = classes.groupOf(move);
        const isWrong = isArc(move) && judge!.rightClass(aside.c, move) === WRONG;
        const extra = isWrong ? judge!.margin : 0;
        const first = verdict === ANY_CLASS ? classes.from[group]! : verdict;
        const last = verdict === ANY_CLASS ? classes.from[group + 1]! : verdict + 1;
        for (let k = first; k < last; k++) this.noteGood(aside, aside.score + scores[k]! + extra, move, k);
      }
    }
    const { aside } = this;
    aside.score = this.goodScore;
    if (this.goodMove !== IDLE) this.apply(aside, this.goodMove, this.goodClass, NONE);
  }

  private hasCorrect(): boolean {
    for (let h = 0; h < this.size; h++) if (this.live[h]!.correct) return true;
    return false;
  }

  private dropAside(): void {
    this.free.push(this.aside!);
    this.aside = undefined;
  }

  protected copyOf(hypothesis: Hypothesis): Hypothesis {
    const copy = this.take();
    if (this.decider.system.description.changesByMethods) copy.c.catchUpWith(hypothesis.c);
    else copy.c.copyFrom(hypothesis.c);
    copy.step = hypothesis.step;
    copy.finished = hypothesis.finished;
    return copy;
  }

  private take(): Hypothesis {
    return this.free.pop() ?? this.create();
  }

  protected create(): Hypothesis {
    return new Hypothesis();
  }
}
