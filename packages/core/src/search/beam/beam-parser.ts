import type { Words } from "../../features/columns.js";
import { Configuration, NONE } from "../../systems/configuration.js";
import type { ArcDoubts } from "../confidence/arc-doubts.js";
import type { Decider } from "../decider.js";
import { type Derivation, derivations } from "./beam-derivations.js";
import type { DerivationStep } from "./beam-history.js";
import { BeamSearch } from "./beam-search.js";
import type { StateMerger } from "./state-merger.js";

/** Of so many derivations, the best first, all may have a flaw before the best is taken all the same. */
const MOST_FLAWED = 100;

/**
 * The beam parser: at each step the best continuations of several hypotheses. With a width of 1 it is the greedy
 * parser.
 */
export class BeamParser {
  readonly search: BeamSearch;
  /** How many trees of a sentence can be asked for. */
  readonly mostTrees: number;
  protected readonly c = new Configuration();
  /** The derivation of the last tree, if a better one had a flaw. */
  private chosen: Derivation | undefined;

  /** `merger`: merges hypotheses, if given. `isFlawed`: whether a tree comes after all that have no such flaw. */
  constructor(
    protected readonly decider: Decider,
    readonly width: number,
    merger?: StateMerger,
    search = new BeamSearch(decider, width, merger),
    private readonly isFlawed: (tree: Configuration) => boolean = () => false,
  ) {
    this.mostTrees = width;
    this.search = search;
  }

  /** The score of the tree that `parse` gave last. */
  get score(): number {
    return this.chosen?.score ?? this.search.live[0]!.score;
  }

  /**
   * Parse a sentence; the result is in `heads` and `labels` of the configuration. `rootLabel` goes to words that end up
   * on 0 by convention. `doubts`, if given, gets to know how open to doubt each arc is.
   */
  parse(words: Words, rootLabel = NONE, doubts?: ArcDoubts): Configuration {
    const tree = this.firstTree(words, rootLabel);
    if (doubts) this.weigh(doubts, this.chosenSteps(), tree);
    return tree;
  }

  /** The best tree; if that has a flaw, the best one without, if there is one among the first that were found. */
  private firstTree(words: Words, rootLabel: number): Configuration {
    const { search, decider } = this;
    search.begin(words);
    while (search.step());
    this.chosen = undefined;
    const { c } = search.live[0]!;
    decider.system.finish(c, rootLabel);
    if (!this.isFlawed(c)) return c;
    let left = MOST_FLAWED;
    for (const derivation of this.found()) {
      if (left-- === 0) break;
      this.build(words, derivation.steps, rootLabel);
      if (this.isFlawed(this.c)) continue;
      this.chosen = derivation;
      return this.c;
    }
    return c;
  }

  /** The derivations that the beam has found, best first. */
  private found(): Generator<Derivation> {
    const ends: number[] = [];
    for (let h = 0; h < this.search.size; h++) ends.push(this.search.live[h]!.step);
    return derivations(this.search.history, ends);
  }

  private chosenSteps(): readonly number[] {
    if (this.chosen) return this.chosen.steps;
    const steps: number[] = [];
    this.search.history.path(this.search.live[0]!.step, steps);
    return steps;
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
    const { moves, classes } = this.search.history;
    return this.chosenSteps().map((step) => ({ move: moves[step]!, cls: classes[step]! }));
  }

  /**
   * All derivations that the beam has found, each with its tree in `c`: that of `parse`, then the others, best first.
   * The same tree may come several times.
   */
  *parseAll(words: Words, rootLabel = NONE): Generator<{ c: Configuration; score: number }> {
    this.firstTree(words, rootLabel);
    const { score } = this;
    const first = this.chosenSteps();
    this.build(words, first, rootLabel);
    yield { c: this.c, score };
    for (const derivation of this.found()) {
      if (derivation.score === score && first.every((step, i) => derivation.steps[i] === step)) continue;
      this.build(words, derivation.steps, rootLabel);
      yield { c: this.c, score: derivation.score };
    }
  }

  private build(words: Words, steps: readonly number[], rootLabel: number): void {
    this.replay(words, steps);
    this.decider.system.finish(this.c, rootLabel);
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
