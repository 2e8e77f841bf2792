import type { Words } from "../features/columns.js";
import { Configuration, NONE } from "../systems/configuration.js";
import { type Derivation, derivations } from "./beam-derivations.js";
import { BeamSearch } from "./beam-search.js";
import type { Decider } from "./decider.js";
import { NO_CHOICE, noteUnattached } from "./margin.js";
import type { StateMerger } from "./signature.js";

/** The beam parser: at each step the best continuations of several hypotheses. With a width of 1 it is the greedy parser. */
export class BeamParser {
  readonly search: BeamSearch;
  private readonly c = new Configuration();

  /** `merger`: merges hypotheses, if given. */
  constructor(
    private readonly decider: Decider,
    readonly width: number,
    merger?: StateMerger,
  ) {
    this.search = new BeamSearch(decider, width, merger);
  }

  /** The score of the tree that `parse` gave last. */
  get score(): number {
    return this.search.live[0]!.score;
  }

  /**
   * Parse a sentence; the result is in `heads` and `labels` of the configuration. `rootLabel` goes to words that end up on 0 by convention.
   * `margins`, if given, gets for each word by how much the transition that attached it was ahead of all others, 0 if it was not.
   */
  parse(words: Words, rootLabel = NONE, margins?: Int32Array): Configuration {
    const { search, decider } = this;
    search.begin(words);
    while (search.step());
    const best = search.live[0]!;
    if (margins) {
      const steps: number[] = [];
      search.history.path(best.step, steps);
      this.replay(words, steps, margins);
      noteUnattached(this.c, margins);
    }
    search.showTags(best);
    decider.system.finish(best.c, rootLabel);
    return best.c;
  }

  /**
   * All derivations that the beam has found, best first, each with its tree in `c`; the tags of joint tagging are then those of the derivation. The same tree
   * may come several times.
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

  private replay(words: Words, steps: Derivation["steps"], margins?: Int32Array): void {
    const { c, decider, search } = this;
    const { system, classes } = decider;
    const { history } = search;
    search.forgetTags();
    system.initialize(c, words.length);
    for (const step of steps) {
      const move = history.moves[step]!;
      const cls = history.classes[step]!;
      const tag = history.tags[step]!;
      if (margins) this.noteMargin(move, cls, margins);
      if (tag !== NONE) decider.giveTag(c.b(0), tag);
      system.apply(c, move, classes.labels[cls]!);
    }
  }

  private noteMargin(move: number, cls: number, margins: Int32Array): void {
    const { c, decider } = this;
    const { classes } = decider;
    decider.decide(c);
    let chosen = 0;
    let second = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < decider.count; i++) {
      if (decider.moves[i] === move) chosen = i;
      else second = Math.max(second, decider.scoreOf(i));
    }
    const scores = classes.perMove ? decider.rescore(c, chosen) : decider.scores;
    const group = classes.groupOf(move);
    for (let k = classes.from[group]!; k < classes.from[group + 1]!; k++) {
      if (k !== cls && scores[k]! > second) second = scores[k]!;
    }
    margins[0] = second === Number.NEGATIVE_INFINITY ? NO_CHOICE : Math.max(0, scores[cls]! - second);
    const dependent = decider.system.dependent(c, move);
    if (dependent > 0) margins[dependent] = margins[0];
  }
}
