import { expect, it } from "vitest";
import { compareSystems, type SentenceCounts } from "../../src/evaluation/measures/significance.js";

const counts = (gold: number[], correct: number[], system = gold): SentenceCounts => ({
  gold,
  system,
  uas: correct,
  las: correct,
});

/** The exact p of the randomisation test: over every way of exchanging sentences. */
function enumerate(a: SentenceCounts, b: SentenceCounts): number {
  const f1 = (correct: number[], system: number[]) =>
    (2 * correct.reduce((x, y) => x + y)) / (a.gold.reduce((x, y) => x + y) + system.reduce((x, y) => x + y));
  const difference = (exchanged: number) => {
    const pick = (own: readonly number[], other: readonly number[]) =>
      own.map((value, i) => ((exchanged >> i) & 1 ? other[i]! : value));
    return Math.abs(
      f1(pick(a.las, b.las), pick(a.system, b.system)) - f1(pick(b.las, a.las), pick(b.system, a.system)),
    );
  };
  let extreme = 0;
  for (let i = 0; i < 2 ** a.gold.length; i++) if (difference(i) >= difference(0) - 1e-12) extreme++;
  return extreme / 2 ** a.gold.length;
}

const GOLD = [5, 9, 12, 7, 20, 3, 8, 11];
const A = counts(GOLD, [4, 7, 9, 7, 15, 2, 6, 8]);
const B = counts(GOLD, [5, 8, 12, 6, 18, 3, 6, 9]);

it("approximate randomisation comes near to the exact test", () => {
  const { difference, p, test, samples } = compareSystems(A, B, "las", { samples: 40_000 });
  expect(test).toBe("randomisation");
  expect(samples).toBe(40_000);
  expect(difference).toBeCloseTo(9 / 75, 12);
  // Three standard errors.
  expect(Math.abs(p - enumerate(A, B))).toBeLessThan(3 * Math.sqrt(0.25 / 40_000));
});

it("also when the systems have other numbers of words", () => {
  const other = counts(GOLD, [5, 8, 12, 6, 18, 3, 6, 9], [6, 9, 14, 7, 25, 3, 9, 11]);
  const { p } = compareSystems(A, other, "uas", { samples: 40_000 });
  expect(Math.abs(p - enumerate(A, other))).toBeLessThan(3 * Math.sqrt(0.25 / 40_000));
});

it("differences that are equal count as equal, whatever the last bits of their sums say", () => {
  // Of two sentences the second is better by d: half of the samples differ by 0 or by 2 d, both as far from d as 0 is.
  for (const [n, a, b] of [
    [3, 1, 2],
    [5, 1, 3],
    [6, 1, 2],
  ] as const) {
    const { p } = compareSystems(counts([n, n], [a, a]), counts([n, n], [a, b]), "las", {
      test: "bootstrap",
      samples: 4000,
    });
    expect(Math.abs(p - 0.5)).toBeLessThan(0.03);
  }
  // 6/15 - 2/9 and 4/9 - 4/15 are the same, the second a little less in binary; each is that of half of the exchanges.
  expect(Math.abs(4 / 15 - 4 / 9)).toBeLessThan(6 / 15 - 2 / 9);
  const [first, second] = [counts([1, 2], [0, 1], [0, 6]), counts([1, 2], [1, 2], [6, 6])];
  expect(Math.abs(compareSystems(first, second, "las", { samples: 4000 }).p - 1)).toBeLessThan(0.03);
});

it("systems that are the same do not differ", () => {
  for (const test of ["randomisation", "bootstrap"] as const) {
    expect(compareSystems(A, A, "las", { test, samples: 500 })).toMatchObject({ difference: 0, p: 1 });
  }
});

it("systems that differ in every sentence do", () => {
  const gold = Array.from({ length: 60 }, () => 10);
  const [bad, good] = [
    counts(
      gold,
      gold.map(() => 5),
    ),
    counts(
      gold,
      gold.map((_, i) => 7 + (i % 3)),
    ),
  ];
  expect(compareSystems(bad, good, "las", { samples: 999 }).p).toBe(1 / 1000);
  const { p, interval, difference } = compareSystems(bad, good, "las", { test: "bootstrap", samples: 999 });
  expect(p).toBe(1 / 1000);
  expect(interval![0]).toBeLessThan(difference);
  expect(interval![1]).toBeGreaterThan(difference);
});

it("the bootstrap comes near to the exact distribution over three sentences", () => {
  const [a, b] = [counts([4, 4, 4], [1, 2, 4]), counts([4, 4, 4], [3, 2, 3])];
  // The difference of 27 equally likely draws; the observed one is 1/12.
  const gains = [2, 0, -1];
  let extreme = 0;
  for (const x of gains) for (const y of gains) for (const z of gains) if (Math.abs(x + y + z - 1) >= 1) extreme++;
  const { p, difference } = compareSystems(a, b, "las", { test: "bootstrap", samples: 40_000 });
  expect(difference).toBeCloseTo(1 / 12, 12);
  expect(Math.abs(p - extreme / 27)).toBeLessThan(3 * Math.sqrt(0.25 / 40_000));
});

it("the seed decides the samples", () => {
  const p = (seed: number) => compareSystems(A, B, "las", { samples: 300, seed }).p;
  expect(p(5)).toBe(p(5));
  expect(new Set([1, 2, 3, 4, 5, 6].map(p)).size).toBeGreaterThan(1);
  // Also what of it is beyond 32 bits.
  expect(new Set([1, 2, 3, 4, 5, 6].map((k) => p(5 + k * 2 ** 32))).size).toBeGreaterThan(1);
});

it("wrong arguments are named", () => {
  expect(() => compareSystems(A, B, "las", { samples: 0 })).toThrow("invalid samples of compareSystems: 0");
  expect(() => compareSystems(A, B, "las", { test: "t" as "bootstrap" })).toThrow(
    'invalid test of compareSystems: "t" (expected',
  );
  expect(() => compareSystems(A, counts([1], [1]), "las")).toThrow("invalid sentences: 8 and 1");
});
