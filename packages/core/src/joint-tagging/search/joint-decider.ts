import { type Columns, type WordAttribute, wordValue } from "../../features/columns.js";
import type { ConfigurationScorer } from "../../scoring/scorer.js";
import { Decider } from "../../search/decider.js";
import { type Configuration, NONE } from "../../systems/configuration.js";
import type { TransitionSystem } from "../../systems/system.js";
import type { JointClasses } from "../joint-classes.js";
import type { JointWords } from "../joint-words.js";
import { DISTANCE_UNIT, type TagChoices } from "../tag-choices.js";

/** Attributes that change with the tag of a word. */
const OF_TAGS: readonly WordAttribute[] = ["lemma", "upos", "xpos", "tag", "feats", "case", "analysis"];

/** Scores the tags of words besides the moves. */
export class JointDecider extends Decider {
  declare readonly classes: JointClasses;
  /** The tags that the words may have. */
  choices: TagChoices | undefined;
  private words: JointWords | undefined;

  constructor(
    system: TransitionSystem,
    classes: JointClasses,
    scorer: ConfigurationScorer,
    /** The scorer's view of the words. */
    private readonly columns: Columns,
    /**
     * The weight of a tagger's score of typical size; if not given, the score of a class of its own says so.
     */
    private readonly trust: number | undefined,
  ) {
    super(system, classes, scorer);
  }

  override bind(words: JointWords): void {
    words.choices?.reset();
    super.bind(words);
    this.follow(words);
  }

  /** Decide about words that the scorer has taken in already. */
  follow(words: JointWords): void {
    this.words = words;
    this.choices = words.choices;
  }

  /**
   * The word that a permitted move takes from the buffer, if it has yet to get its tag; NONE if there is nothing to
   * choose. The scores of its tags are then those of this move.
   */
  untagged(c: Configuration, index: number): number {
    const { choices } = this;
    const move = this.moves[index]!;
    if (!choices || !this.system.takesFront(move)) return NONE;
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

  /** The score of a candidate: how the tagger sees it, and what the configuration says for its tag and its parts. */
  tagScore(candidate: number): number {
    const { scores, choices } = this;
    const { firstTag, trust } = this.classes;
    const { tags, parts, partsFrom } = choices!;
    const distance = DISTANCE_UNIT * choices!.distances[candidate]!;
    let score = scores[firstTag + tags[candidate]!]! - Math.round((this.trust ?? scores[trust]!) * distance);
    const end = partsFrom[candidate + 1]!;
    for (let p = partsFrom[candidate]!; p < end; p++) score += scores[firstTag + parts[p]!]!;
    return score;
  }

  /** Give a word the tag of a candidate. */
  giveTag(word: number, candidate: number): void {
    if (this.choices!.choose(word, candidate)) this.readAgain(word);
  }

  /** Go over to the tag that another hypothesis has given a word, NONE if it is still open. */
  exchangeTag(word: number, candidate: number): void {
    if (this.choices!.exchange(word, candidate)) this.readAgain(word);
  }

  /**
   * Let the scorer see another tag of a word. The vectors of a network stay as they are, made from the tags that the
   * words had when they were bound.
   */
  private readAgain(word: number): void {
    const { attributes, columns } = this.columns;
    for (let a = 0; a < attributes.length; a++) {
      if (OF_TAGS.includes(attributes[a]!)) columns[a]![word] = wordValue(attributes[a]!, this.words!, word);
    }
  }
}
