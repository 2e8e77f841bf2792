import { check, number } from "../../checks/options.js";
import { SYSTEM } from "../../checks/shapes.js";
import { Configuration, NONE } from "../configuration.js";
import { BestFirst } from "../losses/best-first.js";
import { lostBy, lostSoFar } from "../losses/bottom-up.js";
import { BETWEEN, MOST_KEYED, nodeKey, stackAndBuffer } from "../losses/visited.js";
import type { TransitionSystem } from "../system.js";
import { isArc, type Move } from "../transition.js";
import { checkGold, type GoldTree } from "./gold-tree.js";

/**
 * The limit in configurations times nodes: a search over a long sentence has to end as soon as one over a short
 * sentence.
 */
const LIMIT = 400_000;

/**
 * Exact loss and costs by searching all continuations, for systems without a better method (swap, 2-planar) and for
 * short sentences: the number of configurations grows exponentially with the length, so there is a limit to it. What
 * was not found within the limit is undefined, never a guess. Best first: in bottom-up systems a move costs the gold
 * arcs that it puts out of reach for good; where words stay after they got their heads, the one that its own arc takes
 * the place of, and the end those that were not built.
 */
export class ExhaustiveOracle {
  private gold!: GoldTree;
  // The configuration asked about last, so that the costs of several moves need its loss only once.
  private known: { c: Configuration; version: number; loss: number | undefined } | undefined;

  constructor(
    private readonly system: TransitionSystem,
    private readonly limit = LIMIT,
  ) {
    check("system", system, SYSTEM);
    check("limit", limit, number(0));
  }

  /** Whether the last answer was found within the limit and is therefore exact. */
  exact = true;

  bind(gold: GoldTree): void {
    checkGold(gold);
    this.gold = gold;
    this.known = undefined;
  }

  /** The loss, undefined if it was not found within the limit. */
  loss(c: Configuration): number | undefined {
    if (this.known?.c !== c || this.known.version !== c.version) {
      this.known = { c, version: c.version, loss: this.lossOf(c) };
    }
    this.exact = this.known.loss !== undefined;
    return this.known.loss;
  }

  private lossOf(c: Configuration): number | undefined {
    const ahead = this.search(c);
    if (ahead === undefined) return undefined;
    return (this.staysOpen ? this.wrongHeads(c, false) : lostSoFar(c, this.gold, this.system.root)) + ahead;
  }

  /** Whether words can get dependents after they got their heads. */
  private get staysOpen(): boolean {
    return this.system.looksAtAllArcs;
  }

  /** How many words that have a head have another than the gold one; with `all`, those without a head as well. */
  private wrongHeads(c: Configuration, all: boolean): number {
    const { heads } = this.gold;
    let count = 0;
    for (let d = 1; d <= c.length; d++) {
      const isCounted = heads[d]! >= (this.system.root === "none" ? 1 : 0) && (all || c.heads[d] !== NONE);
      if (isCounted && c.heads[d] !== heads[d]) count++;
    }
    return count;
  }

  /** What can follow depends on this alone. */
  private keyOf(c: Configuration): string {
    let key = stackAndBuffer(c);
    if (this.staysOpen) key += BETWEEN + nodeKey(c.heads, 1, c.length + 1);
    for (const extra of c.extra) key += BETWEEN + nodeKey(extra, 0, c.length + 1);
    return key;
  }

  /** The gold arcs that a move puts out of reach. */
  private price(c: Configuration, move: Move, after: Configuration): number {
    const { gold, system } = this;
    if (!this.staysOpen) {
      return isArc(move) ? lostBy(c, gold, system.head(c, move), system.dependent(c, move)) : 0;
    }
    return this.wrongHeads(after, system.isTerminal(after)) - this.wrongHeads(c, false);
  }

  /** The cost of a permitted move, undefined if it was not found within the limit. */
  cost(c: Configuration, move: Move): number | undefined {
    const before = this.loss(c);
    if (before === undefined) return undefined;
    const after = new Configuration();
    after.copyFrom(c);
    this.system.apply(after, move);
    const loss = this.lossOf(after);
    this.exact = loss !== undefined;
    return loss === undefined ? undefined : loss - before;
  }

  private search(from: Configuration): number | undefined {
    const { system } = this;
    const start = new Configuration();
    start.copyFrom(from);
    const agenda = new BestFirst<Configuration>(`search in ${system.name}`);
    const isOver = this.staysOpen && system.isTerminal(start);
    agenda.add(start, isOver ? this.wrongHeads(start, true) - this.wrongHeads(start, false) : 0);
    const seen = new Set<string>();
    const moves: Move[] = [];
    for (;;) {
      const c = agenda.take();
      if (system.isTerminal(c)) return agenda.cost;
      if (c.length > MOST_KEYED) return undefined;
      const key = this.keyOf(c);
      if (seen.has(key)) continue;
      seen.add(key);
      if (seen.size * (c.length + 1) > this.limit) return undefined;
      const count = system.permitted(c, moves);
      for (let i = 0; i < count; i++) {
        const move = moves[i]!;
        const next = new Configuration(c.length);
        next.copyFrom(c);
        system.apply(next, move);
        agenda.add(next, agenda.cost + this.price(c, move, next));
      }
    }
  }
}
