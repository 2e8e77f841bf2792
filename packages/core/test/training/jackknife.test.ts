import { describe, expect, test } from "vitest";
import { trainLemmatizer } from "../../src/training/lemmatizer/lemmatizer-training.js";
import { jackknife, predictTags } from "../../src/training/preparation/jackknife.js";
import { trainTagger } from "../../src/training/tagger/tagger-training.js";
import { tagged, toyTreebank } from "../pipeline/toy-tags.js";

const options = { seed: 5, tagger: { epochs: 3 } };

describe("jack-knifing", () => {
  test("never tags a sentence with a model that saw it", () => {
    // Each sentence has a UPOS and a lemma of its own for the same word: a model that saw it would know them.
    const sentences = Array.from({ length: 20 }, (_, k) => tagged(`word/T${k}/_/_/lemma${k} word/T${k}/_/_/lemma${k}`));
    const seen: number[] = [];
    const predicted = jackknife(sentences, 4, { ...options, onFold: (_fold, own) => seen.push(...own) });
    expect(seen.sort((a, b) => a - b)).toEqual([...sentences.keys()]);
    predicted.forEach((sentence, k) => {
      for (let i = 1; i <= 2; i++) {
        expect(sentence.upos(i)).not.toBe(`T${k}`);
        expect(sentence.lemma(i)).not.toBe(`lemma${k}`);
      }
    });
  });

  test("keeps words, trees and order, and gives every sentence tags", () => {
    const sentences = toyTreebank(4, 60);
    const predicted = jackknife(sentences, 3, options);
    let right = 0;
    let words = 0;
    predicted.forEach((sentence, k) => {
      const gold = sentences[k]!;
      expect(sentence.length).toBe(gold.length);
      expect(sentence.heads).toBe(gold.heads);
      for (let i = 1; i <= gold.length; i++) {
        expect([sentence.form(i), sentence.deprel(i)]).toEqual([gold.form(i), gold.deprel(i)]);
        words++;
        if (sentence.upos(i) === gold.upos(i) && sentence.lemma(i) === gold.lemma(i)) right++;
      }
    });
    expect(right / words).toBeGreaterThan(0.9);
  });

  test("depends on the seed only", () => {
    const sentences = toyTreebank(4, 40);
    const tagsOf = (seed: number) => {
      const folds: string[] = [];
      const predicted = jackknife(sentences, 2, { ...options, seed, onFold: (_fold, own) => folds.push(own.join()) });
      return [...folds, ...predicted.map((s) => s.upos(2) + s.xpos(2) + s.feats(2) + s.lemma(2))];
    };
    expect(tagsOf(1)).toEqual(tagsOf(1));
    expect(tagsOf(2)[0]).not.toEqual(tagsOf(1)[0]);
  });

  test("predicts without a lemmatizer, too", () => {
    const sentences = toyTreebank(4, 20);
    const [first] = predictTags(sentences, trainTagger(sentences, { epochs: 2 }));
    expect(first!.lemma(1)).toBe("_");
    const [second] = predictTags(sentences, trainTagger(sentences, { epochs: 2 }), trainLemmatizer(sentences));
    expect(second!.lemma(1)).toBe(sentences[0]!.lemma(1));
  });

  test("needs as many sentences as folds", () => {
    expect(() => jackknife(toyTreebank(1, 3), 4)).toThrow("invalid number of folds: 4 (there are 3 sentences)");
  });
});
