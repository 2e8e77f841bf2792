import type { Words } from "../features/columns.js";
import { Configuration, NONE } from "../systems/configuration.js";
import { BeamParser } from "./beam/beam-parser.js";
import type { ArcDoubts } from "./confidence/arc-doubts.js";
import type { Decider } from "./decider.js";

/** The greedy parser: at each step the best permitted transition. */
export class GreedyParser {
  readonly c = new Configuration();

  constructor(protected readonly decider: Decider) {}

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
      doubts?.add(move, cls);
      system.take(c, move, classes.labels[cls]!);
    }
    system.finish(c, rootLabel);
    doubts?.weigh(c);
    return c;
  }

  /** The derivation of a sentence with its score, which a beam of one gives. */
  parseAll(words: Words, rootLabel = NONE): ReturnType<BeamParser["parseAll"]> {
    return this.beamOfOne().parseAll(words, rootLabel);
  }

  protected beamOfOne(): BeamParser {
    return new BeamParser(this.decider, 1);
  }
}
