import { describe, expect, test } from "vitest";
import { toText } from "../../src/index.js";
import { countLosses, formatSentence, readTreebank, Sentence, splitWord } from "../../src/treebank.js";

const conllu = `# text = Mary wanted to read the letter that came.
1	Mary	Mary	PROPN	_	_	2	nsubj	_	_
2	wanted	want	VERB	_	_	0	root	_	Pred=want.01|Args=1:ARG0,4:ARG1
3	to	to	PART	_	_	4	mark	_	_
4	read	read	VERB	_	_	2	xcomp	_	Pred=read.01|Args=1:ARG0,6:ARG1
5	the	the	DET	_	_	6	det	_	_
6	letter	letter	NOUN	_	_	4	obj	_	_
7	that	that	PRON	_	_	8	nsubj	_	_
8	came	come	VERB	_	_	6	acl:relcl	_	SpaceAfter=No|Pred=come.01|Args=6:ARG1,7:R-ARG1
9	.	.	PUNCT	_	_	2	punct	_	Note=x

`;
const only = (text: string, format: "conllu" | "conll09" | "conllx" | "json" = "conllu") =>
  readTreebank(text, { format })[0]!;
const dataOf = (sentence: Sentence) => sentence.predicates.map((predicate) => predicate.toJSON());

describe("predicates of a sentence", () => {
  test("have a word, a sense, and arguments with words and spans", () => {
    const { predicates } = only(conllu);
    expect(predicates.map(({ word, sense }) => `${word} ${sense}`)).toEqual([
      "wanted want.01",
      "read read.01",
      "came come.01",
    ]);
    const [want, read, come] = predicates as [(typeof predicates)[0], (typeof predicates)[0], (typeof predicates)[0]];
    expect(want.arguments.map(({ role, word, span }) => `${role} ${word}: ${span}`)).toEqual([
      "ARG0 Mary: Mary",
      "ARG1 read: to read the letter that came",
    ]);
    expect(read.argument("ARG1")?.span.text).toBe("the letter that came");
    expect(read.argument("ARG9")).toBeUndefined();
    // “What came” is not “the letter that came”.
    expect(come.argument("ARG1")?.span.text).toBe("the letter");
    expect(String(come)).toBe("come.01");
  });

  test("survive every format that has a place for them", () => {
    const sentence = only(conllu);
    const conll09 = formatSentence(sentence, "conll09");
    expect(conll09.split("\n")[3]!.split("\t").slice(12)).toEqual(["Y", "read.01", "ARG1", "_", "_"]);
    expect(dataOf(only(conll09, "conll09"))).toEqual(dataOf(sentence));
    expect(dataOf(only(formatSentence(only(conll09, "conll09"), "conllu")))).toEqual(dataOf(sentence));
    const json = formatSentence(sentence, "json");
    expect(JSON.parse(json).predicates).toEqual(dataOf(sentence));
    expect(JSON.parse(json).words[7].misc).toEqual({ SpaceAfter: "No" });
    expect(formatSentence(only(json, "json"), "conllu")).toBe(conllu);
    expect(formatSentence(Sentence.from(sentence.toJSON()), "conllu")).toBe(conllu);
    // The words alone keep theirs in MISC.
    expect(sentence.words[1]!.toJSON().misc).toEqual({ Pred: "want.01", Args: "1:ARG0,4:ARG1" });
  });

  test("in an unusual place of MISC are not lost either", () => {
    const other = conllu.replace(
      "SpaceAfter=No|Pred=come.01|Args=6:ARG1,7:R-ARG1",
      "Pred=come.01|SpaceAfter=No|Args=6:ARG1",
    );
    const json = formatSentence(only(other), "json");
    expect(JSON.parse(json).predicates[2]).toEqual({
      word: 8,
      sense: "come.01",
      arguments: [{ word: 6, role: "ARG1" }],
    });
    expect(formatSentence(only(json, "json"), "conllu")).toBe(other);
  });

  test.each([
    "Pred=",
    "Pred=a|Pred=b",
    "Pred=x|Args=1",
    "Pred=x|Args=10:ARG0",
    "Pred=x|Args=2:A,1:B",
    "Pred=x|Args=1:A|Args=2:B",
  ])("are not seen in %s, which stays as it is", (misc) => {
    const other = conllu.replace("Note=x", misc);
    expect(only(other).predicates).toHaveLength(3);
    expect(formatSentence(only(formatSentence(only(other), "json"), "json"), "conllu")).toBe(other);
  });

  test("may have any characters in senses and roles but tabs and line ends", () => {
    const sentence = only(conllu);
    const odd = [
      {
        word: 3,
        sense: "a|b,c\\p:d",
        arguments: [
          { word: 1, role: "x,|\\\\y:1" },
          { word: 9, role: "\\c" },
        ],
      },
    ];
    sentence.setPredicates(odd);
    expect(dataOf(sentence)).toEqual(odd);
    expect(dataOf(only(formatSentence(sentence, "conllu")))).toEqual(odd);
    expect(dataOf(only(formatSentence(sentence, "conll09"), "conll09"))).toEqual(odd);
    expect(dataOf(only(formatSentence(sentence, "json"), "json"))).toEqual(odd);
  });

  test("can be set, and what is beside them in MISC stays", () => {
    const sentence = only(conllu);
    sentence.set("misc", 8, "SpaceAfter=No|TokenRange=3:4|Score=0.500");
    sentence.setPredicates([
      {
        word: 8,
        sense: "come.02",
        arguments: [
          { word: 7, role: "B" },
          { word: 6, role: "A" },
        ],
      },
    ]);
    expect(sentence.misc(8)).toBe("SpaceAfter=No|Pred=come.02|Args=6:A,7:B|TokenRange=3:4|Score=0.500");
    expect([2, 4, 9].map((i) => sentence.misc(i))).toEqual(["_", "_", "Note=x"]);
    sentence.setPredicates([{ word: 8, sense: "come.03", arguments: [] }]);
    expect(sentence.misc(8)).toBe("SpaceAfter=No|Pred=come.03|TokenRange=3:4|Score=0.500");
    sentence.set("misc", 8, "_");
    expect(sentence.predicates).toEqual([]);
  });

  test("of CoNLL-2009 can be set, with the other columns and line ends as they were", () => {
    const line = (i: number, end: string) =>
      [i, "w", "w", "w", "N", "N", "_", "_", i - 1, 0, "x", "px", ...end.split(" ")].join("\t");
    const text = [line(1, "Y a.01 _ A1"), line(2, "_ _ A0 _"), line(3, "Y b.01 _ _"), "", ""].join("\r\n");
    const sentence = only(text, "conll09");
    expect(dataOf(sentence)).toEqual([
      { word: 1, sense: "a.01", arguments: [{ word: 2, role: "A0" }] },
      { word: 3, sense: "b.01", arguments: [{ word: 1, role: "A1" }] },
    ]);
    sentence.setPredicates([{ word: 2, sense: "c.01", arguments: [{ word: 3, role: "A2" }] }]);
    expect(sentence.toString()).toBe([line(1, "_ _ _"), line(2, "Y c.01 _"), line(3, "_ _ A2"), "", ""].join("\r\n"));
    expect(sentence.columns).toBe(15);
    sentence.setPredicates([]);
    expect(sentence.columns).toBe(14);
    expect(sentence.head(3)).toBe(2);
    // Blind data has no columns for them yet.
    const blind = only(text.replace(/\tpx.*(?=\r)/g, "\tpx"), "conll09");
    expect(blind.predicates).toEqual([]);
    blind.setPredicates([{ word: 1, sense: "_", arguments: [] }]);
    expect(blind.toString()).toContain("px\tY\t_\t_\r\n");
    expect(dataOf(blind)).toEqual([{ word: 1, sense: "_", arguments: [] }]);
  });

  test.each([
    [[{ word: 0, sense: "x", arguments: [] }], /invalid word of a predicate: 0 \(expected 1 to 9\)/],
    [[{ word: 1, sense: "", arguments: [] }], /invalid sense of the predicate 1/],
    [[{ word: 1, sense: "x", arguments: [{ word: 10, role: "A" }] }], /invalid argument of the predicate 1: 10/],
    [[{ word: 1, sense: "x", arguments: [{ word: 2, role: "_" }] }], /invalid role of word 2/],
    [
      [
        {
          word: 1,
          sense: "x",
          arguments: [
            { word: 2, role: "A" },
            { word: 2, role: "B" },
          ],
        },
      ],
      /every word once/,
    ],
    [
      [
        { word: 1, sense: "x" },
        { word: 1, sense: "y" },
      ],
      /every word once/,
    ],
    [[{ word: 1, sense: "x", arguments: 3 }], /expected a list/],
  ])("that are wrong are an error: %j", (predicates, message) => {
    expect(() => only(conllu).setPredicates(predicates as never)).toThrow(message);
    const json = JSON.stringify({
      words: only(conllu)
        .toJSON()
        .words.map(({ form }) => ({ form })),
      predicates,
    });
    expect(() => only(json, "json")).toThrow(message);
  });

  test("have no place in CoNLL-X, and what is lost is counted", () => {
    const sentence = only(conllu);
    expect(() => only(formatSentence(sentence, "conllx"), "conllx").setPredicates([])).toThrow(/conllx has no place/);
    const lossesTo = (format: "conllx" | "conll09" | "json") => {
      const losses = new Map<string, number>();
      countLosses(sentence, format, losses);
      return losses.get("MISC values") ?? 0;
    };
    expect([lossesTo("conllx"), lossesTo("conll09"), lossesTo("json")]).toEqual([4, 2, 0]);
    const back = new Map<string, number>();
    countLosses(only(formatSentence(sentence, "conll09"), "conll09"), "conllu", back);
    expect([...back]).toEqual([]);
  });

  test("follow their words when words are split", () => {
    const sentence = splitWord(only(conllu), 3, ["t", "o"]);
    expect(dataOf(sentence)[1]).toEqual({
      word: 5,
      sense: "read.01",
      arguments: [
        { word: 1, role: "ARG0" },
        { word: 7, role: "ARG1" },
      ],
    });
  });

  test("are drawn below the words", () => {
    const sentence = only(conllu);
    const svg = sentence.toSVG();
    expect(svg).toMatch(/<text class="sense"[^>]*font-weight="bold"[^>]*>read\.01</);
    expect(svg).toContain("Predicates: want.01, ARG0 Mary, ARG1 read;");
    expect(svg.match(/class="(sense|role)"/g)).toHaveLength(9);
    expect(sentence.toLatex()).toContain("ARG0 \\& {} \\& {} \\& read.01 \\& {} \\& ARG1 \\& {} \\& {} \\& {} \\\\");
    const rows = sentence.toText({ style: "horizontal" }).trimEnd().split("\n").slice(-3);
    expect(rows.map((row) => row.trim().split(/ +/))).toEqual([
      ["ARG0", "want.01", "ARG1"],
      ["ARG0", "read.01", "ARG1"],
      ["ARG1", "R-ARG1", "come.01"],
    ]);
    const lines = sentence.toText().split("\n");
    expect(lines[0]).toMatch(/nsubj +ARG0 +ARG0$/);
    expect(lines[1]!.indexOf("want.01")).toBe(lines[0]!.indexOf("ARG0"));
    sentence.setPredicates([]);
    expect(sentence.toSVG()).not.toContain("sense");
    const bad = { ...sentence.drawable(), predicates: [{ word: 99, sense: "x", arguments: [] }] };
    expect(() => toText(bad)).toThrow(/invalid word of a predicate: 99 \(expected 1 to 9\)/);
  });
});
