import { Random } from "../../src/math/random.js";
import type { WordInput } from "../../src/treebank/sentence/list-columns.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";

/**
 * A language in which the tag of "lum" is decided by its head, which is too far away for a tagger: a noun after "kara",
 * an adjective after "bento", with three to five adverbs between.
 */
export function makeUpTags(count: number, seed: number): Sentence[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const isNoun = random.next() < 0.5;
    const verb = isNoun ? "kara" : "bento";
    const words: WordInput[] = [{ form: verb, lemma: verb, upos: "VERB", xpos: "v", head: 0, deprel: "root" }];
    for (let k = 3 + Math.floor(3 * random.next()); k > 0; k--) {
      words.push({ form: "mo", lemma: "mo", upos: "ADV", xpos: "d", head: 1, deprel: "advmod" });
    }
    words.push(
      isNoun
        ? { form: "lum", lemma: "lum", upos: "NOUN", xpos: "n", feats: "Case=Acc", head: 1, deprel: "obj" }
        : { form: "lum", lemma: "lumi", upos: "ADJ", xpos: "a", feats: "Degree=Pos", head: 1, deprel: "xcomp" },
      { form: ".", lemma: ".", upos: "PUNCT", xpos: ".", head: 1, deprel: "punct" },
    );
    return Sentence.from({ words });
  });
}

/**
 * The same with three nouns whose analyses have one tag and differ in case and lemma: "lum" is the accusative of "lum"
 * after "kara", the dative of "lumi" after "bento".
 */
export function makeUpCases(count: number, seed: number): Sentence[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const isAccusative = random.next() < 0.5;
    const verb = isAccusative ? "kara" : "bento";
    const words: WordInput[] = [{ form: verb, lemma: verb, upos: "VERB", xpos: "v", head: 0, deprel: "root" }];
    for (let k = 3 + Math.floor(3 * random.next()); k > 0; k--) {
      words.push({ form: "mo", lemma: "mo", upos: "ADV", xpos: "d", head: 1, deprel: "advmod" });
    }
    const form = ["lum", "dum", "sum"][Math.floor(3 * random.next())]!;
    const noun = { form, upos: "NOUN", xpos: "n", head: 1 };
    words.push(
      isAccusative
        ? { ...noun, lemma: form, feats: "Case=Acc|Number=Sing", deprel: "obj" }
        : { ...noun, lemma: `${form}i`, feats: "Case=Dat|Number=Sing", deprel: "iobj" },
      { form: ".", lemma: ".", upos: "PUNCT", xpos: ".", head: 1, deprel: "punct" },
    );
    return Sentence.from({ words });
  });
}
