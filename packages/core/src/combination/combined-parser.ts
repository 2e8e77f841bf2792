import { checkAbility, type Limits } from "../checks/abilities.js";
import { check, checkOptions, wholeNumber } from "../checks/options.js";
import type { Words } from "../features/columns.js";
import {
  checkTask,
  type DoubtingParser,
  PARSER_OPTIONS,
  type ParserOptions,
  type ScoredTree,
  type TreeOptions,
  type TreeParser,
} from "../parser/tree-parser.js";
import type { PartialTree } from "../search/constraints/tree-constraints.js";
import type { ParsedTree } from "../treebank/sentence/parsed-tree.js";
import { combineTrees, type VotedTree } from "./combine-trees.js";
import type { CombinedWords } from "./combined-words.js";

/** The arcs between more words would take gigabytes. */
const MOST_WORDS = 3000;

const EACH = "several models vote, and each searches as it was trained to (ask one of them alone)";

/** The limits of all combinations. */
export const COMBINATION_LIMITS: Limits = { beam: EACH, trees: EACH, steps: EACH };

/** Parses sentences with several parsers, whose trees vote. */
export class CombinedParser implements TreeParser {
  readonly beam = 1;
  readonly mostWords: number;
  /** The words that the pipeline tags, if it does. */
  words: CombinedWords | undefined;

  constructor(
    readonly parsers: readonly TreeParser[],
    private readonly weights: readonly number[],
    options: ParserOptions = {},
  ) {
    checkOptions("the parser", options, PARSER_OPTIONS);
    if ((options.beam ?? 1) > 1 || typeof options.merge === "object") checkAbility(COMBINATION_LIMITS, "beam");
    this.mostWords = Math.min(MOST_WORDS, ...parsers.map(({ mostWords }) => mostWords));
  }

  parse(words: Words, options: Omit<TreeOptions, "doubts"> = {}): ParsedTree {
    checkTask(words, options);
    const { shares, ...tree } = this.vote(words, options.constraints);
    options.scores?.set(shares);
    return tree;
  }

  /** Heads to be kept have all votes, and are kept. */
  private vote(words: Words, constraints?: PartialTree | undefined): VotedTree {
    const { parsers, weights, mostWords } = this;
    const { length } = words;
    if (length > mostWords) throw new RangeError(`the sentence has ${length} words (expected at most ${mostWords})`);
    const views = this.words?.forMembers(words) ?? parsers.map(() => words);
    return combineTrees(
      parsers.map((parser, m) => parser.parse(views[m]!, { constraints })),
      { weights },
    );
  }

  /** One tree, whose score is the mean share of its votes. */
  parseBest(words: Words, count: number, options: TreeOptions = {}, visit?: (tree: ScoredTree) => void): ScoredTree[] {
    checkTask(words, options);
    this.checkCount(count);
    const { shares, ...tree } = this.vote(words, options.constraints);
    const score = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, words.length);
    const scored = { ...tree, score: Number(score.toFixed(4)) };
    visit?.(scored);
    return [scored];
  }

  vectors(count: number): Float32Array | undefined {
    return this.parsers[0]!.vectors(count);
  }

  checkCount(count: number): void {
    check("number of trees", count, wholeNumber(1));
    if (count > 1) checkAbility(COMBINATION_LIMITS, "trees");
  }

  check(constraints: PartialTree, n: number): void {
    for (const parser of this.parsers) parser.check(constraints, n);
  }

  /** The doubt is −ln of the share, whatever the temperature. */
  doubting(): DoubtingParser {
    let last: ArrayLike<number> = [];
    return {
      parse: (words) => {
        const { shares, ...tree } = this.vote(words);
        last = shares;
        return tree;
      },
      of: (word) => -Math.log(last[word]!),
    };
  }
}
