import { NONE } from "../../systems/configuration.js";
import { GoldTree } from "../../systems/oracles/gold-tree.js";
import type { KnownHeads } from "../../systems/system.js";
import { findCycle } from "../../treebank/tree.js";

/** Heads are required that no tree of the parser has together. */
export class ImpossibleConstraints extends RangeError {
  /** The word at fault, the last one where several are, and the head that it must have. */
  readonly word: number;
  /** The head that it must have. */
  readonly head: number;
  /** The heads that it can have, in words. */
  readonly expected: string;
  /** All words whose heads do not go together. */
  readonly words: readonly number[];

  /**
   * @param words the words whose heads do not go together, the one at fault last
   * @param head the head that it must have
   * @param expected the heads that it can have, in words
   */
  constructor(words: readonly number[], head: number, expected: string) {
    const word = words[words.length - 1]!;
    super(`invalid head of word ${word}: ${head} (expected ${expected})`);
    this.name = "ImpossibleConstraints";
    this.word = word;
    this.head = head;
    this.expected = expected;
    this.words = words;
  }
}

/** Throws if no tree over n words has these heads (index 0 is ignored, NONE is open), with one root if requested. */
export function checkForest(heads: ArrayLike<number>, n: number, oneRoot = true): void {
  if (heads.length !== n + 1) {
    throw new RangeError(`invalid number of heads: ${heads.length} (expected ${n + 1}: the sentence has ${n} words)`);
  }
  let root = NONE;
  for (let d = 1; d <= n; d++) {
    const h = heads[d]!;
    if (!(Number.isInteger(h) && h >= NONE && h <= n)) {
      throw new ImpossibleConstraints([d], h, `0 to ${n}: the sentence has ${n} ${n === 1 ? "word" : "words"}`);
    }
    if (h === d) throw new ImpossibleConstraints([d], h, "another word: this word is its own head");
    if (h !== 0 || !oneRoot) continue;
    if (root !== NONE) throw new ImpossibleConstraints([root, d], 0, `one root: word ${root} is already a root`);
    root = d;
  }
  const cycle = findCycle(Int32Array.from(heads));
  if (cycle === null) return;
  const shown = cycle.length > 10 ? [...cycle.slice(0, 10), "…"] : [...cycle, cycle[0]];
  throw new ImpossibleConstraints([...cycle].reverse(), heads[cycle[0]!]!, `no cycle: heads ${shown.join(" → ")}`);
}

/**
 * Words whose heads a system cannot build together, and without any of them it could, in sentence order; none if it can
 * build all heads. Leaves another tree bound to `reach`. O(n) if it can, else O(n²).
 */
export function smallestConflict(heads: ArrayLike<number>, known: KnownHeads): number[] {
  const kept = Int32Array.from(heads);
  const isPossible = () => {
    known.bind(new GoldTree(kept));
    return known.isPossible();
  };
  if (isPossible()) return [];
  const words: number[] = [];
  for (let d = 1; d < kept.length; d++) {
    const h = kept[d]!;
    if (h === NONE) continue;
    kept[d] = NONE;
    if (!isPossible()) continue;
    kept[d] = h;
    words.push(d);
  }
  return words;
}

/** Throws if a system cannot build the heads together. */
export function checkBuildable(heads: ArrayLike<number>, known: KnownHeads, system: string): void {
  const words = smallestConflict(heads, known);
  if (words.length === 0) return;
  const word = words[words.length - 1]!;
  const others = words.slice(0, -1).map((d) => `word ${d} has head ${heads[d]}`);
  const which = others.length === 1 ? "either" : "one";
  throw new ImpossibleConstraints(
    words,
    heads[word]!,
    `a head that fits: ${others.join(", ")}, the arcs cross, and ${system} cannot build that; free ${which} of them, or use a model that builds crossing arcs`,
  );
}
