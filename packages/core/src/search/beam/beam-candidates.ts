/** In place of a move: a hypothesis that has ended stays as it is. */
export const IDLE = -1;

/**
 * The best candidates of a step, at most `limit`: a heap with the worst at the top, so that nearly all that come are
 * turned away by one comparison. Of equal scores the one that came first is the better, which makes the order complete.
 */
export class Candidates {
  size = 0;
  /** The score that a candidate must exceed. */
  threshold = Number.NEGATIVE_INFINITY;
  readonly scores: Float64Array;
  /**
   * The index of the hypothesis it continues, the move, its class, and what else a search has chosen, NONE if nothing.
   */
  readonly parents: Int32Array;
  readonly moves: Int32Array;
  readonly classes: Int32Array;
  readonly extras: Int32Array;
  /** In training: whether it is correct. */
  readonly correct: Uint8Array;
  /** After `sort`: the places of the candidates in the other arrays, best first. */
  readonly ranking: Int32Array;
  private readonly arrival: Int32Array;
  private arrivals = 0;

  constructor(readonly limit: number) {
    this.scores = new Float64Array(limit);
    this.parents = new Int32Array(limit);
    this.moves = new Int32Array(limit);
    this.classes = new Int32Array(limit);
    this.extras = new Int32Array(limit);
    this.correct = new Uint8Array(limit);
    this.ranking = new Int32Array(limit);
    this.arrival = new Int32Array(limit);
  }

  clear(): void {
    this.size = 0;
    this.arrivals = 0;
    this.threshold = Number.NEGATIVE_INFINITY;
  }

  /** Take in a candidate whose score is above the threshold. */
  add(score: number, parent: number, move: number, cls: number, extra: number, correct: number): void {
    const { ranking: heap, limit } = this;
    const full = this.size === limit;
    const place = full ? heap[0]! : this.size;
    this.scores[place] = score;
    this.parents[place] = parent;
    this.moves[place] = move;
    this.classes[place] = cls;
    this.extras[place] = extra;
    this.correct[place] = correct;
    this.arrival[place] = this.arrivals++;
    if (full) this.sink(0, limit);
    else {
      let at = this.size++;
      while (at > 0) {
        const up = (at - 1) >> 1;
        if (!this.isWorse(place, heap[up]!)) break;
        heap[at] = heap[up]!;
        at = up;
      }
      heap[at] = place;
    }
    if (this.size === limit) this.threshold = this.scores[heap[0]!]!;
  }

  /** Best first. */
  sort(): void {
    const heap = this.ranking;
    for (let end = this.size - 1; end > 0; end--) {
      const worst = heap[0]!;
      heap[0] = heap[end]!;
      heap[end] = worst;
      this.sink(0, end);
    }
  }

  private sink(from: number, size: number): void {
    const heap = this.ranking;
    const place = heap[from]!;
    let at = from;
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.isWorse(heap[child + 1]!, heap[child]!)) child++;
      if (!this.isWorse(heap[child]!, place)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = place;
  }

  private isWorse(a: number, b: number): boolean {
    const { scores } = this;
    return scores[a] === scores[b] ? this.arrival[a]! > this.arrival[b]! : scores[a]! < scores[b]!;
  }
}
