// English as people type it: other characters for the same marks, emoji, names of files and programs.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Pipeline, readModel, readTreebank, type Sentence } from "../../src/index.js";
import { isEmoji } from "../../src/pipeline/segmenter/characters/whole-tokens.js";
import { Segmenter } from "../../src/pipeline/segmenter/segmenter.js";
import { SegmenterModel } from "../../src/pipeline/segmenter/segmenter-model.js";
import { attachEmoji } from "../../src/pipeline/typography/emoji.js";
import { inPlainTypography, plainStretch } from "../../src/pipeline/typography/plain-typography.js";
import { plainSentence } from "../../src/training/preparation/plain-sentence.js";
import { trainSegmenter } from "../../src/training/segmenter/segmenter-training.js";
import { cpuTime } from "../cpu-time.js";

const model = readFileSync(new URL("../../../model-en-small/en-small.stemma", import.meta.url));
const pipeline = new Pipeline(readModel(model));
const segmenter = new Segmenter(pipeline.model.segmenter!);
const parse = (text: string): Sentence[] => [...pipeline.parse(text)];
const tokensOf = (text: string) => parse(text).flatMap((s) => s.tokens.map(({ form }) => form));

/** All but what is written: words, tags, lemmas, trees. */
const analysis = (text: string) =>
  parse(text).map((s) =>
    Array.from({ length: s.length }, (_, k) => k + 1).map((i) =>
      [s.lemma(i), s.upos(i), s.xpos(i), s.feats(i), s.head(i), s.deprel(i)].join(" "),
    ),
  );

const CONTRACTIONS = [
  "They're late and you'll see.",
  "I don't think he'd mind, and she won't.",
  "It's Anna's idea; we've heard it.",
  "The dogs' bowls aren't clean.",
  "I'm sure that's fine, isn't it?",
  "Let's go, they can't wait.",
  "He's said we'd better leave.",
];

describe("contractions", () => {
  it("splits those of three words", () => {
    const words = (text: string) => parse(text).flatMap((s) => s.words.map(({ form }) => form));
    expect(words("It couldn't've rained; I'd've known.")).toEqual([
      "It",
      "could",
      "n't",
      "'ve",
      "rained",
      ";",
      "I",
      "'d",
      "'ve",
      "known",
      ".",
    ]);
    expect(words("They shouldn’t’ve left.")).toEqual(["They", "should", "n’t", "’ve", "left", "."]);
  });
});

describe("lists", () => {
  const sentencesOf = (text: string) => [...segmenter.segment(text)].map((s) => text.slice(s.start, s.end));

  it.each([
    ["Buy these:\n* apples\n* pears and\nplums", ["Buy these:", "* apples", "* pears and\nplums"]],
    ["\u2022 First point\r\n\u2022 Second point", ["\u2022 First point", "\u2022 Second point"]],
    ["  - eggs\n  - two loaves of bread\n  - milk", ["- eggs", "- two loaves of bread", "- milk"]],
    ["a) Be kind\nb) Be brave", ["a) Be kind", "b) Be brave"]],
    ["1) Open the door\n2) Turn on the light\n10) leave", ["1) Open the door", "2) Turn on the light", "10) leave"]],
  ])("has a sentence for each item of %j", (text, items) => expect(sentencesOf(text)).toEqual(items));

  it("takes no mark for one that is part of a word, or inside a line", () => {
    expect(sentencesOf("The temperature fell to\n-5 and then to\n-7 degrees.")).toHaveLength(1);
    expect(sentencesOf("It rained - a lot - in May.")).toHaveLength(1);
    expect(sentencesOf("The rest (as long as it\nis) and the other (as far as I\nknow) are here.")).toHaveLength(1);
  });
});

describe("typography", () => {
  it.each(["\u2019", "\u02bc", "\u2018"])("reads %s like an apostrophe", (mark) => {
    for (const text of CONTRACTIONS) expect(analysis(text.replaceAll("'", mark))).toEqual(analysis(text));
  });

  it.each(["`", "\u00b4"])("reads %s between letters like an apostrophe", (mark) => {
    const between = /(?<=\p{L})'(?=\p{L})/gu;
    for (const text of CONTRACTIONS) expect(analysis(text.replace(between, mark))).toEqual(analysis(text));
  });

  it.each([
    ["“Come in,” she said.", '"Come in," she said.'],
    ["We waited… and waited…", "We waited... and waited..."],
    ["Wait…what?", "Wait...what?"],
    ["It rained — a lot.", "It rained -- a lot."],
    ["My brother—the tall one—left.", "My brother--the tall one--left."],
    ["Open Monday–Friday, 9–5.", "Open Monday-Friday, 9-5."],
    ["Ｈｅｌｌｏ, Ｂｏｂ！", "Hello, Bob!"],
    ["It costs 10\u00a0dollars\u202fnow.", "It costs 10 dollars now."],
  ])("reads %s like %s", (text, plain) => expect(analysis(text)).toEqual(analysis(plain)));

  it("keeps forms, text and offsets as written", () => {
    const text = "Wait… “she’s” here—now.";
    const [sentence] = parse(text);
    expect(sentence!.text).toBe(text);
    for (const { form, start, end } of sentence!.tokens) expect(text.slice(start, end)).toBe(form);
    expect(sentence!.words.map(({ form }) => form)).toContain("’s");
  });

  it("says where each unit of a longer text comes from", () => {
    expect(plainStretch("a…b", 0, 3)).toEqual({ text: "a...b", places: Int32Array.from([0, 1, 1, 1, 2, 3]) });
    expect(plainStretch("xa’b", 1, 4)).toEqual({ text: "a'b", places: undefined });
    expect(plainStretch("plain 'text'", 0, 12)).toBeUndefined();
  });

  it("leaves code and brackets of other scripts", () => {
    for (const text of ["`npm test`", "「はい」。"]) expect(inPlainTypography(text)).toBe(text);
  });

  it("reads marks in text without spaces as it reads the words of a treebank, one by one", () => {
    const forms = ["他", "说", "：", "“", "你好", "，", "世界", "！", "”", "……", "—", "。"];
    expect(inPlainTypography(forms.join(""))).toBe(forms.map(inPlainTypography).join(""));
  });

  it("is the same in training", () => {
    const [sentence] = readTreebank(
      "# text = it’s…\n1-2\tit’s\t_\n".replace(/_\n/, `${"_\t".repeat(7)}_\n`) +
        row(1, "it", 0) +
        row(2, "’s", 1) +
        row(3, "…", 1) +
        "\n",
    );
    const plain = plainSentence(sentence!);
    expect([plain.form(2), plain.form(3), plain.multiWordTokens[0]!.form, plain.comment("text")]).toEqual([
      "'s",
      "...",
      "it's",
      "it's...",
    ]);
    expect(plainSentence(plain)).toBe(plain);
  });
});

function row(id: number, form: string, head: number): string {
  return `${[id, form, form, "X", "_", "_", head, head === 0 ? "root" : "dep", "_", "_"].join("\t")}\n`;
}

describe("tokens that their characters tell", () => {
  it.each([
    ["We use .NET, C++ and C# at work.", [".NET", "C++", "C#"]],
    ["Is it C++17, or C++?", ["C++17", "C++"]],
    ["Node.js runs main.py and src/app.ts.", ["Node.js", "main.py", "src/app.ts"]],
    ["Install v2.0.1 or 3.1.4-beta.2 today.", ["v2.0.1", "3.1.4-beta.2"]],
    ["Ask @ann_b about #ThrowbackThursday, please.", ["@ann_b", "#ThrowbackThursday"]],
    ["Mail jo.doe+x@mail.example.org (or see https://example.org/a_(b)?c=d).", ["jo.doe+x@mail.example.org"]],
    ["It is at https://example.org/path/x.html.", ["https://example.org/path/x.html"]],
    ["Go to /usr/local/bin, edit ~/.bashrc (not ../x/y_z).", ["/usr/local/bin", "~/.bashrc", "../x/y_z"]],
    ["It is in C:\\Users\\bob\\notes.", ["C:\\Users\\bob\\notes"]],
    ["See example.org/about?x=1, or example.com.", ["example.org/about?x=1", "example.com"]],
    ["Press Ctrl+Shift+P, then pass --save-dev and --prefix=/opt.", ["Ctrl+Shift+P", "--save-dev", "--prefix=/opt"]],
    ["It began at 2026-11-19T10:00:00Z.", ["2026-11-19T10:00:00Z"]],
    ["He/she paid and/or left -- or --so they say-- stayed.", ["He", "--", "so"]],
    ["So happy👩‍👩‍👧‍👦🇫🇷👍🏽1️⃣❤️!", ["👩‍👩‍👧‍👦", "🇫🇷", "👍🏽", "1️⃣", "❤️"]],
  ])("%s", (text, tokens) => expect(tokensOf(text)).toEqual(expect.arrayContaining(tokens)));

  it("does not cut sentences inside them", () => {
    expect(parse("We use .NET, and Node.js too.")).toHaveLength(1);
    expect(parse("Alice sends Bob a message.")).toHaveLength(1);
  });

  it("says what is wrong with a header", () => {
    const { header, linear } = pipeline.model.segmenter!;
    const withField = (field: object) => () => new Segmenter(new SegmenterModel({ ...header, ...field }, linear));
    expect(withField({ unmarkedEnds: [1] })).toThrow("invalid unmarkedEnds: [1] (expected two whole numbers)");
    expect(withField({ wholeTokens: ["smiley"] })).toThrow('invalid wholeTokens: "smiley" (expected emoji, url');
    const sentences = (field: object) => [...withField(field)().segment("Alice sends Bob a message.")].length;
    expect(sentences({ unmarkedEnds: [-100_000, 0] })).toBeGreaterThan(sentences({}));
  });

  it("learns from a treebank that parts them", () => {
    const parted = `${row(1, "#", 0)}${row(2, "tag", 1)}\n`.replace("\t_\n", "\tSpaceAfter=No\n");
    const header = (conllu: string) => trainSegmenter(readTreebank(conllu), { epochs: 1 }).header;
    expect(header(parted.repeat(5)).wholeTokens).not.toContain("hashtag");
    expect(header(`${row(1, "#tag", 0)}\n`).wholeTokens).toBeUndefined();
  });

  it("finds them in linear time", () => {
    const started = cpuTime();
    for (const part of ["a-", "a.", "http://.", "@a.", "1.", "a@", "👍\u200d"])
      for (const _ of segmenter.segment(part.repeat(20_000)));
    expect(cpuTime() - started).toBeLessThan(20_000);
  });
});

describe("emoji", () => {
  it("are emoji, and other symbols are not", () => {
    for (const form of ["😀", "👍🏽", "👩‍👩‍👧‍👦", "🇫🇷", "1️⃣", "❤️", "♥", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]) expect(isEmoji(form)).toBe(true);
    for (const form of ["©", "→", "1", "#", "a", ":)", "™", "•"]) expect(isEmoji(form)).toBe(false);
  });

  it.each(["Great job 👍🏽👍", "😂 that was fun", "I 😍 this song", "🎉🎉 We won! 🎉"])(
    "%s: symbols, never the root",
    (text) => {
      for (const sentence of parse(text)) {
        for (let i = 1; i <= sentence.length; i++) {
          const form = sentence.form(i);
          if (!isEmoji(form)) continue;
          const found = [sentence.upos(i), sentence.xpos(i), sentence.deprel(i), sentence.lemma(i)];
          expect(found).toEqual(["SYM", "NFP", "discourse", form]);
          expect(isEmoji(sentence.form(sentence.head(i)))).toBe(false);
        }
      }
    },
  );

  it("are the root when they are alone", () => expect(parse("😀")[0]!.root!.form).toBe("😀"));

  it("hang on the highest word that no arc hides", () => {
    const heads = Int32Array.from([-1, 3, 1, 4, 0]);
    const labels = ["", "det", "dep", "nsubj", "root"];
    attachEmoji(["", "The", "😀", "dog", "barks"], { heads, labels });
    expect([...heads]).toEqual([-1, 3, 3, 4, 0]);
    expect(labels[2]).toBe("discourse");
  });

  it("hand the root and their dependents on", () => {
    const heads = Int32Array.from([-1, 0, 1, 1, 1]);
    const labels = ["", "root", "punct", "obj", "punct"];
    attachEmoji(["", "😀", ",", "pizza", "!"], { heads, labels });
    expect([...heads]).toEqual([-1, 3, 3, 0, 3]);
    expect(labels).toEqual(["", "discourse", "punct", "root", "punct"]);
  });

  it("stay where heads are given", () => {
    const sentence = pipeline.parseTokens([{ form: "😀", head: 0 }, "pizza"]);
    expect(sentence.root!.form).toBe("😀");
  });
});
