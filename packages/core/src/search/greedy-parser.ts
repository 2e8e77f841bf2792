import type { Words } from "../features/columns.js";
import { Configuration, NONE } from "../systems/configuration.js";
import type { ArcDoubts } from "./confidence/arc-doubts.js";
import type { Decider } from "./decider.js";

/** The greedy parser: at each step the best permitted transition. */
export class GreedyParser {
  readonly c = new Configuration();

  constructor(private readonly decider: Decider) {}

  /**
   * Parse a sentence; the result is in `c.heads` and `c.labels`. `rootLabel` goes to words that end up on 0 by
   * convention. `doubts`, if given, gets to know how open to doubt each arc is.
   */
  parse(words: Words, rootLabel = NONE, doubts?: ArcDoubts): Configuration {
    const { c, decider } = this;
    const { system, classes } = decider;
    decider.bind(words);
    doubts?.begin();
    system.initialize(c, words.length);
    while (!system.isTerminal(c)) {
      const best = decider.decide(c);
      const move = decider.moves[best]!;
      const cls = decider.bestClass[best]!;
      const word = decider.untagged(c, best);
      const tag = word > 0 ? decider.bestTag(word) : NONE;
      doubts?.add(move, cls, tag);
      if (word > 0) decider.giveTag(word, tag);
      system.take(c, move, classes.labels[cls]!);
    }
    system.finish(c, rootLabel);
    if (doubts) {
      // Chosen tags are given back.
      if (decider.choices) decider.bind(words);
      doubts.weigh(c);
    }
    return c;
  }
}
