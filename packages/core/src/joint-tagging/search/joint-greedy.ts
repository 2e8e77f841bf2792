import type { BeamParser } from "../../search/beam/beam-parser.js";
import { GreedyParser } from "../../search/greedy-parser.js";
import { type Configuration, NONE } from "../../systems/configuration.js";
import type { JointWords } from "../joint-words.js";
import { createBeam } from "./joint-beam.js";
import type { JointDecider } from "./joint-decider.js";
import type { JointDoubts } from "./joint-doubts.js";

/** The greedy parser that gives every open word its best tag when it leaves the buffer. */
export class JointGreedyParser extends GreedyParser {
  declare protected readonly decider: JointDecider;

  override parse(words: JointWords, rootLabel = NONE, doubts?: JointDoubts): Configuration {
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

  protected override beamOfOne(): BeamParser {
    return createBeam(this.decider, 1);
  }
}
