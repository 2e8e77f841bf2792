// Where sentences end by what an encoder makes of their words, which it reads without knowing where they end.

import type { EncoderData } from "../../encoder/encoder-data.js";
import { EncoderVectors } from "../../encoder/encoder-vectors.js";
import { trainProbe } from "../../encoder/learning/probe-training.js";
import { VectorStore } from "../../encoder/learning/vector-store.js";
import { EndProbe } from "../../encoder/probe/encoder-probes.js";
import { endSteps, Probe } from "../../encoder/probe/probe.js";
import { END_CLASSES } from "../../encoder/probe/probe-data.js";
import type { Surface } from "../../pipeline/segmenter/segment-text.js";
import { foldsOf } from "../preparation/folds.js";

const HIDDEN = 64;
const EPOCHS = 3;
const RATE = 0.002;
const DROPOUT = 0.2;
/** Folds of the training data: a segmenter has to see guesses like those for new text. */
const FOLDS = 4;
/** Documents without marks are taken to be of so many sentences. */
const PSEUDO_DOCUMENT = 20;

/** A probe, and what others that did not see them held of the tokens it was trained on: a step for each. */
export interface SentenceEndProbe {
  readonly probe: EndProbe;
  readonly guesses: Uint8Array;
}

/** Trains a probe of sentence ends; only gaps after tokens for which `mayEnd` holds are looked at. */
export function trainSentenceEndProbe(
  surfaces: readonly Surface[],
  encoder: EncoderData,
  mayEnd: (before: string, after: string) => boolean,
  seed: number,
): SentenceEndProbe {
  const { size } = encoder.header;
  const forms = surfaces.flatMap((surface) => surface.forms);
  const sentenceOf = surfaces.flatMap((surface, s) => surface.forms.map(() => s));
  const store = new VectorStore(forms.length, size);
  const gaps: number[] = [];
  const isMarked = surfaces.some(({ newDocument }, s) => s > 0 && newDocument);
  const beginsDocument = (s: number) => (isMarked ? surfaces[s]!.newDocument : s % PSEUDO_DOCUMENT === 0);
  const vectors = EncoderVectors.of(encoder);
  const words = vectors.encoder;
  for (let first = 0, end = 0; first < forms.length; first = end) {
    do end++;
    while (end < forms.length && !(sentenceOf[end] !== sentenceOf[end - 1] && beginsDocument(sentenceOf[end]!)));
    store.keep(words.skim(forms.slice(first, end)), first);
    for (let t = first; t + 1 < end; t++) if (mayEnd(forms[t]!, forms[t + 1]!)) gaps.push(t);
  }
  const read = (gap: number, out: Float32Array, at: number) => {
    store.read(gap, out, at);
    store.read(gap + 1, out, at + size);
  };
  const classes = Int32Array.from(forms, (_, t) => (sentenceOf[t] === sentenceOf[t + 1] ? 0 : 1));
  const header = { inputs: 2 * size, hidden: HIDDEN, classes: END_CLASSES };
  const train = (chosen: readonly number[]) =>
    trainProbe(header, { classes, read }, Int32Array.from(chosen), {
      epochs: EPOCHS,
      rate: RATE,
      dropout: DROPOUT,
      seed,
    });
  const folds = foldsOf(surfaces.length, FOLDS, seed);
  const guesses = new Uint8Array(forms.length).fill(1);
  for (let fold = 0; fold < FOLDS; fold++) {
    const others = gaps.filter((gap) => folds[sentenceOf[gap]!] !== fold);
    if (others.length === 0) continue;
    const probe = new Probe(train(others));
    for (const gap of gaps) {
      if (folds[sentenceOf[gap]!] !== fold) continue;
      const row = new Float32Array(2 * size);
      read(gap, row, 0);
      guesses[gap] = endSteps(probe.score(row))[0]!;
    }
  }
  return { probe: new EndProbe(train(gaps), vectors), guesses };
}
