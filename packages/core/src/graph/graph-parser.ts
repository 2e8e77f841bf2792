// Parsing with a graph-based model: the arcs of a sentence get their scores, the best tree is found among all trees,
// and its arcs then get their labels, one by one.
import { checkAbility, type Limits } from "../checks/abilities.js";
import { check, checkOptions, wholeNumber } from "../checks/options.js";
import { PARSER_OPTIONS, type ParserOptions } from "../parser/tree-parser.js";
import type { Confidence } from "../search/confidence/confidence.js";
import type { TreeConstraints } from "../search/constraints/tree-constraints.js";
import { arcHybrid } from "../systems/arc-hybrid.js";
import { NONE } from "../systems/configuration.js";
import { covington } from "../systems/covington/covington.js";
import { ArcParser } from "./arc-parser.js";
import type { GraphHeader } from "./graph-header.js";
import type { GraphScorer } from "./scoring/graph-scorer.js";
import type { RankedTree } from "./search/best-trees.js";
import { GraphDecoder } from "./search/graph-decoder.js";

/** Of longer sentences only the best tree is found: others would take a deep stack, or with edmonds minutes each. */
const MOST_WORDS_FOR_SEVERAL = { eisner: 500, edmonds: 150 } as const;
/** No two scores of siblings are further apart. */
const SIBLING_RANGE = 2 ** 17;

/** The part of a transition system that decides which heads can be kept together: the trees that it builds. */
const SAME_TREES = { eisner: arcHybrid, edmonds: covington } as const;

const ALL_TREES = "it is graph-based and looks at all trees at once (use a model with a transition system)";

/** The limits of all graph-based parsers. */
export const GRAPH_LIMITS: Limits = { beam: ALL_TREES, steps: ALL_TREES };

/** Parses sentences one by one with a graph-based model. */
export class GraphParser extends ArcParser<GraphHeader> {
  readonly beam = 1;
  private readonly decoder: GraphDecoder;

  constructor(header: GraphHeader, scorer: GraphScorer, confidence: Confidence, options: ParserOptions = {}) {
    super(header, scorer, confidence);
    checkOptions("the parser", options, PARSER_OPTIONS);
    const { beam = 1 } = options;
    if (beam > 1) checkAbility(GRAPH_LIMITS, "beam");
    const { decoder, singleRoot = true } = header;
    this.decoder = new GraphDecoder(decoder, singleRoot);
  }

  protected search(n: number, bound: TreeConstraints | undefined): Int32Array {
    if (bound) this.forbid(bound.wanted, n);
    return this.decoder.decode(n, this.scores, this.scorer.siblings);
  }

  /** Every arc to a word with a known head, but the one from there, costs more than all others can bring. */
  private forbid(wanted: ArrayLike<number>, n: number): void {
    const { scores } = this;
    const w = n + 1;
    const penalty = this.penalty(n);
    for (let d = 1; d <= n; d++) {
      if (wanted[d]! === NONE) continue;
      for (let h = 0; h <= n; h++) if (h !== d && h !== wanted[d]) scores[h * w + d]! -= penalty;
    }
  }

  /** More than the scores of any two trees are apart. */
  private penalty(n: number): number {
    const { scores, scorer } = this;
    const w = n + 1;
    let penalty = 1 + (scorer.siblings ? SIBLING_RANGE * w : 0);
    for (let d = 1; d <= n; d++) {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let h = 0; h <= n; h++) {
        if (h === d) continue;
        least = Math.min(least, scores[h * w + d]!);
        most = Math.max(most, scores[h * w + d]!);
      }
      penalty += most - least;
    }
    return penalty;
  }

  protected *ranked(n: number, bound: TreeConstraints | undefined): Iterable<RankedTree> {
    const { decoder, scorer, header } = this;
    if (bound) this.forbid(bound.wanted, n);
    for (const tree of decoder.trees(n, this.scores, this.penalty(n), scorer.siblings)) {
      // The first tree without a head that is given is followed by no other that has it.
      if (bound && !keeps(tree.heads, bound.wanted)) return;
      yield tree;
      if (n > MOST_WORDS_FOR_SEVERAL[header.decoder]) return;
    }
  }

  checkCount(count: number): void {
    check("number of trees", count, wholeNumber(1));
  }

  protected sameTrees() {
    const { decoder, singleRoot = true } = this.header;
    return { system: SAME_TREES[decoder].create({ root: "last", singleRoot }), name: decoder };
  }
}

function keeps(heads: Int32Array, wanted: ArrayLike<number>): boolean {
  for (let d = 1; d < heads.length; d++) if (wanted[d] !== NONE && wanted[d] !== heads[d]) return false;
  return true;
}
