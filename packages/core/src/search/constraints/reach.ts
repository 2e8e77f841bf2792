// What a partial tree leaves to a system that builds one root: a move is kept if all arcs that are wanted can still be built
// after it, together and whatever the free words get. Each system has its own test, made of what its oracles are made of. All are
// exact but that for swap, which is sound: where a move is kept, there is a way on.

import { Configuration, IN_BUFFER, NONE } from "../../systems/configuration.js";
import { LrSpines, lrSpinesOracles } from "../../systems/lr-spines.js";
import { BottomUpLoss, isComplete } from "../../systems/oracles/bottom-up.js";
import { type GoldTree, stillInBuffer, waitingOnStack } from "../../systems/oracles/gold-tree.js";
import type { DynamicOracle } from "../../systems/oracles/oracle.js";
import type { TransitionSystem } from "../../systems/system.js";
import { kindOf, LEFT_ARC, type Move, REDUCE, RIGHT_ARC, SHIFT } from "../../systems/transition.js";
import { SwapReach } from "./swap-reach.js";

/** Tells which moves keep a partial tree within reach. */
export interface Reach {
  /** Take over the partial tree of the next sentence, which has no cycle and at most one word on 0. */
  bind(tree: GoldTree): void;
  /** Can the system build all arcs of the tree together? */
  isPossible(): boolean;
  /** Can they still all be built after a permitted move, if they can before it? Then some permitted move keeps them. */
  keeps(c: Configuration, move: Move): boolean;
}

/** The test for a system, which must be one that builds one root. */
export function reachOfSystem(system: TransitionSystem): Reach {
  if (!system.singleRoot) throw new RangeError(`invalid system for constraints: ${system.name} with several roots`);
  switch (system.name) {
    case "arc-eager":
      return new ArcEagerReach();
    case "arc-hybrid":
      return new ArcHybridReach(system);
    case "lr-spines":
      return new LrSpinesReach(system);
    case "swap":
      return new SwapReach(system);
    case "arc-standard":
    case "attardi":
      return new BottomUpReach(system as TransitionSystem & { degree: number; moves: readonly Move[] });
    default:
      throw new RangeError(`invalid system for constraints: ${system.name}`);
  }
}

/** The word that must hang on 0, NONE if any may. */
function rootOf({ start, dependents }: GoldTree): number {
  return start[1]! > start[0]! ? dependents[start[0]!]! : NONE;
}

/** May the word get this head? */
function mayGet(tree: GoldTree, head: number, dependent: number): boolean {
  return tree.heads[dependent] === NONE || tree.heads[dependent] === head;
}

/** Systems that build every projective tree and no other. */
abstract class ProjectiveReach implements Reach {
  protected tree!: GoldTree;

  bind(tree: GoldTree): void {
    this.tree = tree;
  }

  isPossible(): boolean {
    return this.tree.projective;
  }

  abstract keeps(c: Configuration, move: Move): boolean;
}

/** Wanted arcs that can be built one by one can be built together, but for what one root demands. O(dependents) a move. */
class ArcEagerReach extends ProjectiveReach {
  keeps(c: Configuration, move: Move): boolean {
    const { tree } = this;
    const s = c.s(0);
    const b = c.b(0);
    switch (move) {
      case LEFT_ARC:
        return mayGet(tree, b, s) && stillInBuffer(c, tree, s) === 0;
      case REDUCE:
        return stillInBuffer(c, tree, s) === 0;
      case RIGHT_ARC:
        if (!mayGet(tree, s, b) || (s === 0 && rootOf(tree) !== NONE && rootOf(tree) !== b)) return false;
        return waitingOnStack(c, tree, b) === 0 && this.lastCanUnite(c, b, 0);
      default: {
        const h = tree.heads[b]!;
        // What is below a word without a head stays without one, so the root has nothing such below it.
        if (h === 0 ? roots(c) > 0 : h > 0 && c.where[h] !== IN_BUFFER) return false;
        return waitingOnStack(c, tree, b) === 0 && this.lastCanUnite(c, b, 1);
      }
    }
  }

  // The last word has to collect all roots on the stack but one. It cannot if it hangs, directly or over words of the buffer, on
  // the word that is being pushed, with more than one root at or below that.
  private lastCanUnite(c: Configuration, pushed: number, more: number): boolean {
    let w = c.length;
    while (w > 0 && w !== pushed && c.where[w] === IN_BUFFER) w = this.tree.heads[w]!;
    return w !== pushed || roots(c) + more <= 1;
  }
}

/** How many words of the stack have no head, or the head 0. */
function roots(c: Configuration): number {
  let count = 0;
  for (let i = 0; i < c.stackSize; i++) if (c.stack[i] !== 0 && c.heads[c.stack[i]!]! <= 0) count++;
  return count;
}

/** As for arc-eager; a word on the stack can also hang on its neighbour below. O(dependents) a move. */
class ArcHybridReach extends ProjectiveReach {
  private readonly bottom: number;

  constructor(system: TransitionSystem) {
    super();
    this.bottom = system.root === "first" ? 1 : 0;
  }

  keeps(c: Configuration, move: Move): boolean {
    const { tree } = this;
    const s = c.s(0);
    const b = c.b(0);
    if (move !== SHIFT) return mayGet(tree, move === LEFT_ARC ? b : c.s(1), s) && stillInBuffer(c, tree, s) === 0;
    const h = tree.heads[b]!;
    if (h === 0 ? c.stackSize > this.bottom : h > 0 && h !== s && c.where[h] !== IN_BUFFER) return false;
    return waitingOnStack(c, tree, b) === 0;
  }
}

/**
 * Arc-standard and Attardi: an arc for a complete word never does harm, one for another word always does. SHIFT is tried, O(n), where
 * there is such an arc; otherwise it is the only way on.
 */
class BottomUpReach implements Reach {
  private tree!: GoldTree;
  private readonly ahead: BottomUpLoss;

  constructor(private readonly system: TransitionSystem & { degree: number; moves: readonly Move[] }) {
    // Where 0 stands does not matter when it takes the last word that is left; with root none, convention does the same.
    this.ahead = new BottomUpLoss(system.degree, "first", true);
  }

  bind(tree: GoldTree): void {
    this.tree = tree;
    this.ahead.bind(tree);
  }

  isPossible(): boolean {
    if (this.tree.projective) return true;
    const c = new Configuration(this.tree.length);
    this.system.initialize(c, this.tree.length);
    return this.ahead.reaches(c, NONE, false);
  }

  keeps(c: Configuration, move: Move): boolean {
    const { system } = this;
    if (move !== SHIFT) return this.isHarmless(c, move);
    for (let i = 0; i < system.moves.length; i++) {
      const arc = system.moves[i]!;
      if (arc !== SHIFT && system.permits(c, arc) && this.isHarmless(c, arc)) return this.ahead.reaches(c, NONE, true);
    }
    return true;
  }

  private isHarmless(c: Configuration, arc: Move): boolean {
    const dependent = this.system.dependent(c, arc);
    return mayGet(this.tree, this.system.head(c, arc), dependent) && isComplete(c, this.tree, dependent);
  }
}

/** LR-spines: an arc does harm if it takes a wanted node off a spine. SHIFT is left to the dynamic oracle where there is an arc. */
class LrSpinesReach implements Reach {
  private tree!: GoldTree;
  private readonly oracle: DynamicOracle;
  private readonly withRoot = new Configuration();
  private readonly arcs: Move[] = [];

  constructor(private readonly system: TransitionSystem) {
    // With root none, 0 is put after the words for the oracle, which would not see a wanted root otherwise.
    const root = system.root === "none" ? "last" : system.root;
    this.oracle = lrSpinesOracles.dynamic(new LrSpines({ root, singleRoot: true }))!;
  }

  bind(tree: GoldTree): void {
    this.tree = tree;
    this.oracle.bind(tree);
  }

  isPossible(): boolean {
    return this.tree.projective;
  }

  keeps(c: Configuration, move: Move): boolean {
    const { system, arcs } = this;
    if (move !== SHIFT) return this.isHarmless(c, move);
    const count = system.permitted(c, arcs);
    for (let i = 0; i < count; i++) {
      if (arcs[i] !== SHIFT && this.isHarmless(c, arcs[i]!)) return this.oracle.isOptimal(this.seen(c), SHIFT);
    }
    return true;
  }

  private seen(c: Configuration): Configuration {
    if (this.system.root !== "none") return c;
    const { withRoot } = this;
    withRoot.copyFrom(c);
    withRoot.buffer[withRoot.end++] = 0;
    withRoot.where[0] = IN_BUFFER;
    withRoot.rootPlace = c.length + 1;
    return withRoot;
  }

  private isHarmless(c: Configuration, arc: Move): boolean {
    const { tree, system } = this;
    const head = system.head(c, arc);
    const dependent = system.dependent(c, arc);
    const root = rootOf(tree);
    if (!mayGet(tree, head, dependent) || (head === 0 && root !== NONE && root !== dependent)) return false;
    // The spine of the dependent that turns inward, and what is below the head on its own, are closed.
    return kindOf(arc) === LEFT_ARC
      ? !this.isWanted(c, dependent, c.rightmost, false) && !this.isWanted(c, c.leftmost[head]!, c.leftmost, true)
      : !this.isWanted(c, dependent, c.leftmost, true) && !this.isWanted(c, c.rightmost[head]!, c.rightmost, false);
  }

  /** Is a node of the spine from here on down wanted by a word on that side that has no head yet? */
  private isWanted(c: Configuration, from: number, next: Int32Array, onLeft: boolean): boolean {
    const { start, dependents } = this.tree;
    for (let node = from; node !== NONE; node = next[node]!) {
      for (let i = start[node]!; i < start[node + 1]!; i++) {
        const d = dependents[i]!;
        if (d < node === onLeft && c.heads[d] === NONE) return true;
      }
    }
    return false;
  }
}
