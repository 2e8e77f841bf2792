// The features of a removed word as a dependent: where a word that may be its head is, in the sentence and in the tree
// of the words that stay, and whether the one repeats the other.
import { ABSENT, Columns, type Words } from "../../features/columns.js";
import { hashString, mix, scramble } from "../../math/hash.js";

/** No arc has more features. */
export const MOST_FEATURES = 24;

/** A head is at most so many words away; in the treebanks of spoken language it is never more than 40. */
const REACH = 64;

/** Steps up the tree that are counted; more are as many. */
const MOST_STEPS = 4;

// The features of heads and those of labels share one table of weights.
const HEAD = 0x2c1b3c6d;
const LABEL = 0x6f4f2a35;

const ATTRIBUTES = ["lower", "upos", "lemma"] as const;

/** A sentence with the tree of the words that stay, and as what each of the others was removed (0: it stays). */
export interface PartlyRemoved {
  readonly heads: ArrayLike<number>;
  readonly labels: readonly string[];
  readonly removed: Uint8Array;
}

/** Describes the arcs to the removed words of one sentence; `bind` comes first. */
export class AttachmentFeatures {
  private readonly columns = new Columns(ATTRIBUTES);
  private readonly features = new Int32Array(MOST_FEATURES);
  private count = 0;
  private salt = 0;
  private length = 0;
  private heads: ArrayLike<number> = [];
  private removed: Uint8Array = new Uint8Array(0);
  private relations = new Int32Array(0);
  /** The words that stay next before and after each word, 0 if there is none; how many stay before it. */
  private before = new Int32Array(0);
  private after = new Int32Array(0);
  private staying = new Int32Array(0);
  /** The leftmost dependent of each word that stays, if it is before it. */
  private leftmost = new Int32Array(0);

  // About the dependent.
  private word = 0;
  /** Steps up the tree to each word, and 1, from the next word that stays and from the last; 0 if it is not above. */
  private fromNext = new Uint8Array(0);
  private fromLast = new Uint8Array(0);
  private phrase = 0;
  private first = 0;
  private last = 0;
  // About the words between it and the head: the lowest and the highest of the heads of those that stay.
  private lowest = 0;
  private highest = 0;

  bind(words: Words, { heads, labels, removed }: PartlyRemoved): void {
    const n = words.length;
    this.length = n;
    this.word = 0;
    this.columns.read(words);
    this.heads = heads;
    this.removed = removed;
    this.relations = Int32Array.from({ length: n + 1 }, (_, i) => (removed[i]! > 0 ? ABSENT : hashString(labels[i]!)));
    this.before = new Int32Array(n + 2);
    this.after = new Int32Array(n + 2);
    this.staying = new Int32Array(n + 2);
    this.leftmost = new Int32Array(n + 1);
    this.fromNext = new Uint8Array(n + 1);
    this.fromLast = new Uint8Array(n + 1);
    for (let i = 1; i <= n; i++) {
      this.before[i + 1] = removed[i]! > 0 ? this.before[i]! : i;
      this.staying[i + 1] = this.staying[i]! + (removed[i]! > 0 ? 0 : 1);
    }
    for (let i = n; i > 0; i--) {
      this.after[i - 1] = removed[i]! > 0 ? this.after[i]! : i;
      if (removed[i] === 0 && heads[i]! > i) this.leftmost[heads[i]!] = i;
    }
  }

  /** Prepares the arcs to a removed word. O(its place in the tree, and in what is removed with it). */
  private about(d: number): void {
    const { removed, heads, leftmost, length } = this;
    this.mark(this.fromNext, this.after[this.word]!, 0);
    this.mark(this.fromLast, this.before[this.word]!, 0);
    this.word = d;
    this.mark(this.fromNext, this.after[d]!, 1);
    this.mark(this.fromLast, this.before[d]!, 1);
    let phrase = this.after[d]!;
    while (phrase > 0 && heads[phrase]! > phrase && leftmost[heads[phrase]!] === phrase) phrase = heads[phrase]!;
    this.phrase = phrase;
    this.first = d;
    this.last = d;
    while (d - this.first < MOST_STEPS && removed[this.first - 1] === removed[d]) this.first--;
    while (this.last - d < MOST_STEPS && this.last < length && removed[this.last + 1] === removed[d]) this.last++;
  }

  /** Sets the steps from a word to those above it, beginning with `one`, or clears them, if that is 0. */
  private mark(steps: Uint8Array, from: number, one: number): void {
    let step = one;
    for (let node = from; node > 0 && steps[node] !== step; node = this.heads[node]!) {
      steps[node] = step;
      if (step > 0 && step <= MOST_STEPS) step++;
    }
  }

  /**
   * Calls `take` with each word that may be the head of a removed word, outwards on either side, and the features of
   * the arc; the list is used again for the next.
   */
  forEachHead(d: number, take: (head: number, features: Int32Array) => void): void {
    this.about(d);
    for (const side of [1, -1]) {
      this.lowest = this.length + 1;
      this.highest = 0;
      const end = side > 0 ? Math.min(this.length, d + REACH) : Math.max(1, d - REACH);
      for (let h = d + side; side * (end - h) >= 0; h += side) {
        take(h, this.head(d, h));
        if (this.removed[h] !== 0) continue;
        this.lowest = Math.min(this.lowest, this.heads[h]!);
        this.highest = Math.max(this.highest, this.heads[h]!);
      }
    }
  }

  private head(d: number, h: number): Int32Array {
    const { removed, before, after, relations, staying } = this;
    const [forms, tags] = this.columns.columns as [Int32Array, Int32Array];
    const tag = (i: number) => (i > 0 && i <= this.length ? tags[i]! : ABSENT);
    const kind = removed[d]!;
    const isRight = h > d ? 1 : 0;
    const crosses = this.lowest < Math.min(d, h) || this.highest > Math.max(d, h) ? 1 : 0;
    const between = Math.min(5, Math.abs(staying[Math.max(d, h)]! - staying[Math.min(d, h) + 1]!));
    const side = 2 * kind + isRight;
    const place = mix(side, this.placeOf(h));
    const tagOf = tags[d]!;
    const both = mix(tagOf, tags[h]!);
    const same = (forms[d] === forms[h] ? 2 : 0) + (tagOf === tags[h] ? 1 : 0);
    const inside = 8 * Math.min(3, d - this.first) + Math.min(3, this.last - d);
    const next = after[d]!;
    const repeats = next > 0 && forms[this.first] === forms[next] ? 1 : 0;
    // As far from the beginning of the repair as the dependent is from that of what is repaired.
    const isAligned = next > 0 && h - next === d - this.first ? 1 : 0;

    this.begin(HEAD);
    this.add(place);
    this.add(mix(place, tagOf));
    this.add(mix(place, forms[d]!));
    this.add(mix(place, tags[h]!));
    this.add(mix(side, both));
    this.add(mix(side, mix(forms[d]!, tags[h]!)));
    this.add(mix(side, mix(tagOf, forms[h]!)));
    this.add(mix(place, same));
    this.add(mix(side, distanceStep(Math.abs(h - d))));
    this.add(mix(mix(side, between), tags[h]!));
    this.add(mix(place, relations[h]!));
    this.add(mix(mix(place, tagOf), mix(tag(d - 1), tag(d + 1))));
    this.add(mix(mix(place, tagOf), tag(next)));
    this.add(mix(place, inside));
    this.add(mix(mix(place, repeats), tagOf));
    this.add(mix(side, mix(crosses, between)));
    this.add(mix(place, both));
    this.add(mix(mix(place, forms[d]!), tags[h]!));
    this.add(mix(mix(side, crosses), both));
    this.add(mix(place, crosses));
    this.add(mix(mix(place, both), relations[h]!));
    this.add(mix(place, mix(tag(before[d]!), tag(next))));
    this.add(mix(side, mix(isAligned, same)));
    this.add(mix(mix(side, inside), mix(next > 0 ? Math.min(5, Math.max(-1, h - next)) : 6, same)));
    return this.described();
  }

  /** Where a head is: among words that are removed, too, or in the tree. */
  private placeOf(h: number): number {
    const { removed, word, fromNext, fromLast } = this;
    if (removed[h]! > 0) {
      const isWith = removed[h] === removed[word] ? (h >= this.first && h <= this.last ? 1 : 2) : 2 + removed[h]!;
      return 8 * Math.min(4, Math.abs(h - word)) + isWith;
    }
    const steps = 8 * fromNext[h]! + fromLast[h]!;
    return 256 + 4 * steps + (h === this.phrase ? 2 : 0) + (this.heads[h] === 0 ? 1 : 0);
  }

  /** The features of the label of an arc. The list is used again for the next. */
  label(d: number, h: number): Int32Array {
    const { removed } = this;
    const [forms, tags, lemmas] = this.columns.columns as [Int32Array, Int32Array, Int32Array];
    const tag = (i: number) => (i > 0 && i <= this.length ? tags[i]! : ABSENT);
    const kind = 4 * removed[d]! + (removed[h] === 0 ? 0 : removed[h] === removed[d] ? 1 : 2);
    const side = 2 * kind + (h > d ? 1 : 0);
    const both = mix(tags[d]!, tags[h]!);
    this.begin(LABEL);
    this.add(kind);
    this.add(mix(side, tags[d]!));
    this.add(mix(kind, forms[d]!));
    this.add(mix(side, tags[h]!));
    this.add(mix(side, both));
    this.add(mix(side, mix(forms[d]!, tags[h]!)));
    this.add(mix(side, mix(tags[d]!, forms[h]!)));
    this.add(mix(side, mix(forms[d]!, forms[h]!)));
    this.add(mix(kind, mix(tags[d]!, lemmas[d]!)));
    this.add(mix(kind, mix(tags[d]!, mix(tag(d - 1), tag(d + 1)))));
    this.add(mix(side, mix(tags[d]!, distanceStep(Math.abs(h - d)))));
    return this.described();
  }

  private begin(salt: number): void {
    this.salt = salt;
    this.count = 0;
  }

  private add(value: number): void {
    // Each has a number of its own besides what it says, so that no two are mistaken for each other; 0 is for none.
    this.features[this.count] = scramble(mix(value, this.salt + this.count)) || 1;
    this.count++;
  }

  private described(): Int32Array {
    return this.features.subarray(0, this.count);
  }
}

/** Distances are counted one by one up to 4 and in classes beyond. */
function distanceStep(distance: number): number {
  return distance <= 4 ? distance : distance <= 6 ? 5 : distance <= 10 ? 6 : 7;
}
