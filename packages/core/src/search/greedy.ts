import type { Words } from "../features/columns.js";
import { Extractor } from "../features/extractor.js";
import { DISTANCE_UNIT, type TagChoices } from "../features/tag-choices.js";
import type { TemplateSet } from "../features/templates.js";
import type { Classes } from "../models/classes.js";
import { Configuration, NONE } from "../systems/configuration.js";
import type { TransitionSystem } from "../systems/system.js";
import { type Move, RIGHT_ARC, SHIFT } from "../systems/transition.js";
import { noteMargin, noteUnattached } from "./margin.js";

/** Whatever gives scores to classes for a configuration whose atoms were extracted. */
export interface ConfigurationScorer {
  /** Where the extractor is to put the values of the atoms, if the scorer has a place for them. */
  readonly values?: Int32Array;
  /** The scores of the classes, after `score`. */
  readonly scores: Int32Array;
  score(extractor: Extractor): void;
}

/** Scores the moves of a configuration, and finds the best class of each group. */
export class Decider {
  readonly extractor: Extractor;
  /** Scores of the classes; in LR-spines those of the move scored last. */
  readonly scores: Int32Array;
  /** The permitted moves, and the best class and its score for each. */
  readonly moves: Move[] = [];
  bestClass: Int32Array;
  count = 0;
  /** Joint tagging: the tags that the words may have. */
  choices: TagChoices | undefined;
  /** Joint tagging: what a score of typical size of the tagger counts for. */
  trust = 0;
  private words: Words | undefined;
  private bestScore: Int32Array;
  private readonly eager: boolean;

  constructor(
    readonly system: TransitionSystem,
    readonly classes: Classes,
    templates: TemplateSet,
    private readonly scorer: ConfigurationScorer,
  ) {
    this.extractor = new Extractor(templates, scorer.values);
    this.scores = scorer.scores;
    this.eager = system.name === "arc-eager";
    this.bestClass = new Int32Array(64);
    this.bestScore = new Int32Array(64);
  }

  bind(words: Words): void {
    words.choices?.reset();
    this.words = words;
    this.choices = this.classes.size > this.classes.firstTag ? words.choices : undefined;
    this.extractor.bind(words);
  }

  /** Score all permitted moves, and return the index in `moves` of the best. */
  decide(c: Configuration): number {
    const { system, classes, moves, scores } = this;
    const count = system.permitted(c, moves);
    // LR-spines has as many moves as its spines have nodes.
    if (count > this.bestClass.length) {
      this.bestClass = new Int32Array(2 * count);
      this.bestScore = new Int32Array(2 * count);
    }
    const { bestClass, bestScore } = this;
    this.count = count;
    if (!classes.perMove) {
      this.extractor.extract(c, 0);
      this.scorer.score(this.extractor);
    }
    let best = 0;
    for (let i = 0; i < count; i++) {
      if (classes.perMove) {
        this.extractor.extract(c, moves[i]!);
        this.scorer.score(this.extractor);
      }
      const group = classes.groupOf(moves[i]!);
      const last = classes.from[group + 1]!;
      let top = classes.from[group]!;
      let score = scores[top]!;
      for (let k = top + 1; k < last; k++) {
        if (scores[k]! > score) {
          score = scores[k]!;
          top = k;
        }
      }
      bestClass[i] = top;
      bestScore[i] = score;
      if (score > bestScore[best]! && i > 0) best = i;
    }
    return best;
  }

  /** The scores of the classes for one move again (LR-spines, where every move has its own features). */
  rescore(c: Configuration, index: number): Int32Array {
    this.extractor.extract(c, this.moves[index]!);
    this.scorer.score(this.extractor);
    return this.scores;
  }

  /**
   * Joint tagging: the word that a permitted move takes from the buffer, if it has yet to get its tag; NONE if there is nothing to choose.
   * The scores of its tags are then those of this move.
   */
  untagged(c: Configuration, index: number): number {
    const { choices } = this;
    const move = this.moves[index]!;
    if (!choices || (move !== SHIFT && !(this.eager && move === RIGHT_ARC))) return NONE;
    const word = c.b(0);
    if (word <= 0 || !choices.isOpen(word)) return NONE;
    if (this.classes.perMove) this.rescore(c, index);
    return word;
  }

  /** The best candidate of a word for which `untagged` asked, other than `except`. */
  bestTag(word: number, except = NONE): number {
    const { from } = this.choices!;
    let best = NONE;
    for (let k = from[word]!; k < from[word + 1]!; k++) {
      if (k !== except && (best === NONE || this.tagScore(k) > this.tagScore(best))) best = k;
    }
    return best;
  }

  /** The score of a candidate: how the tagger sees it, and what the configuration says for its tag. */
  tagScore(candidate: number): number {
    const { tags, distances } = this.choices!;
    const distance = DISTANCE_UNIT * distances[candidate]!;
    return this.scores[this.classes.firstTag + tags[candidate]!]! - Math.round(this.trust * distance);
  }

  /** Give a word the tag of a candidate. */
  giveTag(word: number, candidate: number): void {
    if (this.choices!.choose(word, candidate)) this.extractor.columns.retag(this.words!, word);
  }

  /** The score of the best class of a permitted move. */
  scoreOf(index: number): number {
    return this.bestScore[index]!;
  }
}

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
