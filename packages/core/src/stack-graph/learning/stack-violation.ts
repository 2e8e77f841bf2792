import type { Words } from "../../features/columns.js";
import type { BeamJudge } from "../../learning/beam-judge.js";
import type { ViolationFinder } from "../../learning/linear/beam-violation.js";
import type { DerivationStep } from "../../search/beam/beam-history.js";
import { ANY_CLASS, WRONG } from "../../search/beam/beam-search.js";
import { Configuration } from "../../systems/configuration.js";
import { isArc, type Move, SHIFT } from "../../systems/transition.js";
import type { StackSearch } from "../stack-search.js";
import { derivationOf, type StackState } from "../stack-state.js";

/**
 * Max-violation (Huang, Fayong & Guo 2012) with a graph-structured stack. Of a merged
 * state only the best derivation is known, and no configuration that an oracle could be asked about. So a correct
 * derivation is followed beside the beam, always by its best correct move, and a state is wrong once its best
 * derivation has built a wrong arc: an error that is none yet is learned from when it has led to one.
 */
export class StackViolation implements ViolationFinder {
  right: readonly DerivationStep[] = [];
  wrong: readonly DerivationStep[] = [];
  private readonly c = new Configuration();
  private length = 0;

  constructor(
    private readonly search: StackSearch,
    private readonly judge: BeamJudge,
  ) {
    search.judge = judge;
  }

  begin(words: Words): void {
    this.length = words.length;
    this.search.begin(words);
  }

  find(): boolean {
    const { search, c } = this;
    const { classes, system } = search.decider;
    const correct: DerivationStep[] = [];
    let score = 0;
    let most = Number.NEGATIVE_INFINITY;
    let found: StackState | undefined;
    let length = 0;
    system.initialize(c, this.length);
    while (search.step()) {
      score += this.follow(correct);
      const best = search.live[0]!;
      if (best.errors === 0 || best.score < score || best.score - score <= most) continue;
      most = best.score - score;
      found = best;
      length = correct.length;
    }
    if (!found) return false;
    this.right = correct.slice(0, length);
    this.wrong = derivationOf(found, { move: SHIFT, cls: classes.from[classes.groupOf(SHIFT)]! });
    // The values that templates saw may have been those of a better derivation of the same states.
    return this.scoreOf(this.wrong) >= this.scoreOf(this.right);
  }

  /** Take the best correct move of the correct derivation, and return its score. */
  private follow(steps: DerivationStep[]): number {
    const { c, judge } = this;
    const { decider } = this.search;
    const { classes, moves, scores, system } = decider;
    const count = decider.permitted(c);
    decider.scorer.score(c, 0);
    judge.judge(c, moves, count);
    let best: DerivationStep | undefined;
    let most = 0;
    for (let m = 0; m < count; m++) {
      const verdict = judge.verdicts[m]!;
      if (verdict === WRONG) continue;
      const move = moves[m]!;
      const group = classes.groupOf(move);
      const first = verdict === ANY_CLASS ? classes.from[group]! : verdict;
      const last = verdict === ANY_CLASS ? classes.from[group + 1]! : verdict + 1;
      for (let cls = first; cls < last; cls++) {
        const score = scores[cls]! + this.marginOf(move, cls);
        if (best && score <= most) continue;
        most = score;
        best = { move, cls };
      }
    }
    steps.push(best!);
    system.take(c, best!.move, classes.labels[best!.cls]!);
    return most;
  }

  /** The score of a derivation by its own features. */
  private scoreOf(steps: readonly DerivationStep[]): number {
    const { c, search } = this;
    const { system, scorer, scores, classes } = search.decider;
    let sum = 0;
    system.initialize(c, this.length);
    for (const { move, cls } of steps) {
      scorer.score(c, 0);
      sum += scores[cls]! + this.marginOf(move, cls);
      system.take(c, move, classes.labels[cls]!);
    }
    return sum;
  }

  /** By how much the search favours a step. */
  private marginOf(move: Move, cls: number): number {
    if (!isArc(move)) return 0;
    const right = this.judge.rightClass(this.c, move);
    return right === ANY_CLASS || right === cls ? 0 : this.judge.margin;
  }
}
