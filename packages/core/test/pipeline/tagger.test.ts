import { describe, expect, test } from "vitest";
import { Tagger } from "../../src/pipeline/tagger/tagger.js";
import { checkTaggerHeader } from "../../src/pipeline/tagger/tagger-header.js";
import { foldsOf } from "../../src/training/preparation/folds.js";
import { trainTagger } from "../../src/training/tagger/tagger-training.js";
import { tagged, toyTreebank } from "./toy-tags.js";

const options = { epochs: 5, seed: 7 };

/** Words with UPOS, XPOS and FEATS, as the tagger gives them. */
function tags(tagger: Tagger, forms: string[]): string[] {
  tagger.tag(forms);
  return forms.map((form, i) => `${form} ${tagger.upos(i)} ${tagger.xpos(i)} ${tagger.feats(i)}`);
}

describe("tagger", () => {
  const sentences = toyTreebank(3, 300);
  const model = trainTagger(sentences, options);

  test("gets a made-up language right, also in new sentences", () => {
    const tagger = new Tagger(model);
    for (const sentence of toyTreebank(99, 100)) {
      tagger.tag(sentence.forms);
      for (let i = 1; i <= sentence.length; i++) {
        const found = [tagger.upos(i - 1), tagger.xpos(i - 1), tagger.feats(i - 1)];
        expect(found).toEqual([sentence.upos(i), sentence.xpos(i), sentence.feats(i)]);
      }
    }
  });

  test("knows unseen words by their ends", () => {
    const tagger = new Tagger(model);
    expect(tags(tagger, ["the", "blorms", "snarfed", "."])).toEqual([
      "the DET DT _",
      "blorms NOUN NNS Number=Plur",
      "snarfed VERB VBD Tense=Past|VerbForm=Fin",
      ". PUNCT . _",
    ]);
  });

  test("gives the same model for the same seed and another for another", () => {
    const again = trainTagger(toyTreebank(3, 300), options);
    expect(again.header).toEqual(model.header);
    expect(again.linear.entries()).toEqual(model.linear.entries());
    const other = trainTagger(sentences, { ...options, seed: 8 });
    expect(other.linear.entries()).not.toEqual(model.linear.entries());
  });

  test("tags the same after other sentences, and after so many words that its tables start anew", () => {
    const tagger = new Tagger(model);
    const forms = ["the", "saw", "walked", "."];
    const before = tags(tagger, forms);
    for (let round = 0; round < 50; round++) tagger.tag(Array.from({ length: 1000 }, (_, i) => `w${round}x${i}s`));
    expect(tags(tagger, forms)).toEqual(before);
    expect(tags(new Tagger(model), forms)).toEqual(before);
  });

  test("gives candidates, best first, within the margin", () => {
    const tagger = new Tagger(model, true);
    tagger.tag(["the", "zzz", "walked", "."]);
    const all = tagger.candidates(1, 100, Number.POSITIVE_INFINITY);
    expect(all.length).toBe(model.analyses.tags);
    expect(all[0]!.tag).toBe(model.analyses.tagOf[tagger.analysis(1)]);
    for (let k = 1; k < all.length; k++) expect(all[k]!.score).toBeLessThanOrEqual(all[k - 1]!.score);
    expect(tagger.candidates(1, 2, Number.POSITIVE_INFINITY)).toEqual(all.slice(0, 2));
    const margin = all[0]!.score - all[1]!.score;
    expect(tagger.candidates(1, 9, margin).length).toBeGreaterThanOrEqual(2);
    if (margin > 0) expect(tagger.candidates(1, 9, margin - 1).length).toBe(1);
    expect(() => tagger.candidates(4, 1, 0)).toThrow("invalid word: 4 (expected 0 to 3)");
    expect(() => new Tagger(model).candidates(0, 1, 0)).toThrow("expected one that keeps scores");
  });

  test("takes any text, of any length", () => {
    const tagger = new Tagger(model);
    const odd = [
      "\ud83d",
      "\udc00x",
      "👩‍👩‍👧",
      "İI",
      "\u0000",
      "a".repeat(10_000),
      "__proto__",
      "ﬀ",
      "-",
      "constructor",
    ];
    tagger.tag(odd);
    for (let i = 0; i < odd.length; i++) expect(model.header.upos).toContain(tagger.upos(i));
    tagger.tag(Array.from({ length: 10_000 }, (_, i) => (i % 2 ? "dog" : "the")));
    expect(tagger.upos(9999)).toBe("NOUN");
    tagger.tag([]);
    expect(() => tagger.upos(0)).toThrow(RangeError);
  });

  test("learns from one sentence, and from a treebank without tags", () => {
    const one = new Tagger(trainTagger([tagged("a/DET/DT/_ dog/NOUN/NN/Number=Sing")], { epochs: 3 }));
    expect(tags(one, ["a"])).toEqual(["a DET DT _"]);
    const none = new Tagger(trainTagger([tagged("a/_/_/_ dog/_/_/_"), tagged("dogs/_/_/_")]));
    expect(tags(none, ["a", "cat"])).toEqual(["a _ _ _", "cat _ _ _"]);
    expect(() => trainTagger([])).toThrow("no sentences");
  });

  test("chooses XPOS with FEATS where there are too many pairs for tags", () => {
    const many = Array.from({ length: 600 }, (_, i) => tagged(`w${i % 300}/X/x${i % 300}/N=${i % 2} z/Y/y/_`));
    const tagger = new Tagger(trainTagger(many, { epochs: 6 }));
    expect(tagger.model.analyses.tags).toBe(2);
    expect(tags(tagger, ["w7", "z"])).toEqual(["w7 X x7 N=1", "z Y y _"]);
  });

  test("checks headers", () => {
    const { header } = model;
    expect(checkTaggerHeader(JSON.parse(JSON.stringify(header)))).toEqual(header);
    expect(model.classCount).toBe(model.analyses.classes);
    const bad = (change: object) => () => checkTaggerHeader({ ...header, ...change });
    expect(() => checkTaggerHeader(null)).toThrow("invalid tagger: null (expected an object)");
    expect(bad({ upos: 3 })).toThrow("invalid tagger.upos: 3 (expected a list)");
    expect(bad({ xpos: [3] })).toThrow(
      "invalid tagger.xpos[0]: 3 (expected a string without tabs and line ends that is not empty)",
    );
    expect(bad({ upos: ["", ...header.upos.slice(1)] })).toThrow('invalid tagger.upos[0]: "" (expected');
    expect(bad({ upos: ["A\tB"] })).toThrow('invalid tagger.upos[0]: "A\\tB" (expected');
    expect(bad({ feats: [] })).toThrow("tagger.analyses[0][3]");
    expect(bad({ words: undefined })).toThrow("invalid tagger.words: nothing (expected a list)");
    expect(bad({ words: [[1]] })).toThrow("invalid tagger.words[0][0]");
    expect(bad({ analyses: [] })).toThrow("invalid tagger.analyses: none");
    expect(bad({ analyses: [[0, 0, 0]] })).toThrow("3 numbers (expected 4)");
    expect(bad({ analyses: [[1, 0, 0, 0]] })).toThrow(
      "invalid tagger.analyses[0][0]: 1 (expected an integer from 0 to 0)",
    );
    expect(bad({ analyses: [...header.analyses, [0, 0, 0, 0]] })).toThrow(RangeError);
    expect(bad({ analyses: [[0, 0, 0.5, 0]] })).toThrow("invalid tagger.analyses[0][2]: 0.5");
  });
});

describe("folds", () => {
  test("are equally large, depend on the seed, and keep neighbours together", () => {
    const folds = foldsOf(2000, 4, 1);
    const sizes = [0, 0, 0, 0];
    let changes = 0;
    folds.forEach((fold, i) => {
      sizes[fold]!++;
      if (i > 0 && folds[i - 1] !== fold) changes++;
    });
    expect(sizes).toEqual([500, 500, 500, 500]);
    expect(changes).toBeLessThan(40);
    expect(foldsOf(2000, 4, 1)).toEqual(folds);
    expect(foldsOf(2000, 4, 2)).not.toEqual(folds);
    expect([...foldsOf(3, 3, 5)].sort()).toEqual([0, 1, 2]);
    expect(() => foldsOf(10, 1, 1)).toThrow("invalid number of folds: 1");
  });
});
