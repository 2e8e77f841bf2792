import { describe, expect, test } from "vitest";
import { Sentence } from "../../src/treebank/sentence/sentence.js";

/** A tree from words such as "house/NOUN/4/nsubj". */
function tree(text: string): Sentence {
  const words = text.split(/\s+/).map((item) => {
    const [form, upos, head, deprel, feats] = item.split("/") as [string, string, string, string, string?];
    return { form, upos, head: Number(head), deprel, feats: feats ?? "_" };
  });
  return Sentence.from({ words });
}

const chunks = (text: string) => tree(text).nounChunks().map(String);

describe("noun chunks of everyday English", () => {
  const TABLE: [string, string[]][] = [
    ["my/PRON/2/nmod:poss house/NOUN/4/nsubj is/AUX/4/cop old/ADJ/0/root", ["my house"]],
    [
      "her/PRON/5/nmod:poss very/ADV/3/advmod old/ADJ/5/amod red/ADJ/5/amod car/NOUN/6/nsubj stopped/VERB/0/root",
      ["her very old red car"],
    ],
    ["two/NUM/4/nummod or/CCONJ/3/cc three/NUM/1/conj birds/NOUN/5/nsubj sang/VERB/0/root", ["two or three birds"]],
    [
      "my/PRON/2/nmod:poss friend/NOUN/5/nmod:poss 's/PART/2/case old/ADJ/5/amod car/NOUN/6/nsubj stopped/VERB/0/root",
      ["my friend 's old car"],
    ],
    [
      "about/ADV/2/advmod twenty/NUM/5/nummod big/ADJ/5/amod red/ADJ/5/amod apples/NOUN/6/nsubj fell/VERB/0/root",
      ["about twenty big red apples"],
    ],
    // Coordination: of modifiers inside, of nouns a chunk each.
    [
      "a/DET/5/det new/ADJ/5/amod and/CCONJ/4/cc exciting/ADJ/2/conj play/NOUN/6/nsubj opened/VERB/0/root",
      ["a new and exciting play"],
    ],
    ["old/ADJ/2/amod men/NOUN/5/nsubj and/CCONJ/4/cc women/NOUN/2/conj danced/VERB/0/root", ["old men", "women"]],
    // No phrases and clauses after the noun, which may have chunks of their own.
    [
      "the/DET/2/det man/NOUN/9/nsubj who/PRON/4/nsubj sold/VERB/2/acl:relcl the/DET/6/det world/NOUN/4/obj in/ADP/8/case May/PROPN/4/obl smiled/VERB/0/root",
      ["the man", "who", "the world", "May"],
    ],
    ["a/DET/2/det lot/NOUN/0/root of/ADP/5/case small/ADJ/5/amod towns/NOUN/2/nmod", ["a lot", "small towns"]],
    // Names, titles, compounds and numbers after the noun.
    [
      "President/PROPN/2/nmod:desc Ada/PROPN/5/nsubj Mary/PROPN/2/flat Hill/PROPN/2/flat read/VERB/0/root chapter/NOUN/5/obj 5/NUM/6/nummod",
      ["President Ada Mary Hill", "chapter 5"],
    ],
    [
      "all/DET/5/det:predet the/DET/5/det city/NOUN/4/compound council/NOUN/5/compound members/NOUN/6/nsubj left/VERB/0/root",
      ["all the city council members"],
    ],
    // A noun as predicate: what belongs to the clause stays outside.
    ["he/PRON/5/nsubj is/AUX/5/cop now/ADV/5/advmod a/DET/5/det doctor/NOUN/0/root", ["he", "a doctor"]],
    [
      "even/ADV/3/advmod the/DET/3/det dog/NOUN/4/nsubj slept/VERB/0/root last/ADJ/6/amod night/NOUN/4/obl:unmarked",
      ["even the dog", "last night"],
    ],
    // Expletives: "it" is a pronoun, "there" says nothing.
    ["there/PRON/2/expl is/VERB/0/root a/DET/4/det pond/NOUN/2/nsubj", ["a pond"]],
    ["it/PRON/2/expl/PronType=Prs seems/VERB/0/root so/ADV/2/advmod", ["it"]],
    // A quotation mark before a chunk is not in it, one inside is.
    [
      '"/PUNCT/6/punct the/DET/6/det "/PUNCT/4/punct new/ADJ/6/amod "/PUNCT/4/punct plan/NOUN/0/root',
      ['the " new " plan'],
    ],
  ];

  test.each(TABLE)("%s", (text, expected) => expect(chunks(text)).toEqual(expected));

  test("are spans, with a root and places in the text", () => {
    const sentence = tree("her/PRON/3/nmod:poss old/ADJ/3/amod car/NOUN/4/nsubj stopped/VERB/0/root");
    const [chunk] = sentence.nounChunks();
    expect([chunk!.from, chunk!.to, chunk!.start, chunk!.end, chunk!.text]).toEqual([1, 3, 0, 11, "her old car"]);
    expect(chunk!.root).toBe(sentence.words[2]);
    expect([...chunk!].map(String)).toEqual(["her", "old", "car"]);
  });

  test("end also where the arcs are no tree", () => {
    const words = [
      { form: "a", upos: "NOUN", head: 2, deprel: "compound" },
      { form: "b", upos: "NOUN", head: 1, deprel: "compound" },
      { form: "c", upos: "NOUN", head: 3, deprel: "nmod" },
    ];
    const sentence = Sentence.from({ words }, { allowNonTrees: true });
    expect(sentence.nounChunks().map(String)).toEqual(["c"]);
    expect(sentence.words[0]!.subtree.map(String)).toEqual(["a", "b"]);
    expect(sentence.words[0]!.path.map(String)).toEqual(["a", "b"]);
  });
});
