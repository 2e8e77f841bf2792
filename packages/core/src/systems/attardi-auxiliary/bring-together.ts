import { type Configuration, NONE } from "../configuration.js";
import type { Move } from "../transition.js";
import { EXTRACT, INSERT } from "./attardi-auxiliary.js";

/** How far below the top of the stack a node is, NONE if it is not on the stack. */
export function depthOf(c: Configuration, node: number): number {
  const at = c.stack.subarray(0, c.stackSize).indexOf(node);
  return at < 0 ? NONE : c.stackSize - 1 - at;
}

/**
 * The next move on the way to two nodes of the stacks next to each other on top of the stack; with NONE in place of the
 * second, to a word alone on top of what is never extracted. One is brought to the top, by EXTRACT of all down to it
 * and INSERT; then all down to the other are extracted. As many EXTRACTs at most as there are nodes.
 */
export function bringTogether(c: Configuration, one: number, other: number): Move {
  const isAside = (node: number) => node !== NONE && depthOf(c, node) === NONE;
  const top = c.s(0);
  if (top === one) return isAside(other) ? INSERT : EXTRACT;
  if (top === other) return isAside(one) ? INSERT : EXTRACT;
  return isAside(one) || isAside(other) ? INSERT : EXTRACT;
}
