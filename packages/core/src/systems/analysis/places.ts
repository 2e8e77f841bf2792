import { NONE, type RootPosition } from "../configuration.js";
import type { GoldTree } from "../oracles/gold-tree.js";

/** The heads with nodes numbered by their places from 0: 0 before the words, after them, or left out. */
export function headsByPlace(gold: GoldTree, root: RootPosition): Int32Array {
  const n = gold.length;
  const before = root === "first" ? 0 : 1;
  const heads = new Int32Array(root === "none" ? n : n + 1).fill(NONE);
  const zero = root === "first" ? 0 : root === "last" ? n : NONE;
  for (let d = 1; d <= n; d++) heads[d - before] = gold.heads[d] === 0 ? zero : gold.heads[d]! - before;
  return heads;
}
