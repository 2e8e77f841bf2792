import type { Configuration } from "../configuration.js";

/** Sentences of up to so many words have keys: a character for each node, and one that is none. */
export const MOST_KEYED = 0xfffe;

/** A character that stands for no node. */
export const BETWEEN = "\uffff";

/** How many characters are made at once: a call takes only so many arguments. */
const BLOCK = 8192;

/** A string that is the same for the same nodes. */
export function nodeKey(nodes: Int32Array, from: number, to: number): string {
  let key = "";
  for (let i = from; i < to; i += BLOCK) key += String.fromCharCode(...nodes.subarray(i, Math.min(to, i + BLOCK)));
  return key;
}

/** A string that is the same for configurations with the same stack and buffer. */
export function stackAndBuffer(c: Configuration): string {
  return nodeKey(c.stack, 0, c.stackSize) + BETWEEN + nodeKey(c.buffer, c.front, c.end);
}

/** How many states a search may look at before it is worth keeping track of them: most searches end sooner. */
const SMALL = 32;

/**
 * The states that a search has looked at. The first few are not kept, so that a small search pays nothing for the large
 * ones.
 */
export class Visited {
  private count = 0;
  private keys: Set<string> | undefined;

  /** Was this state here before? (Not known of the first few.) */
  has(state: Int32Array): boolean {
    if (++this.count <= SMALL) return false;
    this.keys ??= new Set();
    const key = nodeKey(state, 0, state.length);
    if (this.keys.has(key)) return true;
    this.keys.add(key);
    return false;
  }
}
