import { scramble } from "../math/hash.js";

/** Distances between scores of a tagger are in this part of a score of typical size. */
export const DISTANCE_UNIT = 1 / 1000;
/**
 * How far the second candidate of a word is below the first is told apart in steps of this size, and so many of them.
 */
const STEP = 100;
const STEPS = 6;

/**
 * The tags that the words of a sentence may have, best first, and which of them was chosen: what a tagger leaves open
 * and a joint parser decides. Word i has the candidates from[i] … from[i + 1] - 1, at least one. Where whole analyses
 * are to choose from, candidates may have the same tag and differ in their parts: values of features, XPOS.
 */
export class TagChoices {
  from: Int32Array = new Int32Array(17);
  /** Of each candidate the tag, in the numbers of the parser, and the analysis, in those of the tagger. */
  tags: Int32Array = new Int32Array(16);
  analyses: Int32Array = new Int32Array(16);
  /** How far below that of the first candidate its score is. */
  distances: Int32Array = new Int32Array(16);
  /**
   * The parts of candidate k besides its tag are parts[partsFrom[k]] … parts[partsFrom[k + 1] - 1], in the numbers of
   * the parser, which go on from those of the tags; nothing where tags alone are to choose from.
   */
  parts: Int32Array = new Int32Array(16);
  partsFrom: Int32Array = new Int32Array(17);
  private chosen = new Int32Array(16);
  private settled = new Uint8Array(16);
  private length = 0;

  /** Forget the sentence, for a new one of n words. */
  begin(n: number): void {
    this.length = 0;
    this.from[1] = 0;
    if (this.chosen.length > n) return;
    this.from = new Int32Array(2 * n + 2);
    this.chosen = new Int32Array(2 * n + 1);
    this.settled = new Uint8Array(2 * n + 1);
  }

  /** Add the next word. */
  addWord(): void {
    const word = ++this.length;
    this.chosen[word] = this.from[word + 1] = this.from[word]!;
    this.settled[word] = 0;
  }

  /** Add a candidate to the last word, so far below the first. */
  add(tag: number, analysis: number, distance: number): void {
    const { length, from } = this;
    const end = from[length + 1]!;
    if (end === this.tags.length) {
      this.tags = twice(this.tags);
      this.analyses = twice(this.analyses);
      this.distances = twice(this.distances);
      this.partsFrom = twice(this.partsFrom);
    }
    this.tags[end] = tag;
    this.analyses[end] = analysis;
    this.distances[end] = distance;
    this.partsFrom[end + 1] = this.partsFrom[end]!;
    from[length + 1] = end + 1;
  }

  /** Add a part to the last candidate. */
  addPart(part: number): void {
    const last = this.from[this.length + 1]!;
    const end = this.partsFrom[last]!;
    if (end === this.parts.length) this.parts = twice(this.parts);
    this.parts[end] = part;
    this.partsFrom[last] = end + 1;
  }

  /** Whether a candidate has a number of the parser: as its tag, or as one of its parts. */
  has(candidate: number, number: number): boolean {
    if (this.tags[candidate] === number) return true;
    const end = this.partsFrom[candidate + 1]!;
    for (let p = this.partsFrom[candidate]!; p < end; p++) if (this.parts[p] === number) return true;
    return false;
  }

  /** Every word has its first candidate again. */
  reset(): void {
    for (let i = 1; i <= this.length; i++) {
      this.chosen[i] = this.from[i]!;
      this.settled[i] = 0;
    }
  }

  /** Whether a word has several candidates and none was chosen yet. */
  isOpen(word: number): boolean {
    return this.settled[word] === 0 && this.from[word + 1]! > this.from[word]! + 1;
  }

  /** Choose a candidate for good. Returns whether that is another one than the word had so far. */
  choose(word: number, candidate: number): boolean {
    const before = this.chosen[word];
    this.chosen[word] = candidate;
    this.settled[word] = 1;
    return candidate !== before;
  }

  /**
   * Go over to what another hypothesis of a search has chosen, -1 for nothing yet. Returns whether that is another
   * candidate.
   */
  exchange(word: number, candidate: number): boolean {
    const before = this.chosen[word];
    this.chosen[word] = candidate < 0 ? this.from[word]! : candidate;
    this.settled[word] = candidate < 0 ? 0 : 1;
    return this.chosen[word] !== before;
  }

  /** The analysis that was chosen: before it is, that of the first candidate. */
  analysis(word: number): number {
    return this.analyses[this.chosen[word]!]!;
  }

  /**
   * A number for the two best candidates of a word; undefined if there is only one. Of two tags it says which is
   * better, and how near they are. Of analyses with the same tag, of which there are many more and each is rarer, it
   * says only in which parts they differ.
   */
  rivals(word: number): number | undefined {
    const { tags, from, distances } = this;
    const first = from[word]!;
    const second = first + 1;
    if (from[word + 1]! <= second) return undefined;
    if (tags[first] === tags[second]) {
      return scramble(this.partsOnlyOf(first, second) + this.partsOnlyOf(second, first));
    }
    const step = Math.min(STEPS - 1, Math.floor(distances[second]! / STEP));
    return scramble(scramble(tags[first]! * STEPS + step + 1) ^ tags[second]!);
  }

  /** A number for the parts of a candidate that another one does not have. */
  private partsOnlyOf(candidate: number, other: number): number {
    let number = 0;
    for (let p = this.partsFrom[candidate]!; p < this.partsFrom[candidate + 1]!; p++) {
      if (!this.has(other, this.parts[p]!)) number = scramble(number + this.parts[p]!);
    }
    return number;
  }
}

function twice(array: Int32Array): Int32Array {
  const longer = new Int32Array(2 * array.length);
  longer.set(array);
  return longer;
}
