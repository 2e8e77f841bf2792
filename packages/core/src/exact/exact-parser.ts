import type { Words } from "../features/columns.js";
import type { DerivationStep } from "../search/beam/beam-history.js";
import { BeamParser } from "../search/beam/beam-parser.js";
import type { ArcDoubts } from "../search/confidence/arc-doubts.js";
import type { Decider } from "../search/decider.js";
import { Configuration, NONE } from "../systems/configuration.js";
import { ExactSearch } from "./exact-search.js";

/** Of longer sentences the beam finds the tree: time grows with the third power of the length. */
const MOST_WORDS = 250;

/** Finds the best tree of all, not only of those in a beam; with known heads, or very many words, it has the beam. */
export class ExactParser extends BeamParser {
  override readonly mostTrees = 1;
  private readonly exact: ExactSearch;
  private readonly tree = new Configuration();
  /** The score of the last tree and its derivation; undefined if it is that of the beam. */
  private best: { readonly score: number; readonly steps: DerivationStep[] } | undefined;

  constructor(decider: Decider, width: number) {
    super(decider, width);
    this.exact = new ExactSearch(decider);
  }

  override get score(): number {
    return this.best ? this.best.score : super.score;
  }

  override parse(words: Words, rootLabel = NONE, doubts?: ArcDoubts): Configuration {
    const { exact, tree } = this;
    const { system, classes, constraints } = exact.decider;
    this.best = undefined;
    if (constraints || words.length > MOST_WORDS) return super.parse(words, rootLabel, doubts);
    exact.bind(words);
    exact.score();
    const score = exact.find();
    const steps = exact.steps();
    system.initialize(tree, words.length);
    for (const { move, cls } of steps) system.take(tree, move, classes.labels[cls]!);
    this.best = { score, steps };
    if (doubts) {
      doubts.begin();
      for (const { move, cls } of steps) doubts.add(move, cls);
      doubts.weigh(tree);
    }
    return tree;
  }

  override steps(): DerivationStep[] {
    return this.best ? this.best.steps : super.steps();
  }

  override *parseAll(words: Words, rootLabel = NONE): Generator<{ c: Configuration; score: number }> {
    if (this.exact.decider.constraints) return yield* super.parseAll(words, rootLabel);
    yield { c: this.parse(words, rootLabel), score: this.score };
  }
}
