// Parsing with tags: each word gets scores for all tags from what is around it, the tags are chosen so that they make a
// tree, and its arcs then get their labels, one by one.
import { checkAbility, type Limits } from "../checks/abilities.js";
import { check, checkOptions, wholeNumber } from "../checks/options.js";
import { NUMBERS } from "../checks/shapes.js";
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
import { arcProbability, type Confidence } from "../search/confidence/confidence.js";
import type { PartialTree } from "../search/constraints/tree-constraints.js";
import { deprojectivize } from "../treebank/pseudo-projective.js";
import type { ParsedTree } from "../treebank/sentence/parsed-tree.js";
import type { TagDecoder } from "./encodings/encoding.js";
import { encodingOf } from "./encodings/encodings.js";
import type { TagScorer } from "./scoring/tag-scorer.js";
import type { TagsHeader } from "./tags-header.js";

const TAGS_ONLY = "it gives each word a tag, and the tags are its tree (use a model with a transition system)";

/** The limits of all parsers by tags. */
export const TAGS_LIMITS: Limits = { beam: TAGS_ONLY, trees: TAGS_ONLY, heads: TAGS_ONLY, steps: TAGS_ONLY };

/** Parses sentences one by one with tags. */
export class TagsParser implements TreeParser {
  readonly beam = 1;
  readonly mostWords = Number.POSITIVE_INFINITY;
  private readonly decoder: TagDecoder;
  private scores = new Int32Array(0);
  private chosen = new Int32Array(0);

  constructor(
    readonly header: TagsHeader,
    private readonly scorer: TagScorer,
    private readonly confidence: Confidence,
    options: ParserOptions = {},
  ) {
    checkOptions("the parser", options, PARSER_OPTIONS);
    if ((options.beam ?? 1) > 1 || typeof options.merge === "object") checkAbility(TAGS_LIMITS, "beam");
    this.decoder = encodingOf(header.encoding).createDecoder(header.tags);
  }

  parse(words: Words, options: Omit<TreeOptions, "doubts"> = {}): ParsedTree {
    checkTask(words, options);
    if (options.constraints) checkAbility(TAGS_LIMITS, "heads");
    const { scores } = options;
    if (!scores) return this.find(words).tree;
    const doubts = new Float64Array(words.length + 1);
    const { tree } = this.find(words, [this.confidence.temperature], [doubts]);
    for (let d = 1; d <= words.length; d++) scores[d] = arcProbability(doubts[d]!, this.confidence);
    return tree;
  }

  /** `doubts`: filled with the doubt about each arc at each of the temperatures. */
  private find(
    words: Words,
    temperatures: readonly number[] = [],
    doubts: readonly Float64Array[] = [],
  ): { tree: ParsedTree; score: number } {
    const { scorer, header } = this;
    const n = words.length;
    const tags = header.tags.length;
    if (this.chosen.length <= n) {
      this.chosen = new Int32Array(2 * n + 1);
      this.scores = new Int32Array(2 * n * tags);
    }
    const { scores, chosen } = this;
    scorer.bind(words);
    for (let i = 1; i <= n; i++) {
      const own = scorer.scoreTags(i);
      for (let k = 0; k < tags; k++) scores[(i - 1) * tags + k] = own[k]!;
    }
    const heads = this.decoder.decode(n, scores, chosen);
    let score = 0;
    for (let i = 1; i <= n; i++) {
      const own = scores.subarray((i - 1) * tags, i * tags);
      score += own[chosen[i]!]!;
      temperatures.forEach((temperature, t) => {
        doubts[t]![i] = doubtOf(own, chosen[i]!, temperature);
      });
    }
    const labels = new Array<string>(n + 1).fill("");
    scorer.scoreLabels(heads, (d, ofLabels) => {
      let best = 0;
      for (let k = 1; k < ofLabels.length; k++) if (ofLabels[k]! > ofLabels[best]!) best = k;
      labels[d] = header.labels[best]!;
      score += ofLabels[best]!;
      temperatures.forEach((temperature, t) => {
        doubts[t]![d]! += doubtOf(ofLabels, best, temperature);
      });
    });
    const { projectivized } = header;
    return { tree: projectivized ? deprojectivize(heads, labels, projectivized) : { heads, labels }, score };
  }

  vectors(count: number): Float32Array | undefined {
    return this.scorer.vectors?.(count);
  }

  /** One tree, whose score is the sum of those of its tags and labels. */
  parseBest(words: Words, count: number, options: TreeOptions = {}, visit?: (tree: ScoredTree) => void): ScoredTree[] {
    checkTask(words, options);
    this.checkCount(count);
    if (options.constraints) checkAbility(TAGS_LIMITS, "heads");
    const { tree, score } = this.find(words);
    const scored = { ...tree, score };
    visit?.(scored);
    return [scored];
  }

  checkCount(count: number): void {
    check("number of trees", count, wholeNumber(1));
    if (count > 1) checkAbility(TAGS_LIMITS, "trees");
  }

  check(_constraints: PartialTree, _n: number): void {
    checkAbility(TAGS_LIMITS, "heads");
  }

  doubting(temperatures: readonly number[]): DoubtingParser {
    check("temperatures", temperatures, NUMBERS);
    let doubts: Float64Array[] = [];
    return {
      parse: (words) => {
        doubts = temperatures.map(() => new Float64Array(words.length + 1));
        return this.find(words, temperatures, doubts).tree;
      },
      of: (word, temperature) => doubts[temperature]![word]!,
    };
  }
}

/** −ln of the share of one of some scores. */
function doubtOf(scores: ArrayLike<number>, chosen: number, temperature: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < scores.length; k++) most = Math.max(most, scores[k]!);
  let sum = 0;
  for (let k = 0; k < scores.length; k++) sum += Math.exp((scores[k]! - most) / temperature);
  return Math.log(sum) + (most - scores[chosen]!) / temperature;
}
