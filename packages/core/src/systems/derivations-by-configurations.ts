import { Configuration, NONE } from "./configuration.js";
import type { GoldTree } from "./gold.js";
import type { TransitionSystem } from "./system.js";
import type { Move } from "./transition.js";
import { BETWEEN, MOST_KEYED, stackAndBuffer } from "./visited.js";

/** A configuration whose successors are being counted. */
interface Level {
  readonly c: Configuration;
  key: string;
  /** The moves that build gold arcs only, and which of them comes next. */
  readonly moves: Move[];
  count: number;
  next: number;
  /** Derivations from here, as far as known. */
  sum: bigint;
}

/**
 * Any system: the configurations that gold arcs alone lead to, each looked at once. Undefined if there are more than
 * `limit`. The way to the configuration at hand is a list, so that its length does not matter.
 */
export function countByConfigurations(system: TransitionSystem, gold: GoldTree, limit: number): bigint | undefined {
  if (gold.length > MOST_KEYED) return undefined;
  const known = new Map<string, bigint>();
  const levels: Level[] = [];
  const start = newLevel(gold.length);
  system.initialize(start.c, gold.length);
  levels.push(start);
  for (let depth = 0; ; ) {
    const level = levels[depth]!;
    let found: bigint | undefined;
    if (level.next < 0) found = enter(system, gold, level, known);
    if (found === undefined && level.next === 0 && known.size >= limit) return undefined;
    if (found === undefined && level.next < level.count) {
      const next = (levels[depth + 1] ??= newLevel(gold.length));
      next.c.copyFrom(level.c);
      next.next = -1;
      system.apply(next.c, level.moves[level.next++]!);
      depth++;
      continue;
    }
    if (found === undefined) known.set(level.key, (found = level.sum));
    if (depth === 0) return found;
    levels[--depth]!.sum += found;
  }
}

function newLevel(length: number): Level {
  return { c: new Configuration(length), key: "", moves: [], count: 0, next: -1, sum: 0n };
}

/** The number of derivations from a configuration if it is known at once; else its moves are listed. */
function enter(
  system: TransitionSystem,
  gold: GoldTree,
  level: Level,
  known: ReadonlyMap<string, bigint>,
): bigint | undefined {
  const { c, moves } = level;
  if (system.isTerminal(c)) return isGold(system, c, gold) ? 1n : 0n;
  level.key = keyOf(c);
  const before = known.get(level.key);
  if (before !== undefined) return before;
  const permitted = system.permitted(c, moves);
  level.count = 0;
  for (let i = 0; i < permitted; i++) {
    const dependent = system.dependent(c, moves[i]!);
    if (dependent === NONE || gold.has(system.head(c, moves[i]!), dependent)) moves[level.count++] = moves[i]!;
  }
  level.next = 0;
  level.sum = 0n;
  return undefined;
}

/**
 * Does a terminal configuration stand for the gold tree? Arcs out of 0 must have been built if 0 is there to build
 * them.
 */
function isGold(system: TransitionSystem, c: Configuration, gold: GoldTree): boolean {
  for (let d = 1; d <= c.length; d++) {
    if (c.heads[d] !== gold.heads[d] && !(system.root === "none" && c.heads[d] === NONE && gold.heads[d] === 0))
      return false;
  }
  return true;
}

/** Equal exactly when stack, buffer and arcs are, if all arcs are gold. */
function keyOf(c: Configuration): string {
  let key = stackAndBuffer(c) + BETWEEN;
  for (let d = 1; d <= c.length; d++) if (c.heads[d] !== NONE) key += String.fromCharCode(d);
  return key;
}
