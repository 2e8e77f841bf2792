// Sentences of a small made-up English with tags and lemmas: enough to learn in a second, with words whose tag depends
// on the words around them (the saw, they saw) and words that are known by their ends only.

import type { TreebankSentence } from "../../src/learning/examples.js";
import { Random } from "../../src/math/random.js";

/**
 * A sentence made of "form/UPOS/XPOS/FEATS/lemma", a lemma left out is the form; each word depends on the one before
 * it.
 */
export class ToySentence implements TreebankSentence {
  readonly length: number;
  readonly heads: Int32Array;
  readonly forms: string[];

  constructor(private readonly words: readonly (readonly string[])[]) {
    this.length = words.length;
    this.heads = Int32Array.from({ length: words.length + 1 }, (_, i) => i - 1);
    this.forms = words.map((word) => word[0]!);
  }

  form(i: number): string {
    return this.words[i - 1]![0]!;
  }
  upos(i: number): string {
    return this.words[i - 1]![1]!;
  }
  xpos(i: number): string {
    return this.words[i - 1]![2]!;
  }
  feats(i: number): string {
    return this.words[i - 1]![3]!;
  }
  lemma(i: number): string {
    return this.words[i - 1]![4] ?? this.form(i);
  }
  deprel(i: number): string {
    return i === 1 ? "root" : "dep";
  }
}

/** The sentence written as "form/UPOS/XPOS/FEATS/lemma form/UPOS/XPOS/FEATS/lemma …". */
export function tagged(text: string): ToySentence {
  return new ToySentence(text.split(" ").map((word) => word.split("/")));
}

const STEMS = ["walk", "jump", "paint", "turn", "look", "start", "plant", "play", "rest", "talk"];

/** Sentences of the made-up English. */
export function toyTreebank(seed: number, count: number): ToySentence[] {
  const random = new Random(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random.next() * items.length)]!;
  const stem = () =>
    random.next() < 0.3
      ? `${pick(["b", "gr", "st", "pl"])}${pick(["a", "o", "i"])}${pick(["rg", "mp", "nk"])}`
      : pick(STEMS);
  return Array.from({ length: count }, () => {
    const words: string[][] = [];
    const phrase = () => {
      if (random.next() < 0.2) {
        words.push([pick(["they", "we"]), "PRON", "PRP", "Case=Nom|Number=Plur"]);
        return;
      }
      words.push(["the", "DET", "DT", "_"]);
      const noun = random.next() < 0.2 ? "saw" : random.next() < 0.3 ? "dog" : stem();
      if (random.next() < 0.5) words.push([`${noun}s`, "NOUN", "NNS", "Number=Plur", noun]);
      else words.push([noun, "NOUN", "NN", "Number=Sing", noun]);
    };
    phrase();
    const verb = stem();
    if (random.next() < 0.2) words.push(["saw", "VERB", "VBD", "Tense=Past|VerbForm=Fin", "see"]);
    else words.push([`${verb}ed`, "VERB", "VBD", "Tense=Past|VerbForm=Fin", verb]);
    if (random.next() < 0.6) phrase();
    words.push([".", "PUNCT", ".", "_"]);
    if (words[0]![0] === "the") words[0] = ["The", "DET", "DT", "_", "the"];
    return new ToySentence(words);
  });
}
