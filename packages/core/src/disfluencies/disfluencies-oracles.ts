import { Configuration, GONE, IN_BUFFER, NONE, ON_STACK } from "../systems/configuration.js";
import { BestFirst } from "../systems/losses/best-first.js";
import { GoldBound } from "../systems/oracles/gold-bound.js";
import { ConflictingArcs, GoldTree, stillInBuffer } from "../systems/oracles/gold-tree.js";
import type { DynamicOracle, NonDeterministicOracle, OracleMakers, StaticOracle } from "../systems/oracles/oracle.js";
import type { SystemSettings } from "../systems/settings.js";
import { LEFT_ARC, type Move, REDUCE, RIGHT_ARC, SHIFT } from "../systems/transition.js";
import {
  type Disfluencies,
  lastRead,
  removalKind,
  removedAs,
  removeFront,
  removeRead,
  spanOf,
} from "./disfluencies.js";
import { DisfluencyStatistics } from "./disfluency-statistics.js";
import { REPARANDUM } from "./removed-words.js";

/** The oracles of arc-eager with disfluencies. */
export const disfluenciesOracles: OracleMakers<Disfluencies> = {
  static: (system) => new DisfluenciesStaticOracle(system),
  nonDeterministic,
  dynamic,
};

/** The share of spans that one move is to remove, and the most words that it removes in any case. */
const SPANS_AT_ONCE = 0.99;
const MOST_AT_ONCE = 8;

/** Moves as long as the disfluencies of the training data; a reparandum goes before the repair is read. */
export function disfluenciesSettings(
  trees: Iterable<{ readonly heads: ArrayLike<number>; readonly labels: readonly string[] }>,
): SystemSettings {
  const statistics = new DisfluencyStatistics();
  for (const { heads, labels } of trees) statistics.add(heads, labels);
  return { longest: Math.min(MOST_AT_ONCE, statistics.spanLength(SPANS_AT_ONCE)), atOnce: true };
}

/** The moves of cost 0; few of the many that there are can be, and which cannot is quickly seen. */
function nonDeterministic(system: Disfluencies): NonDeterministicOracle {
  const oracle = dynamic(system);
  const moves: Move[] = [];
  return {
    bind: (gold) => oracle.bind(gold),
    correct(c, out) {
      let count = 0;
      const permitted = system.permitted(c, moves);
      for (let i = 0; i < permitted; i++) if (oracle.isOptimal(c, moves[i]!)) out[count++] = moves[i]!;
      return count;
    },
  };
}

function dynamic(system: Disfluencies): DynamicOracle {
  const oracle = new DisfluenciesOracle(system);
  return system.singleRoot ? new OneRootSearch(system, oracle) : oracle;
}

/**
 * Static oracle, O(1) a step but for the words that a move removes. Interjections and discourse markers go as soon as
 * they are at the front of the buffer, a reparandum as soon as all that follows it up to the repair has gone, the
 * longest possible at once; what is between words that stay is as in arc-eager. Words of a reparandum get the heads
 * that the gold tree gives them on their left or among each other, as long as that is in no other arc's way.
 */
class DisfluenciesStaticOracle extends GoldBound<Disfluencies> implements StaticOracle {
  private tree!: GoldTree;

  override bind(gold: GoldTree): void {
    super.bind(gold);
    this.tree = gold;
    const { leftOut: removed, heads, length } = gold;
    if (!removed) return;
    const within = heads.slice(0, length + 1);
    const among = heads.slice(0, length + 1);
    for (let d = 1; d <= length; d++) {
      const h = heads[d]!;
      const headRemoved = h > 0 && removed[h]! > 0;
      if (removed[d] === 0 ? headRemoved : removed[d] !== REPARANDUM || (headRemoved && removed[h] !== REPARANDUM))
        within[d] = NONE;
      else if (removed[d] === REPARANDUM && !headRemoved && (h === 0 || h > d)) within[d] = NONE;
      among[d] = removed[d] === 0 || (within[d]! > 0 && headRemoved) ? within[d]! : NONE;
    }
    this.tree = new GoldTree(within);
    if (!this.tree.projective) this.tree = new GoldTree(among);
  }

  next(c: Configuration): Move {
    const { system } = this;
    const move = this.removal(c) ?? this.arc(c);
    return system.permits(c, move) ? move : NONE;
  }

  private removal(c: Configuration): Move | undefined {
    const { leftOut: removed, length } = this.gold;
    if (!removed) return undefined;
    const { system } = this;
    const { longest } = system;
    const b = c.b(0);
    const kind = removed[Math.max(0, b)]!;
    let i = lastRead(c);
    const j = i;
    while (i > 0 && j - i < longest && removed[i] === REPARANDUM && removedAs(c)[i]! < 0) i--;
    const repair = i < j ? removeRead(i + 1, j) : undefined;
    if (kind === 0) return repair;
    if (kind === REPARANDUM) return system.permits(c, SHIFT) || system.permits(c, RIGHT_ARC) ? undefined : repair;
    let k = 1;
    while (k < longest && b + k <= length && removed[b + k] === kind) k++;
    const front = removeFront(kind, k);
    if (repair === undefined) return front;
    // Nothing can be removed any more once the buffer is empty, and nothing may be left over beside the one root.
    return (system.root !== "last" && b + k > length) || !system.permits(c, front) ? repair : front;
  }

  private arc(c: Configuration): Move {
    const { heads } = this.tree;
    const s = c.s(0);
    const b = c.b(0);
    if (s === NONE) return SHIFT;
    if (heads[s] === b && c.heads[s] === NONE) return LEFT_ARC;
    if (heads[b] === s) return RIGHT_ARC;
    const { system, gold } = this;
    const isDone = c.heads[s] !== NONE && stillInBuffer(c, this.tree, s) === 0;
    if (gold.leftOut?.[b] !== REPARANDUM) return isDone ? REDUCE : SHIFT;
    // Where there is to be one root, it stays, and a last word that is to go has a head until it does.
    if (isDone && system.permits(c, REDUCE)) return REDUCE;
    return system.permits(c, SHIFT) ? SHIFT : RIGHT_ARC;
  }
}

/**
 * Dynamic oracle. The loss is the least over the words that could still be removed as reparanda, for removing a word
 * may set others free: an arc into a word that was built wrong is no longer lost if its head goes and the word is still
 * on the stack. What a word costs depends on whether it goes and whether the head goes that it has, so that the best
 * choice is found by going over the trees built so far from their leaves, O(n). Where RP takes only the words read
 * last, the words that go are those from some place on, which are tried one after the other, O(n). Given the words that
 * go, gold arcs that can be built one by one can be built together, as in arc-eager, if those between fluent words are
 * projective. If they are not, a smallest set of them is given up beforehand, and the loss is an upper bound.
 */
class DisfluenciesOracle implements DynamicOracle {
  exact = true;
  /** The gold arcs that count, those that are given up left out. */
  private tree!: GoldTree;
  private gold!: GoldTree;
  private givenUp = 0;
  private readonly after = new Configuration();
  private readonly moves: Move[] = [];
  private known: { c: Configuration; version: number; loss: number } | undefined;
  private knownWorth: { c: Configuration; words: ReadonlySet<number> } | undefined;
  private knownVersion = -1;
  // For each word what its subtree costs if it stays, and if it goes; its first child, next sibling, open children.
  private stay = new Int32Array(64);
  private go = new Int32Array(64);
  private child = new Int32Array(64);
  private sibling = new Int32Array(64);
  private open = new Int32Array(64);
  private queue = new Int32Array(64);

  constructor(private readonly system: Disfluencies) {}

  bind(gold: GoldTree): void {
    const { heads, leftOut: removed, length } = gold;
    const { root } = this.system;
    this.gold = gold;
    this.known = undefined;
    this.knownWorth = undefined;
    const counted = heads.slice(0, length + 1);
    for (let d = 1; d <= length; d++) {
      const h = counted[d]!;
      if (removed && (removed[d]! > 0 || (h > 0 && removed[h]! > 0))) counted[d] = NONE;
      if (h === 0 && root === "none") counted[d] = NONE;
    }
    this.tree = removed || root === "none" ? new GoldTree(counted) : gold;
    const conflicts = this.tree.projective ? [] : new ConflictingArcs(this.tree, root).leastToGiveUp();
    this.givenUp = conflicts.length;
    this.exact = conflicts.length === 0;
    if (conflicts.length > 0) this.tree = this.tree.without(conflicts);
    if (this.stay.length <= length) {
      const size = 2 * length + 2;
      this.stay = new Int32Array(size);
      this.go = new Int32Array(size);
      this.child = new Int32Array(size);
      this.sibling = new Int32Array(size);
      this.open = new Int32Array(size);
      this.queue = new Int32Array(size);
    }
  }

  loss(c: Configuration): number {
    if (this.known?.c === c && this.known.version === c.version) return this.known.loss;
    const loss = this.lossOf(c);
    this.known = { c, version: c.version, loss };
    return loss;
  }

  cost(c: Configuration, move: Move): number {
    const before = this.loss(c);
    this.after.copyFrom(c);
    this.system.apply(this.after, move);
    return this.lossOf(this.after) - before;
  }

  isOptimal(c: Configuration, move: Move): boolean {
    return !this.removesFluent(c, move) && this.cost(c, move) === 0;
  }

  /** Does a move remove a word that should stay, without that another could get its head back? */
  private removesFluent(c: Configuration, move: Move): boolean {
    const kind = removalKind(move);
    // Words read last may have to go for the sake of others before them.
    if (kind === 0 || (kind === REPARANDUM && this.system.atOnce)) return false;
    if (this.knownVersion !== c.version || this.knownWorth?.c !== c) {
      this.knownVersion = c.version;
      this.knownWorth = { c, words: new Set(this.worthRemoving(c)) };
    }
    const { words } = this.knownWorth!;
    const [from, to] = spanOf(c, move);
    for (let d = from; d <= to; d++) if ((this.gold.leftOut?.[d] ?? 0) === 0 && !words.has(d)) return true;
    return false;
  }

  optimal(c: Configuration): Move {
    const { system, moves } = this;
    for (const move of this.likely(c)) if (system.permits(c, move) && this.cost(c, move) === 0) return move;
    const count = system.permitted(c, moves);
    let best = moves[0]!;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count && least > 0; i++) {
      if (this.removesFluent(c, moves[i]!)) continue;
      const cost = this.cost(c, moves[i]!);
      if (cost >= least) continue;
      least = cost;
      best = moves[i]!;
    }
    return best;
  }

  /** The moves that one of is nearly always the best, in this order. */
  likely(c: Configuration): Move[] {
    const removed = this.gold.leftOut;
    const b = c.b(0);
    const last = lastRead(c);
    const kind = removed?.[Math.max(b, 0)] ?? 0;
    return [
      ...(kind > 0 && kind !== REPARANDUM ? [removeFront(kind, 1)] : []),
      ...(removed?.[last] === REPARANDUM ? [removeRead(last, last)] : []),
      LEFT_ARC,
      RIGHT_ARC,
      REDUCE,
      SHIFT,
    ];
  }

  /**
   * The words that are worth being removed as a reparandum: those that should be, and heads that others should lose.
   */
  worthRemoving(c: Configuration): number[] {
    const { tree, gold } = this;
    const worth = new Set<number>();
    for (let d = 1; d <= c.length; d++) {
      if (c.where[d] === IN_BUFFER || removedAs(c)[d]! > 0) continue;
      if (gold.leftOut?.[d] === REPARANDUM) worth.add(d);
      const h = c.heads[d]!;
      if (h > 0 && c.where[d] === ON_STACK && tree.heads[d] !== NONE && h !== tree.heads[d]) worth.add(h);
    }
    return [...worth];
  }

  private lossOf(c: Configuration): number {
    const { tree, gold, system } = this;
    const { heads } = tree;
    const n = c.length;
    const removed = removedAs(c);
    const wanted = gold.leftOut;
    const isOver = system.isTerminal(c);
    let lost = this.givenUp;
    let removable = false;
    for (let d = 1; d <= n; d++) {
      const h = heads[d]!;
      const kind = wanted?.[d] ?? 0;
      if (c.where[d] === IN_BUFFER) {
        if (h > 0 && c.where[h] === GONE) lost++;
        // The derivation ends when the last word is read, unless 0 is behind it.
        if (kind === REPARANDUM && d === n && system.root !== "last") lost++;
        continue;
      }
      if (removed[d]! > 0) {
        if (removed[d] !== kind) lost++;
        if (h !== NONE) lost++;
        continue;
      }
      const arc = h === NONE || this.isBuiltOrOpen(c, d, h) ? 0 : 1;
      lost += arc + (kind > 0 ? 1 : 0);
      if (kind === REPARANDUM || (arc === 1 && this.isFreed(c, d, h))) removable = true;
    }
    // Most often there is nothing that removing a word could be good for.
    if (isOver || !removable) return lost;
    return system.atOnce ? this.leastFromTheEnd(c, lost) : this.leastOfAll(c, lost);
  }

  /** Is the gold arc into a word that has been read built, or can it be, if nothing is removed? */
  private isBuiltOrOpen(c: Configuration, d: number, h: number): boolean {
    return c.heads[d] === h || (c.heads[d] === NONE && c.where[d] === ON_STACK && c.where[h] === IN_BUFFER);
  }

  /** Could a word get its gold head if it lost the wrong one that it has? */
  private isFreed(c: Configuration, d: number, h: number): boolean {
    return c.heads[d]! > 0 && c.where[d] === ON_STACK && c.where[h] === IN_BUFFER;
  }

  /** The cost of the arc into a word that stays, with and without the head that it has. */
  private arcCost(c: Configuration, d: number, headGoes: boolean): number {
    const h = this.tree.heads[d]!;
    if (h === NONE) return 0;
    if (!headGoes) return this.isBuiltOrOpen(c, d, h) ? 0 : 1;
    return c.heads[d] !== h && this.isFreed(c, d, h) ? 0 : 1;
  }

  /** The cost of removing a word in itself, its own arc included. */
  private removalCost(c: Configuration, d: number): number {
    const waiting = c.where[d] === ON_STACK ? stillInBuffer(c, this.tree, d) : 0;
    return (this.gold.leftOut?.[d] === REPARANDUM ? 0 : 1) + waiting + (this.tree.heads[d] === NONE ? 0 : 1);
  }

  /** The trees of the words that have been read and remain: children of each word. */
  private readForest(c: Configuration): void {
    const { child, sibling } = this;
    const removed = removedAs(c);
    child.fill(NONE, 0, c.length + 1);
    for (let d = 1; d <= c.length; d++) {
      const h = c.heads[d]!;
      if (h <= 0 || c.where[h] === IN_BUFFER || c.where[d] === IN_BUFFER || removed[d]! > 0) continue;
      sibling[d] = child[h]!;
      child[h] = d;
    }
  }

  private leastFromTheEnd(c: Configuration, lostIfAllStay: number): number {
    const { child, sibling, stay } = this;
    this.readForest(c);
    // In `stay` what the arc into each word costs as things are.
    for (let d = 1; d <= c.length; d++) stay[d] = this.arcCost(c, d, false);
    let lost = lostIfAllStay;
    let least = lost;
    const bottom = c.b(0) === 0 ? c.stack[0]! : 0;
    for (let word = lastRead(c); word > 0; word = lastRead(c, word)) {
      if (word < bottom && !this.goesWith(c, word, bottom)) break;
      lost += this.removalCost(c, word) - stay[word]! - ((this.gold.leftOut?.[word] ?? 0) > 0 ? 1 : 0);
      for (let d = child[word]!; d !== NONE; d = sibling[d]!) {
        // Those on the right are gone already.
        if (d > word) continue;
        const cost = this.arcCost(c, d, true);
        lost += cost - stay[d]!;
        stay[d] = cost;
      }
      least = Math.min(least, lost);
    }
    return least;
  }

  /**
   * When only 0 is left in the buffer and the last word leaves the stack, that is the end: others go with it or stay.
   */
  private goesWith(c: Configuration, word: number, last: number): boolean {
    if (last - word >= this.system.longest) return false;
    for (let w = word; w < last; w++) if (removedAs(c)[w]! > 0) return false;
    return true;
  }

  private leastOfAll(c: Configuration, lostIfAllStay: number): number {
    const { stay, go, child, sibling, open, queue } = this;
    const removed = removedAs(c);
    this.readForest(c);
    let lost = lostIfAllStay;
    let size = 0;
    for (let d = 1; d <= c.length; d++) {
      if (c.where[d] === IN_BUFFER || removed[d]! > 0) continue;
      const kind = this.gold.leftOut?.[d] ?? 0;
      // Counted again below.
      lost -= this.arcCost(c, d, false) + (kind > 0 ? 1 : 0);
      stay[d] = kind > 0 ? 1 : 0;
      go[d] = this.removalCost(c, d);
      open[d] = 0;
      for (let k = child[d]!; k !== NONE; k = sibling[k]!) open[d]!++;
      if (open[d] === 0) queue[size++] = d;
    }
    for (let at = 0; at < size; at++) {
      const d = queue[at]!;
      const h = c.heads[d]!;
      const withHead = Math.min(stay[d]! + this.arcCost(c, d, false), go[d]!);
      if (h <= 0 || c.where[h] === IN_BUFFER) {
        lost += withHead;
        continue;
      }
      stay[h]! += withHead;
      go[h]! += Math.min(stay[d]! + this.arcCost(c, d, true), go[d]!);
      if (--open[h]! === 0) queue[size++] = h;
    }
    return lost;
  }
}

/** How many configurations are looked at before the loss with one root is an upper bound only. */
const LIMIT = 3000;
/** In longer sentences only reparanda that are likely to be worth it are tried, so that the loss is an upper bound. */
const EXACT_WORDS = 12;

/**
 * The loss where there is to be one root: the cheapest way to the end, best first. What would be lost without that
 * demand is never more, so it says which way to go; nearly always that is enough, and one way is gone. Exact for up to
 * EXACT_WORDS words and within LIMIT configurations; beyond, what is lost on the way that was gone, and exact if that
 * is no more than without the demand.
 */
class OneRootSearch implements DynamicOracle {
  exact = true;
  private readonly after = new Configuration();
  private known: { c: Configuration; version: number; loss: number; exact: boolean } | undefined;

  constructor(
    private readonly system: Disfluencies,
    private readonly free: DisfluenciesOracle,
  ) {}

  bind(gold: GoldTree): void {
    this.free.bind(gold);
    this.known = undefined;
  }

  loss(c: Configuration): number {
    if (this.known?.c !== c || this.known.version !== c.version) {
      const loss = this.search(c);
      this.known = { c, version: c.version, loss, exact: this.exact };
    }
    this.exact = this.known.exact;
    return this.known.loss;
  }

  cost(c: Configuration, move: Move): number {
    const before = this.loss(c);
    const { exact } = this;
    this.after.copyFrom(c);
    this.system.apply(this.after, move);
    const cost = this.search(this.after) - before;
    this.exact &&= exact;
    return cost;
  }

  isOptimal(c: Configuration, move: Move): boolean {
    return this.cost(c, move) === 0;
  }

  optimal(c: Configuration): Move {
    const { system } = this;
    for (const move of this.free.likely(c)) if (system.permits(c, move) && this.cost(c, move) <= 0) return move;
    const moves: Move[] = [];
    const count = system.permitted(c, moves);
    let best = moves[0]!;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count && least > 0; i++) {
      const cost = this.cost(c, moves[i]!);
      if (cost >= least) continue;
      least = cost;
      best = moves[i]!;
    }
    return best;
  }

  private search(start: Configuration): number {
    const { system, free } = this;
    const first = new Configuration(start.length);
    first.copyFrom(start);
    let agenda = new BestFirst<Configuration>("disfluencies with one root");
    agenda.add(first, free.loss(first));
    for (let looked = 0; ; looked++) {
      const c = agenda.take();
      if (system.isTerminal(c)) {
        const isFound = looked < LIMIT && start.length <= EXACT_WORDS;
        this.exact = free.exact && (isFound || agenda.cost === free.loss(start));
        return agenda.cost;
      }
      if (looked >= LIMIT) {
        // From here on one way only.
        const { cost } = agenda;
        agenda = new BestFirst("disfluencies with one root");
        agenda.cost = cost;
      }
      const steps = this.steps(c)
        .map((move) => ({ move, loss: Math.max(agenda.cost, free.loss(c) + free.cost(c, move)) }))
        .sort((a, b) => b.loss - a.loss);
      for (const { move, loss } of looked >= LIMIT ? steps.slice(-1) : steps) {
        const next = new Configuration(c.length);
        next.copyFrom(c);
        system.apply(next, move);
        agenda.add(next, loss);
      }
    }
  }

  /** The permitted moves that any way to the end can be made of without losing more; the likely ones come last. */
  private steps(c: Configuration): Move[] {
    const { system, free } = this;
    const likely = free.likely(c).reverse();
    const others: Move[] = [];
    const moves: Move[] = [];
    const count = system.permitted(c, moves);
    const worth = c.length <= EXACT_WORDS ? [] : free.worthRemoving(c);
    for (let i = 0; i < count; i++) {
      const move = moves[i]!;
      if (likely.includes(move)) continue;
      const kind = removalKind(move);
      if (kind === 0 || move === removeFront(kind, 1)) others.push(move);
      else if (
        kind === REPARANDUM &&
        (c.length <= EXACT_WORDS || worth.some((word) => move === removeRead(word, word)))
      )
        others.push(move);
    }
    return [...others, ...likely.filter((move) => system.permits(c, move))];
  }
}
