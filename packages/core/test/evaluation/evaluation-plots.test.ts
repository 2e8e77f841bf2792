import { expect, it } from "vitest";
import { plotSVG } from "../../src/drawing/plot.js";
import { evaluate } from "../../src/evaluation/evaluation.js";
import { evaluationPlots } from "../../src/evaluation/plots.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";

const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

it("draws lines with markers, a legend, ticks and labels", () => {
  const svg = plotSVG({
    title: "Accuracy <LAS>",
    x: { label: "words" },
    y: { label: "%", min: 0, max: 100 },
    series: [
      {
        name: "one",
        points: [
          { x: 1, y: 90 },
          { x: 2, y: 80 },
          { x: 5, y: 50 },
        ],
      },
      {
        name: "two",
        points: [
          { x: 1, y: 95 },
          { x: 5, y: 60 },
        ],
      },
    ],
  });
  expect(svg).toContain("<title>Accuracy &#60;LAS&#62;</title>");
  expect(svg.match(/class="line"/g)).toHaveLength(4);
  expect(svg.match(/class="marker"/g)).toHaveLength(7);
  expect(texts(svg)).toEqual(expect.arrayContaining(["one", "two", "words", "%", "0", "20", "100", "1", "5"]));
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  expect(svg).not.toContain("color-scheme");
});

it("draws scatter plots with names and a logarithmic axis", () => {
  const points = [
    { x: 100, y: 80, label: "slow" },
    { x: 10_000, y: 70 },
    { x: 0, y: 75 },
  ];
  const svg = plotSVG(
    {
      title: "t",
      x: { label: "words/s", log: true },
      y: { label: "LAS" },
      series: [{ name: "s", points, kind: "scatter" }],
    },
    { standalone: true },
  );
  expect(svg).not.toContain('class="line"');
  // One in the legend; the point at 0 has no place on a logarithmic axis.
  expect(svg.match(/class="marker"/g)).toHaveLength(3);
  expect(texts(svg)).toEqual(expect.arrayContaining(["slow", "100", "1,000", "10,000"]));
  const places = [...svg.matchAll(/translate\(([\d.]+) [\d.]+\)" d/g)].map(([, x]) => Number(x)).slice(1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(svg).toContain("color-scheme:light dark");
});

it("draws nothing, one point and equal values without breaking", () => {
  for (const points of [
    [],
    [{ x: 3, y: 3 }],
    [
      { x: 1, y: 2 },
      { x: 2, y: 2 },
    ],
    [{ x: Number.NaN, y: 1 }],
  ]) {
    for (const log of [false, true]) {
      const svg = plotSVG({ title: "", x: { label: "", log }, y: { label: "", log }, series: [{ name: "s", points }] });
      expect(svg).not.toMatch(/NaN|Infinity/);
    }
  }
});

it("draws the curves of an evaluation, a line for each system", () => {
  const n = 60;
  const words = Array.from({ length: n }, (_, i) => ({ form: "w", head: i, deprel: "dep" }));
  const gold = Array.from({ length: 12 }, () => Sentence.from({ words }));
  const system = gold.map(() =>
    Sentence.from({ words: words.map((word, i) => ({ ...word, head: i > 1 && i % 2 ? i - 1 : i })) }),
  );
  const plots = evaluationPlots([
    { name: "right", evaluation: evaluate(gold, gold) },
    { name: "half", evaluation: evaluate(gold, system) },
  ]);
  expect([...plots.keys()].sort()).toEqual([
    "length-precision.svg",
    "length-recall.svg",
    "root-distance-precision.svg",
    "root-distance-recall.svg",
    "sentence-length-recall.svg",
  ]);
  for (const svg of plots.values()) {
    expect(texts(svg)).toEqual(expect.arrayContaining(["right", "half", "100"]));
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  }
  expect(texts(plots.get("length-recall.svg")!)).toContain("gold length of the arc (words)");
});
