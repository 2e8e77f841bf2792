import { ARRAY, type Expectation } from "../../checks/options.js";
import { type Configuration, NONE } from "../../systems/configuration.js";
import { GoldTree } from "../../systems/oracles/gold-tree.js";
import type { KnownHeads, TransitionSystem } from "../../systems/system.js";
import type { Move } from "../../systems/transition.js";
import { imposeHead } from "./impose-head.js";
import { checkBuildable, checkForest, smallestConflict } from "./impossible-constraints.js";

/** Constraints on the tree, as the search uses them. */
export interface Constraints {
  /**
   * Keep of the first `count` moves, which are permitted, those after which the constraints can still be met; returns
   * how many.
   */
  filter(c: Configuration, moves: Move[], count: number): number;
  /** The number of the label that a word must have; NONE if any will do, or the model does not know it. */
  labelOf(dependent: number): number;
}

/** Heads and labels that are known before parsing; index 0 is not used. */
export interface PartialTree {
  /** The head of each word, 0 for the root, NONE (-1) if any will do. */
  readonly heads: ArrayLike<number>;
  /** The label of each word, undefined if any will do. */
  readonly labels?: ArrayLike<string | undefined> | undefined;
}

/** The question to one before it is bound to a sentence. */
export const PARTIAL_TREE: Expectation = {
  expected: "heads, and labels if there are any, in arrays",
  accepts: (value) => {
    const { heads, labels } = (value ?? {}) as PartialTree;
    const isHead = (head: number, i: number) => i === 0 || Number.isSafeInteger(head);
    return ARRAY.accepts(heads) && Array.from(heads).every(isHead) && (labels === undefined || ARRAY.accepts(labels));
  },
};

/**
 * The constraints that a partial tree puts on the search of a parser, and on its result.
 *
 * A label that the model does not know, or not in the direction of its arc, is put into the result after the search.
 * Heads that the system cannot build are an error. Not so if the model was made for projectivized trees: such a model
 * builds crossing arcs by moving words once the search is over. There the longest of each set of arcs that do not go
 * together is left out of the search and put into the tree afterwards; words with a known head or label are not moved.
 */
export class TreeConstraints implements Constraints {
  private readonly known: KnownHeads;
  private readonly tree = new GoldTree();
  private readonly numbers: ReadonlyMap<string, number>;
  private partial: PartialTree = { heads: [] };
  private constrainsHeads = false;
  /** Words whose heads come into the tree after the search. */
  private late: number[] = [];

  constructor(
    private readonly system: TransitionSystem,
    labels: readonly string[],
    private readonly projectivized: boolean,
    /** The name in errors of the builder of the tree. */
    private readonly name = system.name,
  ) {
    const known = system.description.knownHeads?.(system);
    if (!known)
      throw new RangeError(
        `invalid system for known heads: ${system.name} (it does not say which moves keep known heads within reach)`,
      );
    this.known = known;
    this.numbers = new Map(labels.map((label, i) => [label, i]));
  }

  /** Take up the partial tree of a sentence of n words; throws ImpossibleConstraints if it cannot be met. */
  bind(partial: PartialTree, n: number): this {
    checkForest(partial.heads, n, this.system.buildsOneRoot);
    const heads = Int32Array.from(partial.heads);
    heads[0] = NONE;
    this.partial = partial;
    this.late = [];
    if (!this.projectivized) checkBuildable(heads, this.known, this.name);
    else {
      for (;;) {
        const conflict = smallestConflict(heads, this.known);
        if (conflict.length === 0) break;
        const longest = conflict.reduce((a, b) => (lengthOf(heads, b) > lengthOf(heads, a) ? b : a));
        heads[longest] = NONE;
        this.late.push(longest);
      }
    }
    this.constrainsHeads = heads.some((h) => h !== NONE);
    this.tree.bind(heads);
    this.known.bind(this.tree);
    return this;
  }

  /** The heads that the search has to find; NONE where any will do. */
  get wanted(): ArrayLike<number> {
    return this.tree.heads;
  }

  filter(c: Configuration, moves: Move[], count: number): number {
    if (!this.constrainsHeads || count === 1) return count;
    let kept = 0;
    for (let i = 0; i < count; i++) if (this.known.keeps(c, moves[i]!)) moves[kept++] = moves[i]!;
    if (kept === 0)
      throw new Error("no move keeps the constraints: the configuration was reached by moves that break them");
    return kept;
  }

  labelOf(dependent: number): number {
    const label = this.partial.labels?.[dependent];
    return label === undefined ? NONE : (this.numbers.get(label) ?? NONE);
  }

  /** Projectivized models: words with a known head or label are not to be moved when crossing arcs are put back. */
  holdInPlace(labels: string[]): void {
    if (!this.projectivized) return;
    const { heads, labels: known } = this.partial;
    for (let d = 1; d < labels.length; d++) {
      if (heads[d] !== NONE || known?.[d] !== undefined) labels[d] = labels[d]!.replace(/↑[^↑↓]*/, "");
    }
  }

  /** Put what the search did not know into its tree. */
  complete(heads: Int32Array, labels: string[]): void {
    for (const d of this.late) imposeHead(heads, d, this.partial.heads, this.system.buildsOneRoot);
    for (let d = 1; d < heads.length; d++) labels[d] = this.partial.labels?.[d] ?? labels[d]!;
  }
}

function lengthOf(heads: Int32Array, d: number): number {
  return heads[d] === 0 ? 0 : Math.abs(heads[d]! - d);
}
