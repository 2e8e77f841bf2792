import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arcLengths,
  assertTree,
  children,
  depth,
  depths,
  edgeDegree,
  edgeDegrees,
  findCycle,
  gapDegree,
  gapDegrees,
  isAncestor,
  isProjective,
  isTree,
  isWellNested,
  nonProjectiveArcs,
  projectiveOrder,
  spans,
} from "../../src/treebank/tree.js";
import { cpuTime } from "../cpu-time.js";
import { randomTrees } from "../systems/random-trees.js";

const tree = (...heads: number[]) => Int32Array.of(-1, ...heads);

function ancestors(heads: Int32Array, node: number): Set<number> {
  const set = new Set<number>();
  for (let at = node; at >= 0; at = heads[at]!) set.add(at);
  return set;
}

function between(heads: Int32Array, dependent: number): number[] {
  const head = heads[dependent]!;
  const low = Math.min(head, dependent);
  return Array.from({ length: Math.max(head, dependent) - low - 1 }, (_, i) => low + 1 + i);
}

describe("trees and cycles", () => {
  it("accepts trees, with one root or several, and the empty sentence", () => {
    expect(isTree(tree(2, 0, 2))).toBe(true);
    expect(isTree(tree(0, 0))).toBe(true);
    expect(isTree(tree())).toBe(true);
  });

  it("refuses words without a head, heads out of range and cycles", () => {
    expect(isTree(tree(-1, 1))).toBe(false);
    expect(isTree(tree(0, 3))).toBe(false);
    expect(isTree(tree(0, 3, 2))).toBe(false);
    expect(isTree(Int32Array.of(0, 0))).toBe(false);
  });

  it("finds a cycle as the nodes on the way from head to head", () => {
    expect(findCycle(tree(2, 0, 2))).toBeNull();
    expect(findCycle(tree(-1, 1))).toBeNull();
    expect(findCycle(tree(0, 2))).toEqual([2]);
    expect(findCycle(tree(0, 1, 4, 5, 3))).toEqual([3, 4, 5]);
    expect(findCycle(tree(2, 3, 4, 3))).toEqual([3, 4]);
  });

  it("says what is wrong", () => {
    expect(() => assertTree(tree(0, 3, 2))).toThrow("not a tree: cycle 2 → 3 → 2");
    expect(() => assertTree(tree(0, 7))).toThrow("not a tree: word 2 has head 7 (expected 0 to 2)");
    expect(() => depths(tree(-1))).toThrow("not a tree: word 1 has head -1 (expected 0 to 1)");
  });

  it("lists children in sentence order", () => {
    const { start, nodes } = children(tree(3, 1, 0, 3, 1));
    expect(Array.from({ length: 6 }, (_, h) => [...nodes.subarray(start[h], start[h + 1])])).toEqual([
      [3],
      [2, 5],
      [],
      [1, 4],
      [],
      [],
    ]);
  });
});

describe("a tree of edge degree 1 and gap degree 1", () => {
  // 3 is the root; 5 hangs on 1 across it.
  const heads = tree(3, 1, 0, 3, 1);

  it("has the expected measures", () => {
    expect(isProjective(heads)).toBe(false);
    expect(nonProjectiveArcs(heads)).toEqual([5]);
    expect([...edgeDegrees(heads)]).toEqual([0, 0, 0, 0, 0, 1]);
    expect([...gapDegrees(heads)]).toEqual([0, 1, 0, 0, 0, 0]);
    expect([...depths(heads)]).toEqual([0, 2, 3, 1, 2, 3]);
    expect(depth(heads)).toBe(3);
    expect([...arcLengths(heads)]).toEqual([0, 2, 1, 3, 1, 4]);
    expect([...spans(heads).left]).toEqual([0, 1, 2, 1, 4, 5]);
    expect([...spans(heads).right]).toEqual([5, 5, 2, 5, 4, 5]);
    // Order: 0, 1, 2, 5, 3, 4.
    expect([...projectiveOrder(heads)]).toEqual([0, 1, 2, 4, 5, 3]);
  });
});

describe("well-nested trees", () => {
  it("have no two disjoint subtrees that interleave", () => {
    // 3 → 1 and 4 → 2: their subtrees interleave below 5. In the second tree 2 is below 3.
    expect(isWellNested([-1, 3, 4, 5, 5, 0])).toBe(false);
    expect(isWellNested([-1, 3, 4, 4, 5, 0])).toBe(true);
  });
  it("as the definition says, for all small trees", () => {
    let ill = 0;
    fc.assert(
      fc.property(randomTrees(7), (heads) => {
        const n = heads.length - 1;
        const below = (u: number, i: number) => isAncestor(heads, u, i);
        let isNested = true;
        for (let u = 1; u <= n; u++) {
          for (let v = 1; v <= n; v++) {
            if (below(u, v) || below(v, u)) continue;
            for (let a = 1; a <= n; a++)
              for (let b = a + 1; b <= n; b++)
                for (let c = b + 1; c <= n; c++)
                  for (let d = c + 1; d <= n; d++)
                    if (below(u, a) && below(v, b) && below(u, c) && below(v, d)) isNested = false;
          }
        }
        if (!isNested) ill++;
        expect(isWellNested(heads)).toBe(isNested);
      }),
      { numRuns: 400 },
    );
    expect(ill).toBeGreaterThan(5);
  });
});

it("counts components, not words, in the edge degree, and gaps, not arcs, in the gap degree", () => {
  // 1 → 6 spans 2 (root), 3 (below 2: the same component) and 5 (below 7).
  const heads = tree(7, 0, 2, 1, 7, 1, 2);
  expect(edgeDegrees(heads)[6]).toBe(2);
  expect(edgeDegree(heads)).toBe(2);
  // 1 dominates 1, 4 and 6.
  expect(gapDegrees(heads)[1]).toBe(2);
  expect(gapDegree(heads)).toBe(2);
});

it("finds non-projective arcs in graphs that are no trees", () => {
  // 2 is its own head; 3 does not reach 1 through it.
  expect(nonProjectiveArcs(tree(0, 2, 1))).toEqual([3]);
  expect(isProjective(tree(0, 2, 1))).toBe(false);
  expect(nonProjectiveArcs(tree(3, -1, 0))).toEqual([1]);
});

it("finds them as the definition says, in any graph with a head for each word", () => {
  const graphs = fc
    .integer({ min: 1, max: 12 })
    .chain((n) =>
      fc.array(fc.integer({ min: -1, max: n }), { minLength: n, maxLength: n }).map((heads) => tree(...heads)),
    );
  fc.assert(
    fc.property(graphs, (heads) => {
      const crossed = Array.from(heads.keys()).filter(
        (d) => heads[d]! > 0 && between(heads, d).some((k) => !isAncestor(heads, heads[d]!, k)),
      );
      expect(nonProjectiveArcs(heads)).toEqual(crossed);
    }),
    { numRuns: 2000 },
  );
});

it("agrees with the definitions on random trees", () => {
  fc.assert(
    fc.property(randomTrees(14), (heads) => {
      const n = heads.length - 1;
      const above = Array.from(heads, (_, i) => ancestors(heads, i));
      const crossed = [];
      for (let d = 1; d <= n; d++) {
        const inside = between(heads, d);
        const foreign = inside.filter((k) => !above[k]!.has(heads[d]!));
        if (foreign.length > 0) crossed.push(d);
        const roots = foreign.filter((k) => !inside.includes(heads[k]!));
        expect(edgeDegrees(heads)[d]).toBe(roots.length);
      }
      expect(nonProjectiveArcs(heads)).toEqual(crossed);
      expect(isProjective(heads)).toBe(crossed.length === 0);
      const { left, right } = spans(heads);
      for (let v = 0; v <= n; v++) {
        const under = Array.from(heads.keys()).filter((k) => above[k]!.has(v));
        expect(gapDegrees(heads)[v]).toBe(under.filter((k) => !under.includes(k + 1)).length - 1);
        expect([left[v], right[v]]).toEqual([under[0], under.at(-1)]);
        expect(depths(heads)[v]).toBe(above[v]!.size - 1);
      }
      const visited: number[] = [];
      const visit = (node: number) => {
        const own = Array.from(heads.keys()).filter((k) => heads[k] === node);
        for (const k of own.filter((k) => k < node)) visit(k);
        visited.push(node);
        for (const k of own.filter((k) => k > node)) visit(k);
      };
      visit(0);
      expect(visited.map((node) => projectiveOrder(heads)[node])).toEqual([...visited.keys()]);
    }),
    { numRuns: 500, verbose: true },
  );
});

it("survives long chains and stars", () => {
  const n = 10_000;
  const right = Int32Array.from({ length: n + 1 }, (_, i) => i - 1);
  expect(depth(right)).toBe(n);
  expect(isProjective(right)).toBe(true);
  // Odd words in a chain to the right, then the even ones in a chain back to the left.
  const zigzag = Int32Array.from({ length: n + 1 }, (_, i) =>
    i === 0 ? -1 : i === 1 ? 0 : i % 2 === 1 ? i - 2 : i === n ? n - 1 : i + 2,
  );
  expect(depth(zigzag)).toBe(n);
  expect(isProjective(zigzag)).toBe(false);
  const star = Int32Array.from({ length: n + 1 }, (_, i) => (i === 0 ? -1 : i === n / 2 ? 0 : n / 2));
  expect(gapDegree(star)).toBe(0);
  // Two interleaved chains below 1.
  const comb = Int32Array.from({ length: n + 1 }, (_, i) => (i === 0 ? -1 : i <= 2 ? i - 1 : i - 2));
  expect(gapDegree(comb)).toBe(n / 2 - 1);
  expect(nonProjectiveArcs(comb)).toHaveLength(n - 3);
});

it("takes little more than twice the time for twice as long a tree, however many arcs cross", () => {
  const n = 100_000;
  // Words of the first half below the one in the middle, and below each of them the word as far on the other side.
  const nested = Int32Array.from({ length: n + 2 }, (_, i) =>
    i === 0 ? -1 : i === n / 2 + 1 ? 0 : i <= n / 2 ? n / 2 + 1 : n + 2 - i,
  );
  const begun = cpuTime();
  expect(nonProjectiveArcs(nested)).toHaveLength(n / 2);
  expect(isWellNested(nested)).toBe(true);
  const shifted = Int32Array.from({ length: n + 1 }, (_, i) =>
    i === 0 ? -1 : i === 1 ? 0 : i <= n / 2 + 1 ? 1 : i - n / 2,
  );
  expect(nonProjectiveArcs(shifted)).toHaveLength(n / 2 - 1);
  expect(isWellNested(shifted)).toBe(false);
  const loops = Int32Array.from({ length: n + 1 }, (_, i) => i);
  expect(nonProjectiveArcs(loops)).toEqual([]);
  expect(cpuTime() - begun).toBeLessThan(20_000);
});

const folder = new URL("../../../../../shared/treebanks/", import.meta.url);
const missing = !existsSync(folder);
if (missing) console.log("skipped: ../shared/treebanks is missing");

// Percentages of non-projective sentences and arcs in the training sets, as the README of the treebanks gives them.
const published: Record<string, [string, string]> = {
  en_ewt: ["2.3", "0.17"],
  eu_bdt: ["33.9", "4.98"],
  el_gdt: ["11.0", "0.49"],
  tr_imst: ["5.0", "0.60"],
  zh_gsd: ["0.3", "0.02"],
  nl_lassysmall: ["29.5", "6.38"],
  af_afribooms: ["8.0", "0.41"],
  sl_sst: ["4.7", "0.56"],
};

it.skipIf(missing)("gives the published figures of non-projectivity", () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith("-train.conllu"))) {
    let sentences = 0;
    let words = 0;
    let crossedSentences = 0;
    let crossedArcs = 0;
    for (const block of readFileSync(new URL(file, folder), "utf8").split("\n\n")) {
      const heads = [...block.matchAll(/^\d+\t(?:[^\t]*\t){5}(\d+)/gm)].map((match) => Number(match[1]));
      if (heads.length === 0) continue;
      const crossed = nonProjectiveArcs(tree(...heads)).length;
      sentences++;
      words += heads.length;
      crossedArcs += crossed;
      if (crossed > 0) crossedSentences++;
    }
    const expected = published[file.replace("-ud-train.conllu", "")];
    if (expected === undefined) continue;
    const found = [((100 * crossedSentences) / sentences).toFixed(1), ((100 * crossedArcs) / words).toFixed(2)];
    expect(found, file).toEqual(expected);
  }
});
