import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyScript, editScript, isEditScript } from "../../src/pipeline/lemmatizer/edit-script.js";
import { checkLemmatizerHeader, Lemmatizer } from "../../src/pipeline/lemmatizer/lemmatizer.js";
import { trainLemmatizer } from "../../src/training/lemmatizer/lemmatizer-training.js";
import { tagged, toyTreebank } from "./toy-tags.js";

describe("edit scripts", () => {
  test.each([
    ["walks", "walk", "l|0||1|"],
    ["Flies", "fly", "l|0||3|y"],
    ["went", "go", "=go"],
    ["gegangen", "gehen", "l|0||6|hen"],
    ["ungesagt", "sagen", "l|4||1|en"],
    ["London", "London", "k|0||0|"],
    ["ROME", "Rome", "t|0||0|"],
    ["n't", "not", "l|0||2|ot"],
  ])("%s → %s is %s", (form, lemma, script) => {
    expect(editScript(form, lemma)).toBe(script);
    expect(applyScript(script, form)).toBe(lemma);
  });

  test("give the lemma back, whatever form and lemma are", () => {
    const unit = fc.oneof(
      fc.constantFrom("a", "b", "A", "|", "=", "İ", "ß", "ﬀ", "\ud83d", "\ude00", "😀", "1", "Σ", "k"),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    const text = fc.array(unit, { maxLength: 8 }).map((units) => units.join(""));
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        for (const [form, lemma] of [
          [a, b],
          [a + b, b],
          [a + b, a + c],
          [(a + b).toUpperCase(), b],
        ] as const) {
          const script = editScript(form, lemma);
          expect(applyScript(script, form)).toBe(lemma);
          expect(isEditScript(script)).toBe(true);
        }
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  test("that take off more than there is cannot be applied", () => {
    expect(applyScript("l|0||3|y", "yes")).toBeUndefined();
    expect(applyScript("l|2||1|", "abcd")).toBe("c");
  });

  test("of very long words take no time", () => {
    const long = "ab".repeat(50_000);
    expect(applyScript(editScript(long, `${long}c`), long)).toBe(`${long}c`);
    expect(editScript(long, long)).toBe("k|0||0|");
  });
});

describe("lemmatizer", () => {
  const model = trainLemmatizer(toyTreebank(3, 300), { seed: 7 });
  const lemmatizer = new Lemmatizer(model);

  test("gets a made-up language right, also in new sentences", () => {
    for (const s of toyTreebank(99, 100)) {
      for (let i = 1; i <= s.length; i++) {
        expect(lemmatizer.lemma(s.form(i), s.upos(i), s.xpos(i), s.feats(i))).toBe(s.lemma(i));
      }
    }
  });

  test("knows unseen words by their ends, and tells lemmas apart by tags", () => {
    expect(lemmatizer.lemma("snarfed", "VERB", "VBD", "Tense=Past|VerbForm=Fin")).toBe("snarf");
    expect(lemmatizer.lemma("saw", "VERB", "VBD", "Tense=Past|VerbForm=Fin")).toBe("see");
    expect(lemmatizer.lemma("saw", "NOUN", "NN", "Number=Sing")).toBe("saw");
  });

  test("never gives an empty lemma", () => {
    expect(lemmatizer.lemma("s", "NOUN", "NNS", "Number=Plur")).not.toBe("");
    expect(lemmatizer.lemma("ed", "VERB", "VBD", "Tense=Past|VerbForm=Fin")).not.toBe("");
    const only = new Lemmatizer(trainLemmatizer([tagged("dogs/N/_/_/dog cats/N/_/_/cat")]));
    expect(only.lemma("s", "N", "_", "_")).toBe("s");
  });

  test("gives the same model for the same seed", () => {
    const again = trainLemmatizer(toyTreebank(3, 300), { seed: 7 });
    expect(again.header).toEqual(model.header);
    expect(again.linear.entries()).toEqual(model.linear.entries());
  });

  test("takes any text and tags, of any length", () => {
    for (const form of ["\ud83d", "👩‍👩‍👧", "İ", "\u0000", "a".repeat(10_000), "__proto__", "constructor"]) {
      expect(lemmatizer.lemma(form, "NOUN", "?", "__proto__").length).toBeGreaterThan(0);
    }
    for (let k = 0; k < 40_000; k++) lemmatizer.lemma(`w${k}s`, "NOUN", "NNS", "Number=Plur");
    expect(lemmatizer.lemma("dogs", "NOUN", "NNS", "Number=Plur")).toBe("dog");
  });

  test("gives _ after a treebank without lemmas, and learns nothing from words without one", () => {
    const none = new Lemmatizer(trainLemmatizer([tagged("a/DET/_/_/_ dog/NOUN/_/_/_")]));
    expect(none.lemma("cats", "NOUN", "_", "_")).toBe("_");
    const some = new Lemmatizer(trainLemmatizer([tagged("a/DET/_/_/_ dogs/NOUN/_/_/dog cats/NOUN/_/_/cat")]));
    expect(some.lemma("a", "DET", "_", "_")).not.toBe("_");
    expect(() => trainLemmatizer([])).toThrow("no sentences");
  });

  test("checks headers", () => {
    const { header } = model;
    expect(checkLemmatizerHeader(JSON.parse(JSON.stringify(header)))).toEqual(header);
    const bad = (change: object) => () => checkLemmatizerHeader({ ...header, ...change });
    expect(() => checkLemmatizerHeader([])).toThrow("invalid lemmatizer: [] (expected an object)");
    expect(bad({ scripts: [] })).toThrow("invalid lemmatizer.scripts: none");
    expect(bad({ scripts: ["l|0||x|"] })).toThrow("invalid lemmatizer.scripts[0]");
    expect(bad({ scripts: ["l|0||0|", 4] })).toThrow(
      "invalid lemmatizer.scripts[1]: 4 (expected a string without tabs and line ends that is not empty)",
    );
    expect(bad({ scripts: ["="] })).toThrow('invalid lemmatizer.scripts[0]: "=" (expected an edit script)');
    expect(bad({ exceptions: ["a", "b", ""] })).toThrow('invalid lemmatizer.exceptions[2]: ""');
    expect(bad({ exceptions: ["a", "b"] })).toThrow(
      "invalid lemmatizer.exceptions: 2 strings (expected a multiple of 3)",
    );
    expect(bad({ exceptions: "a" })).toThrow("invalid lemmatizer.exceptions");
  });
});
