// The search against brute force, which is written without it: all ways to attach the words of a sentence.
import { describe, expect, test } from "vitest";
import { edmonds } from "../../src/math/edmonds.js";
import { Random } from "../../src/math/random.js";
import { Attachments } from "../../src/pointers/search/attachments.js";
import { PointerSearch } from "../../src/pointers/search/pointer-search.js";
import { isTree } from "../../src/treebank/tree.js";

/** All heads of n words that are a tree, with one root if asked. */
function trees(n: number, singleRoot: boolean): number[][] {
  let all: number[][] = [[-1]];
  for (let d = 1; d <= n; d++) {
    all = all.flatMap((heads) =>
      Array.from({ length: n + 1 }, (_, h) => [...heads, h]).filter((some) => some[d] !== d),
    );
  }
  return all.filter((heads) => isTree(heads) && (!singleRoot || heads.filter((head) => head === 0).length === 1));
}

const random = new Random(11);
const randomScores = (n: number) =>
  Float64Array.from({ length: (n + 1) ** 2 }, () => Math.floor(200 * random.next()) - 100);
/** Scores that depend on the last dependent of a head. */
const siblingScores = (n: number) => {
  const scores = Float64Array.from({ length: (n + 1) ** 3 }, () => Math.floor(80 * random.next()) - 40);
  return (h: number, s: number, d: number) => scores[(h * (n + 1) + s) * (n + 1) + d]!;
};

type Siblings = ReturnType<typeof siblingScores>;

/** The scores of all attachments from left to right, one by one. */
function stepsOf(heads: readonly number[], scores: Float64Array, siblings?: Siblings): number[] {
  const w = heads.length;
  const steps = [];
  for (let d = 1; d < w; d++) {
    const h = heads[d]!;
    let last = h;
    for (let e = 1; e < d; e++) if (heads[e] === h && e < h === d < h) last = e;
    steps.push(scores[h * w + d]! + (siblings?.(h, last, d) ?? 0));
  }
  return steps;
}

const sumOf = (steps: readonly number[]) => steps.reduce((sum, step) => sum + step, 0);

describe.each([1, 2, 3, 4, 5])("%i words", (n) => {
  test.each([true, false])("what is permitted is what can become a tree, one root: %s", (singleRoot) => {
    const expected = trees(n, singleRoot);
    const found: string[] = [];
    const visit = (before: Attachments, d: number) => {
      if (d > n) return found.push(before.heads.join());
      let count = 0;
      for (let h = 0; h <= n; h++) {
        if (h === d || !before.permits(h, d)) continue;
        const next = new Attachments(n, singleRoot);
        next.copy(before);
        next.attach(h, d);
        visit(next, d + 1);
        count++;
      }
      if (count === 0) expect.fail(`nothing is permitted after ${before.heads.join()}`);
    };
    visit(new Attachments(n, singleRoot), 1);
    // Every tree once, and nothing else.
    expect(found).toEqual(expected.map((heads) => heads.join()));
  });

  test("greedy: in each step the best head of those with which a tree is left", () => {
    const all = trees(n, true);
    for (let run = 0; run < 30; run++) {
      const scores = randomScores(n);
      const siblings = run % 2 ? siblingScores(n) : undefined;
      let left = all;
      for (let d = 1; d <= n; d++) {
        const best = Math.max(...left.map((heads) => stepsOf(heads, scores, siblings)[d - 1]!));
        // Of equal ones the leftmost.
        const h = Math.min(
          ...left.filter((heads) => stepsOf(heads, scores, siblings)[d - 1] === best).map((heads) => heads[d]!),
        );
        left = left.filter((heads) => heads[d] === h);
      }
      const [found, ...others] = new PointerSearch(1, true).run(n, scores, siblings);
      expect(others).toEqual([]);
      expect([...found!.heads]).toEqual(left[0]);
      expect(found!.score).toBe(sumOf(stepsOf(left[0]!, scores, siblings)));
    }
  });

  test("a beam as wide as there are trees gives all of them, best first; a narrower one some of them", () => {
    const all = trees(n, true);
    const scores = randomScores(n);
    const siblings = siblingScores(n);
    const found = new PointerSearch(2000, true).run(n, scores, siblings);
    expect(new Set(found.map(({ heads }) => heads.join()))).toEqual(new Set(all.map((heads) => heads.join())));
    expect(found.map(({ score }) => score)).toEqual(
      all.map((heads) => sumOf(stepsOf(heads, scores, siblings))).sort((a, b) => b - a),
    );
    for (const { heads, score } of new PointerSearch(3, true).run(n, scores, siblings)) {
      expect(isTree(heads)).toBe(true);
      expect(score).toBe(sumOf(stepsOf([...heads], scores, siblings)));
    }
    const best = new PointerSearch(2000, true).run(n, scores)[0]!;
    expect(best.score).toBe(sumOf(stepsOf([...edmonds(n, scores, true)], scores)));
  });

  test("heads that are known are kept, whichever of a tree are given", () => {
    const all = trees(n, true);
    for (let run = 0; run < 40; run++) {
      const tree = all[Math.floor(random.next() * all.length)]!;
      const wanted = tree.map((head, d) => (d > 0 && random.next() < 0.5 ? head : -1));
      const keeps = (heads: ArrayLike<number>) => wanted.every((head, d) => head === -1 || heads[d] === head);
      const found = new PointerSearch(2000, true).run(n, randomScores(n), undefined, wanted);
      expect(found).toHaveLength(all.filter(keeps).length);
      expect(found.every(({ heads }) => isTree(heads) && keeps(heads))).toBe(true);
      const [greedy] = new PointerSearch(1, true).run(n, randomScores(n), siblingScores(n), wanted);
      expect(isTree(greedy!.heads) && keeps(greedy!.heads)).toBe(true);
    }
  });
});

test.each([1, 4])("random scores of long sentences give trees with one root, beam %i", (width) => {
  for (const n of [20, 61, 150]) {
    const found = new PointerSearch(width, true).run(n, randomScores(n), (h, s, d) => (h * 31 + s * 17 + d * 7) % 90);
    expect(found).toHaveLength(width);
    for (const { heads } of found) {
      expect(isTree(heads)).toBe(true);
      expect(heads.filter((head) => head === 0)).toHaveLength(1);
    }
  }
  expect([...new PointerSearch(width, true).run(0, new Float64Array(1))[0]!.heads]).toEqual([-1]);
});
