import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inBins, LENGTH_BINS, ROOT_DISTANCE_BINS } from "../../src/evaluation/breakdowns.js";
import { evaluate } from "../../src/evaluation/evaluation.js";
import type { Score } from "../../src/evaluation/scores.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { randomTrees } from "../systems/random-trees.js";

/** Words as "form/lemma/UPOS/FEATS/head/label", separated by spaces. */
function sentence(text: string, id?: string): Sentence {
  const words = text.split(" ").map((word) => {
    const [form, lemma, upos, feats, head, deprel] = word.split("/") as [string, ...string[]];
    return { form, lemma, upos, feats, head: Number(head), deprel };
  });
  return Sentence.from({ words, comments: id === undefined ? [] : [`sent_id = ${id}`] });
}

const counts = ({ correct, gold, system, aligned }: Score) => [correct, gold, system, aligned];

// Errors of the system: the label of "dog", the head of ".", a universal feature and the subtype of the label of "has",
// another feature of "the", the lemma of "run".
const GOLD = [
  sentence(
    "the/the/DET/Definite=Def/2/det dog/dog/NOUN/_/4/nsubj has/have/AUX/Tense=Past/4/aux:pass " +
      "barked/bark/VERB/_/0/root ././PUNCT/_/4/punct",
    "dogs",
  ),
  sentence("run/run/VERB/_/0/root !/!/PUNCT/_/1/punct"),
];
const SYSTEM = [
  sentence(
    "the/the/DET/Definite=Def|Foo=Yes/2/det dog/dog/NOUN/_/4/obj has/have/AUX/Tense=Pres/4/aux " +
      "barked/bark/VERB/_/0/root ././PUNCT/_/2/punct",
  ),
  sentence("run/runs/VERB/_/0/root !/!/PUNCT/_/1/punct"),
];

describe("scores computed by hand", () => {
  const { scores, tags, sameWords } = evaluate(GOLD, SYSTEM);

  it("all words", () => {
    expect(counts(scores.uas)).toEqual([6, 7, 7, 7]);
    expect(counts(scores.las)).toEqual([5, 7, 7, 7]);
    expect(counts(scores.lasFull)).toEqual([4, 7, 7, 7]);
    expect(counts(scores.labels)).toEqual([6, 7, 7, 7]);
    expect(scores.las.f1).toBe(5 / 7);
    expect([scores.exactUnlabelled.correct, scores.exactLabelled.correct]).toEqual([1, 1]);
    expect(scores.exactLabelled.gold).toBe(2);
  });

  it("content words: dog, barked, run", () => {
    expect(counts(scores.clas)).toEqual([2, 3, 3, 3]);
    // The features of "has" are wrong, and it is a function word of "barked".
    expect(counts(scores.mlas)).toEqual([1, 3, 3, 3]);
    expect(counts(scores.blex)).toEqual([1, 3, 3, 3]);
  });

  it("without punctuation", () => {
    const { uas, las, labels, exactUnlabelled, exactLabelled } = scores.withoutPunctuation;
    expect([uas, las, labels].map(counts)).toEqual([
      [5, 5, 5, 5],
      [4, 5, 5, 5],
      [4, 5, 5, 5],
    ]);
    expect([exactUnlabelled.correct, exactLabelled.correct, exactLabelled.gold]).toEqual([2, 1, 2]);
  });

  it("segmentation, tags and lemmas", () => {
    expect([scores.tokens.f1, scores.sentences.f1, scores.words.f1, sameWords]).toEqual([1, 1, 1, true]);
    const correct = [scores.upos, scores.xpos, scores.ufeats, scores.allTags, scores.lemmas].map((s) => s.correct);
    expect(correct).toEqual([7, 7, 6, 6, 6]);
    expect(tags.upos).toEqual({ source: "gold", accuracy: 1 });
    expect(tags.feats).toEqual({ source: "predicted", accuracy: 5 / 7 });
  });

  it("full labels", () => {
    const full = evaluate(GOLD, SYSTEM, { labels: "full" }).scores;
    expect([full.las.correct, full.lasFull.correct, full.labels.correct, full.clas.correct]).toEqual([4, 4, 5, 2]);
    expect(() => evaluate(GOLD, SYSTEM, { labels: "none" as "full" })).toThrow(
      'invalid labels of an evaluation: "none" (expected one of universal, full)',
    );
  });

  it("the lemma _ in gold is right with anything; tags that the system lacks are absent", () => {
    const gold = [sentence("well/_/INTJ/_/0/root")];
    const result = evaluate(gold, [sentence("well/good/_/_/0/root")]);
    expect(result.scores.lemmas.f1).toBe(1);
    expect(result.tags.upos).toEqual({ source: "absent", accuracy: 0 });
  });

  it("sentences of punctuation only do not count for exact match without punctuation", () => {
    const only = [sentence("?/?/PUNCT/_/0/root")];
    const { exactLabelled, withoutPunctuation } = evaluate(only, only).scores;
    expect([exactLabelled.gold, withoutPunctuation.exactLabelled.gold]).toEqual([1, 0]);
    expect([exactLabelled.correct, withoutPunctuation.exactLabelled.correct]).toEqual([1, 0]);
  });

  it("exact match: one wrong word is enough, wherever it is", () => {
    const words = (...heads: number[]) => sentence(heads.map((head, i) => `w${i}/_/X/_/${head}/dep`).join(" "));
    const gold = [words(2, 0, 2), words(0, 1, 2)];
    const { exactUnlabelled, withoutPunctuation } = evaluate(gold, [words(3, 0, 2), words(0, 1, 2)]).scores;
    expect(counts(exactUnlabelled).slice(0, 3)).toEqual([1, 2, 2]);
    expect(counts(withoutPunctuation.exactUnlabelled).slice(0, 3)).toEqual([1, 2, 2]);
  });

  it("all function words of a content word count, also the last two words", () => {
    const clause = (last: string) => [sentence(`gone/go/VERB/_/0/root has/have/AUX/_/1/aux been/be/AUX/${last}/1/aux`)];
    const result = evaluate(clause("Tense=Past"), clause("Tense=Pres")).scores;
    expect([result.clas.correct, result.mlas.correct]).toEqual([1, 0]);
  });

  it("where no word is aligned, their accuracy is 0", () => {
    const [gold, system] = ["ab/_/X/_/0/root c/_/X/_/1/dep", "a/_/X/_/0/root bc/_/X/_/1/dep"].map((text) =>
      sentence(text),
    );
    const { uas } = evaluate([gold!], [system!]).scores;
    expect([uas.aligned, uas.alignedAccuracy]).toEqual([0, 0]);
  });
});

describe("breakdowns computed by hand", () => {
  const { breakdowns, confusions } = evaluate(GOLD, SYSTEM);

  it("by dependency length", () => {
    const groups = new Map(inBins(breakdowns.length, LENGTH_BINS));
    expect([...groups.keys()]).toEqual(["root", "1", "2", "3-6"]);
    // Gold: the, has, the two punctuation marks; the system attaches "." at distance 3.
    expect(groups.get("1")!.toJSON()).toEqual({
      gold: 4,
      system: 3,
      labelled: { precision: 1, recall: 0.75, f1: 6 / 7 },
      unlabelled: { precision: 1, recall: 0.75, f1: 6 / 7 },
    });
    expect(groups.get("2")).toMatchObject({ gold: 1, system: 1, found: 1, foundLabelled: 0, right: 1 });
    expect(groups.get("3-6")).toMatchObject({ gold: 0, system: 1, right: 0 });
  });

  it("by distance to the root, label, sentence length, UPOS", () => {
    expect(breakdowns.rootDistance.of(2)).toMatchObject({ gold: 4, system: 3, foundLabelled: 2, rightLabelled: 2 });
    expect(inBins(breakdowns.rootDistance, ROOT_DISTANCE_BINS).map(([name]) => name)).toEqual(["1", "2", "3"]);
    expect(breakdowns.rootDistance.of(3)).toMatchObject({ gold: 1, system: 2, foundLabelled: 1, rightLabelled: 1 });
    expect(breakdowns.label.of("nsubj")).toMatchObject({ gold: 1, system: 0, found: 1, foundLabelled: 0 });
    expect(breakdowns.label.of("obj")).toMatchObject({ gold: 0, system: 1, right: 1, rightLabelled: 0 });
    expect(breakdowns.label.byCount().map(([name]) => name)).toEqual(["punct", "root", "aux", "det", "nsubj", "obj"]);
    expect(breakdowns.sentenceLength.of(5)).toMatchObject({ gold: 5, system: 5, found: 4, foundLabelled: 3 });
    expect(breakdowns.upos.of("PUNCT")).toMatchObject({ gold: 2, found: 1, foundLabelled: 1 });
  });

  it("non-projective arcs: the system's arc from dog to the full stop crosses barked", () => {
    expect(breakdowns.projectivity.of("non-projective")).toMatchObject({ gold: 0, system: 1, right: 0 });
    expect(breakdowns.projectivity.of("projective")).toMatchObject({ gold: 7, system: 6, found: 6, right: 6 });
  });

  it("confusions with examples", () => {
    expect(confusions.byCount()).toEqual([
      {
        gold: "nsubj",
        system: "obj",
        count: 1,
        attached: 1,
        examples: [
          {
            sentence: 1,
            id: "dogs",
            word: 2,
            form: "dog",
            goldHead: "barked",
            systemHead: "barked",
            context: "the dog has barked .",
          },
        ],
      },
    ]);
  });

  it("punctuation can be left out", () => {
    const without = evaluate(GOLD, SYSTEM, { punctuation: false });
    expect(without.breakdowns.length.of(1)).toMatchObject({ gold: 2, system: 2 });
    expect(without.counts).toEqual({ gold: [4, 1], system: [4, 1], uas: [4, 1], las: [3, 1] });
    expect(evaluate(GOLD, SYSTEM, { breakdowns: false }).toJSON().breakdowns).toBeNull();
  });

  it("by the gold UPOS where a system word has a gold word, else by its own", () => {
    const [gold, system] = ["ab/_/NOUN/_/2/dep c/_/NOUN/_/0/root", "a/_/ADV/_/2/dep b/_/ADJ/_/3/dep c/_/VERB/_/0/root"];
    const { upos } = evaluate([sentence(gold!)], [sentence(system!)]).breakdowns;
    expect(upos.byCount().map(([name, { gold, system }]) => [name, gold, system])).toEqual([
      ["NOUN", 2, 1],
      ["ADJ", 0, 1],
      ["ADV", 0, 1],
    ]);
  });

  it("words on a cycle have no distance to the root", () => {
    const looping = Sentence.from(
      {
        words: [
          { form: "a", head: 0 },
          { form: "b", head: 3 },
          { form: "c", head: 2 },
        ],
      },
      { allowNonTrees: true },
    );
    const { breakdowns, scores } = evaluate([looping], [looping]);
    expect(scores.uas.f1).toBe(1);
    expect([...breakdowns.rootDistance.groups.keys()]).toEqual([1]);
  });
});

describe("properties", () => {
  const LABELS = ["nsubj", "case", "punct", "obl:tmod", "obl"];
  const labelled = (heads: Int32Array, seed: number) => {
    const words = Array.from({ length: heads.length - 1 }, (_, i) => ({
      form: `w${i}`,
      upos: (i * 7 + seed) % 5 === 0 ? "PUNCT" : "NOUN",
      head: heads[i + 1]!,
      deprel: LABELS[(i * seed + (seed >> 3)) % LABELS.length]!,
    }));
    return Sentence.from({ words });
  };
  const pairs = fc.tuple(randomTrees(12), fc.nat(1000), fc.nat(1000), fc.nat(1000)).chain(([heads, a, b, rotation]) => {
    // Another tree over as many words: the same one with the words renamed.
    const n = heads.length - 1;
    const rename = (i: number) => (i === 0 ? 0 : ((i - 1 + rotation) % n) + 1);
    const other = new Int32Array(n + 1).fill(-1);
    for (let i = 1; i <= n; i++) other[rename(i)] = rename(heads[i]!);
    return fc.constant([labelled(heads, a), labelled(other, b)] as const);
  });

  it("a treebank is right about itself", () => {
    fc.assert(
      fc.property(fc.array(pairs, { minLength: 1, maxLength: 4 }), (sentences) => {
        const gold = sentences.map(([one]) => one);
        const { scores, sameWords, breakdowns } = evaluate(gold, gold);
        expect(sameWords).toBe(true);
        for (const score of [scores.uas, scores.las, scores.labels, scores.exactLabelled]) expect(score.f1).toBe(1);
        for (const [, group] of breakdowns.length.groups) expect(group.labelled.f1).toBe(1);
      }),
    );
  });

  it("UAS >= LAS >= LAS with full labels, and exchanging the sides exchanges precision and recall", () => {
    fc.assert(
      fc.property(fc.array(pairs, { minLength: 1, maxLength: 4 }), (sentences) => {
        const gold = sentences.map(([one]) => one);
        const system = sentences.map(([, other]) => other);
        const there = evaluate(gold, system);
        const back = evaluate(system, gold);
        const { uas, las, lasFull } = there.scores;
        expect(uas.correct).toBeGreaterThanOrEqual(las.correct);
        expect(las.correct).toBeGreaterThanOrEqual(lasFull.correct);
        for (const name of ["uas", "las", "clas", "mlas", "labels", "words"] as const) {
          expect(there.scores[name].f1).toBe(back.scores[name].f1);
        }
        for (const name of ["label", "length", "rootDistance", "projectivity"] as const) {
          for (const [key, group] of there.breakdowns[name].groups) {
            const other = back.breakdowns[name].groups.get(key as never)!;
            expect(group.labelled.precision).toBe(other.labelled.recall);
            expect(group.unlabelled.recall).toBe(other.unlabelled.precision);
          }
        }
      }),
    );
  });
});

describe("scores as plain data", () => {
  // Two words of the gold treebank are one of the system; of the three that are aligned two have the right head.
  const gold = sentence(
    "do/do/AUX/_/3/aux not/not/PART/_/3/advmod go/go/VERB/_/0/root home/home/ADV/_/3/advmod now/now/ADV/_/3/advmod",
  );
  const system = sentence("donot/do/AUX/_/2/aux go/go/VERB/_/0/root home/home/ADV/_/2/advmod now/now/ADV/_/3/advmod");
  const { scores } = evaluate([gold], [system]).toJSON();

  it("precision is a share of the system's words, recall of the gold words, aligned accuracy of those in both", () => {
    const [correct, inGold, inSystem, aligned] = [2, 5, 4, 3];
    expect(scores.uas).toEqual({
      correct,
      gold: inGold,
      system: inSystem,
      precision: correct / inSystem,
      recall: correct / inGold,
      f1: (2 * correct) / (inGold + inSystem),
      alignedAccuracy: correct / aligned,
    });
  });

  it("scores that count no words have no aligned accuracy; one without anything to count is 0", () => {
    for (const name of ["tokens", "sentences", "words", "elas", "exactUnlabelled", "exactLabelled"] as const) {
      expect([name, scores[name].alignedAccuracy]).toEqual([name, null]);
    }
    expect(scores.elas).toMatchObject({ correct: 0, gold: 0, system: 0, precision: 0, recall: 0, f1: 0 });
  });

  it("columns that the system leaves empty are absent, those that the gold treebank leaves empty, too, are not", () => {
    const words = (tags: object) => [Sentence.from({ words: [{ form: "go", head: 0, deprel: "root", ...tags }] })];
    const all = { upos: "VERB", xpos: "VB", feats: "Mood=Imp" };
    for (const column of ["upos", "xpos", "feats"] as const) {
      const status = (gold: object, system: object) => evaluate(words(gold), words(system)).tags[column].source;
      expect([column, status(all, all)]).toEqual([column, "gold"]);
      expect([column, status(all, { ...all, [column]: "X=Y" })]).toEqual([column, "predicted"]);
      expect([column, status(all, { ...all, [column]: "_" })]).toEqual([column, "absent"]);
      expect([column, status({ ...all, [column]: "_" }, { ...all, [column]: "_" })]).toEqual([column, "gold"]);
      expect([column, status({ ...all, [column]: "_" }, all)]).toEqual([column, "predicted"]);
    }
  });
});
