// A made-up language, small enough to learn in a second: a verb with a noun before it and nouns after it, nouns with
// determiners and adjectives, and now and then an adjective far from its noun (a crossing arc).
import { Random } from "../src/math/random.js";
import { Sentence } from "../src/treebank/sentence/sentence.js";

const NOUNS = ["tor", "mina", "lopa", "rek", "sul"];
const VERBS = ["kara", "bento", "simi"];
const ADJECTIVES = ["ala", "ume", "oro"];

/** Sentences of the language; `crossing` is the share of those with a crossing arc. */
export function makeUp(count: number, seed: number, crossing = 0): Sentence[] {
  const random = new Random(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random.next() * items.length)]!;
  return Array.from({ length: count }, () => {
    const words: { form: string; upos: string; head: number; deprel: string }[] = [];
    const noun = (deprel: string): { at: number; set: (head: number) => void } => {
      const dependents: number[] = [];
      if (random.next() < 0.7) dependents.push(words.push({ form: "ta", upos: "DET", head: -1, deprel: "det" }));
      if (random.next() < 0.4)
        dependents.push(words.push({ form: pick(ADJECTIVES), upos: "ADJ", head: -1, deprel: "amod" }));
      const at = words.push({ form: pick(NOUNS), upos: "NOUN", head: -1, deprel });
      for (const d of dependents) words[d - 1]!.head = at;
      return { at, set: (head) => (words[at - 1]!.head = head) };
    };
    const subject = noun("nsubj");
    const verb = words.push({ form: pick(VERBS), upos: "VERB", head: 0, deprel: "root" });
    subject.set(verb);
    if (random.next() < 0.8) noun("obj").set(verb);
    if (random.next() < 0.3) noun("obl").set(verb);
    if (random.next() < crossing) words.push({ form: pick(ADJECTIVES), upos: "ADJ", head: subject.at, deprel: "amod" });
    words.push({ form: ".", upos: "PUNCT", head: verb, deprel: "punct" });
    return Sentence.from({ words });
  });
}
