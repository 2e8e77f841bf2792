import type { Columns, Words } from "../features/columns.js";
import type { TemplateSet } from "../features/templates.js";
import { logSum } from "../search/beam/log-sum.js";
import { type Derivation, OneTreeParser } from "../search/beam/one-tree-parser.js";
import type { Decider } from "../search/decider.js";
import type { Configuration } from "../systems/configuration.js";
import { SHIFT } from "../systems/transition.js";
import { StackSearch } from "./stack-search.js";
import { derivationOf } from "./stack-state.js";

/**
 * The beam parser with a graph-structured stack, which knows the best tree only. Constraints may look at what features
 * do not see: with them it is the beam parser without merging.
 */
export class StackParser extends OneTreeParser {
  readonly stacks: StackSearch;

  constructor(decider: Decider, width: number, templates: TemplateSet, columns: Columns) {
    super(decider, width);
    this.stacks = new StackSearch(decider, width, templates, columns);
  }

  protected override find(words: Words, tree: Configuration, rootLabel: number): Derivation | undefined {
    const { stacks, decider } = this;
    const { system, classes, scorer, scores } = decider;
    if (decider.constraints) return undefined;
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
    return { score, steps };
  }
}
