import { Configuration, NONE } from "../configuration.js";
import { BestFirst } from "../losses/best-first.js";
import { checkGold, type GoldTree } from "../oracles/gold-tree.js";
import { type DynamicOracle, leastCost } from "../oracles/oracle.js";
import { keyOf } from "../oracles/searched-oracle.js";
import { isArc, type Move } from "../transition.js";
import { type Covington, isInFirstList, pass } from "./covington.js";

/** After so many configurations times nodes a search ends with an upper bound. */
const LIMIT = 40_000;

/**
 * Dynamic oracle of the non-monotonic system (Fernández-González & Gómez-Rodríguez 2017). A gold arc that has not been
 * built is lost when its words have passed each other, whatever heads they have. That is a lower bound of the loss,
 * and the only thing there is as long as no gold arc is taken away by another that closes a cycle: the run that builds
 * all gold arcs as their words meet tells, O(n · depth). What it loses to cycles can sometimes be saved by giving a
 * word on the cycle another wrong head in time, so where the bounds differ the loss is searched for, best first: the
 * lower bound never falls along a derivation. In longer sentences, and where the search reaches its limit, the loss of
 * the run is given, an upper bound. Not for systems that require one root, where the run may end with several.
 */
export class NonMonotonicCovingtonOracle implements DynamicOracle {
  exact = true;
  private gold!: GoldTree;
  private readonly after = new Configuration();
  /** The heads that the run gives. */
  private heads = new Int32Array(0);
  private known: { c: Configuration; version: number; loss: number; exact: boolean } | undefined;

  constructor(
    private readonly system: Covington,
    private readonly exactWords: number,
  ) {}

  bind(gold: GoldTree): void {
    checkGold(gold);
    this.gold = gold;
    this.known = undefined;
    if (this.heads.length <= gold.length) this.heads = new Int32Array(2 * (gold.length + 1));
  }

  loss(c: Configuration): number {
    if (this.known?.c !== c || this.known.version !== c.version) {
      const loss = this.lossOf(c);
      this.known = { c, version: c.version, loss, exact: this.exact };
    }
    this.exact = this.known.exact;
    return this.known.loss;
  }

  cost(c: Configuration, move: Move): number {
    const before = this.loss(c);
    const wasExact = this.exact;
    this.after.copyFrom(c);
    this.system.apply(this.after, move);
    const loss = this.lossOf(this.after);
    this.exact &&= wasExact;
    return Math.max(0, loss - before);
  }

  isOptimal(c: Configuration, move: Move): boolean {
    return this.cost(c, move) === 0;
  }

  /** One that leads on. */
  optimal(c: Configuration): Move {
    const { system } = this;
    const found = system.moves.find((move) => system.permits(c, move) && this.leadsOn(c, move));
    return found ?? leastCost(system, this, c);
  }

  /**
   * An arc that keeps a word from a head that it can still get may cost nothing, since it can be repaired, and is a
   * mistake all the same, unless nothing else is free.
   */
  leadsOn(c: Configuration, move: Move): boolean {
    if (!this.isOptimal(c, move)) return false;
    if (!this.isInVain(c, move)) return true;
    const { system } = this;
    return !system.moves.some((other) => {
      return system.permits(c, other) && !this.isInVain(c, other) && this.isOptimal(c, other);
    });
  }

  private isInVain(c: Configuration, move: Move): boolean {
    if (!isArc(move)) return false;
    const d = this.system.dependent(c, move);
    const wanted = this.gold.heads[d]!;
    if (wanted === NONE || wanted === this.system.head(c, move)) return false;
    // Where 0 is not there, a root is a word without a head.
    return !this.isCounted(d) || c.heads[d] === wanted || pass(this.system, c, wanted, d);
  }

  private lossOf(c: Configuration): number {
    const least = this.lost(c);
    const most = this.lostByRun(c);
    const found = least === most ? most : c.length <= this.exactWords ? this.search(c, least) : undefined;
    this.exact = found !== undefined;
    return found ?? most;
  }

  private isCounted(d: number): boolean {
    return this.gold.heads[d]! >= (this.system.root === "none" ? 1 : 0);
  }

  /** The gold arcs that can no longer be built. */
  private lost(c: Configuration): number {
    const { heads, length } = this.gold;
    let lost = 0;
    for (let d = 1; d <= length; d++) {
      if (this.isCounted(d) && c.heads[d] !== heads[d] && !pass(this.system, c, heads[d]!, d)) lost++;
    }
    return lost;
  }

  /** The loss if every gold arc is built when its words meet, and no other. */
  private lostByRun(c: Configuration): number {
    const { gold, heads } = this;
    const { root } = this.system;
    const n = gold.length;
    heads.set(c.heads.subarray(0, n + 1));
    const front = c.b(0);
    if (front > 0) for (let j = front; j <= n; j++) this.meet(c, j, j === front);
    if (root === "last" && front !== NONE) this.meet(c, 0, front === 0);
    let lost = 0;
    for (let d = 1; d <= n; d++) if (this.isCounted(d) && heads[d] !== gold.heads[d]) lost++;
    return lost;
  }

  /** The words before j pass it, the nearest first. */
  private meet(c: Configuration, j: number, isFront: boolean): void {
    const { heads, start, dependents } = this.gold;
    const head = heads[j]!;
    const isBefore = j > 0 && head < j && head >= (this.system.root === "first" ? 0 : 1);
    let own = isBefore && (!isFront || isInFirstList(c, head)) ? head : NONE;
    for (let k = start[j + 1]! - 1; k >= start[j]!; k--) {
      const d = dependents[k]!;
      if ((j > 0 && d > j) || (isFront && !isInFirstList(c, d))) continue;
      if (own > d) {
        this.build(own, j);
        own = NONE;
      }
      this.build(j, d);
    }
    if (own !== NONE) this.build(own, j);
  }

  private build(head: number, dependent: number): void {
    const { heads } = this;
    heads[dependent] = head;
    let above = head;
    while (above > 0 && above !== dependent) above = heads[above]!;
    if (above === dependent) heads[head] = NONE;
  }

  private search(from: Configuration, least: number): number | undefined {
    const { system } = this;
    const agenda = new BestFirst<Configuration>(`search in ${system.name}`);
    agenda.cost = least;
    agenda.add(copyOf(from), least);
    const seen = new Set<string>();
    for (;;) {
      const c = agenda.take();
      if (system.isTerminal(c)) return agenda.cost;
      const key = keyOf(c);
      if (seen.has(key)) continue;
      seen.add(key);
      if (seen.size * (c.length + 1) > LIMIT) return undefined;
      for (const { next, lost } of this.successors(c)) agenda.add(next, lost);
    }
  }

  /** The most promising last, which is where a search looks first. */
  private successors(c: Configuration): { next: Configuration; lost: number }[] {
    const { system } = this;
    const moves: Move[] = [];
    moves.length = system.permitted(c, moves);
    return moves
      .sort((a, b) => this.promise(c, a) - this.promise(c, b))
      .map((move) => {
        const next = copyOf(c);
        system.apply(next, move);
        return { next, lost: this.lost(next) };
      });
  }

  private promise(c: Configuration, move: Move): number {
    if (!isArc(move)) return 1;
    return this.gold.has(this.system.head(c, move), this.system.dependent(c, move)) ? 2 : 0;
  }
}

function copyOf(c: Configuration): Configuration {
  const copy = new Configuration(c.length);
  copy.copyFrom(c);
  return copy;
}
