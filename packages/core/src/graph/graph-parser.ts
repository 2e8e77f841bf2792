// Parsing with a graph-based model: the arcs of a sentence get their scores, the best tree is found among all trees,
// and its arcs then get their labels, one by one.
import { checkAbility, type Limits } from "../checks/abilities.js";
import { check, checkOptions, FUNCTION, wholeNumber } from "../checks/options.js";
import { NUMBERS } from "../checks/shapes.js";
import type { Words } from "../features/columns.js";
import type { ArcScores } from "../math/edmonds.js";
import {
  checkTask,
  type DoubtingParser,
  PARSER_OPTIONS,
  type ParserOptions,
  type ScoredTree,
  type TreeOptions,
  type TreeParser,
} from "../parser/tree-parser.js";
import { arcProbability, type Confidence } from "../search/confidence/confidence.js";
import { PARTIAL_TREE, type PartialTree, TreeConstraints } from "../search/constraints/tree-constraints.js";
import { arcHybrid } from "../systems/arc-hybrid.js";
import { NONE } from "../systems/configuration.js";
import { covington } from "../systems/covington/covington.js";
import { deprojectivize } from "../treebank/pseudo-projective.js";
import type { ParsedTree } from "../treebank/sentence/parsed-tree.js";
import type { GraphHeader } from "./graph-header.js";
import type { GraphScorer } from "./scoring/graph-scorer.js";
import { GraphDecoder } from "./search/graph-decoder.js";

/** More words would take gigabytes: time grows with the third power of the length, memory with the second. */
const MOST_WORDS = 3000;
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
export class GraphParser implements TreeParser {
  readonly beam = 1;
  readonly mostWords = MOST_WORDS;
  private readonly decoder: GraphDecoder;
  private scores: ArcScores = new Float64Array(0);
  private constraints: TreeConstraints | undefined;

  constructor(
    readonly header: GraphHeader,
    private readonly scorer: GraphScorer,
    private readonly confidence: Confidence,
    options: ParserOptions = {},
  ) {
    checkOptions("the parser", options, PARSER_OPTIONS);
    const { beam = 1 } = options;
    if (beam > 1) checkAbility(GRAPH_LIMITS, "beam");
    const { decoder, singleRoot = true } = header;
    this.decoder = new GraphDecoder(decoder, singleRoot);
  }

  parse(words: Words, options: Omit<TreeOptions, "doubts"> = {}): ParsedTree {
    checkTask(words, options);
    const { scores, constraints } = options;
    if (!scores) return this.find(words, constraints);
    const doubts = new Float64Array(words.length + 1);
    const tree = this.find(words, constraints, [this.confidence.temperature], [doubts]);
    for (let d = 1; d <= words.length; d++) {
      const isGiven = constraints && constraints.heads[d]! >= 0 && constraints.labels?.[d] !== undefined;
      scores[d] = isGiven ? 1 : arcProbability(doubts[d]!, this.confidence);
    }
    return tree;
  }

  vectors(count: number): Float32Array | undefined {
    return this.scorer.vectors?.(count);
  }

  /** `doubts`: filled with the doubt about each arc at each of the temperatures. */
  private find(
    words: Words,
    constraints: PartialTree | undefined,
    temperatures: readonly number[] = [],
    doubts: readonly Float64Array[] = [],
  ): ParsedTree {
    const bound = this.score(words, constraints);
    const heads = this.decoder.decode(words.length, this.scores, this.scorer.siblings);
    return this.treeOf(heads, bound, temperatures, doubts);
  }

  /** Gives the arcs of a sentence their scores. */
  private score(words: Words, constraints: PartialTree | undefined): TreeConstraints | undefined {
    const { scorer } = this;
    const n = words.length;
    if (n > MOST_WORDS) throw new RangeError(`the sentence has ${n} words (expected at most ${MOST_WORDS})`);
    const bound = constraints && this.bind(constraints, n);
    const size = (n + 1) * (n + 1);
    if (this.scores.length < size) this.scores = new Float64Array(size);
    scorer.bind(words);
    scorer.scoreArcs(this.scores);
    if (bound) this.forbid(bound.wanted, n);
    return bound;
  }

  /** The tree with these heads, whose arcs get their labels. */
  private treeOf(
    heads: Int32Array,
    bound: TreeConstraints | undefined,
    temperatures: readonly number[] = [],
    doubts: readonly Float64Array[] = [],
  ): ParsedTree {
    const { scorer, header } = this;
    const n = heads.length - 1;
    temperatures.forEach((temperature, t) => {
      for (let d = 1; d <= n; d++) doubts[t]![d] = this.doubtOfHead(heads[d]!, d, n, temperature);
    });
    const labels = new Array<string>(n + 1).fill("");
    scorer.scoreLabels(heads, (d, ofLabels) => {
      let best = 0;
      for (let k = 1; k < ofLabels.length; k++) if (ofLabels[k]! > ofLabels[best]!) best = k;
      labels[d] = header.labels[best]!;
      temperatures.forEach((temperature, t) => {
        doubts[t]![d]! += doubtOf(ofLabels, best, temperature * scorer.labelRatio);
      });
    });
    bound?.holdInPlace(labels);
    const { projectivized } = header;
    const tree = projectivized ? deprojectivize(heads, labels, projectivized) : { heads, labels };
    bound?.complete(tree.heads, tree.labels);
    return tree;
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

  /** −ln of the share of a head among all heads that a word could have. */
  private doubtOfHead(head: number, d: number, n: number, temperature: number): number {
    const { scores } = this;
    const w = n + 1;
    const own = scores[head * w + d]!;
    let sum = 0;
    for (let h = 0; h <= n; h++) if (h !== d) sum += Math.exp((scores[h * w + d]! - own) / temperature);
    return Math.log(sum);
  }

  /**
   * The best trees of a sentence, best first, at most `count`, no two with the same heads. Of a sentence of more than
   * 500 words, with edmonds 150, only the best is found.
   */
  parseBest(words: Words, count: number, options: TreeOptions = {}, visit?: (tree: ScoredTree) => void): ScoredTree[] {
    checkTask(words, options);
    if (visit !== undefined) check("visitor", visit, FUNCTION);
    this.checkCount(count);
    const { decoder, scorer, header } = this;
    const n = words.length;
    const bound = this.score(words, options.constraints);
    const limit = n > MOST_WORDS_FOR_SEVERAL[header.decoder] ? 1 : count;
    const seen = new Set<string>();
    const trees: ScoredTree[] = [];
    for (const { heads, score } of decoder.trees(n, this.scores, this.penalty(n), scorer.siblings)) {
      // The first tree without a head that is given is followed by no other that has it.
      if (bound && !keeps(heads, bound.wanted)) break;
      const tree = this.treeOf(heads, bound);
      // Undoing what made trees projective can give the same tree twice.
      const key = tree.heads.join();
      if (!seen.has(key)) {
        trees.push({ ...tree, score: Number(score.toFixed(4)) });
        visit?.(trees[trees.length - 1]!);
      }
      if (seen.add(key).size >= limit) break;
    }
    return trees;
  }

  checkCount(count: number): void {
    check("number of trees", count, wholeNumber(1));
  }

  check(constraints: PartialTree, n: number): void {
    check("constraints", constraints, PARTIAL_TREE);
    check("number of words", n, wholeNumber(0));
    this.bind(constraints, n);
  }

  doubting(temperatures: readonly number[]): DoubtingParser {
    check("temperatures", temperatures, NUMBERS);
    let doubts: Float64Array[] = [];
    return {
      parse: (words) => {
        doubts = temperatures.map(() => new Float64Array(words.length + 1));
        return this.find(words, undefined, temperatures, doubts);
      },
      of: (word, temperature) => doubts[temperature]![word]!,
    };
  }

  private bind(constraints: PartialTree, n: number): TreeConstraints {
    const { decoder, singleRoot = true, labels, projectivized } = this.header;
    const system = SAME_TREES[decoder].create({ root: "last", singleRoot });
    this.constraints ??= new TreeConstraints(system, labels, projectivized !== undefined, decoder);
    return this.constraints.bind(constraints, n);
  }
}

function keeps(heads: Int32Array, wanted: ArrayLike<number>): boolean {
  for (let d = 1; d < heads.length; d++) if (wanted[d] !== NONE && wanted[d] !== heads[d]) return false;
  return true;
}

/** −ln of the share of one of some scores. */
function doubtOf(scores: ArrayLike<number>, chosen: number, temperature: number): number {
  let sum = 0;
  for (let k = 0; k < scores.length; k++) sum += Math.exp((scores[k]! - scores[chosen]!) / temperature);
  return Math.log(sum);
}
