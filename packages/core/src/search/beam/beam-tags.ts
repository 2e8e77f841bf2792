import { NONE } from "../../systems/configuration.js";
import type { Move } from "../../systems/transition.js";
import type { Decider } from "../decider.js";
import type { Candidates } from "./beam-candidates.js";
import type { Hypothesis } from "./hypothesis.js";

/**
 * Joint tagging in a beam: the tags that each hypothesis has chosen. Few words are open, and only these are kept; what
 * the scorer sees is changed, where it differs, when another hypothesis is looked at.
 */
export class OpenTags {
  /** The open words of the sentence, and the place of each among them. */
  private words: number[] = [];
  private places = new Int32Array(64);
  private count = 0;

  constructor(private readonly decider: Decider) {}

  /** After the decider was bound to a sentence. */
  bind(length: number): void {
    const { choices } = this.decider;
    this.count = 0;
    if (!choices) return;
    if (this.places.length <= length) this.places = new Int32Array(2 * length);
    for (let i = 1; i <= length; i++) {
      if (!choices.isOpen(i)) continue;
      this.places[i] = this.count;
      this.words[this.count++] = i;
    }
  }

  begin(hypothesis: Hypothesis): void {
    if (this.count === 0) return;
    this.makeRoom(hypothesis);
    hypothesis.tags.fill(NONE, 0, this.count);
  }

  copy(from: Hypothesis, to: Hypothesis): void {
    if (this.count === 0) return;
    this.makeRoom(to);
    for (let i = 0; i < this.count; i++) to.tags[i] = from.tags[i]!;
  }

  set(hypothesis: Hypothesis, word: number, tag: number): void {
    hypothesis.tags[this.places[word]!] = tag;
  }

  /** The candidate that a hypothesis has chosen for a word, NONE if it is open or was never. */
  of(hypothesis: Hypothesis, word: number): number {
    return this.count > 0 && this.words[this.places[word]!] === word ? hypothesis.tags[this.places[word]!]! : NONE;
  }

  get any(): boolean {
    return this.count > 0;
  }

  /** Let the scorer see the tags of a hypothesis. */
  load(hypothesis: Hypothesis): void {
    for (let i = 0; i < this.count; i++) this.decider.exchangeTag(this.words[i]!, hypothesis.tags[i]!);
  }

  /** Let all words be open. */
  unload(): void {
    for (let i = 0; i < this.count; i++) this.decider.exchangeTag(this.words[i]!, NONE);
  }

  /**
   * Offer a move with each of the tags of the word that it takes from the buffer. The best tag adds nothing, the others
   * what they are below it.
   */
  offer(
    candidates: Candidates,
    word: number,
    parent: number,
    score: number,
    move: Move,
    firstClass: number,
    lastClass: number,
  ): void {
    const { decider } = this;
    const { from } = decider.choices!;
    const best = decider.tagScore(decider.bestTag(word));
    for (let cls = firstClass; cls < lastClass; cls++) {
      for (let tag = from[word]!; tag < from[word + 1]!; tag++) {
        const sum = score + decider.scores[cls]! + (decider.tagScore(tag) - best);
        if (sum > candidates.threshold) candidates.add(sum, parent, move, cls, tag, 0);
      }
    }
  }

  private makeRoom(hypothesis: Hypothesis): void {
    if (hypothesis.tags.length < this.count) hypothesis.tags = new Int32Array(2 * this.count);
  }
}
