import { expect, it } from "vitest";
import { DisfluencyStatistics } from "../../src/disfluencies/disfluency-statistics.js";
import { byCount, type CountableSentence, Distribution, TreebankStatistics } from "../../src/treebank/statistics.js";
import { isProjective } from "../../src/treebank/tree.js";

/** Words as "form upos feats head deprel", separated by commas. */
function sentence(text: string): CountableSentence {
  const rows = text.split(",").map((row) => row.trim().split(" "));
  const column = (index: number) => (i: number) => rows[i - 1]![index]!;
  return {
    length: rows.length,
    heads: Int32Array.of(-1, ...rows.map((row) => Number(row[3]))),
    form: column(0),
    upos: column(1),
    xpos: () => "_",
    feats: column(2),
    deprel: column(4),
  };
}

const projective = sentence("she PRON Case=Nom|Number=Sing 2 nsubj, sleeps VERB Number=Sing 0 root");
const crossing = sentence(
  "mail NOUN _ 2 nsubj, came VERB _ 0 root, today NOUN _ 2 obl, for ADP _ 5 case, her PRON _ 1 nmod",
);
const looping = sentence("well INTJ _ 0 root, well INTJ _ 2 conj, she PRON _ 1 x");

const builders = [
  { name: "all", canBuild: () => true },
  { name: "projective", canBuild: isProjective },
];

it("counts sizes, inventories and measures", () => {
  const statistics = new TreebankStatistics(builders);
  for (const each of [projective, crossing, looping]) statistics.add(each);
  const json = statistics.toJSON();
  expect(json).toMatchObject({
    sentences: 3,
    words: 10,
    forms: 8,
    trees: 2,
    notTrees: 1,
    treesWithSeveralRoots: 0,
    upos: { PRON: 3, INTJ: 2, NOUN: 2, VERB: 2, ADP: 1 },
    xpos: {},
    feats: { "Number=Sing": 2, "Case=Nom": 1 },
    featureBundles: 2,
    nonProjective: { sentences: 2, sentenceShare: 2 / 3, arcs: 2, arcShare: 0.2 },
    wellNested: { trees: 2, share: 1 },
    gapDegree: { mean: 0.5, median: 0, max: 1, counts: { 0: 1, 1: 1 } },
    edgeDegree: { counts: { 0: 1, 1: 1 } },
    depth: { mean: 3, median: 2, max: 4, counts: { 2: 1, 4: 1 } },
    sentenceLength: { median: 3, max: 5, counts: { 2: 1, 3: 1, 5: 1 } },
    arcLength: { max: 4, counts: { 1: 4, 4: 1 } },
    leftArcs: { arcs: 3, share: 0.6 },
    coverage: { all: { trees: 2, share: 1 }, projective: { trees: 1, share: 0.5 } },
  });
  expect(Object.keys(json.upos)).toEqual(["PRON", "INTJ", "NOUN", "VERB", "ADP"]);
});

it("merges to the same as counting together", () => {
  const [a, b, both] = [1, 2, 3].map(() => new TreebankStatistics(builders)) as [
    TreebankStatistics,
    TreebankStatistics,
    TreebankStatistics,
  ];
  a.add(projective);
  b.add(crossing);
  b.add(looping);
  for (const each of [projective, crossing, looping]) both.add(each);
  a.merge(b);
  expect(a.toJSON()).toEqual(both.toJSON());
});

it("gives zeros for nothing", () => {
  const json = new TreebankStatistics().toJSON();
  expect(json.depth).toEqual({ mean: 0, median: 0, max: 0, counts: {} });
  expect(json.nonProjective.sentenceShare).toBe(0);
});

it("summarizes distributions", () => {
  const distribution = new Distribution();
  for (const value of [1, 1, 2, 7]) distribution.add(value);
  expect([distribution.mean, distribution.median, distribution.max]).toEqual([2.75, 1, 7]);
  expect(distribution.between(2, 100)).toBe(2);
});

it("orders inventories by count, then by name, whatever the names are", () => {
  const names = ["b", "a", "__proto__", "c"];
  const counts = new Map(names.map((name) => [name, name === "c" ? 2 : 1]));
  expect(byCount(counts).map(([name]) => name)).toEqual(["c", "__proto__", "a", "b"]);
});

it("counts disfluencies by their length, also where a length is missing in between", () => {
  const statistics = new DisfluencyStatistics();
  const add = ({ heads, length, deprel }: CountableSentence) =>
    statistics.add(heads, ["", ...Array.from({ length }, (_, k) => deprel(k + 1))]);
  // One word that is repaired, and three.
  add(sentence("the DET _ 2 reparandum, a DET _ 3 det, boat NOUN _ 0 root"));
  add(sentence("on ADP _ 3 case, the DET _ 3 det, quay NOUN _ 4 reparandum, boat NOUN _ 5 nsubj, sails VERB _ 0 root"));
  expect(JSON.stringify(statistics.toJSON())).toContain('"lengths":{"1":1,"3":1}');
  expect([0.5, 0.51, 1].map((share) => statistics.spanLength(share))).toEqual([1, 3, 3]);
  expect(new DisfluencyStatistics().spanLength(0.99)).toBe(1);
});

it("takes a share that is reached exactly as reached, whatever the last bits say", () => {
  const statistics = new DisfluencyStatistics();
  for (let i = 0; i < 55; i++) statistics.add([-1, 2, 0], ["", "reparandum", "root"]);
  for (let i = 0; i < 45; i++) statistics.add([-1, 2, 3, 0], ["", "det", "reparandum", "root"]);
  expect(0.55 * 100).toBeGreaterThan(55);
  expect(statistics.spanLength(0.55)).toBe(1);
  expect(statistics.spanLength(0.56)).toBe(2);
});
