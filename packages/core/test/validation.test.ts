import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readTreebank, validate } from "../src/treebank.js";

const GOOD = [
  "# sent_id = 1",
  "# text = She has two books , and reads .",
  "1\tShe\tshe\tPRON\t_\tCase=Nom|Number=Sing\t2\tnsubj\t_\t_",
  "2\thas\thave\tVERB\t_\t_\t0\troot\t_\t_",
  "3\ttwo\ttwo\tNUM\t_\tNumType=Card\t4\tnummod\t_\t_",
  "4\tbooks\tbook\tNOUN\t_\tNumber=Plur\t2\tobj\t_\t_",
  "5\t,\t,\tPUNCT\t_\t_\t7\tpunct\t_\t_",
  "6\tand\tand\tCCONJ\t_\t_\t7\tcc\t_\t_",
  "7\treads\tread\tVERB\t_\t_\t2\tconj\t_\t_",
  "8\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_",
  "",
  "",
].join("\n");

/** What is found when some text of the good sentence is another. */
function found(from: string | RegExp = "", to = ""): string[] {
  const text = GOOD.replace(from, to);
  if (from !== "") expect(text).not.toBe(GOOD);
  const [sentence] = readTreebank(text, { allowNonTrees: true });
  return validate(sentence!).map(({ rule, word }) => `${word} ${rule}`);
}

describe("rules", () => {
  test("a good sentence", () => expect(found()).toEqual([]));

  test("trees", () => {
    expect(found("4\tnummod", "0\troot")).toEqual(["3 one-root"]);
    expect(found("4\tnummod", "0\tnummod")).toEqual(["3 root-label", "3 one-root"]);
    expect(found("2\tnsubj", "2\troot")).toEqual(["1 root-label"]);
    expect(found("0\troot", "7\tconj")).toContain("2 cycle");
    expect(found("0\troot", "7\tconj")).toContain("0 one-root");
    expect(found("4\tnummod", "_\tnummod")).toEqual(["3 head"]);
    expect(found("5\t,\t,\tPUNCT\t_\t_\t7", "5\t,\t,\tPUNCT\t_\t_\t1")).toEqual(["5 punct-projective"]);
  });

  test("columns", () => {
    expect(found("NUM\t_", "NUMBER\t_")).toEqual(["3 label-upos", "3 upos"].reverse());
    expect(found("VERB", "_")).toEqual(["2 upos"]);
    expect(found("Case=Nom|Number=Sing", "Number=Sing|Case=Nom")).toEqual(["1 feature-order"]);
    expect(found("Case=Nom|Number=Sing", "Case=Nom|Case=Acc")).toEqual(["1 feature-form"]);
    expect(found("NumType=Card", "NumType")).toEqual(["3 feature-form"]);
    expect(found("NumType=Card", "NumType=card")).toEqual(["3 feature-form"]);
    expect(found("CCONJ\t_\t_", "CCONJ\t_\tTense=Past")).toEqual(["6 feature-upos"]);
    expect(found("\tbook\t", "\t_\t")).toEqual(["4 lemma"]);
  });

  test("relations", () => {
    expect(found("2\tnsubj", "2\tsubject")).toEqual(["1 label"]);
    expect(found("2\tnsubj", "2\t_")).toEqual(["1 label"]);
    expect(found("2\tobj", "2\tobj:Big")).toEqual(["4 label"]);
    expect(found("4\tnummod", "4\tdet")).toEqual(["3 label-upos"]);
    expect(found("4\tnummod", "4\tcase")).toEqual(["3 label-upos"]);
    expect(found("7\tpunct", "7\tadvmod")).toEqual(["5 label-upos", "5 label-upos"]);
    expect(found(/3\ttwo(.*)4\tnummod/, "3\ttwo$16\tnummod")).toEqual(["3 leaf"]);
    expect(found("2\tnsubj", "2\tappos")).toEqual(["1 left-to-right"]);
    expect(found("2\tobj", "2\tnsubj")).toEqual(["4 too-many"]);
    expect(found("2\tnsubj", "2\tobj")).toEqual(["4 too-many"]);
    expect(found("2\tobj", "2\tnsubj:outer")).toEqual([]);
    expect(found("2\tobj", "1\tgoeswith")).toContain("4 goeswith-gap");
  });

  test("text", () => {
    expect(found("two books", "two book")).toEqual(["0 text"]);
    expect(found(/# text.*\n/)).toEqual(["0 text"]);
    expect(found(/# sent_id.*\n/)).toEqual(["0 sent-id"]);
  });

  test("every violation has a page of the guidelines", () => {
    const [sentence] = readTreebank(GOOD.replace("2\tnsubj", "2\tobj"));
    const [violation] = validate(sentence!);
    expect(violation).toEqual({
      rule: "too-many",
      level: "error",
      word: 4,
      message: "“has” (2) has 2 objects: “She” (1), “books” (4).",
      link: "https://universaldependencies.org/u/dep/obj.html",
    });
  });
});

const TREEBANK = new URL("../../../../shared/treebanks/en_ewt-ud-dev.conllu", import.meta.url);
if (!existsSync(TREEBANK)) console.log("no treebanks in ../shared/treebanks: the rules are not tried on one");

test.skipIf(!existsSync(TREEBANK))(
  "a treebank that UD's validator passed has hardly anything against the rules",
  () => {
    const sentences = readTreebank(readFileSync(TREEBANK, "utf8"));
    const wrong = sentences.filter((sentence) => validate(sentence).length > 0);
    expect(wrong.length).toBeLessThanOrEqual(2);
  },
);
