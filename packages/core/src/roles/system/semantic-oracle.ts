import { NONE } from "../../systems/configuration.js";
import type { PredicateData } from "../../treebank/sentence/semantics/predicate-data.js";
import { SemanticConfiguration } from "./semantic-configuration.js";
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
} from "./semantic-system.js";

const SYSTEM = new SemanticSystem();

/** The graph to build: senses and roles as numbers. */
export interface SemanticGraph {
  /** Number of words. */
  readonly length: number;
  /** The sense of each word, NONE if it is no predicate; index 0 is unused. */
  readonly senses: ArrayLike<number>;
  /** Predicate, argument and role of each arc. */
  readonly arcs: readonly (readonly [predicate: number, argument: number, role: number])[];
}

/** Names by number, in the order of their first use. */
export class Inventory {
  readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();

  numberOf(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.names.push(name) - 1;
      this.numbers.set(name, number);
    }
    return number;
  }
}

/** The graph of predicates and their arguments; without arcs from a word to itself, which no derivation has. */
export function semanticGraph(
  length: number,
  predicates: readonly PredicateData[],
  senses: Pick<Inventory, "numberOf">,
  roles: Pick<Inventory, "numberOf">,
): SemanticGraph {
  const numbers = new Int32Array(length + 1).fill(NONE);
  const arcs: [number, number, number][] = [];
  for (const { word, sense, arguments: own } of predicates) {
    numbers[word] = senses.numberOf(sense);
    for (const argument of own) {
      if (argument.word !== word) arcs.push([word, argument.word, roles.numberOf(argument.role)]);
    }
  }
  return { length, senses: numbers, arcs };
}

/**
 * Static oracle: arcs of s0 and b0 first, SEM-REDUCE as soon as s0 has no arc left to build, and SEM-SWAP only when b0
 * needs what is below s0. Where that does not build the whole graph, SEM-SWAP also before SEM-SHIFT if s1 is needed
 * sooner than s0, or as soon and no longer (after Titov et al. 2009). Builds every graph of up to 5 words that the
 * system can build (a test compares them). It answers in every configuration, also after wrong transitions: with what
 * saves the arcs that it can. O(size of the stack + arcs) a step.
 */
export class SemanticOracle {
  private graph!: SemanticGraph;
  private readonly roles = new Map<number, number>();
  /** Whether words that are needed sooner are brought to the top before SEM-SHIFT. */
  private sorts = false;
  private readonly scratch = new SemanticConfiguration();
  /** The last predicate of each word, and the last argument. */
  private lastPredicate = new Int32Array(0);
  private lastArgument = new Int32Array(0);
  /** The sense or role that goes with the move that `next` gave. */
  label = 0;

  bind(graph: SemanticGraph): void {
    const { length, arcs } = graph;
    this.graph = graph;
    this.roles.clear();
    this.lastPredicate = new Int32Array(length + 1);
    this.lastArgument = new Int32Array(length + 1);
    for (const [predicate, argument, role] of arcs) {
      this.roles.set(this.key(predicate, argument), role);
      this.lastPredicate[argument] = Math.max(this.lastPredicate[argument]!, predicate);
      this.lastArgument[predicate] = Math.max(this.lastArgument[predicate]!, argument);
    }
    this.sorts = false;
    const lazy = this.follow(this.scratch);
    if (lazy === arcs.length) return;
    this.sorts = true;
    if (this.follow(this.scratch) <= lazy) this.sorts = false;
  }

  /** Follows the derivation to its end; how many arcs it builds. */
  private follow(c: SemanticConfiguration): number {
    SYSTEM.initialize(c, this.graph.length);
    while (!SYSTEM.isTerminal(c)) SYSTEM.apply(c, this.next(c), this.label);
    return c.arcCount;
  }

  private key(predicate: number, argument: number): number {
    return predicate * (this.graph.length + 1) + argument;
  }

  /** The next move of the derivation; `label` says with which sense or role. */
  next(c: SemanticConfiguration): SemanticMove {
    const { b } = c;
    this.label = 0;
    if (!c.isDecided) {
      this.label = Math.max(0, this.graph.senses[b]!);
      return this.graph.senses[b] === NONE ? NO_PRED : PRED;
    }
    const s = c.s(0);
    if (s === NONE) return SEM_SHIFT;
    if (this.isWanted(c, b, s)) {
      this.label = this.roles.get(this.key(b, s))!;
      return SEM_LEFT_ARC;
    }
    if (this.isWanted(c, s, b)) {
      this.label = this.roles.get(this.key(s, b))!;
      return SEM_RIGHT_ARC;
    }
    if (!this.isNeeded(c, s)) return SEM_REDUCE;
    // s0 waits for what comes after b0; what b0 needs below can be had as long as nothing between them waits, too.
    if (c.isSwapped) return SEM_SHIFT;
    for (let depth = 1; depth < c.stackSize; depth++) {
      const t = c.s(depth);
      if (this.isWanted(c, b, t) || this.isWanted(c, t, b)) return SEM_SWAP;
      if (this.isNeeded(c, t)) break;
    }
    if (this.sorts && c.stackSize > 1 && this.isSooner(c, c.s(1), s)) return SEM_SWAP;
    return SEM_SHIFT;
  }

  /** Is there still to be an arc, and may there be one? */
  private isWanted(c: SemanticConfiguration, predicate: number, argument: number): boolean {
    return (
      c.senses[predicate] !== NONE &&
      this.roles.has(this.key(predicate, argument)) &&
      c.role(predicate, argument) === NONE
    );
  }

  /** Will a word on the stack get arcs with words after b0? */
  private isNeeded(c: SemanticConfiguration, s: number): boolean {
    return this.lastUse(c, s) > c.front;
  }

  /** Is a word on the stack needed sooner than another, or no longer? */
  private isSooner(c: SemanticConfiguration, t: number, s: number): boolean {
    const difference = this.nextUse(c, t) - this.nextUse(c, s);
    return difference < 0 || (difference === 0 && this.lastUse(c, t) < this.lastUse(c, s));
  }

  private lastUse(c: SemanticConfiguration, s: number): number {
    return Math.max(this.lastPredicate[s]!, c.senses[s] === NONE ? 0 : this.lastArgument[s]!);
  }

  /** The first word after b0 that a word on the stack gets an arc with. */
  private nextUse(c: SemanticConfiguration, s: number): number {
    let next = this.graph.length + 1;
    for (const [predicate, argument] of this.graph.arcs) {
      if (predicate === s && c.senses[s] !== NONE && argument > c.front) next = Math.min(next, argument);
      if (argument === s && predicate > c.front) next = Math.min(next, predicate);
    }
    return next;
  }

  /** How many arcs of a graph the derivation builds. */
  countBuilt(graph: SemanticGraph): number {
    this.bind(graph);
    return this.follow(this.scratch);
  }
}
