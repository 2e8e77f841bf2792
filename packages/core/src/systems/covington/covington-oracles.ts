import { edmonds } from "../../math/edmonds.js";
import { topOf } from "../acyclic-arcs.js";
import { Configuration, NONE } from "../configuration.js";
import { GoldBound } from "../oracles/gold-bound.js";
import { EXACT_WORDS, type GoldTree } from "../oracles/gold-tree.js";
import { type DynamicOracle, leastCost, type OracleMakers, type StaticOracle, zeroCost } from "../oracles/oracle.js";
import { LEFT_ARC, type Move, RIGHT_ARC, SHIFT } from "../transition.js";
import { type Covington, isAhead, isInFirstList, NO_ARC, pass } from "./covington.js";
import { NonMonotonicCovingtonOracle } from "./non-monotonic-oracle.js";

/** The oracles of Covington's system. */
export const covingtonOracles: OracleMakers<Covington> = {
  static: (system) => new CovingtonStaticOracle(system),
  nonDeterministic(system) {
    const dynamic = dynamicOracle(system);
    return dynamic && zeroCost(system, dynamic);
  },
  dynamic: dynamicOracle,
};

function dynamicOracle(system: Covington, exactWords = EXACT_WORDS): DynamicOracle | undefined {
  if (system.monotonic) return new CovingtonDynamicOracle(system);
  return system.singleRoot ? undefined : new NonMonotonicCovingtonOracle(system, exactWords);
}

/** Static oracle: the arcs of b0 from the nearest to the furthest, then SHIFT. O(1) a step. */
class CovingtonStaticOracle extends GoldBound<Covington> implements StaticOracle {
  next(c: Configuration): Move {
    const { heads, start, dependents } = this.gold;
    const i = c.s(0);
    const j = c.b(0);
    let move: Move = SHIFT;
    if (i > 0 && heads[i] === j) move = LEFT_ARC;
    else if (i !== NONE && heads[j] === i) move = RIGHT_ARC;
    else if (isInFirstList(c, heads[j]!) && c.heads[j] === NONE) move = NO_ARC;
    else if (start[j]! < start[j + 1]! && dependents[start[j]!]! <= i) move = NO_ARC;
    return this.system.permits(c, move) ? move : NONE;
  }
}

/**
 * Dynamic oracle (Gómez-Rodríguez & Fernández-González 2015). Lost are the gold arcs that cannot be built one by one,
 * because their nodes have passed each other, the dependent has another head, or a path leads from it to the head; and
 * one arc of every cycle that the others close with what has been built. Each word has one head at most there, so
 * cycles have no arc in common: O(n · depth) a loss.
 *
 * If one root is required, the arcs that are left must fit into a tree with one. They do as long as the last word has
 * yet to pass the others and is free, or is below the root. Else: all trees can be had that consist of what has been
 * built and of pairs that have yet to pass each other, so the loss follows from the heaviest such tree in which gold
 * arcs weigh 1, O(n³).
 */
class CovingtonDynamicOracle implements DynamicOracle {
  readonly exact = true;
  private gold!: GoldTree;
  private readonly after = new Configuration();
  /** The number of the walk up the tree that came to a word, 0 if none did. */
  private mark = new Int32Array(0);
  // The configuration asked about last, so that the costs of several moves need its loss only once.
  private known: Configuration | undefined;
  private knownVersion = 0;
  private knownLoss = 0;
  private cycles = 0;
  /** How many cycles there were in the configuration looked at last. */
  private cyclesFound = 0;

  constructor(private readonly system: Covington) {}

  bind(gold: GoldTree): void {
    this.gold = gold;
    this.known = undefined;
    if (this.mark.length <= gold.length) this.mark = new Int32Array(2 * (gold.length + 1));
  }

  loss(c: Configuration): number {
    if (this.known !== c || this.knownVersion !== c.version) {
      this.knownLoss = this.lossOf(c);
      this.cycles = this.cyclesFound;
      this.known = c;
      this.knownVersion = c.version;
    }
    return this.knownLoss;
  }

  private lossOf(c: Configuration): number {
    if (!this.system.singleRoot) return this.lossWithManyRoots(c);
    const tooMany = this.rootsTooMany(c);
    return tooMany === undefined ? this.lossWithOneRoot(c) : this.lossWithManyRoots(c) + tooMany;
  }

  /**
   * How many of the gold arcs out of 0 that can still be built must be given up for one root, if nothing else need be;
   * undefined if that is not so easily told.
   */
  private rootsTooMany(c: Configuration): number | undefined {
    const { gold, system } = this;
    if (!isAhead(this.system, c, gold.length)) return undefined;
    let top = gold.length;
    for (let steps = 0, up = this.headToBe(c, top); up > 0; up = this.headToBe(c, top)) {
      if (++steps > gold.length) return undefined;
      top = up;
    }
    const built = c.rightmost[0] === NONE ? c.leftmost[0]! : c.rightmost[0]!;
    let roots = 0;
    let isBelow = built === top || top === gold.length;
    for (let i = gold.start[0]!; system.root !== "none" && i < gold.start[1]!; i++) {
      const d = gold.dependents[i]!;
      if (c.heads[d] !== 0 && !this.isReachable(c, 0, d)) continue;
      roots++;
      if (built === NONE && d === top) isBelow = true;
    }
    if (built === NONE && roots === 0) return 0;
    if (!isBelow) return undefined;
    return built === NONE || gold.heads[built] === 0 ? Math.max(0, roots - 1) : roots;
  }

  private lossWithManyRoots(c: Configuration): number {
    const { gold, mark } = this;
    const least = this.system.root === "none" ? 1 : 0;
    let lost = 0;
    for (let d = 1; d <= gold.length; d++) {
      const h = gold.heads[d]!;
      if (h >= least && c.heads[d] !== h && !this.isReachable(c, h, d)) lost++;
    }
    this.cyclesFound = 0;
    mark.fill(0, 0, gold.length + 1);
    for (let start = 1; start <= gold.length; start++) {
      let node = start;
      while (node > 0 && mark[node] === 0) {
        mark[node] = start;
        node = this.headToBe(c, node);
      }
      if (node > 0 && mark[node] === start) this.cyclesFound++;
    }
    return lost + this.cyclesFound;
  }

  /** The head that a word has, or its gold head if it can still get it. */
  private headToBe(c: Configuration, d: number): number {
    if (c.heads[d] !== NONE) return c.heads[d]!;
    const h = this.gold.heads[d]!;
    return h > 0 && this.isReachable(c, h, d) ? h : NONE;
  }

  private isReachable(c: Configuration, h: number, d: number): boolean {
    return c.heads[d] === NONE && pass(this.system, c, h, d) && topOf(c, h) !== d;
  }

  private lossWithOneRoot(c: Configuration): number {
    const { gold, system } = this;
    const n = gold.length;
    const isCounted = (h: number) => h >= (system.root === "none" ? 1 : 0);
    // An arc that cannot be costs more than all gold arcs are worth.
    const weights = new Float64Array((n + 1) ** 2).fill(-2 * n - 2);
    let counted = 0;
    for (let d = 1; d <= n; d++) {
      const wanted = gold.heads[d]!;
      if (isCounted(wanted)) counted++;
      for (let h = 0; h <= n; h++) {
        const isBuilt = c.heads[d] === h;
        const canBeBuilt = c.heads[d] === NONE && h !== d && pass(this.system, c, h, d);
        const weight = isCounted(h) && h === wanted && (isBuilt || canBeBuilt) ? 1 : 0;
        const isRoot = h === 0 && c.heads[d] === NONE;
        if (isBuilt || canBeBuilt || isRoot) weights[h * (n + 1) + d] = weight;
      }
    }
    const heads = edmonds(n, weights, true);
    let kept = 0;
    for (let d = 1; d <= n; d++) kept += weights[heads[d]! * (n + 1) + d]!;
    return counted - kept;
  }

  cost(c: Configuration, move: Move): number {
    const before = this.loss(c);
    if (!this.system.singleRoot && this.cycles === 0) {
      const local = this.arcsLost(c, move);
      if (local >= 0) return local;
    }
    this.after.copyFrom(c);
    this.system.apply(this.after, move);
    return this.lossOf(this.after) - before;
  }

  /**
   * The gold arcs that a move lets pass, which is what it costs where there are no cycles: O(dependents). NONE for arcs
   * that are not gold, which may close some.
   */
  private arcsLost(c: Configuration, move: Move): number {
    const { heads, start, dependents } = this.gold;
    const i = c.s(0);
    const j = c.b(0);
    const least = this.system.root === "none" ? 1 : 0;
    const isOpen = (h: number, d: number) => h >= least && heads[d] === h && this.isReachable(c, h, d);
    if (move === NO_ARC) return isOpen(i, j) || isOpen(j, i) ? 1 : 0;
    if (move !== SHIFT) return heads[this.system.dependent(c, move)] === this.system.head(c, move) ? 0 : NONE;
    let lost = isInFirstList(c, heads[j]!) && isOpen(heads[j]!, j) ? 1 : 0;
    for (let k = start[j]!; k < start[j + 1]! && dependents[k]! <= i; k++) if (isOpen(j, dependents[k]!)) lost++;
    return lost;
  }

  isOptimal(c: Configuration, move: Move): boolean {
    return this.cost(c, move) === 0;
  }

  optimal(c: Configuration): Move {
    return leastCost(this.system, this, c);
  }
}
