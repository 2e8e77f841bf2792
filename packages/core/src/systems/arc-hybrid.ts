// Arc-hybrid (Kuhlmann, Gómez-Rodríguez & Satta 2011).  c = (σ, β, A)
//   SHIFT        (σ, b|β, A)     ⇒ (σ|b, β, A)
//   LEFT-ARC_l   (σ|s, b|β, A)   ⇒ (σ, b|β, A ∪ {b →l s})    s ≠ 0
//   RIGHT-ARC_l  (σ|t|s, β, A)   ⇒ (σ|t, β, A ∪ {t →l s})
// Terminal: buffer empty and one node on the stack; with the root last: stack empty and buffer [0], where 0 is not
// shifted. Bottom-up: LEFT-ARC as in arc-eager, RIGHT-ARC as in arc-standard. Builds the projective trees.

import { type Configuration, GONE, IN_BUFFER, NONE, ON_STACK } from "./configuration.js";
import { ArcHybridKnownHeads } from "./known-heads/arc-hybrid-known-heads.js";
import { ArcDecomposedOracle } from "./oracles/arc-decomposed-oracle.js";
import { GoldBound } from "./oracles/gold-bound.js";
import { stillInBuffer, waitingOnStack } from "./oracles/gold-tree.js";
import { withOneRoot } from "./oracles/one-root.js";
import { type DynamicOracle, type OracleMakers, type StaticOracle, zeroCost } from "./oracles/oracle.js";
import { FixedMovesSystem, type SystemDescription } from "./system.js";
import { LEFT_ARC, type Move, RIGHT_ARC, SHIFT } from "./transition.js";

export const arcHybrid: SystemDescription = {
  name: "arc-hybrid",
  title: "Arc-hybrid",
  reference: "Kuhlmann, Gómez-Rodríguez & Satta 2011",
  settings: [],
  create: (options) => new ArcHybrid(options),
  attachesToSpines: false,
  reordersWords: false,
  leavesHeadless: false,
  changesByMethods: true,
  leftArcFrom: "front",
  risks({ root, singleRoot }, c, move, arcs) {
    if (move !== SHIFT) {
      arcs.loseDependents(c.s(0));
      return;
    }
    // b0 leaves the place from which it could attach what waits on the stack.
    const b = c.b(0);
    arcs.loseLeftDependents(b);
    // The last word, on top of others, will be attached to one of them and not to 0.
    const isBuried = b === c.length && c.s(0) > 0;
    if (isBuried && arcs.heads[b] === 0 && (singleRoot || root !== "last")) arcs.lose(b);
  },
  knownHeads: (system) => new ArcHybridKnownHeads(system),
};

export class ArcHybrid extends FixedMovesSystem {
  readonly description: SystemDescription = arcHybrid;
  readonly moves: readonly Move[] = [LEFT_ARC, RIGHT_ARC, SHIFT];

  isTerminal(c: Configuration): boolean {
    return this.root === "last" ? c.stackSize === 0 && c.bufferSize === 1 : c.bufferSize === 0 && c.stackSize <= 1;
  }

  permits(c: Configuration, move: Move): boolean {
    switch (move) {
      case SHIFT:
        return c.b(0) > 0;
      case LEFT_ARC:
        // With one root only the last word on the stack may go to 0.
        return c.s(0) > 0 && c.bufferSize > 0 && !(this.singleRoot && c.b(0) === 0 && c.stackSize > 1);
      case RIGHT_ARC:
        // With one root, 0 waits until everything else hangs together.
        return c.stackSize > 1 && !(this.singleRoot && c.s(1) === 0 && c.bufferSize > 0);
      default:
        return false;
    }
  }

  apply(c: Configuration, move: Move, label = NONE): void {
    if (move === SHIFT) {
      c.shift();
      return;
    }
    c.addArc(this.head(c, move), c.s(0), label);
    c.remove(0);
  }

  head(c: Configuration, move: Move): number {
    return move === LEFT_ARC ? c.b(0) : move === RIGHT_ARC ? c.s(1) : NONE;
  }

  dependent(c: Configuration, move: Move): number {
    return move === SHIFT ? NONE : c.s(0);
  }
}

/** The oracles of arc-hybrid. */
export const arcHybridOracles: OracleMakers<ArcHybrid> = {
  static: (system) => new ArcHybridStaticOracle(system),
  nonDeterministic: (system) => zeroCost(system, arcHybridDynamicOracle(system)),
  dynamic: arcHybridDynamicOracle,
};

function arcHybridDynamicOracle(system: ArcHybrid): DynamicOracle {
  return withOneRoot(system, () => new ArcHybridDynamicOracle(system));
}

/** Static oracle, O(1) a step. */
class ArcHybridStaticOracle extends GoldBound<ArcHybrid> implements StaticOracle {
  next(c: Configuration): Move {
    const { heads } = this.gold;
    const s = c.s(0);
    let move = SHIFT;
    if (s > 0) {
      if (c.bufferSize > 0 && heads[s] === c.b(0)) move = LEFT_ARC;
      else if (c.stackSize > 1 && heads[s] === c.s(1) && stillInBuffer(c, this.gold, s) === 0) move = RIGHT_ARC;
    }
    return this.system.permits(c, move) ? move : NONE;
  }
}

/**
 * Dynamic oracle by arc decomposition (Goldberg & Nivre 2013): gold arcs that can be built one by one can be built
 * together, so a move costs the arcs that it puts out of reach. O(dependents of one node) a move. If the gold tree is
 * not projective, the arcs left may stand in each other's way, and the cost is the difference of two losses, O(n); so
 * it is if one root is required.
 */
class ArcHybridDynamicOracle extends ArcDecomposedOracle<ArcHybrid> {
  protected reachable(c: Configuration, h: number, d: number): boolean {
    if (c.where[d] === IN_BUFFER) return c.where[h] !== GONE;
    const below = c.stack.indexOf(d) - 1;
    // With one root, 0 takes the word at the bottom of the stack, whichever side of the words it stands on.
    if (h === 0 && this.system.singleRoot) return below < (this.system.root === "first" ? 1 : 0);
    return c.where[h] === IN_BUFFER || (below >= 0 && c.stack[below] === h);
  }

  protected arcsLost(c: Configuration, move: Move): number {
    const { heads } = this.gold;
    const s = c.s(0);
    const b = c.b(0);
    const below = c.s(1);
    switch (move) {
      case SHIFT:
        return (heads[b] !== s && c.where[heads[b]!] === ON_STACK ? 1 : 0) + waitingOnStack(c, this.gold, b);
      case LEFT_ARC: {
        const h = heads[s]!;
        const lost = h >= 0 && h !== b && (h === below || c.where[h] === IN_BUFFER);
        return (lost ? 1 : 0) + stillInBuffer(c, this.gold, s);
      }
      default:
        return (c.where[heads[s]!] === IN_BUFFER ? 1 : 0) + stillInBuffer(c, this.gold, s);
    }
  }

  protected likely(c: Configuration): Move {
    // The likely ones first. LEFT-ARC with a gold arc costs nothing, for what it puts out of reach would have to cross
    // it.
    const { heads } = this.gold;
    const s = c.s(0);
    const b = c.b(0);
    if (s > 0) {
      if (b !== NONE && heads[s] === b) return LEFT_ARC;
      if (c.stackSize > 1 && heads[s] === c.s(1) && stillInBuffer(c, this.gold, s) === 0) return RIGHT_ARC;
    }
    if (b > 0 && (heads[b] === s || c.where[heads[b]!] !== ON_STACK) && waitingOnStack(c, this.gold, b) === 0)
      return SHIFT;
    return NONE;
  }
}
