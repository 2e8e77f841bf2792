import type { SiblingScore } from "../../graph/search/eisner.js";
import type { ArcScores } from "../../math/edmonds.js";
import { NONE } from "../../systems/configuration.js";
import { Attachments } from "./attachments.js";

/** Attaches the words of a sentence from left to right, the `width` best ways beside each other. */
export class PointerSearch {
  // The best continuations, best first: of which hypothesis, with which head and score.
  private readonly from: Int32Array;
  private readonly head: Int32Array;
  private readonly sum: Float64Array;
  private count = 0;

  constructor(
    private readonly width: number,
    private readonly singleRoot: boolean,
  ) {
    this.from = new Int32Array(width);
    this.head = new Int32Array(width);
    this.sum = new Float64Array(width);
  }

  /**
   * Trees over n words, best first, no two alike: at most as many as the beam is wide. `wanted`: heads that are known
   * beforehand, of which there is a tree; the scores of all others of these words become −∞. O(n²) for each hypothesis.
   */
  run(n: number, scores: ArcScores, siblings?: SiblingScore, wanted?: ArrayLike<number>): Attachments[] {
    const w = n + 1;
    const first = new Attachments(n, this.singleRoot);
    for (let d = 1; d <= n; d++) {
      if (!wanted || wanted[d] === NONE) continue;
      for (let h = 0; h <= n; h++) if (h !== wanted[d]) scores[h * w + d] = Number.NEGATIVE_INFINITY;
      first.reserve(wanted[d]!, d);
    }
    let beam = [first];
    let before: Attachments[] = [];
    for (let d = 1; d <= n; d++) {
      const isKnown = wanted !== undefined && wanted[d] !== NONE;
      this.count = 0;
      beam.forEach((hypothesis, k) => {
        for (let h = 0; h <= n; h++) {
          if (isKnown ? h !== wanted[d] : h === d || !hypothesis.permits(h, d)) continue;
          const state = siblings ? siblings(h, hypothesis.last(h, d), d) : 0;
          this.offer(k, h, hypothesis.score + scores[h * w + d]! + state);
        }
      });
      // Those that are no longer needed take up the next ones.
      const free = before;
      before = beam;
      beam = [];
      for (let i = 0; i < this.count; i++) {
        const next = free.pop() ?? new Attachments(n, this.singleRoot);
        next.copy(before[this.from[i]!]!);
        next.attach(this.head[i]!, d);
        next.score = this.sum[i]!;
        beam.push(next);
      }
    }
    return beam;
  }

  /** Keep a continuation if it is among the best; of equal ones those that came first are better. */
  private offer(k: number, h: number, score: number): void {
    const { from, head, sum, width, count } = this;
    if (count === width && !(score > sum[width - 1]!)) return;
    let [at, end] = [0, count];
    while (at < end) {
      const middle = (at + end) >> 1;
      if (score > sum[middle]!) end = middle;
      else at = middle + 1;
    }
    const moved = Math.min(count, width - 1);
    for (const list of [from, head, sum]) list.copyWithin(at + 1, at, moved);
    from[at] = k;
    head[at] = h;
    sum[at] = score;
    this.count = moved + 1;
  }
}
