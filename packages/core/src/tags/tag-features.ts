// The features that a linear model has of a word whose tag it chooses: the words around it, and the nearest words that
// others are likely to hang on. Other tags are not among them, so that the best sequence can be looked for.
import { ABSENT, type Words } from "../features/columns.js";
import type { GraphFeatures } from "../graph/graph-features.js";
import { mix, scramble } from "../math/hash.js";

/** No word has more features. */
export const MOST_FEATURES = 96;

const SALT = 0x6b43a9b5;
/** Words before and after the word whose tags are looked at. */
const WINDOW = 4;

/** Parts of speech that other words hang on. */
const VERBAL = ["VERB", "AUX"];
const NOMINAL = ["NOUN", "PROPN", "PRON", "ADJ", "NUM"];

function distanceStep(distance: number): number {
  return distance < 6 ? distance : distance < 11 ? 6 : distance < 21 ? 7 : 8;
}

/** Describes the words of a sentence; `bind` comes first. */
export class TagFeatures {
  private length = 0;
  private target: Int32Array = new Int32Array(0);
  private count = 0;
  /** For each word the nearest verb and the nearest nominal before it and after it, 0 for none. */
  private nearest: readonly [Int32Array, Int32Array, Int32Array, Int32Array] = nearestOf(0);
  /** How many verbs, and how many punctuation marks, there are before each word. */
  private verbs = new Int32Array(0);
  private marks = new Int32Array(0);

  /** `columns`: those of the features of labels, which read each sentence before. */
  constructor(private readonly columns: GraphFeatures["columns"]) {}

  bind(words: Words): void {
    const n = words.length;
    this.length = n;
    if (this.verbs.length < n + 2) {
      this.nearest = nearestOf(2 * n + 2);
      this.verbs = new Int32Array(2 * n + 2);
      this.marks = new Int32Array(2 * n + 2);
    }
    const [verbBefore, verbAfter, nominalBefore, nominalAfter] = this.nearest;
    let [verb, nominal] = [0, 0];
    for (let i = 1; i <= n; i++) {
      const upos = words.upos(i);
      verbBefore[i] = verb;
      nominalBefore[i] = nominal;
      if (VERBAL.includes(upos)) verb = i;
      else if (NOMINAL.includes(upos)) nominal = i;
      this.verbs[i + 1] = this.verbs[i]! + (verb === i ? 1 : 0);
      this.marks[i + 1] = this.marks[i]! + (upos === "PUNCT" ? 1 : 0);
    }
    [verb, nominal] = [0, 0];
    for (let i = n; i >= 1; i--) {
      const upos = words.upos(i);
      verbAfter[i] = verb;
      nominalAfter[i] = nominal;
      if (VERBAL.includes(upos)) verb = i;
      else if (NOMINAL.includes(upos)) nominal = i;
    }
  }

  /** Writes the features of word i to the beginning of a list; returns how many there are. */
  write(i: number, target: Int32Array): number {
    this.target = target;
    this.count = 0;
    const { length } = this;
    const [words, lemmas, upos, tags, feats, cases] = this.columns.columns as Int32Array[];
    const at = (column: Int32Array, j: number) => (j < 1 || j > length ? ABSENT : column[j]!);
    const [p, t, w, l] = [upos![i]!, tags![i]!, words![i]!, lemmas![i]!];
    const [before, after] = [at(upos!, i - 1), at(upos!, i + 1)];
    const [tagBefore, tagAfter] = [at(tags!, i - 1), at(tags!, i + 1)];
    this.add(0);
    this.add(w);
    this.add(l);
    this.add(p);
    this.add(t);
    this.add(mix(p, feats![i]!));
    for (let k = 1; k <= WINDOW; k++) {
      this.add(mix(t, at(tags!, i - k)));
      this.add(mix(t, at(tags!, i + k)));
      this.add(mix(p, at(lemmas!, i - k)));
      this.add(mix(p, at(lemmas!, i + k)));
    }
    this.add(mix(w, at(words!, i - 1)));
    this.add(mix(w, at(words!, i + 1)));
    this.add(mix(l, before));
    this.add(mix(l, after));
    this.add(mix(l, mix(before, after)));
    this.add(mix(p, mix(before, after)));
    this.add(mix(t, mix(tagBefore, tagAfter)));
    this.add(mix(mix(t, tagBefore), at(tags!, i - 2)));
    this.add(mix(mix(t, tagAfter), at(tags!, i + 2)));
    this.add(mix(mix(p, before), mix(at(upos!, i - 2), after)));
    this.add(mix(mix(p, after), mix(at(upos!, i + 2), before)));
    this.add(mix(mix(p, before), mix(at(upos!, i - 2), at(upos!, i - 3))));
    this.add(mix(mix(p, after), mix(at(upos!, i + 2), at(upos!, i + 3))));
    this.add(mix(mix(mix(p, before), mix(at(upos!, i - 2), after)), at(upos!, i + 2)));
    this.add(mix(mix(mix(p, after), mix(at(upos!, i + 2), at(upos!, i + 3))), at(upos!, i + 4)));
    this.add(mix(mix(p, cases![i]!), mix(at(cases!, i - 1), at(cases!, i + 1))));
    this.add(mix(feats![i]!, at(feats!, i - 1)));
    this.add(mix(feats![i]!, at(feats!, i + 1)));
    this.add(mix(mix(p, before), at(feats!, i - 1)));
    const verbs = Math.min(3, this.verbs[i]!);
    const verbsAfter = Math.min(3, this.verbs[length + 1]! - this.verbs[i + 1]!);
    const marksAfter = Math.min(3, this.marks[length + 1]! - this.marks[i + 1]!);
    this.add(mix(p, mix(verbs, verbsAfter)));
    this.add(mix(t, mix(verbs, mix(verbsAfter, marksAfter))));
    this.add(mix(mix(p, Math.min(i, 4)), Math.min(length - i, 4)));
    for (const column of this.nearest) {
      const j = column[i]!;
      const distance = j === 0 ? 9 : distanceStep(Math.abs(i - j));
      const marks = j === 0 ? 0 : Math.min(3, Math.abs(this.marks[i]! - this.marks[j]!));
      this.add(mix(p, distance));
      this.add(mix(p, mix(distance, at(tags!, j))));
      this.add(mix(p, mix(at(lemmas!, j), marks)));
      this.add(mix(l, at(upos!, j)));
      this.add(mix(t, mix(at(tags!, j), marks)));
      this.add(mix(mix(p, cases![i]!), at(feats!, j)));
    }
    const [verbBefore, verbAfter, nominalBefore, nominalAfter] = this.nearest;
    this.add(mix(t, mix(at(tags!, verbBefore[i]!), at(tags!, verbAfter[i]!))));
    this.add(mix(t, mix(at(tags!, nominalBefore[i]!), at(tags!, nominalAfter[i]!))));
    this.add(mix(mix(t, after), at(tags!, nominalAfter[i]!)));
    this.add(mix(mix(t, before), at(tags!, verbBefore[i]!)));
    return this.count;
  }

  private add(value: number): void {
    const hash = scramble(Math.imul(value ^ (this.count + 1), 0x9e3779b1) ^ mix(SALT, value));
    // LinearModel cannot tell features whose high half is 0 from those where it is 1.
    this.target[this.count++] = hash >>> 16 === 0 ? hash | 0x10000 : hash;
  }
}

function nearestOf(size: number): [Int32Array, Int32Array, Int32Array, Int32Array] {
  return [new Int32Array(size), new Int32Array(size), new Int32Array(size), new Int32Array(size)];
}
