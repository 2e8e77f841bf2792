import { beforeAll, describe, expect, test } from "vitest";
import { compareSystems, evaluate, plotSVG } from "../src/evaluation.js";
import {
  Document,
  MAX_WORDS,
  match,
  Pipeline,
  readModel,
  readTreebank,
  Sentence,
  SentenceTooLong,
  toLatex,
  toStackedSVG,
  toSVG,
  toText,
} from "../src/index.js";
import { createSystem, GoldTree } from "../src/systems.js";
import { TreebankReader } from "../src/treebank.js";
import { toyPipeline } from "./toy-pipeline.js";

const TEXT = "Mina likes green boats. Toru doesn't sell maps!\nRek finds lamps.\n\nLopa paints old ponds.";
let parser: Pipeline;
let wide: Pipeline;
beforeAll(() => {
  const model = toyPipeline();
  parser = new Pipeline(model);
  wide = new Pipeline(model, { beam: 4 });
});

describe("arguments of a pipeline are checked when it is called", () => {
  const wrong: [string, (p: Pipeline) => unknown, string][] = [
    ["parse(42)", (p) => p.parse(42 as never), "invalid text: 42 (expected a string)"],
    ["parse()", (p) => p.parse(undefined as never), "invalid text: undefined (expected a string)"],
    [
      "input",
      (p) => p.parse("a", { input: "foo" as never }),
      'invalid input of parse: "foo" (expected one of text, lines, tokens)',
    ],
    [
      "offset",
      (p) => p.parse("a", { offset: "3" as never }),
      'invalid offset of parse: "3" (expected a whole number from 0)',
    ],
    ["no trees", (p) => p.parse("a", { trees: 0 }), "invalid trees of parse: 0 (expected a whole number from 1)"],
    [
      "more trees than the beam",
      (p) => p.parse("a", { trees: 5 }),
      "invalid number of trees: 5 (expected 1 to 4, the width of the beam)",
    ],
    ["scores", (p) => p.parse("a", { scores: 1 as never }), "invalid scores of parse: 1 (expected true or false)"],
    [
      "maxWords",
      (p) => p.parse("a", { maxWords: 0 }),
      "invalid maxWords of parse: 0 (expected a whole number from 1, or Infinity)",
    ],
    [
      "tooLong",
      (p) => p.parse("a", { tooLong: "cut" as never }),
      'invalid tooLong of parse: "cut" (expected one of split, throw)',
    ],
    [
      "signal",
      (p) => p.parse("a", { signal: {} as never }),
      "invalid signal of parse: Object (expected an AbortSignal)",
    ],
    [
      "an unknown option",
      (p) => p.parse("a", { imput: "lines" } as never),
      "unknown option of parse: imput (expected one of input, ",
    ],
    ["options", (p) => p.parse("a", "lines" as never), 'invalid options of parse: "lines" (expected an object)'],
    [
      "parseStream(text)",
      (p) => p.parseStream("text" as never),
      'invalid chunks: "text" (expected an iterable of strings or bytes, or a ReadableStream)',
    ],
    ["parseStream(bytes)", (p) => p.parseStream(new Uint8Array(3) as never), "invalid chunks: Uint8Array (expected"],
    ["parseStream option", (p) => p.parseStream([], { trees: 0 }), "invalid trees of parseStream: 0"],
    ["parseTokens(text)", (p) => p.parseTokens("a b" as never), 'invalid words: "a b" (expected an array)'],
    ["a token", (p) => p.parseTokens(["a", 3 as never]), "invalid token: 3 (expected a non-empty string)"],
    ["an empty token", (p) => p.parseTokens(["a", ""]), 'invalid token: "" (expected a non-empty string)'],
    [
      "a word without form",
      (p) => p.parseTokens([{ upos: "X" } as never]),
      "invalid token: undefined (expected a non-empty string)",
    ],
    [
      "a word's tag",
      (p) => p.parseTokens([{ form: "a", upos: 4 as never }]),
      "invalid upos of word 1: 4 (expected a string)",
    ],
    [
      "a word's field",
      (p) => p.parseTokens([{ form: "a", pos: "X" } as never]),
      "unknown option of word 1: pos (expected one of form, ",
    ],
    [
      "a word's head",
      (p) => p.parseTokens([{ form: "a", head: "0" as never }]),
      'invalid head of word 1: "0" (expected a whole number)',
    ],
    ["feats", (p) => p.parseTokens([{ form: "a", feats: { Case: 3 as never } }]), "invalid FEATS"],
    ["parseTokensBest", (p) => p.parseTokensBest(["a"], 0), "invalid number of trees: 0 (expected 1 to 4"],
  ];
  test.each(wrong)("%s", (_, call, message) => expect(() => call(wide)).toThrow(message));
});

describe("a sentence that is too long", () => {
  const words = (count: number) => Array.from({ length: count }, () => "boats").join(" ");

  test("is split, and says so", () => {
    const text = words(MAX_WORDS + 1);
    const parts = [...parser.parse(text, { input: "tokens" })];
    expect(parts.map(({ length }) => length)).toEqual([MAX_WORDS, 1]);
    expect(parts.map(({ part }) => part)).toEqual([
      { number: 1, of: 2 },
      { number: 2, of: 2 },
    ]);
    expect(parts[1]!.toConllu()).toContain("# part = 2 of 2\n");
    expect(parts[1]!.toJSON().comments).toEqual(["# part = 2 of 2"]);
    expect(readTreebank(parts[0]!.toConllu())[0]!.part).toEqual({ number: 1, of: 2 });
    for (const part of parts) for (const { form, start, end } of part.tokens) expect(text.slice(start, end)).toBe(form);
    expect(parts.map((part) => part.text).join(" ")).toBe(text);
    const [whole] = parser.parse(words(MAX_WORDS), { input: "tokens" });
    expect(whole!.part).toBeUndefined();
  });

  test("is split after punctuation if it can be, and never inside a token", () => {
    const split = (text: string, maxWords: number) => [...parser.parse(text, { input: "lines", maxWords })];
    const text = "Mina likes boats , Toru likes maps , Rek doesn't sell lamps";
    expect(split(text, 6).map((part) => part.text)).toEqual([
      "Mina likes boats ,",
      "Toru likes maps ,",
      "Rek doesn't sell lamps",
    ]);
    const parts = split("Rek doesn't sell lamps", 2);
    expect(parts.map((part) => part.text)).toEqual(["Rek", "doesn't", "sell lamps"]);
    expect(parts.map(({ length }) => length)).toEqual([1, 2, 2]);
  });

  test("is refused where that is asked for, and where it is given as one", () => {
    const six = ["a", "b", "c", "d", "e", "f"];
    const parse = () => [...parser.parse(six.join(" "), { input: "tokens", maxWords: 5, tooLong: "throw" })];
    expect(parse).toThrow(SentenceTooLong);
    expect(parse).toThrow("the sentence has 6 words (expected at most 5)");
    expect(() => parser.parseTokens(six, { maxWords: 5 })).toThrow(SentenceTooLong);
    expect(parser.parseTokens(new Array(MAX_WORDS + 1).fill("boats")).length).toBe(MAX_WORDS + 1);
    expect([...parser.parse(words(MAX_WORDS + 1), { input: "tokens", maxWords: Infinity })]).toHaveLength(1);
  });

  test("each part has its trees", () => {
    const ranks = [...wide.parse("a b c", { input: "tokens", maxWords: 2, trees: 2 })].map(
      ({ part, tree }) => `${part!.number} of ${part!.of}: ${tree!.rank}`,
    );
    expect(ranks).toContain("1 of 2: 1");
    expect(ranks).toContain("2 of 2: 1");
  });
});

describe("a signal ends parsing with its reason", () => {
  test("between sentences", () => {
    const control = new AbortController();
    const reason = new Error("enough");
    const read: number[] = [];
    expect(() => {
      for (const sentence of parser.parse(TEXT, { signal: control.signal })) {
        read.push(sentence.length);
        control.abort(reason);
      }
    }).toThrow(reason);
    expect(read).toHaveLength(1);
    expect(() => parser.parseTokens(["a"], { signal: control.signal })).toThrow(reason);
  });

  test("while a piece of the text is waited for", async () => {
    const control = new AbortController();
    const reason = new Error("no longer");
    async function* stalled() {
      yield TEXT;
      await new Promise(() => {});
    }
    const sentences = parser.parseStream(stalled(), { signal: control.signal });
    await sentences.next();
    setTimeout(() => control.abort(reason), 5);
    await expect(
      (async () => {
        for await (const sentence of sentences) expect(sentence.length).toBeGreaterThan(0);
      })(),
    ).rejects.toBe(reason);
  });
});

describe("parseStream", () => {
  const written = async (source: Parameters<Pipeline["parseStream"]>[0], options = {}) => {
    let text = "";
    for await (const sentence of parser.parseStream(source, options)) text += sentence.toConllu({ offsets: true });
    return text;
  };
  const whole = (text: string, options = {}) =>
    [...parser.parse(text, options)].map((sentence) => sentence.toConllu({ offsets: true })).join("");
  const INTERNATIONAL = `${TEXT}\n\nMina likes bötte 🛶. `;
  const bytes = new TextEncoder().encode(INTERNATIONAL);
  const cut = (size: number) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
  /** A stream as in browsers that cannot iterate over one. */
  const stream = (chunks: Uint8Array[], onCancel = () => {}) => {
    const left = [...chunks];
    const getReader = () => ({
      read: async () => (left.length > 0 ? { done: false, value: left.shift() } : { done: true }),
      cancel: async () => onCancel(),
      releaseLock: () => {},
    });
    return { getReader };
  };

  test("takes strings and bytes in any pieces, and streams", async () => {
    const expected = whole(INTERNATIONAL);
    for (const size of [1, 2, 3, 7, 1000]) expect(await written(cut(size))).toBe(expected);
    expect(await written([...INTERNATIONAL.slice(0, 20), bytes.subarray(20)])).toBe(expected);
    expect(await written([bytes.slice().buffer])).toBe(expected);
    expect(await written(new Response(bytes.slice()).body!)).toBe(expected);
    expect(await written(stream(cut(5)))).toBe(expected);
  });

  test("tells a stream that is left that nothing more is wanted", async () => {
    let cancelled = 0;
    const source = stream([bytes, bytes, bytes, bytes], () => cancelled++);
    for await (const sentence of parser.parseStream(source)) if (sentence.length > 0) break;
    expect(cancelled).toBe(1);
  });

  test("refuses pieces that are neither", async () => {
    await expect(written([4 as never])).rejects.toThrow("invalid chunk: 4 (expected a string or bytes)");
  });

  test.each(["lines", "tokens"] as const)("knows %s", async (input) => {
    const text = "\n  Mina likes\r\n\r\n  Toru sells maps .\nRek\u2029finds \n";
    const expected = whole(text, { input, offset: 7 });
    expect(expected.match(/# text/g)).toHaveLength(4);
    for (const size of [1, 2, 5, 100]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      );
      expect(await written(chunks, { input, offset: 7 })).toBe(expected);
    }
  });

  test("lets the event loop breathe", async () => {
    let ticks = 0;
    let stopped = false;
    const tick = () => {
      ticks++;
      if (!stopped) setImmediate(tick);
    };
    setImmediate(tick);
    const turns: number[] = [];
    for await (const sentence of parser.parseStream(["Mina likes green boats. ".repeat(5000)])) {
      if (sentence.length > 0 && turns.at(-1) !== ticks) turns.push(ticks);
    }
    stopped = true;
    expect(turns.length).toBeGreaterThan(3);
  });
});

describe("arguments of the other functions", () => {
  const sentence = Sentence.from({ words: [{ form: "a", head: 0, deprel: "root" }] });
  const tree = sentence.drawable();
  const wrong: Record<string, [() => unknown, string]> = {
    "readTreebank(42)": [() => readTreebank(42 as never), "invalid treebank: 42 (expected a string or a Uint8Array)"],
    "a format": [
      () => readTreebank("", { format: "tiger" as never }),
      'invalid format of a treebank reader: "tiger" (expected one of conllu, conllx, conll09, json)',
    ],
    "a reader's option": [
      () => new TreebankReader({ strict: true } as never),
      "unknown option of a treebank reader: strict",
    ],
    "a reader's line": [
      () => new TreebankReader({ line: 0 }),
      "invalid line of a treebank reader: 0 (expected a whole number from 1)",
    ],
    "Document(42)": [
      () => new Document(42 as never),
      "invalid sentences: 42 (expected sentences in an array or another iterable)",
    ],
    "Document of texts": [() => new Document(["a" as never]), 'invalid sentence: "a" (expected a Sentence)'],
    "document.at": [() => new Document([sentence]).at("3" as never), 'invalid offset: "3" (expected a whole number)'],
    "document.sentence": [() => new Document([sentence]).sentence(3 as never), "invalid id: 3 (expected a string)"],
    "sentence.find": [() => sentence.find(3 as never), "invalid relation: 3 (expected a string)"],
    "sentence.comments": [
      () => Object.assign(sentence, { comments: "x" }),
      'invalid comments: "x" (expected an array)',
    ],
    "a comment": [() => Object.assign(sentence, { comments: [3] }), "invalid comment: 3 (expected a string)"],
    "sentence.moveTo": [() => sentence.moveTo("3" as never), 'invalid start: "3"'],
    "sentence.set": [
      () => sentence.set("tag" as never, 1, "X"),
      'invalid column: "tag" (conllu does not have it; expected form, lemma',
    ],
    "sentence.toConllu": [() => sentence.toConllu({ ofsets: true } as never), "unknown option of toConllu: ofsets"],
    "toSVG of a sentence": [() => toSVG(sentence as never), "invalid forms of the tree: undefined (expected an array)"],
    "toSVG option": [
      () => toSVG(tree, { direction: "up" as never }),
      'invalid direction of toSVG: "up" (expected one of ltr, rtl)',
    ],
    toStackedSVG: [() => toStackedSVG(tree as never), "invalid trees: Object (expected an array)"],
    toText: [() => toText(tree, { colour: true } as never), "unknown option of toText: colour"],
    "toText style": [() => sentence.toText({ style: "flat" as never }), 'invalid style of toText: "flat"'],
    toLatex: [() => toLatex(tree, { direction: 1 as never }), "invalid direction of toLatex: 1"],
    plotSVG: [
      () => plotSVG({} as never),
      "invalid series of the plot: undefined (expected an array of series with points)",
    ],
    evaluate: [() => evaluate(42 as never, []), "invalid gold: 42 (expected sentences in an array"],
    "evaluate of texts": [() => evaluate(["a" as never], []), 'invalid gold sentence: "a" (expected a Sentence)'],
    "evaluate's labels": [
      () => evaluate([], [], { labels: "all" as never }),
      'invalid labels of an evaluation: "all" (expected one of universal, full)',
    ],
    "evaluate's option": [() => evaluate([], [], { punct: false } as never), "unknown option of an evaluation: punct"],
    compareSystems: [
      () =>
        compareSystems({ gold: [], system: [], uas: [], las: [] }, { gold: [], system: [], uas: [], las: [] }, "las", {
          samples: 0,
        }),
      "invalid samples of compareSystems: 0 (expected a whole number from 1)",
    ],
    "createSystem(3)": [() => createSystem(3 as never), "unknown transition system: 3 (expected one of"],
    "a system's root": [
      () => createSystem("arc-hybrid", { root: "middle" as never }),
      'invalid root of arc-hybrid: "middle"',
    ],
    "a system's option": [
      () => createSystem("arc-hybrid", { single: true } as never),
      "unknown option of arc-hybrid: single (expected one of root, singleRoot)",
    ],
    "GoldTree(3)": [() => new GoldTree(3 as never), "invalid gold heads: 3 (expected an array of the heads of words"],
    "gold labels": [() => new GoldTree([-1, 0], [1]), "invalid gold labels: 1 entries (expected 2, as many as heads)"],
    "match(text)": [() => match("a" as never, "{}"), 'invalid sentence: "a" (expected a Sentence)'],
    "match pattern": [
      () => match(sentence, 4 as never),
      "invalid pattern: 4 (expected text or an object with clauses)",
    ],
    readModel: [() => readModel("en.stemma" as never), 'invalid model: "en.stemma" (expected a Uint8Array)'],
  };
  test.each(Object.keys(wrong))("%s", (name) => expect(wrong[name]![0]).toThrow(wrong[name]![1]));
});
