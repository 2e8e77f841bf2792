// Walks a fast system and the brute force side by side, so that tests see the same configuration in both.

import { createSystem } from "../../src/registry/systems.js";
import { Configuration } from "../../src/systems/configuration.js";
import { spine } from "../../src/systems/losses/spines.js";
import { LrSpines } from "../../src/systems/lr-spines.js";
import type { TransitionSystem } from "../../src/systems/system.js";
import * as brute from "./brute-force.js";

export interface Pair {
  state: brute.State;
  c: Configuration;
}

export function systemOf(options: brute.Options): TransitionSystem {
  const { system, ...settings } = options;
  return createSystem(system, settings);
}

/** The fast configuration in the terms of the brute force. */
export function stateOf(system: TransitionSystem, c: Configuration): brute.State {
  const stack = Array.from(c.stack.subarray(0, c.stackSize));
  return {
    stack:
      system instanceof LrSpines
        ? stack.map((root) => ({ left: spine(root, c.leftmost), right: spine(root, c.rightmost) }))
        : stack,
    buffer: Array.from(c.buffer.subarray(c.front, c.end)),
    heads: Array.from(c.heads.subarray(0, c.length + 1)),
    ...secondList(system, c),
  };
}

/** The list that some systems have besides the stack. */
function secondList(system: TransitionSystem, c: Configuration): Pick<brute.State, "second" | "switched"> {
  const [second] = Object.values(system.description.lists?.(c) ?? {});
  const switching = system.moveOf("SWITCH");
  const switched = !system.isTerminal(c) && !system.permits(c, switching);
  return { ...(second ? { second } : {}), ...(switching < 0 ? {} : { switched }) };
}

/** The configuration after one more transition; `next` becomes it, if one is given. */
export function step(
  system: TransitionSystem,
  c: Configuration,
  name: string,
  next = new Configuration(c.length),
): Configuration {
  next.copyFrom(c);
  system.apply(next, system.moveOf(name));
  return next;
}

/** Every reachable configuration for n words, in both forms. */
export function* reachablePairs(options: brute.Options, n: number): Generator<Pair> {
  const system = systemOf(options);
  const c = new Configuration(n);
  system.initialize(c, n);
  // By short ways: a derivation may have only so many EXTRACTs.
  const agenda: Pair[] = [{ state: brute.initial(options, n), c }];
  const seen = new Set([brute.key(agenda[0]!.state)]);
  for (const pair of agenda) {
    yield pair;
    for (const [name, state] of brute.successors(options, pair.state)) {
      const key = brute.key(state);
      if (seen.has(key)) continue;
      seen.add(key);
      agenda.push({ state, c: step(system, pair.c, name) });
    }
  }
}

/** The names of the permitted moves, sorted. */
export function permittedNames(system: TransitionSystem, c: Configuration): string[] {
  const moves: number[] = [];
  const count = system.permitted(c, moves);
  return moves
    .slice(0, count)
    .map((move) => system.nameOf(move))
    .sort();
}
