import { Configuration, NONE } from "../configuration.js";
import { BestFirst } from "../losses/best-first.js";
import { lostBy, lostSoFar } from "../losses/bottom-up.js";
import { BETWEEN, MOST_KEYED, nodeKey, stackAndBuffer } from "../losses/visited.js";
import type { TransitionSystem } from "../system.js";
import { isArc, type Move } from "../transition.js";
import { checkGold, type GoldTree } from "./gold-tree.js";
import type { LossBounds } from "./oracle.js";
import { forArcsLost } from "./searched-oracle.js";

/**
 * The limit in configurations times nodes: a search over a long sentence has to end as soon as one over a short
 * sentence.
 */
const LIMIT = 400_000;

/** A configuration on the agenda, and where words stay after they got their heads, the words whose arcs are lost. */
interface Searched {
  readonly c: Configuration;
  lost: Set<number>;
}

/**
 * Exact loss and costs by searching all continuations, for systems without a better method (swap, 2-planar and
 * non-monotonic Covington with one root) and for short sentences: the number of configurations grows exponentially with
 * the length, so there is a limit to it. What was not found within the limit is undefined, never a guess. Where a
 * system has bounds of the loss (swap), there is a search only if they differ. Best first: in bottom-up systems a move
 * costs the gold arcs that it puts out of reach for good; where words stay after they got their heads, the one that its
 * own arc takes the place of and those that the description of the system names, and the end those that were not built.
 */
export class ExhaustiveOracle {
  private gold!: GoldTree;
  // The configuration asked about last, so that the costs of several moves need its loss only once.
  private known: { c: Configuration; version: number; loss: number | undefined } | undefined;

  /**
   * @param system the transition system
   * @param bounds what cuts the search short, where the system has it
   * @param limit how many configurations are looked at, at most
   */
  constructor(
    private readonly system: TransitionSystem,
    private readonly bounds: LossBounds | undefined,
    private readonly limit = LIMIT,
  ) {}

  /** Whether the last answer was found within the limit and is therefore exact. */
  exact = true;

  /**
   * Take over a tree.
   * @param gold the gold tree
   */
  bind(gold: GoldTree): void {
    checkGold(gold);
    this.gold = gold;
    this.bounds?.bind(gold);
    this.known = undefined;
  }

  /**
   * The loss, undefined if it was not found within the limit.
   * @param c the configuration
   */
  loss(c: Configuration): number | undefined {
    if (this.known?.c !== c || this.known.version !== c.version) {
      this.known = { c, version: c.version, loss: this.lossOf(c) };
    }
    this.exact = this.known.loss !== undefined;
    return this.known.loss;
  }

  private lossOf(c: Configuration): number | undefined {
    const { bounds } = this;
    bounds?.find(c);
    if (bounds && bounds.least === bounds.most) return bounds.most;
    const ahead = this.search(c);
    if (ahead === undefined) return undefined;
    return (this.staysOpen ? this.wrongHeads(c) : lostSoFar(c, this.gold, this.system.root)) + ahead;
  }

  /** Whether words can get dependents after they got their heads. */
  private get staysOpen(): boolean {
    return this.system.looksAtAllArcs;
  }

  /** How many words that have a head have another than the gold one. */
  private wrongHeads(c: Configuration): number {
    let count = 0;
    for (let d = 1; d <= c.length; d++) if (this.isWrong(c, d, false)) count++;
    return count;
  }

  /**
   * Has a word another head than the gold one? At the end, having none is wrong, too; and where heads can be replaced,
   * nothing is before.
   */
  private isWrong(c: Configuration, d: number, isEnd: boolean): boolean {
    if (!isEnd && (this.system as { monotonic?: boolean }).monotonic === false) return false;
    return this.isCounted(d) && (isEnd || c.heads[d] !== NONE) && c.heads[d] !== this.gold.heads[d];
  }

  private isCounted(d: number): boolean {
    return this.gold.heads[d]! >= (this.system.root === "none" ? 1 : 0);
  }

  /** The continuations depend on this alone. */
  private keyOf(c: Configuration): string {
    let key = stackAndBuffer(c);
    if (this.staysOpen) key += BETWEEN + nodeKey(c.heads, 1, c.length + 1);
    for (const extra of c.extra) key += BETWEEN + nodeKey(extra, 0, c.length + 1);
    return key;
  }

  /** The configuration after a move, and the gold arcs that the move puts out of reach. */
  private after({ c, lost }: Searched, move: Move): { next: Searched; price: number } {
    const { gold, system } = this;
    const next = { c: new Configuration(c.length), lost };
    next.c.copyFrom(c);
    system.apply(next.c, move);
    if (!this.staysOpen) {
      return { next, price: isArc(move) ? lostBy(c, gold, system.head(c, move), system.dependent(c, move)) : 0 };
    }
    next.lost = new Set(lost);
    forArcsLost(system, c, move, gold, (d) => {
      if (this.isCounted(d)) next.lost.add(d);
    });
    this.addWrong(next);
    return { next, price: next.lost.size - lost.size };
  }

  private addWrong({ c, lost }: Searched): void {
    const isEnd = this.system.isTerminal(c);
    for (let d = 1; d <= c.length; d++) if (this.isWrong(c, d, isEnd)) lost.add(d);
  }

  /**
   * The cost of a permitted move, undefined if it was not found within the limit.
   * @param c the configuration
   * @param move the transition
   */
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
    const start: Searched = { c: new Configuration(), lost: new Set() };
    start.c.copyFrom(from);
    if (this.staysOpen) this.addWrong(start);
    const agenda = new BestFirst<Searched>(`search in ${system.name}`);
    agenda.add(start, this.staysOpen ? start.lost.size - this.wrongHeads(from) : 0);
    const seen = new Set<string>();
    const moves: Move[] = [];
    for (;;) {
      const state = agenda.take();
      const { c } = state;
      if (system.isTerminal(c)) return agenda.cost;
      if (c.length > MOST_KEYED) return undefined;
      const key = this.keyOf(c);
      if (seen.has(key)) continue;
      seen.add(key);
      if (seen.size * (c.length + 1) > this.limit) return undefined;
      moves.length = system.permitted(c, moves);
      // The last to be added is looked at first: arcs, because little is lost by building a gold one at once.
      if (this.staysOpen) moves.sort((a, b) => Number(isArc(a)) - Number(isArc(b)));
      for (const move of moves) {
        const { next, price } = this.after(state, move);
        agenda.add(next, agenda.cost + price);
      }
    }
  }
}
