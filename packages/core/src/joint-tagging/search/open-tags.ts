import { exp, log } from "../../math/exp.js";
import type { Candidates } from "../../search/beam/beam-candidates.js";
import { Hypothesis } from "../../search/beam/hypothesis.js";
import { NONE } from "../../systems/configuration.js";
import type { Move } from "../../systems/transition.js";
import type { JointDecider } from "./joint-decider.js";

/** A stretch is this many open words, as a power of two. */
const STRETCH_BITS = 5;
/** The stamp of a stretch of which it is not known what the scorer sees. */
const UNKNOWN = -1;

/** A hypothesis with the tags that it has chosen. */
export class JointHypothesis extends Hypothesis {
  /** A number for its moves and their classes, the same whatever tags it has chosen. */
  derivation = 0;
  /** For each open word the candidate that was chosen, NONE before that. */
  tags = new Int32Array(0);
  /** Tells stretches of tags apart (see OpenTags). */
  tagStamps = new Float64Array(0);
}

/**
 * Joint tagging in a beam: the tags that each hypothesis has chosen. Few words are open, and only these are kept; what
 * the scorer sees is changed, where it differs, when another hypothesis is looked at.
 *
 * Every change gives the stretch of words where it is a new stamp, so that stretches with the same stamp are the same:
 * long sentences are not gone through for every hypothesis at every step.
 */
export class OpenTags {
  /** The open words of the sentence, and the place of each among them. */
  private words: number[] = [];
  private places = new Int32Array(64);
  private count = 0;
  private lastStamp = 0;
  /** The stamps of what the scorer sees. */
  private shown = new Float64Array(0);

  constructor(private readonly decider: JointDecider) {}

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
    if (this.shown.length < this.stretches) this.shown = new Float64Array(2 * this.stretches);
    this.shown.fill(UNKNOWN);
  }

  begin(hypothesis: JointHypothesis): void {
    if (this.count === 0) return;
    this.makeRoom(hypothesis);
    hypothesis.tags.fill(NONE, 0, this.count);
    hypothesis.tagStamps.fill(++this.lastStamp);
  }

  copy(from: JointHypothesis, to: JointHypothesis): void {
    if (this.count === 0) return;
    this.makeRoom(to);
    for (let stretch = 0; stretch < this.stretches; stretch++) {
      if (to.tagStamps[stretch] === from.tagStamps[stretch]) continue;
      to.tagStamps[stretch] = from.tagStamps[stretch]!;
      const end = this.endOf(stretch);
      for (let i = stretch << STRETCH_BITS; i < end; i++) to.tags[i] = from.tags[i]!;
    }
  }

  set(hypothesis: JointHypothesis, word: number, tag: number): void {
    const place = this.places[word]!;
    hypothesis.tags[place] = tag;
    hypothesis.tagStamps[place >> STRETCH_BITS] = ++this.lastStamp;
  }

  /** Write the words whose tags differ into `out`, behind `count` others; returns how many there are then. */
  differences(one: JointHypothesis, other: JointHypothesis, out: number[], count: number): number {
    let size = count;
    for (let stretch = 0; stretch < this.stretches; stretch++) {
      if (one.tagStamps[stretch] === other.tagStamps[stretch]) continue;
      const end = this.endOf(stretch);
      for (let i = stretch << STRETCH_BITS; i < end; i++) {
        if (one.tags[i] !== other.tags[i]) out[size++] = this.words[i]!;
      }
    }
    return size;
  }

  private get stretches(): number {
    return (this.count + (1 << STRETCH_BITS) - 1) >> STRETCH_BITS;
  }

  private endOf(stretch: number): number {
    return Math.min(this.count, (stretch + 1) << STRETCH_BITS);
  }

  /** The candidate that a hypothesis has chosen for a word, NONE if it is open or was never. */
  of(hypothesis: JointHypothesis, word: number): number {
    return this.count > 0 && this.words[this.places[word]!] === word ? hypothesis.tags[this.places[word]!]! : NONE;
  }

  get any(): boolean {
    return this.count > 0;
  }

  /** Let the scorer see the tags of a hypothesis. */
  load({ tags, tagStamps }: JointHypothesis): void {
    const { decider, words, shown } = this;
    for (let stretch = 0; stretch < this.stretches; stretch++) {
      if (shown[stretch] === tagStamps[stretch]) continue;
      shown[stretch] = tagStamps[stretch]!;
      const end = this.endOf(stretch);
      for (let i = stretch << STRETCH_BITS; i < end; i++) decider.exchangeTag(words[i]!, tags[i]!);
    }
  }

  /** Let all words be open; from then on others may give them tags. */
  unload(): void {
    this.shown.fill(UNKNOWN);
    for (let i = 0; i < this.count; i++) this.decider.exchangeTag(this.words[i]!, NONE);
  }

  /**
   * Offer a move with each of the tags of the word that it takes from the buffer. Where scores are logarithms, a tag
   * adds that of its probability among them. Elsewhere the best tag adds nothing, the others what they are below it.
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
    const { logUnit } = decider.scorer;
    const best = decider.tagScore(decider.bestTag(word));
    let all = best;
    if (logUnit) {
      let sum = 0;
      for (let tag = from[word]!; tag < from[word + 1]!; tag++) sum += exp((decider.tagScore(tag) - best) / logUnit);
      all += Math.round(logUnit * log(sum));
    }
    for (let cls = firstClass; cls < lastClass; cls++) {
      for (let tag = from[word]!; tag < from[word + 1]!; tag++) {
        const sum = score + decider.scores[cls]! + (decider.tagScore(tag) - all);
        if (sum > candidates.threshold) candidates.add(sum, parent, move, cls, tag, 0);
      }
    }
  }

  private makeRoom(hypothesis: JointHypothesis): void {
    if (hypothesis.tags.length >= this.count) return;
    hypothesis.tags = new Int32Array(2 * this.count);
    hypothesis.tagStamps = new Float64Array(2 * this.stretches);
  }
}
