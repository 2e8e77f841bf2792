import { describe, expect, test } from "vitest";
import { TreebankError } from "../../src/treebank/errors.js";
import { countLosses, formatSentence } from "../../src/treebank/formats/format-sentence.js";
import { type Format, readTreebank } from "../../src/treebank/formats/reader.js";

const table = (...rows: string[]) => rows.map((row) => `${row.trim().split(/ +/).join("\t")}\n`).join("");

const CONLLU = `# sent_id = a
# text = Wir gehen zum See
${table(
  "1 Wir wir PRON PPER Case=Nom 2 nsubj 2:nsubj _",
  "2 gehen gehen VERB VVFIN _ 0 root 0:root _",
  "3-4 zum _ _ _ Typo=Yes _ _ _ Src=x",
  "3 zu zu ADP APPR _ 5 case 5:case _",
  "4 dem der DET ART _ 5 det 5:det _",
  "4.1 x x X _ _ _ _ 5:dep CopyOf=1",
  "5 See See NOUN NN _ 2 obl 2:obl SpaceAfter=No",
)}
`;

const CONLLX = `${table(
  "1 Wir wir PRON PPER Case=Nom 2 nsubj 2 nsubj",
  "2 gehen gehen VERB VVFIN _ 0 root 0 root",
  "3 heim heim ADV ADV a|b 2 advmod _ _",
)}
`;

const CONLL09 = `${table(
  "1 Wir wir wir PPER PPER Case=Nom _ 2 2 nsubj nsubj _ _ A0",
  "2 gehen gehen gehen VVFIN VVINF _ _ 0 0 root root Y gehen.1 _",
  "3 heim heim heim ADV ADV _ _ 2 2 advmod advmod _ _ AM",
)}
${table("1 Halt halt halt ITJ ITJ _ _ 0 0 root root _ _")}
`;

const JSON_LINE = formatSentence(readTreebank(CONLLU)[0]!, "json");

function convert(text: string, format: Format, to: Format) {
  const losses = new Map<string, number>();
  const sentences = readTreebank(text, { format, requireTree: true, singleRoot: true });
  for (const sentence of sentences) countLosses(sentence, to, losses);
  return { text: sentences.map((s) => formatSentence(s, to)).join(""), losses: Object.fromEntries(losses) };
}

describe("every format comes back as it was", () => {
  const SAMPLES: [Format, string][] = [
    ["conllu", CONLLU],
    ["conllx", CONLLX],
    ["conll09", CONLL09],
    ["json", JSON_LINE.repeat(2)],
  ];
  test.each(SAMPLES)("%s", (format, text) => {
    expect(convert(text, format, format)).toEqual({ text, losses: {} });
    if (format === "json") return;
    const crlf = text.replaceAll("\n", "\r\n");
    expect(convert(crlf, format, format).text).toBe(crlf);
  });
  test("CoNLL-U through JSON", () => {
    expect(convert(convert(CONLLU, "conllu", "json").text, "json", "conllu")).toEqual({ text: CONLLU, losses: {} });
  });
});

describe("converting keeps what the format can hold and counts the rest", () => {
  const left = { comments: 2, "multiword tokens": 1, "empty nodes": 1, "DEPS values": 5, "MISC values": 1 };

  test("CoNLL-U to CoNLL-X", () => {
    const { text, losses } = convert(CONLLU, "conllu", "conllx");
    expect(text).toBe(
      `${table(
        "1 Wir wir PRON PPER Case=Nom 2 nsubj _ _",
        "2 gehen gehen VERB VVFIN _ 0 root _ _",
        "3 zu zu ADP APPR _ 5 case _ _",
        "4 dem der DET ART _ 5 det _ _",
        "5 See See NOUN NN _ 2 obl _ _",
      )}\n`,
    );
    expect(losses).toEqual(left);
  });

  test("CoNLL-U to CoNLL-2009", () => {
    const { text, losses } = convert(CONLLU, "conllu", "conll09");
    expect(text.split("\n")[0]).toBe("1\tWir\twir\t_\tPPER\t_\tCase=Nom\t_\t2\t_\tnsubj\t_\t_\t_");
    expect(losses).toEqual({ ...left, "UPOS values": 5 });
  });

  test("CoNLL-X to CoNLL-U", () => {
    const { text, losses } = convert(CONLLX, "conllx", "conllu");
    expect(text.split("\n")[0]).toBe("1\tWir\twir\tPRON\tPPER\tCase=Nom\t2\tnsubj\t_\t_");
    expect(losses).toEqual({ "PHEAD values": 2, "PDEPREL values": 2 });
  });

  test("CoNLL-2009 to CoNLL-U", () => {
    const { text, losses } = convert(CONLL09, "conll09", "conllu");
    const roles = "Pred=gehen.1|Args=1:A0,3:AM";
    expect(text.split("\n")[1]).toBe(`2\tgehen\tgehen\tVVFIN\tVVFIN\t_\t0\troot\t_\t${roles}`);
    expect(losses).toMatchObject({ "PLEMMA values": 4 });
    expect(Object.keys(losses).filter((name) => name.includes("PRED"))).toEqual([]);
    const conllx = convert(CONLL09, "conll09", "conllx").losses;
    expect(conllx).toMatchObject({ "FILLPRED values": 1, "PRED values": 1, "APRED values": 2 });
  });

  test("JSON", () => {
    const sentence = JSON.parse(JSON_LINE);
    expect(Object.keys(sentence)).toEqual(["version", "id", "text", "words", "multiWordTokens", "emptyNodes"]);
    expect([sentence.version, sentence.id, sentence.text]).toEqual([1, "a", "Wir gehen zum See"]);
    expect(sentence.words[4]).toEqual({
      ...{ id: 5, form: "See", lemma: "See", upos: "NOUN", xpos: "NN", feats: {} },
      ...{ head: 2, deprel: "obl", deps: { 2: "obl" }, misc: { SpaceAfter: "No" } },
    });
    expect(sentence.multiWordTokens).toEqual([
      { from: 3, to: 4, form: "zum", feats: { Typo: "Yes" }, misc: { Src: "x" } },
    ]);
    const node = { id: "4.1", form: "x", lemma: "x", upos: "X", deps: { 5: "dep" }, misc: { CopyOf: "1" } };
    expect(sentence.emptyNodes).toEqual([node]);
    expect(formatSentence(readTreebank(table("1 a _ _ _ _ _ _ _ _"))[0]!, "json")).toContain('"head":null');
  });

  test("JSON of columns that other programs fill in their own way follows the schema", () => {
    const text = table("1 a _ _ _ _ 0 root x:y TokenRange=1:99999999999999999999|Score=7");
    const [word] = JSON.parse(formatSentence(readTreebank(text)[0]!, "json")).words;
    expect(word).toMatchObject({ deps: "x:y", misc: { TokenRange: "1:99999999999999999999", Score: "7" } });
    expect(word).not.toHaveProperty("score");
    expect(word).not.toHaveProperty("start");
    expect(convert(convert(text, "conllu", "json").text, "json", "conllu").text.trim()).toBe(text.trim());
  });

  test("little JSON is enough", () => {
    const [s] = readTreebank('{"id":"x","text":"a b","words":[{"form":"a","head":0},{"form":"b"}]}', {
      format: "json",
    });
    expect(s!.toString()).toBe(`# sent_id = x\n# text = a b\n${table("1 a _ _ _ _ 0 _ _ _", "2 b _ _ _ _ _ _ _ _")}\n`);
  });
});

describe("setting columns", () => {
  test("in CoNLL-2009 keeps the predicates", () => {
    const [s] = readTreebank(CONLL09, { format: "conll09" });
    s!.setHead(1, 3);
    s!.setDeprel(1, "dep");
    s!.set("xpos", 3, "PTK");
    expect(s!.upos(3)).toBe("PTK");
    expect(s!.toString()).toBe(
      `${table(
        "1 Wir wir wir PPER PPER Case=Nom _ 3 2 dep nsubj _ _ A0",
        "2 gehen gehen gehen VVFIN VVINF _ _ 0 0 root root Y gehen.1 _",
        "3 heim heim heim PTK ADV _ _ 2 2 advmod advmod _ _ AM",
      )}\n`,
    );
  });
  test("that the format lacks is an error", () => {
    const [s] = readTreebank(CONLLX, { format: "conllx" });
    expect([s!.deps(1), s!.misc(1)]).toEqual(["_", "_"]);
    expect(() => s!.set("misc", 1, "a=b")).toThrow('invalid column: "misc" (conllx does not have it');
  });
});

describe("errors", () => {
  const words = (...rest: string[]) => `{"words":[{"form":"a","head":0}]${rest.map((r) => `,${r}`).join("")}}`;
  const TABLE: [Format, string, string][] = [
    ["conllx", CONLLX.replace("2\tgehen", "2-3\tgehen"), "x:2:1: invalid ID: 2-3 (expected 2)"],
    ["conllx", CONLLX.replace("0\troot\t0\troot", "9\troot\t0\troot"), "x:2:7: invalid HEAD: 9 (expected 0 to 3"],
    ["conll09", CONLLX, "x:1:10: invalid columns: "],
    ["conll09", CONLLX, "(expected 12 or more columns separated by tabs, found 10)"],
    ["conllu", CONLL09, "(expected 10 columns separated by tabs, found 15 as in CoNLL-2009)"],
    ["conll09", CONLL09.replace("\tA0", ""), "x:2:15: invalid columns: "],
    ["conll09", CONLL09.replace("\t0\t0\troot", "\tx\t0\troot"), "x:2:9: invalid HEAD: x"],
    ["json", `\n\n${"{"}`, "x:3: invalid JSON: { (expected "],
    ["json", "[1]", "x:1: invalid words: undefined (expected an array)"],
    ["json", "null", "x:1: invalid sentence: null (expected an object with words)"],
    ["json", '{"words":[{}]}', "x:1: invalid form of word 1: undefined (expected a string)"],
    ["json", '{"words":[{"form":"a","id":2}]}', "x:1: invalid word id: 2 (expected 1)"],
    ["json", '{"words":[{"form":"a","head":"0"}]}', "x:1: invalid head of word 1: 0 (expected a whole number"],
    ["json", '{"words":[{"form":"a","head":7}]}', "x:1: invalid HEAD: 7 (expected 0 to 1: the sentence has 1 word)"],
    // 2³² - 1 is -1 in 32 bits.
    [
      "json",
      '{"words":[{"form":"a","head":4294967295}]}',
      "x:1: invalid HEAD: 4294967295 (expected 0 to 1: the sentence",
    ],
    ["json", '{"words":[{"form":"a","misc":7}]}', "x:1: invalid MISC of 1: 7 (expected text such as "],
    ["json", '{"words":[]}', "x:1: invalid sentence: "],
    ["json", words('"comments":[1]'), "x:1: invalid comments: 1 (expected strings)"],
    ["json", words('"comments":["a\\nb"]'), 'x:1: invalid comment: "# a\\nb" (expected no line end)'],
    ["json", words('"id":7'), "x:1: invalid id: 7 (expected a string)"],
    ["json", words('"text":["a"]'), 'x:1: invalid text: "an array" (expected a string)'],
    ["json", words('"tree":{"rank":1}'), 'x:1: invalid tree: {"rank":1} (expected its rank'],
    ["json", words('"start":"3"'), "x:1: invalid start: 3 (expected a whole number, 0 or more)"],
    ["json", '{"words":[{"form":"a","end":-1}]}', "x:1: invalid end: -1 (expected a whole number, 0 or more)"],
    ["json", '{"words":[{"form":"a","score":"high"}]}', "x:1: invalid score: high (expected a number from 0 to 1)"],
    ["json", '{"words":[{"form":"a","deps":{"x":"y"}}]}', "x:1: invalid DEPS of 1: "],
    [
      "json",
      words('"emptyNodes":[{"id":"1.1","form":"b","head":7}]'),
      "x:1: invalid head: 7 (expected a string, since this",
    ],
    ["json", words('"emptyNodes":[{"id":"1"}]'), "x:1: invalid ID: 1 (expected the id of an empty node"],
    ["json", words('"multiWordTokens":[{"from":"1","to":1}]'), "x:1: invalid ID: 1-1 (expected a start from 1 to 1)"],
  ];
  test.each(TABLE)("%s: %j", (format, text, message) => {
    const read = () => readTreebank(text, { format, source: "x" });
    expect(read).toThrow(TreebankError);
    expect(read).toThrow(message);
  });
});
