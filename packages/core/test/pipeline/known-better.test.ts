// Facts that a user knows better than the model: tokens, spaces between them, tags; and tags without trees.
import { beforeAll, describe, expect, test } from "vitest";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import type { PipelineModel } from "../../src/pipeline/pipeline-model.js";
import { toyPipeline } from "../toy-pipeline.js";

let model: PipelineModel;
let pipeline: Pipeline;
beforeAll(() => {
  model = toyPipeline();
  pipeline = new Pipeline(model);
});

const tokensOf = (text: string, options: object) =>
  [...new Pipeline(model, options).parse(text)].flatMap(({ tokens }) => tokens.map(({ form }) => form));

describe("tokens", () => {
  test("by their text, also with several words", () => {
    const options = { tokens: { "O.K.": true, dunno: ["du", "n", "no"], "B+": true } as const };
    expect(tokensOf("Mina likes O.K. boats, B+ maps, AB+ lamps.", options)).toEqual(
      expect.arrayContaining(["O.K.", "B+"]),
    );
    expect(tokensOf("Mina likes AB+ lamps.", options)).not.toContain("B+");
    const [sentence] = new Pipeline(model, options).parse("Mina dunno maps.");
    expect(sentence!.words.map(({ form, start }) => [form, start])).toEqual([
      ["Mina", 0],
      ["du", 5],
      ["n", 7],
      ["no", 8],
      ["maps", 11],
      [".", 15],
    ]);
    // A contraction that the model splits stays whole.
    expect([...new Pipeline(model, { tokens: { "doesn't": true } }).parse("Toru doesn't sell maps.")][0]!.length).toBe(
      5,
    );
  });

  test("by patterns", () => {
    expect(tokensOf("Mina sells Q-12, q-7 maps.", { tokenPatterns: [/q-\d+/i] })).toEqual(
      expect.arrayContaining(["Q-12", "q-7"]),
    );
    // An empty match is none.
    expect(tokensOf("Mina sells maps.", { tokenPatterns: [/x*/] })).toEqual(["Mina", "sells", "maps", "."]);
  });

  test("say what is wrong", () => {
    const make = (options: object) => () => new Pipeline(model, options);
    expect(make({ tokens: { "New York": true } })).toThrow(
      'invalid token: "New York" (expected text without white space)',
    );
    expect(make({ tokens: { u: ["you"] } })).toThrow(
      "invalid words of the token u: an array of 1 (expected true, or an",
    );
    expect(make({ tokenPatterns: "x" })).toThrow(
      'invalid tokenPatterns of the parser: "x" (expected an array of regular',
    );
    expect(make({ token: {} })).toThrow("unknown option of the parser: token");
  });
});

describe("a function between tagger and parser", () => {
  test("changes tags, which the rest agrees with, and sets heads", () => {
    const seen: string[][] = [];
    const own = new Pipeline(model, {
      afterTagging(words) {
        seen.push(words.map(({ form, upos }) => `${form}/${upos}`));
        for (const word of words) if (word.form === "maps") Object.assign(word, { upos: "VERB", head: 0 });
      },
    });
    const [sentence] = own.parse("Mina likes maps.");
    expect(seen).toEqual([["Mina/PROPN", "likes/VERB", "maps/NOUN", "./PUNCT"]]);
    expect(sentence!.words[2]).toMatchObject({ upos: "VERB", xpos: "VE", headIndex: 0 });
    expect(sentence!.root.form).toBe("maps");
  });

  test("that changes nothing changes nothing; one that changes tokens is refused", () => {
    const text = "Mina likes maps. Toru doesn't sell green boats!";
    const same = new Pipeline(model, { afterTagging() {} });
    expect([...same.parse(text)].join("")).toBe([...pipeline.parse(text)].join(""));
    const wrong = new Pipeline(model, { afterTagging: (words) => void words.pop() });
    expect(() => [...wrong.parse(text)]).toThrow("invalid words after afterTagging (expected the same words");
  });
});

describe("spaces of known tokens", () => {
  const spaced = (...words: Parameters<Pipeline["parseTokens"]>[0]) => pipeline.parseTokens(words);
  test("by spaceAfter", () => {
    const sentence = spaced("Mina", "likes", { form: "maps", spaceAfter: false }, ".");
    expect([sentence.text, sentence.words[3]!.start, sentence.misc(3)]).toEqual([
      "Mina likes maps.",
      15,
      "SpaceAfter=No",
    ]);
  });

  test("by offsets", () => {
    const sentence = spaced({ form: "Mina", start: 10 }, { form: "likes", start: 16 }, "maps", {
      form: ".",
      start: 26,
    });
    expect([sentence.text, sentence.start, sentence.end]).toEqual(["Mina  likes maps.", 10, 27]);
    expect(sentence.words.map(({ start }) => start)).toEqual([10, 16, 22, 26]);
    expect(() => spaced({ form: "Mina", start: 0 }, { form: "likes", start: 3 })).toThrow(
      "invalid start of word 2: 3 (expected from 4, where the token before ends)",
    );
    expect(() => spaced({ form: "Mina", start: -1 })).toThrow(
      "invalid start of word 1: -1 (expected a whole number from 0)",
    );
  });
});

test("parse: false gives the tags and lemmas that parsing gives, and no tree", () => {
  const text = "Mina likes maps. Toru doesn't sell green boats!";
  const tagged = [...pipeline.parse(text, { parse: false })];
  const parsed = [...pipeline.parse(text)];
  const tags = (sentence: (typeof tagged)[number]) =>
    sentence.words.map(({ form, lemma, upos, xpos, start }) => [form, lemma, upos, xpos, start]);
  expect(tagged.map(tags)).toEqual(parsed.map(tags));
  expect(tagged[0]!.words.map(({ headIndex, deprel }) => [headIndex, deprel])).toEqual(
    [-1, -1, -1, -1].map((h) => [h, "_"]),
  );
  expect([tagged[0]!.root, parsed[0]!.root.form]).toEqual([undefined, "likes"]);
  expect(pipeline.parseTokens(["Mina"], { parse: false }).root).toBe(undefined);
});
