import type { Words } from "../../features/columns.js";
import type { Example } from "../../learning/examples.js";
import type { ViolationFinder } from "../../learning/linear/beam-violation.js";
import type { DerivationStep } from "../../search/beam/beam-history.js";
import type { ExactSearch } from "../exact-search.js";

/**
 * The structured perceptron compares, where search is exact, the best derivation of all, wrong arcs favoured by the
 * margin, and the best that builds the gold tree. Both are whole, since nothing falls out of a beam. A tree that
 * the system cannot build teaches nothing.
 */
export class ExactViolation implements ViolationFinder {
  right: readonly DerivationStep[] = [];
  wrong: readonly DerivationStep[] = [];
  /** The sentence to learn from. */
  example!: Example;

  constructor(
    private readonly search: ExactSearch,
    private readonly margin: number,
  ) {}

  begin(words: Words): void {
    this.search.bind(words);
  }

  find(): boolean {
    const { search, margin } = this;
    const { heads, labels } = this.example;
    search.score();
    const gold = search.find({ heads, labels, margin: Number.NEGATIVE_INFINITY });
    if (gold === Number.NEGATIVE_INFINITY) return false;
    this.right = search.steps();
    if (search.find({ heads, labels, margin }) <= gold) return false;
    this.wrong = search.steps();
    return true;
  }
}
