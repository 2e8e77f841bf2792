import { Configuration, NONE } from "../configuration.js";
import { BETWEEN, MOST_KEYED, nodeKey, stackAndBuffer } from "../losses/visited.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import { standsFor } from "../oracles/stands-for.js";
import type { TransitionSystem } from "../system.js";
import type { Move } from "../transition.js";

/** A configuration on the way to the one at hand. */
interface Level {
  readonly key: string;
  /** The moves that build gold arcs only; those before `next` have been taken. */
  readonly moves: Move[];
  next: number;
  /** Derivations from here, as far as known. */
  sum: bigint;
}

/**
 * Any system: the configurations that gold arcs alone lead to, each looked at once. Undefined if there are more than
 * `limit`. The way to the configuration at hand is a list of moves, so that a long way takes neither stack nor memory;
 * after a step back it is gone again from the beginning.
 */
export function countByConfigurations(system: TransitionSystem, gold: GoldTree, limit: number): bigint | undefined {
  if (gold.length > MOST_KEYED) return undefined;
  const known = new Map<string, bigint>();
  const way: Level[] = [];
  const c = new Configuration(gold.length);
  system.initialize(c, gold.length);
  for (;;) {
    // c is where the way leads. Nothing is found as long as it leads somewhere new that goes on.
    let found: bigint | undefined;
    if (system.isTerminal(c)) found = standsFor(system, c, gold) ? 1n : 0n;
    else {
      const key = keyOf(c);
      found = known.get(key);
      if (found === undefined) {
        if (known.size + way.length >= limit) return undefined;
        way.push({ key, moves: goldMoves(system, gold, c), next: 0, sum: 0n });
      }
    }
    let level = way.at(-1);
    if (found !== undefined && level) level.sum += found;
    while (level && level.next === level.moves.length) {
      way.pop();
      found = level.sum;
      known.set(level.key, found);
      level = way.at(-1);
      if (level) level.sum += found;
    }
    if (!level) return found;
    if (found !== undefined) {
      system.initialize(c, gold.length);
      for (let i = 0; i + 1 < way.length; i++) system.apply(c, way[i]!.moves[way[i]!.next - 1]!);
    }
    system.apply(c, level.moves[level.next++]!);
  }
}

/** The permitted moves that build gold arcs or none. */
function goldMoves(system: TransitionSystem, gold: GoldTree, c: Configuration): Move[] {
  const moves: Move[] = [];
  const permitted = system.permitted(c, moves);
  return moves.slice(0, permitted).filter((move) => {
    const dependent = system.dependent(c, move);
    if (dependent !== NONE) return gold.has(system.head(c, move), dependent);
    return !system.description.leftOut || leavesOutGold(system, gold, c, move);
  });
}

/** Are the words that are left out after a move left out in the gold tree, for the same reasons? */
function leavesOutGold(system: TransitionSystem, gold: GoldTree, c: Configuration, move: Move): boolean {
  const after = new Configuration(c.length);
  after.copyFrom(c);
  system.apply(after, move);
  const leftOut = system.description.leftOut!(after);
  for (let d = 1; d <= c.length; d++) if (leftOut[d]! > 0 && gold.leftOut?.[d] !== leftOut[d]) return false;
  return true;
}

/** Equal only when stack, buffer, arcs and what a system keeps besides are, if all arcs are gold. */
function keyOf(c: Configuration): string {
  let key = stackAndBuffer(c) + BETWEEN;
  for (let d = 1; d <= c.length; d++) if (c.heads[d] !== NONE) key += String.fromCharCode(d);
  for (const extra of c.extra) key += BETWEEN + nodeKey(extra, 0, c.length + 1);
  return key;
}
