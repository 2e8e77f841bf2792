import type { Configuration } from "../configuration.js";
import type { FixedMovesSystem, TransitionSystem } from "../system.js";
import type { Move } from "../transition.js";
import type { GoldTree } from "./gold-tree.js";

/** The kinds of oracles, which determine what is correct in training. */
export const ORACLES = ["static", "non-deterministic", "dynamic"] as const;

/** One of `ORACLES`. */
export type OracleName = (typeof ORACLES)[number];

/** Follows one canonical derivation; defined on the configurations of that derivation. */
export interface StaticOracle {
  /**
   * Take over a tree.
   * @param gold the gold tree
   */
  bind(gold: GoldTree): void;
  /**
   * The next move of the canonical derivation, -1 if the gold tree cannot be reached.
   * @param c the configuration
   */
  next(c: Configuration): Move;
}

/** Knows all derivations of the gold tree; defined on configurations from which the gold tree can be reached. */
export interface NonDeterministicOracle {
  /**
   * Take over a tree.
   * @param gold the gold tree
   */
  bind(gold: GoldTree): void;
  /**
   * Write the moves that keep the gold tree reachable into `out` and return how many there are.
   * @param c the configuration
   * @param out where the result is written
   */
  correct(c: Configuration, out: Move[]): number;
}

/** Knows what every configuration can still reach; defined on all reachable configurations. */
export interface DynamicOracle {
  /**
   * Take over a tree.
   * @param gold the gold tree
   */
  bind(gold: GoldTree): void;
  /**
   * Is the answer given last exact? If not, a limit was reached: a loss is an upper bound then, and a cost the
   * difference of two numbers of which one at least is a bound; a move called optimal may not be.
   */
  readonly exact: boolean;
  /**
   * Number of gold arcs that are neither built nor can all be built together by any continuation.
   * @param c the configuration
   */
  loss(c: Configuration): number;
  /**
   * Loss after a permitted move minus loss before it.
   * @param c the configuration
   * @param move the transition
   */
  cost(c: Configuration, move: Move): number;
  /**
   * Whether a permitted move costs nothing, which is often cheaper to find out than its cost.
   * @param c the configuration
   * @param move the transition
   */
  isOptimal(c: Configuration, move: Move): boolean;
  /**
   * Some permitted move of least cost in a configuration that is not terminal.
   * @param c the configuration
   */
  optimal(c: Configuration): Move;
  /**
   * Where moves that cost nothing may lead nowhere: whether a permitted move costs nothing and leads on. What training
   * takes for correct, in place of `isOptimal`.
   * @param c the configuration
   * @param move the transition
   */
  leadsOn?(c: Configuration, move: Move): boolean;
}

/** Bounds of the loss, defined on all reachable configurations: where they are the same, the loss is known. */
export interface LossBounds {
  /**
   * Take over a tree.
   * @param gold the gold tree
   */
  bind(gold: GoldTree): void;
  /**
   * Find the bounds of a configuration.
   * @param c the configuration
   */
  find(c: Configuration): void;
  /** The loss is no less than this. */
  readonly least: number;
  /** The loss is no more than this. */
  readonly most: number;
  /** The move with which the way begins that loses `most`; -1 where words are left for 0 alone. */
  readonly first: Move;
}

/**
 * Makes the oracles of a system: undefined where none is known. Kept apart from the systems, so that a parser that
 * ships does not bring along what only training needs. Dynamic oracles deal exactly with trees that the system cannot
 * build up to `exactWords` words (in arc-eager and arc-hybrid always).
 */
export interface OracleMakers<System> {
  /** The canonical derivation: arcs first, nearest first, SHIFT last. */
  static(system: System): StaticOracle;
  /** All transitions that keep the gold tree reachable. */
  nonDeterministic(system: System): NonDeterministicOracle | undefined;
  /** Loss and costs in any configuration. */
  dynamic(system: System, exactWords?: number): DynamicOracle | undefined;
  /** Where the loss can only be searched for: quick bounds of it, which often make the search unnecessary. */
  bounds?(system: System): LossBounds;
  /** Where there is no dynamic oracle: one to train with, whose losses may be too high (`exact`). */
  approximate?(system: System): DynamicOracle | undefined;
}

/**
 * The non-deterministic oracle that a dynamic one contains: on the way to the gold tree, the correct moves cost 0 and
 * lead on.
 */
export function zeroCost(system: TransitionSystem, dynamic: DynamicOracle): NonDeterministicOracle {
  const moves: Move[] = [];
  return {
    bind: (gold) => dynamic.bind(gold),
    correct(c, out) {
      let count = 0;
      const permitted = system.permitted(c, moves);
      for (let i = 0; i < permitted; i++) {
        const move = moves[i]!;
        if (dynamic.leadsOn?.(c, move) ?? dynamic.cost(c, move) === 0) out[count++] = move;
      }
      return count;
    },
  };
}

/**
 * The first of the permitted moves that costs least; cheap where costs are, because a move of cost 0 ends the search.
 */
export function leastCost(system: FixedMovesSystem, oracle: DynamicOracle, c: Configuration): Move {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < system.moves.length; i++) {
    const move = system.moves[i]!;
    if (!system.permits(c, move)) continue;
    const cost = oracle.cost(c, move);
    if (cost === 0) return move;
    if (cost < least) {
      least = cost;
      best = move;
    }
  }
  return best;
}
