// Places of words in contractions, spans of subtrees, and texts of spans.
import { expect, test } from "vitest";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { Document } from "../../src/treebank/sentence/document.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";

const line = (id: string, form: string, head: number | "_", deprel: string, misc = "_") =>
  `${id}\t${form}\t_\t${deprel === "obj" || deprel === "nsubj" ? "PRON" : "_"}\t_\t_\t${head}\t${deprel}\t_\t${misc}\n`;
const CONTRACTED = `${line("1-2", "I'm", "_", "_")}${line("1", "I", 3, "nsubj")}${line("2", "'m", 3, "aux")}${line("3", "fed", 0, "root")}${line("4-5", "du", "_", "_", "SpaceAfter=No")}${line("4", "de", 5, "case")}${line("5", "le", 3, "obl")}${line("6", ".", 3, "punct")}\n`;

test("words of a contraction are where they are written, others where their token is", () => {
  const [sentence] = readTreebank(CONTRACTED);
  expect(sentence!.text).toBe("I'm fed du.");
  expect(sentence!.words.map(({ form, start, end, hasOwnPlace }) => [form, start, end, hasOwnPlace])).toEqual([
    ["I", 0, 1, true],
    ["'m", 1, 3, true],
    ["fed", 4, 7, true],
    ["de", 8, 10, false],
    ["le", 8, 10, false],
    [".", 10, 11, true],
  ]);
});

test("spans have the part of a token that is theirs", () => {
  const [sentence] = readTreebank(CONTRACTED);
  const text = (from: number, to: number) => sentence!.span(from, to).text;
  expect([text(1, 1), text(2, 2), text(2, 3), text(1, 6)]).toEqual(["I", "'m", "'m fed", "I'm fed du."]);
  expect([text(3, 4), text(5, 6)]).toEqual(["fed du", "du."]);
  expect(sentence!.nounChunks().map(String)).toEqual(["I"]);
  expect(sentence!.words.map(({ span }) => span.text)).toEqual(["I", "'m", "I'm fed du.", "du", "du", "."]);
  const { start, end } = sentence!.words[1]!.span;
  expect(sentence!.text.slice(start, end)).toBe("'m");
});

test("a document finds the word at a place", () => {
  const document = new Document(readTreebank(CONTRACTED + CONTRACTED));
  const at = (offset: number) => document.at(offset)?.index;
  expect([at(0), at(1), at(2), at(3), at(8), at(9), at(10), at(13)]).toEqual([1, 2, 2, undefined, 4, 4, 6, 2]);
});

test("the places are in JSON, and a sentence from it has them", () => {
  const sentence = readTreebank(CONTRACTED)[0]!;
  const conllu = sentence.toConllu({ offsets: true });
  const json = readTreebank(conllu)[0]!.toJSON();
  expect(json.words.map(({ start, end }) => [start, end])).toEqual([
    [0, 1],
    [1, 3],
    [4, 7],
    [8, 10],
    [8, 10],
    [10, 11],
  ]);
  expect(Sentence.from(json).toConllu()).toBe(conllu);
  expect(Sentence.from(json).toJSON()).toEqual(json);
});

test("Document.from and list.map(Sentence.from) read plain data again", () => {
  const document = new Document(readTreebank(CONTRACTED + CONTRACTED));
  const json = JSON.parse(JSON.stringify(document)) as ReturnType<Document["toJSON"]>;
  expect(Document.from(json).toConllu()).toBe(document.toConllu());
  expect(json.sentences.map(Sentence.from).join("")).toBe(document.toConllu());
  // @ts-expect-error no document
  expect(() => Document.from([])).toThrow("invalid document: an array of 0 (expected an object with sentences)");
});
