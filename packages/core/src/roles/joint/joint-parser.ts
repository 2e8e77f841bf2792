// Syntax and semantic roles in one derivation with two stacks (Henderson, Merlo, Titov & Musillo 2013), greedily: as
// soon as syntax has taken a word, the semantic half has its turn with it (two-stacks.ts). Each half has a linear model
// of its own, which sees what the other half has built so far.
import { checkAbility, refusal } from "../../checks/abilities.js";
import type { Words } from "../../features/columns.js";
import { Extractor } from "../../features/extractor.js";
import { parseTemplates, type TemplateSet } from "../../features/templates.js";
import { Parser, type ParserModel } from "../../parser/parser.js";
import type { DoubtingParser, ParserOptions, ScoredTree, TreeOptions } from "../../parser/tree-parser.js";
import type { ConfigurationScorer } from "../../scoring/scorer.js";
import { Decider } from "../../search/decider.js";
import { Configuration, NONE } from "../../systems/configuration.js";
import type { ParsedTree } from "../../treebank/sentence/parsed-tree.js";
import type { PredicateData } from "../../treebank/sentence/semantics/predicate-data.js";
import type { RoleTree } from "../features/role-features.js";
import { FoundPredicates } from "../found-predicates.js";
import { predicatesOf, type TrainedRoles, walkOf } from "../role-labeller.js";
import type { RoleWalk } from "../role-walk.js";
import { lastTaken } from "../system/semantic-system.js";
import { JointFeatures, MOVE_FEATURES } from "./joint-features.js";

/** The tree of a sentence before there is any arc. */
export const NO_TREE: RoleTree = { heads: [], labels: [] };

/** A parser's model with what it has learned of roles. */
type JointModel = ParserModel & { readonly roles: TrainedRoles };

/** Labels roles in turns: one as soon as syntax has taken a word. */
class RoleTurns {
  /** The sum of the scores of the syntactic transitions of the last sentence. */
  score = 0;
  private readonly own: JointFeatures;
  private readonly walk: RoleWalk;

  constructor(private readonly model: JointModel) {
    this.own = new JointFeatures(model.header.labels);
    this.walk = walkOf(model.roles, undefined, this.own);
  }

  /** Scores transitions of the syntactic half by what both have built. */
  scorer(templates: TemplateSet): ConfigurationScorer {
    const { features, scores, scoreFeatures } = this.model.linear.scorer();
    const count = templates.templates.length;
    const extractor = new Extractor(templates);
    const { walk, own } = this;
    return {
      scores,
      bind: (words) => extractor.bind(words),
      score(syntax, move) {
        extractor.extract(syntax, move);
        features.set(extractor.hash());
        features.set(own.moves(syntax, walk.c, walk.keys), count);
        scoreFeatures(count + MOVE_FEATURES);
      },
    };
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
      if (!walk.c.isDecided) own.grow(syntax, walk.c.front);
      walk.step();
    }
  }

  /** The predicates of the sentence that was parsed last. */
  get predicates(): PredicateData[] {
    return predicatesOf(this.walk, this.model.roles.header.roles);
  }
}

/** The greedy parser, with the turns of the semantic half in between. */
class TwoStackSearch {
  private readonly c = new Configuration();

  constructor(
    private readonly decider: Decider,
    private readonly turns: RoleTurns,
  ) {}

  parse(words: Words, rootLabel = NONE): Configuration {
    const { c, decider, turns } = this;
    const { system, classes } = decider;
    decider.bind(words);
    turns.begin(words);
    system.initialize(c, words.length);
    while (!system.isTerminal(c)) {
      const best = decider.decide(c);
      turns.score += decider.scoreOf(best);
      system.take(c, decider.moves[best]!, classes.labels[decider.bestClass[best]!]!);
      turns.follow(c);
    }
    system.finish(c, rootLabel);
    return c;
  }

  *parseAll(words: Words, rootLabel = NONE): Generator<{ c: Configuration; score: number }> {
    yield { c: this.parse(words, rootLabel), score: this.turns.score };
  }
}

interface TreeWithRoles extends ParsedTree {
  annotations: [FoundPredicates];
}

type Visit = (tree: ScoredTree) => void;

/** Parses sentences, and finds their predicates in the same derivation. */
export class JointParser extends Parser {
  readonly annotates = true;
  private readonly turns: RoleTurns;

  constructor(model: JointModel, options: ParserOptions = {}) {
    const { beam = 1, merge } = options;
    if (beam > 1 || typeof merge === "object") checkAbility(model.limits, "beam");
    const { header, system, classes } = model;
    const turns = new RoleTurns(model);
    const templates = parseTemplates(header.templates, "model", system.description.context);
    const decider = new Decider(system, classes, turns.scorer(templates));
    super(model, options, { decider, beam: 1, run: new TwoStackSearch(decider, turns) });
    this.turns = turns;
  }

  override parse(words: Words, options: TreeOptions = {}): TreeWithRoles {
    return { ...super.parse(words, options), annotations: [new FoundPredicates(this.turns.predicates)] };
  }

  /** The tree, if one is wanted; its score is the sum of those of its syntactic transitions. */
  override parseBest(words: Words, count: number, options: TreeOptions = {}, visit?: Visit): ScoredTree[] {
    this.checkCount(count);
    const tree = { ...this.parse(words, options), score: this.turns.score };
    visit?.(tree);
    return [tree];
  }

  override doubting(): DoubtingParser {
    throw new RangeError(refusal(this.model.limits, "scores"));
  }
}
