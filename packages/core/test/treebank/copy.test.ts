import { expect, test } from "vitest";
import { formatSentence } from "../../src/treebank/formats/format-sentence.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";

const CONLLU =
  "# sent_id = a\r\n1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\r\n1\tdo\tdo\tAUX\t_\t_\t0\troot\t_\t_\r\n" +
  "2\tn't\tnot\tPART\t_\t_\t1\tadvmod\t_\t_\r\n2.1\tgo\t_\t_\t_\t_\t_\t_\t1:dep\t_\r\n\r\n";

test.each([
  ["of a file", () => readTreebank(CONLLU)[0]!],
  ["of lists", () => Sentence.from(readTreebank(CONLLU)[0]!.toJSON())],
])("neither a copy %s nor the sentence changes with the other", (_, make) => {
  const sentence = make();
  sentence.set("lemma", 1, "DO");
  const before = sentence.toString();
  const copy = sentence.copy();
  expect(copy.toString()).toBe(before);
  copy.setHead(2, 0);
  copy.set("lemma", 2, "NOT");
  copy.setComment("note", "x");
  copy.removeMultiWordToken(1);
  copy.moveTo(100);
  expect([sentence.toString(), sentence.head(2), sentence.start]).toEqual([before, 1, 0]);
  const changed = copy.toString();
  sentence.set("form", 1, "did");
  sentence.id = "b";
  expect([copy.toString(), copy.start, copy.line]).toEqual([changed, 100, sentence.line]);
});

test("a copy in CoNLL-U has what another format has", () => {
  const lines = [
    "1\tBirds\tbird\t_\tNNS\t_\t_\t_\t2\t_\tSBJ\t_\t_\t_\tA0",
    "2\tsing\tsing\t_\tVBP\t_\t_\t_\t0\t_\tROOT\t_\tY\tsing.01\t_",
  ];
  const [old] = readTreebank(`${lines.join("\n")}\n\n`, { format: "conll09" });
  const copy = old!.copy("conllu");
  expect(copy.toString()).toBe(old!.toConllu());
  expect(formatSentence(copy, "conll09")).toBe(formatSentence(readTreebank(old!.toConllu())[0]!, "conll09"));
  expect(copy.predicates.map((predicate) => predicate.toJSON())).toEqual(old!.predicates.map((p) => p.toJSON()));
  copy.setHead(1, 0);
  expect(old!.head(1)).toBe(2);
  // @ts-expect-error no such format of a copy
  expect(() => old!.copy("conllx")).toThrow('invalid format of a copy: "conllx" (expected one of conllu)');
});
