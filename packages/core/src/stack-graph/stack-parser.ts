import type { Columns, Words } from "../features/columns.js";
import type { TemplateSet } from "../features/templates.js";
import type { DerivationStep } from "../search/beam/beam-history.js";
import { BeamParser } from "../search/beam/beam-parser.js";
import { logSum } from "../search/beam/log-sum.js";
import type { ArcDoubts } from "../search/confidence/arc-doubts.js";
import type { Decider } from "../search/decider.js";
import { Configuration, NONE } from "../systems/configuration.js";
import { SHIFT } from "../systems/transition.js";
import { StackSearch } from "./stack-search.js";
import { derivationOf } from "./stack-state.js";

/**
 * The beam parser with a graph-structured stack, which knows the best tree only. Constraints may look at what features
 * do not see: with them it is the beam parser without merging.
 */
export class StackParser extends BeamParser {
  override readonly mostTrees = 1;
  readonly stacks: StackSearch;
  private readonly tree = new Configuration();
  /** The score of the last tree and its derivation; undefined if there were constraints. */
  private best: { readonly score: number; readonly steps: DerivationStep[] } | undefined;

  constructor(decider: Decider, width: number, templates: TemplateSet, columns: Columns) {
    super(decider, width);
    this.stacks = new StackSearch(decider, width, templates, columns);
  }

  override get score(): number {
    return this.best ? this.best.score : super.score;
  }

  override parse(words: Words, rootLabel = NONE, doubts?: ArcDoubts): Configuration {
    const { stacks, tree } = this;
    const { decider } = stacks;
    const { system, classes, scorer, scores } = decider;
    this.best = undefined;
    if (decider.constraints) return super.parse(words, rootLabel, doubts);
    stacks.begin(words);
    while (stacks.step());
    const shift = { move: SHIFT, cls: classes.from[classes.groupOf(SHIFT)]! };
    const steps = derivationOf(stacks.live[0]!, shift);
    // Scored again: what templates saw may have been that of a better derivation of the same states.
    let score = 0;
    system.initialize(tree, words.length);
    for (const { move, cls } of steps) {
      decider.permitted(tree);
      scorer.score(tree, 0);
      score += scores[cls]! - (scorer.logUnit ? logSum(decider, tree, scorer.logUnit) : 0);
      system.take(tree, move, classes.labels[cls]!);
    }
    system.finish(tree, rootLabel);
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
    if (this.stacks.decider.constraints) return yield* super.parseAll(words, rootLabel);
    yield { c: this.parse(words, rootLabel), score: this.score };
  }
}
