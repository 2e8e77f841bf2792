import { beforeAll, describe, expect, test } from "vitest";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import { Tagger } from "../../src/pipeline/tagger/tagger.js";
import { trainTagger } from "../../src/training/tagger/tagger-training.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { toyPipeline } from "../toy-pipeline.js";
import { toyTreebank as toyTags } from "./toy-tags.js";

let pipeline: Pipeline;
beforeAll(() => {
  pipeline = new Pipeline(toyPipeline());
});

/** A sentence from "form lemma upos xpos feats head deprel" for each word. */
const sentence = (...lines: string[]) =>
  readTreebank(`${lines.map((line, i) => `${i + 1}\t${line.replaceAll(" ", "\t")}\t_\t_`).join("\n")}\n\n`)[0]!;

describe("tags that are there", () => {
  const tagsOf = (...lines: string[]) => {
    const words = pipeline.annotate(sentence(...lines), { parse: false });
    return Array.from({ length: words.length }, (_, i) =>
      [words.lemma(i + 1), words.upos(i + 1), words.xpos(i + 1), words.feats(i + 1)].join(" "),
    );
  };

  test("are kept, and the others predicted", () => {
    expect(
      tagsOf("Mina _ _ _ _ _ _", "likes wish NOUN _ _ _ _", "maps _ _ _ Number=Dual _ _", ". _ _ _ _ _ _"),
    ).toEqual(["Mina PROPN PR _", "wish NOUN NO Number=Plur", "map NOUN NO Number=Dual", ". PUNCT PU _"]);
  });

  test("decide about their neighbours", () => {
    const tagger = new Tagger(trainTagger(toyTags(3, 300), { epochs: 5, seed: 7 }));
    // Words that the tagger does not know: the tag of the first decides about the second.
    const both = (upos: string) => {
      tagger.tag(["zub", "zarg", "."], [{ upos }]);
      return `${tagger.upos(0)} ${tagger.upos(1)}`;
    };
    expect([both("DET"), both("PRON")]).toEqual(["DET NOUN", "PRON VERB"]);
  });

  test("need not be known to the tagger", () => {
    expect(tagsOf("Mina _ XYZ q _ _ _", "likes _ _ _ _ _ _", "maps _ _ Q _ _ _")[0]).toBe("Mina XYZ q _");
  });

  test("a sentence in which no word lacks a tag comes out as it went in", () => {
    const lines = ["Mina Mina PROPN PR _ _ _", "likes _ VERB VE _ _ _", "maps map NOUN NO _ _ _"];
    expect(tagsOf(...lines)).toEqual(["Mina PROPN PR _", "_ VERB VE _", "map NOUN NO _"]);
  });
});

describe("parseTokens", () => {
  test("keeps tags, lemmas, heads and labels that are given", () => {
    const { words } = pipeline.parseTokens([
      { form: "Mina", head: 3, deprel: "vocative" },
      "likes",
      { form: "maps", upos: "VERB", lemma: "map out", head: 0 },
      ".",
    ]);
    expect(words[0]).toMatchObject({ headIndex: 3, deprel: "vocative", upos: "PROPN" });
    expect(words[2]).toMatchObject({ headIndex: 0, upos: "VERB", xpos: "VE", lemma: "map out" });
    expect(words.filter((word) => word.headIndex === 0)).toHaveLength(1);
  });

  test("names heads that are in no tree", () => {
    expect(() => pipeline.parseTokens([{ form: "Mina", head: 5 }, "likes"])).toThrow(
      "invalid head of word 1: 5 (expected 0 to 2: the sentence has 2 words)",
    );
    expect(pipeline.parseTokens(["Mina", "likes", "maps", "."]).root!.form).toBe("likes");
  });
});

describe("annotate", () => {
  const crossing = () => sentence("Mina _ _ _ _ 3 _", "likes _ _ _ _ 4 _", "maps _ _ _ _ _ _", ". _ _ _ _ _ _");

  test("finds tags and a tree, in a copy", () => {
    const words = sentence("Mina _ _ _ _ _ _", "likes _ _ _ _ _ _", "maps _ _ _ _ _ _", ". _ _ _ _ _ _");
    const before = words.toString();
    const found = pipeline.annotate(words);
    expect(found.toString()).toBe(
      pipeline
        .parseTokens(["Mina", "likes", "maps", "."])
        .toString()
        .replace(/^#.*\n/, ""),
    );
    expect(words.toString()).toBe(before);
  });

  test("keeps heads and labels of all words or of some, and says where they are wrong", () => {
    const words = sentence("Mina _ _ _ _ 3 vocative", "likes _ _ _ _ _ _", "maps _ _ _ _ 0 _", ". _ _ _ _ 3 dep");
    expect(pipeline.annotate(words).root!.form).toBe("likes");
    const kept = pipeline.annotate(words, { keep: true });
    expect([kept.heads.slice(3), kept.deprel(1)]).toEqual([[0, 3], "vocative"]);
    const some = pipeline.annotate(words, { keep: [1] });
    expect([some.head(1), some.deprel(1), some.deprel(4)]).toEqual([3, "vocative", "punct"]);
    expect(() => pipeline.annotate(crossing(), { keep: true, source: "half.conllu" })).toThrow(
      "half.conllu:2:7: invalid HEAD: 4 (expected a head that fits: word 1 has head 3, the arcs cross, and arc-standard cannot build that",
    );
    expect(() => pipeline.annotate(words, { keep: [9] })).toThrow("invalid word: 9 (expected 1 to 4)");
  });

  test("keeps a whole tree that the parser could not build, and all that is said of its words", () => {
    const words = sentence(
      "Mina Mina PROPN PR _ 3 vocative",
      "likes _ _ _ _ 4 none-such",
      "maps _ _ _ _ 0 root",
      ". _ _ _ _ 3 dep",
    );
    const kept = pipeline.annotate(words, { keep: true });
    expect([[...kept.heads], kept.deprel(2), kept.upos(2)]).toEqual([[-1, 3, 4, 0, 3], "none-such", "VERB"]);
    // Scores and other trees are the parser's.
    expect(() => pipeline.annotate(words, { keep: true, scores: true })).toThrow("the arcs cross");
    const cyclic = sentence("Mina _ _ _ _ 2 a", "likes _ _ _ _ 3 a", "maps _ _ _ _ 0 root");
    cyclic.setHead(2, 1);
    expect(() => pipeline.annotate(cyclic, { keep: true })).toThrow("no cycle");
    const roots = sentence("Mina _ _ _ _ 0 root", "likes _ _ _ _ 0 root");
    expect(() => pipeline.annotate(roots, { keep: true })).toThrow("one root");
  });

  test("gives scores, those of another tree left out, and several trees", () => {
    const words = sentence("Mina _ _ _ _ _ _", "likes _ _ _ _ _ _", "maps _ _ _ _ _ _");
    const scored = pipeline.annotate(words, { scores: true });
    expect(scored.words.every(({ score }) => score! > 0 && score! <= 1)).toBe(true);
    expect(scored.words[0]!.misc.Score).toBe(scored.words[0]!.score!.toFixed(3));
    const again = pipeline.annotate(scored);
    expect([again.words[0]!.score, again.misc(1)]).toEqual([undefined, "_"]);
    const beam = new Pipeline(toyPipeline(), { beam: 4 });
    const trees = beam.annotate(words, { trees: 2 });
    expect(trees.map(({ tree }) => [tree?.rank, tree?.of])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(trees[0]!.toString()).not.toBe(trees[1]!.toString());
    expect(trees[0]!.tree!.score).toBeGreaterThanOrEqual(trees[1]!.tree!.score);
  });

  test("a format without a place for scores becomes CoNLL-U", () => {
    const [old] = readTreebank("1\tMina\t_\t_\t_\t_\t_\t_\t_\t_\n\n", { format: "conllx" });
    expect(pipeline.annotate(old!).layout.name).toBe("conllx");
    const scored = pipeline.annotate(old!, { scores: true });
    expect([scored.layout.name, scored.words[0]!.score]).toEqual(["conllu", expect.any(Number)]);
  });

  test("says what is wrong with its arguments", () => {
    // @ts-expect-error no sentence
    expect(() => pipeline.annotate("Mina")).toThrow('invalid sentence: "Mina" (expected a Sentence)');
    // @ts-expect-error no such option
    expect(() => pipeline.annotate(crossing(), { kept: true })).toThrow("unknown option of annotate: kept");
  });
});
