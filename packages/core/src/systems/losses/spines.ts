// Questions about the trees on the stack of LR-spines and their spines. O(length of the spines and gold dependents of
// their nodes).

import { type Configuration, GONE, IN_BUFFER, NONE, ON_STACK } from "../configuration.js";
import type { GoldTree } from "../oracles/gold-tree.js";

/** The spine of the tree with this root, from the root down; `next` is c.leftmost or c.rightmost. */
export function spine(root: number, next: Int32Array): number[] {
  const nodes: number[] = [];
  for (let node = root; node !== NONE; node = next[node]!) nodes.push(node);
  return nodes;
}

/**
 * Can the root of a tree on the stack, or a word in the buffer, still get the head h? It must be to come, or on the
 * spine of a tree on the stack that faces the root.
 */
export function canStillGet(c: Configuration, root: number, h: number): boolean {
  if (h < 0) return false;
  if (c.where[h] === IN_BUFFER) return true;
  const next = (h || c.rootPlace) < root ? c.rightmost : c.leftmost;
  let node = h;
  while (c.heads[node] !== NONE) {
    if (next[c.heads[node]!] !== node) return false;
    node = c.heads[node]!;
  }
  return c.where[node] === ON_STACK;
}

/** Is a node of the left spine of a tree on the stack the gold head of another root on the stack? */
export function wantedFromLeft(c: Configuration, gold: GoldTree, root: number): boolean {
  for (let node = root; node !== NONE; node = c.leftmost[node]!) {
    const place = node || c.rootPlace;
    for (let i = gold.start[node]!; i < gold.start[node + 1]!; i++) {
      const d = gold.dependents[i]!;
      if (d > place) break;
      if (c.where[d] === ON_STACK) return true;
    }
  }
  return false;
}

/**
 * Is a node of the right spine of a tree on the stack the gold head of another root on the stack or of a word in the
 * buffer?
 */
export function wantedFromRight(c: Configuration, gold: GoldTree, root: number): boolean {
  for (let node = root; node !== NONE; node = c.rightmost[node]!) {
    const place = node || c.rootPlace;
    for (let i = gold.start[node + 1]! - 1; i >= gold.start[node]!; i--) {
      const d = gold.dependents[i]!;
      if (d < place) break;
      if (c.where[d] !== GONE) return true;
    }
  }
  return false;
}

/** Does some word that has no head yet want 0? */
export function rootIsWanted(c: Configuration, gold: GoldTree): boolean {
  for (let i = gold.start[0]!; i < gold.start[1]!; i++) if (c.heads[gold.dependents[i]!] === NONE) return true;
  return false;
}
