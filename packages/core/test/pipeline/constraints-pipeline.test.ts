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
    const words = sentence(...lines);
    pipeline.fillTags(words);
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

test("constraintsOf: heads and labels of a treebank sentence, and where they are wrong", () => {
  const words = sentence("Mina _ _ _ _ _ nsubj", "likes _ _ _ _ 0 _", "maps _ _ _ _ _ _");
  const { heads, labels } = pipeline.constraintsOf(words);
  expect([Array.from(heads), labels]).toEqual([
    [-1, -1, 0, -1],
    [undefined, "nsubj", undefined, undefined],
  ]);
  const crossing = sentence("Mina _ _ _ _ 3 _", "likes _ _ _ _ 4 _", "maps _ _ _ _ _ _", ". _ _ _ _ _ _");
  expect(() => pipeline.constraintsOf(crossing, "half.conllu")).toThrow(
    "half.conllu:2:7: invalid HEAD: 4 (expected a head that fits: word 1 has head 3, the arcs cross, and arc-standard cannot build that",
  );
});
