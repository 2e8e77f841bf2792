import type { Words } from "../features/columns.js";
import { type Derivation, OneTreeParser } from "../search/beam/one-tree-parser.js";
import type { Decider } from "../search/decider.js";
import type { Configuration } from "../systems/configuration.js";
import { ExactSearch } from "./exact-search.js";

/** Of longer sentences the beam finds the tree: time grows with the third power of the length. */
const MOST_WORDS = 250;

/** Finds the best tree of all, not only of those in a beam; with known heads, or very many words, it has the beam. */
export class ExactParser extends OneTreeParser {
  private readonly exact: ExactSearch;

  constructor(decider: Decider, width: number) {
    super(decider, width);
    this.exact = new ExactSearch(decider);
  }

  protected override find(words: Words, tree: Configuration): Derivation | undefined {
    const { exact } = this;
    const { system, classes, constraints } = this.decider;
    if (constraints || words.length > MOST_WORDS) return undefined;
    exact.bind(words);
    exact.score();
    const score = exact.find();
    const steps = exact.steps();
    system.initialize(tree, words.length);
    for (const { move, cls } of steps) system.take(tree, move, classes.labels[cls]!);
    return { score, steps };
  }
}
