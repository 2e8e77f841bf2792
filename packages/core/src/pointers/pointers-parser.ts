// Parsing from left to right with pointers (Fernández-González & Gómez-Rodríguez 2019): a sentence of n words takes n
// steps, in step d word d points at its head, any other word or 0, so that arcs may cross. With A the arcs so far:
//
//   ATTACH-h   (d, A) ⇒ (d + 1, A ∪ {h → d})    if A has no path d →* h, and none of its arcs is 0 → e if h = 0
//
// The second condition is left out if the training data have trees with several roots. Some h always is permitted, and
// what n steps have built is a tree with one root (`Attachments.permits`); each tree has exactly one derivation. The
// steps with the highest sum of scores are searched for, greedily or with a beam, and then each arc gets its label.
//
// Of the paper are the steps, biaffine scores of a word and its head over the recurrent layers, learning by the
// probability of the right head among all, and the beam. Simpler: in the paper the word is seen by another recurrent
// layer, from left to right over the sums of three vectors (of the word and those beside it), which does not know what
// was attached; here directly by the recurrent layers, which read in both directions. Not in the paper: linear models,
// which see beside an arc the last dependent that the head has on that side, so that later decisions depend on earlier
// ones; the condition of one root; heads that are known beforehand.
import type { Limits } from "../checks/abilities.js";
import { check, checkOptions, wholeNumber } from "../checks/options.js";
import { ArcParser } from "../graph/arc-parser.js";
import type { GraphScorer } from "../graph/scoring/graph-scorer.js";
import type { RankedTree } from "../graph/search/best-trees.js";
import { PARSER_OPTIONS, type ParserOptions } from "../parser/tree-parser.js";
import type { Confidence } from "../search/confidence/confidence.js";
import type { TreeConstraints } from "../search/constraints/tree-constraints.js";
import { covington } from "../systems/covington/covington.js";
import { POINTERS, type PointersHeader } from "./pointers-header.js";
import { PointerSearch } from "./search/pointer-search.js";

/** The limits of all parsers with pointers. */
export const POINTERS_LIMITS: Limits = {
  steps: "each word points at its head, from left to right, without a stack (use a model with a transition system)",
};

/** Parses sentences one by one with pointers. */
export class PointersParser extends ArcParser<PointersHeader> {
  readonly beam: number;
  private readonly pointers: PointerSearch;

  constructor(header: PointersHeader, scorer: GraphScorer, confidence: Confidence, options: ParserOptions = {}) {
    super(header, scorer, confidence);
    checkOptions("the parser", options, PARSER_OPTIONS);
    const { beam = 1, merge } = options;
    if (typeof merge === "object")
      throw new RangeError(`invalid merge of the parser: ${merge.name}: it has no transitions (leave it out)`);
    this.beam = beam;
    this.pointers = new PointerSearch(this.beam, header.singleRoot ?? true);
  }

  protected search(n: number, bound: TreeConstraints | undefined): Int32Array {
    return this.ranked(n, bound)[0]!.heads;
  }

  protected ranked(n: number, bound: TreeConstraints | undefined): RankedTree[] {
    return this.pointers.run(n, this.scores, this.scorer.siblings, bound?.wanted);
  }

  checkCount(count: number): void {
    check("number of trees", count, {
      ...wholeNumber(1, this.beam),
      expected: `a number from 1 to ${this.beam}, the width of the beam`,
    });
  }

  protected sameTrees() {
    const { singleRoot = true } = this.header;
    return { system: covington.create({ root: "last", singleRoot }), name: POINTERS };
  }
}
