// Finds the predicates of a parsed sentence and the roles of their arguments: the semantic half of two-stack parsing,
// greedily or with a beam, by a linear model and, if there is an encoder, a network, over a tree that is there already.
import { check, type Expectation } from "../../checks/options.js";
import { checkHeads, having, holding, OBJECT, STRINGS } from "../../checks/shapes.js";
import type { Words } from "../../features/columns.js";
import { MOST_ROLE_FEATURES, type RoleTree } from "../../features/roles/role-features.js";
import { encoderProgram, type WordMeans } from "../../scoring/encoder/encoders.js";
import type { Scorer } from "../../scoring/linear/linear-model.js";
import { sumOfOneClass } from "../../scoring/linear/one-class.js";
import { NONE } from "../../systems/configuration.js";
import type { PredicateData } from "../../treebank/sentence/semantics/predicate-data.js";
import { roleNetwork } from "./role-network.js";
import { RoleWalk, SenseLexicon } from "./role-walk.js";
import { checkNames, type Labeller, type RolesHeader, type RolesModel, roleClasses } from "./roles-model.js";

const WORDS = having("a sentence", "form", "lemma", "upos", "feats");
const VECTORS: Expectation = { expected: "a Float32Array", accepts: (value) => value instanceof Float32Array };
const TREE = holding("a tree as {heads, labels}", "heads", "labels");

/** Goes through the sentence that a walk has begun, and leaves the walk at the end of what it found. */
type RoleSearch = Pick<RoleWalk, "run">;
type CreateBeam = (walk: RoleWalk, beam: NonNullable<RolesHeader["beam"]>) => RoleSearch;

let beamOf: CreateBeam | undefined;

/** Gives labellers the beam, which greedy ones do without: parser/roles/provide-beam.ts. */
export function provideRoleBeam(create: CreateBeam): void {
  beamOf = create;
}

/** Finds predicates and roles with a trained model. */
export class RoleLabeller implements Labeller {
  private readonly header: RolesHeader;
  private readonly walk: RoleWalk;
  private readonly beam: RoleSearch | undefined;
  /** What the network is given of the words of a sentence. */
  private readonly encode: WordMeans | undefined;

  constructor(model: RolesModel) {
    check("model", model, holding("a RolesModel", "header", "linear"));
    const { header, linear, probe } = model;
    this.header = header;
    checkNames(header.openTags, "openTags");
    check("lemmas of the roles", header.lemmas, OBJECT);
    for (const [lemma, senses] of Object.entries(header.lemmas)) checkNames(senses, `lemmas.${lemma}`);
    const scorer: Scorer = linear.scorer();
    const sum = sumOfOneClass(linear, 2 * MOST_ROLE_FEATURES);
    const scoreMoves = (features: Int32Array) => {
      scorer.features.set(features);
      scorer.scoreFeatures(features.length);
      return scorer.scores;
    };
    const lexicon = new SenseLexicon(header);
    if (probe) {
      const { classes, senses } = probe.header;
      if (classes !== roleClasses(header) || senses !== lexicon.names.length)
        throw new RangeError(
          `roles.probe: ${classes} classes, ${senses} senses (expected ${roleClasses(header)} and ${lexicon.names.length})`,
        );
      this.encode = encoderProgram().means(probe.encoder);
    }
    this.walk = new RoleWalk(lexicon, header.roles.length, scoreMoves, sum, probe && roleNetwork(probe));
    if (header.beam !== undefined) {
      if (!beamOf) throw new Error('the model finds roles with a beam: import "@stemma/core/roles" before');
      this.beam = beamOf(this.walk, header.beam);
    }
  }

  /**
   * The predicates of a sentence with their arguments. `vectors`: the means of the encoder's layers, one word after the
   * other, if they are known already.
   */
  label(words: Words, tree: RoleTree, vectors?: Float32Array | undefined): PredicateData[] {
    check("words", words, WORDS);
    check("tree", tree, TREE);
    checkHeads(tree.heads);
    check("labels of the tree", tree.labels, STRINGS);
    if (vectors !== undefined) check("vectors", vectors, VECTORS);
    const { walk, header } = this;
    const { c, lexicon } = walk;
    walk.begin(words, tree);
    if (this.encode && words.length > 0) {
      const expected = words.length * walk.network!.header.inputs;
      if (vectors !== undefined && vectors.length !== expected)
        throw new RangeError(`invalid vectors: ${vectors.length} numbers (expected ${expected})`);
      walk.network!.bind(vectors ?? this.encode(formsOf(words)));
    }
    (this.beam ?? walk).run();
    const found: PredicateData[] = [];
    for (let i = 1; i <= words.length; i++) {
      if (c.senses[i] === NONE) continue;
      const own: PredicateData["arguments"][number][] = [];
      for (let a = c.lastOut[i]!; a !== NONE; a = c.previousOut[a]!) {
        own.push({ word: c.dependents[a]!, role: header.roles[c.roles[a]!]! });
      }
      own.sort((one, other) => one.word - other.word);
      found.push({ word: i, sense: lexicon.names[c.senses[i]!]!, arguments: own });
    }
    return found;
  }
}

export function formsOf(words: Words): string[] {
  return Array.from({ length: words.length }, (_, i) => words.form(i + 1));
}
