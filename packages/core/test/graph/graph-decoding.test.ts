import { describe, expect, test } from "vitest";
import { projectiveTrees, allTrees as rankedTrees } from "../../src/graph/search/best-trees.js";
import { Eisner, type SiblingScore } from "../../src/graph/search/eisner.js";
import { edmonds } from "../../src/math/edmonds.js";
import { Random } from "../../src/math/random.js";
import { isProjective, isTree } from "../../src/treebank/tree.js";

/** All trees over n words. */
function* allTrees(n: number): Generator<number[]> {
  const heads = [-1, ...new Array<number>(n).fill(0)];
  for (;;) {
    if (isTree(heads)) yield [...heads];
    let d = 1;
    while (d <= n && heads[d] === n) heads[d++] = 0;
    if (d > n) return;
    heads[d]!++;
  }
}

const TREES = Array.from({ length: 7 }, (_, n) => (n === 0 ? [] : [...allTrees(n)]));

function siblingTotal(heads: readonly number[], sibling: SiblingScore): number {
  let total = 0;
  for (let h = 0; h < heads.length; h++) {
    for (const side of [-1, 1]) {
      let before = h;
      for (let d = h + side; d >= 1 && d < heads.length; d += side) {
        if (heads[d] !== h) continue;
        total += sibling(h, before, d);
        before = d;
      }
    }
  }
  return total;
}

function bruteForce(n: number, scores: Float64Array, projective: boolean, oneRoot: boolean, sibling?: SiblingScore) {
  let best = Number.NEGATIVE_INFINITY;
  for (const heads of TREES[n]!) {
    if (oneRoot && heads.filter((head, d) => d > 0 && head === 0).length !== 1) continue;
    if (projective && !isProjective(heads)) continue;
    const total = scoreOf(heads, n, scores) + (sibling ? siblingTotal(heads, sibling) : 0);
    if (total > best) best = total;
  }
  return best;
}

function scoreOf(heads: ArrayLike<number>, n: number, scores: Float64Array): number {
  let total = 0;
  for (let d = 1; d <= n; d++) total += scores[heads[d]! * (n + 1) + d]!;
  return total;
}

// Few different whole scores: sums are exact, and ties are frequent.
const randomScores = (n: number, random: Random, range: number) =>
  Float64Array.from({ length: (n + 1) ** 2 }, () => Math.floor(range * random.next()) - range / 2);

describe.each([true, false])("one root: %s", (oneRoot) => {
  const random = new Random(7);
  const eisner = new Eisner();
  const sizes = [1, 2, 3, 4, 5, 5, 6];
  const rootCount = (heads: ArrayLike<number>) => Array.from(heads).filter((head, d) => d > 0 && head === 0).length;

  test("Eisner: the best projective tree, with and without siblings", () => {
    for (let run = 0; run < 140; run++) {
      const n = sizes[run % sizes.length]!;
      const scores = randomScores(n, random, run % 2 ? 8 : 1000);
      const table = randomScores(11, random, 30);
      const sibling: SiblingScore = (h, s, d) => table[(h * 7 + s * 3 + d) % table.length]!;
      const tree = eisner.parse(n, scores, oneRoot);
      expect(isTree(tree) && isProjective(tree)).toBe(true);
      if (oneRoot) expect(rootCount(tree)).toBe(1);
      expect(scoreOf(tree, n, scores)).toBe(bruteForce(n, scores, true, oneRoot));
      const second = [...eisner.parse(n, scores, oneRoot, sibling)];
      expect(isTree(second) && isProjective(second)).toBe(true);
      expect(scoreOf(second, n, scores) + siblingTotal(second, sibling)).toBe(
        bruteForce(n, scores, true, oneRoot, sibling),
      );
    }
  });

  test("all trees in the order of their scores, each once: projective ones, with and without siblings, and all", () => {
    for (let run = 0; run < 15; run++) {
      const n = [1, 2, 3, 4, 5][run % 5]!;
      const scores = randomScores(n, random, run % 2 ? 8 : 1000);
      const table = randomScores(11, random, 30);
      const sibling: SiblingScore = (h, s, d) => table[(h * 7 + s * 3 + d) % table.length]!;
      const trees = TREES[n]!.filter((heads) => !oneRoot || rootCount(heads) === 1);
      const projective = trees.filter((heads) => isProjective(heads));
      const plain = (heads: readonly number[]) => scoreOf(heads, n, scores);
      const second = (heads: readonly number[]) => plain(heads) + siblingTotal(heads, sibling);
      for (const [found, expected, total] of [
        [projectiveTrees(eisner, n, scores, oneRoot), projective, plain],
        [projectiveTrees(eisner, n, scores, oneRoot, sibling), projective, second],
        [rankedTrees(n, scores, oneRoot, 1e6), trees, plain],
      ] as const) {
        const ranked = [...found].map(({ heads, score }) => ({ heads: [...heads], score }));
        expect(ranked.map(({ score }) => score)).toEqual(expected.map(total).sort((a, b) => b - a));
        expect(ranked.map(({ heads }) => total(heads))).toEqual(ranked.map(({ score }) => score));
        expect(new Set(ranked.map(({ heads }) => heads.join()))).toEqual(new Set(expected.map((tree) => tree.join())));
      }
    }
  });

  test("Chu-Liu/Edmonds: the best tree", () => {
    for (let run = 0; run < 280; run++) {
      const n = sizes[run % sizes.length]!;
      const scores = randomScores(n, random, run % 2 ? 8 : 1000);
      const tree = edmonds(n, scores, oneRoot);
      expect(isTree(tree)).toBe(true);
      if (oneRoot) expect(rootCount(tree)).toBe(1);
      expect(scoreOf(tree, n, scores)).toBe(bruteForce(n, scores, false, oneRoot));
    }
  });

  test("300 words", () => {
    const n = 300;
    const scores = randomScores(n, random, 1000);
    const projective = eisner.parse(n, scores, oneRoot);
    const free = edmonds(n, scores, oneRoot);
    for (const tree of [projective, free]) expect(isTree(tree)).toBe(true);
    expect(isProjective(projective)).toBe(true);
    expect(scoreOf(free, n, scores)).toBeGreaterThanOrEqual(scoreOf(projective, n, scores));
  });
});
