import { describe, expect, test } from "vitest";
import { combineTrees, type VotingTree } from "../../src/combination/combine-trees.js";
import { Random } from "../../src/math/random.js";

/** All trees over n words, with one root or with several: every function from words to heads without a cycle. */
function allTrees(n: number, singleRoot: boolean): number[][] {
  const found: number[][] = [];
  const heads = new Array<number>(n + 1).fill(0);
  heads[0] = -1;
  const leadsToRoot = (d: number) => {
    let node = d;
    for (let step = 0; step <= n; step++) {
      if (node === 0) return true;
      node = heads[node]!;
    }
    return false;
  };
  const choose = (d: number) => {
    if (d > n) {
      const roots = heads.filter((head) => head === 0).length;
      if ((!singleRoot || roots === 1) && heads.every((_, i) => i === 0 || leadsToRoot(i))) found.push([...heads]);
      return;
    }
    for (let head = 0; head <= n; head++) {
      if (head === d) continue;
      heads[d] = head;
      choose(d + 1);
    }
  };
  choose(1);
  return found;
}

const LABELS = ["a", "b", "c"];

/** The votes for the arcs of a tree; arcs without votes are out. */
function votesFor(heads: readonly number[], trees: readonly VotingTree[], weights: readonly number[]): number {
  let sum = 0;
  for (let d = 1; d < heads.length; d++) {
    let votes = 0;
    trees.forEach((tree, t) => {
      if (tree.heads[d] === heads[d]) votes += weights[t]!;
    });
    if (votes === 0) return Number.NEGATIVE_INFINITY;
    sum += votes;
  }
  return sum;
}

describe("combineTrees", () => {
  // Cayley: (n + 1)^(n − 1) trees with any number of roots.
  test("there are as many trees as there should be", () => {
    expect([1, 2, 3, 4, 5].map((n) => allTrees(n, false).length)).toEqual([1, 3, 16, 125, 1296]);
    expect([1, 2, 3, 4, 5].map((n) => allTrees(n, true).length)).toEqual([1, 2, 9, 64, 625]);
  });

  for (const singleRoot of [true, false]) {
    test(`finds the tree with most votes among all trees of up to 5 words, ${singleRoot ? "one root" : "any roots"}`, () => {
      const random = new Random(singleRoot ? 1 : 2);
      const pick = <T>(items: readonly T[]) => items[Math.floor(random.next() * items.length)]!;
      let cycles = 0;
      for (let n = 1; n <= 5; n++) {
        const all = allTrees(n, singleRoot);
        const several = all.filter((heads) => heads.filter((head) => head === 0).length > 1);
        const voters = singleRoot || several.length === 0 ? all : several;
        for (let run = 0; run < 60; run++) {
          const trees = Array.from({ length: 1 + Math.floor(random.next() * 5) }, () => ({
            heads: pick(voters),
            labels: ["", ...Array.from({ length: n }, () => pick(LABELS))],
          }));
          const weights = trees.map(() => (run % 2 === 0 ? 1 : 1 + Math.floor(random.next() * 4)));
          const { heads, labels, shares } = combineTrees(trees, { weights });
          const scores = all.map((tree) => votesFor(tree, trees, weights));
          const best = Math.max(...scores);
          expect(votesFor([...heads], trees, weights)).toBe(best);
          expect(all.map(String)).toContain(String([...heads]));
          const total = weights.reduce((sum, weight) => sum + weight, 0);
          for (let d = 1; d <= n; d++) {
            const votes = LABELS.map((label) =>
              trees.reduce(
                (sum, tree, t) => sum + (tree.heads[d] === heads[d] && tree.labels[d] === label ? weights[t]! : 0),
                0,
              ),
            );
            expect(votes[LABELS.indexOf(labels[d]!)]).toBe(Math.max(...votes));
            expect(shares[d]).toBe(Math.max(...votes) / total);
          }
          if (greedyHasCycle(trees, weights, n)) cycles++;
        }
      }
      // Otherwise every word could just have taken the head with most votes.
      expect(cycles).toBeGreaterThan(0);
    });
  }

  test("equal votes go to earlier trees: of two trees with the same weight, the first", () => {
    const random = new Random(3);
    const all = allTrees(5, true);
    for (let run = 0; run < 200; run++) {
      const [a, b] = [0, 1].map(() => all[Math.floor(random.next() * all.length)]!);
      const tree = (heads: number[], label: string) => ({ heads, labels: heads.map(() => label) });
      const { heads, labels, shares } = combineTrees([tree(a!, "first"), tree(b!, "second")]);
      expect([...heads]).toEqual(a);
      expect(labels.slice(1)).toEqual(["first", "first", "first", "first", "first"]);
      expect(Math.max(...shares)).toBe(0.5);
    }
  });

  test("one tree is itself, and a sentence without words has one", () => {
    expect(combineTrees([{ heads: [-1, 0, 0], labels: ["", "root", "dep"] }])).toEqual({
      heads: Int32Array.of(-1, 0, 0),
      labels: ["", "root", "dep"],
      shares: Float64Array.of(0, 1, 1),
    });
    expect([...combineTrees([{ heads: [-1], labels: [""] }]).heads]).toEqual([-1]);
  });

  test("says what is wrong", () => {
    const tree = { heads: [-1, 2, 0], labels: ["", "a", "root"] };
    expect(() => combineTrees([])).toThrow("invalid trees: none (expected at least one)");
    expect(() => combineTrees([tree, { heads: [-1, 0], labels: ["", "root"] }])).toThrow(
      "invalid tree 2: 1 heads and 1 labels (expected 2, as tree 1 has)",
    );
    expect(() => combineTrees([tree, { heads: [-1, 2, 1], labels: ["", "a", "b"] }])).toThrow(
      "invalid tree 2: the heads of word 1 do not lead to the root (expected a tree)",
    );
    expect(() => combineTrees([tree, { heads: [-1, 7, 0], labels: ["", "a", "b"] }])).toThrow("invalid tree 2");
    expect(() => combineTrees([tree], { weights: [0] })).toThrow(
      "invalid weights: 0 (expected 1 above 0, one for each tree)",
    );
    expect(() => combineTrees([tree], { weights: [1, 1] })).toThrow("expected 1 above 0");
    expect(() => combineTrees("trees" as never)).toThrow("expected an array of trees");
  });
});

/** Whether the heads with most votes, word by word, are no tree. */
function greedyHasCycle(trees: readonly VotingTree[], weights: readonly number[], n: number): boolean {
  const best = [-1];
  for (let d = 1; d <= n; d++) {
    const votes = new Array<number>(n + 1).fill(0);
    trees.forEach((tree, t) => {
      votes[tree.heads[d]!]! += weights[t]!;
    });
    best.push(votes.indexOf(Math.max(...votes)));
  }
  return best.some((_, d) => {
    let node = d;
    for (let step = 0; step <= n && node > 0; step++) node = best[node]!;
    return node > 0;
  });
}
