import { topOf } from "../acyclic-arcs.js";
import { Configuration, NONE } from "../configuration.js";
import { EXACT_WORDS, Goal, type GoldTree } from "../oracles/gold-tree.js";
import { type DynamicOracle, leastCost } from "../oracles/oracle.js";
import { isArc, LEFT_ARC, type Move, REDUCE, RIGHT_ARC, SHIFT } from "../transition.js";
import { crossingArcs, thirdPlane } from "./planes.js";
import { inactive, SWITCH, type TwoPlanar } from "./two-planar.js";

/** How many sets of arcs to give up are looked at before the best that is known has to do. */
const LIMIT = 20_000;

/** The planes in which an arc can be built: bit 0 for the first, bit 1 for the second. */
const BOTH = 3;

/**
 * Dynamic oracle (after the idea of Fernández-González & Gómez-Rodríguez 2018). Lost are the gold arcs that cannot be
 * built one by one, because a word is no longer on any stack or has another head, or because of a path from the
 * dependent to the head. The others can be built together if each finds a plane, one in which its left word is on the
 * stack, such that no two of a plane cross, and if they close no cycle with what has been built: then the words between
 * two that are joined can always be popped. So the loss is the least number of arcs to give up for that. Where there is
 * a conflict (a chain of crossings that leads from a plane to the wrong one, or a cycle), one of its arcs has to go:
 * a search tree as deep as what is given up of one group of arcs that hang together, exact up to a limit. O(n · depth)
 * as long as there is none. Of long trees that do not fit into two planes some arcs are given up beforehand (a Goal).
 *
 * After SWITCH another transition has to come first: there the loss is the least of those that can follow.
 */
export class TwoPlanarDynamicOracle implements DynamicOracle {
  exact = true;
  private goal!: Goal;
  private gold!: GoldTree;
  /** For each word the other words whose gold arcs cross that into it. */
  private crossings: readonly number[][] = [];
  /** For each word the planes in which its gold arc can be built, 0 if it cannot or has been, or is given up. */
  private planes = new Uint8Array(0);
  /** The plane that each arc has got while the arcs are divided, 0 if none yet, and the arc that gave it. */
  private chosen = new Uint8Array(0);
  private cause = new Int32Array(0);
  private mark = new Int32Array(0);
  private place = new Uint8Array(0);
  /** For each arc one that stands for its group, those of which the choices depend on each other. */
  private group = new Int32Array(0);
  private left = new Uint8Array(0);
  private looked = 0;
  private readonly after = new Configuration();
  private readonly later = new Configuration();
  private known: { c: Configuration; version: number; loss: number; exact: boolean } | undefined;

  constructor(
    private readonly system: TwoPlanar,
    private readonly exactWords = EXACT_WORDS,
  ) {}

  bind(whole: GoldTree): void {
    const { root } = this.system;
    const zeroIsLast = root === "none" ? undefined : root === "last";
    this.goal = new Goal(whole, root, (tree) => thirdPlane(crossingArcs(tree, zeroIsLast)), this.exactWords);
    const gold = this.goal.tree;
    this.gold = gold;
    this.known = undefined;
    this.crossings = crossingArcs(gold, zeroIsLast);
    if (this.planes.length > gold.length) return;
    const capacity = 2 * (gold.length + 1);
    this.planes = new Uint8Array(capacity);
    this.chosen = new Uint8Array(capacity);
    this.cause = new Int32Array(capacity);
    this.mark = new Int32Array(capacity);
    this.place = new Uint8Array(capacity);
    this.group = new Int32Array(capacity);
    this.left = new Uint8Array(capacity);
  }

  loss(c: Configuration): number {
    if (this.known?.c !== c || this.known.version !== c.version) {
      this.exact = this.goal.exact;
      const loss = this.lossOf(c);
      this.known = { c, version: c.version, loss, exact: this.exact };
    }
    this.exact = this.known.exact;
    return this.known.loss;
  }

  cost(c: Configuration, move: Move): number {
    const before = this.loss(c);
    const { after } = this;
    after.copyFrom(c);
    this.system.apply(after, move);
    return this.lossOf(after) - before;
  }

  isOptimal(c: Configuration, move: Move): boolean {
    return this.cost(c, move) === 0;
  }

  optimal(c: Configuration): Move {
    const { system } = this;
    const found = system.moves.find((move) => system.permits(c, move) && this.leadsOn(c, move));
    return found ?? leastCost(system, this, c);
  }

  // SWITCH and REDUCE often cost nothing and lead nowhere. Besides arcs: nothing as long as a gold arc can be built at
  // no cost, then SHIFT, and if that costs something what brings b0 to its arcs.
  leadsOn(c: Configuration, move: Move): boolean {
    const { gold, system } = this;
    const isFree = (other: Move) => system.permits(c, other) && this.isOptimal(c, other);
    if (!isFree(move)) return false;
    if (isArc(move)) return true;
    const isGold = (arc: Move) => gold.has(system.head(c, arc), system.dependent(c, arc)) && isFree(arc);
    if ([LEFT_ARC, RIGHT_ARC].some(isGold)) return false;
    return [SHIFT, REDUCE, SWITCH].find(isFree) === move;
  }

  private lossOf(c: Configuration): number {
    if (!inactive(c).isSwitched || c.bufferSize === 0) return this.lossUnswitched(c);
    const { later, system } = this;
    let least = Number.POSITIVE_INFINITY;
    for (const move of [LEFT_ARC, RIGHT_ARC, REDUCE, SHIFT]) {
      if (!system.permits(c, move)) continue;
      later.copyFrom(c);
      system.apply(later, move);
      least = Math.min(least, this.lossUnswitched(later));
    }
    return least;
  }

  private lossUnswitched(c: Configuration): number {
    const { gold, planes, place, system } = this;
    const { size, plane } = inactive(c);
    place.fill(0, 0, gold.length + 1);
    for (let i = 0; i < c.stackSize; i++) place[c.stack[i]!]! |= 1 << plane;
    for (let i = 0; i < size; i++) place[c.extra[0]![i]!]! |= 2 >> plane;
    const front = c.front;
    for (let i = front; i < c.end; i++) place[c.buffer[i]!] = BOTH | IN_BUFFER;
    let lost = this.goal.lost;
    for (let d = 1; d <= gold.length; d++) {
      planes[d] = 0;
      const h = gold.heads[d]!;
      if (h < (system.root === "none" ? 1 : 0) || c.heads[d] === h) continue;
      planes[d] = this.planesOf(c, h, d);
      if (planes[d] === 0) lost++;
    }
    return lost + this.toGiveUp(c);
  }

  /** The least number of arcs without which the others can be built together, group by group. */
  private toGiveUp(c: Configuration): number {
    const { gold, planes, left } = this;
    if (this.conflict(c) === undefined) return 0;
    this.findGroups(c);
    left.set(planes.subarray(0, gold.length + 1));
    let count = 0;
    for (let first = 1; first <= gold.length; first++) {
      if (left[first] === 0 || this.groupOf(first) !== first) continue;
      for (let d = 1; d <= gold.length; d++) planes[d] = this.groupOf(d) === first ? left[d]! : 0;
      count += this.toGiveUpOfGroup(c);
    }
    return count;
  }

  private toGiveUpOfGroup(c: Configuration): number {
    this.looked = 0;
    for (let giveUp = 0; this.looked <= LIMIT; giveUp++) if (this.fits(c, giveUp)) return giveUp;
    // Some set that will do: an upper bound.
    this.exact = false;
    let count = 0;
    for (let conflict = this.conflict(c); conflict; conflict = this.conflict(c)) {
      this.planes[conflict[0]!] = 0;
      count++;
    }
    return count;
  }

  /** Arcs that cross, or that belong to the same cycle, are in one group. */
  private findGroups(c: Configuration): void {
    const { gold, planes, group, crossings } = this;
    for (let d = 0; d <= gold.length; d++) group[d] = d;
    const join = (one: number, other: number) => {
      const [a, b] = [this.groupOf(one), this.groupOf(other)];
      group[Math.max(a, b)] = Math.min(a, b);
    };
    for (let d = 1; d <= gold.length; d++) {
      if (planes[d] === 0) continue;
      for (const other of crossings[d]!) if (planes[other] !== 0) join(d, other);
    }
    const given: [number, number][] = [];
    for (let cycle = this.cycle(c); cycle; cycle = this.cycle(c)) {
      for (const d of cycle) join(cycle[0]!, d);
      given.push([cycle[0]!, planes[cycle[0]!]!]);
      planes[cycle[0]!] = 0;
    }
    for (const [d, plane] of given) planes[d] = plane;
  }

  private groupOf(d: number): number {
    let node = d;
    while (this.group[node] !== node) node = this.group[node]!;
    return node;
  }

  /** The planes in which the arc h → d can still be built. */
  private planesOf(c: Configuration, h: number, d: number): number {
    const { place } = this;
    if (c.heads[d] !== NONE || !((place[h]! | place[d]!) & IN_BUFFER) || topOf(c, h) === d) return 0;
    return place[h]! & place[d]! & BOTH;
  }

  /** Can the arcs that are left be built together without so many of them? No fewer would do. */
  private fits(c: Configuration, giveUp: number): boolean {
    const conflict = this.conflict(c);
    if (conflict === undefined) return true;
    if (giveUp === 0) return false;
    for (const d of conflict) {
      if (++this.looked > LIMIT) return false;
      const planes = this.planes[d]!;
      this.planes[d] = 0;
      const fits = this.fits(c, giveUp - 1);
      this.planes[d] = planes;
      if (fits) return true;
    }
    return false;
  }

  /** Words whose arcs, of those that are left, cannot all be built. */
  private conflict(c: Configuration): number[] | undefined {
    return this.cycle(c) ?? this.clash();
  }

  /** The words of a cycle whose arcs have yet to be built, undefined if there is none. */
  private cycle(c: Configuration): number[] | undefined {
    const { gold, mark, planes } = this;
    const headToBe = (d: number) => (c.heads[d] !== NONE ? c.heads[d]! : planes[d] ? gold.heads[d]! : NONE);
    mark.fill(0, 0, gold.length + 1);
    for (let start = 1; start <= gold.length; start++) {
      let node = start;
      while (node > 0 && mark[node] === 0) {
        mark[node] = start;
        node = headToBe(node);
      }
      if (node <= 0 || mark[node] !== start) continue;
      const words: number[] = [];
      let d = node;
      do {
        if (c.heads[d] === NONE) words.push(d);
        d = headToBe(d);
      } while (d !== node);
      return words;
    }
    return undefined;
  }

  /**
   * Divides the arcs among the planes; the words whose arcs, one crossing the next, cannot all get one, undefined if
   * all do. Arcs with one plane come first, so that what they demand is known.
   */
  private clash(): number[] | undefined {
    const { gold, planes, chosen, cause, crossings } = this;
    chosen.fill(0, 0, gold.length + 1);
    for (const whole of [false, true]) {
      for (let first = 1; first <= gold.length; first++) {
        if (planes[first] === 0 || chosen[first] !== 0 || (planes[first] === BOTH) !== whole) continue;
        chosen[first] = planes[first] === BOTH ? 1 : planes[first]!;
        cause[first] = NONE;
        const agenda = [first];
        for (let d = agenda.pop(); d !== undefined; d = agenda.pop()) {
          const other = BOTH - chosen[d]!;
          for (const next of crossings[d]!) {
            if (planes[next] === 0 || chosen[next] === other) continue;
            if (chosen[next] !== 0) return this.chain(d, next);
            if (!(planes[next]! & other)) return this.chain(d, next);
            chosen[next] = other;
            cause[next] = d;
            agenda.push(next);
          }
        }
      }
    }
    return undefined;
  }

  /** The arcs that led to each of two that cross and would have to be in the same plane. */
  private chain(one: number, other: number): number[] {
    const { chosen, cause } = this;
    const words = new Set<number>();
    for (let d = one; d !== NONE; d = cause[d]!) words.add(d);
    if (chosen[other] === 0) words.add(other);
    else for (let d = other; d !== NONE; d = cause[d]!) words.add(d);
    return [...words];
  }
}

/** Whether a node is in the buffer, besides its planes. */
const IN_BUFFER = 4;
