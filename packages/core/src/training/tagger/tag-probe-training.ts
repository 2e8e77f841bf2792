import { type EncodedTreebank, meansOf } from "../../encoder/learning/encoded-treebank.js";
import { trainProbe } from "../../encoder/learning/probe-training.js";
import { TagProbe } from "../../encoder/probe/encoder-probes.js";
import { Probe, packGuesses } from "../../encoder/probe/probe.js";
import type { StoredProbe } from "../../encoder/probe/probe-data.js";
import type { TagGuesser, TagGuesses } from "../../pipeline/tagger/tag-guesser.js";
import { foldsOf } from "../preparation/folds.js";
import type { TaggedSentence } from "./tagger-training.js";

/** Analyses of so many words are classes of their own, the most frequent ones; all others are one class. */
const MOST_CLASSES = 256;
const FEWEST_WORDS = 10;
const HIDDEN = 128;
const EPOCHS = 4;
const RATE = 0.002;
const DROPOUT = 0.2;
/** Folds of the training data: a tagger has to see guesses like those for new text. */
const FOLDS = 4;

/** A probe that guesses tags, and the guesses, for the sentences it was trained on, of others that did not see them. */
export interface TrainedGuesser {
  readonly guesser: TagGuesser;
  readonly guesses: TagGuesses;
}

/**
 * Trains a probe of the tags of words on what an encoder makes of them; each step says what is done next. There are
 * guesses for `others` too, which it does not learn from.
 */
export function* tagProbeSteps(
  sentences: readonly TaggedSentence[],
  encoded: EncodedTreebank,
  seed: number,
  others: readonly TaggedSentence[] = [],
): Generator<string, TrainedGuesser, void> {
  const { rows, read, inputs } = meansOf(encoded, sentences);
  const classes = classesOf(sentences);
  const header = { inputs, hidden: HIDDEN, classes: 1 + classes.reduce((most, c) => Math.max(most, c), 0) };
  const examples = { classes, read: (word: number, out: Float32Array, at: number) => read(rows[word]!, out, at) };
  const train = (chosen: Int32Array): StoredProbe =>
    trainProbe(header, examples, chosen, { epochs: EPOCHS, rate: RATE, dropout: DROPOUT, seed });
  // Sentences with the same words are in one fold.
  const folds = foldsOf(sentences.length, FOLDS, seed);
  const foldOf = new Map<string, number>();
  const keys = sentences.map(keyOf);
  keys.forEach((key, s) => {
    if (!foldOf.has(key)) foldOf.set(key, folds[s]!);
  });
  const words = Int32Array.from(rows.keys());
  const sentenceOf = sentences.flatMap(({ length }, s) => new Array<number>(length).fill(s));
  const guesses = new Map<string, Int32Array>();
  /** Adds what a probe holds of sentences whose words have these rows, unless they have guesses already. */
  const guess = (
    probe: Probe,
    given: readonly TaggedSentence[],
    rowsOf: Int32Array,
    isWanted: (key: string) => boolean = () => true,
  ) => {
    let first = 0;
    for (const sentence of given) {
      const from = first;
      first += sentence.length;
      const key = keyOf(sentence);
      if (guesses.has(key) || !isWanted(key)) continue;
      const vectors = new Float32Array(sentence.length * inputs);
      for (let i = 0; i < sentence.length; i++) read(rowsOf[from + i]!, vectors, i * inputs);
      guesses.set(key, packGuesses(probe.score(vectors), header.classes));
    }
  };
  for (let fold = 0; fold < FOLDS; fold++) {
    const isOwn = (word: number) => foldOf.get(keys[sentenceOf[word]!]!) === fold;
    const rest = words.filter((word) => !isOwn(word));
    if (rest.length === 0) continue;
    yield `fold ${fold + 1} of ${FOLDS}: tags by the encoder`;
    guess(new Probe(train(rest)), sentences, rows, (key) => foldOf.get(key) === fold);
  }
  yield "tags by the encoder";
  const probe = train(words);
  guess(new Probe(probe), others, meansOf(encoded, others).rows);
  const guesser = new TagProbe(probe, encoded.contextual);
  return { guesser, guesses: (forms) => guesses.get(forms.join("\n")) ?? new Int32Array(forms.length) };
}

function keyOf(sentence: TaggedSentence): string {
  return Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1)).join("\n");
}

/** The class of each word: the number of its analysis in the order of frequency. */
function classesOf(sentences: readonly TaggedSentence[]): Int32Array {
  const names: string[] = [];
  const counts = new Map<string, number>();
  for (const sentence of sentences) {
    for (let i = 1; i <= sentence.length; i++) {
      const name = `${sentence.upos(i)}\t${sentence.xpos(i)}\t${sentence.feats(i)}`;
      names.push(name);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const frequent = [...counts.keys()].filter((name) => counts.get(name)! >= FEWEST_WORDS);
  const order = frequent.sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1));
  const numbers = new Map(order.slice(0, MOST_CLASSES - 1).map((name, k) => [name, k]));
  return Int32Array.from(names, (name) => numbers.get(name) ?? numbers.size);
}
