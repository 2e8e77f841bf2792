// A derivation of the semantic half of two-stack parsing, with the scores of its transitions.
import type { Words } from "../features/columns.js";
import { hashString } from "../math/hash.js";
import { NONE } from "../systems/configuration.js";
import { PATH_FEATURE, RoleFeatures, type RoleTree } from "./features/role-features.js";
import type { RoleNetwork } from "./network/role-network.js";
import type { RolesHeader } from "./roles-header.js";
import { SemanticConfiguration } from "./system/semantic-configuration.js";
import { Inventory } from "./system/semantic-oracle.js";
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
} from "./system/semantic-system.js";

/** Class 0 is that of senses; then come the transitions without a role, and those with one, left and right. */
const FIRST_MOVE_CLASS = 1;
const PLAIN_MOVES: readonly SemanticMove[] = [SEM_REDUCE, SEM_SWAP, SEM_SHIFT];
const FIRST_ARC_CLASS = FIRST_MOVE_CLASS + PLAIN_MOVES.length;

/** Gives the scores of the classes of transitions for features, from index 1. */
export type ScoreMoves = (features: Int32Array) => Int32Array;
/** Gives the score of a sense for features. */
export type ScoreSense = (features: Int32Array) => number;

/** Senses by number, and which of them a word may have. */
export class SenseLexicon extends Inventory {
  /** The keys of the senses in features. */
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
  /** Where the derivation is; a search puts that of one derivation or another here. */
  c = new SemanticConfiguration();
  readonly system = new SemanticSystem();
  /** The classes that `permitted` gives. */
  readonly open: Int32Array;
  /** The scores that `scoreSenses` gives. */
  readonly senseScores: number[] = [];
  private words: Words | undefined;
  /** The keys of the senses in features, 0 for none; with a beam only those of s0, s1 and b0 can be relied on. */
  keys: Int32Array = new Int32Array(0);

  constructor(
    readonly lexicon: SenseLexicon,
    readonly roleCount: number,
    private readonly scoreMoves: ScoreMoves,
    private readonly scoreSense: ScoreSense,
    /** Adds scores by the vectors of words, which it has to be given for each sentence. */
    readonly network?: RoleNetwork | undefined,
    readonly features: RoleFeatures = new RoleFeatures(),
  ) {
    this.open = new Int32Array(this.classes);
  }

  begin(words: Words, tree: RoleTree): void {
    const n = words.length;
    this.words = words;
    if (this.keys.length < n + 2) this.keys = new Int32Array(2 * (n + 2));
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

  /** The scores of the senses that b0 may have, in their order; that of no predicate is 0. */
  scoreSenses(candidates: readonly number[]): readonly number[] {
    const { network, features, lexicon, senseScores } = this;
    if (candidates.length > 0) {
      features.predicate(this.c.b);
      network?.look(this.c.b);
    }
    for (let k = 0; k < candidates.length; k++) {
      const linear = this.scoreSense(features.sense(lexicon.keys[candidates[k]!]!));
      senseScores[k] = linear + (network ? network.sense(candidates[k]!) : 0);
    }
    return senseScores;
  }

  /** The best sense of b0, NONE if it is no predicate. `bonus`, in training, is added to all but the right one. */
  bestSense(candidates: readonly number[], bonus = 0, right: number | undefined = undefined): number {
    const scores = this.scoreSenses(candidates);
    let best = NONE;
    let most = right === NONE ? 0 : bonus;
    for (let k = 0; k < candidates.length; k++) {
      const score = scores[k]! + (candidates[k] === right ? 0 : bonus);
      if (score <= most) continue;
      most = score;
      best = candidates[k]!;
    }
    return best;
  }

  /** Whether b0 is decided and there is more than one thing to do. */
  get isOpen(): boolean {
    return this.c.stackSize > 0;
  }

  /** Puts the classes that are permitted once b0 is decided into `open`; gives their number. */
  permitted(): number {
    const { c, system, open, roleCount } = this;
    let count = 0;
    open[count++] = this.classOf(SEM_SHIFT, 0);
    if (system.permits(c, SEM_REDUCE)) open[count++] = this.classOf(SEM_REDUCE, 0);
    if (system.permits(c, SEM_SWAP)) open[count++] = this.classOf(SEM_SWAP, 0);
    for (let side = 0; side < 2; side++) {
      if (!system.permits(c, side === 0 ? SEM_LEFT_ARC : SEM_RIGHT_ARC)) continue;
      const first = FIRST_ARC_CLASS + side * roleCount;
      for (let role = 0; role < roleCount; role++) open[count++] = first + role;
    }
    return count;
  }

  /** The scores of the classes, for what `pair` gave; they are there until the next call. */
  score(features: Int32Array): Int32Array {
    const { c } = this;
    const scores = this.scoreMoves(features);
    const [s, b] = [c.s(0), c.b];
    // Arcs to the right come last, those to the left before them.
    let count = c.senses[s] !== NONE ? this.classes : FIRST_ARC_CLASS;
    if (c.senses[b] !== NONE) count = Math.max(count, FIRST_ARC_CLASS + this.roleCount);
    this.network?.addMoves(s, b, features[PATH_FEATURE]!, count, scores);
    return scores;
  }

  /** The best class of those that are permitted. `bonus`, in training, is added to all but the right one. */
  bestClass(features: Int32Array, bonus = 0, right = 0): number {
    const { open } = this;
    const scores = this.score(features);
    const count = this.permitted();
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < count; k++) {
      const score = scores[open[k]!]! + (open[k] === right ? 0 : bonus);
      if (score <= most) continue;
      most = score;
      best = open[k]!;
    }
    return best;
  }

  /** The features of the next transition. */
  pair(): Int32Array {
    const { c } = this;
    for (const node of [c.b, c.s(0), c.s(1)]) if (node !== NONE) this.setKey(node);
    return this.features.pair(c, this.keys);
  }

  /** Applies PRED, or NO-PRED for NONE. */
  decide(sense: number): void {
    const { b } = this.c;
    this.system.apply(this.c, sense === NONE ? NO_PRED : PRED, sense);
    this.setKey(b);
  }

  private setKey(word: number): void {
    const sense = this.c.senses[word]!;
    this.keys[word] = sense === NONE ? 0 : this.lexicon.keys[sense]!;
  }

  /** Applies the transition of a class. */
  apply(cls: number): void {
    this.system.apply(this.c, this.moveOf(cls), this.roleOf(cls));
  }

  /** Goes one step further, by the best transition. */
  step(): void {
    if (!this.c.isDecided) this.decide(this.bestSense(this.candidates()));
    else this.apply(this.isOpen ? this.bestClass(this.pair()) : this.classOf(SEM_SHIFT, 0));
  }

  /** Goes to the end, always by the best transition. */
  run(): void {
    while (!this.isOver) this.step();
  }
}
