import { attachRemoved } from "./attach-removed.js";
import { DISCOURSE_MARKER, INTERJECTION, REMOVALS, REPARANDUM, removalOf, removedWords } from "./removed-words.js";

/** The disfluencies of treebanks, and how much of them is lost when words are removed and attached again. */
export class DisfluencyStatistics {
  /** Sentences with disfluencies. */
  sentences = 0;
  /** By the number of the way in which they are removed: words, and how many neighbours go in the same way at once. */
  readonly words = [0, 0, 0, 0];
  readonly spans: number[][] = [[], [], [], []];
  /** Words with one of the labels, and those of them that are below another. */
  labelled = 0;
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
      this.labelled++;
      if (heads[d]! > 0 && removed[heads[d]!]! > 0) this.nested++;
    }
    this.discontinuous += discontinuousLabelled(heads, labels, removed);
    this.otherHeads += otherHeads(heads, labels, removed);
  }

  merge(other: DisfluencyStatistics): void {
    for (const name of ["sentences", "labelled", "nested", "discontinuous", "otherHeads"] as const)
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
    const { sentences, labelled, nested, discontinuous, otherHeads } = this;
    const of = (kind: number) => {
      // Lengths that do not occur are holes, which entries pass over.
      const lengths: Record<string, number> = Object.fromEntries(Object.entries(this.spans[kind]!));
      const spans = Object.values(lengths).reduce((sum, count) => sum + count, 0);
      return { words: this.words[kind]!, spans, lengths };
    };
    const kinds = { IJ: of(INTERJECTION), DM: of(DISCOURSE_MARKER), RP: of(REPARANDUM) };
    return { sentences, ...kinds, labelled, nested, discontinuous, otherHeads };
  }
}

/** Words with one of the labels whose own words, those below another such word left out, are not next to each other. */
function discontinuousLabelled(heads: ArrayLike<number>, labels: readonly string[], removed: Uint8Array): number {
  const n = heads.length - 1;
  const first = new Map<number, number>();
  const broken = new Set<number>();
  const labelledAbove = (word: number) => {
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
    const above = labelledAbove(d);
    if (!first.has(above)) first.set(above, d);
    else if (lastStay > first.get(above)!) broken.add(above);
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
    // A word removed from the buffer has no arcs; a reparandum those that its words have among each other.
    if (removed[d] === REPARANDUM && h > 0 && removed[h] === REPARANDUM) inner[d] = h;
    made[d] = -1;
  }
  attachRemoved(made, [...labels], removed, { heads: inner, labels });
  let other = 0;
  for (let d = 1; d <= n; d++) if (made[d] !== heads[d]) other++;
  return other;
}
