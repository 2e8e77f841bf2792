// The common part of parsers that score the arcs of a sentence: the arcs get their scores, a search finds the heads,
// and the arcs of the tree then get their labels, one by one.
import { check, FUNCTION, wholeNumber } from "../checks/options.js";
import { NUMBERS } from "../checks/shapes.js";
import type { Words } from "../features/columns.js";
import type { ArcScores } from "../math/edmonds.js";
import type { CommonHeader } from "../parser/model-header.js";
import {
  checkTask,
  type DoubtingParser,
  type ScoredTree,
  type TreeOptions,
  type TreeParser,
} from "../parser/tree-parser.js";
import { arcProbability, type Confidence } from "../search/confidence/confidence.js";
import { PARTIAL_TREE, type PartialTree, TreeConstraints } from "../search/constraints/tree-constraints.js";
import type { TransitionSystem } from "../systems/system.js";
import { deprojectivize } from "../treebank/pseudo-projective.js";
import type { ParsedTree } from "../treebank/sentence/parsed-tree.js";
import type { GraphScorer } from "./scoring/graph-scorer.js";
import type { RankedTree } from "./search/best-trees.js";

/** More words would take gigabytes: memory grows with the second power of the length, or time with the third. */
const MOST_WORDS = 3000;

/** Parses sentences one by one by the scores of arcs. */
export abstract class ArcParser<Header extends CommonHeader> implements TreeParser {
  /** Beam width, 1 for greedy search and for parsers that look at all trees. */
  abstract readonly beam: number;
  readonly mostWords = MOST_WORDS;
  protected scores: ArcScores = new Float64Array(0);
  private constraints: TreeConstraints | undefined;

  constructor(
    readonly header: Header,
    protected readonly scorer: GraphScorer,
    private readonly confidence: Confidence,
  ) {}

  /** The best heads of the sentence that was scored last. */
  protected abstract search(n: number, bound: TreeConstraints | undefined): Int32Array;
  /** The same, and others: best first, no two alike. */
  protected abstract ranked(n: number, bound: TreeConstraints | undefined): Iterable<RankedTree>;
  abstract checkCount(count: number): void;
  /** A system that builds the same trees, for what decides which heads can be kept together; and its name in errors. */
  protected abstract sameTrees(): { system: TransitionSystem; name: string };

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
    return this.treeOf(this.search(words.length, bound), bound, temperatures, doubts);
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

  /** −ln of the share of a head among all heads that a word could have. */
  private doubtOfHead(head: number, d: number, n: number, temperature: number): number {
    const { scores } = this;
    const w = n + 1;
    const own = scores[head * w + d]!;
    let sum = 0;
    for (let h = 0; h <= n; h++) if (h !== d) sum += Math.exp((scores[h * w + d]! - own) / temperature);
    return Math.log(sum);
  }

  /** The best trees of a sentence that are found, best first, at most `count`, no two with the same heads. */
  parseBest(words: Words, count: number, options: TreeOptions = {}, visit?: (tree: ScoredTree) => void): ScoredTree[] {
    checkTask(words, options);
    if (visit !== undefined) check("visitor", visit, FUNCTION);
    this.checkCount(count);
    const bound = this.score(words, options.constraints);
    const seen = new Set<string>();
    const trees: ScoredTree[] = [];
    for (const { heads, score } of this.ranked(words.length, bound)) {
      const tree = this.treeOf(heads, bound);
      // Undoing what made trees projective can give the same tree twice.
      const key = tree.heads.join();
      if (!seen.has(key)) {
        trees.push({ ...tree, score: Number(score.toFixed(4)) });
        visit?.(trees[trees.length - 1]!);
      }
      if (seen.add(key).size >= count) break;
    }
    return trees;
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
    if (!this.constraints) {
      const { labels, projectivized } = this.header;
      const { system, name } = this.sameTrees();
      this.constraints = new TreeConstraints(system, labels, projectivized !== undefined, name);
    }
    return this.constraints.bind(constraints, n);
  }
}

/** −ln of the share of one of some scores. */
function doubtOf(scores: ArrayLike<number>, chosen: number, temperature: number): number {
  let sum = 0;
  for (let k = 0; k < scores.length; k++) sum += Math.exp((scores[k]! - scores[chosen]!) / temperature);
  return Math.log(sum);
}
