import type { Words } from "../../features/columns.js";
import { Configuration, NONE } from "../../systems/configuration.js";
import type { ArcDoubts } from "../confidence/arc-doubts.js";
import type { Decider } from "../decider.js";
import { derivations } from "./beam-derivations.js";
import type { DerivationStep } from "./beam-history.js";
import { BeamSearch } from "./beam-search.js";
import type { StateMerger } from "./state-merger.js";

/**
 * The beam parser: at each step the best continuations of several hypotheses. With a width of 1 it is the greedy
 * parser.
 */
export class BeamParser {
  readonly search: BeamSearch;
  /** How many trees of a sentence can be asked for. */
  readonly mostTrees: number;
  protected readonly c = new Configuration();

  /** `merger`: merges hypotheses, if given. */
  constructor(
    protected readonly decider: Decider,
    readonly width: number,
    merger?: StateMerger,
    search = new BeamSearch(decider, width, merger),
  ) {
    this.mostTrees = width;
    this.search = search;
  }

  /** The score of the tree that `parse` gave last. */
  get score(): number {
    return this.search.live[0]!.score;
  }

  /**
   * Parse a sentence; the result is in `heads` and `labels` of the configuration. `rootLabel` goes to words that end up
   * on 0 by convention. `doubts`, if given, gets to know how open to doubt each arc is.
   */
  parse(words: Words, rootLabel = NONE, doubts?: ArcDoubts): Configuration {
    const { search, decider } = this;
    search.begin(words);
    while (search.step());
    const best = search.live[0]!;
    decider.system.finish(best.c, rootLabel);
    if (doubts) {
      const steps: number[] = [];
      search.history.path(best.step, steps);
      this.weigh(doubts, steps, best.c);
    }
    return best.c;
  }

  /** Let doubts follow the steps to a tree. */
  protected weigh(doubts: ArcDoubts, steps: readonly number[], c: Configuration): void {
    const { history } = this.search;
    doubts.begin();
    for (const step of steps) doubts.add(history.moves[step]!, history.classes[step]!);
    doubts.weigh(c);
  }

  /** The transitions that built the tree that `parse` gave last. */
  steps(): DerivationStep[] {
    return this.search.history.stepsTo(this.search.live[0]!.step);
  }

  /**
   * All derivations that the beam has found, best first, each with its tree in `c`. The same tree may come several
   * times.
   */
  *parseAll(words: Words, rootLabel = NONE): Generator<{ c: Configuration; score: number }> {
    const { search, decider } = this;
    search.begin(words);
    while (search.step());
    const ends: number[] = [];
    for (let h = 0; h < search.size; h++) ends.push(search.live[h]!.step);
    for (const { steps, score } of derivations(search.history, ends)) {
      this.replay(words, steps);
      decider.system.finish(this.c, rootLabel);
      yield { c: this.c, score };
    }
  }

  protected replay(words: Words, steps: readonly number[]): void {
    this.decider.system.initialize(this.c, words.length);
    for (const step of steps) this.take(step);
  }

  /** Take a step of the history. */
  protected take(step: number): void {
    const { system, classes } = this.decider;
    const { history } = this.search;
    system.take(this.c, history.moves[step]!, classes.labels[history.classes[step]!]!);
  }
}
