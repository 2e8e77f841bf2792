import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TreebankError } from "../../src/treebank/errors.js";
import { type ReaderOptions, readTreebank, TreebankReader } from "../../src/treebank/formats/reader.js";
import { MAX_BLOCK } from "../../src/treebank/formats/split.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";

const SAMPLE = `# newdoc id = made-up
# sent_id = s1
# text = Ana doesn't sing.
1	Ana	Ana	PROPN	NNP	Number=Sing	4	nsubj	4:nsubj	_
2-3	doesn't	_	_	_	_	_	_	_	Note=Short
2	does	do	AUX	VBZ	_	4	aux	4:aux	_
3	n't	not	PART	RB	_	4	advmod	4:advmod	_
4	sing	sing	VERB	VB	VerbForm=Inf	0	root	0:root	SpaceAfter=No
5	.	.	PUNCT	.	_	4	punct	4:punct	_

# sent_id = s2
# text = Bo plays chess, Íñigo go.
1	Bo	Bo	PROPN	NNP	_	2	nsubj	2:nsubj	_
2	plays	play	VERB	VBZ	_	0	root	0:root	_
3	chess	chess	NOUN	NN	_	2	obj	2:obj	SpaceAfter=No
4	,	,	PUNCT	,	_	5	punct	5.1:punct	_
5	Íñigo	Íñigo	PROPN	NNP	_	2	conj	5.1:nsubj	Gloss=𝔾
5.1	plays	play	VERB	VBZ	_	_	_	2:conj	CopyOf=2
6	go	go	NOUN	NN	_	5	orphan	5.1:obj	SpaceAfter=No
7	.	.	PUNCT	.	_	2	punct	2:punct	_

`;

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Reads in chunks that `cut` decides, and gives what came out. */
function read(bytes: Uint8Array, options: ReaderOptions = {}, cut: () => number = () => bytes.length) {
  const reader = new TreebankReader({ source: "x.conllu", ...options });
  const results = [];
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + Math.max(1, cut()));
    // A copy that is wiped, as a caller may reuse its chunk; a Buffer, whose slice() does not copy.
    const chunk = Buffer.from(bytes.subarray(at, end));
    results.push(...reader.push(chunk));
    chunk.fill(0);
    at = end;
  }
  results.push(...reader.end());
  const errors = results.filter((result) => result instanceof TreebankError);
  const sentences = results.filter((result) => result instanceof Sentence);
  return { sentences, errors, text: sentences.join("") + reader.trailer };
}

const messages = (text: string, options?: ReaderOptions) => read(bytesOf(text), options).errors.map((e) => e.message);

/** A sentence of words with these heads, one line each. */
const tree = (...heads: (number | string)[]) =>
  `${heads.map((head, i) => `${i + 1}\tw\t_\t_\t_\t_\t${head}\tdep\t_\t_\n`).join("")}\n`;

describe("a sentence", () => {
  const [first, second] = readTreebank(SAMPLE) as [Sentence, Sentence];

  test("gives its columns", () => {
    expect(first.length).toBe(5);
    expect([...first.heads]).toEqual([-1, 4, 4, 4, 0, 4]);
    const word = [first.form(4), first.lemma(4), first.upos(4), first.xpos(4), first.feats(4), first.deprel(4)];
    expect(word).toEqual(["sing", "sing", "VERB", "VB", "VerbForm=Inf", "root"]);
    expect([first.deps(4), first.misc(4), first.column(4, 0)]).toEqual(["0:root", "SpaceAfter=No", "4"]);
    expect([second.form(5), second.misc(5)]).toEqual(["Íñigo", "Gloss=𝔾"]);
    expect(() => first.form(0)).toThrow("invalid word: 0 (expected 1 to 5)");
    expect(() => first.form(6)).toThrow(RangeError);
  });

  test("gives its comments, multiword tokens, empty nodes and lines", () => {
    expect([first.id, first.text]).toEqual(["s1", "Ana doesn't sing."]);
    expect(first.comments).toEqual(["# newdoc id = made-up", "# sent_id = s1", "# text = Ana doesn't sing."]);
    expect(first.multiWordTokens).toMatchObject([{ from: 2, to: 3, form: "doesn't", misc: "Note=Short" }]);
    expect(first.emptyNodes).toEqual([]);
    expect(second.multiWordTokens).toEqual([]);
    expect(second.emptyNodes).toMatchObject([{ id: "5.1", form: "plays", deps: "2:conj", misc: "CopyOf=2" }]);
    expect([first.line, second.line, first.lineOf(2), second.lineOf(6)]).toEqual([1, 11, 6, 19]);
  });

  test("keeps all but the columns that are set", () => {
    const [a, b] = readTreebank(SAMPLE.replaceAll("\n", "\r\n")) as [Sentence, Sentence];
    a.setHead(1, 0);
    a.setHead(5, -1);
    a.setDeprel(1, "top");
    a.set("misc", 5, "Last=Yes");
    a.set("form", 1, "Éva");
    a.set("feats", 1, "");
    expect([a.heads[1], a.heads[5], a.form(1), a.deprel(1), a.misc(5), a.feats(1)]).toEqual([
      0,
      -1,
      "Éva",
      "top",
      "Last=Yes",
      "_",
    ]);
    const expected = SAMPLE.slice(0, SAMPLE.indexOf("# sent_id = s2"))
      .replace("1\tAna\tAna\tPROPN\tNNP\tNumber=Sing\t4\tnsubj", "1\tÉva\tAna\tPROPN\tNNP\t_\t0\ttop")
      .replace("_\t4\tpunct\t4:punct\t_", "_\t_\tpunct\t4:punct\tLast=Yes");
    expect(a.toString()).toBe(expected.replaceAll("\n", "\r\n"));
    expect(b.toString()).toBe(SAMPLE.slice(SAMPLE.indexOf("# sent_id = s2")).replaceAll("\n", "\r\n"));
    expect(() => a.setHead(1, 6)).toThrow("invalid HEAD: 6 of word 1 (expected -1 to 5, not the word itself)");
    expect(() => a.setHead(0, 1)).toThrow("invalid word: 0 (expected 1 to 5)");
    expect(() => a.set("form", 1, "a\tb")).toThrow('invalid FORM: "a\\tb" of word 1 (expected no tab or line end)');
  });

  test("is built from words", () => {
    const built = Sentence.from({
      comments: ["sent_id = made", "#text=Sí"],
      words: [
        { form: "Sí", head: 2 },
        { form: "va", lemma: "ir", upos: "VERB", head: 0, deprel: "root" },
        { form: "#" },
      ],
      multiWordTokens: [{ from: 1, to: 2, form: "Síva" }],
      emptyNodes: [{ id: "0.1", form: "x" }, { id: "3.1" }],
    });
    expect([built.id, built.text]).toEqual(["made", "Sí"]);
    expect(built.toString()).toBe(
      [
        "# sent_id = made",
        "#text=Sí",
        "0.1\tx\t_\t_\t_\t_\t_\t_\t_\t_",
        "1-2\tSíva\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tSí\t_\t_\t_\t_\t2\t_\t_\t_",
        "2\tva\tir\tVERB\t_\t_\t0\troot\t_\t_",
        "3\t#\t_\t_\t_\t_\t_\t_\t_\t_",
        "3.1\t_\t_\t_\t_\t_\t_\t_\t_\t_",
        "\n",
      ].join("\n"),
    );
    expect(() => Sentence.from({ words: [{ form: "a", head: 3 }] })).toThrow("sentence:1:7: invalid HEAD: 3");
    expect(() => Sentence.from({ words: [{ form: "a\nb" }] })).toThrow('invalid FORM of 1: "a\\nb"');
    expect(() => Sentence.from({ words: [] })).toThrow(TreebankError);
    const words = [{ form: "a" }];
    expect(() => Sentence.from({ words, emptyNodes: [{ id: "2.1" }] })).toThrow("invalid ID: 2.1");
    expect(() => Sentence.from({ words, multiWordTokens: [{ from: 1, to: 2, form: "ab" }] })).toThrow(
      "invalid ID: 1-2",
    );
  });
});

const VARIANTS: Record<string, string> = {
  "as it should be": SAMPLE,
  CRLF: SAMPLE.replaceAll("\n", "\r\n"),
  "CRLF and LF mixed": SAMPLE.replace(/\n/g, (_, at) => (at % 2 ? "\n" : "\r\n")),
  "byte order mark": `\ufeff${SAMPLE}`,
  "no blank line at the end": SAMPLE.slice(0, -1),
  "no line end at the end": SAMPLE.slice(0, -2),
  "return at the end": `${SAMPLE.slice(0, -2)}\r`,
  "blank lines at the start": `\n\r\n${SAMPLE}`,
  "several blank lines": SAMPLE.replaceAll("\n\n", "\n\n\r\n\n"),
  "blank lines with spaces": SAMPLE.replaceAll("\n\n", "\n \t \n"),
  "comments at the end": `${SAMPLE}# the end`,
  "comments on their own": SAMPLE.replace("# sent_id = s2", "# newpar\n\n# sent_id = s2"),
  "comments between words": SAMPLE.replace("\n4\t", "\n# remark\n4\t"),
  "byte order mark inside": `${SAMPLE}\ufeff${SAMPLE}`,
  nothing: "",
  "blank lines only": "\n \n",
  "comments only": "\ufeff# a\n\n# b",
};

describe("reading and writing gives the same bytes", () => {
  const seed = Date.now() % 1e6;
  test.each(Object.entries(VARIANTS))(`%s (seed ${seed})`, (_, text) => {
    const random = generator(seed);
    const bytes = bytesOf(text);
    const whole = read(bytes);
    expect(whole.errors).toEqual([]);
    expect(whole.text).toBe(text);
    for (const largest of [1, 2, 3, 7, 40, 400]) {
      for (let round = 0; round < 5; round++) {
        const pieces = read(bytes, {}, () => Math.ceil(random() * largest));
        expect(pieces.errors).toEqual([]);
        expect(pieces.text).toBe(text);
        expect(pieces.sentences.map((s) => [s.line, ...s.heads])).toEqual(
          whole.sentences.map((s) => [s.line, ...s.heads]),
        );
      }
    }
  });

  test("lines count through blank lines and comments", () => {
    const { sentences } = read(bytesOf(VARIANTS["several blank lines"]!));
    expect(sentences.map((s) => [s.line, s.lineOf(1)])).toEqual([
      [1, 4],
      [13, 15],
    ]);
  });

  test("a sentence is complete at its blank line", () => {
    const reader = new TreebankReader();
    expect(reader.push(bytesOf(tree(0).slice(0, -1)))).toHaveLength(0);
    expect(reader.push(bytesOf("\n"))).toHaveLength(1);
    expect(reader.end()).toHaveLength(0);
  });
});

const word = (id: string, rest = "w\t_\t_\t_\t_\t_\t_\t_\t_") => `${id}\t${rest}\n`;

describe("errors have a place, a value and what was expected", () => {
  const good = tree(0);
  const TABLE: [name: string, text: string, message: string, options?: ReaderOptions][] = [
    [
      "too few columns",
      "1\tw\t_\n",
      '3:3: invalid columns: "1\\tw\\t_" (expected 10 columns separated by tabs, found 3)',
    ],
    ["too many columns", word("1").replace("\n", "\t_\n"), "3:11: invalid columns"],
    ["spaces", "1 w _ _ _ _ 0 _ _ _\n", "found 1, with spaces in column 1)"],
    ["one tab missing", word("1").replace("w\t_", "w _"), "3:2: invalid columns"],
    ["empty column", word("1", "w\t\t_\t_\t_\t_\t_\t_\t_"), '3:3: invalid LEMMA: "" (expected a value, or _ for none)'],
    ["empty last column", word("1", "w\t_\t_\t_\t_\t_\t_\t_\t"), "3:10: invalid MISC"],
    ["bad id", word("one"), "3:1: invalid ID: one (expected 1)"],
    ["leading zero", word("01"), "3:1: invalid ID: 01 (expected 1)"],
    ["gap", word("1") + word("3"), "4:1: invalid ID: 3 (expected 2)"],
    [
      "repeated id",
      word("1") + word("1"),
      "4:1: invalid ID: 1 (expected 2: 1 is repeated, or a blank line is missing)",
    ],
    ["not a number", tree("x"), "3:7: invalid HEAD: x (expected a word number, 0 for the root or _ for none)"],
    ["negative head", tree(-1), "3:7: invalid HEAD: -1"],
    ["head too large", tree(0, 3), "4:7: invalid HEAD: 3 (expected 0 to 2: the sentence has 2 words)"],
    ["head much too large", tree("4294967297"), "3:7: invalid HEAD: 4294967297"],
    ["self-loop", tree(0, 2), "4:7: invalid HEAD: 2 (expected another word: this word is its own head)"],
    ["cycle", tree(0, 3, 4, 2), "4:7: invalid HEAD: 3 (expected no cycle: heads 2 → 3 → 4 → 2)"],
    ["cycle in a partial tree", tree("_", 3, 2), "4:7: invalid HEAD: 3 (expected no cycle: heads 2 → 3 → 2)"],
    ["no root", tree(2, 1), "3:7: invalid HEAD: 2 (expected a root: no word has the head 0)"],
    [
      "two roots",
      tree(0, 0),
      "4:7: invalid HEAD: 0 (expected a single root: word 1 is already a root)",
      { singleRoot: true },
    ],
    ["no head", tree(0, "_"), "4:7: invalid HEAD: _ (expected a head, 0 to 2)", { requireTree: true }],
    [
      "unfinished range",
      word("1-2") + word("1"),
      "3:1: invalid ID: 1-2 (expected the words up to 2: the sentence ends at 1)",
    ],
    ["range at the end", word("1") + word("2-3"), "4:1: invalid ID: 2-3"],
    [
      "range too late",
      word("1") + word("1-2") + word("2"),
      "4:1: invalid ID: 1-2 (expected a multiword token that starts at 2, the next word)",
    ],
    [
      "reversed range",
      word("1") + word("2-1"),
      "4:1: invalid ID: 2-1 (expected a multiword token that ends after its start)",
    ],
    [
      "overlapping ranges",
      word("1-2") + word("1") + word("2-3"),
      "5:1: invalid ID: 2-3 (expected 2: the multiword token 1-2 of line 3 is not complete)",
    ],
    ["empty node out of place", word("1") + word("2.1"), "4:1: invalid ID: 2.1 (expected 1.1 for an empty node here)"],
    ["empty node repeated", word("1") + word("1.1") + word("1.1"), "5:1: invalid ID: 1.1 (expected 1.2 for"],
    ["bad empty node", word("0.x"), "3:1: invalid ID: 0.x (expected 0.1 for"],
    ["empty node only", word("0.1"), '3: invalid sentence: "" (expected a line for at least one word)'],
    ["control characters", word("\u001b[2J"), '3:1: invalid ID: "\\u001b[2J" (expected 1)'],
  ];

  test.each(TABLE)("%s", (_, text, message, options) => {
    const lines = text.replace(/\n+$/, "");
    for (const ending of ["\n", "\r\n"]) {
      const file = `${good}${lines}\n\n${good}`.replaceAll("\n", ending);
      const { sentences, errors } = read(bytesOf(file), options);
      expect(sentences.map((s) => s.line)).toEqual([1, 3 + lines.split("\n").length + 1]);
      expect(errors).toHaveLength(1);
      expect(errors[0]!.message).toContain(message);
      expect(errors[0]!.message.startsWith(`x.conllu:${errors[0]!.line}:`)).toBe(true);
    }
  });

  test("by default heads may be missing and roots several", () => {
    expect(messages(tree("_", "_") + tree(0, "_") + tree(0, 0))).toEqual([]);
  });

  test("non-trees may be let through", () => {
    const text = tree(1) + tree(2, 1) + tree(0, 3, 2);
    expect(messages(text)).toHaveLength(3);
    expect(read(bytesOf(text), { allowNonTrees: true }).text).toBe(text);
    expect(messages(tree(4), { allowNonTrees: true })).toHaveLength(1);
  });

  test("bad UTF-8 costs its own sentence only", () => {
    const bytes = bytesOf(`${good}# text\n1\tw\tc@f\t_\t_\t_\t0\t_\t_\t_\n\n${good}`);
    bytes[bytes.indexOf(64)] = 0xe9;
    for (const size of [1, 2, 1000]) {
      const { sentences, errors } = read(bytes, {}, () => size);
      expect(sentences.map((s) => s.line)).toEqual([1, 6]);
      expect(errors.map((e) => e.message)).toEqual([
        "x.conllu:4:3: invalid UTF-8: c�f (expected text encoded in UTF-8)",
      ]);
    }
    const cut = bytesOf(`${good}# é`).slice(0, -1);
    expect(read(cut).errors[0]).toMatchObject({ line: 3, column: 1, what: "UTF-8" });
  });

  test("a sentence without end is not kept", () => {
    const reader = new TreebankReader({ source: "x.conllu" });
    reader.push(bytesOf(good));
    const chunk = bytesOf(word("1").repeat(50_000));
    for (let size = 0; size <= MAX_BLOCK; size += chunk.length) expect(reader.push(chunk)).toEqual([]);
    const [error, next] = reader.push(bytesOf(`\n${good}`));
    expect((error as TreebankError).message).toMatch(
      /^x.conllu:3: invalid sentence: "" \(expected a blank line within/,
    );
    expect(next).toBeInstanceOf(Sentence);
  });

  test("an unknown format lists the valid ones", () => {
    const options = { format: "xml" } as unknown as ReaderOptions;
    expect(() => new TreebankReader(options)).toThrow(
      'invalid format of a treebank reader: "xml" (expected one of conllu, conllx, conll09, json)',
    );
  });
});

const TREEBANKS = new URL("../../../../../shared/treebanks/", import.meta.url);
const files = existsSync(TREEBANKS) ? readdirSync(TREEBANKS).filter((name) => name.endsWith(".conllu")) : [];
if (files.length === 0) console.log("skipped: round trip of the treebanks, ../shared/treebanks is not there");

describe.skipIf(files.length === 0)("the treebanks", () => {
  test.each(files)("%s comes back byte for byte", (name) => {
    const bytes = readFileSync(new URL(name, TREEBANKS));
    const { errors, text } = read(bytes, { allowNonTrees: true }, () => 1 << 16);
    expect(errors).toEqual([]);
    expect(Buffer.from(text).equals(bytes)).toBe(true);
    // Dutch LassySmall of UD 2.0 has three words that are their own heads.
    const notTrees = read(bytes, { requireTree: true, singleRoot: true }).errors.map((error) => error.line);
    expect(notTrees).toEqual(name === "nl_lassysmall-ud-train.conllu" ? [46938, 48257, 55846] : []);
  });

  test.each(files)("%s comes back byte for byte when every column is set to itself", (name) => {
    const bytes = readFileSync(new URL(name, TREEBANKS));
    const { sentences, text } = read(bytes);
    for (const s of sentences) {
      for (let i = 1; i <= s.length; i++) {
        s.setHead(i, s.heads[i]!);
        for (const column of ["form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"] as const) {
          s.set(column, i, s[column](i));
        }
      }
    }
    expect(sentences.join("") === text).toBe(true);
  });
});

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
