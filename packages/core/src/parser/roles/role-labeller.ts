// Finds the predicates of a parsed sentence and the roles of their arguments: the semantic half of two-stack parsing,
// greedily, with a linear model and, if there is an encoder, a network, over a tree that is there already.
import { check, type Expectation } from "../../checks/options.js";
import { checkHeads, having, holding, OBJECT, STRINGS } from "../../checks/shapes.js";
import type { Words } from "../../features/columns.js";
import { MOST_ROLE_FEATURES, PATH_FEATURE, RoleFeatures, type RoleTree } from "../../features/roles/role-features.js";
import { hashString } from "../../math/hash.js";
import { encoderProgram } from "../../scoring/encoder/encoders.js";
import type { Scorer } from "../../scoring/linear/linear-model.js";
import { sumOfOneClass } from "../../scoring/linear/one-class.js";
import { NONE } from "../../systems/configuration.js";
import { SemanticConfiguration } from "../../systems/roles/semantic-configuration.js";
import { Inventory } from "../../systems/roles/semantic-oracle.js";
import {
  NO_PRED,
  PRED,
  SEM_LEFT_ARC,
  SEM_REDUCE,
  SEM_RIGHT_ARC,
  SEM_SHIFT,
  SEM_SWAP,
  type SemanticMove,
  SemanticSystem,
} from "../../systems/roles/semantic-system.js";
import type { PredicateData } from "../../treebank/sentence/semantics/predicate-data.js";
import { type RoleNetwork, roleNetwork } from "./role-network.js";
import {
  checkNames,
  type Labeller,
  type RolesHeader,
  type RolesModel,
  roleClasses,
  type VectorSource,
} from "./roles-model.js";

/** Class 0 is that of senses; then come the transitions without a role, and those with one, left and right. */
export const FIRST_MOVE_CLASS = 1;
const PLAIN_MOVES: readonly SemanticMove[] = [SEM_REDUCE, SEM_SWAP, SEM_SHIFT];
const FIRST_ARC_CLASS = FIRST_MOVE_CLASS + PLAIN_MOVES.length;

/** Gives the scores of the classes of transitions for features, from index 1. */
export type ScoreMoves = (features: Int32Array) => Int32Array;
/** Gives the score of a sense for features. */
export type ScoreSense = (features: Int32Array) => number;

/** Senses by number, and which of them a word may have. */
export class SenseLexicon extends Inventory {
  /** What features know the senses by. */
  readonly keys: number[] = [];
  private readonly byLemma = new Map<string, readonly number[]>();
  private readonly openTags: ReadonlySet<string>;

  constructor({ lemmas, openTags }: Pick<RolesHeader, "lemmas" | "openTags">) {
    super();
    for (const [lemma, senses] of Object.entries(lemmas)) {
      this.byLemma.set(
        lemma,
        senses.map((sense) => this.numberOf(sense)),
      );
    }
    this.openTags = new Set(openTags);
  }

  override numberOf(sense: string): number {
    const number = super.numberOf(sense);
    this.keys[number] ??= hashString(sense);
    return number;
  }

  /**
   * The senses that a word may have: those that its lemma had in training, and for a new lemma the first sense of that
   * name, if the word is of a kind that may be a predicate.
   */
  candidates(lemma: string, upos: string): readonly number[] {
    const known = this.byLemma.get(lemma);
    if (known) return known;
    if (!this.openTags.has(upos)) return [];
    return [this.numberOf(`${lemma.replace(/\s/g, "_")}.01`)];
  }
}

/** Walks through a derivation, with scores that may come from a finished model or from one that still learns. */
export class RoleWalk {
  readonly c = new SemanticConfiguration();
  readonly features = new RoleFeatures();
  readonly system = new SemanticSystem();
  /** The keys of the senses of the predicates so far, 0 for none. */
  readonly keys: Int32Array = new Int32Array(0);
  private words: Words | undefined;

  constructor(
    readonly lexicon: SenseLexicon,
    readonly roleCount: number,
    private readonly scoreMoves: ScoreMoves,
    private readonly scoreSense: ScoreSense,
    /** Adds scores by the vectors of words, which it has to be given for each sentence. */
    readonly network?: RoleNetwork | undefined,
  ) {}

  begin(words: Words, tree: RoleTree): void {
    const n = words.length;
    this.words = words;
    if (this.keys.length < n + 2) (this as { keys: Int32Array }).keys = new Int32Array(2 * (n + 2));
    this.keys.fill(0);
    this.features.bind(words, tree);
    this.system.initialize(this.c, n);
  }

  get isOver(): boolean {
    return this.system.isTerminal(this.c);
  }

  /** The number of classes. */
  get classes(): number {
    return FIRST_ARC_CLASS + 2 * this.roleCount;
  }

  /** The transition of a class. */
  moveOf(cls: number): SemanticMove {
    if (cls < FIRST_ARC_CLASS) return PLAIN_MOVES[cls - FIRST_MOVE_CLASS]!;
    return cls < FIRST_ARC_CLASS + this.roleCount ? SEM_LEFT_ARC : SEM_RIGHT_ARC;
  }

  /** The role of a class that has one. */
  roleOf(cls: number): number {
    return cls < FIRST_ARC_CLASS ? 0 : (cls - FIRST_ARC_CLASS) % this.roleCount;
  }

  /** The class of a transition, with its role if it has one. */
  classOf(move: SemanticMove, role: number): number {
    if (move === SEM_LEFT_ARC) return FIRST_ARC_CLASS + role;
    if (move === SEM_RIGHT_ARC) return FIRST_ARC_CLASS + this.roleCount + role;
    return FIRST_MOVE_CLASS + PLAIN_MOVES.indexOf(move);
  }

  /** The senses that b0 may have. */
  candidates(): readonly number[] {
    const { b } = this.c;
    return this.lexicon.candidates(this.words!.lemma(b), this.words!.upos(b));
  }

  /** The best sense of b0, NONE if it is no predicate. `bonus`, in training, is added to all but the right one. */
  bestSense(candidates: readonly number[], bonus = 0, right: number | undefined = undefined): number {
    if (candidates.length === 0) return NONE;
    const { network } = this;
    this.features.predicate(this.c.b);
    network?.look(this.c.b);
    let best = NONE;
    let most = right === NONE ? 0 : bonus;
    for (const sense of candidates) {
      const linear = this.scoreSense(this.features.sense(this.lexicon.keys[sense]!));
      const score = linear + (network ? network.sense(sense) : 0) + (sense === right ? 0 : bonus);
      if (score <= most) continue;
      most = score;
      best = sense;
    }
    return best;
  }

  /** Whether b0 is decided and there is more than one thing to do. */
  get isOpen(): boolean {
    return this.c.stackSize > 0;
  }

  /** The best class of those that are permitted. `bonus`, in training, is added to all but the right one. */
  bestClass(features: Int32Array, bonus = 0, right = 0): number {
    const { c, system } = this;
    const scores = this.scoreMoves(features);
    const [s, b] = [c.s(0), c.b];
    // Arcs to the right come last, those to the left before them.
    let count = c.senses[s] !== NONE ? this.classes : FIRST_ARC_CLASS;
    if (c.senses[b] !== NONE) count = Math.max(count, FIRST_ARC_CLASS + this.roleCount);
    this.network?.addMoves(s, b, features[PATH_FEATURE]!, count, scores);
    let best = this.classOf(SEM_SHIFT, 0);
    let most = scores[best]! + (best === right ? 0 : bonus);
    const consider = (cls: number) => {
      const score = scores[cls]! + (cls === right ? 0 : bonus);
      if (score <= most) return;
      most = score;
      best = cls;
    };
    for (const move of [SEM_REDUCE, SEM_SWAP]) if (system.permits(c, move)) consider(this.classOf(move, 0));
    for (const move of [SEM_LEFT_ARC, SEM_RIGHT_ARC]) {
      if (!system.permits(c, move)) continue;
      const first = this.classOf(move, 0);
      for (let cls = first; cls < first + this.roleCount; cls++) consider(cls);
    }
    return best;
  }

  /** What the next transition depends on. */
  pair(): Int32Array {
    return this.features.pair(this.c, this.keys);
  }

  /** Applies PRED, or NO-PRED for NONE. */
  decide(sense: number): void {
    this.keys[this.c.b] = sense === NONE ? 0 : this.lexicon.keys[sense]!;
    this.system.apply(this.c, sense === NONE ? NO_PRED : PRED, sense);
  }

  /** Applies the transition of a class. */
  apply(cls: number): void {
    this.system.apply(this.c, this.moveOf(cls), this.roleOf(cls));
  }

  /** Goes to the end, always by the best transition. */
  run(): void {
    while (!this.isOver) {
      if (!this.c.isDecided) this.decide(this.bestSense(this.candidates()));
      else this.apply(this.isOpen ? this.bestClass(this.pair()) : this.classOf(SEM_SHIFT, 0));
    }
  }
}

const WORDS = having("a sentence", "form", "lemma", "upos", "feats");
const VECTORS: Expectation = { expected: "a Float32Array", accepts: (value) => value instanceof Float32Array };
const TREE = holding("a tree as {heads, labels}", "heads", "labels");

/** Finds predicates and roles with a trained model. */
export class RoleLabeller implements Labeller {
  private readonly header: RolesHeader;
  private readonly walk: RoleWalk;
  /** What the network is given of the words of a sentence. */
  private readonly encode: ((words: Words) => Float32Array | undefined) | undefined;

  /** `parser`: the one that has parsed a sentence just before; a network without an encoder gets its vectors. */
  constructor(model: RolesModel, parser?: VectorSource | undefined) {
    check("model", model, holding("a RolesModel", "header", "linear"));
    if (parser !== undefined) check("parser", parser, having("a parser", "vectors"));
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
      const means = probe.encoder && encoderProgram().means(probe.encoder);
      this.encode = means ? (words) => means(formsOf(words)) : (words) => parser?.vectors(words.length);
    }
    this.walk = new RoleWalk(lexicon, header.roles.length, scoreMoves, sum, probe && roleNetwork(probe));
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
    const { walk, header } = this;
    const { c, lexicon } = walk;
    walk.begin(words, tree);
    if (this.encode && words.length > 0) {
      const expected = words.length * walk.network!.header.inputs;
      const found = vectors ?? this.encode(words);
      if (found?.length !== expected)
        throw new RangeError(`invalid vectors: ${found?.length ?? "no"} numbers (expected ${expected})`);
      walk.network!.bind(found);
    }
    walk.run();
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
