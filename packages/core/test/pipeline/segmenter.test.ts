import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { Random } from "../../src/math/random.js";
import { paragraphEnd, WINDOW } from "../../src/pipeline/segmenter/characters/paragraphs.js";
import { guessSpaces, plainText, surfaceOf } from "../../src/pipeline/segmenter/segment-text.js";
import { type RawSentence, Segmenter } from "../../src/pipeline/segmenter/segmenter.js";
import { checkSegmenterHeader, SegmenterModel } from "../../src/pipeline/segmenter/segmenter-model.js";
import { SegmenterStream } from "../../src/pipeline/segmenter/segmenter-stream.js";
import { trainSegmenter } from "../../src/training/segmenter/segmenter-training.js";
import type { SentenceInput } from "../../src/treebank/sentence/list-columns.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { escapeSpaces, isParagraphBreak, textOf, unescapeSpaces } from "../../src/treebank/sentence/spaces.js";
import { sentenceInput, spacesMisc } from "./raw-sentences.js";

// A made-up treebank: sentences of a few patterns, with an abbreviation, prices, quotes and multiword tokens.
const NAMES = ["Mina", "Toru", "Lopa", "Rek"];
const NOUNS = ["boats", "apples", "lamps", "maps"];
const VERBS = ["sells", "likes", "finds"];

function madeUp(count: number, seed: number): Sentence[] {
  const random = new Random(seed);
  const pick = (items: readonly string[]) => items[Math.floor(random.next() * items.length)]!;
  return Array.from({ length: count }, (_, i) => {
    const tokens: (string | string[])[] = [];
    // "^" before a token: no space between it and the token before.
    if (random.next() < 0.3) tokens.push("Dr.");
    tokens.push(pick(NAMES), random.next() < 0.3 ? ["does", "n't"] : pick(VERBS));
    if (random.next() < 0.3) tokens.push('"', `^${pick(NOUNS)}`, '^"');
    else tokens.push(pick(NOUNS));
    if (random.next() < 0.3) tokens.push("^,", "and", pick(NOUNS));
    if (random.next() < 0.3) tokens.push("for", "$", `^${1 + Math.floor(90 * random.next())}.50`);
    tokens.push(random.next() < 0.8 ? "^." : "^!");
    return made(tokens, i % 10 === 0 ? ["newdoc"] : []);
  });
}

function made(tokens: readonly (string | readonly string[])[], comments: string[] = []): Sentence {
  const input = { words: [] as { form: string; misc?: string }[], multiWordTokens: [] as object[], comments };
  tokens.forEach((token, t) => {
    const next = tokens[t + 1];
    const misc = typeof next === "string" && next.startsWith("^") ? "SpaceAfter=No" : "_";
    if (typeof token === "string") {
      input.words.push({ form: token.replace(/^\^/, ""), misc });
      return;
    }
    const from = input.words.length + 1;
    for (const form of token) input.words.push({ form });
    input.multiWordTokens.push({ from, to: input.words.length, form: token.join(""), misc });
  });
  return Sentence.from(input as SentenceInput);
}

let model: SegmenterModel;
let segmenter: Segmenter;
beforeAll(() => {
  model = trainSegmenter(madeUp(400, 1));
  segmenter = new Segmenter(model);
});

const cut = (text: string): RawSentence[] => [...segmenter.segment(text)];
const forms = (text: string): string[][] => cut(text).map(({ tokens }) => tokens.map(({ form }) => form));

describe("a trained segmenter", () => {
  test("finds the tokens and sentences of text that it has not seen", () => {
    const gold = madeUp(100, 2);
    const { text } = plainText(gold.map(surfaceOf));
    expect(forms(text)).toEqual(gold.map((sentence) => surfaceOf(sentence).forms));
  });

  test("parts full stops from words but not from abbreviations", () => {
    expect(forms("Dr. Mina sells lamps. Rek likes maps, and boats!")).toEqual([
      ["Dr.", "Mina", "sells", "lamps", "."],
      ["Rek", "likes", "maps", ",", "and", "boats", "!"],
    ]);
  });

  test("splits multiword tokens, also in other case", () => {
    const words = (text: string) => segmenter.tokenize(text).map((token) => token.words ?? token.form);
    expect(words("Mina doesn't maps.")).toEqual(["Mina", ["does", "n't"], "maps", "."]);
    expect(words("Doesn't maps.")).toEqual([["Does", "n't"], "maps", "."]);
  });

  describe("a form that is several words in some contexts only", () => {
    // "des" is an article after "sees", and "de" and "les" after "speaks".
    const wordsOf = (text: string, by: Segmenter) =>
      by.tokenize(text).map(({ form, words }) => words?.join("+") ?? form);
    const sentences = (contracted: number, article: number) => {
      const random = new Random(5);
      return Array.from({ length: contracted + article }, (_, i) => {
        const name = NAMES[Math.floor(random.next() * NAMES.length)]!;
        const noun = NOUNS[Math.floor(random.next() * NOUNS.length)]!;
        const words = i < contracted ? [name, "speaks", "des", noun, "^."] : [name, "sees", "des", noun, "^."];
        const sentence = made(words);
        if (i >= contracted) return sentence;
        const split = [1, 2].map((k) => sentence.form(k)).concat("de", "les", noun, ".");
        const misc = (form: string, k: number) => (k === split.length - 2 ? { form, misc: "SpaceAfter=No" } : { form });
        return Sentence.from({ words: split.map(misc), multiWordTokens: [{ from: 3, to: 4, form: "des" }] });
      });
    };

    test.each([
      [60, 60],
      [20, 60],
      [60, 20],
    ])("is split there, with %i that are split and %i that are not", (contracted, article) => {
      const both = trainSegmenter(sentences(contracted, article));
      expect(both.header.multiWord.byContext).toEqual(["des"]);
      const by = new Segmenter(both);
      expect(wordsOf("Zora speaks des maps. Rek sees des Lamps.", by)).toEqual(
        "Zora speaks de+les maps . Rek sees des Lamps .".split(" "),
      );
      expect(wordsOf("REK SPEAKS DES MAPS", by)[2]).toBe("DE+LES");
    });

    test("is split as it usually is if the other way is rare", () => {
      const rare = trainSegmenter(sentences(60, 4));
      expect(rare.header.multiWord).not.toHaveProperty("byContext");
      expect(wordsOf("Rek sees des lamps.", new Segmenter(rare))).toEqual("Rek sees de+les lamps .".split(" "));
    });

    test("is split as the user says", () => {
      const by = new Segmenter(trainSegmenter(sentences(60, 60)), { tokens: { des: ["d", "es"] } });
      expect(wordsOf("Rek sees des lamps.", by)[2]).toBe("d+es");
    });
  });

  test("takes wrapped lines for spaces, blank lines for breaks", () => {
    expect(forms("Mina sells\nboats. Rek\nfinds maps.")).toHaveLength(2);
    expect(forms("Mina sells\n \t\nboats")).toEqual([["Mina", "sells"], ["boats"]]);
    for (const space of ["\r\n\r\n", "\r\r", "\n\r\n", "\u2028\u2028", "\u2029", "\f", "\u0085\n"]) {
      expect(forms(`Mina${space}sells`), escapeSpaces(space)).toEqual([["Mina"], ["sells"]]);
    }
    expect(forms("Mina\r\nsells")).toEqual([["Mina", "sells"]]);
  });

  test("is the same from the same seed", () => {
    const weights = (m: SegmenterModel) => {
      const all: number[] = [];
      m.linear.forEach((...weight) => void all.push(...weight));
      return all;
    };
    const again = trainSegmenter(madeUp(400, 1));
    expect(again.header).toEqual(model.header);
    expect(weights(again)).toEqual(weights(model));
  });

  test("keeps emoji, flags and accents together", () => {
    const clusters = ["👩‍👩‍👧", "👍🏽", "🇸🇮", "é", "❤️"];
    for (const a of clusters) {
      for (const b of clusters) {
        for (const { start, end } of segmenter.tokenize(`x${a}${b}.`)) {
          for (const place of [start, end]) {
            expect([0, 1, 1 + a.length, 1 + a.length + b.length, 2 + a.length + b.length]).toContain(place);
          }
        }
      }
    }
  });

  test("learns from a treebank that does not say where its spaces are", () => {
    const bare = madeUp(200, 3).map((sentence) =>
      Sentence.from({ words: surfaceOf(sentence).forms.map((form) => ({ form })) }),
    );
    const learned = new Segmenter(trainSegmenter(bare));
    const found = [...learned.segment("Mina sells lamps, and maps. Rek likes boats!")];
    expect(found.map(({ tokens }) => tokens.map(({ form }) => form))).toEqual([
      ["Mina", "sells", "lamps", ",", "and", "maps", "."],
      ["Rek", "likes", "boats", "!"],
    ]);
  });

  test("learns to cut text without spaces", () => {
    const random = new Random(5);
    const lexicon = ["山水", "大", "小人", "木", "日月"];
    const bare = Array.from({ length: 300 }, () => {
      const words = Array.from({ length: 4 }, () => ({ form: lexicon[Math.floor(random.next() * lexicon.length)]! }));
      return Sentence.from({ words: [...words, { form: "。" }] });
    });
    const learned = new Segmenter(trainSegmenter(bare));
    const found = [...learned.segment("大山水木。日月大小人。")];
    expect(found.map(({ tokens }) => tokens.map(({ form }) => form))).toEqual([
      ["大", "山水", "木", "。"],
      ["日月", "大", "小人", "。"],
    ]);
  });

  describe("tokens with spaces inside", () => {
    /** Numbers in groups of three, and words of two syllables that are also words on their own. */
    const spaced = (count: number, seed: number) => {
      const random = new Random(seed);
      const pick = (items: readonly string[]) => items[Math.floor(random.next() * items.length)]!;
      return Array.from({ length: count }, () =>
        made([
          pick(["lo ma", "ti", "ka", "ka po"]),
          pick(["1 000", "20 500", "3", "12"]),
          pick(["ti", "po", "lo ma"]),
          "^.",
        ]),
      );
    };
    const cutBy = (learned: Segmenter, text: string) =>
      [...learned.segment(text)].map(({ tokens }) => tokens.map(({ form }) => form));
    let learned: Segmenter;
    beforeAll(() => {
      learned = new Segmenter(trainSegmenter(spaced(300, 1)));
    });

    test("are learned where the treebank has them", () => {
      expect(cutBy(learned, "Lo ma 7 000 ti. ka 12 po.")).toEqual([
        ["Lo ma", "7 000", "ti", "."],
        ["ka", "12", "po", "."],
      ]);
      expect(learned.tokenize("ka po 45 800 lo ma.").map(({ form, start, end }) => [form, start, end])).toEqual([
        ["ka po", 0, 5],
        ["45 800", 6, 12],
        ["lo ma", 13, 18],
        [".", 18, 19],
      ]);
    });

    test("have one space or no-break space in them, never a tab, a line end or two spaces", () => {
      expect(cutBy(learned, "ti 1\u00a0000 po.")).toEqual([["ti", "1\u00a0000", "po", "."]]);
      for (const gap of ["\t", "\n", "  ", "\u2028", "\u0085"]) {
        expect(cutBy(learned, `ti 1${gap}000 po.`).flat()).toEqual(["ti", "1", "000", "po", "."]);
      }
    });

    test("of any text and in pieces of any size", () => {
      fc.assert(
        fc.property(fc.array(fc.oneof(anyText, fc.constantFrom("lo ma", "1 000", " ka", " po "))), (parts) => {
          const text = parts.join("");
          const whole = [...learned.segment(text)];
          for (const { tokens } of whole) {
            for (const { form, start, end } of tokens) {
              if (form !== text.slice(start, end)) expect.fail(`bad token ${start}-${end}`);
              if (/[^\S \u00a0\u2009\u202f]|\s\s|^\s|\s$/.test(form)) expect.fail(JSON.stringify(form));
            }
          }
          const stream = new SegmenterStream(learned);
          expect([...parts.flatMap((part) => stream.push(part)), ...stream.end()]).toEqual(whole);
        }),
      );
    });

    test("a treebank with a slip or two is read as if it had none", () => {
      const slips = madeUp(400, 1);
      slips[7] = made(["Mina", "sells", "some where", "^."]);
      const { header } = trainSegmenter(slips);
      expect(header.joinPairs).toBeUndefined();
      expect(new Segmenter(trainSegmenter(slips)).tokenize("Mina sells some where.")).toHaveLength(5);
    });

    test("a damaged list of pairs is refused", () => {
      expect(() => checkSegmenterHeader({ ...learned.model.header, joinPairs: "zz" })).toThrow("joinPairs");
    });
  });

  test("an empty treebank gives a segmenter that cuts at white space and paragraphs", () => {
    const empty = new Segmenter(trainSegmenter([]));
    expect([...empty.segment("a b\n\nc")].map(({ tokens }) => tokens.length)).toEqual([2, 1]);
  });
});

/** Any text: with lone surrogates, control characters, white space of all kinds, and parts of the made-up language. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 3 }).map((codes) => String.fromCharCode(...codes)),
      fc.constantFrom(
        " ",
        "  ",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "\t",
        "\u2028",
        "\u2029",
        "\f",
        "\u00a0",
        "\ufeff",
        "\u0085",
      ),
      fc.constantFrom(
        "Dr.",
        "Mina",
        "sells",
        "doesn't",
        "boats.",
        '"',
        "שלום",
        "👩‍👧",
        "🇸",
        "\u200d",
        "\ud83d",
        "\0",
        "10,000",
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

const WHITE = /[\s\u0085]/;
const BREAK = /[\n\r\u2028\u0085\v][^\S\n\r\u2028\u0085\v]*[\n\r\u2028\u0085\v]|[\u2029\f]/;

function check(text: string, sentences: readonly RawSentence[]): void {
  let at = 0;
  for (const sentence of sentences) {
    const bounds = [sentence.tokens[0]!.start, sentence.tokens.at(-1)!.end];
    if (sentence.start !== bounds[0] || sentence.end !== bounds[1]) expect.fail(`bad sentence at ${sentence.start}`);
    for (const { start, end, form } of sentence.tokens) {
      if (!(start >= at && end > start && form === text.slice(start, end))) expect.fail(`bad token ${start}-${end}`);
      if (WHITE.test(form)) expect.fail(`white space in a token: ${JSON.stringify(form)}`);
      if (/\S/.test(text.slice(at, start).replace(/\u0085/g, " "))) expect.fail(`text left out before ${start}`);
      at = end;
    }
    const inside = text.slice(sentence.start, sentence.end).replace(/\r\n/g, "\n");
    if (BREAK.test(inside)) expect.fail(`a paragraph break in a sentence: ${JSON.stringify(inside)}`);
  }
  expect(text.slice(at).replace(/[\s\u0085]/g, "")).toBe("");
  if (sentences.length > 0) expect(sentences.map(({ before, text: part }) => before + part).join("")).toBe(text);
}

describe("paragraph breaks", () => {
  const BREAKS = [
    "\n\n",
    "\n \t\n",
    "\r\r",
    "\r\n\r\n",
    "\n\r",
    "\v\v",
    "\u0085\u0085",
    "\u2028\u2028",
    "\n\u0085",
    "\u2029",
    "\f",
  ];
  const NONE = ["", " ", "\t", "\n", "\r", "\r\n", "\v", "\u0085", "\u2028", " \n ", "\u00a0\u3000"];

  test.each(BREAKS)("%j is one, also among other white space", (spaces) => {
    for (const one of [spaces, ` ${spaces}`, `${spaces}\t`]) expect(isParagraphBreak(one)).toBe(true);
  });

  test.each(NONE)("%j is none", (spaces) => {
    expect(isParagraphBreak(spaces)).toBe(false);
  });

  test("the segmenter has the same", () => {
    const characters = fc.constantFrom(" ", "\n", "\r", "\v", "\f", "\t", "\u0085", "\u2028", "\u2029", "\u00a0");
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 5 }), (white) => {
        const spaces = white.join("");
        const text = `Mina${spaces}Toru`;
        expect(paragraphEnd(text, 0, text.length)).toBe(isParagraphBreak(spaces) ? 4 + spaces.length : -1);
        if (isParagraphBreak(spaces)) expect(cut(text)).toHaveLength(2);
      }),
    );
  });
});

describe("any text", () => {
  test("is covered by tokens in order, and no sentence has a paragraph break", () => {
    fc.assert(
      fc.property(anyText, (text) => check(text, cut(text))),
      { numRuns: 500 },
    );
  });

  test("in pieces gives the same as in one", () => {
    fc.assert(
      fc.property(
        anyText,
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 10 }),
        (text, sizes) => {
          const stream = new SegmenterStream(segmenter);
          const found: RawSentence[] = [];
          for (let at = 0, k = 0; at < text.length; k++) {
            const size = sizes[k % sizes.length]! + (k % 7 === 0 ? 1 : 0);
            found.push(...stream.push(text.slice(at, at + size)));
            at += size;
          }
          found.push(...stream.end());
          expect(found).toEqual(cut(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("is rebuilt from CoNLL-U", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const sentences = cut(text).map((sentence) => Sentence.from(sentenceInput(sentence)));
        expect(textOf(sentences)).toBe(sentences.length > 0 ? text : "");
      }),
      { numRuns: 300 },
    );
  });

  test("white space in MISC", () => {
    const misc = cut("\t Mina  sells\nboats.\r\n\r\nRek").map(spacesMisc);
    expect(misc.flat()).toEqual([
      "SpacesBefore=\\t\\s|SpacesAfter=\\s\\s",
      "SpacesAfter=\\n",
      "SpaceAfter=No",
      "SpacesAfter=\\r\\n\\r\\n",
      "SpaceAfter=No",
    ]);
    expect(unescapeSpaces(escapeSpaces(" \t\r\n|\\\u00a0\u2028s"))).toBe(" \t\r\n|\\\u00a0\u2028s");
  });
});

describe("bad input", () => {
  test("empty and blank text", () => {
    for (const text of ["", " ", "\n\n \t\r\n", "\ufeff", " ".repeat(3 * WINDOW)]) expect(cut(text)).toEqual([]);
  });

  const long: readonly (readonly [string, string])[] = [
    ["a line of letters", "abcdefghij".repeat(50_000)],
    ["a line of emoji", "👩‍👩‍👧".repeat(25_000)],
    ["a line of marks", `e${"\u0301".repeat(200_000)}`],
    ["a line of full stops", ".".repeat(150_000)],
    ["a line of lone surrogates", "\ud83d".repeat(140_000)],
    ["words without a sentence end", "boats ".repeat(60_000)],
    ["line ends and letters", "a\n".repeat(70_000)],
    ["words far apart", `a${" ".repeat(2 * WINDOW)}b c`],
  ];
  test.each(long)("%s", (_name, text) => {
    const whole = cut(text);
    if (!text.startsWith("a ")) check(text, whole);
    expect(whole.flatMap(({ tokens }) => tokens.map(({ form }) => form)).join("")).toBe(text.replace(/\s/g, ""));
    for (const { tokens } of whole) {
      for (const { form } of tokens) if (/^[\udc00-\udfff]/.test(form)) expect.fail("half a character");
    }
    const stream = new SegmenterStream(segmenter);
    const found: RawSentence[] = [];
    for (let at = 0; at < text.length; at += 50_001) found.push(...stream.push(text.slice(at, at + 50_001)));
    found.push(...stream.end());
    const places = (list: RawSentence[]) => list.map(({ start, end }) => `${start}-${end}`).join();
    expect(places(found) === places(whole)).toBe(true);
  });

  test("a sentence of 10,000 words stays one if nothing in it ends one", () => {
    expect(cut(`Mina sells ${"boats and ".repeat(5000)}boats.`)).toHaveLength(1);
  });

  test("pieces of one character take linear time", () => {
    const stream = new SegmenterStream(segmenter);
    const text = "Mina sells boats.\n".repeat(10_000);
    let count = 0;
    for (const character of text) count += stream.push(character).length;
    expect(count + stream.end().length).toBeGreaterThan(0);
  });
});

describe("headers", () => {
  test("of trained models pass, also as JSON", () => {
    expect(checkSegmenterHeader(JSON.parse(JSON.stringify(model.header)))).toEqual(model.header);
  });

  const broken: readonly (readonly [string, unknown, RegExp])[] = [
    ["null", null, /invalid segmenter/],
    ["no pairs", {}, /invalid tokenPairs/],
    ["short pairs", { sentencePairs: "00" }, /invalid sentencePairs/],
    ["no hexadecimal digits", { tokenPairs: "x".repeat(1024) }, /invalid tokenPairs/],
    ["no rules", { multiWord: null }, /invalid multiWord.forms/],
    ["a list of rules", { multiWord: { forms: {}, endings: [] } }, /invalid multiWord.endings/],
    ["a bad split", { multiWord: { forms: { a: [0] }, endings: {} } }, /invalid multiWord.forms\["a"\]: \[0\]/],
    ["rising places", { multiWord: { forms: {}, endings: { a: [1, 2] } } }, /invalid multiWord.endings\["a"\]/],
    ["one word", { multiWord: { forms: { a: ["b"] }, endings: {} } }, /invalid multiWord.forms/],
    ["no list", { multiWord: { forms: {}, endings: {}, byContext: "des" } }, /invalid multiWord.byContext: "des"/],
    ["numbers", { multiWord: { forms: {}, endings: {}, byContext: [1] } }, /invalid multiWord.byContext/],
    ["mixed", { multiWord: { forms: { a: ["b", 1] }, endings: {} } }, /invalid multiWord.forms/],
  ];
  test.each(broken)("%s is refused", (_name, part, message) => {
    const header =
      part !== null && Object.keys(part as object).length > 0 ? { ...model.header, ...(part as object) } : part;
    expect(() => checkSegmenterHeader(header)).toThrow(message);
    expect(() => new Segmenter(new SegmenterModel(header as never, model.linear))).toThrow(RangeError);
  });
});

describe("raw text of a treebank", () => {
  test("follows # text, SpaceAfter and # newdoc", () => {
    const sentences = [
      made(["Mina", "sells", "boats", "^."], ["newdoc"]),
      made(["Rek", "^?"], ["newpar"]),
      made(["No"], ["newdoc id = 2"]),
    ];
    expect(plainText(sentences.map(surfaceOf)).text).toBe("Mina sells boats. Rek? \n\nNo ");
    expect(plainText(sentences.map(surfaceOf), true).text).toBe("Mina sells boats. \n\nRek? \n\nNo ");
    const told = Sentence.from({ words: [{ form: "a" }, { form: "," }, { form: "b" }], comments: ["text = a, b"] });
    expect(surfaceOf(told).spaces).toEqual([false, true, true]);
    const other = Sentence.from({ words: [{ form: "a" }, { form: "b" }], comments: ["text = something else"] });
    expect(surfaceOf(other).spaces).toEqual([true, true]);
  });

  test("guesses spaces", () => {
    const forms = ["He", "said", ":", '"', "no", '"', "(", "twice", ")", "."];
    const sentence = Sentence.from({ words: forms.map((form) => ({ form })) });
    expect(plainText([guessSpaces(surfaceOf(sentence))]).text).toBe('He said: "no" (twice). ');
  });
});
