import type { Words } from "../../features/columns.js";
import { Configuration, NONE } from "../../systems/configuration.js";
import type { ArcDoubts } from "../confidence/arc-doubts.js";
import type { DerivationStep } from "./beam-history.js";
import { BeamParser } from "./beam-parser.js";

/** The derivation of a tree, and its score. */
export interface Derivation {
  readonly score: number;
  readonly steps: DerivationStep[];
}

/**
 * A parser with a search of its own, which finds the best tree and no others. Sentences that it is not made for are
 * left to the beam.
 */
export abstract class OneTreeParser extends BeamParser {
  override readonly mostTrees = 1;
  private readonly tree = new Configuration();
  /** That of the last tree; undefined if the beam found it. */
  private best: Derivation | undefined;

  /** Find the best tree, and build it in `tree`; undefined if the sentence is left to the beam. */
  protected abstract find(words: Words, tree: Configuration, rootLabel: number): Derivation | undefined;

  override get score(): number {
    return this.best ? this.best.score : super.score;
  }

  override parse(words: Words, rootLabel = NONE, doubts?: ArcDoubts): Configuration {
    const { tree } = this;
    const best = this.find(words, tree, rootLabel);
    this.best = best;
    if (!best) return super.parse(words, rootLabel, doubts);
    if (doubts) {
      doubts.begin();
      for (const { move, cls } of best.steps) doubts.add(move, cls);
      doubts.weigh(tree);
    }
    return tree;
  }

  override steps(): DerivationStep[] {
    return this.best ? this.best.steps : super.steps();
  }

  override *parseAll(words: Words, rootLabel = NONE): Generator<{ c: Configuration; score: number }> {
    if (this.decider.constraints) return yield* super.parseAll(words, rootLabel);
    yield { c: this.parse(words, rootLabel), score: this.score };
  }
}
