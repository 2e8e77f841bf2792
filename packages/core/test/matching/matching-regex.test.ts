import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LinearRegex } from "../../src/matching/language/regex.js";

const SEED = Number(process.env.SEED ?? Date.now() % 1e9);
const RUNS = Number(process.env.RUNS ?? 2000);
console.log(`matching-regex.test.ts: SEED=${SEED}`);

const atom = fc.constantFrom(
  "a",
  "b",
  "A",
  "é",
  "1",
  " ",
  ".",
  "\\d",
  "\\w",
  "\\s",
  "\\W",
  "[ab]",
  "[^a]",
  "[a-c1]",
  "[^\\w]",
  "[\\D]",
);
const special = fc.constantFrom(
  "\\p{Lu}",
  "\\P{L}",
  "[\\p{Ll}1]",
  "\\.",
  "\\x61",
  "\\u{62}",
  "\\u00e9",
  "😀",
  "[😀a]",
  "[\\-a]",
  "[a-]",
);
const quantifier = fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?");
const regexes = fc.letrec<{ regex: string; part: string }>((tie) => ({
  regex: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: tie("part") },
    { weight: 3, arbitrary: fc.tuple(tie("part"), tie("regex")).map(([a, b]) => a + b) },
    { weight: 1, arbitrary: fc.tuple(tie("regex"), tie("regex")).map(([a, b]) => `${a}|${b}`) },
  ),
  part: fc.oneof(
    { maxDepth: 3 },
    {
      weight: 6,
      arbitrary: fc.tuple(fc.oneof({ weight: 4, arbitrary: atom }, special), quantifier).map((parts) => parts.join("")),
    },
    { weight: 1, arbitrary: fc.constantFrom("^", "$", "\\b") },
    { weight: 2, arbitrary: fc.tuple(tie("regex"), quantifier).map(([inner, times]) => `(${inner})${times}`) },
    { weight: 1, arbitrary: fc.tuple(tie("regex"), quantifier).map(([inner, times]) => `(?:${inner})${times}`) },
  ),
})).regex;
const texts = fc.array(fc.constantFrom("a", "b", "A", "B", "c", "é", "É", "1", " ", ".", "-", "\n", "😀"), {
  maxLength: 6,
});

describe("the same answers as JavaScript's own", () => {
  test.each([false, true])("ignoring case: %s", (ignoreCase) => {
    fc.assert(
      fc.property(regexes, fc.array(texts, { minLength: 3, maxLength: 3 }), (source, many) => {
        const expected = new RegExp(source, ignoreCase ? "iu" : "u");
        const regex = new LinearRegex(source, ignoreCase);
        for (const characters of many) {
          const text = characters.join("");
          expect([text, regex.test(text)]).toEqual([text, expected.test(text)]);
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});

test.each(["(a+)+$", "^(a|a)*$", "(a*)*b", "(.*)*x", "(a?){200}a{200}b", "((a+)+)+c"])(
  "%s is fast on 10,000 a's",
  (source) => {
    // JavaScript's own would not end; a second is far from what linear time takes.
    const text = `${"a".repeat(10_000)}!`;
    const regex = new LinearRegex(source);
    expect(regex.test(text)).toBe(false);
  },
);

test.each([
  ["a**", 2],
  ["*a", 0],
  ["a{2,1}", 1],
  ["a{x}", 1],
  ["(a", 0],
  ["a)", 1],
  ["[a", 0],
  ["[b-a]", 1],
  ["[\\d-z]", 1],
  ["\\", 0],
  ["\\q", 0],
  ["\\p{Nope}", 0],
  ["\\u{110000}", 0],
  ["(?<name>a)", 0],
  ["(?<!a)b", 0],
  ["a\\k<a>", 1],
  ["^*", 0],
  ["((a{1000}){1000}){1000}", 0],
])("%s is refused at %d", (source, place) => {
  expect(() => new LinearRegex(source)).toThrow(expect.objectContaining({ name: "PatternError", place }));
});
