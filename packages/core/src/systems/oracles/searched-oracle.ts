import { Configuration, NONE } from "../configuration.js";
import type { ArcsAtRisk, TransitionSystem } from "../system.js";
import type { Move } from "../transition.js";
import type { GoldTree } from "./gold-tree.js";
import type { StaticOracle } from "./oracle.js";
import { standsFor } from "./stands-for.js";

/** How many configurations are looked at before a tree counts as one that cannot be built. */
const LIMIT = 20_000;

/**
 * A static oracle for systems that come without one: it looks for a derivation of the gold tree, depth first, moves in
 * the order in which the system permits them, and follows it. Only gold arcs are built, and none is put out of reach,
 * so most systems have few ways to look at; in the worst case their number grows exponentially, and after LIMIT
 * configurations the tree counts as out of reach.
 */
export class SearchedOracle implements StaticOracle {
  private derivation = new Map<string, Move>();

  constructor(private readonly system: TransitionSystem) {}

  bind(gold: GoldTree): void {
    const { system } = this;
    this.derivation = new Map();
    const seen = new Set<string>();
    const start = new Configuration(gold.length);
    system.initialize(start, gold.length);
    const path = [{ c: start, key: keyOf(start), moves: this.goldMoves(start, gold), next: 0 }];
    while (path.length > 0 && seen.size < LIMIT) {
      const state = path[path.length - 1]!;
      if (system.isTerminal(state.c) && standsFor(system, state.c, gold)) {
        for (const { key, moves, next } of path.slice(0, -1)) this.derivation.set(key, moves[next - 1]!);
        return;
      }
      const move = state.moves[state.next++];
      if (move === undefined) {
        path.pop();
        continue;
      }
      const c = new Configuration(gold.length);
      c.copyFrom(state.c);
      system.apply(c, move);
      const key = keyOf(c);
      if (seen.has(key)) continue;
      seen.add(key);
      path.push({ c, key, moves: this.goldMoves(c, gold), next: 0 });
    }
  }

  next(c: Configuration): Move {
    return this.derivation.get(keyOf(c)) ?? NONE;
  }

  /** The permitted moves that build a gold arc or none. */
  private goldMoves(c: Configuration, gold: GoldTree): Move[] {
    const { system } = this;
    if (system.isTerminal(c)) return [];
    const moves: Move[] = [];
    moves.length = system.permitted(c, moves);
    return moves.filter((move) => keepsArcs(system, c, move, gold));
  }
}

/**
 * Whether a move puts no arc of a tree, in which words may be free, out of reach as far as the description of the
 * system tells.
 */
export function keepsArcs(system: TransitionSystem, c: Configuration, move: Move, tree: GoldTree): boolean {
  const dependent = system.dependent(c, move);
  if (dependent !== NONE && tree.heads[dependent] !== NONE && !tree.has(system.head(c, move), dependent)) return false;
  let keeps = true;
  forArcsLost(system, c, move, tree, () => {
    keeps = false;
  });
  return keeps;
}

/**
 * Names the words whose arcs a move puts out of reach, as far as the description of the system tells, besides the one
 * that it attaches; some of them more than once.
 */
export function forArcsLost(
  system: TransitionSystem,
  c: Configuration,
  move: Move,
  tree: GoldTree,
  lose: (word: number) => void,
): void {
  const loseAny = (head: number, from: number, to: number, except = NONE) => {
    for (let i = tree.start[head]!; i < tree.start[head + 1]!; i++) {
      const d = tree.dependents[i]!;
      if (d > from && d < to && d !== except && c.heads[d] === NONE) lose(d);
    }
  };
  const arcs: ArcsAtRisk = {
    heads: tree.heads,
    lose(word) {
      if (tree.heads[word] !== NONE) lose(word);
    },
    loseDependents: (head, except) => loseAny(head, 0, c.length + 1, except),
    loseLeftDependents: (head, except) => loseAny(head, 0, head, except),
    loseRightDependents: (head, except) => loseAny(head, head, c.length + 1, except),
  };
  system.description.risks(system, c, move, arcs);
}

/** Equal exactly when the configurations are, but for labels. */
export function keyOf(c: Configuration): string {
  const parts = [
    c.stack.subarray(0, c.stackSize),
    c.buffer.subarray(c.front, c.end),
    c.heads.subarray(1, c.length + 1),
  ];
  for (const extra of c.extra) parts.push(extra.subarray(0, c.length + 1));
  return parts.map((part) => part.join()).join(";");
}
