// Finds the predicates of a parsed sentence and the roles of their arguments: the semantic half of two-stack parsing,
// greedily or with a beam, by a linear model and, if there are vectors of words, a network, over a tree that is there.
import { check, type Expectation } from "../checks/options.js";
import { checkHeads, having, holding, STRINGS } from "../checks/shapes.js";
import type { Words } from "../features/columns.js";
import type { TreeParser, TreeStep } from "../parser/tree-parser.js";
import type { LinearModel, Scorer } from "../scoring/linear/linear-model.js";
import { sumOfOneClass } from "../scoring/linear/one-class.js";
import { NONE } from "../systems/configuration.js";
import type { PredicateData } from "../treebank/sentence/semantics/predicate-data.js";
import { MOST_ROLE_FEATURES, type RoleFeatures, type RoleTree } from "./features/role-features.js";
import { FoundPredicates } from "./found-predicates.js";
import { type RoleNetwork, roleNetwork } from "./network/role-network.js";
import { checkRoleProbe, type RoleProbe } from "./network/role-probe.js";
import { RoleBeam } from "./role-beam.js";
import { RoleWalk, SenseLexicon } from "./role-walk.js";
import { checkRolesHeader, type RolesHeader } from "./roles-header.js";

const WORDS = having("a sentence", "form", "lemma", "upos", "feats");
const VECTORS: Expectation = { expected: "a Float32Array", accepts: (value) => value instanceof Float32Array };
const TREE = holding("a tree as {heads, labels}", "heads", "labels");

/** A trained labeller of semantic roles. */
export interface TrainedRoles {
  readonly header: RolesHeader;
  readonly linear: LinearModel;
  /** The network, if it has one. */
  readonly probe?: RoleProbe | undefined;
}

/** Walks with the scores of a trained model. */
export function walkOf({ header, linear }: TrainedRoles, network?: RoleNetwork, features?: RoleFeatures): RoleWalk {
  checkRolesHeader(header);
  const scorer: Scorer = linear.scorer();
  const sum = sumOfOneClass(linear, 2 * MOST_ROLE_FEATURES);
  const scoreMoves = (features: Int32Array) => {
    scorer.features.set(features);
    scorer.scoreFeatures(features.length);
    return scorer.scores;
  };
  return new RoleWalk(new SenseLexicon(header), header.roles.length, scoreMoves, sum, network, features);
}

/** The predicates that a walk has found at its end. */
export function predicatesOf({ c, lexicon }: RoleWalk, roles: readonly string[]): PredicateData[] {
  const found: PredicateData[] = [];
  for (let i = 1; i <= c.length; i++) {
    if (c.senses[i] === NONE) continue;
    const own: PredicateData["arguments"][number][] = [];
    for (let a = c.lastOut[i]!; a !== NONE; a = c.previousOut[a]!) {
      own.push({ word: c.dependents[a]!, role: roles[c.roles[a]!]! });
    }
    own.sort((one, other) => one.word - other.word);
    found.push({ word: i, sense: lexicon.names[c.senses[i]!]!, arguments: own });
  }
  return found;
}

/** Finds predicates and roles with a trained model. */
export class RoleLabeller implements TreeStep {
  private readonly header: RolesHeader;
  private readonly walk: RoleWalk;
  private readonly beam: RoleBeam | undefined;
  /** The input of the network for the words of a sentence. */
  private readonly encode: ((words: Words) => Float32Array | undefined) | undefined;

  /** `parser`: the one that the sentences come from; a network without an encoder gets its vectors of the last one. */
  constructor(model: TrainedRoles, parser?: Pick<TreeParser, "vectors">) {
    check("model", model, holding("a RolesModel", "header", "linear"));
    if (parser !== undefined) check("parser", parser, having("a parser", "vectors"));
    const { header, probe } = model;
    this.header = header;
    if (probe) checkRoleProbe("roles.probe", probe.header, probe.header.inputs, header);
    this.walk = walkOf(model, probe && roleNetwork(probe));
    if (probe) {
      const { contextual } = probe;
      this.encode = contextual ? (words) => contextual.means(formsOf(words)) : (words) => parser?.vectors(words.length);
    }
    if (header.beam !== undefined) this.beam = new RoleBeam(this.walk, header.beam.width, header.beam.unit);
  }

  /**
   * The predicates of a sentence with their arguments. `vectors`: those of the words, one after the other, if they are
   * known already: the means of the encoder's layers, or without one what the parser's network makes of the words.
   */
  label(words: Words, tree: RoleTree, vectors?: Float32Array | undefined): PredicateData[] {
    check("words", words, WORDS);
    check("tree", tree, TREE);
    checkHeads(tree.heads);
    check("labels of the tree", tree.labels, STRINGS);
    if (vectors !== undefined) check("vectors", vectors, VECTORS);
    const { walk } = this;
    walk.begin(words, tree);
    if (this.encode && words.length > 0) {
      const expected = words.length * walk.network!.header.inputs;
      const found = vectors ?? this.encode(words);
      if (found?.length !== expected)
        throw new RangeError(`invalid vectors: ${found?.length ?? "no"} numbers (expected ${expected})`);
      walk.network!.bind(found);
    }
    (this.beam ?? walk).run();
    return predicatesOf(walk, this.header.roles);
  }

  annotate(words: Words, tree: RoleTree): FoundPredicates {
    return new FoundPredicates(this.label(words, tree));
  }
}

export function formsOf(words: Words): string[] {
  return Array.from({ length: words.length }, (_, i) => words.form(i + 1));
}
