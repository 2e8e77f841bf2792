import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ENCODINGS, type EncodingName, encodingOf } from "../../src/tags/encodings/encodings.js";
import { allTrees, projectiveTrees } from "../systems/brute-force.js";
import { EXHAUSTIVE } from "../systems/exhaustive.js";

const LONGEST = EXHAUSTIVE ? 6 : 5;

/** The tree of these tags: each has the highest score for its word. */
function decode(name: EncodingName, tags: readonly string[]): number[] {
  const encoding = encodingOf(name);
  const inventory = [...new Set([...encoding.tags, ...tags.slice(1)])];
  const n = tags.length - 1;
  const scores = new Int32Array(n * inventory.length);
  for (let i = 1; i <= n; i++) scores[(i - 1) * inventory.length + inventory.indexOf(tags[i]!)] = 1;
  return [...encoding.createDecoder(inventory).decode(n, scores, new Int32Array(n + 1))];
}

/** The fault of heads that are to be a tree with one root. */
function fault(heads: ArrayLike<number>): string | undefined {
  const n = heads.length - 1;
  const roots = Array.from(heads).filter((head, d) => d > 0 && head === 0).length;
  if (roots !== 1) return `${roots} roots`;
  for (let d = 1; d <= n; d++) {
    let steps = 0;
    for (let a = d; a !== 0; a = heads[a]!) {
      if (!(heads[a]! >= 0 && heads[a]! <= n) || steps++ > n) return `word ${d} does not reach 0`;
    }
  }
  return undefined;
}

const isProjectiveOnly = (name: EncodingName) => name === "hexatags" || name === "hierarchical";

const hasOneRoot = (heads: readonly number[]) => heads.filter((head, d) => d > 0 && head === 0).length === 1;

/** Whether arcs in one direction cross, by the definition; the arc to the root is left out. */
function crossings(heads: readonly number[]): [number, number][] {
  const arcs = heads.flatMap((h, d) =>
    d > 0 && h > 0 ? [{ d, from: Math.min(h, d), to: Math.max(h, d), left: d < h }] : [],
  );
  return arcs.flatMap((a) =>
    arcs.flatMap((b): [number, number][] =>
      a.left === b.left && a.from < b.from && b.from < a.to && a.to < b.to ? [[a.d, b.d]] : [],
    ),
  );
}

/** Whether two planes suffice, by trying all ways to divide the arcs. */
function isTwoPlanar(heads: readonly number[]): boolean {
  const pairs = crossings(heads);
  for (let planes = 0; planes < 2 ** heads.length; planes++) {
    if (pairs.every(([a, b]) => ((planes >> a) & 1) !== ((planes >> b) & 1))) return true;
  }
  return false;
}

describe("what the tags of a tree say", () => {
  test.each(ENCODINGS)("%s: decoding undoes encoding, for all trees that are covered", (name) => {
    for (let n = 1; n <= LONGEST; n++) {
      const projective = new Set(projectiveTrees(n).map(String));
      for (const heads of allTrees(n)) {
        const tags = encodingOf(name).encode(heads);
        const isCovered =
          hasOneRoot(heads) &&
          (isProjectiveOnly(name)
            ? projective.has(String(heads))
            : name === "brackets"
              ? crossings(heads).length === 0
              : isTwoPlanar(heads));
        if (isCovered !== (tags !== undefined)) expect.fail(`${heads} is covered: ${isCovered}`);
        if (!tags) continue;
        const decoded = decode(name, tags);
        if (String(decoded.slice(1)) !== String(heads.slice(1))) expect.fail(`${heads} became ${decoded} by ${tags}`);
      }
    }
  });

  test("different trees have different tags", () => {
    for (const name of ENCODINGS) {
      const all = allTrees(4).flatMap((heads) => encodingOf(name).encode(heads)?.join(" ") ?? []);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  test("how many trees with one root each covers", () => {
    const counts = ENCODINGS.map((name) =>
      [1, 2, 3, 4, 5].map((n) => allTrees(n).filter((heads) => encodingOf(name).encode(heads)).length),
    );
    expect(Object.fromEntries(ENCODINGS.map((name, k) => [name, counts[k]]))).toEqual({
      brackets: [1, 2, 9, 56, 412],
      "two-planes": [1, 2, 9, 64, 625],
      hierarchical: [1, 2, 7, 30, 143],
      hexatags: [1, 2, 7, 30, 143],
    });
    expect([1, 2, 3, 4, 5].map((n) => allTrees(n).filter(hasOneRoot).length)).toEqual([1, 2, 9, 64, 625]);
  });

  test("brackets, as in the definition", () => {
    // A hearing is scheduled: 2 → 1, 4 → 2, 4 → 3.
    expect(encodingOf("brackets").encode([-1, 2, 4, 4, 0])).toEqual([".", ".", "<\\", "<", "<\\\\"]);
    // She ate an apple: 2 → 1, 2 → 4, 4 → 3.
    expect(encodingOf("brackets").encode([-1, 2, 0, 4, 2])).toEqual([".", ".", "<\\", "/", "<\\>"]);
    // 1 → 3 crosses 2 → 4.
    expect(encodingOf("brackets").encode([-1, 0, 1, 1, 2])).toBeUndefined();
    expect(encodingOf("two-planes").encode([-1, 0, 1, 1, 2])).toEqual([".", ".", "//>", ">/*", ">*"]);
    // 4 → 1 and 2 → 3 … 5 cross in opposite directions.
    expect(encodingOf("brackets").encode([-1, 4, 0, 2, 2, 2])).toBeDefined();
  });

  test("hierarchical brackets, as in the definition", () => {
    const { encode, tags } = encodingOf("hierarchical");
    // She ate an apple.
    expect(encode([-1, 2, 0, 4, 2])).toEqual(["", "<", ">^/^", "<", ">^"]);
    // 0 → 5 is structural, 5 → 1 and 5 → 4 lie in it; 1 → 3 is structural, 1 → 2 lies in it.
    expect(encode([-1, 5, 1, 1, 5, 0])).toEqual(["", "</^", ">", ">^", "<", ">^"]);
    // 2 → 4, structural, with 4 → 3 in it; 1 → 2 does not lie in anything.
    expect(encode([-1, 0, 1, 4, 2])).toEqual(["", ">^/^", ">^/^", "<", ">^"]);
    expect(tags).toHaveLength(12);
    const used = new Set(
      [1, 2, 3, 4, 5, 6].flatMap((n) => projectiveTrees(n).flatMap((heads) => encode(heads)?.slice(1) ?? [])),
    );
    expect(used.size).toBe(12);
  });

  test("hexatags, as in the definition", () => {
    // ((She (ate apples)) …): 2 → 1, 2 → 3.
    expect(encodingOf("hexatags").encode([-1, 2, 0, 2])).toEqual(["", "llr", "lrl", "end"]);
    expect(encodingOf("hexatags").encode([-1, 0])).toEqual(["", "end"]);
  });
});

const bracketTag = fc
  .array(fc.constantFrom("<", "\\", "/", ">", "<*", "\\*", "/*", ">*"), { maxLength: 6 })
  .map((brackets) => brackets.join("") || ".");

test.each(ENCODINGS)("%s: any scores of any tags give a tree with one root", (name) => {
  const tags = isProjectiveOnly(name)
    ? fc.constant([...encodingOf(name).tags])
    : fc.uniqueArray(bracketTag, { minLength: 1 });
  const sentences = fc
    .tuple(tags, fc.integer({ min: 1, max: 30 }))
    .chain(([tags, n]) =>
      fc.tuple(
        fc.constant(tags),
        fc.constant(n),
        fc.array(fc.integer({ min: -9, max: 9 }), { minLength: n * tags.length, maxLength: n * tags.length }),
      ),
    );
  fc.assert(
    fc.property(sentences, ([tags, n, scores]) => {
      const chosen = new Int32Array(n + 1);
      const heads = encodingOf(name).createDecoder(tags).decode(n, scores, chosen);
      expect(fault(heads)).toBeUndefined();
      for (let i = 1; i <= n; i++) expect(tags[chosen[i]!]).toBeDefined();
    }),
    { numRuns: 300 },
  );
});

test("hexatags: of all sequences that stand for a tree, the one with the highest sum of scores is found", () => {
  const { tags, createDecoder } = encodingOf("hexatags");
  const decoder = createDecoder(tags);
  const inner = tags.slice(0, 8);
  const all = inner.flatMap((a) => inner.flatMap((b) => inner.map((c) => [a, b, c])));
  // The number of trees without their right end, as the head of the file has it.
  const trees = all.filter((sequence) => {
    let open = 0;
    for (const [word, node] of sequence) {
      if (word === "r") open--;
      if (open < 0 || (node === "r" && open === 0)) return false;
      if (node === "l") open++;
    }
    return open === 1;
  });
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 36, maxLength: 36 }), (scores) => {
      const sum = (sequence: readonly string[]) =>
        sequence.reduce((sum, tag, i) => sum + scores[i * tags.length + tags.indexOf(tag)]!, 0);
      const chosen = new Int32Array(5);
      const heads = [...decoder.decode(4, scores, chosen)];
      expect(projectiveTrees(4)).toContainEqual(heads);
      expect(sum([1, 2, 3].map((i) => tags[chosen[i]!]!))).toBe(Math.max(...trees.map(sum)));
    }),
    { numRuns: 100 },
  );
});
