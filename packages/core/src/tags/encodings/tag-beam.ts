// Finds tags that go together, from left to right with a beam. Of several sequences after which the same may follow,
// the best is kept.

/** Sequences that are kept at each word, and tags that each goes on with. */
const BEAM = 8;
const BEST_TAGS = 16;
/** For each fault at the end: more than scores can make up for. */
const FAULT = 2 ** 40;

/** Which tags may follow each other; a state is what matters of those before. */
export interface TagGrammar<State> {
  readonly start: State;
  /** The state after word i of n has got a tag; undefined if it may not. */
  follow(state: State, tag: number, i: number, n: number): State | undefined;
  /** The same for states after which the same may follow. */
  key(state: State): number;
  /** How much a sequence lacks that ends in a state. */
  faults(state: State): number;
}

/** The search for one grammar and a number of tags. Time is linear in the length. */
export class TagBeam<State> {
  private readonly best = new Int32Array(BEST_TAGS);
  private states: State[] = [];
  private sums: number[] = [];
  private next: State[] = [];
  private nextSums: number[] = [];
  /** For each word and sequence its tag, and the number of the sequence that it continues. */
  private tags = new Int32Array(0);
  private back = new Uint8Array(0);

  constructor(
    private readonly grammar: TagGrammar<State>,
    private readonly count: number,
  ) {}

  /** Chooses the tags of n words, whose scores are as in `TagDecoder`. */
  find(n: number, scores: ArrayLike<number>, chosen: Int32Array): void {
    const { grammar } = this;
    if (this.tags.length < BEAM * (n + 1)) {
      this.tags = new Int32Array(2 * BEAM * (n + 1));
      this.back = new Uint8Array(2 * BEAM * (n + 1));
    }
    this.states = [grammar.start];
    this.sums = [0];
    for (let i = 1; i <= n; i++) this.extend(i, n, scores);
    let last = 0;
    let most = Number.NEGATIVE_INFINITY;
    this.states.forEach((state, b) => {
      const sum = this.sums[b]! - FAULT * grammar.faults(state);
      if (sum > most) [most, last] = [sum, b];
    });
    for (let i = n; i >= 1; i--) {
      chosen[i] = this.tags[BEAM * i + last]!;
      last = this.back[BEAM * i + last]!;
    }
  }

  /** Continues the sequences with the tags of word i. */
  private extend(i: number, n: number, scores: ArrayLike<number>): void {
    const { grammar, best, states, sums } = this;
    const from = (i - 1) * this.count;
    const tagCount = this.selectTags(scores, from);
    this.next.length = this.nextSums.length = 0;
    const go = (b: number, tag: number) => {
      const state = grammar.follow(states[b]!, tag, i, n);
      if (state !== undefined) this.add(i, b, tag, state, sums[b]! + scores[from + tag]!);
    };
    for (let b = 0; b < states.length; b++) for (let k = 0; k < tagCount; k++) go(b, best[k]!);
    for (let tag = 0; tag < this.count && this.next.length === 0; tag++) {
      for (let b = 0; b < states.length; b++) go(b, tag);
    }
    // Where no tag may follow, the best one is taken, and the reader leaves out what of it is too much.
    if (this.next.length === 0) this.add(i, 0, best[0]!, states[0]!, sums[0]! + scores[from + best[0]!]!);
    [this.states, this.next] = [this.next, states];
    [this.sums, this.nextSums] = [this.nextSums, sums];
  }

  private add(i: number, b: number, tag: number, state: State, sum: number): void {
    const { next, nextSums, tags, back, grammar } = this;
    const key = grammar.key(state);
    const row = BEAM * i;
    let place = 0;
    while (place < next.length && grammar.key(next[place]!) !== key) place++;
    if (place === BEAM) place--;
    if (place < next.length && nextSums[place]! >= sum) return;
    for (; place > 0 && nextSums[place - 1]! < sum; place--) {
      next[place] = next[place - 1]!;
      nextSums[place] = nextSums[place - 1]!;
      tags[row + place] = tags[row + place - 1]!;
      back[row + place] = back[row + place - 1]!;
    }
    next[place] = state;
    nextSums[place] = sum;
    tags[row + place] = tag;
    back[row + place] = b;
  }

  /** The best tags of a word, best first; returns how many. */
  private selectTags(scores: ArrayLike<number>, from: number): number {
    const { best } = this;
    let count = 0;
    for (let tag = 0; tag < this.count; tag++) {
      const score = scores[from + tag]!;
      if (count === BEST_TAGS && score <= scores[from + best[count - 1]!]!) continue;
      let place = count < BEST_TAGS ? count++ : count - 1;
      for (; place > 0 && scores[from + best[place - 1]!]! < score; place--) best[place] = best[place - 1]!;
      best[place] = tag;
    }
    return count;
  }
}
