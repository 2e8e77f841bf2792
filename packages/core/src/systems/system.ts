import type { Limits } from "../checks/abilities.js";
import type { ParsedTree } from "../treebank/sentence/parsed-tree.js";
import { type Configuration, NONE, type RootPosition } from "./configuration.js";
import type { GoldTree } from "./oracles/gold-tree.js";
import type { SystemOptions, SystemSetting } from "./settings.js";
import { type Move, nameOf, SHIFT } from "./transition.js";

/**
 * The nodes that a move is judged by, for systems in which every move is scored in a context of its own: LR-spines,
 * where LEFT-ARC-k has another head for every k. Moves of the same kind are then one class of a model.
 */
export interface MoveContext {
  /** The names of the nodes, as feature templates begin with them. */
  readonly names: readonly string[];
  /** Whether all moves are judged by the same nodes: moves then are classes of their own, scored all at once. */
  readonly sharedByMoves?: boolean;
  /**
   * The name here of s0, s1, … and b0, b1, … in templates of other systems; undefined if there is none.
   * @param position such as s0
   */
  rename(position: string): string | undefined;
  /**
   * How many of the names, the last ones, are ends of spines, down which nothing may be attached any more; none if not
   * given.
   */
  readonly endsOfSpines?: number;
  /**
   * Write the nodes of a move into `out`, NONE where there is none. `out` has room for the names up to the last that is
   * needed.
   * @param c the configuration
   * @param move the transition
   * @param out where the result is written
   */
  fill(c: Configuration, move: Move, out: Int32Array): void;
}

/** Tells which moves keep a partial tree within reach. */
export interface KnownHeads {
  /**
   * Take over the partial tree of the next sentence, which has no cycle, and at most one word on 0 if the system builds
   * one root.
   * @param tree the partial tree
   */
  bind(tree: GoldTree): void;
  /** Can the system build all arcs of the tree together? */
  isPossible(): boolean;
  /**
   * Can they still all be built after a permitted move, if they can before it? Then some permitted move keeps them.
   * @param c the configuration
   * @param move the transition
   */
  keeps(c: Configuration, move: Move): boolean;
}

/** The arcs of a tree, as a move may put them out of reach. */
export interface ArcsAtRisk {
  /** The head that each word has in the tree. */
  readonly heads: Int32Array;
  /**
   * The arc into this word is out of reach.
   * @param word the number of the word, from 1
   */
  lose(word: number): void;
  /**
   * So are all arcs from a head to words without a head so far, but for one …
   * @param head the number of the head, 0 for the root
   * @param except the word that stays within reach
   */
  loseDependents(head: number, except?: number): void;
  /**
   * … or only those to words on its left, …
   * @param head the number of the head, 0 for the root
   * @param except the word that stays within reach
   */
  loseLeftDependents(head: number, except?: number): void;
  /**
   * … or on its right.
   * @param head the number of the head, 0 for the root
   * @param except the word that stays within reach
   */
  loseRightDependents(head: number, except?: number): void;
}

/**
 * Everything that parsing needs to know about a transition system; what only training and analysis need is its
 * SystemTraining. No other code looks at the name of a system to find out what it does.
 */
export interface SystemDescription {
  /** As on the command line and in model files: lower case, with hyphens. */
  readonly name: string;
  /** As in tables and pages. */
  readonly title: string;
  /** Where it was published. */
  readonly reference: string;
  /** Settings besides those that all systems have. */
  readonly settings: readonly SystemSetting[];
  /**
   * The options have been checked against `settings`.
   * @param options root position, single root and settings
   */
  create(options: SystemOptions): TransitionSystem;
  /** Given if every move is scored in a context of its own. */
  readonly context?: MoveContext;
  /**
   * Whether arcs are attached to nodes within the trees on the stack, down their spines, and not to their roots alone.
   */
  readonly attachesToSpines: boolean;
  /** Whether words may change places, so that stack and buffer are not in the order of the sentence. */
  readonly reordersWords: boolean;
  /** Whether several words without a head may be left at the end when 0 is not last; they are then attached to 0. */
  readonly leavesHeadless: boolean;
  /**
   * How many arrays of one number for each node its configurations need besides the usual ones, such as a second stack.
   */
  readonly extraArrays?: number;
  /**
   * Whether transitions write to the arrays of a configuration only through its methods (`shift`, `addArc`, …), and the
   * head of a word on the stack is on the stack as well. Beams then copy and compare only what differs between the
   * configurations of a long sentence, and not all.
   */
  readonly changesByMethods?: boolean;
  /**
   * Given if arcs are built bottom-up and between neighbours, each takes its dependent off the stack and nothing else
   * leaves it, and all derivations of a sentence have the same length: what LEFT-ARC has as its head, the top of the
   * stack or the front of the buffer. That of RIGHT-ARC is the node below the top. Beams can then have a
   * graph-structured stack.
   */
  readonly leftArcFrom?: "top" | "front";
  /** The name of its stack, for display, if it is not simply the stack. */
  readonly stackTitle?: string;
  /**
   * Further lists of its configurations, for display, by name.
   * @param c the configuration
   */
  lists?(c: Configuration): Record<string, number[]>;
  /** The system whose transitions it adds others to, if it does. */
  readonly extends?: string;
  /**
   * Where words may be left out of the tree: for each word why it was, a number from 1, or NONE if it was not.
   * @param c the configuration
   */
  leftOut?(c: Configuration): Int32Array;
  /**
   * Where words may be left out of the tree: how many transitions of a derivation in which they are not a move stands
   * for. A beam that compares probabilities would otherwise prefer derivations that end early.
   * @param move the transition
   */
  transitionsFor?(move: Move): number;
  /**
   * Changes heads and labels of the tree of a terminal configuration in place, where it is to be more than the arcs
   * that were built, and gives what else is to be said of its words. `names`: the labels by their numbers.
   * @param c the configuration
   * @param heads the head of each word, 0 for the root; index 0 is unused
   * @param labels the label of each word; index 0 is unused
   * @param names the labels by their numbers
   */
  completeTree?(
    c: Configuration,
    heads: Int32Array,
    labels: string[],
    names: readonly string[],
  ): Omit<ParsedTree, "heads" | "labels">;
  /**
   * Which arcs of a tree a permitted move puts out of reach for good, besides the one into the dependent that it
   * attaches.
   * @param system the transition system
   * @param c the configuration
   * @param move the transition
   * @param arcs told which arcs the move puts out of reach
   */
  risks(system: TransitionSystem, c: Configuration, move: Move, arcs: ArcsAtRisk): void;
  /**
   * Which moves keep a partial tree within reach; without it heads that are known beforehand are refused.
   * @param system the transition system
   */
  knownHeads?(system: TransitionSystem): KnownHeads;
  /** Things that parsers with this system cannot do. @internal */
  readonly limits?: Limits;
}

/**
 * A transition system: its configurations, transitions and preconditions. Its description and the oracles that belong
 * to it are in the same file. A system knows nothing of sentences, features or models, and keeps no state: all state is
 * in the configuration.
 */
export abstract class TransitionSystem {
  /** Everything parsing needs to know about it. */
  abstract readonly description: SystemDescription;
  /**
   * The moves that a model tells apart: all there are, or one of each kind if each is scored in a context of its own.
   */
  abstract readonly moves: readonly Move[];
  /** Where node 0 is. */
  readonly root: RootPosition;
  /** Whether one word alone may depend on 0. */
  readonly singleRoot: boolean;

  /** @param options root position and single root */
  constructor(options: SystemOptions = {}) {
    this.root = options.root ?? "last";
    this.singleRoot = options.singleRoot ?? false;
  }

  /** Its name. */
  get name(): string {
    return this.description.name;
  }

  /** Whether all trees have one root: because they must, or because without 0 one word is left at the end. */
  get buildsOneRoot(): boolean {
    return this.singleRoot || (this.root === "none" && !this.description.leavesHeadless);
  }

  /**
   * Whether what follows depends on all arcs built: because arcs must not close a cycle, or because they can be taken
   * back.
   */
  get looksAtAllArcs(): boolean {
    return false;
  }

  /**
   * Make c the initial configuration for n words.
   * @param c the configuration
   * @param words the number of words
   */
  initialize(c: Configuration, words: number): void {
    c.reset(words, this.root, this.description.extraArrays);
  }

  /**
   * Whether a derivation ends here.
   * @param c the configuration
   */
  abstract isTerminal(c: Configuration): boolean;

  /**
   * May the move be applied? Nothing is permitted in a terminal configuration.
   * @param c the configuration
   * @param move the transition
   */
  abstract permits(c: Configuration, move: Move): boolean;

  /**
   * Write the permitted moves into `out` and return how many there are.
   * @param c the configuration
   * @param out where the result is written
   */
  abstract permitted(c: Configuration, out: Move[]): number;

  /**
   * Apply a permitted move; `label` goes to the arc it builds, if it builds one.
   * @param c the configuration
   * @param move the transition
   * @param label the label of the arc
   */
  abstract apply(c: Configuration, move: Move, label?: number): void;

  /**
   * Apply a permitted move and remember it, for features of what was done before.
   * @param c the configuration
   * @param move the transition
   * @param label the label of the arc
   */
  take(c: Configuration, move: Move, label: number): void {
    this.apply(c, move, label);
    c.record(move, label);
  }

  /**
   * The head of the arc that the move would build, NONE if it builds none.
   * @param c the configuration
   * @param move the transition
   */
  abstract head(c: Configuration, move: Move): number;

  /**
   * The dependent of the arc that the move would build, NONE if it builds none.
   * @param c the configuration
   * @param move the transition
   */
  abstract dependent(c: Configuration, move: Move): number;

  /**
   * Whether a move takes the word at the front of the buffer out of it, which is when what is open about the word is
   * decided.
   * @param move the transition
   */
  takesFront(move: Move): boolean {
    return move === SHIFT;
  }

  /**
   * Completes a terminal configuration to a tree: words without a head are attached to 0.
   * @param c the configuration
   * @param label the label of the arc
   */
  finish(c: Configuration, label = NONE): void {
    for (let d = 1; d <= c.length; d++) if (c.heads[d] === NONE) c.addArc(0, d, label);
  }

  /**
   * The name of a move, as the literature has it.
   * @param move the transition
   */
  nameOf(move: Move): string {
    return nameOf(move);
  }

  /**
   * The one of `moves` that stands for a move in a model: where it is in the sentence may not matter to that.
   * @param move the transition
   */
  classOf(move: Move): Move {
    return move;
  }

  /** The names of all transitions, as a message lists them. */
  get inventory(): string {
    return this.moves.map((move) => this.nameOf(move)).join(", ");
  }

  /**
   * The move of a name, -1 if this system has none of that name.
   * @param name its name
   */
  abstract moveOf(name: string): Move;
}

/** A system with a fixed, small inventory of moves. */
export abstract class FixedMovesSystem extends TransitionSystem {
  /**
   * Writes the moves that are permitted, and returns how many there are.
   * @param c the configuration
   * @param out where the moves are written
   */
  permitted(c: Configuration, out: Move[]): number {
    const moves = this.moves;
    let count = 0;
    for (let i = 0; i < moves.length; i++) if (this.permits(c, moves[i]!)) out[count++] = moves[i]!;
    return count;
  }

  /**
   * The move with a name; -1 if there is none.
   * @param name as `nameOf` gives it
   */
  moveOf(name: string): Move {
    return this.moves.find((move) => this.nameOf(move) === name) ?? -1;
  }
}
