import type { Sentence } from "./sentence.js";
import type { Token } from "./token.js";
import type { Word } from "./word.js";

/** Consecutive words of a sentence. */
export class Span implements Iterable<Word> {
  constructor(
    readonly sentence: Sentence,
    /** The numbers of its first and its last word. */
    readonly from: number,
    readonly to: number,
  ) {
    if (from > to) throw new RangeError(`invalid span: ${from} to ${to} (expected the first word before the last)`);
  }

  get length(): number {
    return this.to - this.from + 1;
  }

  get words(): readonly Word[] {
    return this.sentence.words.slice(this.from - 1, this.to);
  }

  [Symbol.iterator](): Iterator<Word> {
    return this.words[Symbol.iterator]();
  }

  /** Its tokens, including those that it contains only in part. */
  get tokens(): readonly Token[] {
    return this.sentence.tokens.filter(({ from, to }) => to >= this.from && from <= this.to);
  }

  /** The text of its tokens, with the spaces between them. */
  get text(): string {
    const { tokens } = this;
    return tokens
      .map(({ spacesBefore, form, spacesAfter }, t) => {
        return (t > 0 ? spacesBefore : "") + form + (t + 1 < tokens.length ? spacesAfter : "");
      })
      .join("");
  }

  /** Its offset in the text, as for a word. */
  get start(): number {
    return this.sentence.words[this.from - 1]!.start;
  }
  get end(): number {
    return this.sentence.words[this.to - 1]!.end;
  }

  /**
   * The word that the others depend on: the one nearest to the root of the sentence, the first if there are several.
   */
  get root(): Word {
    let best = this.sentence.words[this.from - 1]!;
    let least = Number.POSITIVE_INFINITY;
    for (const word of this.words) {
      const depth = word.ancestors.length;
      if (depth >= least) continue;
      best = word;
      least = depth;
    }
    return best;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): { from: number; to: number; start: number; end: number; text: string } {
    const { from, to, start, end, text } = this;
    return { from, to, start, end, text };
  }
}
