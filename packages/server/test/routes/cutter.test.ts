// Where a text is cut, and in which parts it comes, does not change what comes out.
import { Pipeline, readModel } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { Random } from "../../../core/src/math/random.js";
import { toyPipelineFile } from "../../../core/test/toy-pipeline-file.js";
import { groups, TextCutter } from "../../src/routes/cutter.js";

const PARTS = [
  "Mina sells maps. ",
  "\n",
  "\n\n",
  " ",
  "\r\n",
  "Rek ",
  "\t",
  "😀 ",
  "\u2029",
  "\f",
  "Yes! ",
  "\n \n",
  "日本。",
];

describe("cutting a text into pieces", () => {
  const pipeline = new Pipeline(readModel(toyPipelineFile()));
  const parsed = (text: string, input: "text" | "lines", offset = 0) =>
    [...pipeline.parse(text, { input, offset })].map((sentence) => sentence.toConllu({ offsets: true }));

  it.each(["text", "lines"] as const)("gives the sentences of the whole: %s", (kind) => {
    const seed = 7;
    const random = new Random(seed);
    const below = (limit: number) => Math.floor(random.next() * limit);
    for (let round = 0; round < 100; round++) {
      const length = below(60) + (round % 20 === 0 ? 2000 : 0);
      const text = Array.from({ length }, () => PARTS[below(PARTS.length)]!).join("");
      const cutter = new TextCutter(kind);
      const pieces = [];
      for (let at = 0; at < text.length; ) {
        const end = at + 1 + below(round % 3 === 0 ? 4000 : 40);
        pieces.push(...cutter.push(text.slice(at, end)));
        at = end;
      }
      pieces.push(...cutter.end());
      const sentences = pieces.flatMap((piece) => parsed(piece.text, kind, piece.offset));
      expect(sentences, `seed ${seed}, round ${round}`).toEqual(parsed(text, kind));
    }
  });

  it("holds back no paragraph that is complete, and cuts one without end", () => {
    const cutter = new TextCutter("text");
    expect([...cutter.push("Mina sells maps.\n\n")]).toEqual([]);
    expect([...cutter.push("R")].map(({ text }) => text)).toEqual(["Mina sells maps.\n\n"]);
    const long = [...cutter.push(`ek finds. ${"maps ".repeat(20_000)}`)];
    expect(long.map(({ text }) => text.length)).toEqual([11, 65_535]);
    expect(long[1]!.continues).toBe(true);
    const whole = [...long, ...cutter.end()].map(({ text }) => text).join("");
    expect(whole).toBe(`Rek finds. ${"maps ".repeat(20_000)}`);
  });

  it("knows after every kind of paragraph break that a paragraph begins", () => {
    for (const paragraphBreak of ["\n\n", "\v\v", "\u2028\u2028", "\u0085\u0085", "\f", "\u2029", "\n \r\n"]) {
      const cutter = new TextCutter("text");
      const pieces = [...cutter.push(`Mina sells maps.${paragraphBreak}Rek`), ...cutter.end()];
      expect(
        pieces.map(({ continues }) => continues),
        JSON.stringify(paragraphBreak),
      ).toEqual([false, false]);
    }
  });

  it("puts sentences into groups", () => {
    const sizes = [...groups(Array(10).fill(1000), (size: number) => size)].map((group) => group.length);
    expect(sizes).toEqual([2, 2, 2, 2, 2]);
    // Sentences of one word are more work than their characters say.
    const short = [...groups(Array(1000).fill("a"), (text: string) => text.length)].map((group) => group.length);
    expect(Math.max(...short)).toBeLessThan(200);
    for (const kind of ["text", "lines"] as const) {
      const cutter = new TextCutter(kind);
      const pieces = [...cutter.push("a\n\n".repeat(2000)), ...cutter.end()];
      expect(Math.max(...pieces.map(({ text }) => text.length)), kind).toBeLessThan(600);
    }
  });
});
