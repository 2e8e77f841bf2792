import { check, number } from "../../checks/options.js";
import { SYSTEM } from "../../checks/shapes.js";
import { Configuration } from "../configuration.js";
import { BestFirst } from "../losses/best-first.js";
import { lostBy, lostSoFar } from "../losses/bottom-up.js";
import { MOST_KEYED, stackAndBuffer } from "../losses/visited.js";
import type { TransitionSystem } from "../system.js";
import { isArc, type Move } from "../transition.js";
import { checkGold, type GoldTree } from "./gold-tree.js";

/**
 * The limit in configurations times nodes: a search over a long sentence has to end as soon as one over a short
 * sentence.
 */
const LIMIT = 400_000;

/**
 * Exact loss and costs by searching all continuations, for bottom-up systems without a better method (swap) and for
 * short sentences: the number of configurations grows exponentially with the length, so there is a limit to it. What
 * was not found within the limit is undefined, never a guess. Best first, where a move costs the gold arcs that it puts
 * out of reach for good.
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
    return ahead === undefined ? undefined : lostSoFar(c, this.gold, this.system.root) + ahead;
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
    agenda.add(start, 0);
    const seen = new Set<string>();
    const moves: Move[] = [];
    for (;;) {
      const c = agenda.take();
      if (system.isTerminal(c)) return agenda.cost;
      if (c.length > MOST_KEYED) return undefined;
      const key = stackAndBuffer(c);
      if (seen.has(key)) continue;
      seen.add(key);
      if (seen.size * (c.length + 1) > this.limit) return undefined;
      const count = system.permitted(c, moves);
      for (let i = 0; i < count; i++) {
        const move = moves[i]!;
        const price = isArc(move) ? lostBy(c, this.gold, system.head(c, move), system.dependent(c, move)) : 0;
        const next = new Configuration(c.length);
        next.copyFrom(c);
        system.apply(next, move);
        agenda.add(next, agenda.cost + price);
      }
    }
  }
}
