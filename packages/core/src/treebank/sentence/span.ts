import { INSPECT, type Inspecting, inspected } from "../../checks/inspection.js";
import type { Sentence } from "./sentence.js";
import type { Token } from "./token.js";
import type { Word } from "./word.js";

/** Consecutive words of a sentence. */
export class Span implements Iterable<Word> {
  /**
   * @param sentence the sentence of the words
   * @param from the number of the first word, from 1
   * @param to the number of the last word
   */
  constructor(
    /** The sentence of its words. */
    readonly sentence: Sentence,
    /** The numbers of its first and its last word. */
    readonly from: number,
    /** The number of its last word. */
    readonly to: number,
  ) {
    if (from > to) throw new RangeError(`invalid span: ${from} to ${to} (expected the first word before the last)`);
  }

  /** How many words it has. */
  get length(): number {
    return this.to - this.from + 1;
  }

  /** In their order. */
  get words(): readonly Word[] {
    return this.sentence.words.slice(this.from - 1, this.to);
  }

  /** Its words. */
  [Symbol.iterator](): Iterator<Word> {
    return this.words[Symbol.iterator]();
  }

  /** Its tokens, including those that it contains only in part. */
  get tokens(): readonly Token[] {
    return this.sentence.tokens.filter(({ from, to }) => to >= this.from && from <= this.to);
  }

  /**
   * Its text as it is written, with the spaces between tokens. Of a token that it contains only in part it has that
   * part if words have places of their own there ("do" of "don't"), else the whole.
   */
  get text(): string {
    const { tokens, start, end } = this;
    return tokens
      .map((token, t) => {
        const form = token.form.slice(Math.max(start - token.start, 0), Math.max(end - token.start, 0));
        return (t > 0 ? token.spacesBefore : "") + form + (t + 1 < tokens.length ? token.spacesAfter : "");
      })
      .join("");
  }

  /** Its offset in the text, as for a word. */
  get start(): number {
    return this.sentence.words[this.from - 1]!.start;
  }
  /** Where it ends in the text. */
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

  /** Its text. */
  toString(): string {
    return this.text;
  }

  /** How it looks in a console. @internal */
  [INSPECT](_depth?: unknown, ...how: Inspecting): string {
    return inspected("Span", { text: this.text, from: this.from, to: this.to, root: this.root.form }, ...how);
  }

  /** As plain data. */
  toJSON(): { from: number; to: number; start: number; end: number; text: string } {
    const { from, to, start, end, text } = this;
    return { from, to, start, end, text };
  }
}
