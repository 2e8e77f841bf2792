// Trees in the order of their scores. Projective ones: the derivations of Eisner's algorithm, each tree having one,
// lazily (Huang & Chiang 2005, algorithm 3). All trees: the trees are divided by their first difference from one that
// was found, and the best of each part is found by Chu-Liu/Edmonds (Lawler 1972; Camerini, Fratta & Maffioli 1980).
import { type ArcScores, edmonds } from "../../math/edmonds.js";
import type { Eisner, HalfTree, SiblingScore } from "./eisner.js";

/** A tree with the sum of its scores. */
export interface RankedTree {
  readonly heads: Int32Array;
  readonly score: number;
}

/** A way to make a half tree: of two others, which are at their n-th best. */
interface Derivation {
  readonly score: number;
  readonly way: HalfTree;
  readonly first: number;
  readonly second: number;
}

/** The derivations of a half tree: those that were asked for, and those that may come next. */
interface Ranking {
  readonly found: Derivation[];
  readonly next: Derivation[];
}

/** The projective trees over n words, best first. */
export function* projectiveTrees(
  eisner: Eisner,
  n: number,
  scores: ArcScores,
  singleRoot: boolean,
  sibling?: SiblingScore,
): Generator<RankedTree, void, void> {
  eisner.parse(n, scores, singleRoot, sibling);
  const rankings = new Map<number, Ranking>();

  /** The derivation of this rank, from 0; undefined if there are not so many. */
  const derivationOf = (part: number, rank: number): Derivation | undefined => {
    let ranking = rankings.get(part);
    if (!ranking) {
      const ways = eisner.ways(part, scores, singleRoot, sibling);
      ranking = { found: [], next: ways.map((way) => ({ score: way.score, way, first: 0, second: 0 })) };
      rankings.set(part, ranking);
    }
    const { found, next } = ranking;
    while (found.length <= rank) {
      const last = found.at(-1);
      if (last) {
        // Every pair of ranks has one predecessor: the second rank goes up first.
        const { way, first, second } = last;
        add(next, way, first, second + 1);
        if (second === 0) add(next, way, first + 1, 0);
      }
      if (next.length === 0) return undefined;
      let best = 0;
      for (let k = 1; k < next.length; k++) if (next[k]!.score > next[best]!.score) best = k;
      found.push(...next.splice(best, 1));
    }
    return found[rank];
  };

  const add = (next: Derivation[], way: HalfTree, first: number, second: number) => {
    const left = scoreOf(way.first, first);
    const right = scoreOf(way.second, second);
    if (left !== undefined && right !== undefined) next.push({ score: way.own + left + right, way, first, second });
  };
  /** A part without words has one derivation. */
  const scoreOf = (part: number, rank: number) =>
    part < 0 ? (rank === 0 ? 0 : undefined) : derivationOf(part, rank)?.score;

  for (let rank = 0; ; rank++) {
    const tree = derivationOf(eisner.whole, rank);
    if (!tree) return;
    const heads = new Int32Array(n + 1).fill(-1);
    const todo = [tree];
    while (todo.length > 0) {
      const { way, first, second } = todo.pop()!;
      if (way.dependent > 0) heads[way.dependent] = way.head;
      if (way.first >= 0) todo.push(derivationOf(way.first, first)!);
      if (way.second >= 0) todo.push(derivationOf(way.second, second)!);
    }
    yield { heads, score: tree.score };
  }
}

/** A set of trees by their first words: the best of them, and how many of the first heads are given. */
interface Part extends RankedTree {
  readonly given: number;
  /** Heads that the word after the given ones does not have. */
  readonly excluded: readonly number[];
}

/** All trees over n words, best first. */
export function* allTrees(
  n: number,
  scores: ArcScores,
  singleRoot: boolean,
  penalty: number,
): Generator<RankedTree, void, void> {
  const w = n + 1;
  const bestOf = (heads: ArrayLike<number>, given: number, excluded: readonly number[]): Part | undefined => {
    const own = scores.slice(0, w * w);
    for (let d = 1; d <= given; d++) {
      for (let h = 0; h <= n; h++) if (h !== d && h !== heads[d]) own[h * w + d]! -= penalty;
    }
    for (const h of excluded) own[h * w + given + 1]! -= penalty;
    const tree = edmonds(n, own, singleRoot);
    for (let d = 1; d <= given; d++) if (tree[d] !== heads[d]) return undefined;
    if (excluded.includes(tree[given + 1]!)) return undefined;
    let score = 0;
    for (let d = 1; d <= n; d++) score += scores[tree[d]! * w + d]!;
    return { heads: tree, score, given, excluded };
  };
  const parts = [bestOf([], 0, [])!];
  while (parts.length > 0) {
    let best = 0;
    for (let k = 1; k < parts.length; k++) if (parts[k]!.score > parts[best]!.score) best = k;
    const [part] = parts.splice(best, 1) as [Part];
    yield part;
    for (let given = part.given; given < n; given++) {
      const head = part.heads[given + 1]!;
      const other = bestOf(part.heads, given, given === part.given ? [...part.excluded, head] : [head]);
      if (other) parts.push(other);
    }
  }
}
