import { Classes } from "../scoring/classes.js";
import type { TransitionSystem } from "../systems/system.js";

/**
 * The feature whose weight for `trust` is what a distance of 1 between scores of the tagger counts for when a parser
 * chooses a tag.
 */
export const TRUST_FEATURE = 0x7f4a7c15;

/**
 * The classes of a parser that chooses tags: a word gets its tag when it leaves the buffer. SHIFT with a tag is SHIFT
 * and the tag, each a class: whether to shift is learned once and not for each tag. The tags are classes of no group,
 * behind all others, and behind them is the trust in the tagger.
 */
export class JointClasses extends Classes {
  /** The class of the first tag. */
  readonly firstTag = this.labels.length;
  /** The class that has the weight of the tagger's scores. */
  readonly trust: number;

  /** `tags`: how many tags, with their parts, are told apart. */
  constructor(
    system: TransitionSystem,
    labelCount: number,
    leftLabels: readonly number[],
    rightLabels: readonly number[],
    tags: number,
  ) {
    super(system, labelCount, leftLabels, rightLabels);
    this.trust = this.firstTag + tags;
  }

  override get size(): number {
    return this.trust + 1;
  }
}
