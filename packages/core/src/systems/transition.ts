/** The kind of moves that put the front of the buffer on the stack. Kinds are the low bits of a `Move`. */
export const SHIFT = 0;
/** The kind of moves that attach a word to one on its right. */
export const LEFT_ARC = 1;
/** The kind of moves that attach a word to one on its left. */
export const RIGHT_ARC = 2;
/** The kind of moves that take a word off the stack. */
export const REDUCE = 3;
/** The kind of moves that put a word back into the buffer. */
export const SWAP = 4;

/**
 * Kinds from here to 31 belong to no system yet: for systems with other transitions, which name them in
 * `nameOf`.
 */
export const FIRST_FREE_KIND = 8;

/**
 * A transition without its label, packed into an integer: the kind in the low bits and above them a number of the
 * system's own, which is the reach k − 1 in LEFT-ARC-k and RIGHT-ARC-k, and 0 elsewhere. So SHIFT, LEFT_ARC, … are
 * moves themselves. What is chosen with a move by the model, a label or a tag, travels as a second integer: `apply(c,
 * move, label)`.
 */
export type Move = number;

const KIND_BITS = 5;
const KIND_MASK = (1 << KIND_BITS) - 1;
const KIND_NAMES = ["SHIFT", "LEFT-ARC", "RIGHT-ARC", "REDUCE", "SWAP"];

/**
 * LEFT-ARC-k.
 * @param k how far apart the two nodes are
 */
export function leftArc(k: number): Move {
  return LEFT_ARC | ((k - 1) << KIND_BITS);
}

/**
 * RIGHT-ARC-k.
 * @param k how far apart the two nodes are
 */
export function rightArc(k: number): Move {
  return RIGHT_ARC | ((k - 1) << KIND_BITS);
}

/**
 * The kind of a move: SHIFT, LEFT_ARC, RIGHT_ARC, REDUCE, SWAP, or one of the system's own.
 * @param move the transition
 */
export function kindOf(move: Move): number {
  return move & KIND_MASK;
}

/**
 * A move of a kind of the system's own, with a number from 0 to 2^26 − 1.
 * @param kind the kind, such as SHIFT
 * @param number tells moves of one kind apart
 */
export function moveOfKind(kind: number, number = 0): Move {
  return kind | (number << KIND_BITS);
}

/** The k of LEFT-ARC-k and RIGHT-ARC-k; 1 for every other move. */
export function reachOf(move: Move): number {
  return (move >> KIND_BITS) + 1;
}

/**
 * Does the move add an arc?
 * @param move the transition
 */
export function isArc(move: Move): boolean {
  const kind = move & KIND_MASK;
  return kind === LEFT_ARC || kind === RIGHT_ARC;
}

/** The name of a move; `numbered` writes the k of arcs even when it is 1, as LR-spines does. */
export function nameOf(move: Move, numbered = false): string {
  const name = KIND_NAMES[kindOf(move)]!;
  const k = reachOf(move);
  return isArc(move) && (numbered || k > 1) ? `${name}-${k}` : name;
}

/** The move of a name such as "LEFT-ARC" or "RIGHT-ARC-2", or -1 if it is not the name of one. */
export function moveOf(name: string, numbered = false): Move {
  const match = /^(SHIFT|LEFT-ARC|RIGHT-ARC|REDUCE|SWAP)(?:-([1-9]\d{0,6}))?$/.exec(name);
  if (!match) return -1;
  const kind = KIND_NAMES.indexOf(match[1]!);
  if (!isArc(kind)) return match[2] ? -1 : kind;
  if (!match[2]) return numbered ? -1 : kind;
  const k = Number(match[2]);
  if (k === 1 && !numbered) return -1;
  return kind | ((k - 1) << KIND_BITS);
}
