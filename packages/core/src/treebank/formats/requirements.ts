import { findCycle } from "../tree.js";

/**
 * Requirements of a sentence beyond being well-formed; by default heads may be missing and several words may be
 * roots.
 */
export interface TreeRequirements {
  /** Treat a word without a head as an error. */
  requireTree?: boolean | undefined;
  /** Treat a second word with head 0 as an error. */
  singleRoot?: boolean | undefined;
  /** Accept self-loops, cycles and sentences without a root, for tools that only copy the heads. */
  allowNonTrees?: boolean | undefined;
}

/** The first word whose head keeps the heads (0 root, -1 none) from being a forest, or a tree if required. */
export function checkHeads(
  heads: Int32Array,
  require: TreeRequirements,
): { word: number; expected: string } | undefined {
  const n = heads.length - 1;
  let root = 0;
  let missing = 0;
  for (let i = 1; i <= n; i++) {
    const head = heads[i]!;
    if (head > n) return { word: i, expected: `0 to ${n}: the sentence has ${n} ${n === 1 ? "word" : "words"}` };
    if (head === i && !require.allowNonTrees) return { word: i, expected: "another word: this word is its own head" };
    if (head === 0) {
      if (root > 0 && require.singleRoot) return { word: i, expected: `a single root: word ${root} is already a root` };
      root ||= i;
    } else if (head < 0) missing ||= i;
  }
  if (missing > 0 && require.requireTree) return { word: missing, expected: `a head, 0 to ${n}` };
  if (require.allowNonTrees) return undefined;
  if (root === 0 && missing === 0) return { word: 1, expected: "a root: no word has the head 0" };
  const cycle = findCycle(heads);
  if (cycle === null) return undefined;
  const shown = cycle.length > 10 ? [...cycle.slice(0, 10), "…"] : [...cycle, cycle[0]];
  return { word: cycle[0]!, expected: `no cycle: heads ${shown.join(" → ")}` };
}
