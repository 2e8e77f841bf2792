import type { Words } from "../../features/columns.js";
import { scramble } from "../../math/hash.js";
import { Configuration, NONE } from "../../systems/configuration.js";
import { isArc, kindOf, LEFT_ARC, type Move } from "../../systems/transition.js";
import { Candidates } from "../beam/beam-candidates.js";
import { logSum } from "../beam/log-sum.js";
import type { Decider } from "../decider.js";
import { StackState } from "./stack-state.js";
import type { StackViews } from "./stack-views.js";
import { leaf, type VisibleTree, withDependent, write } from "./visible-tree.js";

/** So many continuations for each place in the beam are looked at: many of them lead to the same states. */
const CANDIDATES_EACH = 4;

/**
 * Beam search with a graph-structured stack (Huang & Sagae 2010, figure 4). Derivations are in the same state if they
 * have taken as many steps and words, and the tops of their stacks look the same to the features of the next step; what
 * is below may differ. An arc takes a node off the stack, and what is then next to the top is that of a state below:
 * the arc leads back to each of them, with its stack, its features and its score.
 *
 *   SHIFT  p = (c, v, π)  ⇒  (c + ξ, 0, {p})                                     ξ the score of SHIFT in p
 *   arc    p = (_, v, π), q = (c', v', π') in π  ⇒  (c' + ξ' + v + λ, v' + ξ' + v + λ, π')   λ the score of the arc in p
 *
 * c is the score of the best derivation of a state, v that of its part since the topmost tree was begun. Which q is
 * below does not matter to v: all steps of that part see the same of it. The states of one step are at most as many as
 * the beam is wide, and so are those below a state: the time is linear in the length of the sentence.
 *
 * All derivations of a sentence have the same length in the systems for which it works.
 */
export class StackSearch {
  /** The states of the last step, best first; `size` of them. */
  live: StackState[] = [];
  size = 0;
  /** How many continuations led to a state that another had led to, and how many were made. */
  merged = 0;
  made = 0;
  private next: StackState[] = [];
  private readonly candidates: Candidates;
  private readonly table: (StackState | undefined)[];
  private readonly filled: Int32Array;
  /** Shows a state to features and to preconditions: no more of it is there than they see. */
  private readonly c = new Configuration();
  private leaves: VisibleTree[] = [];
  private states = 0;
  /** Where in the table a state was looked for last. */
  private place = 0;
  private readonly leftArcFrom: "top" | "front" | undefined;

  constructor(
    readonly decider: Decider,
    readonly width: number,
    private readonly views: StackViews,
  ) {
    this.candidates = new Candidates(CANDIDATES_EACH * width);
    this.table = new Array(2 << (32 - Math.clz32(2 * width))).fill(undefined);
    this.filled = new Int32Array(width);
    this.leftArcFrom = decider.system.description.leftArcFrom;
  }

  /** The initial configuration of a sentence. */
  begin(words: Words): void {
    const { decider, c } = this;
    decider.bind(words);
    decider.system.initialize(c, words.length);
    this.leaves = Array.from({ length: words.length + 1 }, (_, node) => leaf(node));
    this.states = 0;
    const top = c.stackSize > 0 ? this.leaves[c.s(0)] : undefined;
    this.live[0] = new StackState(this.states++, top, c.stackSize, 0, this.leafAt(0));
    this.size = 1;
  }

  /** Go one step further; false if the derivations had ended. */
  step(): boolean {
    const { candidates, decider, c } = this;
    candidates.clear();
    for (let h = 0; h < this.size; h++) {
      this.show(this.live[h]!);
      if (decider.system.isTerminal(c)) return false;
      this.expand(this.live[h]!, h);
    }
    candidates.sort();
    this.select();
    return true;
  }

  private leafAt(place: number): VisibleTree | undefined {
    const { c } = this;
    return place < c.end ? this.leaves[c.buffer[place]!] : undefined;
  }

  /** Let the configuration look like a state. */
  private show(state: StackState): void {
    const { c, views } = this;
    c.version++;
    c.front = state.front;
    c.stackSize = state.stackSize;
    let below: StackState | undefined = state;
    for (let k = 0; k < views.depth && below?.top; k++, below = below.origin.below[0]) {
      c.stack[state.stackSize - 1 - k] = below.top.node;
      write(below.top, c, views.steps[k]!);
    }
    if (state.ahead) write(state.ahead, c, views.steps[0]!);
    for (let i = 1; i < views.lookahead; i++) {
      const tree = this.leafAt(state.front + i);
      if (tree) write(tree, c, 0);
    }
  }

  /** Offer all continuations of the state that is shown. */
  private expand(state: StackState, h: number): void {
    const { decider, candidates, c } = this;
    const { classes, moves, scores, scorer } = decider;
    const { below, belowScores } = state.origin;
    const count = decider.permitted(c);
    scorer.score(c, 0);
    const less = scorer.logUnit ? logSum(decider, c, scorer.logUnit) : 0;
    for (let m = 0; m < count; m++) {
      const move = moves[m]!;
      const group = classes.groupOf(move);
      const first = classes.from[group]!;
      const last = classes.from[group + 1]!;
      if (!isArc(move)) {
        const score = state.score + scores[first]! - less;
        if (score > candidates.threshold) candidates.add(score, h, move, first, NONE, 0);
        continue;
      }
      let most = scores[first]!;
      for (let k = first + 1; k < last; k++) most = Math.max(most, scores[k]!);
      for (let i = 0; i < below.length; i++) {
        const base = belowScores[i]! + state.inside - less;
        if (base + most <= candidates.threshold) break;
        for (let k = first; k < last; k++) {
          if (base + scores[k]! > candidates.threshold) candidates.add(base + scores[k]!, h, move, k, i, 0);
        }
      }
    }
  }

  /** Let the best states live on. */
  private select(): void {
    const { candidates, live, next, width, table, filled } = this;
    const { ranking, parents, moves, classes, tags, scores } = candidates;
    let size = 0;
    for (let r = 0; r < candidates.size; r++) {
      const i = ranking[r]!;
      const parent = live[parents[i]!]!;
      const state = isArc(moves[i]!)
        ? this.afterArc(parent, parent.origin.below[tags[i]!]!, moves[i]!, classes[i]!, scores[i]!)
        : this.afterShift(parent, scores[i]!);
      this.made++;
      if (!state) this.merged++;
      else if (size < width) {
        table[this.place] = state;
        filled[size] = this.place;
        next[size++] = state;
      }
    }
    for (let k = 0; k < size; k++) table[filled[k]!] = undefined;
    this.next = live;
    this.live = next;
    this.size = size;
  }

  /** The state to which SHIFT leads; undefined if there was one already, which has now one more state below. */
  private afterShift(state: StackState, score: number): StackState | undefined {
    const { table, views } = this;
    this.place = this.hash(state.front, state.top);
    for (let other = table[this.place]; other; other = this.another()) {
      if (other.origin !== other || other.front !== state.front + 1) continue;
      if (!views.isSame(state.ahead, other.top, 0) || !this.sameBelow(state, other.below[0])) continue;
      other.below.push(state);
      other.belowScores.push(score);
      return undefined;
    }
    const front = state.front + 1;
    const shifted = new StackState(this.states++, state.ahead, state.stackSize + 1, front, this.leafAt(front));
    shifted.score = score;
    shifted.below.push(state);
    shifted.belowScores.push(score);
    return shifted;
  }

  /** The same for an arc between the topmost trees of a state and of one below it. */
  private afterArc(
    state: StackState,
    below: StackState,
    move: Move,
    cls: number,
    score: number,
  ): StackState | undefined {
    const { table, views } = this;
    const label = this.decider.classes.labels[cls]!;
    let { top } = below;
    let { ahead } = state;
    if (kindOf(move) !== LEFT_ARC) top = withDependent(top!, state.top!, label, false);
    else if (this.leftArcFrom === "front") ahead = withDependent(ahead!, state.top!, label, true);
    else top = withDependent(state.top!, top!, label, true);
    const inside = score - below.score + below.inside;
    const arc = { over: state, below, move, cls, inside };
    const { origin } = below;
    this.place = this.hash(origin.id, top);
    for (let other = table[this.place]; other; other = this.another()) {
      if (other.origin !== origin || other.front !== state.front) continue;
      if (!views.isSame(top, other.top, 0) || !views.isSame(ahead, other.ahead, 0)) continue;
      other.arcs.push(arc);
      return undefined;
    }
    const result = new StackState(this.states++, top, state.stackSize - 1, state.front, ahead, origin);
    result.score = score;
    result.inside = inside;
    result.arcs.push(arc);
    return result;
  }

  private hash(from: number, top: VisibleTree | undefined): number {
    return scramble(Math.imul(from, 0x10001) + (top ? top.node : NONE)) & (this.table.length - 1);
  }

  /** The state in the next place of the table. */
  private another(): StackState | undefined {
    this.place = (this.place + 1) & (this.table.length - 1);
    return this.table[this.place];
  }

  /** Would two states look the same if a word was shifted on top of them? */
  private sameBelow(one: StackState | undefined, other: StackState | undefined): boolean {
    const { views } = this;
    for (let k = 1, a = one, b = other; k < views.depth && a !== b; k++) {
      if (!views.isSame(a?.top, b?.top, k)) return false;
      a = a?.origin.below[0];
      b = b?.origin.below[0];
    }
    return true;
  }
}
