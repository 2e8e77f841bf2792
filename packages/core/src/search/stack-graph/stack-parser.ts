import type { Words } from "../../features/columns.js";
import { Configuration, NONE } from "../../systems/configuration.js";
import { SHIFT } from "../../systems/transition.js";
import { BeamParser } from "../beam/beam-parser.js";
import type { ArcDoubts } from "../confidence/arc-doubts.js";
import type { Decider } from "../decider.js";
import { type Step, stackDerivations } from "./stack-derivations.js";
import { StackSearch } from "./stack-search.js";
import type { StackViews } from "./stack-views.js";

/**
 * The beam parser with a graph-structured stack. Constraints may look at what features do not see: with them it is the
 * beam parser without merging.
 */
export class StackParser extends BeamParser {
  readonly stacks: StackSearch;
  private readonly tree = new Configuration();
  /** The best derivation of the last sentence; undefined if there were constraints. */
  private best: { readonly score: number; readonly steps: readonly Step[] } | undefined;

  constructor(decider: Decider, width: number, views: StackViews) {
    super(decider, width);
    this.stacks = new StackSearch(decider, width, views);
  }

  override get score(): number {
    return this.best ? this.best.score : super.score;
  }

  override parse(words: Words, rootLabel = NONE, doubts?: ArcDoubts): Configuration {
    this.best = undefined;
    if (this.stacks.decider.constraints) return super.parse(words, rootLabel, doubts);
    for (const best of this.derivations(words)) {
      this.best = best;
      break;
    }
    const { steps } = this.best!;
    const tree = this.build(words, steps, rootLabel);
    if (doubts) {
      doubts.begin();
      for (const { move, cls } of steps) doubts.add(move, cls, NONE);
      doubts.weigh(tree);
    }
    return tree;
  }

  override steps(): Step[] {
    return this.best ? [...this.best.steps] : super.steps();
  }

  override *parseAll(words: Words, rootLabel = NONE): Generator<{ c: Configuration; score: number }> {
    if (this.stacks.decider.constraints) return yield* super.parseAll(words, rootLabel);
    for (const { score, steps } of this.derivations(words)) {
      yield { c: this.build(words, steps, rootLabel), score };
    }
  }

  private derivations(words: Words): ReturnType<typeof stackDerivations> {
    const { stacks } = this;
    const { classes } = stacks.decider;
    stacks.begin(words);
    while (stacks.step());
    const shift = { move: SHIFT, cls: classes.from[classes.groupOf(SHIFT)]! };
    return stackDerivations(stacks.live.slice(0, stacks.size), shift);
  }

  private build(words: Words, steps: readonly Step[], rootLabel: number): Configuration {
    const { system, classes } = this.stacks.decider;
    const { tree } = this;
    system.initialize(tree, words.length);
    for (const { move, cls } of steps) system.take(tree, move, classes.labels[cls]!);
    system.finish(tree, rootLabel);
    return tree;
  }
}
