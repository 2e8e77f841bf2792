import { NONE } from "../../configuration.js";
import { BestFirst } from "../best-first.js";
import type { BottomUpLoss, CheapestLoss } from "../bottom-up.js";
import { BottomUpRun, type Gamma } from "../bottom-up-run.js";
import { Visited } from "../visited.js";
import { COMBINATIONS, leastByParts } from "./attardi-table.js";

/**
 * How much a search looks at, in configurations of γ times nodes of γ, before a table takes over. For a γ of up to 13
 * nodes that is enough for all its configurations, each a subset of the nodes shifted.
 */
export const SEARCH_LIMIT = 400_000;
/** For a γ of more nodes a table may look at a small part of its combinations only: there may be hundreds of such γ. */
const MANY_NODES = 200;
const SMALL_PART = 1 / 40;

/**
 * Attardi's system: the least number of arcs of γ to give up. A configuration of γ is the stack and the number of nodes
 * shifted. The search is best first, branches only where a run would shift (every other arc costs at least 1), and does
 * not look again at a configuration that it reaches again. It is quick except where much must be given up, and there a
 * table is filled beyond the limit (attardi-table.ts). Where that has a limit, too, the answer is an upper bound:
 * `exact` says so.
 */
export class AttardiSearch implements CheapestLoss {
  exact = true;
  private readonly run: BottomUpRun;

  constructor(
    degree: number,
    private readonly limit = SEARCH_LIMIT,
    private readonly combinations = COMBINATIONS,
  ) {
    this.run = new BottomUpRun(degree);
  }

  least(gamma: BottomUpLoss): number {
    const { run } = this;
    const total = gamma.size;
    run.reserve(total);
    run.head = gamma.head.slice(0, total);
    run.zero = gamma.zero;
    const agenda = new BestFirst<Int32Array>("search in Attardi's system");
    const visited = new Visited();
    let looked = 0;
    const start = new Int32Array(gamma.stacked + 1);
    start[0] = gamma.stacked;
    for (let i = 0; i < gamma.stacked; i++) start[i + 1] = i;
    agenda.add(start, 0);
    for (;;) {
      let next = this.unpack(agenda.take(), gamma);
      for (;;) {
        run.attachComplete();
        if (run.size <= 1 && next === total) {
          this.exact = true;
          return agenda.cost;
        }
        if (visited.has(this.packed(next, NONE))) break;
        if ((looked += total) > this.limit) {
          return this.leastBetween(gamma, agenda.cost, agenda.cost + this.giveUpCheapest(next, total));
        }
        this.branch(agenda, next);
        if (next === total) break;
        run.stack[run.size++] = next++;
      }
    }
  }

  /**
   * The same by a table, between a number that it cannot be less than and one that some way leads to. The less may be
   * lost, the smaller the table, so that it begins with little.
   */
  private leastBetween(gamma: BottomUpLoss, lower: number, upper: number): number {
    const buildable = gamma.isBuildable();
    const combinations = this.combinations * (gamma.size > MANY_NODES ? SMALL_PART : 1);
    this.exact = true;
    let step = 1;
    for (let most = Math.min(lower, upper - 1); most < upper; most = Math.min(most + step, upper - 1), step *= 2) {
      const { least, complete } = leastByParts(gamma, this.run.degree, most, buildable, combinations);
      if (least !== undefined) return least;
      this.exact = complete;
      if (!complete || most === upper - 1) break;
    }
    return upper;
  }

  /** A configuration of γ as numbers: how many nodes were shifted, then the stack without the node at one height. */
  private packed(next: number, without: number): Int32Array {
    const { stack, size } = this.run;
    const state = new Int32Array(without === NONE ? size + 1 : size);
    state[0] = next;
    for (let i = 0, j = 1; i < size; i++) if (i !== without) state[j++] = stack[i]!;
    return state;
  }

  /** Goes to a configuration, counting anew what each node waits for; a head that has gone counts as none. */
  private unpack(state: Int32Array, gamma: Gamma): number {
    const { stack, waiting, head } = this.run;
    const next = state[0]!;
    const size = state.length - 1;
    for (let i = 0; i < size; i++) stack[i] = state[i + 1]!;
    waiting.fill(NONE, 0, next);
    for (let i = 0; i < size; i++) waiting[stack[i]!] = 0;
    waiting.fill(0, next, gamma.size);
    for (let i = 0; i < gamma.size; i++) {
      const h = gamma.head[i]!;
      head[i] = h >= 0 && waiting[h]! < 0 ? NONE : h;
    }
    for (let i = 0; i < gamma.size; i++) if (waiting[i]! >= 0 && head[i]! >= 0) waiting[head[i]!]!++;
    this.run.size = size;
    return next;
  }

  /** Every arc within reach, whatever it loses. */
  private branch(agenda: BestFirst<Int32Array>, next: number): void {
    const { run } = this;
    const top = run.size - 1;
    const reach = Math.min(run.degree, top);
    for (let k = 1; k <= reach; k++) {
      this.attach(agenda, next, top - k, top);
      this.attach(agenda, next, top, top - k);
    }
  }

  private attach(agenda: BestFirst<Int32Array>, next: number, dependentAt: number, headAt: number): void {
    const { stack, head, waiting, zero } = this.run;
    const dependent = stack[dependentAt]!;
    if (dependent === zero) return;
    const wrong = head[dependent] !== NONE && head[dependent] !== stack[headAt];
    agenda.add(this.packed(next, dependentAt), agenda.cost + (wrong ? 1 : 0) + waiting[dependent]!);
  }

  /**
   * The cost of the rest when everything is shifted first, and then the cheapest node within reach given up again and
   * again.
   */
  private giveUpCheapest(next: number, total: number): number {
    const { run } = this;
    const { stack, waiting, head, degree, zero } = run;
    let cost = 0;
    for (;;) {
      run.attachComplete();
      if (next < total) {
        stack[run.size++] = next++;
        continue;
      }
      if (run.size <= 1) return cost;
      let at = NONE;
      let least = Number.POSITIVE_INFINITY;
      for (let i = run.size - 1; i >= Math.max(0, run.size - 1 - degree); i--) {
        const price = (head[stack[i]!]! === NONE ? 0 : 1) + waiting[stack[i]!]!;
        if (stack[i] === zero || price >= least) continue;
        least = price;
        at = i;
      }
      const node = stack[at]!;
      cost += least;
      if (head[node]! >= 0) waiting[head[node]!]!--;
      stack.copyWithin(at, at + 1, run.size--);
      for (let i = 0; i < run.size; i++) if (head[stack[i]!] === node) head[stack[i]!] = NONE;
    }
  }
}
