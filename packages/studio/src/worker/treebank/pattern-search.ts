import { Sentence } from "@stemma/core";
import { Matcher, MatchValue, TooManyMatches } from "@stemma/core/search";
import type { Requests } from "../../protocol/requests.js";

/** Values that are shown of those that matches are counted by. */
const MOST_VALUES = 200;
/** Stands for a missing value, as in `stemma search`. */
const NO_VALUE = "_";

/** A pattern in the language of `stemma search`, over many sentences. Throws a PatternError if it is wrong. */
export class PatternSearch {
  matches = 0;
  private readonly matcher: Matcher;
  private readonly by: MatchValue | undefined;
  private readonly counts = new Map<string, number>();

  constructor(
    pattern: string,
    by = "",
    private readonly value?: string | undefined,
  ) {
    this.matcher = new Matcher(pattern);
    if (by.trim() !== "") this.by = new MatchValue(by.trim(), this.matcher.names);
  }

  /** Counts the matches in a sentence and says whether it has one with the value that is wanted. */
  has(sentence: Sentence): boolean {
    const matches = this.matchesIn(sentence);
    this.matches += matches.length;
    if (!this.by) return matches.length > 0;
    let wanted = false;
    for (const match of matches) {
      const value = this.by.of(match) ?? NO_VALUE;
      this.counts.set(value, (this.counts.get(value) ?? 0) + 1);
      wanted ||= this.value === undefined || value === this.value;
    }
    return wanted;
  }

  /** The words of all matches. */
  words(sentence: Sentence): number[] {
    const words = new Set(this.matchesIn(sentence).flatMap(({ nodes }) => nodes));
    words.delete(0);
    return [...words].sort((a, b) => a - b);
  }

  /** How often each value was there, the most frequent first; and how many values are left out. */
  get summary(): { counts: [string, number][]; moreValues: number } | undefined {
    if (!this.by) return undefined;
    const all = [...this.counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return { counts: all.slice(0, MOST_VALUES), moreValues: Math.max(0, all.length - MOST_VALUES) };
  }

  private matchesIn(sentence: Sentence) {
    try {
      return this.matcher.match(sentence);
    } catch (error) {
      // More than a million in one sentence: it has some, at least.
      if (error instanceof TooManyMatches) return [];
      throw error;
    }
  }
}

/** The words of a sentence that a pattern fits. */
export function highlight({ sentence, pattern }: Requests["highlight"]["ask"]): number[] {
  return new PatternSearch(pattern).words(Sentence.from(sentence, { allowNonTrees: true }));
}

/** Where words stand in the text of their sentence. */
export function placesOf(sentence: Sentence, words: readonly number[]): [number, number][] {
  const { text, start } = sentence;
  return sentence.tokens.flatMap((token): [number, number][] => {
    if (!words.some((word) => word >= token.from && word <= token.to)) return [];
    const [from, to] = [token.start - start, token.end - start];
    return text.slice(from, to) === token.form ? [[from, to]] : [];
  });
}
