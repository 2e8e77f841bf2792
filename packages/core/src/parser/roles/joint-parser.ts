// Syntax and semantic roles in one derivation with two stacks (Henderson, Merlo, Titov & Musillo 2013), greedily: as
// soon as syntax has taken a word, the semantic half has its turn with it (two-stacks.ts). Each half has a linear model
// of its own, which sees what the other half has built so far.
import type { Words } from "../../features/columns.js";
import { JointFeatures, MOVE_FEATURES } from "../../features/roles/joint-features.js";
import type { RoleTree } from "../../features/roles/role-features.js";
import type { TemplateSet } from "../../features/templates.js";
import { FeatureScorer } from "../../scoring/feature-scorer.js";
import type { LinearModel } from "../../scoring/linear/linear-model.js";
import type { Decider } from "../../search/decider.js";
import { GreedyParser } from "../../search/greedy-parser.js";
import { type Configuration, NONE } from "../../systems/configuration.js";
import { lastTaken, SEM_SHIFT } from "../../systems/roles/semantic-system.js";
import type { Move } from "../../systems/transition.js";
import type { PredicateData } from "../../treebank/sentence/semantics/predicate-data.js";
import { Parser, type ParserModel, type SemanticHalf } from "../parser.js";
import type { DoubtingParser, ParsedTree, ParserOptions, ScoredTree, TreeOptions } from "../tree-parser.js";
import { RoleLabeller } from "./role-labeller.js";
import type { RolesModel } from "./roles-model.js";

/** The tree of a sentence before there is any arc. */
export const NO_TREE: RoleTree = { heads: [], labels: [] };

/** A tree, and the predicates that were found along with it. */
export interface TreeWithRoles extends ParsedTree {
  predicates: PredicateData[];
}

/** Finds predicates and roles along with the tree, and has the parser that does so. */
export class JointLabeller extends RoleLabeller implements SemanticHalf {
  readonly parser: JointParser;
  /** The sum of the scores of the syntactic transitions of the last sentence. */
  score = 0;

  constructor(
    roles: RolesModel,
    parser: ParserModel,
    { beam = 1, merge }: ParserOptions = {},
    private readonly own: JointFeatures = new JointFeatures(parser.header.labels),
  ) {
    super(roles, own);
    if (beam > 1) refuse("beam", beam, "1: its search is greedy");
    if (merge === "tops") refuse("merge", merge, "none: its search is greedy");
    if (parser.network || roles.probe) refuse("model", "a network", "linear models");
    if (parser.header.joint) refuse("joint", "tags", "roles alone");
    const { name, description } = parser.system;
    if (description.reordersWords || parser.classes.perMove) {
      refuse("system", name, "one that takes the words in their order and scores all transitions together");
    }
    this.parser = new JointParser(parser, this);
  }

  /** The predicates that were found along with a tree; for another tree those of the derivation that builds it. */
  override label(words: Words, tree: RoleTree & { readonly predicates?: PredicateData[] }): PredicateData[] {
    if (tree.predicates) return tree.predicates;
    const constraints = { heads: tree.heads, labels: Array.from(tree.labels) };
    return this.parser.parse(words, { constraints }).predicates;
  }

  scorer(linear: LinearModel, templates: TemplateSet): FeatureScorer {
    const { features, scores, scoreFeatures } = linear.scorer();
    const count = templates.templates.length;
    const scorer = new FeatureScorer(templates, scores, () => {});
    const { extractor } = scorer;
    const { walk, own } = this;
    scorer.score = (syntax: Configuration, move: Move) => {
      extractor.extract(syntax, move);
      features.set(extractor.hash());
      features.set(own.moves(syntax, walk.c, walk.keys), count);
      scoreFeatures(count + MOVE_FEATURES);
    };
    return scorer;
  }

  search(decider: Decider): GreedyParser {
    return new TwoStackSearch(decider, this);
  }

  begin(words: Words): void {
    this.score = 0;
    this.walk.begin(words, NO_TREE);
  }

  /** Has its turn, if syntax has taken a word. */
  follow(syntax: Configuration): void {
    const { walk, own } = this;
    const last = lastTaken(syntax);
    while (walk.c.front <= last) {
      if (!walk.c.isDecided) {
        own.grow(syntax, walk.c.front);
        walk.decide(walk.bestSense(walk.candidates()));
      } else walk.apply(walk.isOpen ? walk.bestClass(walk.pair()) : walk.classOf(SEM_SHIFT, 0));
    }
  }

  /** The predicates of the sentence that was parsed last. */
  get predicates(): PredicateData[] {
    return this.found();
  }
}

function refuse(what: string, value: unknown, expected: string): never {
  throw new RangeError(
    `invalid ${what}: ${value} with roles that are decided along with the tree (expected ${expected})`,
  );
}

/** The greedy parser, with the turns of the semantic half in between. */
class TwoStackSearch extends GreedyParser {
  constructor(
    private readonly moves: Decider,
    private readonly half: JointLabeller,
  ) {
    super(moves);
  }

  override parse(words: Words, rootLabel = NONE): Configuration {
    const { c, moves: decider, half } = this;
    const { system, classes } = decider;
    decider.bind(words);
    half.begin(words);
    system.initialize(c, words.length);
    while (!system.isTerminal(c)) {
      const best = decider.decide(c);
      half.score += decider.scoreOf(best);
      system.take(c, decider.moves[best]!, classes.labels[decider.bestClass[best]!]!);
      half.follow(c);
    }
    system.finish(c, rootLabel);
    return c;
  }
}

type Visit = (tree: ScoredTree) => void;

/** Parses sentences, and finds their predicates in the same derivation. */
export class JointParser extends Parser {
  constructor(
    model: ParserModel,
    private readonly labeller: JointLabeller,
  ) {
    super(model, {}, labeller);
  }

  override parse(words: Words, options: TreeOptions = {}): TreeWithRoles {
    if (options.scores) refuse("scores of parse", "a Float64Array", "none");
    return { ...super.parse(words, options), predicates: this.labeller.predicates };
  }

  /** The tree, if one is wanted; its score is the sum of those of its syntactic transitions. */
  override parseBest(words: Words, count: number, options: TreeOptions = {}, visit?: Visit): ScoredTree[] {
    this.checkCount(count);
    const tree = { ...this.parse(words, options), score: this.labeller.score };
    visit?.(tree);
    return [tree];
  }

  override doubting(): DoubtingParser {
    return refuse("doubts", "of arcs", "none");
  }
}
