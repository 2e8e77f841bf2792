import { Training } from "../src/learning/training.js";
import { Random } from "../src/math/random.js";
import { PipelineModel } from "../src/pipeline/pipeline-model.js";
import { preparePipeline } from "../src/training/preparation/prepare.js";
import type { WordInput } from "../src/treebank/sentence/list-columns.js";
import { Sentence } from "../src/treebank/sentence/sentence.js";

const NAMES = ["Mina", "Toru", "Lopa", "Rek"];
const NOUNS = ["boats", "apples", "lamps", "maps", "ponds"];
const VERBS = ["sells", "likes", "finds", "paints"];
const ADJECTIVES = ["old", "green", "small"];

/** Sentences of a made-up bit of English, with tags, lemmas and trees. */
export function toyTreebank(count: number, seed: number): Sentence[] {
  const random = new Random(seed);
  const pick = (items: readonly string[]) => items[Math.floor(random.next() * items.length)]!;
  return Array.from({ length: count }, (_, i) => {
    const words: WordInput[] = [];
    const add = (form: string, lemma: string, upos: string, head: number, deprel: string, feats = "_") =>
      words.push({ form, lemma, upos, xpos: upos.slice(0, 2), feats, head, deprel });
    const name = pick(NAMES);
    add(name, name, "PROPN", 2, "nsubj");
    const negated = random.next() < 0.3;
    const verb = pick(VERBS);
    if (negated) {
      words[0]!.head = 4;
      add("does", "do", "AUX", 4, "aux");
      add("n't", "not", "PART", 4, "advmod");
      add(verb.slice(0, -1), verb.slice(0, -1), "VERB", 0, "root", "VerbForm=Inf");
    } else add(verb, verb.slice(0, -1), "VERB", 0, "root", "VerbForm=Fin");
    const root = words.length;
    if (random.next() < 0.5) add(pick(ADJECTIVES), words.at(-1)!.form, "ADJ", words.length + 2, "amod");
    const last = words.at(-1)!;
    if (last.upos === "ADJ") last.lemma = last.form;
    const noun = pick(NOUNS);
    add(noun, noun.slice(0, -1), "NOUN", root, "obj", "Number=Plur");
    words.at(-1)!.misc = "SpaceAfter=No";
    add(random.next() < 0.8 ? "." : "!", ".", "PUNCT", root, "punct");
    words.at(-1)!.lemma = words.at(-1)!.form;
    return Sentence.from({
      words,
      comments: i % 10 === 0 ? ["newdoc"] : [],
      multiWordTokens: negated ? [{ from: 2, to: 3, form: "doesn't" }] : [],
    });
  });
}

/** A pipeline for that language; takes about a second. */
export function toyPipeline(): PipelineModel {
  const prepared = preparePipeline(toyTreebank(300, 1), { seed: 1, folds: 3 });
  const training = new Training(prepared.sentences, {
    system: "arc-standard",
    root: "last",
    templates: "s0.upos s1.upos; s0.upos b0.upos; s0.form; s1.form; s1.upos s0.upos b0.upos; s0l.label s1.upos s0.upos",
    epochs: 3,
    seed: 1,
    prune: 0,
    oracle: "dynamic",
    exploreFrom: 2,
    exploreProbability: 0.9,
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
  });
  for (let epoch = 0; epoch < 3; epoch++) training.runEpoch();
  const { segmenter, tagger, lemmatizer } = prepared;
  return new PipelineModel({ segmenter, tagger, lemmatizer, parser: training.model({ data: "made up" }) });
}
