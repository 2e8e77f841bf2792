import type { Columns, Words } from "../features/columns.js";
import type { TemplateSet } from "../features/templates.js";
import { scramble } from "../math/hash.js";
import { Candidates } from "../search/beam/beam-candidates.js";
import { ANY_CLASS, type Judge } from "../search/beam/beam-search.js";
import { logSum } from "../search/beam/log-sum.js";
import type { Decider } from "../search/decider.js";
import { Configuration, NONE } from "../systems/configuration.js";
import { isArc, kindOf, LEFT_ARC, type Move } from "../systems/transition.js";
import { KernelFeatures } from "./kernel-features.js";
import { StackState } from "./stack-state.js";
import { leaf, type VisibleTree, withDependent, write } from "./visible-tree.js";

/** So many continuations for each place in the beam are looked at: many of them lead to the same states. */
const CANDIDATES_EACH = 4;

/**
 * Beam search with a graph-structured stack (Huang & Sagae 2010, figure 4). Derivations are in the same state if they
 * have taken as many steps and words, begun the topmost tree with the same one, and look the same on top of the stack:
 * the three topmost trees with their outermost dependents, as templates see their words (kernel-features.ts). The rest
 * may differ. An arc takes a node off the stack, and what is then next to the top is that of a state below: the arc
 * leads back to each of them, with its stack, its features and its score.
 *
 *   SHIFT  p = (c, v, π)  ⇒  (c + ξ, 0, {p})                                   ξ the score of SHIFT in p
 *   arc    p = (_, v, π), q = (c', v', π') in π  ⇒  (c' + ξ' + v + λ, v' + ξ' + v + λ, π')   λ that of the arc in p
 *
 * c is the score of the best derivation of a state, v that of its part since the topmost tree was begun. The states of
 * one step are at most as many as the beam is wide, and so are those below a state: the time is linear in the length of
 * the sentence.
 *
 * If templates see no more than what states have in common, as those of Huang & Sagae do, v does not depend on what is
 * below, and the search loses nothing by merging. Templates that see labels, numbers of dependents or more of the stack
 * see those of the state's best derivation; with states that are kept apart by all that they see, hardly any are
 * merged.
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
  /** In training: what is correct. Wrong arcs are favoured by its margin, and counted. */
  judge: Judge | undefined;
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
  /** How many nodes of stack and buffer templates see, and how many steps away from them. */
  private readonly depth: number;
  private readonly lookahead: number;
  private readonly steps: number;
  private readonly leftArcFrom: "top" | "front" | undefined;
  private readonly kernel: KernelFeatures;

  constructor(
    readonly decider: Decider,
    readonly width: number,
    templates: TemplateSet,
    columns: Columns,
  ) {
    const { positions } = templates;
    const last = (base: string) => Math.max(...positions.map((p) => (p.base === base ? p.index : 0)));
    // Whether arcs are permitted depends on the two topmost nodes.
    this.depth = Math.max(2, last("s") + 1);
    this.lookahead = last("b") + 1;
    this.steps = Math.max(0, ...positions.map(({ path }) => path.length));
    this.candidates = new Candidates(CANDIDATES_EACH * width);
    this.table = new Array(2 << (32 - Math.clz32(2 * width))).fill(undefined);
    this.filled = new Int32Array(width);
    this.leftArcFrom = decider.system.description.leftArcFrom;
    this.kernel = new KernelFeatures(templates, columns);
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
    const { c, steps } = this;
    c.version++;
    c.front = state.front;
    c.stackSize = state.stackSize;
    let below: StackState | undefined = state;
    for (let k = 0; k < this.depth && below?.top; k++, below = below.origin.below[0]) {
      c.stack[state.stackSize - 1 - k] = below.top.node;
      write(below.top, c, steps);
    }
    if (state.ahead) write(state.ahead, c, steps);
    for (let i = 1; i < this.lookahead; i++) {
      const tree = this.leafAt(state.front + i);
      if (tree) write(tree, c, 0);
    }
  }

  /** Offer all continuations of the state that is shown. */
  private expand(state: StackState, h: number): void {
    const { decider, candidates, c, judge } = this;
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
        if (score > candidates.threshold) candidates.add(score, h, move, first, NONE, 1);
        continue;
      }
      const right = judge ? judge.rightClass(c, move) : ANY_CLASS;
      const margin = judge && right !== ANY_CLASS ? judge.margin : 0;
      // Whatever the label is, the states are the same.
      let best = first;
      let arc = Number.NEGATIVE_INFINITY;
      for (let k = first; k < last; k++) {
        const score = k === right ? scores[k]! : scores[k]! + margin;
        if (score <= arc) continue;
        arc = score;
        best = k;
      }
      const isCorrect = right === ANY_CLASS || right === best ? 1 : 0;
      for (let i = 0; i < below.length; i++) {
        const score = belowScores[i]! + state.inside + arc - less;
        if (score <= candidates.threshold) break;
        candidates.add(score, h, move, best, i, isCorrect);
      }
    }
  }

  /** Let the best states live on. */
  private select(): void {
    const { candidates, live, next, width, table, filled } = this;
    const { ranking, parents, moves, classes, extras, scores, correct } = candidates;
    let size = 0;
    for (let r = 0; r < candidates.size && size < width; r++) {
      const i = ranking[r]!;
      const parent = live[parents[i]!]!;
      const state = isArc(moves[i]!)
        ? this.afterArc(parent, parent.origin.below[extras[i]!]!, moves[i]!, classes[i]!, scores[i]!)
        : this.afterShift(parent, scores[i]!);
      this.made++;
      if (!state) this.merged++;
      else {
        table[this.place] = state;
        if (correct[i] === 0) {
          state.errors++;
          state.errorsInside++;
        }
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
    const { table, kernel } = this;
    const front = state.front + 1;
    const third = state.origin.below[0]?.top;
    this.place = this.hash(front, kernel.hash(state.top, 1));
    for (let other = table[this.place]; other; other = this.another()) {
      if (other.origin !== other || other.front !== front || !kernel.same(other.top, state.ahead, 0)) continue;
      const below = other.below[0]!;
      if (!kernel.same(below.top, state.top, 1) || !kernel.same(below.origin.below[0]?.top, third, 2)) continue;
      other.below.push(state);
      other.belowScores.push(score);
      other.derivations += state.derivations;
      return undefined;
    }
    const shifted = new StackState(this.states++, state.ahead, state.stackSize + 1, front, this.leafAt(front));
    shifted.score = score;
    shifted.below.push(state);
    shifted.belowScores.push(score);
    shifted.errors = state.errors;
    shifted.derivations = state.derivations;
    return shifted;
  }

  /** The same for an arc between the topmost trees of a state and of one below it. */
  private afterArc(
    over: StackState,
    below: StackState,
    move: Move,
    cls: number,
    score: number,
  ): StackState | undefined {
    const { table, kernel } = this;
    const label = this.decider.classes.labels[cls]!;
    const { origin } = below;
    let { top } = below;
    let { ahead } = over;
    if (kindOf(move) !== LEFT_ARC) top = withDependent(top!, over.top!, label, false);
    else if (this.leftArcFrom === "front") ahead = withDependent(ahead!, over.top!, label, true);
    else top = withDependent(over.top!, top!, label, true);
    const ways = over.ways * below.ways;
    this.place = this.hash(origin.id, kernel.hash(top, 0));
    for (let other = table[this.place]; other; other = this.another()) {
      if (other.origin !== origin || other.front !== over.front) continue;
      if (!kernel.same(other.top, top, 0) || !kernel.same(other.ahead, ahead, 0)) continue;
      other.ways += ways;
      other.derivations += ways * origin.derivations;
      return undefined;
    }
    const state = new StackState(this.states++, top, over.stackSize - 1, over.front, ahead, { over, below, move, cls });
    state.score = score;
    state.inside = score - below.score + below.inside;
    state.errors = below.errors + over.errorsInside;
    state.errorsInside = below.errorsInside + over.errorsInside;
    state.ways = ways;
    state.derivations = ways * origin.derivations;
    return state;
  }

  private hash(from: number, top: number): number {
    return scramble(Math.imul(from, 0x10001) + top) & (this.table.length - 1);
  }

  /** The state in the next place of the table. */
  private another(): StackState | undefined {
    this.place = (this.place + 1) & (this.table.length - 1);
    return this.table[this.place];
  }
}
