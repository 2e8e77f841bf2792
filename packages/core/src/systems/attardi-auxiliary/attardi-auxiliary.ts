// Attardi's system with an auxiliary stack (Attardi 2006, thesis 4.1.6).  c = (σ, β, A, τ)
//   SHIFT, LEFT-ARC-k_l, RIGHT-ARC-k_l   as in Attardi's system
//   EXTRACT   (σ|t|s, β, A, τ)   ⇒ (σ|s, β, A, τ|t)    t ≠ 0
//   INSERT    (σ, β, A, τ|t)     ⇒ (σ|t, β, A, τ)
// Terminal: buffer and auxiliary stack empty, and one node on the stack. Builds all trees.
//
// EXTRACT and INSERT can follow each other for ever, so that a derivation may have 2 (n + 1)² EXTRACTs and no more:
// four times as many as the worst tree needs (one for each pair of words). Of more than 15 words it may have
// 32 (n + 1), so that no model, however bad, takes more than linear time; trees of treebanks need a few.
//
// σ and τ are one list with a mark in it: σ, the mark, and τ from its top. INSERT moves the mark one node to the right;
// EXTRACT takes the node before the mark to the left, past its neighbour, and the mark with it.

import { Attardi, arcsUpTo, attardi } from "../attardi.js";
import { type Configuration, NONE, ON_STACK } from "../configuration.js";
import type { SystemOptions } from "../settings.js";
import type { MoveContext, SystemDescription } from "../system.js";
import { FIRST_FREE_KIND, type Move, nameOf, SHIFT } from "../transition.js";

export const EXTRACT = FIRST_FREE_KIND;
export const INSERT = FIRST_FREE_KIND + 1;

/** The stack, the buffer and the auxiliary stack, as feature templates see them. */
const NAMES = ["s0", "s1", "s2", "s3", "b0", "b1", "b2", "a0", "a1"];
const [FRONT, SET_ASIDE] = [NAMES.indexOf("b0"), NAMES.indexOf("a0")];

const stacks: MoveContext = {
  names: NAMES,
  sharedByMoves: true,
  rename: (position) => (NAMES.includes(position) ? position : undefined),
  fill(c, _move, out) {
    for (let i = 0; i < out.length; i++) {
      out[i] = i < FRONT ? c.s(i) : i < SET_ASIDE ? c.b(i - FRONT) : auxiliary(c, i - SET_ASIDE);
    }
  },
};

// Which moves keep known heads is another matter where words change places.
const { knownHeads: _, ...base } = attardi;

export const attardiAuxiliary: SystemDescription = {
  ...base,
  name: "attardi-auxiliary",
  title: "Attardi with an auxiliary stack",
  // All trees are built with any degree.
  settings: base.settings.map((setting) => ({ ...setting, changes: "transitions" })),
  create: (options) => new AttardiAuxiliary(options),
  context: stacks,
  reordersWords: true,
  extraArrays: 2,
  changesByMethods: false,
  lists: (c) => ({ "auxiliary stack": Array.from(c.extra[0]!.subarray(1, auxiliarySize(c) + 1)) }),
  extends: attardi.name,
};

/** How many nodes are on the auxiliary stack. They begin at place 1 of its array; place 0 has the number. */
export function auxiliarySize(c: Configuration): number {
  return c.extra[0]![0]!;
}

/** The i-th node of the auxiliary stack counted from the top, NONE if there is none. */
export function auxiliary(c: Configuration, i: number): number {
  const size = auxiliarySize(c);
  return i < size ? c.extra[0]![size - i]! : NONE;
}

/** EXTRACTs for each node, in long sentences. */
export const MOST_PER_NODE = 32;

/** How many EXTRACTs are left. */
export function extractsLeft(c: Configuration): number {
  return Math.min(2 * (c.length + 1) ** 2, MOST_PER_NODE * (c.length + 1)) - c.extra[1]![0]!;
}

export class AttardiAuxiliary extends Attardi {
  override readonly description: SystemDescription = attardiAuxiliary;
  override readonly moves: readonly Move[];

  constructor(options: SystemOptions = {}) {
    super(options);
    this.moves = [...arcsUpTo(this.degree), EXTRACT, INSERT, SHIFT];
  }

  override initialize(c: Configuration, words: number): void {
    super.initialize(c, words);
    c.extra[0]![0] = 0;
    c.extra[1]![0] = 0;
  }

  override nameOf(move: Move): string {
    return move === EXTRACT ? "EXTRACT" : move === INSERT ? "INSERT" : nameOf(move);
  }

  override isTerminal(c: Configuration): boolean {
    return auxiliarySize(c) === 0 && super.isTerminal(c);
  }

  // With one root, 0 takes only the last word that is left. When it is shifted does not matter, as what is below it can
  // be extracted; without any EXTRACT left, it must not be on top of several words.
  override permits(c: Configuration, move: Move): boolean {
    const size = auxiliarySize(c);
    if (move === EXTRACT) return c.stackSize > 1 && c.s(1) > 0 && extractsLeft(c) > 0;
    if (move === INSERT) return size > 0;
    if (move === SHIFT ? c.bufferSize === 0 : !super.permits(c, move)) return false;
    if (!this.singleRoot) return true;
    if (this.head(c, move) === 0) return c.stackSize + c.bufferSize + size === 2;
    if (size > 0 || extractsLeft(c) > 0) return true;
    if (move === SHIFT) return c.b(0) !== 0 || c.stackSize < 2;
    return this.dependent(c, move) !== c.s(0) || c.s(1) !== 0 || c.stackSize < 4;
  }

  override apply(c: Configuration, move: Move, label = NONE): void {
    const [nodes, count] = c.extra as [Int32Array, Int32Array];
    if (move === EXTRACT) {
      const node = c.s(1);
      c.remove(1);
      c.where[node] = ON_STACK;
      nodes[++nodes[0]!] = node;
      count[0]!++;
    } else if (move === INSERT) {
      const place = nodes[0]!--;
      c.push(nodes[place]!);
      nodes[place] = NONE;
    } else super.apply(c, move, label);
  }
}
