import { projectiveOrder } from "../../treebank/tree.js";
import { Configuration, GONE, NONE, ON_STACK } from "../configuration.js";
import { isComplete, lostBy, lostSoFar, ROOT } from "../losses/bottom-up.js";
import { BottomUpRun } from "../losses/bottom-up-run.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import { type DynamicOracle, type OracleMakers, type StaticOracle, zeroCost } from "../oracles/oracle.js";
import { isArc, type Move, SHIFT } from "../transition.js";
import {
  type AttardiAuxiliary,
  auxiliary,
  auxiliarySize,
  EXTRACT,
  extractsLeft,
  INSERT,
  MOST_PER_NODE,
} from "./attardi-auxiliary.js";
import { bringTogether } from "./bring-together.js";
import { isCovered, Uncovering } from "./uncovering.js";

/** The oracles of Attardi's system with an auxiliary stack. All three go by the same way. */
export const attardiAuxiliaryOracles: OracleMakers<AttardiAuxiliary> = {
  static: (system) => new AuxiliaryOracle(system),
  nonDeterministic: (system) => zeroCost(system, new AuxiliaryOracle(system)),
  dynamic: (system) => new AuxiliaryOracle(system),
};

/**
 * Static and dynamic oracle.
 *
 * The way to the gold tree: gold arcs as soon as their dependents are complete, the nearest first. As long as there are
 * words to come, the two on top of the stack are brought into the order in which the tree is projective, as in swap, by
 * EXTRACT and INSERT; but only if arcs alone would leave both on the stack in the end, so that trees that Attardi's
 * system can build are built as it does. After that, words are brought together with their heads one by one. O(n) a
 * step.
 *
 * The loss: words on either stack can be brought into any order, so that all gold arcs among the nodes that are left
 * can be built, and those are lost whose dependent has another head already, or whose head has gone. There are two
 * exceptions. If the root is last, 0 on the stack separates the words below it from those above, for it is never
 * extracted (uncovering.ts). If one root is required, all but one of the arcs out of 0 are lost. It takes
 * at most (m + 1)² EXTRACTs to build the arcs of m words; where fewer are left, the loss is a bound: a lower one as
 * long as there are many (sentences of more than 31 words), then the upper one that the way leads to. `exact` says so.
 * O(n).
 */
class AuxiliaryOracle implements StaticOracle, DynamicOracle {
  exact = true;
  private gold!: GoldTree;
  /** The place of each word in the order in which the gold tree is projective. */
  private order: Int32Array = new Int32Array(0);
  private readonly run: BottomUpRun;
  private readonly uncovering: Uncovering;
  /** The configuration asked about last, so that the costs of several moves need its loss only once. */
  private known: { c: Configuration; version: number; loss: number; exact: boolean } | undefined;
  private readonly after = new Configuration();
  private readonly ahead = new Configuration();

  constructor(private readonly system: AttardiAuxiliary) {
    this.run = new BottomUpRun(system.degree);
    this.uncovering = new Uncovering(system);
  }

  bind(gold: GoldTree): void {
    this.gold = gold;
    this.known = undefined;
    this.uncovering.bind(gold);
    this.run.reserve(gold.length + 1);
    // Words that may get any head hang on 0.
    const heads = gold.heads.slice(0, gold.length + 1);
    this.order = projectiveOrder(heads.map((head, d) => (d === 0 ? NONE : Math.max(0, head))));
  }

  next(c: Configuration): Move {
    return this.wayOn(c, true);
  }

  optimal(c: Configuration): Move {
    this.loss(c);
    const move = this.wayOn(c, false);
    if (move < 0) throw new Error("no optimal move: the configuration is terminal or not one of this system");
    return move;
  }

  loss(c: Configuration): number {
    const { known } = this;
    if (known?.c === c && known.version === c.version) {
      this.exact = known.exact;
      return known.loss;
    }
    const loss = this.lossOf(c);
    this.known = { c, version: c.version, loss, exact: this.exact };
    return loss;
  }

  private lossOf(c: Configuration): number {
    const { gold, system, uncovering } = this;
    let lost = lostSoFar(c, gold, system.root) + this.rootsTooMany(c);
    this.exact = true;
    if (isCovered(system, c)) {
      lost += uncovering.least(c);
      this.exact = uncovering.exact;
    }
    const needed = this.mostNeeded(c);
    const left = extractsLeft(c);
    if (left >= needed) return lost;
    // Half of what a long sentence may have is more than any tree needs that is not made for it.
    if (left >= (MOST_PER_NODE / 2) * Math.sqrt(needed)) {
      this.exact = false;
      return lost;
    }
    const found = this.follow(c);
    this.exact &&= found === lost;
    return found;
  }

  cost(c: Configuration, move: Move): number {
    const { after, system } = this;
    after.copyFrom(c);
    system.apply(after, move);
    const loss = this.lossOf(after);
    const isExact = this.exact;
    const before = this.loss(c);
    this.exact &&= isExact;
    // Never negative where losses are exact.
    return Math.max(0, loss - before);
  }

  isOptimal(c: Configuration, move: Move): boolean {
    return this.cost(c, move) === 0;
  }

  // Words can change places for ever, and SHIFT, too, costs nothing however much waits on the stack.
  leadsOn(c: Configuration, move: Move): boolean {
    return isArc(move) ? this.isOptimal(c, move) : move === this.optimal(c);
  }

  /** With one root: how many of the words that should hang on 0 cannot. */
  private rootsTooMany(c: Configuration): number {
    const { singleRoot, root } = this.system;
    if (!singleRoot || root === "none") return 0;
    const { start, dependents } = this.gold;
    let roots = 0;
    for (let i = start[0]!; i < start[1]!; i++) if (c.heads[dependents[i]!] === NONE) roots++;
    return Math.max(0, roots - 1);
  }

  /** EXTRACTs that are enough to build everything that is left, whatever it is. */
  private mostNeeded(c: Configuration): number {
    let waiting = 0;
    for (let d = 1; d <= c.length; d++) if (c.heads[d] === NONE) waiting++;
    return (waiting + 1) ** 2;
  }

  /** The loss at the end of the way. */
  private follow(c: Configuration): number {
    const { ahead, system, gold } = this;
    ahead.copyFrom(c);
    while (!system.isTerminal(ahead)) system.apply(ahead, this.wayOn(ahead, false));
    let lost = 0;
    for (let d = 1; d <= gold.length; d++) {
      if (gold.heads[d]! >= (system.root === "none" ? 1 : 0) && ahead.heads[d] !== gold.heads[d]) lost++;
    }
    return lost;
  }

  /**
   * The next move of the way. `strictly`: NONE where an arc would have to be built that is not gold; otherwise some
   * permitted move, from any configuration that is not terminal.
   */
  private wayOn(c: Configuration, strictly: boolean): Move {
    const { system } = this;
    let move: Move;
    if (isCovered(system, c)) move = this.uncovering.next(c);
    else {
      move = this.harmlessArc(c, strictly);
      if (move === NONE) move = this.rearrangement(c);
    }
    if (move !== NONE && system.permits(c, move)) return move;
    if (system.permits(c, INSERT)) return INSERT;
    if (system.permits(c, SHIFT)) return SHIFT;
    return strictly ? NONE : this.cheapestArc(c);
  }

  /** An arc that attaches a complete word to its gold head; if not strictly, to any head if its gold head has gone. */
  private harmlessArc(c: Configuration, strictly: boolean): Move {
    const { system, gold } = this;
    for (const move of system.moves) {
      if (!isArc(move) || !system.permits(c, move)) continue;
      const dependent = system.dependent(c, move);
      const wanted = gold.heads[dependent]!;
      const isFree = wanted === NONE || (!strictly && c.where[wanted] === GONE);
      if ((isFree || wanted === system.head(c, move)) && isComplete(c, gold, dependent)) return move;
    }
    return NONE;
  }

  /** The permitted arc that loses least. */
  private cheapestArc(c: Configuration): Move {
    const { system, gold } = this;
    let best = NONE;
    let least = Number.POSITIVE_INFINITY;
    for (const move of system.moves) {
      if (!isArc(move) || !system.permits(c, move)) continue;
      const lost = lostBy(c, gold, system.head(c, move), system.dependent(c, move));
      if (lost >= least) continue;
      least = lost;
      best = move;
    }
    return best;
  }

  /** EXTRACT or INSERT if words are to change places, NONE otherwise. */
  private rearrangement(c: Configuration): Move {
    const { order, system } = this;
    const s = c.s(0);
    const t = c.s(1);
    if (c.b(0) > 0) {
      const isOutOfOrder = t > 0 && order[s]! < order[t]!;
      return isOutOfOrder && this.bothRemain(c, s, t) ? EXTRACT : NONE;
    }
    // 0 goes below all words.
    if (s === 0 && t !== NONE) return EXTRACT;
    const word = this.wordToAttach(c);
    return word === NONE || !system.permits(c, EXTRACT) ? NONE : bringTogether(c, word, this.gold.heads[word]!);
  }

  /**
   * The first complete word whose gold head is on one of the stacks. Which one does not depend on the order of the
   * words, so that it stays the same while they are brought together.
   */
  private wordToAttach(c: Configuration): number {
    const { gold, system } = this;
    for (let d = 1; d <= gold.length; d++) {
      const head = gold.heads[d]!;
      if (c.heads[d] !== NONE || head < 0 || c.where[head] !== ON_STACK || (head === 0 && system.singleRoot)) continue;
      if (isComplete(c, gold, d)) return d;
    }
    return NONE;
  }

  /** Would two words be on the stack in the end, without EXTRACT? */
  private bothRemain(c: Configuration, one: number, other: number): boolean {
    const { gold, run, system } = this;
    const nodes: number[] = [];
    for (let i = 0; i < c.stackSize; i++) nodes.push(c.stack[i]!);
    for (let i = 0; i < auxiliarySize(c); i++) nodes.push(auxiliary(c, i));
    const stacked = nodes.length;
    for (let i = c.front; i < c.end; i++) nodes.push(c.buffer[i]!);
    const place = new Int32Array(gold.length + 1).fill(NONE);
    nodes.forEach((node, i) => {
      place[node] = i;
    });
    const head = new Int32Array(nodes.length);
    const waiting = new Int32Array(nodes.length);
    nodes.forEach((node, i) => {
      const wanted = gold.heads[node]!;
      head[i] = wanted === 0 && system.singleRoot ? ROOT : wanted < 0 ? NONE : place[wanted]!;
      if (head[i]! >= 0) waiting[head[i]!]!++;
    });
    run.getsThrough({ stacked, size: nodes.length, head, waiting, zero: place[0]! });
    const left = run.stack.subarray(0, run.size);
    return left.includes(place[one]!) && left.includes(place[other]!);
  }
}
