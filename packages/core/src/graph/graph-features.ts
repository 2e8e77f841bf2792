// The features that a graph-based parser has of arcs, of neighbouring siblings, and of arcs of a finished tree that get
// a label. Arcs: McDonald, Crammer & Pereira (2005) with lemmas and morphology besides; siblings: McDonald & Pereira
// (2006).

import { ABSENT, Columns, ROOT_VALUE, type Words } from "../features/columns.js";
import { mix, scramble } from "../math/hash.js";

/** No part has more features. */
export const MOST_FEATURES = 92;

/** Parts of speech that may stand between head and dependent; more are not told apart. */
const MOST_BETWEEN = 16;

// The kinds of features share one table of weights.
const ARC = 0x1b873593;
const SIBLING = 0x38b34ae5;
const LABEL = 0x52dce729;

const ATTRIBUTES = ["lower", "lemma", "upos", "tag", "feats", "case"] as const;

function distanceStep(distance: number): number {
  return distance < 6 ? distance : distance < 11 ? 6 : distance < 21 ? 7 : 8;
}

/** Describes parts of the trees over one sentence; `bind` comes first. */
export class GraphFeatures {
  readonly columns = new Columns(ATTRIBUTES);
  private readonly features = new Int32Array(MOST_FEATURES);
  /** The first 0, 1, 2, … of them, made once: parts are described far too often to make one each time. */
  private readonly lists = Array.from({ length: MOST_FEATURES + 1 }, (_, count) => this.features.subarray(0, count));
  private count = 0;
  private salt = 0;
  /** Words of the sentence. */
  length = 0;
  /** How many verbs, and how many punctuation marks, there are before each word. */
  private verbs = new Int32Array(0);
  private marks = new Int32Array(0);
  private readonly between = new Int32Array(MOST_BETWEEN);

  bind(words: Words): void {
    const n = words.length;
    this.length = n;
    this.columns.read(words);
    if (this.verbs.length < n + 2) {
      this.verbs = new Int32Array(2 * n + 2);
      this.marks = new Int32Array(2 * n + 2);
    }
    for (let i = 1; i <= n; i++) {
      const upos = words.upos(i);
      this.verbs[i + 1] = this.verbs[i]! + (upos === "VERB" || upos === "AUX" ? 1 : 0);
      this.marks[i + 1] = this.marks[i]! + (upos === "PUNCT" ? 1 : 0);
    }
  }

  /** The features of an arc. The list is used again for the next part. */
  arc(h: number, d: number): Int32Array {
    this.begin(ARC);
    const [words, lemmas, upos, tags, feats, cases] = this.columns.columns as Int32Array[];
    const left = d < h ? 1 : 0;
    const near = 2 * distanceStep(Math.abs(h - d)) + left;
    this.add2(words![h]!, left, near);
    this.add2(words![d]!, left, near);
    this.addTags(upos!, h, d, left, near);
    this.addTags(tags!, h, d, left, near);
    const hw = words![h]!;
    const dw = words![d]!;
    const hl = lemmas![h]!;
    const dl = lemmas![d]!;
    const hp = upos![h]!;
    const dp = upos![d]!;
    const both = mix(hp, dp);
    this.add2(mix(hw, hp), left, near);
    this.add2(mix(dw, dp), left, near);
    this.add2(mix(mix(hw, dw), both), left, near);
    this.add2(mix(dw, both), left, near);
    this.add2(mix(hw, both), left, near);
    this.add2(mix(hw, dw), left, near);
    this.add2(mix(hl, dl), left, near);
    this.add2(mix(hl, dp), left, near);
    this.add2(mix(hp, dl), left, near);
    this.add2(mix(both, cases![d]!), left, near);
    this.add2(mix(hp, feats![d]!), left, near);
    this.add2(mix(feats![h]!, feats![d]!), left, near);
    // The words between the two.
    const from = left ? d : h;
    const to = left ? h : d;
    const verbs = Math.min(3, this.verbs[to]! - this.verbs[from + 1]!);
    const marks = Math.min(3, this.marks[to]! - this.marks[from + 1]!);
    this.add2(mix(both, 4 * verbs + marks), left, near);
    this.add2(mix(dp, 4 * verbs + marks), left, near);
    this.addBetween(upos!, from, to, mix(both, left));
    return this.end();
  }

  private addTags(column: Int32Array, h: number, d: number, left: number, near: number): void {
    const { length } = this;
    const head = column[h]!;
    const dependent = column[d]!;
    const both = mix(head, dependent);
    // Node 0 has no neighbours.
    const afterHead = h === 0 || h === length ? ABSENT : column[h + 1]!;
    const beforeHead = h <= 1 ? ABSENT : column[h - 1]!;
    const afterDependent = d === length ? ABSENT : column[d + 1]!;
    const beforeDependent = d === 1 ? ABSENT : column[d - 1]!;
    this.add2(head, left, near);
    this.add2(dependent, left, near);
    this.add2(both, left, near);
    this.add2(mix(both, mix(afterHead, beforeDependent)), left, near);
    this.add2(mix(both, mix(beforeHead, beforeDependent)), left, near);
    this.add2(mix(both, mix(afterHead, afterDependent)), left, near);
    this.add2(mix(both, mix(beforeHead, afterDependent)), left, near);
    this.add2(mix(both, afterHead), left, near);
    this.add2(mix(both, beforeHead), left, near);
    this.add2(mix(both, afterDependent), left, near);
    this.add2(mix(both, beforeDependent), left, near);
  }

  /** Each part of speech between two words, once. */
  private addBetween(column: Int32Array, from: number, to: number, context: number): void {
    const { between } = this;
    let kinds = 0;
    for (let i = from + 1; i < to && kinds < MOST_BETWEEN; i++) {
      const value = column[i]!;
      let seen = 0;
      while (seen < kinds && between[seen] !== value) seen++;
      if (seen < kinds) continue;
      between[kinds++] = value;
      // The place in the list would tell kinds of words apart by their order.
      this.features[this.count++] = this.hashed(mix(context, value), 997);
    }
  }

  /** The features of two neighbouring dependents on one side of a head; `s` is the head if d is the first. */
  siblings(h: number, s: number, d: number): Int32Array {
    this.begin(SIBLING);
    const [words, lemmas, upos, tags] = this.columns.columns as Int32Array[];
    const left = d < h ? 1 : 0;
    const none = s === h;
    const hp = upos![h]!;
    const sp = none ? ABSENT : upos![s]!;
    const dp = upos![d]!;
    const st = none ? ABSENT : tags![s]!;
    const sw = none ? ABSENT : words![s]!;
    const sl = none ? ABSENT : lemmas![s]!;
    const hl = lemmas![h]!;
    const dl = lemmas![d]!;
    const pair = mix(sp, dp);
    this.add(mix(pair, left));
    this.add(mix(mix(hp, pair), left));
    this.add(mix(mix(hp, pair), 2 * distanceStep(Math.abs(s - d)) + left));
    this.add(mix(mix(tags![h]!, mix(st, tags![d]!)), left));
    this.add(mix(mix(st, tags![d]!), left));
    this.add(mix(mix(sw, dp), left));
    this.add(mix(mix(sp, words![d]!), left));
    this.add(mix(mix(sl, dl), left));
    this.add(mix(mix(hl, pair), left));
    this.add(mix(mix(hl, sp), left));
    this.add(mix(mix(hp, sp), left));
    this.add(mix(mix(hl, mix(sl, dp)), left));
    return this.end();
  }

  /** The features by which an arc of a tree gets its label. `first` and `last`: the outermost dependents of d. */
  label(heads: ArrayLike<number>, d: number, first: number, last: number, siblings: number): Int32Array {
    this.begin(LABEL);
    const [words, lemmas, upos, tags, feats, cases] = this.columns.columns as Int32Array[];
    const h = heads[d]!;
    const left = d < h ? 1 : 0;
    const near = 2 * distanceStep(Math.abs(h - d)) + left;
    const at = (column: Int32Array, i: number) => (i < 1 || i > this.length ? ABSENT : column[i]!);
    const grand = h === 0 ? ABSENT : heads[h] === 0 ? ROOT_VALUE : upos![heads[h]!]!;
    const [hp, dp] = [upos![h]!, upos![d]!];
    const both = mix(mix(hp, dp), left);
    const [firstTag, lastTag] = [at(upos!, first), at(upos!, last)];
    this.add(0);
    this.add(both);
    this.add(mix(both, near));
    this.add(mix(mix(tags![h]!, tags![d]!), left));
    this.add(mix(words![d]!, left));
    this.add(mix(words![h]!, left));
    this.add(mix(lemmas![d]!, both));
    this.add(mix(lemmas![h]!, both));
    this.add(mix(mix(lemmas![h]!, lemmas![d]!), left));
    this.add(mix(mix(words![h]!, words![d]!), left));
    this.add(mix(words![d]!, hp));
    this.add(mix(tags![d]!, mix(words![h]!, left)));
    this.add(mix(feats![d]!, both));
    this.add(mix(feats![d]!, mix(feats![h]!, both)));
    this.add(mix(cases![d]!, both));
    this.add(mix(cases![d]!, mix(lemmas![h]!, left)));
    this.add(mix(both, at(upos!, d - 1)));
    this.add(mix(both, at(upos!, d + 1)));
    this.add(mix(both, at(tags!, h + 1)));
    this.add(mix(both, at(tags!, h - 1)));
    this.add(mix(both, mix(firstTag, lastTag)));
    this.add(mix(both, at(lemmas!, first)));
    this.add(mix(both, at(lemmas!, last)));
    this.add(mix(both, mix(at(lemmas!, first), lemmas![h]!)));
    this.add(mix(both, at(words!, first)));
    this.add(mix(mix(dp, left), at(words!, first)));
    this.add(mix(both, grand));
    this.add(mix(both, siblings));
    this.add(mix(mix(dp, siblings), left));
    this.add(mix(mix(at(lemmas!, d - 1), dp), hp));
    this.add(mix(mix(at(lemmas!, d + 1), dp), hp));
    this.add(mix(mix(tags![d]!, tags![h]!), mix(at(tags!, d - 1), at(tags!, d + 1))));
    this.add(mix(mix(feats![d]!, dp), siblings));
    this.add(mix(lemmas![d]!, left));
    this.add(mix(tags![d]!, left));
    return this.end();
  }

  private begin(salt: number): void {
    this.salt = salt;
    this.count = 0;
  }

  private add(value: number): void {
    this.features[this.count] = this.hashed(value, this.count);
    this.count++;
  }

  /** Once with the direction, once also with the distance. */
  private add2(value: number, left: number, near: number): void {
    this.add(mix(value, left));
    this.add(mix(value, 16 + near));
  }

  private hashed(value: number, place: number): number {
    const hash = scramble(Math.imul(value ^ (place + 1), 0x9e3779b1) ^ mix(this.salt, value));
    // LinearModel cannot tell features whose high half is 0 from those where it is 1.
    return hash >>> 16 === 0 ? hash | 0x10000 : hash;
  }

  private end(): Int32Array {
    return this.lists[this.count]!;
  }
}
