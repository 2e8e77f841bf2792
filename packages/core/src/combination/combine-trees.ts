// Voting and re-parsing (Sagae & Lavie 2006): every tree votes for its arcs, and of all trees that are made of arcs
// with votes, the one with most of them wins. The votes for single words need not make a tree; the maximum spanning
// tree over them does.
import { check, checkOptions } from "../checks/options.js";
import { arrayOf, holding, NUMBERS } from "../checks/shapes.js";
import { edmonds } from "../math/edmonds.js";
import type { ParsedTree } from "../treebank/sentence/parsed-tree.js";

/** A tree that votes: heads and labels from index 1. A `Sentence`'s tree, or what a parser gives, is one. */
export interface VotingTree {
  /** The head of each word, 0 for the root; index 0 is unused. */
  readonly heads: ArrayLike<number>;
  /** The label of each word; index 0 is unused. */
  readonly labels: ArrayLike<string>;
}

/** Options of `combineTrees`. */
export interface VotingOptions {
  /** How much the vote of each tree counts, above 0; 1 by default. */
  weights?: readonly number[] | undefined;
}

/** The tree that was voted for. */
export interface VotedTree extends ParsedTree {
  /** The share of the votes, from 0 to 1, that each word's head and label have together. */
  shares: Float64Array;
}

const TREES = arrayOf("an array of trees with heads and labels", holding("", "heads", "labels"));

/**
 * The tree that most of some trees over the same words agree with: the maximum spanning tree over the arcs that they
 * have, each as heavy as the trees that have it. A word's label is then the one with most votes among the trees that
 * give it this head. It has one root if one of the trees has. Where votes are equal, those of earlier trees count more,
 * so that two trees of the same weight give the first one. O(n²) for each cycle among the heads with most votes.
 *
 * @example
 * ```ts
 * import { combineTrees } from "@stemma/core/combination";
 *
 * const tree = (heads: number[], labels: string[]) => ({ heads: [-1, ...heads], labels: ["", ...labels] });
 * const { heads, labels, shares } = combineTrees([
 *   tree([2, 0, 2], ["nsubj", "root", "obj"]),
 *   tree([2, 0, 2], ["nsubj", "root", "iobj"]),
 *   tree([3, 3, 0], ["det", "amod", "root"]),
 * ]);
 * console.log([...heads.slice(1)], labels.slice(1)); // [ 2, 0, 2 ] [ 'nsubj', 'root', 'obj' ]
 * console.log(shares[2]!.toFixed(2), shares[3]!.toFixed(2)); // 0.67 0.33
 * ```
 *
 * @param trees at least one; all have the same number of words
 * @param options how much each counts
 */
export function combineTrees(trees: readonly VotingTree[], options: VotingOptions = {}): VotedTree {
  check("trees", trees, TREES);
  checkOptions("combineTrees", options, { weights: NUMBERS });
  const weights = checkedWeights(options.weights, trees.length);
  const n = trees[0]!.heads.length - 1;
  trees.forEach((tree, t) => {
    checkTree(tree, n, t + 1);
  });
  const heads = n === 0 ? Int32Array.of(-1) : edmonds(n, votesOf(trees, weights, n), trees.some(hasOneRoot));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const labels = new Array<string>(n + 1).fill("");
  const shares = new Float64Array(n + 1);
  for (let d = 1; d <= n; d++) {
    const votes = new Map<string, number>();
    trees.forEach(({ heads: own, labels: named }, t) => {
      if (own[d] === heads[d]) votes.set(named[d]!, (votes.get(named[d]!) ?? 0) + weights[t]!);
    });
    for (const [label, count] of votes) {
      if (count / total <= shares[d]!) continue;
      labels[d] = label;
      shares[d] = count / total;
    }
  }
  return { heads, labels, shares };
}

/** The weights, of which there are as many as trees, or models. */
export function checkedWeights(weights: readonly number[] | undefined, count: number, what = "tree"): number[] {
  if (count === 0) throw new RangeError(`invalid ${what}s: none (expected at least one)`);
  const all = weights ?? new Array<number>(count).fill(1);
  if (all.length !== count || !all.every((weight) => weight > 0))
    throw new RangeError(`invalid weights: ${all.join(", ")} (expected ${count} above 0, one for each ${what})`);
  return [...all];
}

/**
 * The votes for every arc. Arcs without any cost more than all votes together: since the trees are trees, none is ever
 * needed. What earlier trees get besides is in all less than half a vote.
 */
function votesOf(trees: readonly VotingTree[], weights: readonly number[], n: number): Float64Array {
  const w = n + 1;
  const out = -w * weights.reduce((sum, weight) => sum + 2 * weight, 0);
  const least = Math.min(...weights);
  const votes = new Float64Array(w * w).fill(out);
  trees.forEach(({ heads }, t) => {
    const vote = weights[t]! + (least * (trees.length - t)) / (2 * w * trees.length * trees.length);
    for (let d = 1; d <= n; d++) {
      const arc = heads[d]! * w + d;
      votes[arc] = vote + (votes[arc] === out ? 0 : votes[arc]!);
    }
  });
  return votes;
}

function hasOneRoot({ heads }: VotingTree): boolean {
  let roots = 0;
  for (let d = 1; d < heads.length; d++) if (heads[d] === 0) roots++;
  return roots === 1;
}

/** Throws a RangeError unless it is a tree over n words. */
function checkTree({ heads, labels }: VotingTree, n: number, number: number): void {
  if (heads.length !== n + 1 || labels.length !== n + 1)
    throw new RangeError(
      `invalid tree ${number}: ${heads.length - 1} heads and ${labels.length - 1} labels (expected ${n}, as tree 1 has)`,
    );
  // 1: on the way from the word that is looked at, 2: leads to the root.
  const state = new Int8Array(n + 1);
  state[0] = 2;
  for (let d = 1; d <= n; d++) {
    let node = d;
    while (state[node] === 0) {
      state[node] = 1;
      node = heads[node]!;
    }
    if (state[node] !== 2)
      throw new RangeError(`invalid tree ${number}: the heads of word ${d} do not lead to the root (expected a tree)`);
    for (node = d; state[node] === 1; node = heads[node]!) state[node] = 2;
  }
}
