// Disfluencies in treebanks of Universal Dependencies: words that a speaker took back, or that are no part of what is
// said.

import { check, checkTexts, wholeNumber } from "../checks/options.js";
import { checkHeads, STRINGS } from "../checks/shapes.js";

/** The ways in which words are removed from a sentence, numbered from 1; 0 is for words that stay. */
export const REMOVALS = ["", "IJ", "DM", "RP"] as const;
const [INTERJECTION, DISCOURSE_MARKER, REPARANDUM] = [1, 2, 3];

/** The labels that removed words have in a tree, by the way in which they were removed. */
const LABELS = ["", "discourse:filler", "discourse", "reparandum"];

/** As what a word with this label is removed: 1 interjection, 2 discourse marker, 3 reparandum, 0 if it stays. */
export function removalOf(label: string): number {
  checkTexts({ label });
  if (label === "discourse:filler") return INTERJECTION!;
  if (label === "discourse" || label === "parataxis:discourse") return DISCOURSE_MARKER!;
  return label === "reparandum" || label.startsWith("reparandum:") ? REPARANDUM! : 0;
}

/**
 * The words that a tree says are disfluent: those with the labels `discourse:filler` (interjections, 1), `discourse`
 * and `parataxis:discourse` (discourse markers, 2) and `reparandum` (3), each with all words below it. A word below
 * several of them goes with the nearest. Undefined if there are none. heads[0] and labels[0] are ignored. O(n).
 */
export function removedWords(heads: ArrayLike<number>, labels: readonly string[]): Uint8Array | undefined {
  checkHeads(heads);
  check("labels", labels, STRINGS);
  if (labels.length !== heads.length) {
    throw new RangeError(`invalid labels: ${labels.length} entries (expected ${heads.length}, as many as heads)`);
  }
  const n = heads.length - 1;
  const OPEN = 255;
  const removed = new Uint8Array(n + 1).fill(OPEN);
  removed[0] = 0;
  const path: number[] = [];
  let any = false;
  for (let d = 1; d <= n; d++) {
    let word = d;
    // Up to a word that is known, or that says it itself.
    while (word > 0 && removed[word] === OPEN && path.length <= n) {
      const own = removalOf(labels[word]!);
      if (own > 0) removed[word] = own;
      else {
        path.push(word);
        word = heads[word]!;
      }
    }
    const kind = word > 0 && removed[word] !== OPEN ? removed[word]! : 0;
    while (path.length > 0) removed[path.pop()!] = kind;
    any ||= removed[d]! > 0;
  }
  return any ? removed : undefined;
}

/** MISC with the way in which a word was removed, `Removed=RP`, and without one that it had; 0 if the word stays. */
export function withRemoval(misc: string, removed: number): string {
  checkTexts({ misc });
  check("removed", removed, wholeNumber(0, REMOVALS.length - 1));
  if (removed === 0 && !misc.includes("Removed=")) return misc;
  const items = misc.split("|").filter((item) => item !== "_" && !item.startsWith("Removed="));
  if (removed > 0) items.unshift(`Removed=${REMOVALS[removed]}`);
  return items.join("|") || "_";
}

/** The arcs that removed words had among each other when they were removed; NONE where there are none. */
export interface InnerArcs {
  readonly heads: ArrayLike<number>;
  readonly labels: readonly string[];
}

/**
 * Attaches the removed words of a tree, which have no heads, so that it is one again: a word that had a head among the
 * words removed with it keeps that head; the others get their label by how they were removed and hang on the phrase
 * that begins with the next word that stays, or where there is none, ends with the last. Changes heads and labels in
 * place.
 */
export function attachRemoved(
  heads: Int32Array,
  labels: string[],
  removed: ArrayLike<number>,
  inner?: InnerArcs,
): void {
  const n = heads.length - 1;
  const outermost = new Int32Array(n + 1).fill(-1);
  const stays = (word: number) => removed[word] === 0;
  let last = 0;
  for (let d = n; d > 0; d--) {
    if (!stays(d)) continue;
    if (last === 0) last = d;
    // The leftmost dependent of each word that stays.
    if (heads[d]! > d) outermost[heads[d]!] = d;
  }
  let next = 0;
  if (last > 0) {
    // What ends the sentence hangs on the word at the top of its last part.
    next = last;
    while (heads[next]! > 0) next = heads[next]!;
  }
  for (let d = n; d > 0; d--) {
    if (stays(d)) {
      next = d;
      while (heads[next]! > next && outermost[heads[next]!] === next) next = heads[next]!;
      continue;
    }
    const head = inner?.heads[d] ?? -1;
    heads[d] = head > 0 ? head : next;
    labels[d] = head > 0 ? inner!.labels[d]! : LABELS[removed[d]!]!;
  }
  if (last > 0 || n === 0) return;
  // Nothing stays: the first word that has no head is the root.
  let root = 0;
  for (let d = 1; d <= n; d++) {
    if (heads[d] !== 0) continue;
    if (root === 0) {
      root = d;
      labels[d] = "root";
    } else heads[d] = root;
  }
}

/** What treebanks have of disfluencies, and how much of it is lost when words are removed and attached again. */
export class DisfluencyStatistics {
  /** Sentences with disfluencies. */
  sentences = 0;
  /** By the number of the way in which they are removed: words, and how many neighbours go in the same way at once. */
  readonly words = [0, 0, 0, 0];
  readonly spans: number[][] = [[], [], [], []];
  /** Words with one of the labels, and those of them that are below another. */
  tops = 0;
  nested = 0;
  /** Words with one of the labels between whose words there are words that stay. */
  discontinuous = 0;
  /** Removed words that have another head in the treebank than they get when they are attached again. */
  otherHeads = 0;

  /** Counts a tree. */
  add(heads: ArrayLike<number>, labels: readonly string[]): void {
    const removed = removedWords(heads, labels);
    if (!removed) return;
    const n = heads.length - 1;
    this.sentences++;
    let run = 0;
    for (let d = 1; d <= n; d++) {
      const kind = removed[d]!;
      if (kind === 0) continue;
      this.words[kind]!++;
      run = removed[d - 1] === kind ? run + 1 : 1;
      if (d === n || removed[d + 1] !== kind) this.spans[kind]![run] = (this.spans[kind]![run] ?? 0) + 1;
      if (removalOf(labels[d]!) === 0) continue;
      this.tops++;
      if (heads[d]! > 0 && removed[heads[d]!]! > 0) this.nested++;
    }
    this.discontinuous += discontinuousTops(heads, labels, removed);
    this.otherHeads += otherHeads(heads, labels, removed);
  }

  merge(other: DisfluencyStatistics): void {
    for (const name of ["sentences", "tops", "nested", "discontinuous", "otherHeads"] as const)
      this[name] += other[name];
    for (let kind = 1; kind < REMOVALS.length; kind++) {
      this.words[kind]! += other.words[kind]!;
      other.spans[kind]!.forEach((count, length) => {
        this.spans[kind]![length] = (this.spans[kind]![length] ?? 0) + count;
      });
    }
  }

  /** The length that this share of all spans does not exceed. */
  spanLength(share: number): number {
    const counts: number[] = [];
    for (const spans of this.spans) {
      spans.forEach((count, length) => {
        counts[length] = (counts[length] ?? 0) + count;
      });
    }
    let left = share * counts.reduce((sum, count) => sum + count, 0);
    for (let length = 1; length < counts.length; length++) if ((left -= counts[length] ?? 0) <= 1e-9) return length;
    return Math.max(1, counts.length - 1);
  }

  toJSON() {
    const { sentences, tops, nested, discontinuous, otherHeads } = this;
    const of = (kind: number) => {
      // Lengths that do not occur are holes, which entries pass over.
      const lengths: Record<string, number> = Object.fromEntries(Object.entries(this.spans[kind]!));
      const spans = Object.values(lengths).reduce((sum, count) => sum + count, 0);
      return { words: this.words[kind]!, spans, lengths };
    };
    const kinds = { IJ: of(INTERJECTION!), DM: of(DISCOURSE_MARKER!), RP: of(REPARANDUM!) };
    return { sentences, ...kinds, labelled: tops, nested, discontinuous, otherHeads };
  }
}

/** Words with one of the labels whose own words, those below another such word left out, are not next to each other. */
function discontinuousTops(heads: ArrayLike<number>, labels: readonly string[], removed: Uint8Array): number {
  const n = heads.length - 1;
  const first = new Map<number, number>();
  const broken = new Set<number>();
  const topOf = (word: number) => {
    let at = word;
    while (removalOf(labels[at]!) === 0) at = heads[at]!;
    return at;
  };
  let lastStay = 0;
  for (let d = 1; d <= n; d++) {
    if (removed[d] === 0) {
      lastStay = d;
      continue;
    }
    const top = topOf(d);
    if (!first.has(top)) first.set(top, d);
    else if (lastStay > first.get(top)!) broken.add(top);
  }
  return broken.size;
}

function otherHeads(heads: ArrayLike<number>, labels: readonly string[], removed: Uint8Array): number {
  const n = heads.length - 1;
  const made = Int32Array.from(heads);
  const inner = new Int32Array(n + 1).fill(-1);
  for (let d = 1; d <= n; d++) {
    if (removed[d] === 0) continue;
    const h = heads[d]!;
    // What is removed from the buffer has no arcs; a reparandum those that its words have among each other.
    if (removed[d] === REPARANDUM && h > 0 && removed[h] === REPARANDUM) inner[d] = h;
    made[d] = -1;
  }
  attachRemoved(made, [...labels], removed, { heads: inner, labels });
  let other = 0;
  for (let d = 1; d <= n; d++) if (made[d] !== heads[d]) other++;
  return other;
}
