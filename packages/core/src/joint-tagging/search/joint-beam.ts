import { scramble } from "../../math/hash.js";
import { IDLE } from "../../search/beam/beam-candidates.js";
import { BeamParser } from "../../search/beam/beam-parser.js";
import { BeamSearch } from "../../search/beam/beam-search.js";
import { type Configuration, NONE } from "../../systems/configuration.js";
import type { Move } from "../../systems/transition.js";
import type { JointWords } from "../joint-words.js";
import type { JointDecider } from "./joint-decider.js";
import type { JointDoubts } from "./joint-doubts.js";
import type { JointMerger } from "./joint-merger.js";
import { JointHypothesis, OpenTags } from "./open-tags.js";

/** A beam parser that chooses tags. `merger`: merges hypotheses, if given, with the same `tags`. */
export function createBeam(
  decider: JointDecider,
  width: number,
  tags = new OpenTags(decider),
  merger?: JointMerger,
  variants = 0,
): JointBeamParser {
  return new JointBeamParser(decider, width, undefined, new JointBeamSearch(decider, width, tags, merger, variants));
}

/**
 * Beam search over derivations and the tags of words.
 *
 * `variants` are places besides those of the beam for hypotheses that differ from one in it only in the tags that they
 * have chosen (Bohnet & Nivre 2012). Without them, tags that cannot be told apart yet would fill the beam with the same
 * tree; with them as many trees are kept as without joint tagging, and some doubt about tags.
 */
class JointBeamSearch extends BeamSearch {
  declare readonly decider: JointDecider;
  declare live: JointHypothesis[];
  /** The candidate that was chosen in each step of the history, NONE if there was nothing to choose. */
  chosen = new Int32Array(1024);
  /** The derivations in the beam, if variants of them have places of their own. */
  private readonly derivations = new Set<number>();
  /** How many variants can still be taken in. */
  private left = 0;

  constructor(
    decider: JointDecider,
    width: number,
    private readonly tags: OpenTags,
    merger: JointMerger | undefined,
    private readonly variants: number,
  ) {
    super(decider, width, merger, variants);
  }

  override begin(words: JointWords): void {
    super.begin(words);
    this.tags.bind(words.length);
    this.tags.begin(this.live[0]!);
    this.live[0]!.derivation = 0;
  }

  protected override create(): JointHypothesis {
    return new JointHypothesis();
  }

  protected override copyOf(hypothesis: JointHypothesis): JointHypothesis {
    const copy = super.copyOf(hypothesis) as JointHypothesis;
    copy.derivation = hypothesis.derivation;
    this.tags.copy(hypothesis, copy);
    return copy;
  }

  protected override expand(hypothesis: JointHypothesis, h: number): void {
    this.tags.load(hypothesis);
    super.expand(hypothesis, h);
  }

  protected override offer(
    hypothesis: JointHypothesis,
    h: number,
    m: number,
    first: number,
    last: number,
    base: number,
  ): void {
    const { decider, tags, candidates } = this;
    const word = tags.any ? decider.untagged(hypothesis.c, m) : NONE;
    if (word > 0) tags.offer(candidates, word, h, base, decider.moves[m]!, first, last);
    else super.offer(hypothesis, h, m, first, last, base);
  }

  protected override select(): void {
    this.left = this.tags.any ? this.variants : 0;
    this.derivations.clear();
    this.places = this.width + this.left;
    super.select();
  }

  protected override admits(parent: JointHypothesis, move: Move, cls: number): boolean {
    if (this.places === this.width) return true;
    const derivation = derivationOf(parent, move, cls);
    return this.derivations.has(derivation) ? this.left > 0 : this.derivations.size < this.width;
  }

  protected override apply(hypothesis: JointHypothesis, move: Move, cls: number, tag: number): void {
    if (this.places > this.width) hypothesis.derivation = derivationOf(hypothesis, move, cls);
    if (tag !== NONE) this.tags.set(hypothesis, hypothesis.c.b(0), tag);
    super.apply(hypothesis, move, cls, tag);
    if (hypothesis.step >= this.chosen.length) {
      const longer = new Int32Array(2 * hypothesis.step);
      longer.set(this.chosen);
      this.chosen = longer;
    }
    this.chosen[hypothesis.step] = tag;
  }

  protected override admitted({ derivation }: JointHypothesis): void {
    if (this.places === this.width) return;
    if (this.derivations.has(derivation)) this.left--;
    else this.derivations.add(derivation);
  }

  /** Let the words have the tags of a hypothesis, … */
  showTags(hypothesis: JointHypothesis): void {
    this.tags.load(hypothesis);
  }

  /** … or none yet. */
  forgetTags(): void {
    this.tags.unload();
  }
}

/** A number for a derivation and one more step. */
function derivationOf({ derivation }: JointHypothesis, move: Move, cls: number): number {
  return move === IDLE ? derivation : scramble(scramble(derivation ^ move) + cls);
}

/** The beam parser with a search that chooses tags, which the words have afterwards. */
class JointBeamParser extends BeamParser {
  declare readonly search: JointBeamSearch;

  override parse(words: JointWords, rootLabel = NONE, doubts?: JointDoubts): Configuration {
    const c = super.parse(words, rootLabel, doubts);
    this.search.showTags(this.search.live[0]!);
    return c;
  }

  protected override weigh(doubts: JointDoubts, steps: readonly number[], c: Configuration): void {
    const { history, chosen } = this.search;
    doubts.begin();
    for (const step of steps) doubts.add(history.moves[step]!, history.classes[step]!, chosen[step]!);
    this.search.forgetTags();
    doubts.weigh(c);
  }

  protected override replay(words: JointWords, steps: readonly number[]): void {
    this.search.forgetTags();
    super.replay(words, steps);
  }

  protected override take(step: number): void {
    const tag = this.search.chosen[step]!;
    if (tag !== NONE) this.search.decider.giveTag(this.c.b(0), tag);
    super.take(step);
  }
}
