// Two stacks, one for syntax and one for semantic roles (Henderson, Merlo, Musillo & Titov 2008; Henderson, Merlo,
// Titov & Musillo 2013).  c = (σ, τ, β, A, P, S): the stack, buffer and arcs of a syntactic system, and τ, P and S of
// the semantic half (semantic-system.ts). The two read the same words: as soon as a syntactic transition has taken the
// next word out of the buffer (SHIFT, or RIGHT-ARC of arc-eager), the semantic half has its turn with that word, from
// PRED or NO-PRED to SEM-SHIFT; then syntax goes on. Which of them is next is thus never a choice.
// Terminal: both are. Builds a tree that the syntactic system builds, with a graph that the semantic half builds.

import { check } from "../../checks/options.js";
import { SYSTEM } from "../../checks/shapes.js";
import { staticOracle } from "../../registry/oracles.js";
import { Configuration, NONE } from "../../systems/configuration.js";
import type { GoldTree } from "../../systems/oracles/gold-tree.js";
import type { StaticOracle } from "../../systems/oracles/oracle.js";
import type { TransitionSystem } from "../../systems/system.js";
import type { Move } from "../../systems/transition.js";
import { SemanticConfiguration } from "./semantic-configuration.js";
import { type SemanticGraph, SemanticOracle } from "./semantic-oracle.js";
import { lastTaken, SEMANTIC_MOVES, type SemanticMove, SemanticSystem } from "./semantic-system.js";

/** Both halves of a configuration. */
export class TwoStackConfiguration {
  readonly syntax = new Configuration();
  readonly semantics = new SemanticConfiguration();
}

/** A transition of either half. */
export type TwoStackMove =
  | { readonly half: "syntax"; readonly move: Move }
  | { readonly half: "semantics"; readonly move: SemanticMove };

/** A syntactic system and the semantic half, in step. */
export class TwoStacks {
  readonly semantics = new SemanticSystem();

  /** Systems in which words return to the buffer cannot be kept in step. */
  constructor(readonly syntax: TransitionSystem) {
    check("system", syntax, SYSTEM);
    if (!syntax.description.reordersWords) return;
    throw new RangeError(`invalid system: ${syntax.name} (expected one that takes the words in their order)`);
  }

  initialize(c: TwoStackConfiguration, words: number): void {
    this.syntax.initialize(c.syntax, words);
    this.semantics.initialize(c.semantics, words);
  }

  isTerminal(c: TwoStackConfiguration): boolean {
    return this.semantics.isTerminal(c.semantics) && this.syntax.isTerminal(c.syntax);
  }

  /** Whose turn it is: that of the semantic half as long as it has not read what syntax has taken. */
  turn({ syntax, semantics }: TwoStackConfiguration): TwoStackMove["half"] {
    return semantics.front <= lastTaken(syntax) ? "semantics" : "syntax";
  }

  permits(c: TwoStackConfiguration, { half, move }: TwoStackMove): boolean {
    if (half !== this.turn(c)) return false;
    return half === "syntax" ? this.syntax.permits(c.syntax, move) : this.semantics.permits(c.semantics, move);
  }

  /** Apply a permitted move; `label` is that of a syntactic arc, a sense or a role. */
  apply(c: TwoStackConfiguration, { half, move }: TwoStackMove, label?: number): void {
    if (half === "syntax") this.syntax.apply(c.syntax, move, label);
    else this.semantics.apply(c.semantics, move, label);
  }

  nameOf({ half, move }: TwoStackMove): string {
    return half === "syntax" ? this.syntax.nameOf(move) : SEMANTIC_MOVES[move]!;
  }
}

/** Static oracle: that of each half, in turn. */
export class TwoStackOracle {
  private readonly syntax: StaticOracle;
  private readonly semantics = new SemanticOracle();

  constructor(private readonly system: TwoStacks) {
    this.syntax = staticOracle(system.syntax);
  }

  bind(tree: GoldTree, graph: SemanticGraph): void {
    this.syntax.bind(tree);
    this.semantics.bind(graph);
  }

  /** The sense or role that goes with the move of the semantic half that `next` gave. */
  get label(): number {
    return this.semantics.label;
  }

  /** The next move of the canonical derivation; undefined if the tree cannot be reached. */
  next(c: TwoStackConfiguration): TwoStackMove | undefined {
    if (this.system.turn(c) === "semantics") return { half: "semantics", move: this.semantics.next(c.semantics) };
    const move = this.syntax.next(c.syntax);
    return move === NONE ? undefined : { half: "syntax", move };
  }
}
