import { describe, expect, test } from "vitest";
import { Columns, HIDDEN, type Words } from "../../src/features/columns.js";
import { WordDropout } from "../../src/learning/linear/word-dropout.js";
import { Training, type TrainOptions } from "../../src/learning/training.js";
import { Random } from "../../src/math/random.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { makeUp } from "../made-up-language.js";

/** Words by their forms; the lemma is the first letter. */
function wordsOf(...forms: string[]): Words {
  return {
    length: forms.length,
    form: (i) => forms[i - 1]!,
    lemma: (i) => forms[i - 1]!.slice(0, 1),
    upos: () => "NOUN",
    xpos: () => "NN",
    feats: () => "_",
  };
}

describe("of a word that occurs f times, a / (a + f) are hidden", () => {
  const ROUNDS = 4000;
  const A = 0.5;

  /** How often each form and lemma was hidden, after `text` was counted. */
  function hidden(text: string[], asked: string[]) {
    const dropout = new WordDropout(A);
    const columns = new Columns(["upos", "form", "lemma"]);
    columns.read(wordsOf(...text));
    dropout.count(columns);
    const random = new Random(7);
    const forms = asked.map(() => 0);
    const lemmas = asked.map(() => 0);
    for (let round = 0; round < ROUNDS; round++) {
      columns.read(wordsOf(...asked));
      const [tags] = columns.columns.map((column) => column.slice(0, asked.length + 1));
      dropout.hide(columns, random);
      const [upos, form, lemma] = columns.columns;
      expect(upos!.slice(0, asked.length + 1)).toEqual(tags);
      expect([form![0], lemma![0]]).not.toContain(HIDDEN);
      for (let i = 1; i <= asked.length; i++) {
        if (form![i] === HIDDEN) forms[i - 1]!++;
        if (lemma![i] !== HIDDEN) continue;
        lemmas[i - 1]!++;
        // Not one draw for the form and another for the lemma.
        expect(form![i]).toBe(HIDDEN);
      }
    }
    return { forms: forms.map((n) => n / ROUNDS), lemmas: lemmas.map((n) => n / ROUNDS) };
  }

  test("forms and lemmas by their own counts, a form that was never seen always, tags never", () => {
    const { forms, lemmas } = hidden(["ma", "ma", "ma", "mu", "ti"], ["ma", "mu", "ti", "to", "xx"]);
    const expected = (...counts: number[]) => counts.map((f) => A / (A + f));
    expected(3, 1, 1, 0, 0).forEach((share, i) => {
      expect(Math.abs(forms[i]! - share), `form ${i}`).toBeLessThan(0.03);
    });
    expected(4, 4, 1, 1, 0).forEach((share, i) => {
      expect(Math.abs(lemmas[i]! - share), `lemma ${i}`).toBeLessThan(0.03);
    });
    expect([forms[3], forms[4], lemmas[4]]).toEqual([1, 1, 1]);
  });

  test("nothing is hidden before words are counted", () => {
    const columns = new Columns(["form"]);
    columns.read(wordsOf("ma", "mu"));
    const before = columns.columns[0]!.slice();
    new WordDropout(1e9).hide(columns, new Random(1));
    expect(columns.columns[0]).toEqual(before);
  });
});

describe("trainers hide words", () => {
  const plain = makeUp(30, 1);
  // Every noun becomes another word, at each place another: the same sentences for whoever sees only tags.
  const renamed = plain.map((sentence, s) =>
    Sentence.from({
      words: Array.from({ length: sentence.length }, (_, i) => ({
        form: `x${s}y${i}`,
        upos: sentence.upos(i + 1),
        head: sentence.heads[i + 1]!,
        deprel: sentence.deprel(i + 1),
      })),
    }),
  );

  function weights(sentences: Sentence[], changes: Partial<TrainOptions>): string {
    const training = new Training(sentences, {
      system: "arc-hybrid",
      root: "last",
      oracle: "dynamic",
      exploreFrom: 2,
      exploreProbability: 0.9,
      lossBound: Number.POSITIVE_INFINITY,
      afterUpdate: "go-on",
      templates: "s0.form; b0.form; s0.form b0.upos; s0.upos b0.upos; s1.upos s0.upos",
      epochs: 2,
      seed: 1,
      prune: 0,
      minUpdates: 1,
      ...changes,
    });
    while (training.epoch < 2) training.runEpoch();
    const { features, classes, weights } = training.model().linear.entries();
    return [features, classes, weights].map((array) => array.join()).join("\n");
  }

  test.each([
    ["perceptron", {}],
    ["logistic", { learner: "logistic" }],
    ["beam", { beam: 4 }],
  ] as [string, Partial<TrainOptions>][])("%s: with all of them hidden nothing is learned of them", (_, changes) => {
    const all = { ...changes, wordDropout: 1e15 };
    expect(weights(renamed, all)).toBe(weights(plain, all));
    const none = { ...changes, wordDropout: 0 };
    expect(weights(renamed, none)).not.toBe(weights(plain, none));
    expect(weights(plain, changes), "by default some are").not.toBe(weights(plain, none));
  });
});
