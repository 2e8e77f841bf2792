import type { Words } from "../features/columns.js";
import { Configuration, NONE } from "../systems/configuration.js";
import type { Decider } from "./decider.js";
import { noteMargin, noteUnattached } from "./margin.js";

/** The greedy parser: at each step the best permitted transition. */
export class GreedyParser {
  readonly c = new Configuration();

  constructor(private readonly decider: Decider) {}

  /**
   * Parse a sentence; the result is in `c.heads` and `c.labels`. `rootLabel` goes to words that end up on 0 by convention.
   * `margins`, if given, gets for each word the margin of the transition that attached it.
   */
  parse(words: Words, rootLabel = NONE, margins?: Int32Array): Configuration {
    const { c, decider } = this;
    const { system, classes } = decider;
    decider.bind(words);
    system.initialize(c, words.length);
    while (!system.isTerminal(c)) {
      const best = decider.decide(c);
      if (margins) noteMargin(decider, c, best, margins);
      const word = decider.untagged(c, best);
      if (word > 0) decider.giveTag(word, decider.bestTag(word));
      system.apply(c, decider.moves[best]!, classes.labels[decider.bestClass[best]!]!);
    }
    if (margins) noteUnattached(c, margins);
    system.finish(c, rootLabel);
    return c;
  }
}
