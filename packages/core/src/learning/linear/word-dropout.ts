import { type Columns, HIDDEN, LEXICAL } from "../../features/columns.js";
import type { Random } from "../../math/random.js";

/**
 * Hides words in training, rare ones more often (Kiperwasser & Goldberg 2016): one that occurs f times with probability
 * a / (a + f). What is hidden looks like a word that was never seen, and so the parser learns to do without.
 */
export class WordDropout {
  /** For each column how often its values occur; empty (and nothing is hidden) until words are counted. */
  private counts: Map<number, number>[] = [];

  constructor(private readonly a: number) {}

  /** Count the words of a sentence. */
  count({ attributes, columns, length }: Columns): void {
    attributes.forEach((attribute, k) => {
      if (!LEXICAL.includes(attribute)) return;
      this.counts[k] ??= new Map();
      const counts = this.counts[k];
      for (let i = 1; i <= length; i++) counts.set(columns[k]![i]!, (counts.get(columns[k]![i]!) ?? 0) + 1);
    });
  }

  /** Hide words of a sentence. One draw a word: where its lemma is hidden, its rarer form is, too. */
  hide({ columns, length }: Columns, random: Random): void {
    for (let i = 1; i <= length; i++) {
      const draw = random.next();
      for (let k = 0; k < this.counts.length; k++) {
        const counts = this.counts[k];
        if (!counts) continue;
        const column = columns[k]!;
        if (draw * (this.a + (counts.get(column[i]!) ?? 0)) < this.a) column[i] = HIDDEN;
      }
    }
  }
}
